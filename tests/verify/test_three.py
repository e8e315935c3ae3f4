"""Three verifiers, each from docs/verify.md by itself, over real matches: what one of them claims to check the others find too.

The host of these cases has the secret and the key: he changes something, and makes all anew that he can, dice and heads too.
"""

from __future__ import annotations

import random
from dataclasses import replace
from email import message_from_bytes
from functools import cache
from typing import Any

import pytest

from tests.house.sources import ROOT
from tests.service.conftest import PLAYERS
from tests.verify import third
from tests.verify.forging import Folder
from tests.verify.matches import Archived, both_bodies
from tests.verify.node import node, verify
from tests.verify.tampered import HIDDEN, OVER, RUNNING, tampers
from tests.verify.test_two_sides import archives, laid_hand_on, text_of

pytestmark = pytest.mark.usefixtures("sealed_dice")

CHANGED = (RUNNING, OVER, HIDDEN, "war17 decisions interactive, over", "empire, over", "empire, part 4")


def numbers(value: Any) -> list[tuple[Any, Any]]:
    """Where in an event a whole number stands."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    own = [(value, key) for key, inner in items if type(inner) is int]
    return own + [place for _, inner in items if isinstance(inner, dict | list) for place in numbers(inner)]


def forged(seed: int) -> tuple[str, str, int, Archived]:
    """Which match was changed and how, from which entry on, and the archive that a host makes of it."""
    chosen = random.Random(seed)
    name = chosen.choice(CHANGED)
    folder = Folder.of(archives()[name])
    how = chosen.choice(("a figure", "left out", "twice", "a cause", "a moment", "a face", "an answer"))
    at = chosen.choice(
        folder.records("answer") or folder.records("event") if how == "an answer" else folder.events(*KINDS)
    )
    if how in ("a figure", "an answer"):
        at = next(n for n in [*range(at, len(folder.entries)), *range(at, 0, -1)] if _figures(folder, n))
        record = folder.record(at)
        place, key = chosen.choice(numbers(record))
        place[key] += 1
        folder.put(at, record)
    elif how == "left out":
        del folder.entries[at]
    elif how == "twice":
        folder.entries.insert(at, dict(folder.entries[at]))
    elif how == "a face":
        at = chosen.choice(folder.events("Rolled"))
        record = folder.record(at)
        record["event"]["faces"][0] = record["event"]["faces"][0] % record["event"]["sides"] + 1
        folder.put(at, record)
    else:
        folder.entries[at] |= (
            {"cause": "somebody"} if how == "a cause" else {"at": folder.entries[at - 1]["at"][:-7] + "1+00:00"}
        )
    archive = folder.rebuilt(dice=how != "a face").archived()
    if archive.log == archives()[name].log:  # a die was put right again
        folder.entries[at]["cause"] = "somebody"
        archive = folder.rebuilt().archived()
    return name, how, at, archive


KINDS = (
    "TurnBegan",
    "EventCame",
    "ResourcesGained",
    "WorkersHired",
    "Drawn",
    "Rolled",
    "UnitsRaised",
    "Confidence",
    "PhaseEnded",
)


def _figures(folder: Folder, at: int) -> bool:
    entry = folder.entries[at]
    return entry["kind"] in ("event", "answer") and bool(entry["payload"]) and bool(numbers(folder.record(at)))


@cache
def _to(raw: bytes) -> str:
    return str(message_from_bytes(raw)["To"])


def own_letters(archive: Archived, seed: int) -> Archived:
    """With the letters of one of its players alone."""
    owners = [player for player in PLAYERS if any(player in _to(raw) for raw in archive.letters)]
    owner = owners[seed % len(owners)]
    return replace(archive, letters=tuple(raw for raw in archive.letters if owner in _to(raw)))


def agree(seeds: range) -> None:
    node()
    made = [forged(seed) for seed in seeds]
    javascript = verify([archive.given() for *_, archive in made])
    owned = [own_letters(archive, seed) for seed, (*_, archive) in zip(seeds, made, strict=True)]
    lettered = verify([archive.given(letters=True) for archive in owned])
    missed = 0
    for (name, how, at, archive), found, told, own in zip(made, javascript, lettered, owned, strict=True):
        what = f"{name}: {how} at entry {at}"
        by_third, (sound, trouble) = third.trouble(archive.manifest, archive.log), archive.sound()
        assert found["sound"] == (by_third == ""), (what, found["trouble"], by_third)
        assert found["sound"] or not sound, (what, found["trouble"])
        missed += sound
        # The player has a head of what was there.
        assert not told["sound"] and not own.sound(letters=True)[0], (what, trouble)
    assert missed < len(made), "nothing was found at all"


def test_three_verifiers_agree_on_what_a_host_made_anew() -> None:
    agree(range(8))


@pytest.mark.slow
def test_three_verifiers_agree_on_two_hundred_forgeries() -> None:
    agree(range(8, 208))


def test_the_third_takes_whole_archives_for_sound_and_no_tampered_one() -> None:
    for name, archive in archives().items():
        letters = tuple(map(both_bodies, archive.letters))
        assert third.trouble(archive.manifest, archive.log, letters, archive.reports) == "", name
    for what, _, _ in tampers():
        archive = laid_hand_on(what)
        assert third.trouble(archive.manifest, archive.log), what


def test_the_third_reads_lines_of_dice() -> None:
    whole = archives()[RUNNING]
    text = next(text for letter in whole.letters if "Event check: 1d6 = " in (text := text_of(letter)))
    face = text.partition("Event check: 1d6 = ")[2][0]
    other = replace(whole).log
    assert third.trouble(whole.manifest, other, (text,)) == ""
    assert "were not thrown" in third.trouble(whole.manifest, other, (text.replace(f"1d6 = {face}", "1d6 = 7"),))


def test_the_third_is_short_and_stands_alone() -> None:
    source = (ROOT / "tests" / "verify" / "third.py").read_text("utf-8")
    assert len(source.splitlines()) <= 390 and "import referee" not in source and "from referee" not in source
