"""The log: records keep their bytes, the chain shows every change, rewinds choose what counts."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.event import Ruled
from referee.core.names import Seat
from referee.core.order import All, Comparison, Not, Portion, Predicate, Quantity, Thing
from referee.core.question import Source
from referee.core.record import (
    Acted,
    Answered,
    Created,
    Entry,
    Filed,
    Forwarded,
    Given,
    Happened,
    If,
    Overrode,
    Record,
    Rewound,
    Tampered,
    check_chain,
    kind_of,
    live,
    seal,
)
from tests.match import codec_of, secret_of
from tests.toy import TOY, Bid, CardTaken, Give, Toss

SECRET = secret_of("log")
CODEC = codec_of(TOY)
ANN = Seat("Ann")
BID = Given("BID 3 coins", CODEC.raw(Bid(3)), "Bid 3 coins.")
RICH = Predicate("coins", (), (Thing("money", "coins", Quantity(Portion.UP_TO, 2)),), (), Comparison.AT_LEAST, 5)

RECORDS: tuple[Record, ...] = (
    Created("toy", (ANN, Seat("Bob")), {"rounds": "2", "challenges": "no"}, "c0ffee"),
    Happened(CODEC.raw(CardTaken(ANN, "jade"))),
    Answered("R1/Ann/orders", ANN, msgspec.Raw(b'[{"type":"Bid","coins":3}]'), Source.LATE_INSTRUCTION, 2),
    Filed(ANN, "standing", (BID, If("coins >= 5", All((RICH, Not(RICH))), (BID,), ())), "<1@x>", "abc"),
    Filed(ANN, "late", ()),
    Acted(ANN, CODEC.raw(Give(1, Seat("Bob")))),
    Acted(ANN, CODEC.raw(Toss())),
    Overrode("PAUSE", "Gil", "“holidays”\n"),
    Happened(CODEC.raw(Ruled("Bids are final.", "Gil", "toy.bid"))),
    Rewound(3, "Gil", "a mistake"),
    Forwarded(9, "Gil", "no mistake"),
)


def chain(records: Sequence[Record] = RECORDS) -> list[Entry]:
    entries: list[Entry] = []
    for number, record in enumerate(records):
        last = entries[-1] if entries else None
        at = f"2031-05-04T12:00:{number:02}+00:00"
        entries.append(seal(SECRET, "m1", last, at, kind_of(record), CODEC.dump(record), f"letter {number}"))
    return entries


@pytest.mark.parametrize("record", RECORDS, ids=kind_of)
def test_a_record_goes_to_text_and_back_byte_for_byte(record: Record) -> None:
    text = CODEC.dump(record)
    assert CODEC.load(text) == record
    assert CODEC.dump(CODEC.load(text)) == text
    assert f'"kind":"{kind_of(record)}"' in text


def test_options_in_another_order_make_the_same_text() -> None:
    one = Created("toy", (ANN,), {"a": "1", "b": "2"}, "")
    assert CODEC.dump(one) == CODEC.dump(msgspec.structs.replace(one, options={"b": "2", "a": "1"}))


@pytest.mark.parametrize("text", ["", "{}", '{"kind":"novel"}', '{"kind":"event"}', "[1]"])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        CODEC.load(text)


def test_events_and_intents_of_other_games_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        CODEC.event(msgspec.Raw(b'{"type":"Colonized"}'))
    with pytest.raises(msgspec.ValidationError):
        CODEC.intent(msgspec.Raw(b'{"type":"CardTaken","seat":"Ann","card":"jade"}'))


# ---------------------------------------------------------------- the chain


def test_an_unbroken_chain_gives_its_head() -> None:
    entries = chain()
    assert check_chain(entries) == check_chain(entries, SECRET) == entries[-1].hash
    assert check_chain([]) == ""


def changed(value: str | int, at: int) -> str | int:
    """One byte of a text changed, or a number moved by one."""
    if isinstance(value, int):
        return value + 1
    if not value:
        return "x"
    return value[:at] + ("x" if value[at] != "x" else "y") + value[at + 1 :]


@pytest.mark.parametrize("field", Entry.__struct_fields__)
def test_any_byte_changed_in_any_entry_is_found_and_named(field: str) -> None:
    entries = chain()
    for place, entry in enumerate(entries):
        value = getattr(entry, field)
        for at in range(len(value) or 1) if isinstance(value, str) else (0,):
            forged = list(entries)
            forged[place] = msgspec.structs.replace(entry, **{field: changed(value, at)})
            with pytest.raises(Tampered) as found:
                check_chain(forged, SECRET)
            assert found.value.seq == place
            assert f"entry {place}" in str(found.value)


@pytest.mark.parametrize("place", range(len(RECORDS) - 1))
def test_an_entry_left_out_is_found_and_named(place: int) -> None:
    entries = chain()
    del entries[place]
    with pytest.raises(Tampered) as found:
        check_chain(entries)
    assert found.value.seq == place


def test_two_entries_that_changed_places_are_found() -> None:
    entries = chain()
    entries[3], entries[4] = entries[4], entries[3]
    with pytest.raises(Tampered, match="entry 3"):
        check_chain(entries)


def test_text_cannot_flow_from_one_field_into_the_next() -> None:
    entries = chain()
    for separator in ("\x1f", '","', "|", " "):
        entry = seal(SECRET, "m1", None, "noon", f"aside{separator}x", "{}", "letter")
        forged = msgspec.structs.replace(entry, kind="aside", cause=f"x{separator}letter")
        with pytest.raises(Tampered):
            check_chain([forged])
    assert check_chain(entries)


def test_the_chain_holds_with_payloads_withheld() -> None:
    entries = [msgspec.structs.replace(entry, payload="") for entry in chain()]
    assert check_chain(entries) == chain()[-1].hash
    with pytest.raises(Tampered, match="payload"):
        check_chain(entries, SECRET)


def test_a_withheld_payload_cannot_be_guessed_from_its_digest() -> None:
    (one,), (other,) = chain(RECORDS[:1]), [seal(secret_of("x"), "m1", None, "", "created", CODEC.dump(RECORDS[0]), "")]
    assert one.payload == other.payload and one.digest != other.digest
    twice = chain([RECORDS[4], RECORDS[4]])
    assert twice[0].digest != twice[1].digest


# ---------------------------------------------------------------- what counts


def note(number: int) -> Overrode:
    return Overrode(f"note {number}", "Gil")


def alive(records: Sequence[Record]) -> list[int]:
    return [entry.seq for entry in live(enumerate(records))]


def test_without_rewinds_everything_counts() -> None:
    assert alive([note(0), note(1)]) == [0, 1]


def test_a_rewind_kills_what_lies_between() -> None:
    records: list[Record] = [note(0), note(1), note(2), Rewound(0, "Gil", ""), note(4)]
    assert alive(records) == [0, 4]


def test_a_rewind_undone_brings_back_what_it_killed_and_kills_what_followed() -> None:
    records: list[Record] = [note(0), note(1), Rewound(0, "Gil", ""), note(3), Forwarded(2, "Gil", ""), note(5)]
    assert alive(records) == [0, 1, 5]


def test_rewinds_nest() -> None:
    records: list[Record] = [note(0), note(1), note(2)]
    records += [Rewound(1, "Gil", ""), note(4), note(5), Rewound(4, "Gil", ""), note(7)]
    assert alive(records) == [0, 1, 4, 7]
    inner = [*records, Forwarded(6, "Gil", "")]
    assert alive(inner) == [0, 1, 4, 5]
    outer = [*inner, Forwarded(3, "Gil", "")]
    assert alive(outer) == [0, 1, 2]


def test_a_roll_forward_can_itself_be_rewound() -> None:
    records: list[Record] = [
        note(0),
        note(1),
        Rewound(0, "Gil", ""),
        Forwarded(2, "Gil", ""),
        Rewound(0, "Gil", ""),
        note(5),
    ]
    assert alive(records) == [0, 5]


@pytest.mark.parametrize("undoes", [1, 2, 7])
def test_only_a_rewind_can_be_undone(undoes: int) -> None:
    with pytest.raises(Tampered, match=f"entry 2: undoes entry {undoes}"):
        live(enumerate([note(0), note(1), Forwarded(undoes, "Gil", "")]))


@given(st.lists(st.sampled_from("nnnrf"), max_size=30), st.data())
def test_live_records_are_in_order(kinds: list[str], data: st.DataObject) -> None:
    records: list[Record] = [note(0)]
    rewinds: list[int] = []
    for kind in kinds:
        seq, now = len(records), live(enumerate(records))
        if kind == "r":
            rewinds.append(seq)
            records.append(Rewound(data.draw(st.sampled_from(now)).seq, "Gil", ""))
        elif kind == "f" and rewinds:
            records.append(Forwarded(data.draw(st.sampled_from(rewinds)), "Gil", ""))
        else:
            records.append(note(seq))
    now = live(enumerate(records))
    assert now[0].seq == 0 and [e.seq for e in now] == sorted({e.seq for e in now})
    assert all(isinstance(e.record, Overrode) for e in now)
