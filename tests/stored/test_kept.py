"""Whatever was stored is read for ever, and means what it meant."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.core.event import CORE_EVENTS
from referee.games import GAMES
from referee.service.base import notes
from referee.service.base.note_values import FORMAT
from tests.stored import keep
from tests.stored.examples import examples, text_of
from tests.stored.keep import FIRST_IN, Sample, everything, is_closed, known
from tests.stored.subjects import SUBJECTS, Subject


def holds(found: Any, kept: Any) -> bool:
    """Whether everything that was kept is found again, beside what came later."""
    if isinstance(kept, dict) and isinstance(found, dict):
        return all(name in found and holds(found[name], value) for name, value in kept.items())
    if isinstance(kept, list) and isinstance(found, list):
        return len(found) == len(kept) and all(map(holds, found, kept))
    return type(found) is type(kept) and bool(found == kept)


def fault(subject: Subject, sample: Sample) -> str:
    """What is wrong with how a sample is read, and what to do; "" where it is read as it should be."""
    stands = f"{subject.name}: {sample.kind} stands in databases and archives as\n{sample.text}\n"
    try:
        found = text_of(subject.read(sample.kind, sample.text))
    except (msgspec.DecodeError, KeyError) as problem:
        return f"{stands}and is not read any more: {problem}. {subject.mend}"
    if holds(msgspec.json.decode(found), sample.expected):
        return ""
    return (
        f"{stands}and is read as\n{found}\nwhich is not the same. {subject.mend} Where it is right, write what is given "
        'today as "gives" into the line of the sample.'
    )


@pytest.mark.parametrize("name", SUBJECTS)
def test_what_was_stored_is_read_for_ever(name: str) -> None:
    subject = SUBJECTS[name]
    kept = [sample for file, sample in everything() if file.stem == name]
    assert kept
    assert [said for sample in kept if (said := fault(subject, sample))] == []


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_form_in_which_something_is_stored_has_its_sample(name: str) -> None:
    there = known(name)
    new = [kind for kind, text in SUBJECTS[name].today() if (kind, text) not in there]
    assert not new, (
        f"{name}: {', '.join(dict.fromkeys(new))} is stored in a form that has no sample. Write make keep-stored; it says "
        "whether the format has been released and must be raised."
    )


def test_no_sample_is_of_a_subject_that_is_forgotten() -> None:
    assert {file.stem for file, _ in everything()} == set(SUBJECTS)


def test_the_samples_have_every_event_order_and_note() -> None:
    for game in GAMES:
        assert {kind for kind, _ in known(f"events-{game.name}")} >= {event.__name__ for event in game.events}
        assert {kind for kind, _ in known(f"orders-{game.name}")} >= {intent.__name__ for intent in game.intents}
    assert {kind for kind, _ in known("events")} >= {event.__name__ for event in CORE_EVENTS}
    assert {kind for kind, _ in known("notes")} >= {note.name for note in notes.declared()}


# ---------------------------------------------------------------- that they would find something


class Bid(msgspec.Struct, tag=True):
    coins: int
    by: str | None = None


class BidRenamed(msgspec.Struct, tag="Bid"):
    gold: int = 0


class BidGrown(msgspec.Struct, tag="Bid"):
    coins: int
    by: str | None = None
    at: int = 0


def reading(kind: Any) -> Subject:
    return Subject("bids", {"Bid": kind}, lambda _, text: msgspec.json.decode(text, type=kind), "Mend it.")


KEPT = [Sample("Bid", text) for _, text in reading(Bid).today()]


def test_each_alternative_of_a_field_is_kept() -> None:
    assert [sample.text for sample in KEPT] == [
        '{"type":"Bid","coins":3,"by":"some words"}',
        '{"type":"Bid","coins":3,"by":null}',
    ]
    assert examples(tuple[Bid | int, ...]) == [[*examples(Bid), 3]]


def test_a_field_that_was_renamed_or_made_anew_without_a_default_is_found() -> None:
    class BidMore(msgspec.Struct, tag="Bid"):
        coins: int
        at: int

    assert "is not the same. Mend it." in fault(reading(BidRenamed), KEPT[0])
    assert "is not read any more: Object missing required field `at`. Mend it." in fault(reading(BidMore), KEPT[0])
    assert [fault(reading(BidGrown), sample) for sample in KEPT] == ["", ""]


def test_a_sample_may_be_read_as_something_else_where_that_is_said() -> None:
    sample = msgspec.structs.replace(KEPT[0], gives='{"gold":0}')
    assert fault(reading(BidRenamed), sample) == ""


def test_a_format_is_closed_when_its_first_release_is_out() -> None:
    assert FORMAT in FIRST_IN and max(FIRST_IN) == FORMAT
    assert [is_closed(1, version, "") for version in ("0.1.0", "0.2.0", "0.2.1", "1.0.0")] == [False, False, True, True]
    assert is_closed(1, "0.2.0", "v0.1.0\nv0.2.0\n")


def test_what_is_kept_is_not_kept_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep, "is_closed", lambda *_: True)
    assert keep.keep() == 0
