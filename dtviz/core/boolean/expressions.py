"""Boolean functions as a reader types them: formulas, and truth tables in bits or in hex.

Formulas are read without eval and without recursion.

A parser of our own rather than Python's: that one gives up at a nesting of a few hundred, knows no
``!`` or ``->``, and takes far more than Boolean expressions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

from dtviz.core.boolean.cube import MAX_VARIABLES, as_dimension
from dtviz.core.boolean.formulas import MUX, NOTATION, Step, count_operators, evaluate
from dtviz.core.checks import as_list, as_repr, check_differ

CALLS: list[str] = NOTATION["calls"]
"""What can be called, as in ``maj(x0, x1, x2)``; ``maj`` and ``majority`` are one."""

_MAX_TEXT = 1 << 23
"""The most characters of an expression."""

_MAX_TOKENS = 1 << 19
"""The most names, constants and signs of an expression."""

_MAX_WORK = 1 << 36
"""The most operators times points: some seconds."""

_ALIASES: dict[str, str] = NOTATION["aliases"]
_BINDS: dict[str, int] = {sign: known["binds"] for sign, known in NOTATION["operators"].items()}
"""How tightly each operator binds: as in Python, where Python has it."""

_WORDS: list[str] = NOTATION["words"]
"""Operators in any letter case, so that no variable can have these names."""

_SIGN = "|".join(
    re.escape(sign)
    for sign in sorted((*_BINDS, *_ALIASES, *"(),"), key=len, reverse=True)
    if not sign.isalpha()
)
_TOKEN = re.compile(
    rf"\s*(?P<token>(?P<sign>{_SIGN})|"
    rf"(?P<call>(?:(?i:xor)|{'|'.join(CALLS)})(?=\s*\())|(?P<name>x\[\d+\]|[^\W\d]\w*)|\w+|\S)"
)
_NAME = re.compile(r"x\[\d+\]|[^\W\d]\w*")
_INDEXED = re.compile(r"x(?:_?(0|[1-9][0-9]*)|\[(0|[1-9][0-9]*)\])", re.ASCII)
_CONSTANTS = ("0", "1")

_NO_NAMES = "and, or, not, xor, true or false"
_PREFIX: list[str] = NOTATION["prefix"]
_BEFORE_NOT = ("(", *_WORDS, "->", "<->")
_SIGNS: list[str] = NOTATION["signs"]
_OPERAND = "have a variable, 0, 1, ~, not or ("
_OPERATOR = "have an operator (~ ! & ^ | == != not and or xor -> <->) or )"
_OPERATOR_OR_CALL = f"{_OPERATOR}, or call one of {', '.join(CALLS)}"
_NUMBER = re.compile(r"[0-9]+", re.ASCII)

_TABLE = re.compile(r"\s*(?:0(?P<base>[xXbB])|(?=[01][\s_]*[01]))")
"""How a table begins, as no formula does: with 0x or 0b, or with two bits."""
_BLANKS = re.compile(r"[\s_]+")
_DIGITS = {
    "": (1, re.compile(r"[^01\s_]"), "have only 0 and 1 in a table of bits"),
    "x": (4, re.compile(r"[^0-9a-fA-F\s_]"), "have only 0 to 9 and a to f after 0x"),
}
"""How many points a digit has, what is none, and the rule."""


class _Token(NamedTuple):
    """A sign, a name or a constant, what was written for it, and where it begins."""

    kind: str
    written: str
    start: int


def _fail(text: str, rule: str, got: str, at: int) -> NoReturn:
    """Refuse a text, and say where."""
    if at == len(text):
        place = "at its end"
    else:
        line, before = text.count("\n", 0, at), text.rfind("\n", 0, at)
        place = f"at character {at - before}" + (f" of line {line + 1}" if "\n" in text else "")
    near = " ".join(text[max(at - 20, 0) : at + 20].split())
    where = "" if near == got else f", near {as_repr(near)}"
    msg = f"text must {rule}, got {as_repr(got)} {place}{where}"
    raise ValueError(msg)


def read_text(
    text: object, n: int | None, variables: Iterable[str] | None
) -> tuple[int, int, tuple[str, ...] | None]:
    """The number of variables, the code and the names of variables other than x0, x1, ..."""
    if not isinstance(text, str):
        msg = f"text must be a text such as 'x0 & ~x1', got {as_repr(text)}"
        raise ValueError(msg)
    if len(text) > _MAX_TEXT:
        msg = f"text must have at most {_MAX_TEXT} characters, got {len(text)}"
        raise ValueError(msg)
    given = None if n is None else as_dimension(n)
    order = None if variables is None else as_names(variables)
    if given is not None and order is not None:
        msg = f"n must be left out where variables are given, got {given}"
        raise ValueError(msg)
    if begun := _TABLE.match(text):
        return *_read_table(text, begun, given if order is None else len(order)), order
    nodes, first = _Parser(text).parse()
    count, place = _place_names(text, first, given, order)
    n_operators = sum(map(count_operators, nodes))
    most = _MAX_WORK >> count
    if n_operators > most:
        msg = f"text must have at most {most} operators for n = {count}, got {n_operators}"
        raise ValueError(msg)
    names = tuple(sorted(place, key=place.__getitem__)) if order is None else order
    named = any(not _INDEXED.fullmatch(name) for name in names)
    return count, evaluate(nodes, count, place), names if named else None


def _read_table(text: str, begun: re.Match[str], n: int | None) -> tuple[int, int]:
    """Read a table; of a number the last digit belongs to the first points, of bits the first."""
    base = (begun["base"] or "").lower()
    each, foreign, only = _DIGITS["x" if base == "x" else ""]
    if wrong := foreign.search(text, begun.end()):
        _fail(text, only, wrong[0], wrong.start())
    digits = _BLANKS.sub("", text[begun.end() :])
    start = begun.end() - 2 if base else begun.end()
    written = text[start:].rstrip()
    if not digits:
        _fail(text, f"have digits after 0{base}", "", len(text))
    if n is None:
        n = (each * len(digits)).bit_length() - 1
        if each * len(digits) != 1 << n:
            kind = "bits" if each == 1 else "hex digits, four points each"
            _fail(text, f"have 1, 2, 4, 8, ... {kind}, not {len(digits)}", written, start)
        if n > MAX_VARIABLES:
            _fail(text, f"have at most {MAX_VARIABLES} variables, not {n}", written, start)
    elif not base and len(digits) != 1 << n:
        rule = f"have 2^n = {1 << n} bits for n = {n}, not {len(digits)}"
        _fail(text, rule, written, start)
    code = int(digits if base else digits[::-1], 16 if each == 4 else 2)
    if code.bit_length() > 1 << n:
        _fail(text, f"be a number below 2^{1 << n} for n = {n}", written, start)
    return n, code


class _Call:
    """A call that is being read: what it makes of the arguments so far."""

    def __init__(self, token: _Token) -> None:
        self.name, self.start = token.written.lower(), token.start
        self.number: _Token | None = None
        """How many values ``atleast`` needs, as written."""
        self.nodes: list[int] = []

    @property
    def awaits_number(self) -> bool:
        return self.name == "atleast" and self.number is None


class _Parser:
    """One reading of a text: two stacks, of operators that wait and of operands that are done."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.nodes: list[Step] = []
        self.first: dict[str, int] = {}
        """Each name, and where it stands first."""
        self.waiting: list[_Token] = []
        self.done: list[tuple[int, str]] = []
        """The node of each operand, and the operator that made it: none in parentheses."""
        self.open: list[_Call | None] = []
        """For each ( that waits, the call whose it is."""
        self.called: _Token | None = None
        """The name that was read last, if it is called."""

    def fail(self, rule: str, token: _Token) -> NoReturn:
        _fail(self.text, rule, token.written, token.start)

    def parse(self) -> tuple[list[Step], dict[str, int]]:
        """The nodes, operands before what they belong to, the root last; and the names."""
        after_operand = False
        token = None
        for k, token in enumerate(self.tokens()):
            if k >= _MAX_TOKENS:
                rule = f"have at most {_MAX_TOKENS} names, constants and signs"
                self.fail(rule, token)
            after_operand = self.operator(token) if after_operand else self.operand(token)
        if not after_operand:
            _fail(self.text, _OPERAND, "" if token is None else token.written, len(self.text))
        while self.waiting:
            if self.waiting[-1].kind == "number":
                self.waiting.pop()
            if self.waiting[-1].kind == "(":
                self.fail("close every (", self.waiting[-1])
            self.reduce()
        return self.nodes, self.first

    def tokens(self) -> Iterable[_Token]:
        # Blanks at the end would be tried from each of them again.
        for found in _TOKEN.finditer(self.text, 0, len(self.text.rstrip())):
            written, start = found["token"], found.start("token")
            kind = _ALIASES.get(written, written)
            kind = kind.lower() if kind.lower() in _WORDS else kind
            if found["call"]:
                yield _Token("call", written, start)
                continue
            if found["name"] and kind not in _BINDS and kind not in _CONSTANTS:
                kind = "name"
            elif not found["sign"] and kind not in _BINDS and kind not in _CONSTANTS:
                kind = "other"
            yield _Token(kind, written, start)

    def operand(self, token: _Token) -> bool:
        """Take what stands where an operand begins; return whether it is whole."""
        kind = token.kind
        if kind == "not" and self.waiting and self.waiting[-1].kind not in _BEFORE_NOT:
            before = self.waiting[-1].written
            rule = f"put (not ...) in parentheses after {before}"
            self.fail(rule, token)
        call = self.open[-1] if self.open and self.waiting[-1].kind == "(" else None
        if call and call.awaits_number:
            return self.number(call, token)
        if kind == "call":
            self.called = token  # and its ( comes next
            return False
        if kind == "(":
            self.open.append(None if self.called is None else _Call(self.called))
            self.called = None
        if kind in _PREFIX or kind == "(":
            self.waiting.append(token)
            return False
        if kind == "name":
            self.first.setdefault(token.written, token.start)
            self.push(Step("name", name=token.written))
        elif kind in _CONSTANTS:
            self.push(Step(kind))
        else:
            self.fail(_OPERAND, token)
        return True

    def number(self, call: _Call, token: _Token) -> bool:
        """Take the number that ``atleast`` begins with."""
        if not _NUMBER.fullmatch(token.written):
            rule = "begin atleast with a number, as in atleast(2, x0, x1, x2)"
            self.fail(rule, token)
        call.number = _Token("number", token.written, token.start)
        self.waiting.append(call.number)
        return True

    def comma(self, token: _Token) -> bool:
        """Take the comma after that number."""
        self.waiting.pop()
        if token.kind != ",":
            rule = "have a comma and values after the number of atleast"
            self.fail(rule, token)
        return False

    def operator(self, token: _Token) -> bool:
        """Take what stands after an operand; return whether an operand is whole again."""
        if self.waiting and self.waiting[-1].kind == "number":
            return self.comma(token)
        if token.kind == "call" and token.written.lower() == "xor":
            token = token._replace(kind="xor")  # a xor (b) calls nothing
        call = self.open[-1] if self.open else None
        ends = token.kind == ")" or (call is not None and token.kind == ",")
        binds = 0 if ends else _BINDS.get(token.kind)
        if binds is None or token.kind in _PREFIX:
            rule = _OPERATOR_OR_CALL if token.kind == "(" else _OPERATOR
            self.fail(rule, token)
        self.reduce_before(token, binds)
        if not ends:
            self.waiting.append(token)
            return False
        if not self.waiting:
            self.fail("open every )", token)
        if call:
            call.nodes.append(self.done.pop()[0])
        if token.kind == ",":
            return False
        self.waiting.pop()
        self.open.pop()
        if call:
            self.close(call)
        else:
            self.done.append((self.done.pop()[0], ""))
        return True

    def reduce_before(self, token: _Token, binds: int) -> None:
        """Apply the operators before a token that bind more tightly."""
        while self.waiting and self.waiting[-1].kind != "(":
            top = _BINDS[self.waiting[-1].kind]
            if top == binds and binds in (_BINDS["=="], _BINDS["->"]):
                if self.waiting[-1].kind == token.kind == "->":
                    break  # a -> b -> c is a -> (b -> c)
                rule = "put parentheses where ==, != or <-> follow one another, or ->"
                self.fail(rule, token)
            if top == binds == _BINDS["or"] and self.waiting[-1].kind != token.kind:
                rule = "put parentheses where or and xor follow one another"
                self.fail(rule, token)
            if top < binds:
                break
            self.reduce()

    def close(self, call: _Call) -> None:
        """Make an operand of a call whose arguments are read."""
        name, count = call.name, len(call.nodes)
        rule = ""
        if name in ("maj", "majority") and count % 2 == 0:
            rule = f"give {name} an odd number of values, so that no vote is tied, not {count}"
        elif name == "ite" and count != 3:
            rule = f"give ite 3 values, (condition, then, else), not {count}"
        elif name == "mux" and count not in MUX:
            rule = f"give mux 3, 6, 11 or 20 values, address bits and then data bits, not {count}"
        if rule:
            _fail(self.text, rule, name, call.start)
        if name in ("maj", "majority", "atleast"):
            needed = count // 2 + 1 if call.number is None else self.read_least(call.number, count)
            self.push(Step("atleast", tuple(call.nodes), number=needed))
        else:
            self.push(Step(name, tuple(call.nodes)))

    def read_least(self, number: _Token, count: int) -> int:
        """How many of so many values ``atleast`` needs."""
        digits = number.written.lstrip("0")
        needed = int(digits) if 0 < len(digits) < 8 else 0
        if not 1 <= needed <= count:
            rule = f"ask atleast for a number from 1 to the number of its values, {count}"
            self.fail(rule, number)
        return needed

    def reduce(self) -> None:
        """Apply the last operator that waits to its operands."""
        token = self.waiting.pop()
        count = 1 if token.kind in _PREFIX else 2
        parts = self.done[-count:]
        del self.done[-count:]
        mixed = next((made for _, made in parts if made in _SIGNS), None)
        if mixed and token.kind not in (*_SIGNS, "->", "<->"):
            rule = f"put (... {mixed} ...) in parentheses beside and, or, xor, not, == or !="
            self.fail(rule, token)
        self.push(Step(token.kind, tuple([node for node, _ in parts])), token.kind)

    def push(self, node: Step, made: str = "") -> None:
        self.done.append((len(self.nodes), made))
        self.nodes.append(node)


