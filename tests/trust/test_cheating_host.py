"""The host who cheats, with database, secrets, code, clock and a friend at the table: what he cannot do, what is found out by
one honest player from his own letters, and what is possible where no beacon is used."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.adapters.signing_key import SigningKey
from referee.core.chance import commitment, link
from referee.core.event import Drawn, Rolled
from referee.core.record import Answered, Created, Entry, Filed, Opened, Pledged, Renewed, Rewound
from referee.games.newworld import phases
from referee.service.base.times import iso
from referee.service.match.audit import Verdict
from referee.service.match.bots import dummy_answers, seat_dummy
from referee.service.match.sealing import Key, lots
from tests.beacon.by_hand import never, signature
from tests.mended import mend, upgrade
from tests.service.conftest import ANNA, BEN, GINA, PLAYERS
from tests.steady import SEALED
from tests.trust.cheating import Host, Player, copied
from tests.world import Mail

pytestmark = pytest.mark.usefixtures("sealed_dice")

MADE = {
    "letters": ("newworld", "", 4),
    "drand": ("newworld", "WITH beacon drand", 4),
    "asked": ("newworld", "WITH mode two_step", 4),
    "lots": ("newworld", "WITH nationalities yes", 4),
    "toy": ("toy", "", 3),
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Any]]:
    """Databases with a match begun, to copy, and the time that it is there."""
    found: dict[str, tuple[Path, Any]] = {}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Key, "chance", SEALED)
        for name, (game, more, players) in MADE.items():
            host = Host(tmp_path_factory.mktemp(name))
            host.begin(game, more, players)
            found[name] = host.folder, host.clock.now()
            host.close()
    return found


@pytest.fixture
def opened(begun: dict[str, tuple[Path, Any]], tmp_path: Path) -> Iterator[Callable[[str], Host]]:
    """Opens a host's referee with a match begun."""
    hosts: list[Host] = []

    def open_one(name: str) -> Host:
        folder, at = begun[name]
        copied(folder, tmp_path)
        hosts.append(Host(tmp_path, first=1_000, at=at))
        hosts[0].new_mail()
        return hosts[0]

    yield open_one
    for host in hosts:
        host.close()


@pytest.fixture
def host(opened: Callable[[str], Host]) -> Host:
    """The match nw1 of New World, its dice of secret and letters alone."""
    return opened("letters")


@pytest.fixture
def drand(opened: Callable[[str], Host]) -> Host:
    """The same with a beacon."""
    return opened("drand")


def kind(entries: list[Entry], of: str) -> list[int]:
    """The numbers of all entries of a kind."""
    return [entry.seq for entry in entries if entry.kind == of]


# ---------------------------------------------------------------- an honest host


@pytest.mark.parametrize("name", ["letters", "drand"])
def test_of_an_honest_host_nothing_is_found(opened: Callable[[str], Host], name: str) -> None:
    host = opened(name)
    for _ in range(3):
        host.turn()
        host.fall()
    player = Player(host.all_mail())
    assert player.finds(host.archive()) == "" and player.secrets_that_lead_nowhere() == []
    host.over()
    assert Player(host.all_mail()).finds(host.archive()) == ""


# ---------------------------------------------------------------- foreseeing dice


def test_no_part_of_a_second_is_left_to_choose_dice_by(begun: dict[str, tuple[Path, Any]], tmp_path: Path) -> None:
    """Entries have whole seconds, and a seal that of what it seals; a host who writes another moment is told of."""
    folder, at = begun["letters"]
    copied(folder, tmp_path)
    host = Host(tmp_path, first=1_000, at=at + timedelta(microseconds=345_678))
    host.turn()
    turn = [entry for entry in host.entries() if entry.at > iso(at - timedelta(seconds=1))]
    assert turn and {entry.at for entry in turn} == {iso(at)}
    assert Player([]).checks(host.archive()).unchecked == ()

    def moved(seq: int, said: Any) -> str | None:
        return iso(at + timedelta(microseconds=18_291)) if seq > turn[0].seq and said["kind"] == "sealed" else None

    forged = Player([]).checks(host.archive(host.rewritten(moved, anew=True)))
    host.close()
    assert forged.verdict is Verdict.PARTLY and "seals were made at a moment that suited" in forged.unchecked[0]


