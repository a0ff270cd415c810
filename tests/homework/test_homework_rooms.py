"""Tests and answers in different processes: what travels, what no answer gains."""

from __future__ import annotations

import asyncio
import json
import math
import random
import subprocess
import sys
import time
from collections import OrderedDict, deque, namedtuple
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import count
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from support import course
from support.cases import sweep
from support.site import ROOT

import dtviz as dt
from homework import examiner
from homework import run as runner
from homework.assignments import Assignment, load, make
from homework.bubblewrap import MIB, Limits
from homework.examiner import Examiner, Verdict
from homework.restore import restore
from homework.run import Executed
from homework.values import LONGEST, Opaque, Post, read, written

sandboxed = [pytest.mark.homework, pytest.mark.slow]


class Rooms:
    """Two sides that send each other texts: of functions here, stand-ins are had from there."""

    def __init__(self) -> None:
        self.here = Post(self._to_there, strict=True)
        self.there = Post(self._to_here, strict=False)
        self.sent: list[str] = []

    def _to_there(self, text: str) -> str:
        self.sent.append(text)
        return self.there.answer(read(text)) if "call" in read(text) else text

    def _to_here(self, text: str) -> str:
        return self.here.answer(read(text))

    def stand_in(self, function: Any) -> Any:
        """What the tests have of a student's function or value."""
        return self.here.unpack(json.loads(json.dumps(self.there.pack(function))))


@pytest.fixture
def rooms() -> Rooms:
    return Rooms()


