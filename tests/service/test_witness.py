"""Witnesses by mail: two referees that write to each other, the forks that are found, and what strangers cannot do with it."""

from __future__ import annotations

import hashlib
import queue
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import msgspec
import pytest
from aiosmtpd.smtp import Envelope
from typer.testing import CliRunner

from referee.adapters.signing_key import SigningKey, verify
from referee.bootstrap.service import Service
from referee.config import read
from referee.core.hash_tree import Tree, ask_text, consistency, read_ask
from referee.core.record import Overrode
from referee.core.signed_note import (
    COSIGNATURE,
    Checkpoint,
    Key,
    Note,
    change_note,
    forks,
    is_signed,
    lineage,
    note,
    read_keys,
    read_notes,
    read_signatures,
    signed,
)
from referee.service.base import notes
from referee.service.base.note_values import LogSeen, Witness
from referee.service.base.office import At, Witnessing
from referee.service.base.ports import LetterIn
from referee.service.house.archive import archive_of
from referee.service.house.proofs import ask_witness, check_witnessed, signed_heads, witnessed_text
from referee.service.house.verification import Checks, verify_archive
from referee.service.intake.keepers_digest import concerns
from referee.service.match.audit import Verdict
from referee.service.match.open_log import named, our_key
from referee.service.match.playing import leaf
from tests.commands import app
from tests.served import Served
from tests.service.conftest import ANNA, BEN, GINA, begin
from tests.world import ADDRESS, Mail, World

OTHER = "referee@club.example"
THIRD = "referee@third.example"
VICTIM = "victim@home.example"
DAY = timedelta(days=1)


def signer_of(name: str, secret: bytes) -> SigningKey:
    """A key of its own for each secret."""
    return SigningKey(name, hashlib.sha256(secret).digest())


def as_house(world: World, address: str) -> World:
    """A referee that signs and verifies, at this address."""
    key = signer_of(address, address.encode())
    world.office = replace(world.office, address=address, signer=key, verify=verify)
    return world


@pytest.fixture
def host(match: World) -> World:
    """The referee of the match nw1."""
    return as_house(match, ADDRESS)


@pytest.fixture
def witness(tmp_path: Path, databases: Path) -> Iterator[World]:
    """Another referee."""
    yield from another(tmp_path / "witness", databases, OTHER)


@pytest.fixture
def third(tmp_path: Path, databases: Path) -> Iterator[World]:
    """One more."""
    yield from another(tmp_path / "third", databases, THIRD)


def another(folder: Path, databases: Path, address: str) -> Iterator[World]:
    folder.mkdir()
    shutil.copy(databases / "empty.sqlite", folder / "referee.sqlite")
    world = as_house(World(folder, address), address)
    yield world
    world.close()


def carry(mails: Sequence[Mail], to: World, kinds: Sequence[str] = ("head", "witness")) -> list[Mail]:
    """Bring letters between referees to one of them; what it sends."""
    for mail in mails:
        if mail.kind in kinds:
            to.put(mail.raw, str(mail.message["From"].addresses[0].addr_spec), mail.to)
    return to.work()


def roll_out(world: World) -> list[Mail]:
    """A turn is played."""
    return world.reply(world.on_turn(), "ROLL OUT")


def heads(mails: Sequence[Mail]) -> list[Mail]:
    return [mail for mail in mails if mail.kind == "head"]


def of_witnesses(mails: Sequence[Mail]) -> list[Mail]:
    return [mail for mail in mails if mail.kind == "witness"]


def witnessed(host: World, witness: World) -> list[Mail]:
    """The match is named and the first head signed; what the host sent on hearing that."""
    asked = heads(host.reply(GINA, f"WITNESS {OTHER}"))
    return carry(carry(asked, witness), host)


def the_witness(host: World) -> Witness:
    with host.store.look() as step:
        (found,) = named(step, "nw1")
    return found


def own_keys(world: World) -> tuple[Key, ...]:
    """The keys of a referee, the oldest first."""
    found = lineage(our_key(world.office), world.office.key_changes, verify)
    assert found
    return found


def new_key(world: World) -> None:
    """Another key signs from now on, and the old one has signed that."""
    office = world.office
    assert isinstance(office.signer, SigningKey)
    new = signer_of(office.signer.name, office.signer.public)
    old_key, its = Key(office.signer.name, office.signer.public), Key(new.name, new.public)
    change = change_note(old_key, office.signer.sign, its, new.sign)
    world.office = replace(office, signer=new, key_changes=(*office.key_changes, change))


def report(mails: Sequence[Mail], to: str) -> Mail:
    return next(mail for mail in mails if mail.to == to and mail.kind == "report")


