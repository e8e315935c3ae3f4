"""The verifier in JavaScript, run by Node: many archives at once, as starting it takes longer than most checks."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.house.sources import ROOT
from tests.needed import left_out

SCRIPT = ROOT / "templates" / "verify" / "node.mjs"
_MANY = Path(__file__).with_name("many.mjs")
_WHY = "this needs Node 18 or later (apt-get install nodejs)"


def node() -> str:
    """Node's program; skips the test, or fails it where real programs are required, without it."""
    found = shutil.which("node")
    left_out("" if found else _WHY)
    return found or ""


def verify(given: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What `verifyArchive` gives for each of these."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".json") as file:
        json.dump(list(given), file)
        file.flush()
        ran = subprocess.run([node(), str(_MANY), file.name], capture_output=True, check=True, timeout=300)
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found