def same(one: Any, other: Any) -> bool:
    """Whether values are equal and of the same types throughout; a NaN is one."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return same([*one.items()], [*other.items()])
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray | np.generic):
        return bool(
            one.dtype == other.dtype
            and one.shape == other.shape
            and same(one.ravel().tolist(), other.ravel().tolist())
        )
    if isinstance(one, float) and math.isnan(one):
        return math.isnan(other)
    return bool(one == other)


NUMBERS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers(allow_nan=False)
)
HASHABLE = st.one_of(st.none(), st.integers(), st.text(), st.binary(), st.fractions())
VALUES = st.recursive(
    st.one_of(NUMBERS, HASHABLE),
    lambda inner: st.one_of(
        st.lists(inner),
        st.tuples(inner, inner),
        st.dictionaries(HASHABLE, inner),
        st.sets(HASHABLE),
        st.frozensets(HASHABLE),
    ),
    max_leaves=12,
)


@given(VALUES)
def test_plain_values_arrive_as_they_are(value: Any) -> None:
    rooms = Rooms()
    echo = rooms.stand_in(lambda given: given)
    assert same(echo(value), value)


ARRAYS = [
    np.arange(6).reshape(2, 3),
    np.array([0.1, math.nan, -math.inf, -0.0]),
    np.array([True, False]),
    np.array([], dtype=np.uint8),
    np.array(7),
    np.array([1 + 2j]),
    np.array(["a", "bcd"]),
    np.arange(12).reshape(3, 4).T[::2],
    np.array([Fraction(1, 3), None, "x"], dtype=object),
    np.float32(0.1),
    np.int64(2**60),
    np.bool_(True),
    np.datetime64("2026-01-01"),
]


@pytest.mark.parametrize("value", ARRAYS, ids=repr)
def test_arrays_and_their_scalars_arrive_as_they_are(rooms: Rooms, value: Any) -> None:
    came = rooms.stand_in(lambda given: given)(value)
    assert same(came, value)


def test_an_array_that_may_not_be_written_may_not_be_there(rooms: Rooms) -> None:
    writes = rooms.stand_in(lambda array: array.flags.writeable)
    assert writes(np.zeros(3))
    assert not writes(dt.functions.majority(3).table)


OTHERS = [
    range(3, 30, 4),
    Decimal("0.10"),
    dt.functions.majority(5),
    dt.ProductDistribution([0.1, 1 / 3]),
    dt.Tree.leaf(),
    dt.Tree.leaf("ham"),
    dt.optimal(dt.functions.caterpillar(2)).tree(),
    dt.Tree.split(2, dt.Tree.leaf(1), dt.Tree.leaf(0), 0.25),
    dt.Tree.split(0, dt.Tree.leaf(0), dt.Tree.leaf(1), subset=[1, 4], missing=True),
]


@pytest.mark.parametrize("value", OTHERS, ids=repr)
def test_values_of_the_book_arrive_equal(rooms: Rooms, value: Any) -> None:
    came = rooms.stand_in(lambda given: given)(value)
    assert type(came) is type(value)
    if isinstance(value, dt.ProductDistribution):
        assert same(came.p, value.p)
    else:
        assert came == value


def test_kinds_of_lists_and_tuples_keep_what_tests_look_at(rooms: Rooms) -> None:
    Split = namedtuple("Split", "leaf drop")  # noqa: PYI024 - as students write it
    came = rooms.stand_in(lambda: Split(3, 0.5))()
    assert (came, came.drop, type(came).__name__) == ((3, 0.5), 0.5, "Split")
    assert rooms.stand_in(OrderedDict(a=1)) == {"a": 1}


def test_a_tuple_with_names_has_no_say_in_how_it_compares(rooms: Rooms) -> None:
    fields = ["tuple", "__eq__", "__float__", "__bool__", "_x", "fine", "no name"]
    values = ["tuple", *[["function", ["mine", 0], "f"]] * 4, 5, 6]
    came = rooms.here.unpack(["named", "Equal", fields, values])
    assert (came.fine, came[5], len(came)) == (5, 6, 6)
    assert came != 3
    assert {*vars(type(came))} <= {"fine", "__module__", "__dict__", "__doc__"}
    with pytest.raises(TypeError):
        float(came)


@pytest.mark.parametrize(
    ("value", "name", "items"),
    [
        (object(), "object", None),
        (map(str, [1, 2]), "map", ["1", "2"]),
        ((k for k in (1, 2)), "generator", [1, 2]),
        ({1: 2}.values(), "dict_values", [2]),
        (deque([1]), "deque", [1]),
    ],
    ids=lambda value: str(value)[:12],
)
def test_of_all_else_come_name_and_repr(
    rooms: Rooms, value: object, name: str, items: list[object] | None
) -> None:
    came = rooms.stand_in(lambda: value)()
    assert isinstance(came, Opaque)
    assert type(came).__name__ == name
    assert repr(came).startswith(("<", "deque", "dict_values"))
    if items is None:
        with pytest.raises(TypeError):
            iter(came)
    else:
        assert [*came] == items  # type: ignore[misc]


def test_what_tests_cannot_hand_over_is_an_error_of_theirs(rooms: Rooms) -> None:
    with pytest.raises(TypeError, match="a object cannot be handed to an answer"):
        rooms.stand_in(lambda _: 1)([object()])
    assert rooms.sent == []


def test_a_call_has_its_arguments_its_options_and_its_name(rooms: Rooms) -> None:
    def written_by_a_student(a: int, *rest: int, scale: int = 1) -> tuple[Any, ...]:
        return a, rest, scale

    stand_in = rooms.stand_in(written_by_a_student)
    assert stand_in.__name__ == "written_by_a_student"
    assert stand_in(1, 2, 3, scale=4) == (1, (2, 3), 4)
    assert rooms.stand_in(written_by_a_student) is stand_in


def test_functions_are_called_back_from_either_side(rooms: Rooms) -> None:
    seen = []

    def noted(x: float) -> float:
        seen.append(x)
        return x / 2

    apply = rooms.stand_in(lambda function, x: (function(x), function))
    value, came = apply(noted, 3)
    assert (value, seen) == (1.5, [3])
    assert came is noted
    made = rooms.stand_in(lambda k: lambda x: x + k)(10)
    assert made(1) == 11


def test_what_a_function_does_to_what_it_was_given_is_done_here_too(rooms: Rooms) -> None:
    def change(row: list[int], table: dict[str, Any], seen: set[int], array: Any, rng: Any) -> None:
        row.append(4)
        row[0] = 9
        table["inner"][:] = [7]
        seen.clear()
        array[1:] = -1
        rng.random(3)

    row, inner, seen, array = [1, 2], [5], {1}, np.arange(3)
    table = {"inner": inner}
    rng, twin = np.random.default_rng(1), np.random.default_rng(1)
    rooms.stand_in(change)(row, table, seen, array, rng)
    assert row == [9, 2, 4]
    assert inner == [7]
    assert table == {"inner": [7]}
    assert seen == set()
    assert array.tolist() == [0, -1, -1]
    twin.random(3)
    assert rng.random() == twin.random()


def test_what_is_in_an_array_of_objects_is_changed_too(rooms: Rooms) -> None:
    cells, inner = np.empty(2, object), [1]
    cells[:] = [inner, 3]
    rooms.stand_in(lambda array: array[0].append(2))(cells)
    assert (inner, [*cells]) == ([1, 2], [[1, 2], 3])


def test_generators_of_random_numbers_give_the_same_numbers(rooms: Rooms) -> None:
    draw = rooms.stand_in(lambda rng: rng.random())
    for kind in (np.random.PCG64, np.random.MT19937, np.random.Philox):
        one, other = np.random.Generator(kind(3)), np.random.Generator(kind(3))
        assert [draw(one), draw(one)] == [other.random(), other.random()]
    one, other = random.Random(3), random.Random(3)  # noqa: S311 - a student's own
    assert [draw(one), one.gauss(0, 1)] == [other.random(), other.gauss(0, 1)]


class TooBadError(ValueError):
    pass


@pytest.mark.parametrize(
    ("raised", "kind", "name"),
    [
        (ValueError("no"), ValueError, "ValueError"),
        (AssertionError("no"), AssertionError, "AssertionError"),
        (TooBadError("no"), Exception, "TooBadError"),
        (SystemExit("no"), Exception, "SystemExit"),
        (StopIteration("no"), Exception, "StopIteration"),
        (KeyboardInterrupt("no"), Exception, "KeyboardInterrupt"),
        (UnicodeDecodeError("utf-8", b"", 0, 1, "no"), Exception, "UnicodeDecodeError"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_what_a_function_raises_is_raised(
    rooms: Rooms, raised: BaseException, kind: type[Exception], name: str
) -> None:
    def fail() -> None:
        raise raised

    with pytest.raises(kind, match="no") as result:
        rooms.stand_in(fail)()
    assert type(result.value).__name__ == name


def test_what_a_function_raises_ends_no_loop_of_the_tests(rooms: Rooms) -> None:
    def stop(_: int) -> None:
        raise StopIteration

    with pytest.raises(Exception, match=r"^$") as result:
        [*map(rooms.stand_in(stop), [1, 2])]
    assert not isinstance(result.value, StopIteration)


def test_a_function_of_the_tests_that_raises_can_be_caught_by_the_answer(rooms: Rooms) -> None:
    def careful(function: Callable[[], int]) -> str:
        try:
            return str(function())
        except ZeroDivisionError:
            return "caught"

    assert rooms.stand_in(careful)(lambda: 1 // 0) == "caught"


def test_values_without_end_are_no_values(rooms: Rooms) -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        rooms.stand_in(lambda: endless)()
    with pytest.raises(ValueError, match="MB, more than 16"):
        rooms.stand_in(lambda: "x" * LONGEST)()
    assert len([*rooms.stand_in(count)()]) == 100_000


FORGED = [
    '{"raised": ["ValueError"]}',
    '{"raised": 3}',
    "{}",
    "[]",
    "nonsense",
    '{"value": ["nothing"], "changed": []}',
    '{"value": {"a": 1}, "changed": []}',
    '{"value": ["array", "O", ["tuple", 1], "AAAAAAAAAAA=", false], "changed": []}',
    '{"value": ["array", "<f8", ["tuple", 99], "AAAAAAAAAAA=", false], "changed": []}',
    '{"value": ["array", "V8,O", ["tuple", 1], "AAAAAAAAAAA=", false], "changed": []}',
    '{"value": ["array", "V8", ["tuple", 1], "AAAAAAAAAAA=", false], "changed": []}',
    '{"value": ["scalar", "V8", "AAAAAAAAAAA="], "changed": []}',
    '{"value": ["tree", ["list", 5], null, null, null, ["dict"]], "changed": []}',
    '{"value": ["boolean", 70, ["list", 0, 1]], "changed": []}',
    '{"value": ["function", ["yours", 99], "f"], "changed": []}',
    '{"value": ["generator", ["dict", ["tuple", "bit_generator", "os"]]], "changed": []}',
    '{"value": 1, "changed": [[7, ["list"]]]}',
    '{"call": 99, "args": [], "options": {}}',
    '{"value": ' + "[" * 100_000,
]


@pytest.mark.parametrize("text", FORGED, ids=range(len(FORGED)))
def test_a_forged_message_fails_the_test_and_no_more(text: str) -> None:
    """The same message for ever, whatever is asked: what comes of it is an exception."""
    asked = []

    def forge(message: str) -> str:
        asked.append(message)
        return text if len(asked) < 3 else '{"value": null, "changed": []}'

    post = Post(forge, strict=True)
    function = post.unpack(["function", ["mine", 0], "f"])
    if '"call"' in text:
        # Calling what they were never given is an error of theirs, which they see.
        assert function([1]) is None
        assert "IndexError" in asked[1]
        return
    with pytest.raises(Exception):  # noqa: B017, PT011 - any
        function([1])


def drawn(ax: Axes) -> Axes:
    """Draw some of everything that tests look at."""
    ax.plot([0, 1, 2], [3, 4, math.nan], "o--", color="C1", label="curve", linewidth=3)
    ax.plot([1, 10], [1, 2], drawstyle="steps-post")
    ax.scatter([5, 6], [7, 8], label="dots")
    ax.bar([1, 2], [3, 1], label="bars")
    ax.text(1, 2, "here")
    ax.set(title="Title", xlabel="leaves", ylabel="error", xscale="log", xlim=(1, 20))
    ax.legend()
    return ax


def looked_at(ax: Axes) -> list[Any]:
    legend = ax.get_legend()
    return [
        [
            (
                np.nan_to_num(line.get_xydata(), nan=-1).tolist(),
                line.get_label().startswith("_") or line.get_label(),
                line.get_linestyle(),
                line.get_marker(),
                line.get_linewidth(),
                line.get_drawstyle(),
            )
            for line in ax.lines
        ],
        [(dots.get_offsets().tolist(), dots.get_label()) for dots in ax.collections],
        [bar.get_bbox().bounds for bar in ax.patches],  # type: ignore[attr-defined]
        [(text.get_text(), text.get_position()) for text in ax.texts],
        (ax.get_title(), ax.get_xlabel(), ax.get_ylabel(), ax.get_xscale()),
        (ax.get_xlim(), ax.get_ylim(), ax.get_xticks().tolist()),
        legend and [text.get_text() for text in legend.get_texts()],
    ]


def test_a_picture_comes_with_all_that_tests_look_at(rooms: Rooms) -> None:
    came = rooms.stand_in(lambda: drawn(Figure().subplots()))()
    assert isinstance(came, Axes)
    assert looked_at(came) == looked_at(drawn(Figure().subplots()))


def test_axes_handed_over_are_drawn_on_here_and_are_what_comes_back(rooms: Rooms) -> None:
    draw = rooms.stand_in(drawn)
    mine = Figure().subplots()
    assert draw(mine) is mine
    assert looked_at(mine) == looked_at(drawn(Figure().subplots()))
    other = Figure().subplots()
    rooms.stand_in(lambda ax: ax.plot([1], [2]) and None)(other)
    assert [line.get_xydata().tolist() for line in other.lines] == [[[1.0, 2.0]]]


def test_two_pictures_are_two_and_one_is_one(rooms: Rooms) -> None:
    figure = Figure()
    one, other = figure.subplots(1, 2)
    kept = rooms.stand_in(lambda: one)
    assert kept() is kept()
    assert kept() is not rooms.stand_in(lambda: other)()
    one.plot([1], [2])
    assert len(kept().lines) == 1
    whole = rooms.stand_in(lambda: figure)()
    assert isinstance(whole, Figure)
    assert [len(ax.lines) for ax in whole.axes] == [1, 0]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    return load("demo", course.write_course(tmp_path_factory.mktemp("course")))


LIMITS = Limits(cell_seconds=20, notebook_seconds=90, memory=512 * MIB)


def run(demo: Assignment, limits: Limits = LIMITS, **given: str) -> Executed:
    given = {name: dedent(text) for name, text in given.items()}
    notebook, _ = restore(course.submission(demo, course.answers(**given)), demo)
    return runner.run(notebook, limits)


def q1(done: Executed) -> list[str]:
    """What became of question 1's tests; all others must have passed."""
    others = {name: r for name, r in done.results.items() if name[:2] in ("q2", "q3")}
    assert {name: r.status for name, r in others.items() if r.status != "ok"} == {}
    return _of_question_1(done)


