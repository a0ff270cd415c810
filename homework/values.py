"""Values that travel between an answer and its tests, which run in different processes.

The text of this file is sent into the student's kernel as well. What comes from there may be made
to do harm: so a message is JSON, nothing is unpickled, and only plain values are made of it.
"""

# ruff: noqa: SLF001 -- the tables of kinds name methods of the class
from __future__ import annotations

import base64
import builtins
import json
import random
from collections import deque
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, ValuesView
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from operator import itemgetter
from typing import Any

import numpy as np

import dtviz as dt
from homework import figures

LONGEST = 16_000_000
"""Letters of a message."""

_ITEMS = 100_000  # taken from an iterator
_EXACT = 2**53  # whole numbers up to here need no text
_KINDS = "biufcSUMm"  # of arrays that are bytes and nothing else
_CHANGEABLE = (list, dict, set, np.ndarray, np.random.Generator, random.Random)


class Opaque:
    """What cannot travel: no more is known of it than its type's name and its repr."""


class Post:
    """Writes and reads the messages of one side.

    Both sides may call functions of the other. Values go by copy; what a function does to lists,
    dicts, sets, arrays, generators of random numbers and Axes that it was given is done to those of
    its caller, too.

    Parameters
    ----------
    send : callable
        Sends a message to the other side and returns the one that comes back.
    strict : bool
        Whether to refuse what cannot travel; else it arrives as an `Opaque`.
    """

    def __init__(self, send: Callable[[str], str], *, strict: bool) -> None:
        self._send, self._strict = send, strict
        self._ours: list[Any] = []
        self._numbers: dict[int, int] = {}  # of ours, by id
        self._theirs: dict[int, Any] = {}
        self._returned: dict[int, int] = {}  # numbers of theirs, by id here

    def register(self, thing: Any) -> int:
        """Give a function or a picture of ours its number."""
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self._ours)
            self._ours.append(thing)
        return self._numbers[id(thing)]

    # --- calls -----------------------------------------------------------------------------------

    def call(self, number: int, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Call a function of theirs; while it runs it may call some of ours.

        Raises
        ------
        Exception
            What it raised, as the built-in exception of that name, if there is one.
        TypeError
            If an argument cannot travel, and this side is strict.
        """
        moved: list[Any] = []
        packed = [self._pack(value, moved) for value in args]
        named = {name: self._pack(value, moved) for name, value in options.items()}
        told = read(self._send(written({"call": number, "args": packed, "options": named})))
        while "call" in told:
            told = read(self._send(self.answer(told)))
        if "raised" in told:
            raise _raised(*map(str, told["raised"][:2]))
        for place, now in told["changed"]:
            self._change(moved[place], now)
        return self.unpack(told["value"])

    def answer(self, asked: dict[str, Any]) -> str:
        """Call a function of ours as they ask, and write what came of it."""
        try:
            came: list[Any] = []
            args = [self._unpack(part, came) for part in asked["args"]]
            options = {name: self._unpack(part, came) for name, part in asked["options"].items()}
            before = [written(self.pack(value)) for value in came]
            value = self.pack(self._ours[asked["call"]](*args, **options))
            after = [self.pack(value) for value in came]
            changed = [
                [place, now] for place, now in enumerate(after) if written(now) != before[place]
            ]
            return written({"value": value, "changed": changed})
        except BaseException as error:  # noqa: BLE001 - SystemExit as well
            return written({"raised": _told(error)})

    # --- packing ---------------------------------------------------------------------------------

    def pack(self, value: Any) -> Any:
        """Make JSON of a value."""
        return self._pack(value, [])

    def _pack(self, value: Any, moved: list[Any]) -> Any:
        """Make JSON of a value; what in it can be changed is added to ``moved``, in order."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, _CHANGEABLE):
            moved.append(value)
        for kinds, pack in _PACKED:
            if isinstance(value, kinds):
                return pack(self, value, moved)
        if figures.is_axes(value):
            moved.append(value)
            whose = self._whose(value), self._whose(value.figure.figure)
            return ["axes", *whose, figures.pack_axes(value)]
        if figures.is_figure(value):
            return ["figure", self._whose(value), self._all(value.axes, [])]
        if callable(value):
            return ["function", self._whose(value), _name(value)]
        if self._strict:
            raise TypeError(f"a {type(value).__name__} cannot be handed to an answer")
        return self._pack_opaque(value)

    def _whose(self, thing: Any) -> list[Any]:
        """Whose a thing is that keeps its identity, and its number with them."""
        if id(thing) in self._returned:
            return ["yours", self._returned[id(thing)]]
        return ["mine", self.register(thing)]

    def _all(self, values: Any, moved: list[Any]) -> list[Any]:
        return [self._pack(value, moved) for value in values]

    def _pack_tuple(self, value: Any, moved: list[Any]) -> Any:
        if fields := getattr(value, "_fields", None):
            return ["named", type(value).__name__, list(fields), self._all(value, moved)]
        return ["tuple", self._all(value, moved)]

    def _pack_dict(self, value: Any, moved: list[Any]) -> Any:
        return ["dict", [[self._pack(key, []), self._pack(of, moved)] for key, of in value.items()]]

    def _pack_array(self, value: Any, moved: list[Any]) -> Any:
        array = np.asarray(value)
        if array.dtype.kind not in _KINDS:
            cells = self._all(array.ravel().tolist(), moved)
            return ["objects", list(array.shape), cells]
        held = base64.b64encode(array.tobytes()).decode()
        shape = list(array.shape) if isinstance(value, np.ndarray) else None
        fixed = shape is not None and not array.flags.writeable
        return ["array", array.dtype.str, shape, held, fixed]

    def _pack_random(self, value: Any, _: list[Any]) -> Any:
        if isinstance(value, random.Random):
            version, state, gauss = value.getstate()
            return ["random", version, list(state), gauss]
        return ["generator", self.pack(value.bit_generator.state)]

    def _pack_tree(self, value: Any, _: list[Any]) -> Any:
        arrays = [value.variable, value.value, value.threshold, value.missing]
        subsets = {node: sorted(codes) for node, codes in value.subsets.items()}
        return ["tree", *self._all(arrays, []), self.pack(subsets)]

    def _pack_opaque(self, value: Any) -> Any:
        items = None
        if isinstance(value, Iterator | KeysView | ValuesView | ItemsView | deque):
            items = self._all(islice(value, _ITEMS), [])
        try:
            shown = repr(value)[:200]
        except Exception as error:  # noqa: BLE001 - it is the student's
            shown = f"<its repr raises {type(error).__name__}>"
        return ["opaque", _name(type(value)), shown, items]

    # --- unpacking -------------------------------------------------------------------------------

    def unpack(self, packed: Any) -> Any:
        """Make the value again.

        Raises
        ------
        ValueError, TypeError, KeyError
            If it is none that :meth:`pack` makes.
        """
        return self._unpack(packed, [])

    def _unpack(self, packed: Any, came: list[Any]) -> Any:
        if not isinstance(packed, list):
            if packed is None or isinstance(packed, bool | int | float | str):
                return packed
            raise TypeError(f"a {type(packed).__name__} is no packed value")
        kind, *parts = packed
        if kind in _HOLLOW:
            value = _HOLLOW[kind]()
            came.append(value)
            self._fill(value, parts[0], came)
            return value
        value = _MADE[kind](self, came, *parts)
        if isinstance(value, _CHANGEABLE) or kind == "axes":
            came.append(value)
        return value

    def _fill(self, value: Any, parts: Any, came: list[Any]) -> None:
        if isinstance(value, dict):
            value.update((self._unpack(key, []), self._unpack(of, came)) for key, of in parts)
        else:
            items = [self._unpack(part, came) for part in parts]
            value.update(items) if isinstance(value, set) else value.extend(items)

    def _change(self, value: Any, now: Any) -> None:
        """Make of what we handed out what they made of their copy."""
        if figures.is_axes(value):
            figures.fill_axes(value, now[3])
            return
        new = self.unpack(now)
        if isinstance(value, np.ndarray):
            value[...] = new
        elif isinstance(value, np.random.Generator):
            value.bit_generator.state = new.bit_generator.state
        elif isinstance(value, random.Random):
            value.setstate(new.getstate())
        else:
            value.clear()
            value.extend(new) if isinstance(value, list) else value.update(new)

    def _known(self, whose: tuple[str, int]) -> Any:
        side, number = whose
        return self._ours[number] if side == "yours" else self._theirs.get(number)

    def _keep(self, whose: tuple[str, int], thing: Any) -> Any:
        _, number = whose
        self._theirs[number] = thing
        self._returned[id(thing)] = number
        return thing

    def _make_function(self, _: Any, whose: tuple[str, int], name: str) -> Any:
        if (known := self._known(whose)) is not None:
            return known

        def function(*args: Any, **options: Any) -> Any:
            return self.call(whose[1], args, options)

        function.__name__ = function.__qualname__ = str(name)[:80]
        return self._keep(whose, function)

    def _make_axes(self, _: Any, whose: Any, figures_whose: Any, told: Any) -> Any:
        axes = self._known(whose)
        if not figures.is_axes(axes):
            axes = self._keep(whose, self._figure(figures_whose).add_axes(told["box"]))
        figures.fill_axes(axes, told)
        return axes

    def _make_figure(self, _: Any, whose: Any, parts: Any) -> Any:
        figure = self._figure(whose)
        axes = [self.unpack(part) for part in parts]
        for gone in {*figure.axes} - {*axes}:
            gone.remove()
        return figure

    def _figure(self, whose: tuple[str, int]) -> Any:
        figure = self._known(whose)
        return figure if figures.is_figure(figure) else self._keep(whose, figures.new_figure())

    def _make_opaque(self, _: Any, name: str, shown: str, items: Any) -> Any:
        body: dict[str, Any] = {"__repr__": lambda _: str(shown)}
        if items is not None:
            made = [self.unpack(part) for part in items]
            body["__iter__"] = lambda _: iter(made)
        return type(str(name)[:80], (Opaque,), body)()

    def _make_tree(self, _: Any, *parts: Any) -> Any:
        variable, value, threshold, missing, subsets = map(self.unpack, parts)
        return dt.Tree(variable, value, threshold, missing=missing, subsets=subsets)


_PACKED: tuple[tuple[Any, Callable[[Post, Any, list[Any]], Any]], ...] = (
    ((np.ndarray, np.generic), Post._pack_array),
    (int, lambda _, x, __: int(x) if abs(x) <= _EXACT else ["int", hex(x)]),
    (float, lambda _, x, __: float(x)),
    (str, lambda _, x, __: str(x)),
    (complex, lambda _, x, __: ["complex", x.real, x.imag]),
    ((bytes, bytearray), lambda _, x, __: ["bytes", base64.b64encode(x).decode()]),
    (list, lambda post, x, moved: ["list", post._all(x, moved)]),
    (tuple, Post._pack_tuple),
    (dict, Post._pack_dict),
    (set, lambda post, x, _: ["set", post._all(x, [])]),
    (frozenset, lambda post, x, _: ["frozenset", post._all(x, [])]),
    (range, lambda post, x, _: ["range", *post._all([x.start, x.stop, x.step], [])]),
    (
        Fraction,
        lambda post, x, _: ["fraction", *post._all([x.numerator, x.denominator], [])],
    ),
    (Decimal, lambda _, x, __: ["decimal", str(x)]),
    ((np.random.Generator, random.Random), Post._pack_random),
    (dt.BooleanFunction, lambda post, x, _: ["boolean", x.n, post.pack(x.table)]),
    (dt.ProductDistribution, lambda post, x, _: ["product", post.pack(x.p)]),
    (dt.Tree, Post._pack_tree),
)


def _array(_: Post, __: Any, dtype: str, shape: list[int] | None, held: str, fixed: object) -> Any:
    kind = np.dtype(dtype)
    if kind.kind not in _KINDS:
        raise ValueError(f"an array of dtype {kind} does not travel")
    array = np.frombuffer(base64.b64decode(held), kind)
    if shape is None:
        return array[0]
    array = array.reshape(shape)
    return array if fixed else array.copy()


def _objects(post: Post, came: list[Any], shape: list[int], cells: list[Any]) -> Any:
    array = np.empty(len(cells), dtype=object)
    for place, cell in enumerate(cells):
        array[place] = post._unpack(cell, came)
    return array.reshape(shape)


def _generator(post: Post, _: Any, packed: Any) -> np.random.Generator:
    state = post.unpack(packed)
    name = state["bit_generator"]
    if name not in {"PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"}:
        raise ValueError(f"{name} is no generator of random numbers")
    bits = getattr(np.random, name)()
    bits.state = state
    return np.random.Generator(bits)


def _random(_: Post, __: Any, version: int, state: list[int], gauss: float | None) -> random.Random:
    made = random.Random()  # noqa: S311 - a student's own
    made.setstate((version, tuple(state), gauss))
    return made


def _listed(post: Post, came: list[Any], parts: Iterable[Any]) -> list[Any]:
    return [post._unpack(part, came) for part in parts]


def _named(name: str, fields: list[str], values: list[Any]) -> Any:
    # A field such as __eq__ would give the tests an object that answers for itself.
    known = {str(field): property(itemgetter(k)) for k, field in enumerate(fields)}
    body = {field: of for field, of in known.items() if field.isidentifier() and field[0] != "_"}
    return type(str(name)[:80], (tuple,), body)(values)


_HOLLOW: dict[str, type] = {"list": list, "dict": dict, "set": set}
_MADE: dict[str, Callable[..., Any]] = {
    "array": _array,
    "objects": _objects,
    "int": lambda _, __, text: int(text, 16),
    "complex": lambda _, __, real, imaginary: complex(real, imaginary),
    "bytes": lambda _, __, text: base64.b64decode(text),
    "tuple": lambda post, came, parts: tuple(_listed(post, came, parts)),
    "named": lambda post, came, name, fields, parts: _named(
        name, fields, _listed(post, came, parts)
    ),
    "frozenset": lambda post, came, parts: frozenset(_listed(post, came, parts)),
    "range": lambda post, came, *parts: range(*_listed(post, came, parts)),
    "fraction": lambda post, came, *parts: Fraction(*_listed(post, came, parts)),
    "decimal": lambda _, __, text: Decimal(text),
    "generator": _generator,
    "random": _random,
    "boolean": lambda post, _, n, table: dt.BooleanFunction(n, post.unpack(table)),
    "product": lambda post, _, p: dt.ProductDistribution(post.unpack(p)),
    "tree": Post._make_tree,
    "function": Post._make_function,
    "axes": Post._make_axes,
    "figure": Post._make_figure,
    "opaque": Post._make_opaque,
}


def written(message: Any) -> str:
    """Write a message as text.

    Raises
    ------
    ValueError
        If it is longer than `LONGEST`.
    """
    text = json.dumps(message)
    if len(text) > LONGEST:
        raise ValueError(f"a value of {len(text) // 10**6} MB, more than {LONGEST // 10**6}")
    return text


def read(text: str) -> dict[str, Any]:
    """Read a message.

    Raises
    ------
    ValueError
        If it is none.
    """
    if len(text) > LONGEST:
        raise ValueError(f"a message of {len(text) // 10**6} MB, more than {LONGEST // 10**6}")
    message = json.loads(text)
    if not isinstance(message, dict):
        raise ValueError("a message that is none")
    return message


def _name(thing: Any) -> str:
    name = getattr(thing, "__name__", "")
    return name if isinstance(name, str) and name else type(thing).__name__


def _told(error: BaseException) -> list[str]:
    """What is told of an exception: its type and its message."""
    try:
        text = str(error)[:2000]
    except Exception:  # noqa: BLE001 - it is the student's
        text = ""
    return [type(error).__name__, text]


def _raised(name: str, text: str) -> Exception:
    known = getattr(builtins, name, None)
    # A StopIteration would end a loop of the tests, as if there were no more to try.
    ends = known in (StopIteration, StopAsyncIteration)
    if isinstance(known, type) and issubclass(known, Exception) and not ends:
        try:
            made: Exception = known(text)
        except TypeError:  # UnicodeDecodeError has more to say
            pass
        else:
            return made
    unknown: type[Exception] = type(name[:80], (Exception,), {})
    return unknown(text)
