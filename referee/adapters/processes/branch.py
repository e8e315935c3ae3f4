"""A process forked from this one: it has loaded already what this one has, and shares its memory as long as neither writes."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Callable
from io import BufferedReader
from typing import IO, NoReturn
from weakref import WeakSet


class Branch:
    """The forked process as its parent sees it: the ends of its standard input and output, and its end."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self.pid = pid
        self.stdin: IO[bytes] | None = stdin
        self.stdout: IO[bytes] | None = stdout
        _branches.add(self)

    def let_go(self) -> None:
        """Close our ends, as a process does to which they came by a fork and to which it is no child."""
        for end in (self.stdin, self.stdout):
            if end is not None:
                end.close()

    def wait(self) -> int:
        """Its exit code, or the signal that ended it with a minus; waits until it has ended. To be called once."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


_branches: WeakSet[Branch] = WeakSet()
"""Those of this process. One of them hears that its parent hung up only when nobody else has the other end of its pipe."""


def branch_off(run: Callable[[BufferedReader], None]) -> Branch:
    """Fork; `run` is called in the new process with its standard input, and when it returns the process ends.

    For a process without other threads and without a database or connection open: both would have them, in no order.
    """
    (hears, tells), (listens, says) = os.pipe(), os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    # What is loaded stays. To look among it for rubbish would cost time, and copy what both share.
    gc.freeze()
    pid = os.fork()
    if pid == 0:
        os.close(tells)
        os.close(listens)
        for other in _branches:
            other.let_go()
        _live(run, hears, says)
    os.close(hears)
    os.close(says)
    return Branch(pid, os.fdopen(tells, "wb"), os.fdopen(listens, "rb"))


def _live(run: Callable[[BufferedReader], None], hears: int, says: int) -> NoReturn:
    """The life of the new process: it never returns into what its parent was at."""
    code = 1
    try:
        for end, standard in ((hears, 0), (says, 1)):
            os.dup2(end, standard)
            os.close(end)
        with open(0, "rb", closefd=False) as pipe:
            run(pipe)
        code = 0
    except BaseException:
        # As the interpreter does at the end of a program; here it would go on in the parent's.
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
