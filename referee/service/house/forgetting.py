"""The traces of a person: all that is kept of him, and how he is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from email.parser import BytesHeaderParser
from typing import Any

import msgspec

from referee.mail.headers import headers, mailboxes
from referee.service.base import notes
from referee.service.base.office import At
from referee.service.base.ports import Player, Step
from referee.service.turn.knowledge import MOVED

# Docs/privacy.md says it in plain words.
#
# His seats stay in the logs of his matches, under their own names; nobody can take an entry out of a log that others have
# sealed with their letters. Everything else that names him, or was written by him to few, or to him, goes.


_ACTIVE = ("applied", "playing", "standby", "watching")
_HEADERS = 20_000
"""So many bytes of a letter are looked at for its From."""


class Kept(msgspec.Struct, frozen=True):
    """Something that is kept of a person: what, how much of it, and what becomes of it when he is forgotten."""

    what: str
    count: int
    then: str


class _Held(msgspec.Struct, frozen=True):
    """A person's traces: letters by their numbers, counted answers, and functions that remove `own` notes and texts he `wrote`."""

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
    """The data kept of a person with these addresses; nothing where there is none."""
    held = _held(step, player)
    plays = len(held.matches)
    listed = (
        Kept("addresses", len(player.addresses) if player.id else 0, "removed"),
        Kept(
            "name and time zone", int(bool(player.id and player.name)), "removed; a seat stands for its player's name"
        ),
        Kept(
            "letters that came from him",
            len(held.came),
            "their words are removed; the fact and time of their coming stay",
        ),
        Kept("letters to him", len(held.went), "their words are removed; the fact and time of their going stay"),
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
        slips += [notes.CONSENT.of(address), notes.INVITED.of(address), notes.LEARNING.of(address)]
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
    """His texts to himself and to some: how many of a drawer, and a function that takes them out. Texts for all stay."""
    for drawer in (notes.DIARY, notes.PRESS):
        for seat, texts in drawer.every(step, match).items():
            left = tuple(text for text in texts if not (text.player == player and text.kind != "broadcast"))
            if len(left) < len(texts):
                yield len(texts) - len(left), _keeping(drawer.of(match, seat), left or None)


def _keeping(slip: notes.Slip[notes.T], value: notes.T | None) -> Callable[[Step], None]:
    return lambda step: slip.keep(step, value)
