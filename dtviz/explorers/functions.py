"""The reader's choice of a function: one that is offered, or a text of the reader's own.

What an explorer says of each function stands here: a formula and a line in words. A formula is
shown only where it has the function's very table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, ClassVar

import traitlets as t

from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.boolean.function_text import describe, find_formula
from dtviz.core.boolean.measures import how_made
from dtviz.core.checks import as_repr
from dtviz.core.hints import did_you_mean
from dtviz.explorers.base import Explorer
from dtviz.explorers.columns import is_table
from dtviz.explorers.given import freeze_offer, refuse_examples
from dtviz.explorers.traits import Rule, Text

__all__ = [
    "Choice",
    "FunctionExplorer",
    "Functions",
    "OffersFunctions",
    "about",
    "book_functions",
    "hexadecimal",
]

MOST_VARIABLES = 6
"""The most variables of a function whose table the page draws, and lets the reader change."""

MOST_CHARACTERS = 4000
"""The most characters of a function as text: so many the page reads between two frames."""


def _x(variables: Iterable[int], sign: str = ", ") -> str:
    """Variables with a sign between them."""
    return sign.join(f"x{i}" for i in variables)


def _decision_list(n: int) -> str:
    formula = str((n + 1) % 2)
    for i in reversed(range(n)):
        formula = f"ite(x{i}, {(i + 1) % 2}, {formula})"
    return formula


def _parity_multiplexer(voters: int, bits: int) -> str:
    zero, one = (_x(range(k, k + bits), " ^ ") for k in (voters, voters + bits))
    return f"ite(maj({_x(range(voters))}), {one}, {zero})"


def _caterpillar(k: int) -> str:
    formula = "x0"
    for j in range(1, k + 1):
        formula = f"ite(x{3 * j - 2} & x{3 * j - 1}, {formula}, x{3 * j})"
    return formula


FORMULAS: dict[str, Callable[..., str]] = {
    "decision_list": _decision_list,
    "multiplexer": lambda bits: f"mux({_x(range(bits + (1 << bits)))})",
    "parity_multiplexer": _parity_multiplexer,
    "caterpillar": _caterpillar,
}
"""Formulas that say more than a short one, by the arguments that make the functions."""

WORDS = {
    "random": "drawn at random, a coin for each point",
    "parity": "1 if an odd number of the {0} bits are 1",
    "majority": "1 if more than half of the {0} bits are 1",
    "conjunction": "1 only if all {0} bits are 1",
    "disjunction": "1 if at least one of the {0} bits is 1",
    "dictator": "the value of x{1} alone",
    "decision_list": "the first bit that is 1 decides, for 1 if its number is even",
    "tribes": "1 if in at least one of {1} tribes all of {0} are 1",
    "multiplexer": "the first {0} bits are the address of one of the others, whose value it is",
    "parity_multiplexer": "a vote of {0} selects one of two blocks of {1}, whose parity it is",
    "caterpillar": "a chain of offices: each decides with its own bit, unless its two forms are "
    "both signed and it passes the request on",
}
"""The functions of the book in words, which may name the arguments that make them."""

CALL = re.compile(r"(\w+)\((\d{1,2}(?:, \d{1,9})*)\)", re.ASCII)
GUARDED = re.compile(r"guarded\((.*)\)")
VARIABLE = re.compile(r"x(\d+)")


def book_functions(*texts: str) -> dict[str, BooleanFunction]:
    """Functions to choose from, by the texts that make them: a call of the book, or a formula."""
    return {text: _function_of(text) for text in texts}


def _chain_names(k: int) -> tuple[str, ...]:
    return ("w0", *(f"{letter}{j}" for j in range(1, k + 1) for letter in "xyw"))


@cache
def _function_of(text: str) -> BooleanFunction:
    if inner := GUARDED.fullmatch(text):
        return zoo.guarded(_function_of(inner[1]))
    if call := CALL.fullmatch(text):
        arguments = [*map(int, call[2].split(", "))]
        made: BooleanFunction = getattr(zoo, call[1])(*arguments)
        # The text of chapter 1 calls its bits by the offices that they belong to.
        names = _chain_names(*arguments) if call[1] == "caterpillar" else None
        return BooleanFunction(made.n, made.table, variables=names)
    return BooleanFunction.from_text(text)


def _of_book(name: str, f: BooleanFunction) -> tuple[str, str]:
    """The formula and the words that go with a name of the book; none if it names another."""
    inner = GUARDED.sub(r"\1", name)
    call = CALL.fullmatch(inner)
    if not call or call[1] not in WORDS:
        return "", ""
    try:
        same = _function_of(name) == f
    except (TypeError, ValueError):  # other arguments than it takes
        same = False
    if not same:
        return "", ""
    arguments = [int(part) for part in call[2].split(", ")]
    formula = FORMULAS[call[1]](*arguments) if call[1] in FORMULAS else ""
    formula = VARIABLE.sub(lambda found: f.names[int(found[1])], formula)
    words = WORDS[call[1]].format(*arguments)
    if call[1] == "random":
        words += f": {describe(f)}"
    if inner != name:
        formula = formula or find_formula(_function_of(inner))
        moved = VARIABLE.sub(lambda found: f"x{int(found[1]) + 1}", formula)
        formula = f"x0 & {moved}" if moved.startswith("maj") else f"x0 & ({moved})"
        words = f"the guard x0 must be 1; then it is {words}"
    return formula, words


def _holds(formula: str, f: BooleanFunction) -> bool:
    names = {"variables": f.variables} if f.variables else {"n": f.n}
    try:
        return BooleanFunction.from_text(formula, **names) == f
    except ValueError:
        return False


def hexadecimal(f: BooleanFunction) -> str:
    """The digits of ``f.code``: the last one tells of points 0 to 3."""
    return f"{f.code:0{max((1 << f.n) // 4, 1)}x}"


@lru_cache(maxsize=256)
def _about(name: str, f: BooleanFunction, words: str, names: tuple[str, ...]) -> dict[str, Any]:
    formula, known = _of_book(name, f)
    fit = (text for text in (formula, name) if text and _holds(text, f))
    formula = next(fit, "") or find_formula(f)
    code = f"0x{hexadecimal(f)}" if f.n <= MOST_VARIABLES else None
    return {
        "n": f.n,
        "formula": formula or code or "",
        "words": known or words or describe(f),
        "names": list(names),
        "table": code,
    }


def about(name: str, f: BooleanFunction, words: str = "") -> dict[str, Any]:
    """What an explorer says of a function, which goes by a name, or else with these words.

    ``n``; ``formula``, a text that `BooleanFunction.from_text` reads as f, given the names of its
    variables if it has any, or ``""``; ``words``, a
    line without a full stop: those of the book if the name is of the book, such as
    ``"tribes(2, 3)"``, and f is that function; ``names`` of the variables, empty for x0, x1, ...;
    ``table``, the code in hex, None above 6 variables.
    """
    # Equal functions may have other names.
    return _about(name, f, words, f.variables or ())


Functions = BooleanFunction | Mapping[str, BooleanFunction | str] | str | None
"""What an explorer can be given to choose from."""

LONE = "must be more than a name that nothing here has"


class Choice(Text):
    """The name of a function offered, or the text of one of the reader's own."""

    def rule(self, explorer: Any) -> Rule:
        """Return what of `rule_of` the names are."""
        names = list(getattr(explorer, explorer._offers))  # noqa: SLF001
        return super().rule(explorer) | {"choices": names}


