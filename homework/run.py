"""Execute a restored submission in the sandbox, and say of every cell what became of it.

The student's cells run in a kernel, and the tests in a process of their own, which calls what the
student wrote. A cell that must be stopped takes both with it. The next one starts new ones, in
which the earlier cells run once more, so that one bad answer costs one question. What is stopped
though it passes without the answers to other questions shows that one of those left something
behind: from then on each question has a kernel of its own.
"""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext, suppress
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any, Self

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output

from homework import examiner, sandbox
from homework.bubblewrap import USUAL, Limits
from homework.child_process import EndedError
from homework.examiner import Examiner, Verdict
from homework.findings import Finding
from homework.session import Ask, Session, StoppedError, time_is_up

RAISED = "Raised by the answer: "
"""Begins the last line of a traceback that ends in the student's code; that line of it follows."""
STOPPED = "Stopped"
"""The name of an error that a limit makes of a test."""
ENDED = ("stopped", "skipped")
LATER = 8
"""The part of a cell's time that tests have after one of their question was stopped."""


@dataclass(frozen=True)
class CellResult:
    """What became of a code cell.

    ``status`` is "ok", "error" (it raised), "broken" (a test of ours raised by its own fault),
    "stopped" (it passed a limit or ended its kernel) or "skipped" (the notebook's time was up).
    ``reason`` is a sentence for all but the first.
    """

    status: str
    reason: str = ""


