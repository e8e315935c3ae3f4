"""Carries docs/hosting.md out, line by line as root, on the Debian below this machine, and undoes all of it at the end.

`unshare --mount python -m tests.real.bare_debian FOLDER` begins; FOLDER has the wheel. What is written to /etc, /usr, /var, /srv
and /opt goes to memory. Packages come from Debian and PyPI; then a network of this process alone is left, with loopback only, in
which the referee, Debian's own Postfix and a sink that stands for the rest of the world live on the ports of the guide.
systemd does not run here: what it would do with the unit is done by `_Systemd`.
"""

from __future__ import annotations

import os
import pwd
import re
import shlex
import signal
import smtplib
import socket
import subprocess
import sys
import time
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from referee.mail import bodies
from tests.served import Served
from tests.test_guides import HOSTING, blocks

HOME = Path("/srv/referee")
UNIT = Path("/etc/systemd/system/referee.service")
GINA = "gina@players.example"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_PATIENCE = 60

NO_PACKAGES = "Debian's packages cannot be fetched"


def environment(**more: str) -> dict[str, str]:
    """What root has after he logged in, and how this machine reaches its packages."""
    ways = {name: value for name, value in os.environ.items() if re.match(r"(?i)pip_|.*_proxy$|ssl_", name)}
    return {**ways, "PATH": _PATH, "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **more}


def run(script: str, folder: Path, **more: str) -> str:
    """Run lines of a shell; what they print. The first that fails ends all."""
    command = ["bash", "-euc", script]
    done = subprocess.run(command, cwd=folder, env=environment(**more), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"failed: {script}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def lay_memory_over(*folders: str) -> None:
    """From now on what is written there is written to memory, for this process and those it starts."""
    run("mount --make-rprivate /; mount -t tmpfs tmpfs /mnt", Path("/"))
    for folder in folders:
        upper, work = f"/mnt{folder}/upper", f"/mnt{folder}/work"
        over = f"mount -t overlay overlay -o lowerdir={folder},upperdir={upper},workdir={work} {folder}"
        run(f"mkdir -p {upper} {work}; {over}", Path("/"))


class World:
    """The rest of the world: every letter that leaves the machine comes here."""

    def __init__(self) -> None:
        self.letters: list[Message] = []
        self.sink = Served(self)

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        self.letters.append(BytesParser().parsebytes(envelope.original_content))
        return "250 taken"

    def waits(self, words: str) -> Message:
        """The first letter with these words; it is not found again."""
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            for letter in [each for each in self.letters if words in bodies(each.as_bytes())[0]]:
                self.letters.remove(letter)
                return letter
            time.sleep(0.05)
        sys.exit(f"no letter with {words!r} among {[str(letter['Subject']) for letter in self.letters]}")


class Systemd:
    """What systemd does with the unit: looks it over, starts the service as its user, and hears when it is ready."""

    def __init__(self) -> None:
        self._end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._end.bind("/var/notify")
        self._end.settimeout(_PATIENCE)
        Path("/var/notify").chmod(0o666)
        self.process: subprocess.Popen[bytes] | None = None

    def __call__(self, words: list[str]) -> None:
        """Do what `systemctl` is asked to."""
        if words == ["daemon-reload"]:
            assert run(f"systemd-analyze verify {UNIT} 2>&1", Path("/")) == ""
        elif words == ["enable", "--now", "referee"]:
            (command,) = re.findall(r"^ExecStart=(.*)$", UNIT.read_text(), re.MULTILINE)
            (user,) = re.findall(r"^User=(.*)$", UNIT.read_text(), re.MULTILINE)
            told = environment(NOTIFY_SOCKET="/var/notify", WATCHDOG_USEC="60000000")
            self.process = subprocess.Popen(
                ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *shlex.split(command)], env=told
            )
            self.hears("READY=1")
        elif words == ["reload", "referee"]:
            assert self.process is not None
            self.process.send_signal(signal.SIGHUP)
            self.hears("RELOADING=1")
            self.hears("READY=1")
        else:
            sys.exit(f"the guide asks systemctl for {words}, which nobody does here")

    def hears(self, word: str) -> None:
        while not self._end.recv(4096).decode().startswith(word):
            pass

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        assert self.process.wait(_PATIENCE) == 0


def install(folder: Path) -> None:
    """The first chapter."""
    lay_memory_over("/etc", "/usr", "/var", "/srv", "/opt")
    program, postfix = blocks(HOSTING, "console as root")[:2]
    if subprocess.run(["apt-get", "update"], env=environment(), capture_output=True, check=False).returncode:
        sys.exit(NO_PACKAGES)
    began = time.monotonic()
    # Exported variables are for the lines after them: a chapter is one shell.
    run(f"{program}{postfix}", folder)
    print(f"packages and program: {time.monotonic() - began:.0f} s", flush=True)
    assert pwd.getpwnam("referee").pw_dir == str(HOME)


def set_up(world: World) -> None:
    """The second chapter: the conversation, Postfix's lines when they are asked for, and the letter that comes back."""
    (commands,), (block,) = blocks(HOSTING, "console as root")[2:3], blocks(HOSTING, "conversation")
    answers = re.findall(r"^(?:\[.*\])?> ?(.*)$", block, re.MULTILINE)
    process = subprocess.Popen(
        ["bash", "-euc", commands], env=environment(PYTHONUNBUFFERED="1"), stdin=-1, stdout=-1, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    began = time.monotonic()
    process.stdin.write("".join(f"{line}\n" for line in answers))
    process.stdin.flush()
    said = ""
    while "When that is done, press Enter" not in said:
        said += (line := process.stdout.readline())
        assert line, said
    for setting in re.findall(r"^    (\w+ = .*)$", said.partition("main.cf")[2].partition("Publish")[0], re.MULTILINE):
        run(f"postconf -e {shlex.quote(setting)}", HOME)
    there = f"default_transport=smtp:[127.0.0.1]:{world.sink.port}"
    run(f"postconf -e {shlex.quote(there)} disable_dns_lookups=yes maillog_file=/var/log/postfix.log", HOME)
    run("/usr/lib/postfix/configure-instance.sh - || true; postfix start", HOME)
    rest, _ = process.communicate("\n")
    assert process.returncode == 0, said + rest
    assert "came back after" in rest
    print(f"setup, Postfix's lines and the letter: {time.monotonic() - began:.1f} s", flush=True)


def serve_and_play(world: World, systemd: Systemd) -> None:
    """The third chapter, and the first letters of the fourth."""
    began = time.monotonic()
    service, reload = blocks(HOSTING, "console as root")[3:5]
    for line in service.splitlines():
        if line.startswith("systemctl "):
            systemd(shlex.split(line)[1:])
        else:
            run(line, HOME)
    (letter,) = blocks(HOSTING, "letter")
    write("referee@games.example", letter)
    asked = world.waits("Was this you?")
    print(f"service, doctor and the first letter answered: {time.monotonic() - began:.1f} s", flush=True)
    write(str(asked["Reply-To"]).strip("<>"), "YES")
    world.waits("JOIN nw1")
    systemd(shlex.split(reload)[1:])
    write("referee@games.example", "GAMES")
    world.waits("nw1")
    systemd.stop()


def write(to: str, text: str) -> None:
    """A letter of Gina's, brought to Postfix."""
    with smtplib.SMTP("127.0.0.1", 25, timeout=_PATIENCE) as postfix:
        postfix.sendmail(GINA, [to], f"From: {GINA}\r\nTo: {to}\r\nMessage-ID: <{time.time_ns()}@x>\r\n\r\n{text}\r\n")


def main() -> None:
    """The first half with the network of the machine, the second with one of its own."""
    if sys.argv[1] != "--alone":
        install(Path(sys.argv[1]))
        os.execvp("unshare", ["unshare", "--net", sys.executable, "-m", "tests.real.bare_debian", "--alone"])
    run("ip link set lo up", Path("/"))
    world = World()
    try:
        set_up(world)
        serve_and_play(world, Systemd())
        print("a match is open")
    finally:
        subprocess.run(["postfix", "stop"], capture_output=True, check=False)
        world.sink.close()


if __name__ == "__main__":
    main()
