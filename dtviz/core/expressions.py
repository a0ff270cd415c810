"""Boolean expressions as text: read without eval and without recursion, then tabulated.

A parser of our own rather than Python's: that one gives up at a nesting of a few hundred, knows no
``!`` or ``->``, and takes far more than Boolean expressions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_list, shown
from dtviz.core.cube import MAX_VARIABLES, Words, as_dimension, unpacked, variable_words

__all__ = ["tabulated_expression"]

_MAX_TEXT = 1 << 23
"""The most characters of an expression."""

_MAX_TOKENS = 1 << 19
"""The most names, constants and signs of an expression."""

_MAX_WORK = 1 << 38
"""The most operators times points: some seconds."""

_TOKEN = re.compile(
    r"\s*(?P<token>(?P<sign><->|->|==|!=|&&|\|\||[~!&^|()])|(?P<name>x\[\d+\]|[^\W\d]\w*)|\w+|\S)"
)
_NAME = re.compile(r"x\[\d+\]|[^\W\d]\w*")
_INDEXED = re.compile(r"x(?:_?(0|[1-9][0-9]*)|\[(0|[1-9][0-9]*)\])", re.ASCII)
_ALIASES = {"!": "~", "&&": "and", "||": "or", "True": "1", "False": "0"}
_CONSTANTS = ("0", "1")
_RESERVED = ("and", "or", "not", "True", "False")

_BINDS = {"~": 9, "&": 8, "^": 7, "|": 6, "==": 5, "!=": 5, "not": 4, "and": 3, "or": 2}
_BINDS |= {"->": 1, "<->": 1}
"""How tightly each operator binds: as in Python, where Python has it."""

_PREFIX = ("~", "not")
_BEFORE_NOT = ("(", "not", "and", "or", "->", "<->")
_SIGNS = ("&", "^", "|")
_OPERAND = "have a variable, 0, 1, ~, not or ("
_OPERATOR = "have an operator (~ ! & ^ | == != not and or -> <->) or )"


class _Token(NamedTuple):
    """A sign, a name or a constant, what was written for it, and where it begins."""

    kind: str
    written: str
    start: int


class _Node(NamedTuple):
    """An operator and the numbers of its operands' nodes; a leaf has a name or a constant."""

    operator: str
    operands: tuple[int, ...] = ()
    name: str = ""


def tabulated_expression(
    text: object, n: int | None, variables: Iterable[str] | None
) -> tuple[int, npt.NDArray[np.int8]]:
    """The number of variables and the truth table; `BooleanFunction.from_expression` tells more."""
    if not isinstance(text, str):
        msg = f"expression must be a text such as 'x0 & ~x1', got {shown(text)}"
        raise ValueError(msg)
    if len(text) > _MAX_TEXT:
        msg = f"expression must have at most {_MAX_TEXT} characters, got {len(text)}"
        raise ValueError(msg)
    given = None if n is None else as_dimension(n)
    order = None if variables is None else _as_names(variables)
    if given is not None and order is not None:
        msg = f"n must be left out where variables are given, got {given}"
        raise ValueError(msg)
    nodes, first = _Parser(text).parsed()
    count, place = _placed(text, first, given, order)
    n_operators = sum(bool(node.operands) for node in nodes)
    most = _MAX_WORK >> count
    if n_operators > most:
        msg = f"expression must have at most {most} operators for n = {count}, got {n_operators}"
        raise ValueError(msg)
    return count, unpacked(count, _evaluated(nodes, count, place))


