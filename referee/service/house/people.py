"""A person: who he is, whether he may come in, whether he is ready, and how he is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from email.parser import BytesHeaderParser
from functools import lru_cache
from typing import Any, Literal

import msgspec

from referee.mail import Letter, domain_of, spelt
from referee.mail import read as read_letter
from referee.mail.headers import headers, mailboxes
from referee.mail.reading.identity import LEAST, Keys, hash_key, is_key, take_keys
from referee.service.base import notes
from referee.service.base.letters import RefusalLetter
from referee.service.base.office import At
from referee.service.base.ports import LetterIn, MatchRow, Member, Player, Step
from referee.service.base.remembered import HouseRules, Tries
from referee.service.house.reliability import reliability
from referee.service.match.members import house_rules
from referee.service.post.post import About, Mail, post, reply_token
from referee.service.turn.exporting import MOVED

# ---------------------------------------------------------------- who wrote a letter when its address does not say
# Keys, which only their hash is kept of.


KeyFound = Literal["right", "wrong", "guessed"]

_GUESSES_A_DAY = 20
_LOOKS_A_DAY = 2_000


def open_letter(row: LetterIn) -> tuple[Letter, Keys]:
    """The letter as everything else may read it, without the keys in it, and the keys."""
    return _opened(row.raw, row.sender)


@lru_cache(maxsize=1)  # a letter to many recipients comes once for each, one after the other
def _opened(raw: bytes, sender: str) -> tuple[Letter, Keys]:
    letter = read_letter(raw, sender)
    keys = take_keys(letter.text)
    return msgspec.structs.replace(letter, text=keys.text), keys


def is_from(letter: Letter, player: Player) -> bool:
    """Whether the one mailbox in From is an address of this player. Anybody can write that."""
    return letter.from_count == 1 and letter.sender in {address.lower() for address in player.addresses}


# ---------------------------------------------------------------- keys


def set_key(at: At, player: Player, key: str) -> str:
    """Keep the hash of a player's new key in place of the old one; what is wrong with the key, "" for nothing."""
    if len(key) < LEAST:
        return f"A key needs at least {LEAST} characters; write SET key and a longer word."
    notes.KEY.of(player.id).keep(at.step, hash_key(key, at.office.secrets.secret()[:16]))
    return ""


def judge_key(at: At, player: Player, key: str) -> KeyFound:
    """Whether this is the player's key.

    A right one is always found to be his, however many wrong ones a forger wrote in his name; but after many of them that
    day it may have been guessed, and he is asked.
    """
    kept = notes.KEY.of(player.id).read(at.step)
    if kept is None or len(key) < LEAST or not _may_look(at):
        return "wrong"
    today, tries = at.now.date(), notes.KEY_GUESSES.of(player.id).read(at.step)
    guesses = tries.on(today) if tries else 0
    if not is_key(key, kept):
        notes.KEY_GUESSES.of(player.id).keep(at.step, Tries(today, guesses + 1))
        return "wrong"
    return "right" if guesses < _GUESSES_A_DAY else "guessed"


def _may_look(at: At) -> bool:
    """Whether there is time for one more key today: each costs some hundredths of a second, whoever writes it."""
    today, tries = at.now.date(), notes.KEYS_TRIED.of().read(at.step)
    looks = tries.on(today) if tries else 0
    if looks < _LOOKS_A_DAY:
        notes.KEYS_TRIED.of().keep(at.step, Tries(today, looks + 1))
    return looks < _LOOKS_A_DAY


# ---------------------------------------------------------------- whom a match and its host admit
# Lists of addresses and domains.


_NEW = 5
"""With so few slots that count somebody is new, and nobody's record keeps him out."""


def is_on(names: Iterable[str], address: str) -> bool:
    """Whether an address is on a list, by itself or by its domain or a domain above it."""
    bare = spelt(address) or address.casefold()
    host = bare.rpartition("@")[2]
    return any(bare == name if "@" in name else (f".{host}").endswith(f".{name}") for name in map(_spelling, names))


def _spelling(name: str) -> str:
    """An address or a domain as it is compared."""
    return (spelt(name) if "@" in name else domain_of(name)) or name.casefold()


def refuse_entry(at: At, match: str, addresses: Sequence[str], whom: str = "you") -> str:
    """Why somebody with these addresses may not take part in a match, or open one (""); "" where he may.

    Every word that lets somebody in asks this. Any address of his that is denied keeps him out; where there is a list of
    those allowed, one of his must be on it. The host's lists go before the match's. `whom` names him to another.
    """
    rules = house_rules(at.step, match) if match else HouseRules()
    for who, of, allow, deny in (
        ("This host", "the host", at.office.allow, at.office.deny),
        (f"The game master of {match}", "the game master", rules.allow, rules.deny),
    ):
        if any(is_on(deny, address) for address in addresses):
            return f"{who} does not admit {whom}; ask {of} if you think that this is a mistake."
        if allow and not any(is_on(allow, address) for address in addresses):
            there = "you are" if whom == "you" else f"{whom} is"
            return f"{who} admits only those on a list, and {there} not on it; ask {of} to put the address there."
    return ""


