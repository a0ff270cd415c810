"""Execute a restored submission in the sandbox, and say of every cell what became of it.

A cell that must be stopped takes the kernel with it. The next one starts a new kernel, in which the
student's earlier cells run once more, so that one bad answer costs one question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from time import monotonic
from types import MappingProxyType
from typing import Any, Self

import nbformat
from nbformat import NotebookNode

from homework.findings import Finding
from homework.sandbox import Limits
from homework.session import Session, StoppedError, time_is_up

STOPPED = "Stopped"
ENDED = ("stopped", "skipped")


@dataclass(frozen=True)
class CellResult:
    """What became of a code cell.

    ``status`` is "ok", "error" (it raised), "stopped" (it passed a limit or ended its kernel) or
    "skipped" (the notebook's time was up). ``reason`` is a sentence for all but the first.
    """

    status: str
    reason: str = ""
    seconds: float = 0.0


@dataclass
class Executed:
    """A submission after its run.

    A test cell of ``notebook`` that passed has neither an error nor text on stderr among its
    outputs, and one that did not has exactly one error: that is how nbgrader reads a grade.
    """

    notebook: NotebookNode
    results: dict[str, CellResult] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "notebook": nbformat.writes(self.notebook),
            "results": {name: asdict(result) for name, result in self.results.items()},
            "findings": [asdict(finding) for finding in self.findings],
            "seconds": self.seconds,
        }

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Self:
        """What :meth:`to_dict` wrote."""
        return cls(
            nbformat.reads(record["notebook"], as_version=4),
            {name: CellResult(**result) for name, result in record["results"].items()},
            tuple(Finding(**finding) for finding in record["findings"]),
            record["seconds"],
        )


def run(
    notebook: NotebookNode,
    limits: Limits | None = None,
    *,
    sandboxed: bool = True,
    left_out: Mapping[str, str] = MappingProxyType({}),
    tell: Callable[[str], object] = lambda _: None,
) -> Executed:
    """Execute every code cell and try every passed test with a planted wrong answer.

    Parameters
    ----------
    notebook
        A restored submission, hidden tests included. It is not changed.
    limits
        What the submission may use; :class:`~homework.sandbox.Limits` by default.
    sandboxed
        False runs the code with all that you may do yourself: see :mod:`homework.sandbox`.
    left_out
        By the id of a cell, why it is not to be run: it counts as stopped.
    tell
        Called with the id of each cell before it is run.

    Raises
    ------
    SandboxUnavailable
        If a kernel does not start. Whether one may be had is for :func:`homework.sandbox.check`.
    """
    runner = _Runner(deepcopy(notebook), limits or Limits(), sandboxed=sandboxed)
    runner.left_out, runner.tell = left_out, tell
    # A thread of its own: the caller may be inside an event loop (a Jupyter server's, say).
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, runner.run()).result()


class _Runner:
    left_out: Mapping[str, str]
    tell: Callable[[str], object]

    def __init__(self, notebook: NotebookNode, limits: Limits, *, sandboxed: bool) -> None:
        self.notebook = notebook
        self.limits = limits
        self.sandboxed = sandboxed
        self.results: dict[str, CellResult] = {}
        self.findings: list[Finding] = []
        self.seen: set[str] = set()
        self.session: Session | None = None
        self.questions = _questions(notebook)
        self.refusable = tuple(
            sorted({name for question in self.questions for name in question["without"]})
        )

    async def run(self) -> Executed:
        start = monotonic()
        self.deadline = start + self.limits.notebook_seconds
        try:
            for index, cell in enumerate(self.notebook.cells):
                if cell.cell_type != "code":
                    continue
                cell.outputs, cell.execution_count = [], None
                result = await self._cell(index)
                self.results[cell.id] = result
                if result.status in ENDED:
                    self.findings.append(Finding("stopped", cell.id, result.reason))
                if _is_test(cell):
                    _tidy(cell, result)
        finally:
            await self._end()
        seconds = round(monotonic() - start, 3)
        return Executed(self.notebook, self.results, tuple(self.findings), seconds)

    async def _cell(self, index: int) -> CellResult:
        start = monotonic()
        if start > self.deadline:
            return CellResult("skipped", time_is_up(self.limits))
        cell = self.notebook.cells[index]
        if cell.id in self.left_out:
            return CellResult("stopped", self.left_out[cell.id])
        try:
            session = await self._ready(index)
            reply = await self._execute(session, cell, index)
            if reply["status"] == "ok" and _is_test(cell):
                await self._try_planted(session, index)
            await self._look(session, cell.id)
        except StoppedError as stopped:
            await self._end()
            return CellResult("stopped", str(stopped), round(monotonic() - start, 3))
        seconds = round(monotonic() - start, 3)
        if reply["status"] == "ok":
            return CellResult("ok", "", seconds)
        return CellResult("error", f"{reply['ename']}: {reply['evalue']}"[:500], seconds)

    async def _execute(self, session: Session, cell: NotebookNode, index: int) -> dict[str, Any]:
        self.tell(cell.id)
        question = self.questions[index]
        # In cells of their own students may compare with the library.
        without = question["without"] if "nbgrader" in cell.metadata else []
        await session.ask(f"refuse({question['question']!r}, {without!r})")
        return await session.execute(cell, index)

    async def _ready(self, index: int) -> Session:
        """Return a kernel in which the student's cells before ``index`` have run."""
        while self.session is None:
            self.session = Session(self.limits, self.deadline)
            await self.session.start(self.notebook, self.refusable, sandboxed=self.sandboxed)
            for before, cell in enumerate(self.notebook.cells[:index]):
                result = self.results.get(cell.id)
                if result is None or result.status in ENDED or _is_test(cell):
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
        if session is not None:
            await session.stop()

    async def _look(self, session: Session, cell: str) -> None:
        """Ask whether anything that tests rely on was changed."""
        changes = await session.ask("changed()")
        if not isinstance(changes, list) or not all(isinstance(told, str) for told in changes):
            changes = ["what watches over the tests is gone"]
        for change in changes:
            if change not in self.seen:
                self.seen.add(change)
                self.findings.append(Finding("suspicious", cell, change))

    async def _try_planted(self, session: Session, index: int) -> None:
        """Run a passed test again with a wrong answer in place: it must fail."""
        cell = deepcopy(self.notebook.cells[index])
        await session.ask(f"plant({self.questions[index]['asks']!r})")
        reply = await session.execute(cell, index)
        await session.ask("restore()")
        if reply["status"] == "ok":
            self.findings.append(
                Finding("suspicious", cell.id, "this test passes with a wrong answer as well")
            )


def _questions(notebook: NotebookNode) -> list[dict[str, Any]]:
    """For every cell, what its question asks for: that of the answer cell before it."""
    question: dict[str, Any] = {"question": "", "asks": [], "without": []}
    found = []
    for cell in notebook.cells:
        question = cell.metadata.get("dtviz", question)
        found.append(question)
    return found


def _is_test(cell: NotebookNode) -> bool:
    told = cell.metadata.get("nbgrader", {})
    return bool(cell.cell_type == "code" and told.get("grade") and not told.get("solution"))


def _tidy(cell: NotebookNode, result: CellResult) -> None:
    """Outputs of a test cell, so that nbgrader reads the grade from them that it earned."""
    errors = [output for output in cell.outputs if output.output_type == "error"]
    cell.outputs = [output for output in cell.outputs if output.output_type != "error"]
    for output in cell.outputs:
        if output.output_type == "stream":
            output.name = "stdout"
        elif output.output_type == "execute_result":
            # nbgrader takes a number shown by a test for a part of the points.
            output.output_type = "display_data"
            del output["execution_count"]
    if result.status == "error" and errors:
        cell.outputs.append(errors[-1])
    elif result.status != "ok":
        name = result.reason.partition(":")[0] if result.status == "error" else STOPPED
        cell.outputs.append(
            nbformat.v4.new_output("error", ename=name, evalue=result.reason, traceback=[])
        )