def test_where_no_beacon_has_a_share_the_first_letter_says_what_a_host_could_do(
    host: Host, opened: Callable[[str], Host], tmp_path: Path
) -> None:
    (first, *_) = (mail for mail in host.all_mail() if mail.kind == "started")
    assert "No public beacon has a share in these dice. So whoever runs this house knows them" in first.flat


def test_without_a_beacon_a_host_knows_the_dice_once_the_last_letter_is_in(host: Host) -> None:
    """And his friend, who writes last, may write the letter that falls best. Possible: docs/trust.md says so."""
    tried = {}
    for number in range(4):
        fork = host.fork(f"try{number}")
        fork.turn(message_id=f"<try{number}@players.example>")
        tried[number] = fork.faces()
        fork.close()
    assert len(set(map(str, tried.values()))) > 1
    best = max(tried, key=lambda number: sum(map(sum, tried[number])))
    host.turn(message_id=f"<try{best}@players.example>")
    assert host.faces() == tried[best]
    assert Player(host.all_mail(), BEN).finds(host.archive()) == ""


def test_under_a_beacon_the_sealed_head_has_left_before_anybody_can_know_the_dice(drand: Host) -> None:
    before = len(drand.faces())
    drand.turn()
    seal = drand.playing().outcome.sealed
    assert seal is not None and len(drand.faces()) == before
    assert drand.beacon.time_of(seal.round) - drand.clock.now() > timedelta(seconds=50)
    head = drand.playing().seals.keys[seal.number].head
    for player in PLAYERS:
        assert Player(drand.all_mail(), player).sealings()[-1] == (head, seal.round)
    key, secret = drand.playing().seals.keys[seal.number], drand.playing().row.secret
    guesses = {tuple(replaced(key, number).chance(secret).face("T", at, 6) for at in range(9)) for number in range(50)}
    assert key.waits and len(guesses) == 50


def replaced(key: Key, round: int) -> Key:
    """A key as it would be with this round."""
    return Key(key.chain, key.link, key.head, key.hidden, key.round, False, signature(round).hex())


def test_who_looks_at_the_round_and_then_takes_another_letter_is_found_out(drand: Host) -> None:
    """He keeps two referees: one tells of its seal; when the round is there he goes on with the other, dated back."""
    other = drand.fork("other")
    drand.turn()
    player = Player(drand.all_mail())
    player.letters = player.letters[-1:]
    other.turn(message_id="<better@players.example>")
    other.fall()
    assert "entry 20 of the log is not the one of which a letter told" in player.finds(other.archive())
    drand.fall()
    assert player.finds(drand.archive()) == ""
    other.close()


def test_a_restart_before_anything_was_told_gives_other_dice_where_no_beacon_is_used(host: Host) -> None:
    """Nobody can see it: the log has the later moment, and that is all that is known of it."""
    later = host.fork("later")
    later.clock.advance(timedelta(seconds=1))
    for referee in (host, later):
        referee.turn(message_id="<one@players.example>")
    assert host.faces() != later.faces()
    assert Player(later.all_mail()).finds(later.archive()) == ""
    later.close()


def test_a_restart_after_a_seal_was_told_changes_no_die_under_a_beacon(drand: Host) -> None:
    drand.turn()
    again = drand.fork("again")
    again.clock.advance(timedelta(seconds=20))
    drand.fall()
    again.fall()
    assert drand.faces() == again.faces()
    again.close()


# ---------------------------------------------------------------- choosing secrets and seats


def test_a_host_can_choose_the_moment_of_the_start_and_with_it_the_seats(opened: Callable[[str], Host]) -> None:
    """Possible, with a beacon too: no round has a share in seats."""
    host = opened("lots")
    (created,) = host.log(Created)
    secret, wishes = host.playing().row.secret, created.wishes
    assert wishes is not None
    game = host.playing().game

    def seated(at: str) -> tuple[str, ...]:
        return tuple(game.seat_players(wishes, created.options, lots(secret, "nw1", at, wishes)))

    assert seated(host.entries()[0].at) == created.seats
    moments = [iso(host.clock.now() + timedelta(seconds=number)) for number in range(60)]
    assert {seated(at)[0] for at in moments} >= set(created.seats)