def _of_question_1(done: Executed) -> list[str]:
    return [done.results[name].status for name in ("q1-tests", "q1-hidden")]


BAD = "def average(values):\n    return 0.25\n"
GAINS = {
    "the tests' helper is replaced": """
        import sys
        def average(values):
            frame = sys._getframe()
            while frame:
                for space in (frame.f_globals, frame.f_locals):
                    for name in [*space]:
                        if name.startswith("_"):
                            space[name] = lambda *_, **__: True
                frame = frame.f_back
            return 0.25
        """,
    "the tests' reference is looked for": """
        import gc
        def average(values):
            for name, value in [*globals().items()]:
                if callable(value) and name.startswith("_") and value is not average:
                    try:
                        return value(values)
                    except Exception:
                        pass
            for thing in gc.get_objects():
                if callable(thing) and getattr(thing, "__name__", "") == "_average":
                    return thing(values)
            return 0.25
        """,
    "a reply is forged": """
        kernel = get_ipython().kernel
        def average(values):
            for kind in ("execute_reply", "input_reply"):
                kernel.session.send(
                    kernel.shell_stream, kind, {"status": "ok", "value": "", "execution_count": 1,
                    "user_expressions": {}, "payload": []}, kernel.get_parent("shell"),
                    ident=kernel._shell_parent_ident.get(),
                )
            return 0.25
        """,
    "the zoo and random are patched": """
        import dtviz, random
        zoo, numbers = dtviz.functions, random.Random
        zoo.majority = lambda n: 1
        numbers.random = lambda self: 0.0
        """
    + BAD.replace("\n", "\n        "),
    "numpy and builtins are patched": """
        import builtins, numpy as np
        np.allclose = lambda *_, **__: True
        builtins.abs = lambda _: 0
        float = lambda _: 2.0
        """
    + BAD.replace("\n", "\n        "),
    "asserts are stripped": """
        import ast
        class Strip(ast.NodeTransformer):
            def visit_Assert(self, node):
                return ast.Pass()
        get_ipython().ast_transformers.append(Strip())
        get_ipython().input_transformers_post.append(
            lambda lines: [line.replace("assert", "0 and") for line in lines]
        )
        """
    + BAD.replace("\n", "\n        "),
    "the respondent is replaced": """
        import sys
        class Fake:
            def serve(self, names): pass
        sys.modules["homework"].here = Fake()
        """
    + BAD.replace("\n", "\n        "),
    "the respondent lies": """
        import json, sys
        kernel = get_ipython().kernel
        class Fake:
            def serve(self, names):
                names = '{"average": ["function", ["mine", 0], "f"]}'
                reply = kernel.raw_input('dtviz:{"names": %s}' % names)
                while reply:
                    reply = kernel.raw_input('dtviz:{"done": true, "verdict": "passed"}')
        sys.modules["homework"].here = Fake()
        """
    + BAD.replace("\n", "\n        "),
    "an object that equals all": """
        class Equal:
            def __eq__(self, other): return True
            def __float__(self): return 2.0
            def __call__(self, *_): return self
            def __getattr__(self, name): return self
        average = Equal()
        """,
    "all numbers at once": """
        import numpy as np
        def average(values):
            class Any(float):
                __eq__ = lambda self, other: True
            return Any(0.25)
        """,
    "a child answers": """
        import os
        def average(values):
            if os.fork() == 0:
                return sum(map(float, values)) / len(values)
            os.wait()
            return 0.0
        """,
    "what it was given is emptied": """
        def average(values):
            values[:] = [2, 2, 2]
            return 0.25
        """,
}


