"""The reader's choice of a function: one that is offered, or a text of the reader's own.

What an explorer says of each function stands here: a formula, a line in words, and what its
variables are for. A formula is shown only where it has the function's very table.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, ClassVar

import traitlets as t

from dtviz.core import functions as zoo
from dtviz.core.boolean import BooleanFunction
from dtviz.core.checks import as_repr

__all__ = ["Chosen", "about", "book_functions", "facts_of", "hexadecimal"]

MOST_VARIABLES = 6
"""The most variables of a function whose table the page draws, and lets the reader change."""

MOST_CHARACTERS = 4000
"""The most characters of a function as text: so many the page reads between two frames."""

LONGEST_FORMULA = 80
"""The most characters of a formula that is looked for."""

Roles = list[list[Any]]
"""What variables are for, and their numbers."""

Known = tuple[str, str, Roles]
"""A formula, a line in words, and roles."""


# -- formulas, words and roles of the functions of the book --------------------------------------


def _x(variables: Iterable[int], sign: str = ", ") -> str:
    """Variables with a sign between them."""
    return sign.join(f"x{i}" for i in variables)


def _decision_list(n: int) -> Known:
    formula = str((n + 1) % 2)
    for i in reversed(range(n)):
        formula = f"ite(x{i}, {(i + 1) % 2}, {formula})"
    words = "a list of questions: the first bit that is 1 decides, for 1 if its number is even"
    return formula, words, []


def _tribes(width: int, count: int) -> Known:
    blocks = [list(range(k * width, (k + 1) * width)) for k in range(count)]
    formula = " | ".join(_x(block, " & ") for block in blocks)
    words = f"1 if in at least one of {_count(count, 'tribe')} all of {width} are 1"
    return formula, words, [[f"tribe {k + 1}", block] for k, block in enumerate(blocks)]


def _multiplexer(bits: int) -> Known:
    n = bits + (1 << bits)
    address, data = list(range(bits)), list(range(bits, n))
    words = f"the address names one of {len(data)} data bits, whose value it is"
    return f"mux({_x(range(n))})", words, [["address", address], ["data", data]]


def _parity_multiplexer(voters: int, bits: int) -> Known:
    vote = list(range(voters))
    blocks = [list(range(voters + k * bits, voters + (k + 1) * bits)) for k in (0, 1)]
    zero, one = (_x(block, " ^ ") for block in blocks)
    words = f"a vote of {voters} selects one of two blocks of {bits} bits, whose parity it is"
    roles = [["selector", vote], ["block 0", blocks[0]], ["block 1", blocks[1]]]
    return f"ite(maj({_x(vote)}), {one}, {zero})", words, roles


def _caterpillar(k: int) -> Known:
    formula = "x0"
    for j in range(1, k + 1):
        formula = f"ite(x{3 * j - 2} & x{3 * j - 1}, {formula}, x{3 * j})"
    words = (
        f"a chain of {_count(k + 1, 'office')}: each decides with its own bit, unless its two "
        "forms are both signed and it passes the request on"
    )
    roles: Roles = []
    for j in range(k, 0, -1):
        roles += [[f"forms {j}", [3 * j - 2, 3 * j - 1]], [f"bit {j}", [3 * j]]]
    return formula, words, [*roles, ["bit 0", [0]]]


MAKERS: dict[str, Callable[..., Known]] = {
    "parity": lambda n: (_x(range(n), " ^ "), f"1 if an odd number of the {n} bits are 1", []),
    "majority": lambda n: (
        f"maj({_x(range(n))})",
        f"1 if more than half of the {n} bits are 1",
        [],
    ),
    "conjunction": lambda n: (_x(range(n), " & "), f"1 only if all {n} bits are 1", []),
    "disjunction": lambda n: (_x(range(n), " | "), f"1 if at least one of the {n} bits is 1", []),
    "dictator": lambda _, i: (f"x{i}", f"the value of x{i} alone", []),
    "decision_list": _decision_list,
    "tribes": _tribes,
    "multiplexer": _multiplexer,
    "parity_multiplexer": _parity_multiplexer,
    "caterpillar": _caterpillar,
}
"""Formula, words and roles of the functions of the book, by the arguments that make them."""

CALL = re.compile(r"(\w+)\((\d{1,2}(?:, \d{1,2})*)\)", re.ASCII)
RANDOM = re.compile(r"random\((1?\d), (\d{1,9})\)", re.ASCII)
GUARDED = re.compile(r"guarded\((.*)\)")
VARIABLE = re.compile(r"x(\d+)")


def book_functions(*texts: str) -> dict[str, BooleanFunction]:
    """Functions to choose from, by the texts that make them: a call of the book, or a formula.

    Examples
    --------
    >>> from dtviz.explorers.functions import book_functions
    >>> [f.n for f in book_functions("guarded(majority(3))", "x0 & x1").values()]
    [4, 2]
    """
    return {text: _made(text) for text in texts}


@cache
def _made(text: str) -> BooleanFunction:
    if inner := GUARDED.fullmatch(text):
        return zoo.guarded(_made(inner[1]))
    if call := CALL.fullmatch(text):
        made: BooleanFunction = getattr(zoo, call[1])(*map(int, call[2].split(", ")))
        return made
    return BooleanFunction.from_text(text)


def _of_name(name: str) -> Known | None:
    """What a name of the book says; it may be given to another function."""
    inner = GUARDED.fullmatch(name)
    if inner and (known := _of_name(inner[1])):
        formula, words, roles = known
        moved = VARIABLE.sub(lambda found: f"x{int(found[1]) + 1}", formula)
        moved = moved if moved.startswith("maj") else f"({moved})"
        shifted = [[role, [i + 1 for i in places]] for role, places in roles]
        words = f"the guard must be 1; then it is {words}"
        return f"x0 & {moved}", words, [["guard", [0]], *shifted]
    found = CALL.fullmatch(name)
    if not found or found[1] not in MAKERS:
        return None
    try:
        return MAKERS[found[1]](*map(int, found[2].split(", ")))
    except TypeError:  # another number of arguments
        return None


def _holds(formula: str, f: BooleanFunction) -> bool:
    try:
        read = BooleanFunction.from_text(formula, None if f.variables else f.n)
    except ValueError:
        return False
    return read == f and read.variables == f.variables


# -- formulas of tables --------------------------------------------------------------------------


def short_formula(f: BooleanFunction) -> str:
    """A short formula of a function, or nothing if none is found.

    Examples
    --------
    >>> from dtviz.explorers.functions import short_formula
    >>> import dtviz as dt
    >>> short_formula(dt.functions.caterpillar(1))
    '~x1 & x3 | ~x2 & x3 | x0 & x1 & x2'
    """
    try:
        short = f.to_expression()
    except ValueError:  # it depends on too many variables
        return ""
    return short if len(short) <= LONGEST_FORMULA else ""


def hexadecimal(f: BooleanFunction) -> str:
    """The digits of ``f.code``: the last one tells of points 0 to 3."""
    return f"{f.code:0{max((1 << f.n) // 4, 1)}x}"


def _plain(f: BooleanFunction) -> str:
    """A line about a function that nothing else is known of."""
    kind = f"a function of {_count(f.n, 'variable')}"
    needed = [f.names[i] for i in f.relevant_variables()]
    if not needed:
        return f"{kind}, always {int(f.code > 0)}"
    share = f"{kind}, 1 at {f.code.bit_count()} of {_count(1 << f.n, 'point')}"
    if len(needed) == f.n:
        return share
    listed = ", ".join(needed[:-1]) + " and " * (len(needed) > 1) + needed[-1]
    return f"{share}; only {listed} {'matter' if len(needed) > 1 else 'matters'}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


# -- facts of a function -------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _about(name: str, f: BooleanFunction, words: str, names: tuple[str, ...]) -> dict[str, Any]:
    known = _of_name(name)
    drawn = RANDOM.fullmatch(name)
    if drawn and zoo.random(int(drawn[1]), int(drawn[2])) == f:
        words = f"drawn at random, a coin for each of the {1 << f.n} points: {_plain(f)}"
    if known is None or not _holds(known[0], f):
        formula = name if _holds(name, f) else short_formula(f)
        if not formula and f.n <= MOST_VARIABLES:
            formula = f"0x{hexadecimal(f)}"
        known = formula, words or _plain(f), []
    formula, said, roles = known
    table = f"0x{hexadecimal(f)}" if f.n <= MOST_VARIABLES else None
    return {
        "n": f.n,
        "formula": formula,
        "words": said,
        "roles": roles,
        "names": list(names),
        "table": table,
    }


def about(name: str, f: BooleanFunction, words: str = "") -> dict[str, Any]:
    """What an explorer says of a function.

    Parameters
    ----------
    name : str
        Its name. That of a function of the book, such as ``"tribes(2, 3)"``, says more if it is
        that function.
    f : BooleanFunction
        The function.
    words : str
        What to say of it if its name is none of those.

    Returns
    -------
    dict
        ``n``; ``formula``, a text that `BooleanFunction.from_text` reads as f, or ``""``;
        ``words``, a line without a full stop; ``roles``, pairs of what some variables are for and
        their numbers; ``names`` of the variables, empty for x0, x1, ...; ``table``, the code in
        hex, None above 6 variables.

    Examples
    --------
    >>> from dtviz.explorers.functions import about
    >>> import dtviz as dt
    >>> about("multiplexer(1)", dt.functions.multiplexer(1))["formula"]
    'mux(x0, x1, x2)'
    >>> about("f", dt.functions.multiplexer(1))["formula"]
    'x0 & x2 | ~x0 & x1'
    """
    # Equal functions may have other names.
    return _about(name, f, words, f.variables or ())


def facts_of(name: str, f: BooleanFunction) -> str:
    """A line that says what a function is, for a caption.

    Examples
    --------
    >>> from dtviz.explorers.functions import facts_of
    >>> import dtviz as dt
    >>> facts_of("tribes(2, 2)", dt.functions.tribes(2, 2))
    'x0 & x1 | x2 & x3: 1 if in at least one of 2 tribes all of 2 are 1'
    """
    known = about(name, f)
    return f"{known['formula']}: {known['words']}" if known["formula"] else str(known["words"])


LONE = "must be more than a name that nothing here has"


class Chosen(t.HasTraits):
    """What makes an explorer take functions of the reader's own: a base beside `Explorer`.

    A subclass says which trait names the function, tags that with ``check="function"``, and how
    many variables it may have; it validates the trait with `_check_choice` and hands
    ``_about=self._facts_of(...)`` to its base.
    """

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

    def chosen(self, name: str | None = None) -> BooleanFunction:
        """The function of a name, on display if none is given: one offered, or the reader's own."""
        name = getattr(self, self._choice) if name is None else name
        offered: Mapping[str, Any] = getattr(self, self._offers)
        f = offered.get(name)
        return f if isinstance(f, BooleanFunction) else _read(name)

    def _facts_of(
        self, functions: Mapping[str, BooleanFunction], words: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Return what is said of the functions offered, for ``_about``."""
        given = words or {}
        return {name: about(name, f, given.get(name, "")) for name, f in functions.items()}

    def _check_choice(self, proposal: dict[str, Any]) -> Any:
        """Return the name of what is offered, or the text of a function; refuse anything else."""
        value = proposal["value"]
        offered: Mapping[str, Any] = getattr(self, self._offers)
        if value in offered:
            return value
        trait = proposal["trait"].name
        try:
            f = _read(value)
        except ValueError as error:
            why = str(error).removeprefix("text ")
            rule = f"{trait} must be one of {', '.join(offered)}, or the text of a function"
            call = CALL.fullmatch(value)
            if call and call[1] in zoo.__all__:
                argument = inspect.getattr_static(type(self), self._offers).argument
                made = f"give dt.functions.{value} as {argument}"
                raise t.TraitError(f"{rule}; {made}; got {as_repr(value)}") from None
            raise t.TraitError(f"{rule}, which {why}; got {as_repr(value)}") from None
        low, high = self._variables
        if not low <= f.n <= high:
            limits = f"from {low} to {high}" if low else f"at most {high}"
            msg = f"{trait} must have {limits} variables, got n = {f.n} for {as_repr(value)}"
            raise t.TraitError(msg)
        if f.n <= MOST_VARIABLES and len(value) > MOST_CHARACTERS:
            msg = f"{trait} must have at most {MOST_CHARACTERS} characters, got {len(value)}"
            raise t.TraitError(msg)
        if f.n > MOST_VARIABLES:
            offers = {name: one for name, one in self._about.items() if not one.get("own")}
            self._about = offers | {value: about(value, f) | {"own": True}}
        return value


def _is_lone_name(text: str) -> bool:
    """Whether a text is a name alone, and none of x0, x1, ...: a slip, for nothing has it."""
    name = text.strip()
    lone = re.fullmatch(r"[^\W\d]\w*", name) and not re.fullmatch(r"x_?(0|[1-9][0-9]*)", name)
    return bool(lone) and name not in ("True", "False")


@lru_cache(maxsize=64)
def _read(text: str) -> BooleanFunction:
    if _is_lone_name(text):
        raise ValueError(LONE)
    return BooleanFunction.from_text(text)
