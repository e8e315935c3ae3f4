"""A process of our own that is rung for work and tells what came of it, and is started again when it dies.

Both ends are pipes, so nobody asks twice: the child hears the bell the moment it is rung, and the end of the pipe when
its parent is gone, however it went. What the child is told at first (its settings) goes down the same pipe.
Whoever ends the whole group with a signal means the parent, which hangs up once it has ended the rest in good order.
"""

from __future__ import annotations

import logging
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from io import BufferedReader
from typing import Any

from referee.adapters.processes.branch import Branch, branch_off
from referee.adapters.processes.ending import born_deaf
from referee.service.base.office import log_failure

_log = logging.getLogger(__name__)
_SHORTEST, _LONGEST = 0.1, 10.0
"""Seconds before a child that died is started again: longer each time, as long as none says a word."""


class Child:
    """Runs `python -m module` and hands it `told`; each line it says is given to `heard`, in a thread of its own."""

    def __init__(self, module: str, told: Any, heard: Callable[[str], None]) -> None:
        self._module = module
        self._branch: Branch | None = None
        self._told = pickle.dumps(told)
        self._heard = heard
        self._process: subprocess.Popen[bytes] | Branch | None = None
        self._using = threading.Lock()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._keep_alive, name="child", daemon=True)

    @property
    def pid(self) -> int:
        """The process that works now; 0 between two."""
        with self._using:
            return self._process.pid if self._process else 0

    def branch_off(self) -> None:
        """Fork the first process from this one, for `start`: it need not load anew what is loaded here.

        The module's `main` is given its standard input then. For a process that has just begun (see `branch_off` of
        adapters.branch); one that dies later is followed by a new one, as ever.
        """
        with born_deaf():
            self._branch = branch_off(lambda pipe: import_module(self._module).main(pipe))

    def start(self) -> None:
        """Start the process; returns before it is ready. What is rung meanwhile it hears then."""
        self._spawn()
        self._thread.start()

    def wake(self) -> None:
        """Ring the bell. Returns at once; may be called from any thread."""
        with self._using:
            if self._process is not None and self._process.stdin is not None:
                # A full pipe has rung long enough; one without a reader is that of a dead child, whose successor looks.
                with suppress(BlockingIOError, BrokenPipeError):
                    os.write(self._process.stdin.fileno(), b"\n")

    def end(self, pid: int) -> None:
        """End the process at once, if it is this one still; another follows it."""
        with self._using:
            if self._process is not None and self._process.pid == pid:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def leave(self) -> None:
        """Let it finish what is under way and end; returns at once."""
        self._ending.set()
        self._hang_up()

    def stop(self) -> None:
        """Let it finish what is under way, and wait for its end."""
        self.leave()
        if self._thread.is_alive():
            self._thread.join()

    def _spawn(self) -> None:
        process, self._branch = self._branch or self._program(), None
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            process.stdin.write(self._told)
            process.stdin.flush()
        os.set_blocking(process.stdin.fileno(), False)
        with self._using:
            self._process = process
        if self._ending.is_set():
            self._hang_up()

    def _program(self) -> subprocess.Popen[bytes]:
        with born_deaf():
            command = [sys.executable, "-m", self._module]
            return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _hang_up(self) -> None:
        with self._using:
            if self._process is not None and self._process.stdin is not None:
                with suppress(BrokenPipeError):
                    self._process.stdin.close()
                self._process.stdin = None

    def _keep_alive(self) -> None:
        pause = _SHORTEST
        while True:
            said = self._listen()
            if self._ending.is_set():
                return
            pause = _SHORTEST if said else min(2 * pause, _LONGEST)
            if self._ending.wait(pause):
                return
            self._spawn()

    def _listen(self) -> int:
        """Hear the child out, and bury it; how many lines it said."""
        process, said = self._process, 0
        assert process is not None and process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                said += 1
                self._hear(line.decode().strip())
        self._hang_up()
        code = process.wait()
        if not self._ending.is_set():
            _log.error("%s ended with code %d; it is started again", self._module, code)
        return said

    def _hear(self, line: str) -> None:
        try:
            self._heard(line)
        except Exception as problem:
            # Whoever was to hear of it looks again by himself; the child must be heard out all the same.
            log_failure(_log, problem, "what the child said could not be passed on: %s", line)


class Bell:
    """The child's end: what it was told first, then a ring for each piece of work, then the end."""

    def __init__(self, pipe: BufferedReader) -> None:
        self._pipe = pipe

    def told(self) -> Any:
        """What the parent gave to its child at the start. Raises EOFError when the parent died before."""
        return pickle.load(self._pipe)

    def outlasts(self, wait: Callable[[], object]) -> bool:
        """Call `wait` in a thread and wait for it; False when the parent hung up first, and the child is to end."""
        came: list[object] = []
        done, tell = os.pipe()

        def waited() -> None:
            try:
                came.append(wait())
            finally:
                os.close(tell)

        threading.Thread(target=waited, name="waiting", daemon=True).start()
        either = select.poll()
        for end in (done, self._pipe.fileno()):
            either.register(end, 0)  # that the other end is closed is always told
        either.poll()
        os.close(done)
        return bool(came)

    def listen(self, rung: Callable[[], None]) -> None:
        """Call `rung` for each ring, several at once as one, until the parent hangs up or is dead."""
        while self._pipe.read1(65_536):
            rung()


def say(line: str) -> None:
    """Tell the parent a line; whether it still hears does not matter."""
    with suppress(BrokenPipeError):
        os.write(1, f"{line}\n".encode())