@pytest.mark.homework
@pytest.mark.slow
@pytest.mark.parametrize("name", sweep(GAINS, 3))
def test_whatever_an_answer_does_in_its_room_gains_it_nothing(demo: Assignment, name: str) -> None:
    done = run(demo, replace(LIMITS, cell_seconds=4), q1=GAINS[name])
    # Whoever breaks the kernel has a broken one for later questions, too.
    broken = any(word in name for word in ("respondent", "builtins"))
    tests, hidden = _of_question_1(done) if broken else q1(done)
    assert hidden in ("error", "stopped")
    assert tests in ("error", "stopped")


class _Lies:
    """Says it is a list, and has no end."""

    __class__ = property(lambda _: list)  # type: ignore[assignment]

    def __iter__(self) -> Any:
        return iter([1])


class _Exits:
    def __getattr__(self, name: str) -> Any:
        raise SystemExit(name)

    def __repr__(self) -> str:
        raise KeyboardInterrupt


class _Silent(Exception):  # noqa: N818 - a student's
    def __str__(self) -> str:
        raise SystemExit


class _Long(list[int]):
    def __len__(self) -> int:
        return 10**18


def _deep() -> list[Any]:
    found: list[Any] = []
    for _ in range(100_000):
        found = [found]
    return found


def _circular() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


