"""The command line as a process of its own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.program import Program


def referee(*words: str, cwd: Path) -> tuple[int, str]:
    """Run the command line as a process of its own: exit code and all it printed."""
    with Program(*words, stderr=subprocess.STDOUT, cwd=cwd, env={**os.environ, "COLUMNS": "200"}) as program:
        said = program.stdout.read()
    return program.wait(), said