def test_seats_that_no_lot_gave_are_found_when_the_match_is_over(opened: Callable[[str], Host]) -> None:
    host = opened("lots")
    host.over()

    def swap(seq: int, said: Any) -> None:
        if said["kind"] == "created":
            said["seats"] = said["seats"][::-1]

    forged = host.archive(host.rewritten(swap))
    assert "the seats are not what wishes and lots give" in Player([]).finds(forged)


def test_a_secret_that_is_chosen_after_the_letters_is_not_hashed_to_the_end_of_the_chain(host: Host) -> None:
    """By his letters alone: SHA-256 and a first letter are all that he needs."""
    host.turn()
    player = Player(host.all_mail())
    assert player.secrets_that_lead_nowhere() == []
    told = player.letters[-1]
    secret = told.flat.partition("Secret 2 of chain 0: ")[2][:64]
    told.__dict__["flat"] = told.flat.replace(secret, "ab" * 32)
    assert player.secrets_that_lead_nowhere() == [
        "secret 2 is not hashed to the end of the chain that my first letter names"
    ]


def test_a_log_of_another_match_secret_has_another_fingerprint_than_the_first_letter(host: Host) -> None:
    host.turn()
    player, secret = Player(host.all_mail()), bytes(range(32))

    def another(seq: int, said: Any) -> None:
        match said["kind"]:
            case "created":
                said["commitment"] = commitment(secret)
            case "pledged":
                said["anchor"] = link(secret, said["chain"], 0).hex()
            case "sealed":
                said["opens"] = link(secret, 0, said["link"] - 1).hex()

    entries = host.rewritten(another, secret, anew=True)
    with host.store.step() as step:
        step.save_match(msgspec.structs.replace(host.playing().row, secret=secret))
    assert Player([]).finds(host.archive(entries)) == "", "it is well made"
    player.letters = [mail for mail in player.letters if mail.kind == "started"]
    assert any(said in player.finds(host.archive(entries)) for said in ("the head of", "the fingerprint in a letter"))
    player.letters[0] = Mail("started", b"Subject: [nw1] copied\n\n" + fingerprint(player).encode(), ANNA)
    assert player.finds(host.archive(entries)) == "the fingerprint in a letter is not that of the archive"


def fingerprint(player: Player) -> str:
    """The one line of a first letter that somebody may have copied by hand."""
    return player.letters[0].flat[player.letters[0].flat.index("Fingerprint:") :][:77]


def another_link(number: int, **fields: Any) -> Callable[[int, Any], None]:
    """Changes the seal of this number."""

    def change(seq: int, said: Any) -> None:
        if said["kind"] == "sealed" and said["number"] == number:
            said |= fields

    return change


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("what", ["left out", "used twice"])
def test_a_link_that_is_skipped_or_used_twice_is_found(host: Host, what: str, over: bool) -> None:
    for _ in range(3):
        host.turn()
    seals = [record for _, record in host.seals() if not record.hidden]
    last, before = seals[-1], seals[-2]
    change = (
        another_link(last.number, link=last.link + 1)
        if what == "left out"
        else another_link(last.number, link=before.link, opens=before.opens)
    )
    if over:
        host.over()
    forged = host.archive(host.rewritten(change))
    assert "uses another secret than the next one of its chain" in Player([]).finds(forged)


def test_a_second_chain_that_the_host_chose_after_a_rewind_is_found_when_the_match_is_over(host: Host) -> None:
    """While it is played any end of a chain may be told; all of them must come of the secret whose fingerprint he gave first."""
    host.turn()
    host.reply(GINA, "REWIND TO TURN 1")
    host.turn()
    host.over()
    assert [pledged.chain for pledged in host.log(Pledged)] == [0, 1]

    def chosen(seq: int, said: Any) -> None:
        if said["kind"] == "pledged" and said["chain"] == 1:
            said["anchor"] = "cd" * 32

    forged = host.archive(host.rewritten(chosen))
    assert "commits to another chain of secrets than the one that follows" in Player([]).finds(forged)


def test_who_looks_and_rewinds_throws_other_dice_and_everybody_is_told(host: Host) -> None:
    host.turn(message_id="<one@players.example>")
    first = host.faces()
    host.new_mail()
    mails = host.reply(GINA, "REWIND TO TURN 1")
    assert {mail.to for mail in mails if "rewound" in mail.flat.lower() or "REWIND" in mail.flat} >= set(PLAYERS)
    host.turn(message_id="<again@players.example>")
    assert len(host.log(Rewound)) == 1
    assert [pledged.chain for pledged in host.log(Pledged)] == [0, 1]
    assert host.faces()[-len(first) + 1 :] != first[1:]
    assert Player(host.all_mail()).finds(host.archive()) == ""


