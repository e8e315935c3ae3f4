"""A person: who he is, whether he may come in, whether he is ready, how reliable he is, and how he is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from email.parser import BytesHeaderParser
from functools import lru_cache
from typing import Any, Literal

import msgspec

from referee.core.page import Grid, Page, Paragraph
from referee.core.question import Source, slot_of
from referee.core.record import Answered, Live, Overrode
from referee.mail import Letter, domain_of, spelt
from referee.mail import read as read_letter
from referee.mail.headers import headers, mailboxes
from referee.mail.reading.sender import LEAST, Keys, hash_key, is_key, take_keys
from referee.service.base import notes
from referee.service.base.letter_facts import RefusalLetter
from referee.service.base.note_values import HouseRules, Tries
from referee.service.base.office import At
from referee.service.base.ports import LetterIn, MatchRow, Member, Player, Step
from referee.service.match.members import OWN_BOT, hides_late, holders, house_rules, masters_of
from referee.service.match.playing import alive_in
from referee.service.post.post import About, Mail, post, reply_token
from referee.service.turn.knowledge import MOVED

# ---------------------------------------------------------------- how reliably somebody plays
# Counted from the logs of all his matches, so that it can never disagree with them.
#
# A slot counts for the holder of the seat when it was closed. Rewound slots count for nobody; neither does the first slot of
# a seat taken over, nor what standing orders or IF LATE orders played, for its player had arranged it, nor what was played for
# a seat whose player had resigned.


class Reliability(msgspec.Struct, frozen=True):
    """Slots by how they were closed. `taken_over`: closed late or unplayed, but the first of a seat taken over."""

    on_time: int = 0
    late: int = 0
    rolled_out: int = 0
    excused: int = 0
    arranged: int = 0
    taken_over: int = 0

    @property
    def counted(self) -> int:
        """Slots that count."""
        return self.on_time + self.late + self.rolled_out

    def sentence(self) -> str:
        """In one sentence."""
        if not self.counted:
            counts = "no slot that counts yet"
        else:
            share = 100 * self.on_time // self.counted
            counts = f"{self.on_time} on time, {self.late} late, {self.rolled_out} rolled out ({share}% on time)"
        others = (
            (self.excused, "excused"),
            (self.arranged, "by own standing or late orders"),
            (self.taken_over, "taken over"),
        )
        besides = ", ".join(f"{number} {what}" for number, what in others if number)
        return f"{counts}{f'; not counted: {besides}' if besides else ''}."

    def __add__(self, other: Reliability) -> Reliability:
        return Reliability(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))


def _closed(alive: Iterable[Live], seat: str) -> list[tuple[int, str]]:
    """The slots of a seat with the entry that closed each last, and how: a word of Reliability."""
    slots: dict[str, tuple[int, str]] = {}
    for entry in alive:
        answer = entry.record
        if isinstance(answer, Answered) and answer.seat == seat and answer.key.rpartition("/")[2].startswith("orders"):
            before = slots.get(slot_of(answer.key), (0, "on_time"))[1]
            slots[slot_of(answer.key)] = (entry.seq, max(before, _how(answer), key=_WORSE.index))
    return list(slots.values())


_WORSE = ("on_time", "arranged", "late", "rolled_out")
_COUNTED = (Answered, Overrode)
"""The kinds of record that tell of slots, of excuses by game masters, and of resignations."""


def _how(answer: Answered) -> str:
    if answer.source in (Source.STANDING, Source.LATE_INSTRUCTION) or answer.by == OWN_BOT:
        return "arranged"
    if answer.source is Source.PLAYER:
        return "late" if answer.late_by else "on_time"
    return "rolled_out"


def _excused(alive: Iterable[Live], seat: str, slots: Sequence[tuple[int, str]]) -> set[int]:
    """The slots that EXCUSE excuses: the last lapse before it, or the next one where there is none that is not excused."""
    lapses, found = [seq for seq, how in slots if how in ("late", "rolled_out")], set[int]()
    for entry in alive:
        if isinstance(entry.record, Overrode) and entry.record.action == f"EXCUSE {seat}":
            before = [seq for seq in lapses if seq < entry.seq and seq not in found]
            after = [seq for seq in lapses if seq > entry.seq and seq not in found]
            found |= set(before[-1:] or after[:1])
    return found


def reliability_in(at: At, row: MatchRow, player: int) -> Reliability:
    """How reliably somebody played in one match, in all the seats he held."""
    members = [m for m in at.step.members(row.name) if m.player == player and m.role == "player" and m.seat]
    if not members or at.step.last_entry(row.name) is None:
        return Reliability()
    alive = alive_in(at, row, *_COUNTED)
    return sum(
        (_of_seat(at.step, row, alive, seat, player) for seat in sorted({m.seat for m in members})), Reliability()
    )


def reliability_of_each(step: Step, row: MatchRow, alive: Sequence[Live]) -> dict[int, Reliability]:
    """How reliably everybody who held a seat of a match played in it, by his number; of the records that count."""
    held = {(m.player, m.seat) for m in step.members(row.name) if m.role == "player" and m.seat}
    found = dict[int, Reliability]()
    for player, seat in sorted(held):
        found[player] = found.get(player, Reliability()) + _of_seat(step, row, alive, seat, player)
    return found


def _of_seat(step: Step, row: MatchRow, alive: Sequence[Live], seat: str, player: int) -> Reliability:
    before = holders(step, row.name, seat)
    now = next((m.player for m in step.members(row.name) if m.seat == seat and m.status in ("playing", "out")), 0)
    tenures = [*before, (now, alive[-1].seq if alive else 0)]
    slots = _closed(alive, seat)
    # Games of a seat after its player resigned count for nobody.
    gone = [e.seq for e in alive if isinstance(e.record, Overrode) and e.record.action == f"RESIGN {seat}"]
    excused, found, start = _excused(alive, seat, slots), Reliability(), -1
    for number, (holder, until) in enumerate(tenures):
        left = min((seq for seq in gone if start < seq), default=until)
        mine = [(seq, how) for seq, how in slots if start < seq <= min(until, left)]
        start = until
        if holder == player:
            found += _counted(mine, excused, taken_over=number > 0)
    return found


def _counted(slots: Sequence[tuple[int, str]], excused: set[int], taken_over: bool) -> Reliability:
    counts = dict.fromkeys(Reliability.__struct_fields__, 0)
    for number, (seq, how) in enumerate(slots):
        lapse = how in ("late", "rolled_out")
        counts["taken_over" if lapse and taken_over and number == 0 else "excused" if seq in excused else how] += 1
    return Reliability(**counts)


def reliability(at: At, player: int, reader: int | None = None) -> Reliability:
    """How reliably somebody played in all his matches, as far as a `reader` may know it; None may know everything.

    A match that hides who was late counts before its end for its player and its game masters alone.
    """
    return sum((found for _, found in _by_match(at, player, reader)), Reliability())


def _by_match(at: At, player: int, reader: int | None) -> list[tuple[str, Reliability]]:
    names = sorted({m.match for m in at.step.memberships(player) if m.role == "player"})
    rows = [row for name in names if (row := at.step.match(name)) and _counts_for(at.step, row, player, reader)]
    return [(row.name, reliability_in(at, row, player)) for row in rows]


def _counts_for(step: Step, row: MatchRow, player: int, reader: int | None) -> bool:
    return reader in (None, player) or not hides_late(row) or reader in masters_of(step, row.name)


def record_page(at: At, players: Sequence[Player], own: bool, reader: int | None = None) -> Page:
    """The records of some people, as far as a reader may know them; one's `own` match by match."""
    columns = ("match" if own else "player", *(name.replace("_", " ") for name in Reliability.__struct_fields__))
    rows: list[tuple[str | int, ...]] = []
    for player in players:
        total = reliability(at, player.id, reader)
        if own:
            rows += [(name, *_row(found)) for name, found in _by_match(at, player.id, reader)]
        rows.append(("all matches" if own else player.name, *_row(total)))
    return Page("Reliability", "Counted over all matches played here.", (Paragraph(_WHAT), Grid(columns, tuple(rows))))


