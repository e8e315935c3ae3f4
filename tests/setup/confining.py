"""Runs a command with no more rights than a systemd unit leaves its service, where systemd itself does not run.

`unshare --mount python -m tests.setup.confining UNIT COMMAND...` as root: what the unit says of folders, processes, capabilities,
memory, sockets and system calls is laid on, by the same means of the kernel; the user stays root, without any of its powers.
"""

from __future__ import annotations

import ctypes
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from ctypes import c_int, c_uint, c_uint32, c_uint64, c_void_p
from pathlib import Path

_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1  # EPERM
_EQUAL = 4
_NO_EXECUTABLE_GAIN = (65, 1)
"""prctl: PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN (Linux 6.3)."""


class _Compared(ctypes.Structure):
    """An argument of a system call and what it must be."""

    _fields_ = [("arg", c_uint), ("op", c_int), ("a", c_uint64), ("b", c_uint64)]


def settings_of(unit: Path) -> dict[str, list[str]]:
    """What stands in the [Service] section; some settings stand there twice."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def _close_the_file_system(said: dict[str, list[str]]) -> None:
    """All is read-only but what may be written, /tmp, and what the kernel shows; of /proc only processes are left."""
    assert said["ProtectSystem"] == ["strict"] and said["ProcSubset"] == ["pid"]
    _mount("--make-rprivate", "/")
    written = [path for path in said["ReadWritePaths"][0].split() if not path.startswith("-")]
    for path in (*written, "/tmp"):
        _mount("--bind", path, path)
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        point = line.split()[4]
        if point not in (*written, "/tmp") and not re.match(r"/(proc|sys|dev(?!/shm))(/|$)", point):
            _mount("-o", "remount,bind,ro", point)
    _mount("-t", "proc", "-o", "subset=pid,hidepid=invisible", "proc", "/proc")


def _calls(group: str) -> Iterator[str]:
    """The system calls of a group, those of groups in it too."""
    told = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True)
    for word in (line.split("#")[0].strip() for line in told.stdout.splitlines()[1:]):
        if word.startswith("@"):
            yield from _calls(word)
        elif word:
            yield word


def _allowed(said: dict[str, list[str]]) -> set[str]:
    some, but = said["SystemCallFilter"]
    allowed = {call for group in some.split() for call in _calls(group)}
    return allowed - {call for group in but.removeprefix("~").split() for call in _calls(group)}


def _filter(allowed: set[str], families: list[str]) -> None:
    """Refuse all other system calls, and sockets of other families, from now on and in all that is started."""
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = c_void_p
    context = c_void_p(seccomp.seccomp_init(c_uint32(_REFUSE)))
    for name in allowed - {"socket"}:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            assert seccomp.seccomp_rule_add_array(context, c_uint32(_ALLOW), number, 0, None) == 0, name
    number = seccomp.seccomp_syscall_resolve_name(b"socket")
    for family in families:
        is_it = _Compared(0, _EQUAL, getattr(socket, family), 0)
        assert seccomp.seccomp_rule_add_array(context, c_uint32(_ALLOW), number, 1, ctypes.byref(is_it)) == 0
    assert seccomp.seccomp_load(context) == 0


def _confine(unit: Path, command: list[str]) -> None:
    """The first half, with root's powers: then they are dropped and the second half is begun."""
    _close_the_file_system(settings_of(unit))
    drop = ["--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs"]
    again = [sys.executable, "-m", "tests.setup.confining", "--confined", str(unit), *command]
    os.execvp("setpriv", ["setpriv", *drop, "--", *again])


def _run(unit: Path, command: list[str]) -> None:
    said = settings_of(unit)
    allowed, families = _allowed(said), said["RestrictAddressFamilies"][0].split()
    assert said["MemoryDenyWriteExecute"] == ["yes"]
    assert ctypes.CDLL(None).prctl(*_NO_EXECUTABLE_GAIN, 0, 0, 0) == 0
    _filter(allowed, families)
    os.execvp(command[0], command)


if __name__ == "__main__":
    if sys.argv[1] == "--confined":
        _run(Path(sys.argv[2]), sys.argv[3:])
    else:
        _confine(Path(sys.argv[1]), sys.argv[2:])