def _raising() -> None:
    raise _Silent


@pytest.mark.parametrize(
    ("answer", "came"),
    [
        (_deep, RecursionError),
        (_circular, RecursionError),
        (_raising, Exception),
        (_Exits, Exception),
        (_Lies, [1]),
        (lambda: _Long([1]), [1]),
        (lambda: [10**5000], [10**5000]),
        (lambda: 1 << 10**8, ValueError),
    ],
)
def test_a_value_that_misbehaves_is_an_error_of_its_call(
    rooms: Rooms, answer: Any, came: Any
) -> None:
    asked = rooms.stand_in(answer)
    if isinstance(came, type):
        with pytest.raises(came):
            asked()
    else:
        assert same(asked(), came)
    assert same(rooms.stand_in(lambda: 1)(), 1)


GIVEN = [
    ("code", "import numpy as np"),
    ("markdown", "## Question 1: The largest (1 point)"),
    ("code", "### BEGIN SOLUTION\ndef largest(x):\n    return max(x)\n### END SOLUTION"),
    ("code", "# Public tests (1 point).\nx = [1, 5]\ngot = largest(x)\nassert got == max(x)"),
    ("markdown", "## Question 2: Backwards (1 point)\n\nWorks in place: nothing is returned."),
    ("code", "### BEGIN SOLUTION\ndef back(x):\n    x[:] = x[::-1]\n### END SOLUTION"),
    (
        "code",
        "# Public tests (1 point).\nfor x in [1, 5], np.arange(6):\n  back(x)\n  assert x[0] == 5",
    ),
]