@dataclass
class Executed:
    """A submission after its run.

    A test cell of ``notebook`` that passed has no error among its outputs, and one that did not has
    exactly one: that is how nbgrader reads a grade.
    """

    notebook: NotebookNode
    results: dict[str, CellResult] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it, without what was found."""
        return {
            "notebook": nbformat.writes(self.notebook),
            "results": {name: asdict(result) for name, result in self.results.items()},
        }

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Self:
        """What :meth:`to_dict` wrote."""
        return cls(
            nbformat.reads(record["notebook"], as_version=4),
            {name: CellResult(**info) for name, info in record["results"].items()},
        )


def run(  # noqa: PLR0913 - half are by keyword
    notebook: NotebookNode,
    limits: Limits = USUAL,
    *,
    files: Iterable[tuple[str, bytes]] = (),
    left_out: Mapping[str, str] = MappingProxyType({}),
    report: Callable[[str], object] = lambda _: None,
    office: Connection | None = None,
) -> Executed:
    """Execute every code cell of a restored submission, those of its tests included.

    ``files`` are put where cells and tests run. Cells ``left_out``, by id with the reason why,
    count as stopped. ``report`` is called with the id of each cell before it is run. ``office`` is
    where examiners are had, if the caller has one.

    Raises
    ------
    SandboxUnavailable
        If a kernel does not start. Whether one may be had is for :func:`homework.sandbox.check`.
    """
    with (
        nullcontext(office) if office else examiner.office(limits.memory + 2**30) as given,
        sandbox.folder() as (data, _),
    ):
        for name, content in files:
            (data / name).write_bytes(content)
            (data / name).chmod(0o644)
        runner = _Runner(deepcopy(notebook), limits, left_out, report, given, data)
        return asyncio.run(runner.run())


@dataclass
class _Runner:
    notebook: NotebookNode
    limits: Limits
    left_out: Mapping[str, str]
    report: Callable[[str], object]
    office: Connection
    data: Path
    results: dict[str, CellResult] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    session: Session | None = None
    examiner: Examiner | None = None
    shown: int = 0
    """How many cells the examiner has seen."""
    unseen: set[str] = field(default_factory=set)
    """Tests that end their process."""
    broken: dict[str, str] = field(default_factory=dict)
    """Tests that fail by a fault of ours, and which."""
    apart: bool = False
    """Whether each question has a kernel without the answers to others."""
    apart_for: str = ""
    tried_apart: set[str] = field(default_factory=set)

    async def run(self) -> Executed:
        self.questions = _questions(self.notebook)
        self.deadline = monotonic() + self.limits.notebook_seconds
        try:
            for index, cell in enumerate(self.notebook.cells):
                if cell.cell_type != "code":
                    continue
                cell.outputs, cell.execution_count = [], None
                result = await self._cell(index)
                self.results[cell.id] = result
                if result.status in ENDED:
                    self.findings.append(Finding("stopped", cell.id, result.reason))
                if _is_test(cell) and result.status in ENDED:
                    cell.outputs = [_error(STOPPED, result.reason, [])]
        finally:
            await self._end()
        return Executed(self.notebook, self.results, tuple(self.findings))

    async def _cell(self, index: int) -> CellResult:
        if monotonic() > self.deadline:
            return CellResult("skipped", time_is_up(self.limits))
        cell = self.notebook.cells[index]
        if cell.id in self.left_out:
            return CellResult("stopped", self.left_out[cell.id])
        result = await self._run(index)
        if result.status != "stopped" or not self._may_try_apart(index):
            return result
        # Something that an earlier answer left behind may have ended it.
        self.apart, cell.outputs = True, []
        again = await self._run(index)
        self.apart = again.status == "ok"
        if not self.apart:
            await self._end()
        return again if self.apart else result

    def _may_try_apart(self, index: int) -> bool:
        """Whether a cell that was stopped runs once more without the answers to other questions.

        Once for each question, and never in the second half of the time: loops must not take it.
        """
        question = self.questions[index]["question"]
        others = {each["question"] for each in self.questions[:index]} - {"", question}
        in_time = monotonic() < self.deadline - self.limits.notebook_seconds / 2
        if self.apart or question in self.tried_apart or not others or not in_time:
            return False
        self.tried_apart.add(question)
        return True

    async def _run(self, index: int) -> CellResult:
        cell = self.notebook.cells[index]
        try:
            session = await self._ready(index)
            error = await (self._try if _is_test(cell) else self._execute)(session, cell, index)
        except StoppedError as stopped:
            await self._end()
            return CellResult("stopped", str(stopped))
        if cell.id in self.broken:
            return CellResult("broken", self.broken[cell.id])
        return CellResult("error", error[:500]) if error else CellResult("ok")

    async def _execute(self, session: Session, cell: NotebookNode, index: int) -> str:
        """Run a cell in the kernel, and return what it raised."""
        # Some notebooks end in very many.
        if not cell.source.strip():
            return ""
        self.report(cell.id)
        return await session.execute(cell, index)

    async def _try(self, session: Session, cell: NotebookNode, index: int) -> str:
        """Run a test, and return what it raised."""
        self.report(cell.id)
        question = self.questions[index]
        asked = list(question["asks"])
        mine = await self._examiner(index)

        async def examine(names: str, ask: Ask) -> Verdict:
            try:
                in_place = question.get("in_place", False)
                return await mine.run(cell.source, asked, names, ask, in_place=in_place)
            except EndedError as error:
                raise StoppedError(str(error)) from error

        session.watch_also(mine.process)
        verdict = await session.serve(asked, examine, self._patience(index))
        cell.outputs = [new_output("stream", text=verdict.printed)] if verdict.printed else []
        if verdict.error is None and verdict.value is not None:
            worth = float(cell.metadata.nbgrader.points)
            info = {"text/plain": f"{min(max(verdict.value, 0.0), worth):g}"}
            cell.outputs.append(new_output("execute_result", info, execution_count=1))
        if verdict.error is None:
            return ""
        name, message, line = verdict.error
        lines = [line, f"{name}: {message}"]
        if verdict.theirs is not None:
            # Its kernel may say anything: what is no line of the student's is not shown.
            theirs = [of.source for of in self.notebook.cells if not _is_ours(of)]
            known = {line.strip() for source in theirs for line in source.splitlines()}
            lines.append(RAISED + (verdict.theirs if verdict.theirs in known else ""))
        cell.outputs.append(_error(name, message, lines))
        if verdict.unknown and verdict.unknown not in _bound(self.notebook):
            self.broken[cell.id] = f"{name}: {message}, in the line {line!r}"
        return f"{name}: {message}"

    def _patience(self, index: int) -> float:
        """How long a test may take: less, where one of the same question took too long already.

        Hidden tests are many, and an endless loop must not take the time of other questions.
        """
        before = zip(self.questions[:index], self.notebook.cells[:index], strict=True)
        late = any(
            question is self.questions[index]
            and _is_test(cell)
            and self.results[cell.id].status == "stopped"
            for question, cell in before
        )
        return self.limits.cell_seconds / (LATER if late else 1)

    async def _examiner(self, index: int) -> Examiner:
        """Return an examiner to whom our cells before ``index`` have been shown."""
        while True:
            if self.examiner is None:
                self.examiner, self.shown = Examiner(self.office, self.data), 0
            try:
                while self.shown < index:
                    shown = self._show(self.examiner, self.shown)
                    await asyncio.wait_for(shown, self.limits.cell_seconds)
                    self.shown += 1
            except (EndedError, TimeoutError):
                # Whatever the cell defines, the next examiner has to do without.
                self.unseen.add(self.notebook.cells[self.shown].id)
                self.examiner.stop()
                self.examiner = None
            else:
                self.shown += 1
                return self.examiner

    async def _show(self, mine: Examiner, place: int) -> None:
        """Run a cell of ours; tests of before define what later ones use, and can ask nobody."""
        cell = self.notebook.cells[place]
        if cell.cell_type != "code" or not _is_ours(cell) or cell.id in self.unseen:
            return
        verdict = await mine.run(cell.source)
        # After the first answer, a cell of ours may be there to show what the student wrote.
        if verdict.error and not self.questions[place]["question"]:
            raise RuntimeError(f"our own cell {cell.id} fails: {': '.join(verdict.error[:2])}")

    async def _ready(self, index: int) -> Session:
        """Return a kernel in which the student's cells before ``index`` have run."""
        question = self.questions[index]["question"]
        if self.apart and self.apart_for != question:
            await self._end()
        self.apart_for = question
        while self.session is None:
            self.session = Session(self.limits, self.deadline, self.data)
            await self.session.start(self.notebook)
            for before, cell in enumerate(self.notebook.cells[:index]):
                result = self.results.get(cell.id)
                if result is None or result.status in ENDED or _is_test(cell):
                    continue
                if self.apart and self.questions[before]["question"] not in ("", question):
                    continue
                try:
                    await self._execute(self.session, deepcopy(cell), before)
                except StoppedError as stopped:
                    # It went well the first time; from now on it is left out.
                    self.results[cell.id] = CellResult("stopped", str(stopped))
                    await self._end()
                    if monotonic() > self.deadline:
                        raise
                    break
        return self.session

    async def _end(self) -> None:
        session, self.session = self.session, None
        mine, self.examiner = self.examiner, None
        if mine is not None:
            mine.stop()
        if session is not None:
            await session.stop()