# ---------------------------------------------------------------- the whole round


def test_a_match_is_witnessed_from_naming_to_the_next_report(host: World, witness: World) -> None:
    mails = host.reply(GINA, f'WITNESS {OTHER} BECAUSE "we do not know each other"')
    (asked,) = heads(mails)
    assert asked.to == OTHER and asked.subject.startswith(f"[{ADDRESS}/nw1] head ")
    assert {mail.to for mail in mails if mail.is_a("notice") and OTHER in mail.flat} >= {ANNA, BEN}
    assert any("WITNESS" in one.action for one in overrides(host))
    (answer,) = of_witnesses(carry([asked], witness))
    assert answer.to == asked.reply_to and answer.subject == f"Re: {asked.subject}"
    assert carry([answer], host) == []
    after = roll_out(host)
    told = report(after, ANNA)
    size = the_witness(host).size
    assert f"Witnessed: {size} entries by {OTHER}," in told.flat
    both = [each for each in read_notes(told.text) if len(each.signatures) == 2]
    assert [head_of(each).size for each in both] == [size]
    (next_asked,) = heads(after)
    ask = read_ask(next_asked.text)
    assert ask is not None and ask.old == size
    carry(carry([next_asked], witness), host)
    assert the_witness(host).size > size and the_witness(host).unanswered == 0


def test_a_witness_learns_sizes_and_hashes_and_nothing_of_players(host: World) -> None:
    (asked,) = heads(host.reply(GINA, f"WITNESS {OTHER}"))
    text = f"{asked.subject}\n{asked.text}".lower()
    seats = [seat.lower() for seat in host.playing().created.seats]
    assert not [word for word in ("anna", "ben", "gina", "new world", *seats) if word in text]
    assert asked.html == "" and "list-id" not in asked.raw.decode().lower()


def test_status_and_who_name_the_witness(host: World, witness: World) -> None:
    host.reply(GINA, f"WITNESS {OTHER}")
    assert f"Asked to be a witness, without an answer so far: {OTHER}." in host.reply(ANNA, "STATUS")[0].flat
    carry(carry(host.all_mail(), witness), host)
    assert f"entries by {OTHER}" in host.reply(ANNA, "STATUS")[0].flat
    assert f"Its log is witnessed by {OTHER}." in host.reply(ANNA, "WHO")[0].flat


def overrides(host: World) -> list[Overrode]:
    return list(host.log(Overrode))


def head_of(each: Note) -> Checkpoint:
    found = each.checkpoint()
    assert found is not None
    return found


# ---------------------------------------------------------------- a host that shows two logs, or another one


class Forger:
    """Whoever keeps a host and its key: he signs what heads he likes, over what leaves he likes."""

    def __init__(self, host: World, witness: World) -> None:
        self.host, self.witness = host, witness
        assert host.office.signer is not None
        self.key = host.office.signer
        self.leaves = [leaf(entry) for entry in host.entries()]

    def note(self, leaves: Sequence[bytes]) -> str:
        head = Checkpoint(f"{ADDRESS}/nw1", len(leaves), Tree.of(leaves).root())
        key = Key(self.key.name, self.key.public)
        return note(head.text(), [signed(head.text(), key, self.key.sign)])

    def asks(self, old: int, leaves: Sequence[bytes], proof: Sequence[bytes] | None = None) -> list[Mail]:
        """Ask the witness by a letter like the host's; what it answers."""
        shown = consistency(leaves, old, len(leaves)) if proof is None else proof
        key = Key(self.key.name, self.key.public).text()
        body = f"Key of the log: {key}\n\n{ask_text(old, shown, self.note(leaves))}"
        return self.witness.write(ADDRESS, body, OTHER, f"[{ADDRESS}/nw1] head {len(leaves)}", says="")


FORGED = b"\x07" * 32


def test_two_logs_of_one_size_are_found_by_the_witness_and_stay_found(host: World, witness: World) -> None:
    witnessed(host, witness)
    forger, size = Forger(host, witness), the_witness(host).size
    (refused,) = forger.asks(size, [*forger.leaves[: size - 1], FORGED])
    assert refused.text.startswith("Refused (root): ") and not read_signatures(refused.text)
    assert forger.asks(size, [*forger.leaves[:size], FORGED]) == []
    with witness.store.look() as step:
        found = [concern for concern in concerns(At(witness.office, step)) if concern.kind == "witness"]
    assert [concern.about for concern in found] == [f"{ADDRESS}/nw1"] and "there are two logs" in found[0].sentence
    witness.clock.advance(DAY)
    (again,) = forger.asks(size, [*forger.leaves[:size], FORGED])
    assert again.text.startswith("Refused (root): ")