class OffersFunctions(t.HasTraits):
    """What makes an explorer take functions of the reader's own: a base beside `Explorer`.

    A subclass says which trait, a `Choice`, names the function, which attribute has those offered,
    and how many variables they may have.
    """

    _argument: ClassVar[str]
    _about = t.Dict(help="what is said of each function").tag(sync=True)
    _own = t.List(t.Int(), help="the least and most variables of one typed in the page")
    _own.tag(sync=True)
    _choice: ClassVar[str] = "function"
    """The trait that names the function."""
    _offers: ClassVar[str] = "functions"
    """The attribute that holds the functions offered."""
    _variables: ClassVar[tuple[int, int]] = (0, MOST_VARIABLES)
    """The least and the most variables of a function."""

    @t.default("_own")
    def _default_own(self) -> list[int]:
        low, high = self._variables
        return [low, min(high, MOST_VARIABLES)]

    def _read_functions(
        self, value: object, book: Iterable[str], *limits: int
    ) -> dict[str, BooleanFunction]:
        """Return the functions to choose from by name, or say what is wrong with them.

        The value is a BooleanFunction, which goes by the name ``"f"``, a text that
        `BooleanFunction.from_text` reads, which is its own name, a mapping to such, or None for
        those of these names in the ``book``. They may have as many variables as one typed, or
        from the first of the ``limits`` to the second.
        """
        if value is None:
            return book_functions(*book)
        named = {"f": value} if isinstance(value, BooleanFunction) else value
        argument = self._argument
        rule = f"{argument} must be a BooleanFunction or a mapping of names to BooleanFunctions"
        if isinstance(value, str):
            named = {value: value}
        if not isinstance(named, Mapping) or not named:
            raise ValueError(f"{rule}, at least one, got {as_repr(value)}{how_made(value)}")
        found = {}
        for name, given in named.items():
            f = _read_given(given, rule) if isinstance(given, str) else given
            if not isinstance(name, str) or not name or not isinstance(f, BooleanFunction):
                raise ValueError(f"{rule}, got {name!r}: {as_repr(f)}{how_made(f)}")
            if wrong := _wrong_variables(argument, name, f, limits or self._variables):
                raise ValueError(wrong)
            found[name] = f
        return found

    def named_function(self, name: str | None = None) -> BooleanFunction:
        """The function of a name, on display if none is given: one offered, or the reader's own."""
        name = getattr(self, self._choice) if name is None else name
        f = getattr(self, self._offers).get(name)
        return f if isinstance(f, BooleanFunction) else _read(name)

    @t.validate("function", "target", "sample")
    def _check_choice(self, proposal: dict[str, Any]) -> Any:
        """Return the name of what is offered, or the text of a function; refuse anything else."""
        value, trait = proposal["value"], proposal["trait"].name
        known: Mapping[str, Any] = getattr(self, self._offers)
        if value in known:
            return value
        try:
            f = _read(value)
        except ValueError as error:
            why = str(error).removeprefix("text ")
            rule = f"{trait} must be one of {', '.join(known)}, or the text of a function"
            call = CALL.fullmatch(value)
            if call and call[1] in zoo.__all__:
                why = f"; give dt.functions.{value} as {self._argument}"
                raise t.TraitError(f"{rule}{why}; got {as_repr(value)}") from None
            near = did_you_mean(value, known)
            raise t.TraitError(f"{rule}, which {why}; got {as_repr(value)}{near}") from None
        if wrong := _wrong_variables(trait, value, f, self._variables):
            raise t.TraitError(wrong)
        if f.n <= MOST_VARIABLES and len(value) > MOST_CHARACTERS:
            msg = f"{trait} must have at most {MOST_CHARACTERS} characters, got {len(value)}"
            raise t.TraitError(msg)
        if f.n > MOST_VARIABLES:
            offers = {name: one for name, one in self._about.items() if not one.get("own")}
            self._about = offers | {value: about(value, f) | {"own": True}}
        return value


