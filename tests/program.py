"""The program as a process of its own, forked from one that has loaded it: to load it anew takes two seconds each time.

Each process that runs tests has one such server of forks, begun with the first program it asks for. What runs is the same
as of `python -m referee`, in a session of its own, with the standard input, output and errors it is given; and where the
environment has something else for the interpreter, it is that very command.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import IO, Any

from referee.__main__ import main
from tests.steady import STEADY, steady_dice
from tests.watch import WATCH, go_by

_ROOT = Path(__file__).parent.parent

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.loaded"])


class Program:
    """`referee` with these words, begun at once. Its output can be read from `stdout`, as a subprocess's can."""

    def __init__(
        self,
        *words: str,
        stdin: IO[bytes] | None = None,
        stderr: IO[bytes] | int = 2,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """`env` is all that stands in its environment; None for what stands in ours.

        Errors go to `stderr`: a file, one that is open under this number, or subprocess.STDOUT.
        """
        reads, writes = os.pipe()
        with Path(os.devnull).open("rb") as nothing:
            errors = stderr if isinstance(stderr, int) else stderr.fileno()
            standard = _Standard((stdin or nothing).fileno(), writes, writes if errors == subprocess.STDOUT else errors)
            around = _Around(str(cwd or Path.cwd()), dict(os.environ if env is None else env), _umask())
            self._process = _FORKS.Process(target=_live, args=(words, standard, around), daemon=True)
            with chdir(_ROOT), _python_as_at_first():  # where the server of forks finds what it loads first
                self._process.start()
        os.close(writes)
        self.stdout = os.fdopen(reads, encoding="utf-8")
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    @property
    def returncode(self) -> int | None:
        """Its exit code, or the signal that ended it with a minus; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """Its exit code if it has ended."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("referee", timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send it a signal; one that has ended, of which we may not have heard yet, gets none."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        self.wait()


class _Standard:
    """The descriptors of standard input, output and errors, on their way to another process."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = numbers

    def __getstate__(self) -> dict[str, Any]:
        return {"_sent": [DupFd(number) for number in self._numbers]}

    def take(self) -> None:
        """Make them those of this process."""
        for standard, sent in enumerate(self.__dict__["_sent"]):
            number = sent.detach()
            os.dup2(number, standard)
            os.close(number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for the life of the process


@dataclass(frozen=True)
class _Around:
    """What a process has from the one that begins it."""

    folder: str
    environment: dict[str, str]
    umask: int

    def take(self) -> None:
        """Make it that of this process."""
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.environment)
        os.umask(self.umask)


def _umask() -> int:
    """Ours, which can only be read by setting it."""
    os.umask(ours := os.umask(0o077))
    return ours


def _live(words: tuple[str, ...], standard: _Standard, around: _Around) -> None:
    """The life of the new process."""
    before = _of_python()
    os.setsid()
    standard.take()
    around.take()
    if os.environ.get(STEADY):
        steady_dice()
    if WATCH in os.environ:
        go_by(Path(os.environ[WATCH]))
    if _of_python() != before:  # an interpreter hears of these when it begins
        os.execv(sys.executable, [sys.executable, "-m", "referee", *words])
    sys.argv = ["referee", *words]
    main()


@contextmanager
def _python_as_at_first() -> Iterator[None]:
    """The server of forks begins with the first program; what that one tells its interpreter is not for those after it."""
    now = _of_python()
    for name in now.keys() | _AT_FIRST.keys():
        os.environ.pop(name, None)
    os.environ.update(_AT_FIRST)
    try:
        yield
    finally:
        for name in _AT_FIRST:
            os.environ.pop(name, None)
        os.environ.update(now)


def _of_python() -> dict[str, str]:
    """What our environment tells an interpreter, such as where to look for modules."""
    return {name: value for name, value in os.environ.items() if name.startswith("PYTHON")}


_AT_FIRST = _of_python()