@pytest.mark.homework
@pytest.mark.slow
def test_lists_that_tests_hand_over_stay_theirs_unless_the_question_is_of_them() -> None:
    assignment = make("given", course.handwritten(GIVEN))
    spoiling = "def largest(x):\n    x[:] = [0]\n    return 0"
    right = "def largest(x):\n    x.sort()\n    return x[-1]"
    for q1, status in ((spoiling, "error"), (right, "ok")):
        given = {"q1": q1, "q2": "def back(x):\n    x[:] = [*x][::-1]"}
        notebook, _ = restore(course.submission(assignment, given), assignment)
        results = runner.run(notebook, LIMITS).results
        assert (results["q1-tests"].status, results["q2-tests"].status) == (status, "ok")


def test_generators_and_axes_are_changed_in_any_case(rooms: Rooms) -> None:
    rooms.here.in_place = False
    rng, values = np.random.default_rng(1), [1, 2]
    draw = rooms.stand_in(lambda rng, values: (rng.random(), values.clear())[0])
    assert draw(rng, values) != draw(rng, values)
    assert values == [1, 2]


ENDLESS = """
from homework import examiner
from homework.examiner import Examiner
import asyncio, os
from pathlib import Path
async def main():
    with examiner.office() as office:
        mine = Examiner(office, Path("/"))
        print(mine.process, flush=True)
        await mine.run("while True: pass")
if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.slow
def test_tests_that_never_end_end_with_the_grader() -> None:
    grader = subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, cwd=ROOT)
    assert grader.stdout is not None
    mine = psutil.Process(int(grader.stdout.readline()))
    family = [mine, *mine.parents()[: mine.parents().index(psutil.Process(grader.pid))]]
    assert len(family) >= 3
    grader.kill()
    grader.wait()
    grader.stdout.close()
    _, alive = psutil.wait_procs(family, timeout=60)
    left = [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]
    for process in left:
        process.kill()
    assert left == []


def test_only_names_that_are_asked_for_are_taken_and_none_that_is_gone() -> None:
    """A helper of the tests is not the student's to give, nor is an earlier answer kept."""

    async def examined() -> list[Verdict]:
        given = '{"names": {"helper": 2, "answer": 3}}'
        with examiner.office() as office:
            mine = Examiner(office, Path("/"))
            try:
                return [
                    await mine.run("helper = 1"),
                    await mine.run("print(helper, answer)", ["answer"], given),
                    await mine.run("print(helper, answer)", ["answer"], '{"names": {}}'),
                ]
            finally:
                mine.stop()

    _, result, gone = asyncio.run(examined())
    assert (result.printed, result.error) == ("1 3\n", None)
    assert gone.error == ("NameError", "name 'answer' is not defined", "print(helper, answer)")