def as_names(variables: Any) -> tuple[str, ...]:
    """Return the names of the variables, or say what is wrong with them."""
    rule = f"a sequence of different names, such as ['a', 'b'], none of them {_NO_NAMES}"
    names = as_list("variables", variables, rule, MAX_VARIABLES)
    for k, name in enumerate(names):
        fits = isinstance(name, str) and _NAME.fullmatch(name) and name not in _ALIASES
        if not fits or name.lower() in _WORDS:
            where = f"at index {k} of {as_repr(variables)}"
            msg = f"variables must be {rule}, got {as_repr(name)} {where}"
            raise ValueError(msg)
    check_differ("variables", names)
    return tuple(names)


def _place_names(
    text: str, first: dict[str, int], n: int | None, order: tuple[str, ...] | None
) -> tuple[int, dict[str, int]]:
    """How many variables there are, and which of them each name in the text is."""
    if order is not None:
        unknown = next((name for name in first if name not in order), None)
        if unknown is not None:
            _fail(text, f"name only the {len(order)} variables given", unknown, first[unknown])
        return len(order), {name: i for i, name in enumerate(order)}
    indexed = {name: _INDEXED.fullmatch(name) for name in first}
    free = [name for name in first if not indexed[name]]
    if free and (n is not None or len(free) < len(first)):
        rule = "name x0, x1, ... alone" + (", or none of them" if n is None else "")
        _fail(text, rule, free[0], first[free[0]])
    if free:
        if len(free) > MAX_VARIABLES:
            msg = f"text must have at most {MAX_VARIABLES} variables, got {len(free)}"
            raise ValueError(msg)
        return len(free), {name: i for i, name in enumerate(sorted(free, key=_natural))}
    digits = {name: found[1] or found[2] for name, found in indexed.items() if found}
    count = MAX_VARIABLES if n is None else n
    for name, digit in digits.items():
        if len(digit) > 2 or int(digit) >= count:
            rule = f"name variables from x0 to x{count - 1} only" if count else "name no variable"
            _fail(text, rule, name, first[name])
    place = {name: int(digit) for name, digit in digits.items()}
    return (max(place.values(), default=-1) + 1 if n is None else n), place


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that puts a2 before a10."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    # The length first compares numbers; the digits themselves may be too many for an integer.
    numbers = [part.lstrip("0") if part[0] in "0123456789" else None for part in parts]
    return [
        (0, part) if number is None else (1 + len(number), number)
        for part, number in zip(parts, numbers, strict=True)
    ] + [(0, name)]
