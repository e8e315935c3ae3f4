"""Charsets no library has, for a service under test: to decode one hangs in a single call, another ends the process.

Python imports this module at its start where its folder stands in PYTHONPATH. So a letter can do what none is known to do.
"""

from __future__ import annotations

import codecs
import encodings.aliases
import os
import signal
import sys
import time
import types
from collections.abc import Callable


def hang() -> None:
    """One call of the library, for hours, in which no other thread runs."""
    sum(range(10**12))


def die() -> None:
    """As the system ends a process that takes too much memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def wait() -> None:
    """Without computing."""
    time.sleep(3600)


def codec(name: str, act: Callable[[], None]) -> codecs.CodecInfo:
    """A charset that does this when it is decoded."""

    def decode(data: bytes, errors: str = "strict") -> tuple[str, int]:
        act()
        return "", len(data)

    return codecs.CodecInfo(codecs.latin_1_encode, decode, name=name)  # type: ignore[arg-type]


for name, act in {"x_hangs": hang, "x_dies": die, "x_waits": wait}.items():
    module = types.ModuleType(f"encodings.{name}")
    vars(module)["getregentry"] = lambda name=name, act=act: codec(name, act)
    sys.modules[f"encodings.{name}"] = module
    encodings.aliases.aliases[name] = name
