"""Long runs: seconds and bytes measured letter by letter in a process of its own, and the coverage-guided fuzzer."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.hostile import HOSTILE, ODD

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "letters" / "corpus"
SECONDS_OF_FUZZING = int(os.environ.get("FUZZ_SECONDS", "60"))

MEASURE = """
import resource, sys
from tests.fuzz.hostile import HOSTILE, ODD
from tests.letters.reading import said
said(HOSTILE["orders"](2_000))
raw = (HOSTILE | ODD)[sys.argv[1]](int(sys.argv[2]))
def used():
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime, own.ru_maxrss
before = used()
said(raw)
after = used()
print(after[0] - before[0], (after[1] - before[1]) / 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE | ODD)
@pytest.mark.parametrize("size", [1_000_000, 4_000_000])
def test_no_letter_takes_two_seconds_or_200_megabytes(name: str, size: int) -> None:
    """Letters of up to a megabyte are read by default; what is larger is refused, but must be looked at to be."""
    command = [sys.executable, "-c", MEASURE, name, str(size)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    seconds, megabytes = map(float, done.stdout.split())
    assert seconds < 2
    assert megabytes < 200


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_ten_megabytes_take_no_longer_than_what_is_read_of_them(name: str) -> None:
    """Under a second where nothing else runs; twice that is borne."""
    command = [sys.executable, "-c", MEASURE, name, "10000000"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert float(done.stdout.split()[0]) < 2


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
def test_a_coverage_guided_search_finds_nothing(tmp_path: Path) -> None:
    """A minute by default; FUZZ_SECONDS sets another length. A find is left in the test's folder."""
    (tmp_path / "found").mkdir()
    limits = [f"-max_total_time={SECONDS_OF_FUZZING}", f"-artifact_prefix={tmp_path}/"]
    command = [sys.executable, "-m", "tests.fuzz.guided", *limits, str(tmp_path / "found"), str(CORPUS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS_OF_FUZZING + 120)
    finds = [path.name for path in tmp_path.iterdir() if path.is_file()]
    assert (done.returncode, finds) == (0, []), done.stderr[-3000:]
    assert "DONE" in done.stderr or "Done" in done.stderr, "the search itself did not run"