def test_two_logs_are_found_by_comparing_the_letters_of_two_players(host: World) -> None:
    told = [read_notes(report(roll_out(host), ANNA).text)[0]]
    forger = Forger(host, host)
    size = head_of(told[0]).size
    shown_to_ben = read_notes(forger.note([*forger.leaves[: size - 1], FORGED]))
    key = Key(forger.key.name, forger.key.public)
    assert all(is_signed(each, key, verify) for each in (*told, *shown_to_ben))
    assert forks([*told, *shown_to_ben]) == ((told[0], shown_to_ben[0]),)


@pytest.mark.parametrize("found", ["size", "proof", "key"])
def test_a_host_that_rewrites_history_is_refused(host: World, witness: World, found: str) -> None:
    witnessed(host, witness)
    forger, size = Forger(host, witness), the_witness(host).size
    if found == "size":
        refused = forger.asks(0, forger.leaves[: size - 1], ())
    elif found == "proof":
        changed = [FORGED, *forger.leaves[1:size], FORGED]
        refused = forger.asks(size, changed)
    else:
        forger.key = signer_of(ADDRESS, b"another key than the one before.")
        refused = forger.asks(size, [*forger.leaves[:size], FORGED])
    assert [mail.text.partition(":")[0] for mail in refused] == [f"Refused ({found})"]
    assert not any(read_signatures(mail.text) for mail in refused)


def test_everybody_is_told_that_a_witness_refuses_and_it_is_asked_no_more(host: World, witness: World) -> None:
    witnessed(host, witness)
    with witness.store.step() as step:  # as after a backup of the host: the witness knows more
        seen = notes.LOG_SEEN.of(f"{ADDRESS}/nw1")
        forger, kept = Forger(host, witness), seen.read(step)
        assert kept is not None
        long = note_of_witness(witness, forger.note([*forger.leaves, *[FORGED] * 50]))
        seen.keep(step, replace_note(kept, long))
    refused = carry(heads(roll_out(host)), witness)
    assert refused[0].text.startswith("Refused (size): ")
    told = carry(refused, host)
    assert {mail.to for mail in told} >= {ANNA, BEN, GINA}
    assert "fewer entries than one that was signed before" in told[0].flat
    after = roll_out(host)
    assert not heads(after)
    assert "signs no later head" in report(after, ANNA).flat
    assert carry(refused, host) == []


def note_of_witness(witness: World, host_note: str) -> str:
    """A head with the signature of the witness below the host's."""
    (head,) = read_notes(host_note)
    signer = witness.office.signer
    assert signer is not None
    own = signed(head.text, Key(signer.name, signer.public, COSIGNATURE), signer.sign, 1_800_000_000)
    return note(head.text, [*head.signatures, own])


def replace_note(seen: LogSeen, written: str) -> LogSeen:
    return msgspec.structs.replace(seen, note=written)


def test_a_head_of_another_log_that_the_witness_has_is_told_to_everybody(host: World, witness: World) -> None:
    witnessed(host, witness)
    forger, size = Forger(host, witness), the_witness(host).size
    other = note_of_witness(witness, forger.note([*forger.leaves[: size - 1], FORGED]))
    told = host.write(OTHER, other, the_reply_address(host), "Re: head", says="")
    assert {mail.to for mail in told} >= {ANNA, BEN, GINA} and "there are two logs" in told[0].flat


def the_reply_address(host: World) -> str:
    return heads(host.all_mail())[-1].reply_to


# ---------------------------------------------------------------- letters that are lost, late, twice or forged


def test_a_witness_that_never_answers_delays_nothing_and_gets_one_letter(host: World) -> None:
    host.reply(GINA, f"WITNESS {OTHER}")
    for _ in range(3):
        after = roll_out(host)
        assert report(after, ANNA).text and not heads(after)
        host.wait(days=1)
    assert [mail.to for mail in heads(host.all_mail())] == [OTHER]
    assert "Asked to be a witness, without an answer so far" in report(roll_out(host), ANNA).flat


def test_a_witness_that_falls_silent_gets_a_letter_a_day_and_after_seven_none(host: World, witness: World) -> None:
    witnessed(host, witness)
    asked = [len(heads(roll_out(host))) for _ in range(2)]
    assert asked == [1, 0]
    for _ in range(10):
        host.wait(days=1, minutes=1)
        roll_out(host)
    assert len(heads(host.all_mail())) == 1 + 7


