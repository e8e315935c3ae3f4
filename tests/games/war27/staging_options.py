"""The staging words that only cases of optional rules need."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from referee.games.war.state import War

__all__ = ["EXPECT", "GIVEN"]


# ---------------------------------------------------------------- the canal


def _canal(war: War, how: str) -> War:
    return replace(war, canal=(0,) if how == "half paid" else (0, 1))


def _check_canal(war: War, how: str) -> str | None:
    found = ("not begun", "half paid", "complete")[len(war.canal)]
    return None if found == how else f"it is {found}"


GIVEN: dict[str, Callable[..., War]] = {
    r"the canal is (half paid|complete)": _canal,
}
"""What GIVEN lines may set up, by pattern."""

EXPECT: dict[str, Callable[..., str | None]] = {
    r"the canal is (not begun|half paid|complete)": _check_canal,
}
"""What EXPECT lines may claim, by pattern."""
