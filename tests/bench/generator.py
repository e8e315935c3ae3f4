"""The load generator's process as a benchmark sees it; `load` is what runs in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.bench import load

_PATIENCE = 120.0


class Generator:
    """Connected and waiting for the word. Raises RuntimeError when it does not come up."""

    def __init__(self, port: int, connections: int, parcels: Path) -> None:
        command = [sys.executable, str(Path(load.__file__)), str(port), str(connections), str(parcels)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self._line() != "ready":
            self._end()
            raise RuntimeError("the load generator did not come up")

    def go(self) -> float:
        """Have everything sent; the moment at which it began, on the monotonic clock that all processes share."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("go\n")
            self._process.stdin.flush()
            word, began, _ = [*self._line().split(), "", ""][:3]
            self._process.stdin.close()
            self._process.wait(_PATIENCE)
        finally:
            self._end()
        if word != "done":
            raise RuntimeError(f"the load generator failed: {word} {began}")
        return float(began)

    def _end(self) -> None:
        """However it came out, the process is not left behind."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()