def test_an_answer_that_was_lost_is_made_good_by_the_next(host: World, witness: World) -> None:
    witnessed(host, witness)
    carry(heads(roll_out(host)), witness)  # its answer is lost
    lost = the_witness(host).asked
    host.clock.advance(DAY)
    witness.clock.advance(DAY)
    (answer,) = carry(heads(roll_out(host)), witness)
    carry([answer], host)
    assert the_witness(host).size == lost
    carry(carry(heads(roll_out(host)), witness), host)
    assert the_witness(host).size == the_witness(host).asked > lost


def test_an_answer_that_comes_twice_and_an_older_one_change_nothing(host: World, witness: World) -> None:
    first = of_witnesses(carry(heads(host.reply(GINA, f"WITNESS {OTHER}")), witness))
    carry(first, host)
    once = the_witness(host)
    assert carry(first, host) == [] and the_witness(host) == once
    carry(carry(heads(roll_out(host)), witness), host)
    later = the_witness(host)
    carry(first, host)
    assert the_witness(host) == later and later.size > once.size
    assert not host.letters("shunted") and not host.letters("new")


def test_a_forged_answer_counts_for_nothing(host: World, witness: World) -> None:
    first = of_witnesses(carry(heads(host.reply(GINA, f"WITNESS {OTHER}")), witness))
    stranger = signer_of(OTHER, b"the key of somebody who is not it")
    forged = first[0].text.replace(first[0].text[-100:], "")
    head = read_notes(forged)[0]
    false = Key(OTHER, stranger.public, COSIGNATURE)
    text = f"{note(head.text, [signed(head.text, false, stranger.sign, 1)])}\nKey of the witness: {false.text()}\n"
    assert host.write(OTHER, text, ADDRESS, says="", Auto_Submitted="auto-replied") == []
    assert not the_witness(host).key  # it came to the plain address, and no key is known yet
    carry(first, host)
    once = the_witness(host)
    true = read_keys(first[0].text)[0]
    altered = Key(true.name, true.public, COSIGNATURE)
    line = signed(head.text, altered, stranger.sign, 1_900_000_000)
    for where in (ADDRESS, the_reply_address(host)):
        assert host.write(OTHER, note(head.text, [line]), where, says="") == []
        assert host.write(OTHER, text, where, says="", Auto_Submitted="auto-replied") == []
    assert the_witness(host) == once


def test_a_signature_from_the_future_is_not_kept(host: World, witness: World) -> None:
    witness.clock.advance(3 * DAY)
    carry(carry(heads(host.reply(GINA, f"WITNESS {OTHER}")), witness), host)
    assert not the_witness(host).key


def test_a_program_of_another_make_may_answer_with_its_key_and_a_bare_signature(host: World) -> None:
    (asked,) = heads(host.reply(GINA, "WITNESS log@witness.example"))
    ask = read_ask(asked.text)
    assert ask is not None
    signer = SigningKey("witness.example/w1", bytes(range(32)))
    key = Key(signer.name, signer.public, COSIGNATURE)
    line = note("any\n", [signed(ask.note.text, key, signer.sign, int(host.clock.now().timestamp()))]).splitlines()[-1]
    assert host.write("log@witness.example", f"{key.text()}\n\n{line}\n", asked.reply_to, says="") == []
    assert the_witness(host).size == ask.head.size
    assert f"{ask.head.size} entries by witness.example/w1" in report(roll_out(host), BEN).flat
    assert head_of(read_notes(the_witness(host).note)[0]) == ask.head


def test_later_answers_count_at_the_plain_address_by_the_key_alone(host: World, witness: World) -> None:
    witnessed(host, witness)
    (answer,) = of_witnesses(carry(heads(roll_out(host)), witness))
    before = the_witness(host).size
    host.put(answer.raw, OTHER, ADDRESS)
    assert host.work() == [] and the_witness(host).size > before


# ---------------------------------------------------------------- machines that write to machines


def test_two_referees_that_witness_each_other_do_not_loop(host: World, witness: World) -> None:
    witness.write(GINA, "CREATE newworld AS cw1")
    for player in (ANNA, BEN):
        witness.write(player, "JOIN cw1")
    witness.reply(GINA, f"WITNESS {ADDRESS}")
    begun = heads(witness.reply(GINA, "START cw1"))
    moving = [(mail, host) for mail in begun] + [
        (mail, witness) for mail in heads(host.reply(GINA, f"WITNESS {OTHER}"))
    ]
    moved = 0
    while moving:
        mail, to = moving.pop(0)
        back = witness if to is host else host
        moving += [(each, back) for each in carry([mail], to)]
        moved += 1
        assert moved < 20
    assert moved == 4
    assert the_witness(host).key and named_in(witness, "cw1")[0].key