def test_a_rewind_after_which_the_old_chain_goes_on_is_found(host: Host) -> None:
    host.turn()
    host.reply(GINA, "REWIND TO TURN 1")
    host.turn()
    (_, second) = kind(host.entries(), "pledged")

    def kept(seq: int, said: Any) -> None:
        if seq == second:
            said.clear()
            said |= {"kind": "override", "action": "announce", "by": "the host", "reason": "nothing"}

    assert "is a seal out of turn" in Player([]).finds(host.archive(host.rewritten(kept)))


# ---------------------------------------------------------------- letters


def test_a_letter_that_is_held_back_is_known_by_the_answer_that_never_came(host: Host) -> None:
    """That it came too late, or never, nobody can disprove: who gets no receipt writes again before the deadline."""
    host.turn("RESEARCH any", message_id="<taken@players.example>")
    player = Player(host.all_mail(), host.on_turn())
    wrote = ["<taken@players.example>", "<held@players.example>"]
    assert player.without_answer(wrote) == ["my letter <held@players.example> was never acknowledged"]


def test_a_letter_that_was_answered_and_then_dropped_is_found_from_its_receipt(host: Host) -> None:
    without = host.fork("without")
    address = host.turn("RESEARCH any", message_id="<mine@players.example>")
    player = Player(host.all_mail(), address)
    for referee in (host, without):
        referee.wait(hours=25)
    said = "the orders in a letter of yours were taken, by its answer, and the log knows nothing of it"
    assert said in player.finds(without.archive()) and player.finds(host.archive()) == ""
    host.over()
    without.over()
    assert said in player.finds(without.archive()) and player.finds(host.archive()) == ""
    without.close()


def test_entries_that_are_dated_back_are_none_that_a_letter_told_of(host: Host) -> None:
    host.turn()
    host.wait(hours=2)
    player = Player(host.all_mail())
    back = iso(host.clock.now() - timedelta(hours=9))
    (number, *_) = kind(host.entries(), "answer")
    forged = host.archive(host.rewritten(lambda seq, said: back if seq == number else None, anew=True))
    assert "of which a letter told" in player.finds(forged) or "none of this log" in player.finds(forged)
    assert f"the time of the log runs backwards at entry {number}" in Player([]).checks(forged).note


def test_letters_in_another_order_are_another_log(host: Host) -> None:
    """In what order letters are taken before anything is told is the host's word; afterwards it stands."""
    other = host.fork("other")
    for referee, order in ((host, (ANNA, BEN)), (other, (BEN, ANNA))):
        for player in order:
            referee.reply(player, "STANDING\nRESEARCH any\nEND")
        referee.turn()
    assert {len(kind(referee.entries(), "filed")) for referee in (host, other)} != {0}
    said = Player(host.all_mail()).finds(other.archive())
    found = ("a head of", "none of this log", "of which a letter told", "older than your letters")
    assert any(words in said for words in found)
    other.close()


def test_a_letter_on_file_that_is_changed_after_the_seal_is_another_log(host: Host) -> None:
    """With all that follows played anew from it, and signed."""
    other = host.fork("other")
    host.turn("RESEARCH any\nHIRE 1 worker\nROLL OUT")
    other.turn("RESEARCH any\nROLL OUT")
    assert host.log(Filed) and other.log(Filed) and host.log(Filed) != other.log(Filed)
    said = Player(host.all_mail()).finds(other.archive())
    assert "the head of" in said or "of which a letter told" in said or "older than your letters" in said
    other.close()


def test_two_players_who_were_shown_two_logs_find_it_by_laying_their_letters_side_by_side(host: Host) -> None:
    others = [host.fork(f"other{number}") for number in range(12)]
    host.turn(message_id="<one@players.example>")
    for number, other in enumerate(others):
        other.turn(message_id=f"<other{number}@players.example>")
    pairs = itertools.combinations([host, *others], 2)
    one, same = next(pair for pair in pairs if len(pair[0].entries()) == len(pair[1].entries()))
    both = Player(one.all_mail(), ANNA)
    both.letters += Player(same.all_mail(), BEN).letters
    found = Player(both.letters)
    found.letters = both.letters
    assert "two letters have different heads of the same log, at" in found.finds(one.archive())
    for other in others:
        other.close()