class FunctionExplorer(OffersFunctions, Explorer):
    """An explorer of a function, one of those in ``_book`` if it is given none."""

    functions: dict[str, BooleanFunction]
    function = Choice(check="function")
    _book: ClassVar[tuple[str, ...]] = ()
    _shows, _argument = "Boolean functions", "functions"

    def __init__(self, functions: Functions = None, **traits: Any) -> None:
        if is_table(functions):
            refuse_examples(type(self))
        found = self._read_functions(functions, self._book)
        self.functions = freeze_offer(self, "functions", found)
        traits.setdefault("function", next(iter(self.functions)))
        known = {name: about(name, f) for name, f in self.functions.items()}
        super().__init__(**{"_about": known} | traits)


def _wrong_variables(argument: str, name: str, f: BooleanFunction, limits: tuple[int, ...]) -> str:
    """Return what is wrong with the number of variables, "" if nothing is."""
    low, high = limits
    rule = f"from {low} to {high}" if low else f"at most {high}"
    msg = f"{argument} must have {rule} variables, got n = {f.n} for {as_repr(name)}"
    return "" if low <= f.n <= high else msg


def _read_given(text: str, rule: str) -> BooleanFunction:
    try:
        return BooleanFunction.from_text(text)
    except ValueError as error:
        why = str(error).removeprefix("text ")
        raise ValueError(f"{rule}, or the text of a function, which {why}") from None


@lru_cache(maxsize=64)
def _read(text: str) -> BooleanFunction:
    f = BooleanFunction.from_text(text)
    if f.variables == (text.strip(),):
        raise ValueError(LONE)
    return f