def named_in(world: World, match: str) -> tuple[Witness, ...]:
    with world.store.look() as step:
        return named(step, match)


def test_a_head_that_comes_back_and_a_holiday_note_to_it_are_not_answered(host: World, witness: World) -> None:
    (asked,) = heads(host.reply(GINA, f"WITNESS {OTHER}"))
    assert carry([asked], host) == []
    quoted = "\n".join(f"> {line}" for line in asked.text.splitlines())
    away = host.write(
        OTHER, f"I am away.\n\n{quoted}", asked.reply_to, "Re: head", says="", Auto_Submitted="auto-replied"
    )
    assert away == [] and not the_witness(host).key
    bounce = witness.write(ADDRESS, asked.text, OTHER, "Undelivered Mail Returned to Sender", says="")
    assert bounce == []


# ---------------------------------------------------------------- strangers and victims


def test_a_victim_that_is_named_gets_one_letter_however_often_and_by_whomever(host: World) -> None:
    assert len(heads(host.reply(GINA, f"WITNESS {VICTIM}"))) == 1
    host.reply(GINA, f"NO WITNESS {VICTIM}")
    denied = host.reply(GINA, f"WITNESS {VICTIM}")
    assert not heads(denied) and "has not answered" in denied[0].flat
    host.write(GINA, "CREATE newworld AS nw2")
    host.write(ANNA, "JOIN nw2")
    host.write(BEN, "JOIN nw2")
    assert "has not answered" in host.reply(GINA, f"WITNESS {VICTIM} nw2")[0].flat
    for _ in range(3):
        roll_out(host)
    assert [mail.to for mail in heads(host.all_mail())] == [VICTIM]


def test_who_answers_no_is_no_witness_and_is_never_asked_again(host: World) -> None:
    (asked,) = heads(host.reply(GINA, f"WITNESS {VICTIM}"))
    told = host.write(VICTIM, "No, thank you.", asked.reply_to, says="")
    assert {mail.to for mail in told} >= {ANNA, GINA} and VICTIM not in {mail.to for mail in told}
    host.wait(days=60)
    denied = host.reply(GINA, f"WITNESS {VICTIM}")
    assert "does not want to be a witness" in denied[0].flat and not heads(denied)


def test_a_flood_of_heads_from_a_stranger_is_answered_as_strangers_are(witness: World) -> None:
    signer = signer_of(VICTIM, b"somebody who floods with new logs")
    answers = []
    for number in range(30):
        head = Checkpoint(f"{VICTIM}/m{number}", 1, Tree.of([FORGED]).root())
        key = Key(signer.name, signer.public)
        written = note(head.text(), [signed(head.text(), key, signer.sign)])
        answers += witness.write(VICTIM, f"{key.text()}\n\n{ask_text(0, (), written)}", OTHER, says="")
    assert 0 < len(answers) <= witness.office.limits.answers_a_day
    assert all(len(mail.raw) < 3_000 and mail.to == VICTIM for mail in answers)
    with witness.store.look() as step:
        assert len(notes.LOG_SEEN.every(step)) == len(answers)


def test_one_log_that_a_stranger_makes_longer_and_longer_is_bounded_too(witness: World) -> None:
    signer, leaves = signer_of(VICTIM, b"somebody who floods with one log."), [FORGED]
    answers = []
    for size in range(1, 40):
        leaves.append(bytes([size]) * 32)
        head = Checkpoint(f"{VICTIM}/m", len(leaves), Tree.of(leaves).root())
        key = Key(signer.name, signer.public)
        written = note(head.text(), [signed(head.text(), key, signer.sign)])
        old = len(leaves) - 1 if size > 1 else 0
        proof = consistency(leaves, old, len(leaves))
        answers += witness.write(VICTIM, f"{key.text()}\n\n{ask_text(old, proof, written)}", OTHER, says="")
    assert len(answers) <= witness.office.limits.answers_a_day