class _Parser:
    """One reading of a text: two stacks, of operators that wait and of operands that are done."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.nodes: list[_Node] = []
        self.first: dict[str, int] = {}
        """Each name, and where it stands first."""
        self.waiting: list[_Token] = []
        self.done: list[tuple[int, str]] = []
        """The node of each operand, and the operator that made it: none in parentheses."""

    def parsed(self) -> tuple[list[_Node], dict[str, int]]:
        """The nodes, operands before what they belong to, the root last; and the names."""
        after_operand = False
        token = None
        for k, token in enumerate(self.tokens()):
            if k >= _MAX_TOKENS:
                rule = f"have at most {_MAX_TOKENS} names, constants and signs"
                _fail(self.text, rule, token.written, token.start)
            after_operand = self.operator(token) if after_operand else self.operand(token)
        if not after_operand:
            _fail(self.text, _OPERAND, "" if token is None else token.written, len(self.text))
        while self.waiting:
            if self.waiting[-1].kind == "(":
                _fail(self.text, "close every (", "(", self.waiting[-1].start)
            self.reduce()
        return self.nodes, self.first

    def tokens(self) -> Iterable[_Token]:
        for found in _TOKEN.finditer(self.text):
            written, start = found["token"], found.start("token")
            kind = _ALIASES.get(written, written)
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
            _fail(self.text, f"put (not ...) in parentheses after {before}", "not", token.start)
        if kind in _PREFIX or kind == "(":
            self.waiting.append(token)
            return False
        if kind == "name":
            self.first.setdefault(token.written, token.start)
            self.push(_Node("name", name=token.written))
        elif kind in _CONSTANTS:
            self.push(_Node(kind))
        else:
            _fail(self.text, _OPERAND, token.written, token.start)
        return True

    def operator(self, token: _Token) -> bool:
        """Take what stands after an operand; return whether an operand is whole again."""
        binds = 0 if token.kind == ")" else _BINDS.get(token.kind)
        if binds is None or token.kind in _PREFIX:
            _fail(self.text, _OPERATOR, token.written, token.start)
        while self.waiting and self.waiting[-1].kind != "(":
            top = _BINDS[self.waiting[-1].kind]
            if top == binds and binds in (_BINDS["=="], _BINDS["->"]):
                if self.waiting[-1].kind == token.kind == "->":
                    break  # a -> b -> c is a -> (b -> c)
                rule = "put parentheses where ==, != or <-> follow one another, or ->"
                _fail(self.text, rule, token.written, token.start)
            if top < binds:
                break
            self.reduce()
        if token.kind != ")":
            self.waiting.append(token)
            return False
        if not self.waiting:
            _fail(self.text, "open every )", ")", token.start)
        self.waiting.pop()
        self.done.append((self.done.pop()[0], ""))
        return True

    def reduce(self) -> None:
        """Apply the last operator that waits to its operands."""
        token = self.waiting.pop()
        count = 1 if token.kind in _PREFIX else 2
        parts = self.done[-count:]
        del self.done[-count:]
        mixed = next((made for _, made in parts if made in _SIGNS), None)
        if mixed and token.kind not in (*_SIGNS, "->", "<->"):
            rule = f"put (... {mixed} ...) in parentheses beside and, or, not, == or !="
            _fail(self.text, rule, token.written, token.start)
        self.push(_Node(token.kind, tuple([node for node, _ in parts])), token.kind)

    def push(self, node: _Node, made: str = "") -> None:
        self.done.append((len(self.nodes), made))
        self.nodes.append(node)


def _fail(text: str, rule: str, got: str, at: int) -> NoReturn:
    """Refuse a text, and say where."""
    if at == len(text):
        place = "at its end"
    else:
        line, before = text.count("\n", 0, at), text.rfind("\n", 0, at)
        place = f"at character {at - before}" + (f" of line {line + 1}" if "\n" in text else "")
    near = " ".join(text[max(at - 20, 0) : at + 20].split())
    where = "" if near == got else f", near {shown(near)}"
    msg = f"expression must {rule}, got {shown(got)} {place}{where}"
    raise ValueError(msg)


def _as_names(variables: Any) -> list[str]:
    """Return the names of the variables as a list."""
    rule = "a sequence of different names, such as ['a', 'b']"
    names = as_list("variables", variables, rule, MAX_VARIABLES)
    for k, name in enumerate(names):
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name in _RESERVED:
            msg = f"variables must be {rule}, got {shown(name)} at index {k} of {shown(variables)}"
            raise ValueError(msg)
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        msg = f"variables must be {rule}, got {shown(twice)} twice"
        raise ValueError(msg)
    return names


def _placed(
    text: str, first: dict[str, int], n: int | None, order: list[str] | None
) -> tuple[int, dict[str, int]]:
    """How many variables there are, and which of them each name in the text is."""
    if order is not None:
        unknown = next((name for name in first if name not in order), None)
        if unknown is not None:
            rule = f"name only the {len(order)} variables given"
            _fail(text, rule, unknown, first[unknown])
        return len(order), {name: i for i, name in enumerate(order)}
    indexed = {name: _INDEXED.fullmatch(name) for name in first}
    free = [name for name in first if not indexed[name]]
    if free and (n is not None or len(free) < len(first)):
        rule = "name x0, x1, ... alone, or come with variables=[...] in their order"
        _fail(text, rule, free[0], first[free[0]])
    if free:
        if len(free) > MAX_VARIABLES:
            msg = f"expression must have at most {MAX_VARIABLES} variables, got {len(free)}"
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


def _evaluated(nodes: list[_Node], n: int, place: dict[str, int]) -> Words:
    """The points on which the last node is 1.

    Of two operands the one that needs more room is found first. So k of them are in hand at once
    only where 2^k leaves are, however deep the nesting is.
    """
    room: list[int] = []
    for node in nodes:
        needs = sorted((room[k] for k in node.operands), reverse=True)
        room.append(max((need + j for j, need in enumerate(needs)), default=1))
    size = 1 << max(n - 6, 0)
    leaves = {"0": np.zeros(size, "<u8"), "1": np.full(size, ~np.uint64(0), "<u8")}
    leaves |= {name: variable_words(n, i) for name, i in place.items()}
    for words in leaves.values():
        words.flags.writeable = False
    found: dict[int, Words] = {}
    waiting = [len(nodes) - 1]
    while waiting:
        k = waiting.pop()
        if k < 0:
            node = nodes[~k]
            parts = [found.pop(operand) for operand in node.operands]
            found[~k] = _applied(node.operator, parts)
        elif nodes[k].operands:
            waiting += [~k, *sorted(nodes[k].operands, key=room.__getitem__)]
        else:
            found[k] = leaves[nodes[k].name or nodes[k].operator]
    return found.popitem()[1]


def _applied(operator: str, parts: list[Words]) -> Words:
    """An operator applied, in the room of an operand that nobody else reads."""
    out = next((words for words in parts if words.flags.writeable), None)
    if out is None:
        out = np.empty_like(parts[0])
    if operator in ("~", "not"):
        return np.invert(parts[0], out=out)
    a, b = parts
    if operator in ("&", "and"):
        return np.bitwise_and(a, b, out=out)
    if operator in ("|", "or"):
        return np.bitwise_or(a, b, out=out)
    if operator in ("^", "!="):
        return np.bitwise_xor(a, b, out=out)
    if operator == "->":  # wrong only in the points of a that are none of b
        np.bitwise_xor(np.bitwise_and(a, b), a, out=out)
    else:
        np.bitwise_xor(a, b, out=out)
    return np.invert(out, out=out)
