"""House rules of a match that its game master sets by letter: whom it admits, its muster, what becomes of who drops out."""

from __future__ import annotations

from typing import Literal

import msgspec

from referee.service.ports import Step


class HouseRules(msgspec.Struct, frozen=True):
    """What a match's game master decided. `allow` empty: anybody who is not on `deny`.

    With a `muster` START first asks everybody whether he is still there. After `abandon_after` turns in a row that were
    rolled out (0: never) a seat is abandoned: the next on the "standby" list has it, the bots have it ("dummy"), or the
    game master decides ("ask"). Without anybody on the list "standby" asks too. Who was on time in fewer than `reliable`
    of a hundred slots is not admitted. The `comment` stands beside the match wherever it is listed; one that is not
    `listed` is told of to its members alone. A match `called_off` before it began takes nobody any more.
    """

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    muster: bool = False
    abandon_after: int = 0
    abandoned: Literal["standby", "dummy", "ask"] = "standby"
    reliable: int = 0
    comment: str = ""
    listed: bool = True
    called_off: bool = False


def house_rules(step: Step, match: str) -> HouseRules:
    """The house rules of a match."""
    kept = step.note(match, "", "house")
    return msgspec.json.decode(kept, type=HouseRules) if kept else HouseRules()


def keep_house_rules(step: Step, match: str, rules: HouseRules) -> None:
    """Keep them from now on."""
    step.put_note(match, "", "house", msgspec.json.encode(rules).decode())
    unlisted = unlisted_matches(step) - {match} | ({match} if rules.called_off or not rules.listed else set())
    step.put_note("", "", "unlisted", " ".join(sorted(unlisted)) or None)


def unlisted_matches(step: Step) -> frozenset[str]:
    """The matches that are told of to their members alone, or to nobody."""
    return frozenset((step.note("", "", "unlisted") or "").split())