def test_only_the_address_that_the_log_is_named_after_is_answered(witness: World) -> None:
    signer = signer_of(VICTIM, b"somebody who writes for another..")
    head = Checkpoint(f"{VICTIM}/m", 1, Tree.of([FORGED]).root())
    key = Key(signer.name, signer.public)
    body = f"{key.text()}\n\n{ask_text(0, (), note(head.text(), [signed(head.text(), key, signer.sign)]))}"
    machine = {"Auto_Submitted": "auto-generated"}
    assert witness.write("mallory@evil.example", body, OTHER, says="", **machine) == []
    assert witness.write(VICTIM, body, OTHER, says="", Reply_To="other@home.example", **machine) == []
    assert witness.write(VICTIM, body.replace(f"{VICTIM}/m", f"{VICTIM}/n"), OTHER, says="", **machine) == []
    for other in (Checkpoint("nobodys-log", 1, head.root), Checkpoint(head.origin, 1, head.root, ("more",))):
        noted = note(other.text(), [signed(other.text(), key, signer.sign)])
        assert witness.write(VICTIM, f"{key.text()}\n\n{ask_text(0, (), noted)}", OTHER, says="", **machine) == []
    with witness.store.look() as step:
        assert notes.LOG_SEEN.every(step) == {}
    assert len(witness.write(VICTIM, body, OTHER, says="", **machine)) == 1


def test_logs_beyond_the_most_are_not_answered_until_one_makes_room(witness: World) -> None:
    witness.office = replace(witness.office, witnessing=Witnessing(logs=2))

    def ask(name: str) -> list[Mail]:
        signer = signer_of(f"host@{name}.example", b"somebody with more than two logs.")
        key = Key(signer.name, signer.public)
        head = Checkpoint(f"host@{name}.example/m", 1, Tree.of([FORGED]).root())
        written = note(head.text(), [signed(head.text(), key, signer.sign)])
        return witness.write(f"host@{name}.example", f"{key.text()}\n\n{ask_text(0, (), written)}", OTHER, says="")

    assert [len(ask(name)) for name in ("a", "b", "c")] == [1, 1, 0]
    witness.wait(days=8)
    assert len(ask("c")) == 1
    with witness.store.look() as step:
        assert len(notes.LOG_SEEN.every(step)) == 2


def test_a_referee_that_does_not_serve_takes_a_head_for_any_machines_letter(host: World, witness: World) -> None:
    witness.office = replace(witness.office, witnessing=Witnessing(serve=False))
    assert carry(heads(host.reply(GINA, f"WITNESS {OTHER}")), witness) == []


# ---------------------------------------------------------------- the words


def test_three_witnesses_at_most_and_none_of_our_own(host: World) -> None:
    for number in range(3):
        assert heads(host.reply(GINA, f"WITNESS referee@club{number}.example"))
    assert "that is the most" in host.reply(GINA, f"WITNESS {OTHER}")[0].flat
    assert "is a witness of nw1 already" in host.reply(GINA, "WITNESS referee@club1.example")[0].flat
    assert "cannot witness my own" in host.reply(GINA, "WITNESS referee+nw1@games.example")[0].flat
    host.reply(GINA, "NO WITNESS referee@club0.example")
    assert heads(host.reply(GINA, f"WITNESS {OTHER}"))
    assert "is no witness" in host.reply(GINA, "NO WITNESS referee@club0.example")[0].flat


def test_what_a_witness_signed_is_kept_when_it_is_dismissed_and_named_again(host: World, witness: World) -> None:
    witnessed(host, witness)
    before = the_witness(host)
    host.reply(GINA, f"NO WITNESS {OTHER}")
    assert OTHER not in report(roll_out(host), ANNA).flat
    (asked,) = heads(host.reply(GINA, f"WITNESS {OTHER}"))
    ask = read_ask(asked.text)
    assert ask is not None and ask.old == before.size


def test_a_witness_that_is_named_before_the_start_is_asked_when_the_match_begins(world: World) -> None:
    host = as_house(world, ADDRESS)
    host.write(GINA, "CREATE newworld AS nw1")
    assert not heads(host.reply(GINA, f"WITNESS {OTHER}"))
    host.write(ANNA, "JOIN nw1")
    host.write(BEN, "JOIN nw1")
    assert f"Named as a witness: {OTHER}." in host.reply(GINA, "STATUS")[0].flat
    begun = host.reply(GINA, "START nw1")
    (asked,) = heads(begun)
    assert asked.to == OTHER
    assert all(OTHER in mail.flat for mail in begun if mail.kind == "started")


def test_where_nothing_is_signed_nobody_is_asked(match: World) -> None:
    assert "signs no heads" in match.reply(GINA, f"WITNESS {OTHER}")[0].flat


def test_players_name_no_witness(host: World) -> None:
    assert not heads(host.reply(ANNA, f"WITNESS {OTHER}"))


def test_a_refusal_that_was_provoked_by_a_stranger_alarms_nobody(host: World, witness: World) -> None:
    witnessed(host, witness)
    forger, size = Forger(host, witness), the_witness(host).size
    older = forger.asks(0, forger.leaves[: size - 1], ())
    assert older[0].text.startswith("Refused (size): ") and older[0].to == ADDRESS
    assert carry(older, host) == [] and not the_witness(host).refused


