"""The command line as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["referee"]


def referee(*words: str, cwd: Path) -> tuple[int, str]:
    """Run the command line as a process of its own: exit code and all it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "referee", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "200"},
        check=False,
    )
    return done.returncode, done.stdout.decode()