READERS = """
    import gc, json, os
    def found(text):
        places = []
        if text in json.dumps(globals().get("In", [])):
            places.append("In")
        if any(text in str(cell) for cell in get_ipython().history_manager.input_hist_raw):
            places.append("history")
        with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
            for line in maps:
                place, rights, *_ = line.split()
                if rights.startswith("rw") and "[v" not in line:
                    start, end = (int(part, 16) for part in place.split("-"))
                    try:
                        memory.seek(start)
                        held = memory.read(end - start)
                    except (OSError, ValueError):
                        continue
                    if text.encode() in held:
                        places.append(place)
        return places
"""


@pytest.mark.homework
@pytest.mark.slow
def test_no_line_of_a_hidden_test_is_in_the_students_room(demo: Assignment) -> None:
    """Nor in its memory; what is put together here, of halves, is found there."""
    half = len(course.HIDDEN_LINE) // 2
    text = f"{course.HIDDEN_LINE[:half]!r} + chr({ord(course.HIDDEN_LINE[half])})"
    text += f" + {course.HIDDEN_LINE[half + 1 :]!r}"
    own = (
        f"mine = ''.join(['dtviz', 'own', 'sign'])\nprint(len(found({text})), len(found(mine)) > 0)"
    )
    done = run(demo, q1=dedent(READERS) + course.RIGHT["q1"], q2=f"{own}\n{course.RIGHT['q2']}")
    assert q1(done) == ["ok", "ok"]
    cell = next(cell for cell in done.notebook.cells if cell.id == "q2-answer")
    # The text that is looked for, and nothing besides.
    assert cell.outputs[0].text.split()[1] == "True"
    assert int(cell.outputs[0].text.split()[0]) <= 2