_WHAT = (
    "On time, late and rolled out count. Not counted are slots that a game master excused, slots that were rewound, slots "
    "played by one's own standing or late orders or after a resignation, and the first slot of a seat taken over from "
    "somebody else."
)


def _row(found: Reliability) -> tuple[int, ...]:
    return tuple(getattr(found, name) for name in found.__struct_fields__)


def rolled_out_running(at: At, row: MatchRow, seat: str) -> int:
    """How many of a seat's last slots were rolled out without a break, in the time of its present player."""
    alive = alive_in(at, row, *_COUNTED)
    since = max((until for _, until in holders(at.step, row.name, seat)), default=-1)
    slots = _closed(alive, seat)
    excused = _excused(alive, seat, slots)
    count = 0
    for seq, how in reversed(slots):
        if seq <= since or how != "rolled_out" or seq in excused:
            break
        count += 1
    return count


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
    """Why somebody may not play in a match that asks for a record he does not have; "" if he may, and for a newcomer."""
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
    how = ("Reply I AM HERE to this letter and you play; a player who does not answer may be left out.",)
    token = reply_token(at, row.name, row.turn, 0, player, "")
    body = RefusalLetter("Are you still there?", sentence, how, None, row.name, player.name, lines=("I AM HERE",))
    unique = f"muster.{at.now:%Y-%m-%dT%H:%M}"
    post(at, player, Mail("muster", "are you still there?", body, unique), About(row, token=token))


def answer_muster(step: Step, match: str, player: Player) -> Player | None:
    """Somebody is there; gives the person who wanted to start the match, if now all are there and he did."""
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