def _questions(notebook: NotebookNode) -> list[dict[str, Any]]:
    """For every cell, what its question asks for: that of the answer cell before it."""
    question: dict[str, Any] = {"question": "", "asks": [], "without": []}
    found = []
    for cell in notebook.cells:
        question = cell.metadata.get("dtviz", question)
        found.append(question)
    return found


def _bound(notebook: NotebookNode) -> set[str]:
    """Names that our cells define, which one of them may not have reached."""
    found: set[str] = set()
    for cell in notebook.cells:
        with suppress(SyntaxError):
            tree = ast.parse(cell.source if cell.cell_type == "code" and _is_ours(cell) else "")
            for node in ast.walk(tree):
                match node:
                    case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name):
                        found.add(name)
                    case ast.alias(name=name, asname=other):
                        found.add(other or name.partition(".")[0])
                    case ast.ClassDef(name=name):
                        found.add(name)
    return found


def _is_test(cell: NotebookNode) -> bool:
    info = cell.metadata.get("nbgrader", {})
    return bool(cell.cell_type == "code" and info.get("grade") and not info.get("solution"))


def _is_ours(cell: NotebookNode) -> bool:
    return not cell.metadata.get("nbgrader", {}).get("solution", True)


def _error(name: str, message: str, lines: list[str]) -> NotebookNode:
    """What nbgrader takes for a failed test."""
    made: NotebookNode = new_output("error", ename=name, evalue=message, traceback=lines)
    return made