def refuse_unreliable(at: At, match: str, player: Player) -> str:
    """Why somebody may not play in a match that asks for a record he does not have; "" where he may, and for who is new."""
    wanted = house_rules(at.step, match).reliable
    record = reliability(at, player.id) if wanted and player.id else None
    if record is None or record.counted < _NEW or 100 * record.on_time >= wanted * record.counted:
        return ""
    return f"{match} takes players who are on time in {wanted} of 100 slots; your record: {record.sentence()}"


# ---------------------------------------------------------------- readiness
# Are you still there? Asked of everybody who joined before a match starts, where its game master wants that.


def muster(at: At, row: MatchRow, by: Player, applicants: Sequence[Member]) -> list[str]:
    """Ask those who have not answered yet; their names. Nobody, where the match does not muster its players."""
    if not house_rules(at.step, row.name).muster:
        return []
    notes.MUSTER.of(row.name).keep(at.step, by.id)
    missing = [player for member in applicants if (player := _unheard(at.step, row.name, member))]
    for player in missing:
        _ask(at, row, player)
    return [player.name for player in missing]


def _unheard(step: Step, match: str, member: Member) -> Player | None:
    player = step.player(member.player)
    if player is None or not player.addresses or notes.HERE.of(match, player.id).read(step):
        return None
    return player


def _ask(at: At, row: MatchRow, player: Player) -> None:
    sentence = f"{row.name} is about to start, and you asked for a seat. Are you still there?"
    how = ("Reply I AM HERE to this letter and you play; who does not answer may be left out.",)
    token = reply_token(at, row.name, row.turn, 0, player, "")
    body = RefusalLetter("Are you still there?", sentence, how, None, row.name, player.name, lines=("I AM HERE",))
    unique = f"muster.{at.now:%Y-%m-%dT%H:%M}"
    post(at, player, Mail("muster", "are you still there?", body, unique), About(row, token=token))


def answer_muster(step: Step, match: str, player: Player) -> Player | None:
    """Somebody is there; who wanted to start the match, if now all are there and he did."""
    notes.HERE.of(match, player.id).keep(step, True)
    began = notes.MUSTER.of(match).read(step)
    waiting = [m for m in step.members(match) if m.status == "applied" and _unheard(step, match, m)]
    if began is None or waiting:
        return None
    return step.player(began) or Player(0, "the keeper", ())


# ---------------------------------------------------------------- what is kept of a person, and how he is forgotten
# Docs/privacy.md says it in plain words.
#
# His seats stay in the logs of his matches, under their own names; nobody can take an entry out of a log that others have
# sealed with their letters. What else names him, or was written by him to few, or to him, goes.


_ACTIVE = ("applied", "playing", "standby", "watching")
_HEADERS = 20_000
"""So many bytes of a letter are looked at for its From."""


class Kept(msgspec.Struct, frozen=True):
    """Something that is kept of a person: what, how much of it, and what becomes of it when he is forgotten."""

    what: str
    count: int
    then: str


class _Held(msgspec.Struct, frozen=True):
    """What is found of a person: letters by their numbers, counted answers, and what takes away `own` notes and what he `wrote`."""

    matches: tuple[str, ...]
    came: tuple[int, ...]
    went: tuple[int, ...]
    answers: int
    own: int
    wrote: int
    clear: tuple[Callable[[Step], None], ...]


def takes_part_in(step: Step, player: Player) -> tuple[str, ...]:
    """The matches that go on, or have not begun, and in which somebody plays, waits, watches or is game master."""
    active = {member.match for member in step.memberships(player.id) if member.status in _ACTIVE}
    rows = (row for name in sorted(active) if (row := step.match(name)) is not None)
    return tuple(row.name for row in rows if row.status not in ("over", MOVED))


def known_of(step: Step, player: Player) -> tuple[Kept, ...]:
    """What is kept of a person with these addresses; nothing where there is nothing."""
    held = _held(step, player)
    plays = len(held.matches)
    listed = (
        Kept("addresses", len(player.addresses) if player.id else 0, "removed"),
        Kept(
            "name and time zone", int(bool(player.id and player.name)), "removed; a seat stands for its player's name"
        ),
        Kept("letters that came from him", len(held.came), "what they say is removed; that they came stays, and when"),
        Kept("letters to him", len(held.went), "what they say is removed; that they went stays, and when"),
        Kept("wishes, key, absences and the like", held.own, "removed"),
        Kept("diary, and press to single players", held.wrote, "removed"),
        Kept("answers that are counted for some days", held.answers, "removed"),
        Kept("matches he took part in", plays, "their logs and reports stay, under the names of his seats"),
    )
    return tuple(kept for kept in listed if kept.count)


