"""Memory that is free goes back to the system, as far as the C library knows how to.

A service that runs for years needs much now and then, to read a long log or to draw a map, and little between. glibc keeps what
became free in pieces, and so for each thread: after some days of hard work that was a quarter of what a desk had.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

_ARENAS = -8
_library = ctypes.CDLL(None)


def keep_together() -> None:
    """All threads take their memory from one place, as they take turns in any case. To be called before there are any."""
    with suppress(AttributeError):
        _library.mallopt(_ARENAS, 1)


def give_back() -> None:
    """Give free memory back; some milliseconds' work."""
    with suppress(AttributeError):
        _library.malloc_trim(0)
