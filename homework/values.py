"""Values that travel between an answer and its tests, which run in different processes.

The text of this file is sent into the student's kernel as well. What comes from there may be made
to do harm: so a message is JSON, nothing is unpickled, and only plain values are made of it.
"""

from __future__ import annotations

import base64
import builtins
import json
import linecache
import random
import sys
import traceback
from collections import deque
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Sequence, ValuesView
from dataclasses import fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from operator import itemgetter
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import dtviz as dt
from homework import figures

LONGEST = 16_000_000
"""Letters of a message."""

LINE = "line_of_the_answer"
"""The attribute of what an answer raised that holds the line which did, as its kernel says."""

_ITEMS = 100_000  # taken from an iterator
_EXACT = 2**53  # whole numbers up to here need no text
_BYTES = "biufcSUMm"  # kinds of arrays that are bytes and nothing else


class Opaque:
    """What cannot travel: no more is known of it than its type's name and its repr."""


class Post:
    """Writes and reads the messages of one side; ``send`` gives one and returns the reply.

    Both sides may call functions of the other. Values go by copy; what a function does to lists,
    dicts, sets, arrays, generators of random numbers and Axes that it was given is done to those of
    its caller, too; unless ``in_place``, only to generators and Axes. A strict side refuses what
    cannot travel; else it arrives as an `Opaque`.
    """

    def __init__(self, send: Callable[[str], str], *, strict: bool) -> None:
        self._send, self._strict = send, strict
        self.in_place = True
        self._ours: list[Any] = []
        self._numbers: dict[int, int] = {}  # of ours, by id
        self._theirs: dict[int, Any] = {}
        self._returned: dict[int, int] = {}  # numbers of theirs, by id here
        self._with_identity: dict[str, Callable[..., Any]] = {
            "function": self._make_function,
            "axes": self._make_axes,
            "figure": self._make_figure,
        }

    def register(self, thing: Any) -> int:
        """Give a function or a picture of ours its number."""
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self._ours)
            self._ours.append(thing)
        return self._numbers[id(thing)]

    # --- calls -----------------------------------------------------------------------------------

    def call(self, number: int, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Call a function of theirs; while it runs it may call some of ours.

        What it raised is raised, as the built-in exception of that name, if there is one.
        """
        moved: list[Any] = []
        packed = [self._pack(value, moved) for value in args]
        named = {name: self._pack(value, moved) for name, value in options.items()}
        info = read(self._send(written({"call": number, "args": packed, "options": named})))
        while "call" in info:
            info = read(self._send(self.answer(info)))
        if "raised" in info:
            name, text, *line = map(str, info["raised"])
            error = _raised(name, text)
            setattr(error, LINE, "".join(line[:1])[:500])
            raise error
        for place, now in info["changed"]:
            if self.in_place or not isinstance(moved[place], list | dict | set | np.ndarray):
                self._change(moved[place], now)
        return self.unpack(info["value"])

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
            return written({"raised": _describe(error)})

    # --- packing ---------------------------------------------------------------------------------

    def pack(self, value: Any) -> Any:
        """Make JSON of a value."""
        return self._pack(value, [])

    def _pack(self, value: Any, moved: list[Any]) -> Any:
        """Make JSON of a value; what in it can be changed is added to ``moved``, in order."""
        if _is_json(value):
            return value
        if kind := _kind(value):
            return self._packed(kind, value, moved)
        if figures.is_axes(value):
            moved.append(value)
            whose = self._whose(value), self._whose(value.figure.figure)
            return ["axes", *whose, figures.pack_axes(value)]
        if figures.is_figure(value):
            return ["figure", self._whose(value), [self.pack(axes) for axes in value.axes]]
        if callable(value):
            return ["function", self._whose(value), _name(value)]
        if self._strict and not isinstance(value, Iterator):
            raise TypeError(f"a {type(value).__name__} cannot be handed to an answer")
        return self._packed("iterator" if self._strict else "opaque", value, moved)

    def _packed(self, kind: str, value: Any, moved: list[Any]) -> Any:
        if kind in _CHANGEABLE:
            moved.append(value)
        inside = moved if kind in _HOLDING else []
        return [kind, *(self._pack(part, inside) for part in _KINDS[kind].apart(value))]

    def _whose(self, thing: Any) -> list[Any]:
        """Whose a thing is that keeps its identity, and its number with them."""
        if id(thing) in self._returned:
            return ["yours", self._returned[id(thing)]]
        return ["mine", self.register(thing)]

    # --- unpacking -------------------------------------------------------------------------------

    def unpack(self, packed: Any) -> Any:
        """Make the value again; what :meth:`pack` does not make is some error."""
        return self._unpack(packed, [])

    def _unpack(self, packed: Any, came: list[Any]) -> Any:
        if _is_json(packed):
            return packed
        if not isinstance(packed, list):
            raise TypeError(f"a {type(packed).__name__} is not a packed value")
        kind, *parts = packed
        if kind in self._with_identity:
            value = self._with_identity[kind](*parts)
            came += [value] if kind == "axes" else []
            return value
        place = len(came)
        came += [None] if kind in _CHANGEABLE else []
        inside = came if kind in _HOLDING else []
        value = _KINDS[kind].made(*[self._unpack(part, inside) for part in parts])
        if kind in _CHANGEABLE:
            came[place] = value
        return value

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

    def _make_function(self, whose: tuple[str, int], name: str) -> Any:
        if (known := self._known(whose)) is not None:
            return known

        def function(*args: Any, **options: Any) -> Any:
            return self.call(whose[1], args, options)

        function.__name__ = function.__qualname__ = str(name)[:80]
        return self._keep(whose, function)

    def _make_axes(self, whose: Any, figures_whose: Any, info: Any) -> Any:
        axes = self._known(whose)
        if not figures.is_axes(axes):
            axes = self._keep(whose, self._figure(figures_whose).add_axes(info["box"]))
        figures.fill_axes(axes, info)
        return axes

    def _make_figure(self, whose: Any, parts: Any) -> Any:
        figure = self._figure(whose)
        axes = [self.unpack(part) for part in parts]
        for gone in {*figure.axes} - {*axes}:
            gone.remove()
        return figure

    def _figure(self, whose: tuple[str, int]) -> Any:
        figure = self._known(whose)
        return figure if figures.is_figure(figure) else self._keep(whose, figures.new_figure())


def _is_json(value: Any) -> bool:
    """Whether JSON holds a value as it is."""
    if isinstance(value, np.generic):
        return False
    if isinstance(value, int):
        return abs(value) <= _EXACT
    return value is None or isinstance(value, float | str)


def _array(dtype: str, shape: tuple[int, ...], held: str, fixed: object) -> Any:
    kind = np.dtype(dtype)
    if kind.kind not in _BYTES:
        raise ValueError(f"an array of dtype {kind} does not travel")
    array = np.frombuffer(base64.b64decode(held), kind).reshape(shape)
    return array if fixed else array.copy()


def _bytes(value: Any) -> str:
    return base64.b64encode(value).decode()


def _generator(state: Any) -> np.random.Generator:
    name = state["bit_generator"]
    if name not in {"PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"}:
        raise ValueError(f"{name} is not a generator of random numbers")
    bits = getattr(np.random, name)()
    bits.state = state
    return np.random.Generator(bits)


def _random(*state: Any) -> random.Random:
    made = random.Random()  # noqa: S311 - a student's own
    made.setstate(state)
    return made


def _named(name: str, fields: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    # A field such as __eq__ would give the tests an object that answers for itself.
    known = {str(field): property(itemgetter(k)) for k, field in enumerate(fields)}
    body = {field: of for field, of in known.items() if field.isidentifier() and field[0] != "_"}
    return type(str(name)[:80], (tuple,), body)(values)


def _fields(value: Any) -> list[tuple[str, Any]]:
    return [(each.name, getattr(value, each.name)) for each in fields(value)]


def _attributes(items: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {str(name): value for name, value in items if str(name)[:1] != "_"}


def _frame_parts(frame: Any) -> Sequence[Any]:
    columns = [frame.iloc[:, place].to_numpy() for place in range(frame.shape[1])]
    return frame.columns.tolist(), frame.index.tolist(), *columns


def _frame(names: list[Any], index: list[Any], *columns: Any) -> Any:
    import pandas as pd  # type: ignore[import-untyped]  # noqa: PLC0415 - who has a frame has it

    frame = pd.DataFrame(dict(enumerate(columns)), index=index)
    frame.columns = names
    return frame


def _series(name: Any, index: list[Any], values: Any) -> Any:
    import pandas as pd  # noqa: PLC0415

    return pd.Series(values, index=index, name=name)


def _tree_parts(tree: Any) -> Sequence[Any]:
    subsets = {node: sorted(codes) for node, codes in tree.subsets.items()}
    return tree.variable, tree.value, tree.threshold, tree.missing, subsets


def _tree(variable: Any, value: Any, threshold: Any, missing: Any, subsets: Any) -> dt.Tree:
    return dt.Tree(variable, value, threshold, missing=missing, subsets=subsets)


def _opaque_parts(value: Any) -> Sequence[Any]:
    items = None
    if isinstance(value, Iterator | KeysView | ValuesView | ItemsView | deque):
        items = tuple(islice(value, _ITEMS))
    try:
        shown = repr(value)[:200]
    except Exception as error:  # noqa: BLE001 - it is the student's
        shown = f"<its repr raises {type(error).__name__}>"
    return _name(type(value)), shown, items


def _opaque(name: str, shown: str, items: Any) -> Any:
    body: dict[str, Any] = {"__repr__": lambda _: str(shown)}
    if items is not None:
        body["__iter__"] = lambda _: iter(items)
    return type(str(name)[:80], (Opaque,), body)()


class _Kind(NamedTuple):
    """Of which types values are, which parts they have, and how they are made of these again."""

    types: Any
    apart: Callable[[Any], Iterable[Any]]
    made: Callable[..., Any]


_KINDS = {
    "array": _Kind(
        np.ndarray,
        lambda x: (x.dtype.str, x.shape, _bytes(x.tobytes()), not x.flags.writeable),
        _array,
    ),
    "scalar": _Kind(
        np.generic,
        lambda x: (x.dtype.str, _bytes(x.tobytes())),
        lambda dtype, held: _array(dtype, (1,), held, fixed=True)[0],
    ),
    "int": _Kind(int, lambda x: [hex(x)], lambda text: int(text, 16)),
    "list": _Kind(list, iter, lambda *parts: [*parts]),
    "tuple": _Kind(tuple, iter, lambda *parts: parts),
    "dict": _Kind(dict, dict.items, lambda *items: dict(items)),
    "set": _Kind(set, iter, lambda *parts: {*parts}),
    "frozenset": _Kind(frozenset, iter, lambda *parts: frozenset(parts)),
    "complex": _Kind(complex, lambda x: (x.real, x.imag), complex),
    "bytes": _Kind((bytes, bytearray), lambda x: [_bytes(x)], base64.b64decode),
    "range": _Kind(range, lambda x: (x.start, x.stop, x.step), range),
    "fraction": _Kind(Fraction, lambda x: (x.numerator, x.denominator), Fraction),
    "decimal": _Kind(Decimal, lambda x: [str(x)], Decimal),
    "generator": _Kind(np.random.Generator, lambda x: [x.bit_generator.state], _generator),
    "random": _Kind(random.Random, random.Random.getstate, _random),
    "boolean": _Kind(dt.BooleanFunction, lambda x: (x.n, x.table), dt.BooleanFunction),
    "product": _Kind(dt.ProductDistribution, lambda x: [x.p], dt.ProductDistribution),
    "tree": _Kind(dt.Tree, _tree_parts, _tree),
    # Those that no type decides: see `_kind` and `Post._pack`.
    "iterator": _Kind((), lambda x: islice(x, _ITEMS), lambda *parts: iter(parts)),
    "record": _Kind((), _fields, lambda *items: SimpleNamespace(**_attributes(items))),
    "frame": _Kind((), _frame_parts, _frame),
    "series": _Kind((), lambda x: (x.name, x.index.tolist(), x.to_numpy()), _series),
    "objects": _Kind(
        (),
        lambda x: (x.shape, tuple(x.ravel().tolist())),
        lambda shape, cells: np.fromiter(cells, object, len(cells)).reshape(shape),
    ),
    "named": _Kind((), lambda x: (type(x).__name__, tuple(x._fields), tuple(x)), _named),
    "opaque": _Kind((), _opaque_parts, _opaque),
}
_CHANGEABLE = {"list", "dict", "set", "array", "objects", "generator", "random"}
_HOLDING = {"list", "tuple", "named", "dict", "objects", "record", "iterator"}
"""Those in which something else may be that can be changed."""


def _kind(value: Any) -> str:
    """Name the kind of a value, by `_KINDS`; empty if it is of none."""
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind not in _BYTES:
        return "objects"
    if isinstance(value, tuple) and getattr(value, "_fields", None):
        return "named"
    if pandas := sys.modules.get("pandas"):
        if isinstance(value, pandas.DataFrame):
            return "frame"
        if isinstance(value, pandas.Series):
            return "series"
    if kind := next((kind for kind, of in _KINDS.items() if isinstance(value, of.types)), ""):
        return kind
    ours = type(value).__module__.partition(".")[0] == "dtviz"
    return "record" if is_dataclass(type(value)) and not ours else ""


def written(message: Any) -> str:
    """Write a message as text, of `LONGEST` letters at most."""
    text = json.dumps(message)
    if len(text) > LONGEST:
        raise ValueError(f"a value of {len(text) // 10**6} MB, more than {LONGEST // 10**6}")
    return text


def read(text: str) -> dict[str, Any]:
    """Read a message, or raise a `ValueError`."""
    if len(text) > LONGEST:
        raise ValueError(f"a message of {len(text) // 10**6} MB, more than {LONGEST // 10**6}")
    message = json.loads(text)
    if not isinstance(message, dict):
        raise ValueError("a malformed message")
    return message


def _name(thing: Any) -> str:
    name = getattr(thing, "__name__", "")
    return name if isinstance(name, str) and name else type(thing).__name__


def _describe(error: BaseException) -> list[str]:
    """What is sent of an exception: its type, its message and the line of the answer."""
    try:
        text = str(error)[:2000]
    except BaseException:  # noqa: BLE001 - it is the student's
        text = ""
    return [type(error).__name__, text, _own_line(error)]


def _own_line(error: BaseException) -> str:
    """The last line of what runs as the main program that an error came through."""
    main = vars(sys.modules["__main__"])
    lines = [
        linecache.getline(frame.f_code.co_filename, number).strip()
        for frame, number in traceback.walk_tb(error.__traceback__)
        if frame.f_globals is main
    ]
    return lines[-1] if lines else ""


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