# ---------------------------------------------------------------- the archive


def test_the_archive_has_what_witnesses_signed_and_a_verifier_checks_it(host: World, witness: World) -> None:
    with host.store.look() as step:
        assert witnessed_text(step, "nw1") == b""
    witnessed(host, witness)
    with host.store.look() as step:
        text = witnessed_text(step, "nw1").decode()
    key, hashes = own_keys(host), [entry.hash for entry in host.entries()]
    found = check_witnessed(text, "nw1", key, hashes, verify)
    assert not found.trouble and found.said[0].startswith(
        f"{the_witness(host).size} entries were witnessed by {OTHER}, "
    )
    assert check_witnessed("", "nw1", key, hashes, verify).trouble == ""
    assert "none of this log" in check_witnessed(text, "nw1", key, [*hashes[1:], hashes[0]], verify).trouble
    assert "none of nw2" in check_witnessed(text, "nw2", key, hashes, verify).trouble
    assert "no signature of a witness" in check_witnessed(text.split("\n\n", 1)[1], "nw1", key, hashes, verify).trouble
    assert "cannot be read" in check_witnessed("something else", "nw1", key, hashes, verify).trouble
    other = (Key(ADDRESS, signer_of(ADDRESS, b"another").public),)
    assert "signature of" in check_witnessed(text, "nw1", other, hashes, verify).trouble


def test_heads_that_were_witnessed_before_a_key_changed_fit_all_the_same(host: World, witness: World) -> None:
    witnessed(host, witness)
    before = own_keys(host)
    new_key(host)
    with host.store.look() as step:
        text = witnessed_text(step, "nw1").decode()
    hashes = [entry.hash for entry in host.entries()]
    assert check_witnessed(text, "nw1", own_keys(host), hashes, verify).trouble == ""
    assert "signature of" in check_witnessed(text, "nw1", own_keys(host)[1:], hashes, verify).trouble
    assert own_keys(host)[0] == before[0]


# ---------------------------------------------------------------- new keys


def test_a_witness_follows_a_host_to_its_new_key_and_no_other(host: World, witness: World) -> None:
    witnessed(host, witness)
    new_key(host)
    (asked,) = heads(roll_out(host))
    assert "change of keys/v1" in asked.text
    carry(carry([asked], witness), host)
    assert the_witness(host).size == the_witness(host).asked and the_witness(host).note.count(ADDRESS) == 2
    with witness.store.look() as step:
        (seen,) = notes.LOG_SEEN.every(step).values()
    assert seen.key == own_keys(host)[-1].text()

    new_key(host)
    host.office = replace(host.office, key_changes=host.office.key_changes[:1])  # one that the old key did not sign
    (asked,) = heads(roll_out(host))
    (refused,) = of_witnesses(carry([asked], witness))
    assert "Refused (key): " in refused.text


def test_a_host_follows_its_witness_to_a_new_key_and_no_other(host: World, witness: World) -> None:
    witnessed(host, witness)
    first = the_witness(host)
    new_key(witness)
    carry(carry(roll_out(host), witness), host)
    second = the_witness(host)
    assert second.size > first.size and second.key != first.key
    witness.office = replace(witness.office, signer=signer_of(OTHER, b"somebody else"), key_changes=())
    carry(carry(roll_out(host), witness), host)
    assert the_witness(host).size == second.size and the_witness(host).key == second.key


def test_two_witnesses_of_one_head_stand_in_one_note_of_a_report(host: World, witness: World, third: World) -> None:
    witnessed(host, witness)
    carry(carry(heads(host.reply(GINA, f"WITNESS {THIRD}")), third), host)
    carry(carry(heads(host.all_mail())[-2:], witness), host)
    for world in (witness, third):
        carry(carry([mail for mail in heads(roll_out(host)) if mail.to == world.office.address], world), host)
    told = report(roll_out(host), ANNA)
    assert told.flat.count("Witnessed: ") == 2
    assert len([each for each in read_notes(told.text) if len(each.signatures) > 1]) <= 2