@pytest.mark.parametrize("more", [1, 2])
def test_one_archive_cannot_fit_the_letters_of_two_logs_whatever_their_sizes(host: Host, more: int) -> None:
    other = host.fork("other")
    host.turn(message_id="<one@players.example>")
    for _ in range(more):
        other.turn()
    mine, theirs = Player(host.all_mail(), ANNA), Player(other.all_mail(), BEN)
    assert mine.finds(host.archive()) == "" == theirs.finds(other.archive())
    assert mine.finds(other.archive()) and theirs.finds(host.archive())
    other.close()


# ---------------------------------------------------------------- the beacon


def test_who_says_that_the_beacon_was_silent_says_it_openly_and_the_round_can_be_asked_for(drand: Host) -> None:
    """Possible, once for each throw, in sight of everybody: the report has the number of the round, and every relay has it."""
    drand.beacon.late = never
    drand.turn()
    for _ in range(12):
        drand.wait(minutes=1)
    assert drand.log(Opened)[-1].why
    drand.beacon.late = lambda round: timedelta()
    drand.fall()
    player = Player(drand.all_mail())
    (round,) = player.silences()
    assert signature(round), "anybody may ask a relay for it"
    found = player.checks(drand.archive())
    assert found.sound and f"round {round} has no share in its dice, since no relay of" in found.note
    assert f"ask a relay whether there was round {round}" in found.note


def test_seals_that_take_no_round_though_the_match_has_a_beacon_are_counted(drand: Host) -> None:
    drand.reply(GINA, "CLOCK beacon letters")
    drand.turn()
    found = Player(drand.all_mail()).checks(drand.archive())
    assert found.sound and "1 of 2 seals took no round of drand by hand" in found.note


def test_a_round_that_was_made_before_the_seal_is_found(drand: Host) -> None:
    drand.turn()
    drand.fall()
    (*_, (entry, seal)) = drand.seals()
    old = drand.beacon.round_after(drand.clock.now() - timedelta(hours=2))

    def earlier(seq: int, said: Any) -> None:
        if seq == entry.seq:
            said["round"] = old
        if said["kind"] == "opened" and said["number"] == seal.number:
            said["signature"] = signature(old).hex()

    found = Player([]).finds(drand.archive(drand.rewritten(earlier, anew=True)))
    assert found == f"entry {entry.seq}: its dice were sealed when round {old} was made already"


def test_a_seal_that_is_dated_back_comes_too_late_by_letter(drand: Host) -> None:
    """The host's clock says what he likes; the player's own mail server says when the letter came."""
    drand.new_mail()
    drand.turn()
    seal = drand.playing().outcome.sealed
    assert seal is not None
    made = drand.beacon.time_of(seal.round)
    drand.fall()
    player = Player(drand.all_mail())
    told = next(mail for mail in reversed(player.letters) if "its hash is" in mail.flat)
    player.came(told, made - timedelta(seconds=55))
    assert "the letter by which you learned of the seal" not in player.checks(drand.archive()).note
    player.came(told, made + timedelta(seconds=5))
    said = f"the letter by which you learned of the seal came when its round {seal.round} was made already"
    assert said in player.checks(drand.archive()).note


def test_a_false_signature_of_a_round_is_found(drand: Host) -> None:
    drand.turn()
    drand.fall()
    (*_, opened) = drand.log(Opened)

    def false(seq: int, said: Any) -> None:
        if said["kind"] == "opened" and said["number"] == opened.number:
            said["signature"] = "ef" * 32

    (*_, (_, seal)) = drand.seals()
    forged = drand.archive(drand.rewritten(false, anew=True))
    assert f"the signature of round {seal.round} is not the beacon's" in Player([]).finds(forged)


def test_dice_that_did_not_wait_for_the_round_of_their_seal_are_found(drand: Host) -> None:
    drand.turn()
    drand.fall()
    (*_, opened) = kind(drand.entries(), "opened")

    def unopened(seq: int, said: Any) -> None:
        if seq == opened:
            said["number"] = 9_999

    assert "did not wait for their round" in Player([]).finds(drand.archive(drand.rewritten(unopened)))


