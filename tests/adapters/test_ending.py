"""A process that is asked to end goes in time, whatever it does just then; whoever started it hears how it is."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.adapters.processes.child import ASKING, born_deaf
from referee.adapters.processes.supervisor import Supervisor

AT_ANY_STEP = """
import faulthandler, signal, sys
from referee.adapters.processes.child import ASKING, Asked

def waits(ask_at):
    "Wait, being asked at this step of the interpreter, 0 for before; after how many steps the last call came back."
    asked, steps, heard = Asked(), 0, 0
    if not ask_at:
        signal.raise_signal(ASKING[0])

    def trace(frame, event, _):
        nonlocal steps
        frame.f_trace_opcodes = True
        if event == "opcode":
            steps += 1
            if steps == ask_at:
                for name in ASKING:
                    signal.raise_signal(name)
        return trace

    def profile(frame, event, _):
        nonlocal heard
        if event == "c_return" and frame.f_code.co_name != "waits":
            heard = steps

    sys.setprofile(profile)
    sys.settrace(trace)
    asked.wait()
    sys.settrace(None)
    sys.setprofile(None)
    return heard

faulthandler.dump_traceback_later(30, exit=True)
steps = waits(0)
for step in range(1, steps + 1):
    waits(step)
print("heard at", steps, "steps")
"""


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)


def test_who_is_asked_at_whatever_step_of_his_waiting_hears_it() -> None:
    """Also twice: the second signal comes while the first is still being heard."""
    done = run(AT_ANY_STEP)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[2]) > 3


WHILE_IT_SLEEPS = """
import faulthandler, signal, sys, threading
from referee.adapters.processes.child import ASKING, Asked

waiting = threading.Lock()

def tell():
    "The signal is taken by this thread, so that nothing interrupts the main one in what it does."
    waiting.acquire()
    signal.pthread_kill(threading.get_ident(), ASKING[1])

faulthandler.dump_traceback_later(30, exit=True)
asked = Asked()
waiting.acquire()
threading.Thread(target=tell, daemon=True).start()
sys.setswitchinterval(1000)  # from here on the other thread runs only once the main one gives way, and that is to wait
waiting.release()
asked.wait()
"""


def test_a_signal_that_interrupts_nothing_is_heard_all_the_same() -> None:
    """As one that comes after the interpreter's last look at signals and before the system call that waits."""
    done = run(WHILE_IT_SLEEPS)
    assert done.returncode == 0, done.stderr


IN_TIME = """
import threading
from referee.adapters.processes.child import leave_within

def endless_errand():
    threading.Event().wait()

leave_within(0.05)
endless_errand()
"""


def test_who_is_kept_leaves_in_time_and_says_where_he_was_kept() -> None:
    done = run(IN_TIME)
    assert done.returncode == 1
    assert "in endless_errand" in done.stderr


def test_a_process_born_deaf_is_not_ended_by_those_signals_and_its_parent_still_hears_them() -> None:
    with born_deaf():
        child = subprocess.Popen([sys.executable, "-c", "print(input())"], stdin=-1, stdout=-1, text=True)
    for name in ASKING:
        child.send_signal(name)
    assert child.communicate("still there")[0] == "still there\n"
    assert child.returncode == 0
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & set(ASKING)


# ---------------------------------------------------------------- whoever started us hears how we are


@pytest.fixture
def heard(tmp_path: Path) -> Iterator[socket.socket]:
    """Where systemd would listen."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(str(tmp_path / "notify"))
        end.settimeout(10)
        yield end


def test_each_word_is_a_datagram(heard: socket.socket) -> None:
    supervisor = Supervisor({"NOTIFY_SOCKET": heard.getsockname()})
    assert supervisor.there
    supervisor.ready()
    assert heard.recv(999).startswith(b"READY=1\n")
    supervisor.alive()
    assert heard.recv(999) == b"WATCHDOG=1"
    supervisor.reloading()
    first, second, _ = heard.recv(999).split(b"\n")
    assert first == b"RELOADING=1" and int(second.removeprefix(b"MONOTONIC_USEC=")) > 0
    supervisor.says("two\nlines")
    assert heard.recv(999) == b"STATUS=two lines"
    supervisor.stopping()
    assert heard.recv(999).startswith(b"STOPPING=1\n")


def test_a_socket_without_a_place_in_the_file_system_is_spoken_to_as_well() -> None:
    name = f"referee-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(f"\0{name}")
        end.settimeout(10)
        Supervisor({"NOTIFY_SOCKET": f"@{name}"}).alive()
        assert end.recv(999) == b"WATCHDOG=1"


def test_where_nobody_looks_after_us_nobody_is_told(tmp_path: Path) -> None:
    nobody = Supervisor({})
    nobody.ready()
    assert not nobody.there and nobody.patience is None
    Supervisor({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready()


@pytest.mark.parametrize(
    ("environment", "patience"),
    [
        ({"WATCHDOG_USEC": "60000000"}, 60.0),
        ({"WATCHDOG_USEC": "1500000", "WATCHDOG_PID": str(os.getpid())}, 1.5),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_how_long_a_sign_of_life_is_waited_for(environment: dict[str, str], patience: float | None) -> None:
    assert Supervisor(environment).patience == patience