@pytest.mark.usefixtures("sealed_dice")
def test_the_folder_of_a_match_is_verified_with_what_its_witnesses_signed_and_tell(
    world: World, witness: World, tmp_path: Path
) -> None:
    host = as_house(begin(world), ADDRESS)
    witnessed(host, witness)
    roll_out(host)
    with host.store.look() as step:
        row = step.match("nw1")
        assert row is not None
        files = archive_of(At(host.office, step), row).files
    parts = [files[name] for name in ("match.json", "log.jsonl", "reports.jsonl")]
    text = files["witnessed.txt"].decode()
    found = verify_archive(dict(host.office.games), parts[0], *parts[1:], checks=Checks(verify, witnessed=text))
    assert found.sound and f"entries were witnessed by {OTHER}" in found.note
    forged = text.replace(f"\n{the_witness(host).size}\n", f"\n{the_witness(host).size - 1}\n")
    assert not verify_archive(
        dict(host.office.games), parts[0], *parts[1:], checks=Checks(verify, witnessed=forged)
    ).sound

    with witness.store.look() as step:
        told = signed_heads(At(witness.office, step))
    folder, heads_of = tmp_path / "fetched", tmp_path / "its heads"
    for place, laid in ((folder, files), (heads_of, {"heads.txt": told})):
        place.mkdir()
        for name in ("match.json", "log.jsonl", "reports.jsonl", "heads.txt"):
            if name in laid:
                (place / name).write_bytes(laid[name])
    assert asked(folder, heads_of)[0] == Verdict.SOUND
    assert f"a witness that was asked, {OTHER}, signed a head of" in asked(folder, heads_of)[1]
    (heads_of / "heads.txt").write_bytes(told.replace(b"nw1", b"nw2"))
    assert "it tells no head of" in asked(folder, heads_of)[1]
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(heads_of)))
    Thread(target=server.serve_forever, daemon=True).start()
    (heads_of / "heads.txt").write_bytes(told)
    assert f"{OTHER}, signed a head of" in asked(folder, f"http://127.0.0.1:{server.server_port}")[1]
    server.shutdown()
    server.server_close()
    assert asked(folder, tmp_path / "nowhere")[0] == 1
    with host.store.look() as step:
        hashes = [entry.hash for entry in step.entries("nw1")]
    of = own_keys(host)
    (two,) = ask_witness(told.decode(), f"{ADDRESS}/nw1", of, [*hashes[1:], hashes[0]], verify)
    (older,) = ask_witness(told.decode(), f"{ADDRESS}/nw1", of, hashes[:5], verify)
    assert "it is none of this log" in two.wrong and "it is older" in older.older


def asked(folder: Path, witness: object) -> tuple[int, str]:
    ran = CliRunner().invoke(app, ["verify", str(folder), "--witness", str(witness)])
    return ran.exit_code, " ".join(ran.output.split())


def test_what_a_witness_shows_is_never_older_than_its_answer(host: World, tmp_path: Path) -> None:
    """Its own matches rest meanwhile. When an answer is on its way, whoever looks finds the head that it tells."""
    answers: queue.SimpleQueue[tuple[bytes, str]] = queue.SimpleQueue()

    class Relay:
        async def handle_DATA(self, server: object, session: object, envelope: Envelope) -> str:
            answers.put(
                (bytes(envelope.original_content or b""), (config.archive_folder / "heads.txt").read_text("utf-8"))
            )
            return "250 OK"

    (tmp_path / "clock").write_text(host.clock.now().isoformat())
    relay = Served(Relay())
    config = read(_WITNESS.format(OTHER, tmp_path / "clock", relay.port), tmp_path / "witness")
    service = Service(config)
    service.start()
    try:
        asked, sizes = heads(host.reply(GINA, f"WITNESS {OTHER}")), list[int]()
        for _ in range(2):
            with service.office.store.step() as step:
                step.receive([LetterIn(0, asked[0].message_id, host.clock.now(), ADDRESS, OTHER, asked[0].raw)])
            raw, heads_then = answers.get(timeout=60)
            host.put(raw, OTHER, asked[0].reply_to)
            host.work()
            (told,) = read_notes(heads_then)
            sizes.append(head_of(told).size)
            assert sizes[-1] == the_witness(host).size
            asked = heads(roll_out(host))
        assert sizes[0] < sizes[1]
    finally:
        service.stop()
        relay.close()


_WITNESS = """[referee]
address = "{}"
[clock]
file = "{}"
scan_seconds = 0.2
[receive]
port = 0
[send]
method = "smtp"
host = "127.0.0.1"
port = {}
security = "none"
"""


def test_what_a_witness_shows_bears_every_key_that_it_signed_with(host: World, witness: World) -> None:
    witnessed(host, witness)
    new_key(witness)
    with witness.store.look() as step:
        told = signed_heads(At(witness.office, step)).decode()
    with host.store.look() as step:
        hashes = [entry.hash for entry in step.entries("nw1")]
    (asked,) = ask_witness(told, f"{ADDRESS}/nw1", own_keys(host), hashes, verify)
    assert f"a witness that was asked, {OTHER}, signed a head" in asked.said
