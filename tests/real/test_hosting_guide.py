"""docs/hosting.md on a bare Debian: each line is run, with Debian's pipx and Postfix, until a match is open."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT
from tests.needed import left_out
from tests.real.bare_debian import NO_PACKAGES
from tests.real.machine import needs


@pytest.mark.slow
def test_every_line_of_the_guide(tmp_path: Path) -> None:
    needs("apt-get", "adduser", "postfix", "unshare", "systemd-analyze", "ip")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    shutil.copy(ROOT / "docs" / "hosting" / "constraints.txt", tmp_path)
    command = ["unshare", "--mount", sys.executable, "-m", "tests.real.bare_debian", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print(f"\n{done.stdout}")
    left_out(NO_PACKAGES if NO_PACKAGES in done.stderr else "")
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.endswith("a match is open\n")
