"""Making the atlas: stages that survive, files that are whole, arguments that are refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from support.site import ROOT

from atlas import making
from atlas.__main__ import main
from atlas.stages import Stages, alone, packed

SMALL = """
import sys
from pathlib import Path
from atlas import making
making.MAX_N, making.BLOCK = 4, 16
making.make(making.Place(*map(Path, sys.argv[1:4])), processes=2, sample=1, quiet=True)
"""


@pytest.fixture
def small(monkeypatch):
    """An atlas of up to 3 variables and of the classes of 4, in 14 stages of those."""
    monkeypatch.setattr(making, "MAX_N", 4)
    monkeypatch.setattr(making, "BLOCK", 16)
    # In this process: nothing to start.
    monkeypatch.setattr(making, "_compute", here)


def here(stages, missing, processes, *, quiet):
    assert processes == 1
    assert quiet
    for job in missing:
        making.compute(stages, job)


def made(place):
    said = []
    making.make(place, sample=1, quiet=True, say=said.append)
    return said, {p.name: p.read_bytes() for p in sorted(place.data.iterdir())}


@pytest.mark.usefixtures("small")
def test_a_run_goes_on_where_another_was_stopped(tmp_path):
    place = making.Place(tmp_path / "to", tmp_path / "to", tmp_path / "work")
    said, first = made(place)
    assert [*first] == ["atlas.json", "classes.npz", "functions.npz"]
    assert "n = 4: 222 classes of 65,536 functions agree." in said
    stages = sorted(place.work.glob("*.stage"))
    assert len(stages) == 3 + 3 + 14

    # Nothing is computed twice, and the same bytes come out.
    written = {path: path.stat().st_mtime_ns for path in stages}
    said, again = made(place)
    assert said[0] == "20 of 20 stages are there already."
    assert again == first
    assert written == {path: path.stat().st_mtime_ns for path in stages}

    # One gone, one cut off, one with a wrong bit, one in another's place, one of an old program.
    gone, cut, bit, other, old = stages[:5]
    gone.unlink()
    cut.write_bytes(cut.read_bytes()[:-7])
    spoilt = bytearray(bit.read_bytes())
    spoilt[len(spoilt) // 2] ^= 1
    bit.write_bytes(spoilt)
    other.write_bytes(stages[6].read_bytes())
    old.write_bytes(b"0" * 64 + old.read_bytes()[64:])
    (place.work / ".half.stage.x.part").write_bytes(b"left by a run that was killed")
    said, again = made(place)
    assert [line for line in said if "damaged" in line] == [
        f"{path} is damaged, and is computed again." for path in (cut, bit, other)
    ]
    assert "1 stages are of an earlier program, and are computed again." in said
    assert "15 of 20 stages are there already." in said
    assert again == first
    assert not [*place.work.glob(".*.part")]


@pytest.mark.usefixtures("small")
def test_what_does_not_agree_is_not_written(tmp_path, monkeypatch):
    place = making.Place(tmp_path / "to", tmp_path / "to", tmp_path / "work")
    monkeypatch.setitem(making.checks.CLASSES, 4, 221)
    with pytest.raises(AssertionError, match="n = 4: classes must be 221, got 222"):
        made(place)
    assert not place.data.exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_killed_run_leaves_whole_stages_and_no_process(tmp_path):
    work = tmp_path / "work"
    command = [sys.executable, "-c", SMALL, *(str(tmp_path / k) for k in ("to", "to", "work"))]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
    try:
        while len([*work.glob("*.stage")]) < 2 and run.poll() is None:
            time.sleep(0.005)
    finally:
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
    assert run.returncode == -signal.SIGKILL
    assert not (tmp_path / "to").exists()
    wait_for_the_end_of(run.pid)
    before = len([*work.glob("*.stage")])
    assert 2 <= before <= 20
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert f"{before} of 20 stages are there already." in done.stdout or before == 20
    assert "damaged" not in done.stdout
    assert (tmp_path / "to" / "atlas.json").exists()


def wait_for_the_end_of(session):
    """All processes of a session, which end with the one that started them."""
    for _ in range(400):
        try:
            os.killpg(session, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("processes of a killed run must end")


def test_two_runs_at_once_are_refused(tmp_path):
    pytest.importorskip("fcntl")
    with alone(tmp_path), pytest.raises(ValueError, match="no other run is using"), alone(tmp_path):
        pass
    with alone(tmp_path):
        pass


def test_stages_and_tables_hold_what_was_put_in(tmp_path):
    stages = Stages(tmp_path)
    table = {"a": np.arange(5, dtype=np.uint8), "b": np.ones((5, 2), dtype=np.uint16)}
    assert stages.read("x") == (None, "")
    stages.write("x", table)
    found, why = stages.read("x")
    assert why == ""
    (tmp_path / "packed.npz").write_bytes(packed(table))
    for again in (found, making.read(tmp_path / "packed.npz")):
        assert {name: column.tolist() for name, column in again.items()} == {
            name: column.tolist() for name, column in table.items()
        }
        assert [column.dtype for column in again.values()] == [np.uint8, np.uint16]
    assert packed(table) == packed(dict(table))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--processes", "0"], "--processes: must be a whole number from 1 to 256, got '0'"),
        (["--processes", "two"], "--processes: must be a whole number from 1 to 256, got 'two'"),
        (["--sample", "-1"], "--sample: must be a whole number from 0 to 10000, got '-1'"),
        (["--to", "{file}"], "--to: must be a folder or a path where one can be made, got"),
        (["--work", "{file}/below"], "--work: must be a folder or a path where one can be made"),
        (["--work", ""], "--work: must be a folder or a path where one can be made, got ''"),
        (["--fast"], "unrecognized arguments: --fast"),
    ],
)
def test_bad_arguments_are_refused(arguments, complaint, tmp_path, capsys):
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SystemExit) as stopped:
        main([argument.format(file=file) for argument in arguments])
    assert stopped.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (AssertionError("n = 4: a sum"), 1, "atlas: n = 4: a sum. Nothing has been written."),
        (PermissionError("no room"), 2, "atlas: no room"),
        (KeyboardInterrupt(), 130, "The same command goes on from here."),
    ],
)
def test_what_goes_wrong_is_said(error, code, said, monkeypatch, capsys):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("atlas.__main__.make", fail)
    assert main([]) == code
    assert said in capsys.readouterr().err
