"""The store keeps its contract: each verb of service.ports on a real database, and on PostgreSQL where that is installed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from referee.adapters.store.database import put_off
from referee.adapters.store.store import Store
from referee.adapters.store.tables import metadata
from referee.core.record import Answered, Entry, check_chain, seal
from referee.service.base.ports import (
    Alarm,
    Conflict,
    LetterIn,
    LetterOut,
    MatchRow,
    Member,
    NotNow,
    Overtaken,
    Player,
    Report,
    Spent,
    Tally,
    Token,
)
from tests.postgresql import Postgresql
from tests.world import lay_empty

Came = Callable[..., LetterIn]
Goes = Callable[..., LetterOut]

MINUTE = timedelta(minutes=1)
AT_ONCE = ["sqlite", pytest.param("postgresql", marks=pytest.mark.real)]
DATABASES = ["ahead", *AT_ONCE]
meets_at_once = pytest.mark.parametrize("store", AT_ONCE, indirect=True)
"""A step that reckons ahead learns at its end what it met, and is done once more: see test_ahead.py."""
_EMPTY = f"TRUNCATE {', '.join(metadata.tables)} RESTART IDENTITY CASCADE"


@pytest.fixture(scope="module")
def database(postgresql: Postgresql) -> Iterator[Store]:
    """A database of PostgreSQL, made once: to make one for each test would take ten times as long as the tests."""
    opened = Store(postgresql.fresh())
    yield opened
    opened.close()


@pytest.fixture(params=DATABASES)
def store(request: pytest.FixtureRequest, url: str, tmp_path: Path) -> Iterator[Store]:
    if request.param == "postgresql":
        kept: Store = request.getfixturevalue("database")
        with kept.engine.begin() as db:
            db.execute(text(_EMPTY))
        yield kept
        return
    lay_empty(tmp_path / "referee.sqlite")
    opened = Store(url, ahead=request.param == "ahead")
    yield opened
    opened.close()


def test_a_letter_comes_back_as_it_was_stored(store: Store, came: Came) -> None:
    letter = came("imap:1:1", raw=bytes(range(256)))
    with store.step() as step:
        (id,) = step.receive([letter])
    with store.look() as look:
        assert look.letter(id) == msgspec.structs.replace(letter, id=id)
        assert look.letter(id + 1) is None


def test_letters_with_equal_bytes_share_them_on_disk_and_in_memory(store: Store, came: Came) -> None:
    one, other = b"x" * 9_000_000, b"y" * 9_000_000
    for raw, keys in ((one, "abc"), (other, "d"), (one, "e")):
        with store.step() as step:
            step.receive([came(key, raw=bytes(bytearray(raw))) for key in keys])
    with store.engine.connect() as db:
        assert db.execute(text("SELECT count(*) FROM letter_body")).scalar() == 2
    with store.look() as look:
        letters = look.letters("new")
        assert [letter.raw for letter in letters] == [one, one, one, other, one]
        assert len({id(letter.raw) for letter in letters}) == 2
        first, last = letters[0].id, letters[-1].id
        assert [letter.transport for letter in look.still_new([first, last])] == ["a", "e"]


def test_bytes_are_dropped_when_no_letter_needs_them_any_more(store: Store, came: Came) -> None:
    with store.step() as step:
        one, twin, other = step.receive([came("a", raw=b"same"), came("b", raw=b"same"), came("c", raw=b"other")])
        for id in (one, twin, other):
            step.spare_letter(id)
        step.spare_letter(twin, False)
    with store.look() as look:
        spare = look.spare_letters()
        assert [(letter.id, letter.size) for letter in spare] == [(other, 5), (one, 4)]
    with store.step() as step:
        for letter in spare:
            step.drop_bytes(letter.id, letter.digest, f"; dropped {letter.digest[:4]}")
    with store.look() as look:
        assert [(letter.raw, letter.verdict) for letter in look.letters("new")] == [
            (b"", "; dropped 0967"),
            (b"same", ""),
            (b"", "; dropped d929"),
        ]
        assert look.spare_letters() == []


def test_everything_is_counted_and_the_oldest_of_what_waits_is_known(
    store: Store, came: Came, goes: Goes, alpha: MatchRow, noon: datetime
) -> None:
    with store.step() as step:
        assert step.tally() == Tally({}, {}, {})
        assert step.overdue(noon) == (0, None)
        step.save_match(alpha)
        for minutes in (3, 1, 2):
            step.set_alarm(Alarm("ALPHA", "deadline", str(minutes), noon + minutes * MINUTE))
        first, *_ = step.receive([came(key, received_at=noon + n * MINUTE) for n, key in enumerate("abcd")])
        step.finish_letter(first, "done", "")
        for n, kind in enumerate(("report", "report", "receipt", "head")):
            step.post(goes(kind + str(n), kind=kind, created_at=noon + n * MINUTE, due_at=noon - n * MINUTE))
    with store.step() as step:
        late, *_ = step.claim_outgoing(noon - 3 * MINUTE, 1, 60)
        step.sent(late.id, noon)
        later, *_ = step.claim_outgoing(noon - 2 * MINUTE, 1, 60)
        step.not_sent(later.id, "away", noon + MINUTE)
        last, *_ = step.claim_outgoing(noon - MINUTE, 1, 60)
        step.not_sent(last.id, "no such user", None)
    with store.look() as look:
        assert look.overdue(noon + 2 * MINUTE) == (2, noon + MINUTE)
        assert look.tally() == Tally(
            {"done": 1, "new": 3},
            {"head": {"sent": 1}, "receipt": {"queued": 1}, "report": {"failed": 1, "queued": 1}},
            {"forming": 1},
            noon + MINUTE,
            noon,
            noon,
            1,
        )


def test_what_somebody_wrote_and_was_written_goes_and_the_rows_stay(
    store: Store, came: Came, goes: Goes, noon: datetime
) -> None:
    with store.step() as step:
        mine, shared, other = step.receive(
            [
                came("a", sender="Anna@x.example"),
                came("b", sender="anna@x.example", raw=b"same"),
                came("c", raw=b"same"),
            ]
        )
        step.finish_letter(mine, "done", "anna@x.example wrote", "ALPHA", "her Message-ID")
        step.post(goes("1", recipient="ANNA@x.example", error="no", said=b"words", source=b"more"))
        step.post(goes("2", recipient="ben@x.example"))
        step.spend(Spent(noon, "request", "anna@x.example", "", 10, mine))
    with store.step() as step:
        assert step.letters_from("anna@X.example") == [mine, shared] and step.letters_of_match("ALPHA") == [mine]
        (out,) = step.letters_to("anna@x.example")
        assert step.answers_to("anna@x.example") == 1
        step.forget_letters_in([mine, shared], "forgotten")
        step.forget_letters_out([out], "games.example")
        step.forget_answers("Anna@x.example")
    with store.look() as look:
        assert look.letters_from("anna@x.example") == [] == look.letters_to("anna@x.example")
        letters = [look.letter(id) for id in (mine, shared, other)]
        assert [(a.sender, a.recipient, a.raw, a.verdict) for a in letters[:2] if a] == [("", "", b"", "forgotten")] * 2
        assert letters[2] is not None and letters[2].raw == b"same" and look.handled("her Message-ID") is None
        gone = look.posted(out)
        assert gone is not None and (gone.recipient, gone.raw, gone.said, gone.source) == ("", b"", None, b"")
        assert (gone.status, gone.message_id, gone.error) == ("failed", f"<forgotten.{out}@games.example>", "")
        assert look.answers_to("anna@x.example") == 0 and len(look.letters_to("ben@x.example")) == 1


def test_letters_of_matches_that_ended_before_a_moment_are_found(
    store: Store, came: Came, goes: Goes, alpha: MatchRow, entries: list[Entry], noon: datetime
) -> None:
    later = (noon + MINUTE).isoformat()
    with store.step() as step:
        step.save_match(alpha)
        step.append(entries)
        one, _ = step.receive([came("a"), came("b")])
        step.finish_letter(one, "done", "", "ALPHA")
        step.post(goes("1", said=b"words", raw=b""))
        step.post(goes("2", match="BETA"))
        (sent, *_) = step.claim_outgoing(noon, 1, 60)
        step.sent(sent.id, noon)
        assert (step.old_letters_in(later, 10), step.old_letters_out(later, 10)) == ([], [])
        step.save_match(msgspec.structs.replace(alpha, status="over"))
        assert (step.old_letters_in(noon.isoformat(), 10), step.old_letters_out(noon.isoformat(), 10)) == ([], [])
        assert [spare.id for spare in step.old_letters_in(later, 10)] == [one]
        assert step.old_letters_out(later, 10) == [sent.id]
        step.drop_words([sent.id])
        assert step.old_letters_out(later, 10) == []
        gone = step.posted(sent.id)
        assert gone is not None and (gone.raw, gone.said, gone.recipient) == (b"", None, sent.recipient)


def test_a_transport_key_is_received_once(store: Store, came: Came) -> None:
    with store.step() as step:
        first, twin, other = step.receive([came("a"), came("a"), came("b")])
        assert (bool(first), twin, bool(other)) == (True, 0, True)
    with store.step() as step:
        assert step.receive([came("b")]) == [0]
        assert [letter.transport for letter in step.letters("new", 10)] == ["a", "b"]
        assert [letter.transport for letter in step.letters("new", 1)] == ["a"]


def test_a_finished_letter_is_no_longer_new(store: Store, came: Came) -> None:
    with store.step() as step:
        first, second = step.receive([came("a"), came("b")])
        step.finish_letter(first, "done", "orders filed", "ALPHA", "logical-1")
        step.finish_letter(second, "shunted", "the match is shunted")
    with store.look() as look:
        assert look.letters("new", 10) == []
        done = look.handled("logical-1")
        assert done is not None
        assert (done.id, done.status, done.verdict, done.match) == (first, "done", "orders filed", "ALPHA")
        assert [letter.id for letter in look.letters("shunted")] == [second]
        assert look.handled("logical-2") is None


def test_a_logical_key_is_handled_once_and_the_step_may_go_on(store: Store, came: Came) -> None:
    with store.step() as step:
        first, second = step.receive([came("a"), came("b")])
        step.finish_letter(first, "done", "", logical="same")
        with pytest.raises(Conflict):
            step.finish_letter(second, "done", "", logical="same")
        step.finish_letter(second, "duplicate", "as before")
    with store.look() as look:
        assert [letter.status for letter in (look.letter(first), look.letter(second)) if letter] == [
            "done",
            "duplicate",
        ]


@meets_at_once
def test_only_a_letter_that_is_still_new_is_claimed_or_finished(store: Store, came: Came) -> None:
    with store.step() as step:
        done, new, later = step.receive([came("a"), came("b"), came("c")])
        step.finish_letter(done, "done", "orders filed", "ALPHA", "logical-1")
    with store.step() as step:
        assert step.claim_new([done, new]) == {new}
        with pytest.raises(Conflict, match="no longer"):
            step.finish_letter(done, "duplicate", "a letter already handled")
        step.finish_letter(new, "shunted", "it broke us")
        step.finish_letter(new, "new", "put back", was="shunted")
        assert step.claim_new([done, new, later]) == {new, later}
        kept = step.handled("logical-1")
    assert kept is not None and (kept.id, kept.status) == (done, "done")


def test_an_alarm_is_taken_only_as_it_stands(store: Store, noon: datetime) -> None:
    alarm = Alarm("ALPHA", "deadline", "T1|France", noon)
    later = msgspec.structs.replace(alarm, due_at=noon + timedelta(hours=1))
    with store.step() as step:
        step.set_alarm(alarm)
        step.set_alarm(later)
        assert not step.take_alarm(alarm)
        assert step.alarms("ALPHA") == [later]
        assert step.take_alarm(later) and not step.take_alarm(later)
        assert step.alarms("ALPHA") == []


def test_failed_attempts_are_counted(store: Store, came: Came) -> None:
    with store.step() as step:
        (id,) = step.receive([came("a")])
        assert [step.retry_letter(id, "it failed"), step.retry_letter(id, "again")] == [1, 2]
        letter = step.letter(id)
        assert letter is not None
        assert (letter.attempts, letter.verdict, letter.status) == (2, "again", "new")
        with pytest.raises(LookupError):
            step.retry_letter(id + 1, "no such letter")


@meets_at_once
def test_a_message_id_is_posted_once(store: Store, goes: Goes) -> None:
    with store.step() as step:
        assert step.post(goes("<1@x>")) is True
        assert step.post(goes("<1@x>", raw=b"other")) is False
        assert [letter.raw for letter in step.outgoing("ALPHA")] == [goes("<1@x>").raw]


def test_a_claimed_letter_is_not_claimed_again_before_its_lease_ends(store: Store, goes: Goes, noon: datetime) -> None:
    with store.step() as step:
        step.post(goes("<later@x>", due_at=noon + timedelta(hours=1)))
        step.post(goes("<first@x>", due_at=noon - timedelta(hours=1)))
        step.post(goes("<second@x>", recipient="ben@example.org"))

    def claim(now: datetime, limit: int = 10) -> list[str]:
        with store.step() as step:
            return [letter.message_id for letter in step.claim_outgoing(now, limit, 60)]

    assert claim(noon, limit=1) == ["<first@x>"]
    assert claim(noon) == ["<second@x>"]
    assert claim(noon + timedelta(seconds=59)) == []
    assert claim(noon + timedelta(seconds=60)) == ["<first@x>", "<second@x>"]


def test_letters_that_failed_are_hastened_those_never_tried_and_those_settled_are_not(
    store: Store, goes: Goes, noon: datetime
) -> None:
    later = noon + timedelta(hours=4)
    with store.step() as step:
        for message_id in ("<again@x>", "<sent@x>", "<never@x>", "<leased@x>"):
            step.post(goes(message_id))
        step.post(goes("<tomorrow@x>", due_at=later))
        again, sent, never, leased = step.claim_outgoing(noon, 10, 600)
        step.not_sent(again.id, "refused", later)
        step.sent(sent.id, noon)
        step.not_sent(never.id, "550 unknown", None)
        step.not_sent(leased.id, "refused", noon)
        step.keep_claimed([leased.id], later)
        assert step.claim_outgoing(noon, 10, 60) == []
        step.hasten(noon + timedelta(minutes=1))
        assert [letter.id for letter in step.claim_outgoing(noon + timedelta(minutes=1), 10, 60)] == [again.id]


def test_sent_and_failed_letters_are_settled(store: Store, goes: Goes, noon: datetime) -> None:
    later = noon + timedelta(minutes=5)
    with store.step() as step:
        for message_id in ("<sent@x>", "<again@x>", "<never@x>"):
            step.post(goes(message_id))
        sent, again, never = step.claim_outgoing(noon, 10, 60)
        step.sent(sent.id, noon)
        step.not_sent(again.id, "451 busy", later)
        step.not_sent(never.id, "550 unknown", None)
    with store.step() as step:
        assert step.claim_outgoing(noon, 10, 60) == []
        (claimed,) = step.claim_outgoing(later, 10, 60)
        assert (claimed.id, claimed.attempts, claimed.error, claimed.due_at) == (again.id, 1, "451 busy", later)
        states = {letter.message_id: (letter.status, letter.error) for letter in step.outgoing("ALPHA")}
    assert states == {
        "<sent@x>": ("sent", ""),
        "<again@x>": ("queued", "451 busy"),
        "<never@x>": ("failed", "550 unknown"),
    }


def test_answers_are_counted_by_purse_address_and_domain_since_a_moment(store: Store, noon: datetime) -> None:
    with store.step() as step:
        for hours, (purse, address, domain) in enumerate(
            [
                ("stranger", "anna@x.example", "x.example"),
                ("stranger", "ben@x.example", "x.example"),
                ("stranger", "carl@y.example", ""),
                ("refusal", "anna@x.example", "x.example"),
                ("kept", "anna@x.example", "x.example"),
            ]
        ):
            step.spend(Spent(noon + timedelta(hours=hours), purse, address, domain, 1_000 + hours, hours))
        early = noon - timedelta(hours=1)
        assert step.spent("stranger", early, "anna@x.example") == (1, 1_000)
        assert step.spent("stranger", early, domain="x.example") == (2, 2_001)
        assert step.spent("stranger", noon, domain="x.example") == (1, 1_001)
        assert step.spent("stranger", early) == (2, 2_001)
        assert step.spent("refusal", early, "anna@x.example") == (1, 1_003)
        assert step.kept_since(early) == [("anna@x.example", 1)] and step.kept(4) and not step.kept(3)
        step.unspend(1)
        assert step.spent("stranger", early, domain="x.example") == (1, 1_000)
        step.spend(Spent(noon + timedelta(days=9), "stranger", "dora@z.example", "z.example", 10, 9))
        assert step.spent("stranger", early) == (1, 10)


def test_people_are_found_by_any_of_their_addresses_whatever_the_capitals(store: Store) -> None:
    with store.step() as step:
        anna = step.save_player(Player(0, "Anna", ("Anna@Example.org", "a@x.org", "anna@example.ORG"), "Europe/Berlin"))
        assert anna.id > 0
        assert anna.addresses == ("Anna@Example.org", "a@x.org")
    with store.look() as look:
        assert look.player(anna.id) == anna
        assert look.player_at("ANNA@example.org") == anna
        assert look.player_at("A@X.ORG") == anna
        assert look.player_at("nobody@x.org") is None
        assert look.player(anna.id + 1) is None


def test_a_person_is_replaced_whole(store: Store) -> None:
    with store.step() as step:
        anna = step.save_player(Player(0, "Anna", ("old@x.org",)))
        moved = step.save_player(Player(anna.id, "Anna B", ("new@x.org", "third@x.org"), "Asia/Tokyo"))
    with store.look() as look:
        assert look.player_at("old@x.org") is None
        assert look.player_at("new@x.org") == moved == look.player(anna.id)


def test_an_address_belongs_to_one_person(store: Store) -> None:
    with store.step() as step:
        anna = step.save_player(Player(0, "Anna", ("anna@x.org",)))
    with pytest.raises(Conflict), store.step() as step:
        step.save_player(Player(0, "Ben", ("ben@x.org", "ANNA@x.org")))
    with store.look() as look:
        assert look.player_at("ben@x.org") is None
        assert look.player_at("anna@x.org") == anna


def test_matches_are_saved_and_replaced(store: Store, alpha: MatchRow, noon: datetime) -> None:
    older = msgspec.structs.replace(alpha, name="OLDER", status="over", created_at=noon - timedelta(days=1))
    with store.step() as step:
        step.save_match(alpha)
        step.save_match(older)
        step.save_match(msgspec.structs.replace(alpha, status="running", turn=3))
    with store.look() as look:
        running = msgspec.structs.replace(alpha, status="running", turn=3)
        assert look.match("ALPHA") == running
        assert look.match("BETA") is None
        assert look.matches() == [older, running]
        assert look.matches("over") == [older]


def test_members_keep_the_order_of_joining(store: Store, alpha: MatchRow) -> None:
    with store.step() as step:
        step.save_match(alpha)
        anna, ben = (step.save_player(Player(0, name, (f"{name}@x.org",))) for name in ("anna", "ben"))
        second = step.save_member(Member(0, "ALPHA", ben.id, "player", "applied", number=2))
        first = step.save_member(Member(0, "ALPHA", anna.id, "player", "applied", wishes=("Spain", "any"), number=1))
        seated = step.save_member(msgspec.structs.replace(second, seat="France", status="playing"))
    with store.look() as look:
        assert look.members("ALPHA") == [first, seated]
        assert look.members("BETA") == []
        assert look.memberships(ben.id) == [seated]


def test_the_log_is_appended_to_and_read_in_order(store: Store, alpha: MatchRow, entries: list[Entry]) -> None:
    with store.step() as step:
        step.append(entries)  # Before the match itself: a step may write in any order.
        step.save_match(alpha)
        step.append([])
    with store.look() as look:
        assert look.entries("ALPHA") == entries
        assert look.entries("ALPHA", since=2) == entries[2:]
        assert list(look.happenings("ALPHA", 0, 1)) == entries[:2]
        assert look.last_entry("ALPHA") == entries[-1]
        assert look.last_entry("BETA") is None
        assert check_chain(look.entries("ALPHA"), b"s") == entries[-1].hash


@meets_at_once
def test_a_place_in_the_log_is_taken_once(store: Store, alpha: MatchRow, entries: list[Entry]) -> None:
    with store.step() as step:
        step.save_match(alpha)
        step.append(entries[:2])
    with pytest.raises(Conflict), store.step() as step:
        step.put_note("ALPHA", "Spain", "n", "must not stay")
        step.append(entries[1:])
    with store.look() as look:
        assert look.entries("ALPHA") == entries[:2]
        assert look.note("ALPHA", "Spain", "n") is None


def test_tokens_of_past_turns_die(store: Store) -> None:
    with store.step() as step:
        for turn, seat in ((1, "Spain"), (1, "France"), (2, "Spain")):
            step.save_token(Token(f"{seat}{turn}", "ALPHA", 1, seat, turn))
        step.save_token(Token("other", "BETA", 1, "Spain", 1))
        step.retire_tokens("ALPHA", 2, "Spain")

    def alive() -> dict[str, bool]:
        with store.look() as look:
            found = [look.token(digest) for digest in ("Spain1", "France1", "Spain2", "other")]
            return {token.digest: token.alive for token in found if token}

    assert alive() == {"Spain1": False, "France1": True, "Spain2": True, "other": True}
    with store.step() as step:
        step.retire_tokens("ALPHA", 3)
        assert step.token("unknown") is None
    assert alive() == {"Spain1": False, "France1": False, "Spain2": False, "other": True}


def test_alarms_are_rows_that_stay_due_until_cleared(store: Store, noon: datetime) -> None:
    def at(hours: int) -> datetime:
        return noon + timedelta(hours=hours)

    with store.step() as step:
        assert step.next_alarm() is None
        step.set_alarm(Alarm("ALPHA", "deadline", "T1", at(24)))
        step.set_alarm(Alarm("ALPHA", "deadline", "T1", at(30), payload="moved"))
        step.set_alarm(Alarm("ALPHA", "reminder", "T1/12", at(18), seat="Spain"))
        step.set_alarm(Alarm("BETA", "deadline", "T1", at(1)))
    with store.look() as look:
        assert look.next_alarm() == at(1)
        assert [alarm.match for alarm in look.due_alarms(at(24), 10)] == ["BETA", "ALPHA"]
        assert look.due_alarms(at(24), 1) == [Alarm("BETA", "deadline", "T1", at(1))]
        assert look.due_alarms(noon, 10) == []
        assert [alarm.match for alarm in look.due_alarms(at(24), 10, "reminder")] == ["ALPHA"]
        assert [(a.kind, a.due_at, a.payload) for a in look.alarms("ALPHA")] == [
            ("reminder", at(18), ""),
            ("deadline", at(30), "moved"),
        ]


@pytest.mark.parametrize("read", [False, True])
@pytest.mark.parametrize(
    ("kind", "key", "left"),
    [("", "", []), ("reminder", "", ["d1"]), ("reminder", "r1", ["d1", "r2"]), ("mind", "", ["d1", "r1", "r2"])],
)
def test_alarms_are_cleared_by_match_kind_or_key_read_before_or_not(
    store: Store, noon: datetime, kind: str, key: str, left: list[str], read: bool
) -> None:
    with store.step() as step:
        for name, of in (("d1", "deadline"), ("r1", "reminder"), ("r2", "reminder")):
            step.set_alarm(Alarm("ALPHA", of, name, noon))
        step.set_alarm(Alarm("BETA", "reminder", "r1", noon))
        if read:
            assert [alarm.key for alarm in step.alarms("ALPHA")] == ["d1", "r1", "r2"]
        step.clear_alarms("ALPHA", kind, key)
        assert [alarm.key for alarm in step.alarms("ALPHA")] == left
        assert len(step.alarms("BETA")) == 1


def test_an_address_of_a_domain_outside_ascii_is_known_by_either_spelling(store: Store) -> None:
    with store.step() as step:
        anna = step.save_player(Player(0, "Anna", ("anna@bücher.example",)))
        found = [
            step.player_at(f"anna@{domain}") for domain in ("bücher.example", "BÜCHER.example", "xn--bcher-kva.example")
        ]
    assert {player and player.id for player in found} == {anna.id}


def test_a_store_that_is_closed_twice_closes_nothing_else(store: Store) -> None:
    with store.hold(["ALPHA"]):
        pass
    for _ in range(2):
        store.close()
    os.fstat(0)


def test_a_server_that_is_not_reached_passes_by_itself_and_a_missing_table_does_not(store: Store) -> None:
    with pytest.raises(NotNow, match="refused"):
        Store("postgresql+psycopg://nobody@127.0.0.1:1/none")
    with pytest.raises(DatabaseError, match="missing"), put_off(), store.engine.connect() as db:
        db.execute(text("SELECT 1 FROM missing"))


def test_entries_are_read_by_their_kind_and_piece_by_piece(store: Store, alpha: MatchRow) -> None:
    kinds = ["created", *(("event", "filed", "answer", "rewound")[number % 4] for number in range(1_300))]
    entries: list[Entry] = []
    for kind in kinds:
        entries.append(seal(b"s", "ALPHA", entries[-1] if entries else None, "2026-11-21", kind, "{}", ""))
    with store.step() as step:
        step.save_match(alpha)
        step.append(entries)
    with store.look() as look:
        assert look.entries_of("ALPHA", Answered) == [e for e in entries if e.kind in ("answer", "rewound")]
        for since, until in ((0, 1_300), (3, 1_299), (5, 5), (4, 3)):
            stretch = [e for e in entries[since : until + 1] if e.kind in ("event", "rewound") or e.seq == since]
            assert list(look.happenings("ALPHA", since, until)) == stretch


def test_letters_that_cannot_be_sent_are_found_by_their_state(
    store: Store, noon: datetime, goes: Callable[..., LetterOut]
) -> None:
    with store.step() as step:
        for name, changes in (
            ("sent", {"status": "sent", "attempts": 4}),
            ("given up", {"status": "failed", "match": "", "error": "550"}),
            ("given up long ago", {"status": "failed", "created_at": noon - 2 * MINUTE}),
            ("tried once", {"attempts": 1}),
            ("tried often", {"attempts": 4, "created_at": noon - 2 * MINUTE}),
        ):
            step.post(goes(name, kind=name, **changes))
    with store.look() as look:
        unsent = look.unsent(noon - MINUTE, 3)
        assert [letter.kind for letter in unsent] == ["given up", "tried often"]
        assert (unsent[0].match, unsent[0].error, unsent[1].attempts) == ("", "550", 4)


@meets_at_once
def test_the_latest_report_of_a_turn_is_shown_and_every_one_is_kept(
    store: Store, alpha: MatchRow, noon: datetime
) -> None:
    def report(epoch: int, reader: str, seq: int) -> Report:
        page = msgspec.json.encode({"title": "Turn 4", "summary": f"Course {epoch}. " * 500})
        chart = b"{}" if epoch else None
        return Report("ALPHA", 4, epoch, reader, f"Turn 4 of {epoch}", noon, seq, "head", page, b"[]", chart)

    kept = [report(0, "", 9), report(0, "Spain", 9), report(2, "", 20), report(2, "Spain", 20)]
    with store.step() as step:
        step.save_match(alpha)
        for one in kept:
            step.keep_report(one)
    with pytest.raises(Conflict), store.step() as step:
        step.keep_report(kept[0])
    with store.look() as look:
        assert look.report("ALPHA", 4, "Spain") == kept[3]
        assert look.report("ALPHA", 4, "") == kept[2]
        assert look.report("ALPHA", 4, "", 0) == kept[0]
        assert look.report("ALPHA", 5, "") is None
        assert look.reports("ALPHA") == kept
        listed = [(one.turn, one.epoch, one.seq, one.said, one.drawn) for one in look.listed_reports("ALPHA")]
        assert listed == [(4, 0, 9, "Course 0. " * 500, False), (4, 2, 20, "Course 2. " * 500, True)]


def test_notes_are_kept_replaced_and_removed(store: Store) -> None:
    with store.step() as step:
        step.put_note("ALPHA", "Spain", "corrections", "one")
        step.put_note("ALPHA", "Spain", "corrections", "two")
        step.put_note("ALPHA", "France", "corrections", "three")
        step.put_note("ALPHA", "France", "bank", "4")
    with store.step() as step:
        assert step.notes("ALPHA", "corrections") == {"France": "three", "Spain": "two"}
        step.put_note("ALPHA", "Spain", "corrections", None)
        assert step.note("ALPHA", "Spain", "corrections") is None
        assert step.note("ALPHA", "France", "bank") == "4"


def test_notes_of_one_place_are_read_together_and_long_ones_by_themselves(store: Store) -> None:
    with store.step() as step:
        for name, value in (("wait", "Q1"), ("newest", "1"), ("press", "x" * 9_000)):
            step.put_note("ALPHA", "Spain", name, value)
    with store.step() as step:
        assert step.note("ALPHA", "Spain", "wait") == "Q1"
        assert step.note("ALPHA", "Spain", "press") == "x" * 9_000
        assert step.note("ALPHA", "Spain", "diary") is None
        step.put_note("ALPHA", "Spain", "newest", "2")
        step.put_note("ALPHA", "Spain", "wait", None)
        step.put_note("ALPHA", "Spain", "diary", "new")
        found = [step.note("ALPHA", "Spain", name) for name in ("wait", "newest", "diary")]
        assert found == [None, "2", "new"]
    with store.look() as look:
        found = [look.note("ALPHA", "Spain", name) for name in ("wait", "newest", "diary")]
        assert found == [None, "2", "new"]


def test_moments_are_exact_and_aware_whatever_zone_they_came_in(store: Store, came: Came, noon: datetime) -> None:
    tokyo = noon.astimezone(timezone(timedelta(hours=9)))
    with store.step() as step:
        (id,) = step.receive([came("a", received_at=tokyo)])
        letter = step.letter(id)
    assert letter is not None
    assert letter.received_at == noon
    assert letter.received_at.utcoffset() == timedelta(0)


def test_a_naive_moment_is_refused(store: Store, came: Came, noon: datetime) -> None:
    with pytest.raises(TypeError, match="offset-naive"), store.step() as step:
        step.receive([came("a", received_at=noon.replace(tzinfo=None))])


@pytest.mark.real
@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
def test_two_workers_never_take_the_same(store: Store, came: Came, goes: Goes, noon: datetime) -> None:
    with store.step() as step:
        ids = step.receive([came("a"), came("b"), came("c")])
        step.post(goes("<a@x>"))
        step.post(goes("<b@x>", recipient="ben@example.org"))
    other: list[set[int]] = []

    def second_worker() -> None:
        with store.step() as step:
            other.append(step.claim_new(ids))

    with store.step() as step:
        assert step.claim_new([ids[0], ids[2]]) == {ids[0], ids[2]}
        assert [letter.message_id for letter in step.claim_outgoing(noon, 1, 60)] == ["<a@x>"]
        worker = threading.Thread(target=second_worker)
        worker.start()
        worker.join()
    with store.step() as step:
        assert [letter.message_id for letter in step.claim_outgoing(noon, 2, 60)] == ["<b@x>"]
    assert other == [{ids[1]}]


@pytest.mark.real
@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
def test_an_alarm_that_two_take_is_taken_once(store: Store, noon: datetime) -> None:
    alarm = Alarm("ALPHA", "deadline", "T1|France", noon)
    with store.step() as step:
        step.set_alarm(alarm)
    taken: list[bool] = []

    def second_worker() -> None:
        while not taken:
            with suppress(Overtaken), store.step() as step:
                taken.append(step.take_alarm(alarm))

    with store.step() as step:
        assert step.take_alarm(alarm)
        worker = threading.Thread(target=second_worker)
        worker.start()
    worker.join()
    assert taken == [False]


def test_a_step_says_whose_logs_it_made_longer(store: Store, alpha: MatchRow, entries: list[Entry]) -> None:
    with store.step() as step:
        step.save_match(alpha)
        before = step.grown
        step.append(entries)
        assert (before, step.grown, step.last_entry("ALPHA")) == ((), ("ALPHA",), entries[-1])