@pytest.mark.homework
@pytest.mark.slow
def test_tests_that_end_their_process_cost_their_cell(demo: Assignment) -> None:
    """The next ones begin again, with what the earlier ones defined."""
    notebook, _ = restore(course.submission(demo, course.answers()), demo)
    cells = {cell.id: cell for cell in notebook.cells}
    cells["q1-tests"].source = "helper = 5\nimport os\nos._exit(1)"
    cells["q2-tests"].source = "import time\nlimit = 1\nassert answer\ntime.sleep(60)"
    cells["q2-hidden"].source = "assert answer == 385 and limit == 1"
    done = runner.run(notebook, Limits(cell_seconds=8, notebook_seconds=240))
    assert done.results["q1-tests"].reason == "the tests ended their process"
    assert done.results["q2-tests"].reason == "took longer than 8 seconds"
    assert done.results["q1-hidden"].status == "ok"
    assert done.results["q2-hidden"].status == "ok"
    assert done.results["q3-hidden"].status == "ok"
    assert [p for p in psutil.Process().children(recursive=True) if p.name() == "bwrap"] == []


@pytest.mark.homework
@pytest.mark.thorough
def test_an_endless_loop_takes_its_time_once(demo: Assignment) -> None:
    notebook, _ = restore(
        course.submission(demo, course.answers(q1="def average(values):\n    while True: pass")),
        demo,
    )
    place = next(k for k, cell in enumerate(notebook.cells) if cell.id == "q1-hidden")
    again = deepcopy(notebook.cells[place])
    again.id = again.metadata.nbgrader.grade_id = "q1-hidden-again"
    notebook.cells.insert(place + 1, again)
    start = time.monotonic()
    done = runner.run(notebook, replace(LIMITS, cell_seconds=4))
    assert q1(done) == ["stopped", "stopped"]
    late = [done.results[name].reason for name in ("q1-hidden", "q1-hidden-again")]
    assert late == ["took longer than 0.5 seconds"] * 2
    assert done.results["q1-tests"].reason == "took longer than 4 seconds"
    # A question that was stopped has no say in another's time.
    assert time.monotonic() - start < 30


@pytest.mark.homework
@pytest.mark.slow
def test_cells_of_ours_may_show_what_was_written_and_must_run_before(demo: Assignment) -> None:
    notebook, _ = restore(course.submission(demo, course.answers()), demo)
    cells = {cell.id: cell for cell in notebook.cells}
    shown = cells["q2"]
    shown.cell_type, shown.source = "code", "shown = 1\nprint(average([1, 2, 3]))"
    cells["q2-hidden"].source = "assert answer == 385 and shown == 1"
    done = runner.run(notebook, LIMITS)
    assert {name: r.status for name, r in done.results.items() if r.status != "ok"} == {}
    cells["setup"].source = "import no_such_module"
    with pytest.raises(RuntimeError, match="our own cell setup fails: ModuleNotFoundError"):
        runner.run(notebook, LIMITS)


def test_a_message_that_is_too_long_is_not_read() -> None:
    with pytest.raises(ValueError, match="a message of 16 MB, more than 16"):
        read('"' + "x" * LONGEST + '"')
    with pytest.raises(ValueError, match="a value of 16 MB"):
        written("x" * LONGEST)