def forget(at: At, player: Player) -> tuple[str, ...]:
    """Take all of it away; the matches whose pages must be written anew."""
    held = _held(at.step, player)
    at.step.forget_letters_in(held.came, f"its writer was forgotten on {at.now:%Y-%m-%d}")
    at.step.forget_letters_out(held.went, at.office.host)
    for address in player.addresses:
        at.step.forget_answers(address)
    for clear in held.clear:
        clear(at.step)
    if player.id:
        at.step.save_player(Player(player.id, "", ()))
    return held.matches


def _held(step: Step, player: Player) -> _Held:
    """A person whom nobody knows may have written all the same: then only his addresses say what is his."""
    addresses = {address.lower() for address in player.addresses}
    mine = step.memberships(player.id) if player.id else []
    matches = tuple(dict.fromkeys(member.match for member in mine))
    came = {id for address in addresses for id in step.letters_from(address)}
    came |= {id for match in matches for id in _written_by(step, step.letters_of_match(match), addresses)}
    went = {id for address in addresses for id in step.letters_to(address)}
    own = tuple(_own(step, player, addresses, [(member.match, member.seat) for member in mine]))
    wrote = tuple(found for match in matches for found in _texts(step, match, player.id))
    clear = (*own, *(clear for _, clear in wrote))
    answers = sum(step.answers_to(address) for address in addresses)
    count = sum(number for number, _ in wrote)
    return _Held(matches, tuple(sorted(came)), tuple(sorted(went)), answers, len(own), count, clear)


def _written_by(step: Step, ids: Iterable[int], addresses: set[str]) -> Iterator[int]:
    """Those of these letters whose From names one of the addresses, whoever the envelope says has sent them."""
    for id in ids:
        letter = step.letter(id)
        found = headers(BytesHeaderParser().parsebytes(letter.raw[:_HEADERS])) if letter else {}
        if any(box.address.lower() in addresses for box in mailboxes(found.get("from", ()))):
            yield id


def _own(
    step: Step, player: Player, addresses: set[str], seats: Sequence[tuple[str, str]]
) -> Iterator[Callable[[Step], None]]:
    """The notes that are his alone, each by what takes it away."""
    slips: list[notes.Slip[Any]] = []
    for address in addresses:
        slips += [note.of(address) for note in (notes.KEPT_FOR, notes.ASKED_AT_THE_DOOR, notes.SAID, notes.BOUNCES)]
        slips += [notes.CONSENT.of(address), notes.INVITED.of(address)]
    if player.id:
        personal = (notes.WISHES, notes.REMINDERS, notes.ARRIVALS, notes.KEY, notes.KEY_GUESSES)
        slips += [note.of(player.id) for note in personal]
    for match, seat in seats:
        slips += [note.of(match, player.id) for note in (notes.HERE, notes.JOINED, notes.PASSED_ON, notes.NEWS)]
        slips += [note.of(match, seat, player.id) for note in (notes.ABSENCES, notes.TIME_BANK, notes.CALENDAR)]
        wanted = notes.NEW_ADDRESS.every(step, match)
        slips += [notes.NEW_ADDRESS.of(match, token) for token, note in wanted.items() if note.player == player.id]
    for number, kept in notes.KEPT_LETTER.every(step).items():
        if kept.address.lower() in addresses or (player.id and kept.player == player.id):
            slips.append(notes.KEPT_LETTER.of(int(number)))
    yield from (slip.forget for slip in slips if slip.read(step) is not None)
    yield from _out_of_lists(step, addresses, {match for match, _ in seats})
    waits = notes.DAILY_LETTERS.of().read(step) or {}
    left = {whose: until for whose, until in waits.items() if whose.rpartition("|")[2] != str(player.id)}
    if left != waits:
        yield _keeping(notes.DAILY_LETTERS.of(), left)


def _out_of_lists(step: Step, addresses: set[str], matches: Iterable[str]) -> Iterator[Callable[[Step], None]]:
    """His addresses on the lists of those whom matches that are over admit or keep out."""
    for match in matches:
        row, slip = step.match(match), notes.HOUSE_RULES.of(match)
        rules = slip.read(step)
        if rules is None or row is None or row.status != "over":
            continue
        left = {
            name: tuple(each for each in getattr(rules, name) if each not in addresses) for name in ("allow", "deny")
        }
        rest = msgspec.structs.replace(rules, **left)
        if rest != rules:
            yield _keeping(slip, rest)


def _texts(step: Step, match: str, player: int) -> Iterator[tuple[int, Callable[[Step], None]]]:
    """What he wrote to himself and to some: how many texts of a drawer, and what takes them out. What all could read stays."""
    for drawer in (notes.DIARY, notes.PRESS):
        for seat, texts in drawer.every(step, match).items():
            left = tuple(text for text in texts if not (text.player == player and text.kind != "broadcast"))
            if len(left) < len(texts):
                yield len(texts) - len(left), _keeping(drawer.of(match, seat), left or None)


def _keeping(slip: notes.Slip[notes.T], value: notes.T | None) -> Callable[[Step], None]:
    return lambda step: slip.keep(step, value)
