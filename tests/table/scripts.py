"""The page's scripts run by Node, without a page."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from tests.house.sources import ROOT
from tests.verify.node import node

FOLDER = ROOT / "templates" / "table"


def run(scripts: Sequence[str], program: str, given: Any) -> Any:
    """What a program with `given` in its hands returns, after these scripts."""
    needs = "".join(f"require({json.dumps(str(FOLDER / name))});" for name in scripts)
    told = f"(async () => {{ {program} }})().then((found) => console.log(JSON.stringify(found)));"
    whole = f"{needs} const given = {json.dumps(given)}; {told}"
    ran = subprocess.run([node(), "-"], input=whole, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(ran.stdout)
