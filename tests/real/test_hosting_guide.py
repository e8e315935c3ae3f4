"""Lines of docs/hosting.md and docs/scale.md are run on Debian: with its pipx and Postfix, and with its PostgreSQL."""

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
from tests.test_guides import blocks

POSTGRESQL = """
mount --make-rprivate /; mount -t tmpfs tmpfs /mnt
for folder in /etc /var; do
  mkdir -p /mnt$folder/upper /mnt$folder/work
  mount -t overlay overlay -o lowerdir=$folder,upperdir=/mnt$folder/upper,workdir=/mnt$folder/work $folder
done
ip link set lo up; ip addr add 192.0.2.1/24 dev lo
make-ssl-cert generate-default-snakeoil
pg_ctlcluster 15 main start
systemctl() {{ pg_ctlcluster 15 main "$1"; }}
{lines}
trap 'pg_ctlcluster 15 main stop' EXIT
PGPASSWORD=secret psql -tA "host=192.0.2.1 user=referee dbname=referee sslmode=require" -c "select 'let in'"
"""
"""In memory and on a network of its own, as the package leaves a machine; systemd does not run here."""


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


@pytest.mark.slow
def test_every_line_about_postgresql() -> None:
    needs("apt-get", "unshare", "ip", "pg_ctlcluster", "make-ssl-cert", "runuser", "setsid")
    lines, _ = blocks((ROOT / "docs" / "scale.md").read_text("utf-8"), "sh")
    script = POSTGRESQL.format(lines=lines.replace("apt-get install", "apt-get install --yes"))
    command = ["setsid", "unshare", "--mount", "--net", "bash", "-euc", script]
    done = subprocess.run(command, input="secret\nsecret\n", capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "let in" in done.stdout, done.stdout[-2000:] + done.stderr[-2000:]