def test_a_seal_that_is_opened_a_second_time_is_found(drand: Host) -> None:
    for _ in range(2):
        drand.turn()
        drand.fall()
    first, *_ = drand.log(Opened)
    (*_, last) = kind(drand.entries(), "opened")

    def again(seq: int, said: Any) -> None:
        if seq == last:
            said["number"] = first.number

    forged = drand.archive(drand.rewritten(again))
    assert "opens a seal that waits for no round, or a second time" in Player([]).finds(forged)


# ---------------------------------------------------------------- keys, rules, and what is not told


def test_heads_that_another_key_signed_are_found(host: Host) -> None:
    host.turn()
    host.office = replace(host.office, signer=SigningKey("games.example", bytes([7] * 32)))
    host.turn()
    found = Player(host.all_mail()).finds(host.archive())
    assert found == "the archive names another key than the first letter"
    host.office = replace(host.office, signer=SigningKey("games.example", bytes(32)))
    assert "do not bear the signature of games.example" in Player(host.all_mail()).finds(host.archive())


def test_mended_rules_throw_the_same_dice_and_everybody_is_told(
    opened: Callable[[str], Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    host = opened("asked")
    host.turn("HIRE 1 worker\nROLL OUT")
    before = [event.faces for event in host.playing().outcome.events if isinstance(event, Rolled | Drawn)]
    mend(
        monkeypatch,
        phases,
        "event_phase",
        '"Event check", "nw.event.check"',
        '"Event check", "nw.event.privateers"',
    )
    upgrade(monkeypatch)
    mails = host.reply(PLAYERS[0], "STATUS")
    assert len(host.log(Renewed)) == 1
    after = [event.faces for event in host.playing().outcome.events if isinstance(event, Rolled | Drawn)]
    assert before and before == after
    assert {mail.to for mail in mails if "with the same dice" in mail.flat} >= {GINA, *PLAYERS}
    assert Player(host.all_mail()).finds(host.archive()) == ""


def test_a_preview_shows_other_dice_than_those_to_come(host: Host) -> None:
    """Whoever may ask for it, and as often as he likes: it seals nothing, and its dice have a key of their own."""
    fork = host.fork("looked at")
    before = fork.entries()
    shown = {chances(fork.reply(GINA, "PREVIEW TURN")[0].flat) for _ in range(3)}
    assert fork.entries() == before and len(shown) == 1 and "" not in shown
    for referee in (host, fork):
        referee.turn(message_id="<one@players.example>")
    assert host.faces() == fork.faces()
    assert chances(fork.last(GINA, "report").flat) not in shown
    fork.close()


def chances(text: str) -> str:
    """What dice and cards a page tells of."""
    return " ".join(re.findall(r"1d\d+ = \d+|can research [^.]*|explores [^.]*", text))


def test_dice_that_only_some_are_told_are_checked_when_the_match_is_over(opened: Callable[[str], Host]) -> None:
    """Till then they are his word: the card that a bidder drew face down may be another than the one that was dealt."""
    host = opened("toy")
    (first, *_) = [
        entry.seq for entry in host.entries() if '"type":"Drawn"' in entry.payload and '"seen_by":[' in entry.payload
    ]

    def another(seq: int, said: Any) -> None:
        if seq == first:
            said["event"]["faces"][0] = said["event"]["faces"][0] % said["event"]["held"] + 1

    assert Player(host.all_mail()).checks(host.archive()).note.count("no secret ones") == 1
    host.wait(hours=25)
    host.over()
    honest = Player(host.all_mail())
    assert honest.finds(host.archive()) == ""
    forged = host.archive(host.rewritten(another))
    assert "the rules do not give what the log says" in Player([]).finds(forged)


def test_what_a_dummy_will_choose_is_known_to_the_host(opened: Callable[[str], Host]) -> None:
    """Possible: its choices come of the match secret alone, and no audit asks whether they did. A dummy is the host's seat."""
    host = opened("toy")
    with host.store.step() as step:
        seat_dummy(step, "nw1", host.seat(ANNA))
        foreseen = dummy_answers(step, host.playing())
    (known,) = [(answer.key, bytes(answer.value)) for answer in foreseen]
    host.reply(BEN, "BID 2 coins")
    assert known in [(answer.key, bytes(answer.value)) for answer in host.log(Answered) if answer.by == "a dummy"]
