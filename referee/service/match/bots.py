"""Seats that a bot plays: those that nobody plays, and those of players who are away or late."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import re
from datetime import UTC, datetime
from typing import Any, get_args

import msgspec
from cachetools import LRUCache

from referee.core.choices import Pick
from referee.core.game import AnyGame, Guide, PlaysSteadily, Rigour
from referee.core.position import told
from referee.core.question import Question, Source
from referee.core.record import BOT, Answered
from referee.kit.bare_stage import Seen
from referee.kit.opponents import Opponent, Race, Strength, answer_of, name_of, rigour_of
from referee.kit.wording import in_a_row
from referee.service.base import notes
from referee.service.base.note_values import Bot
from referee.service.base.ports import MatchRow, Member, Player, Step
from referee.service.match.history import known_before, known_to
from referee.service.match.playing import BareHand, Playing, tried
from referee.service.match.result import Denial

# ---------------------------------------------------------------- seats that nobody plays
# Dummies, for whom the game's own bots play at once by the menus that players have; vacant ones.


VACANT = "a seat whose player has resigned"
"""The cause in the log of a turn that is played at once."""


def bot_of(step: Step, member: Member) -> str:
    """The bot that joined so before the match began; "" for a person."""
    if member.player != notes.DUMMY_PLAYER.of().read(step):
        return ""
    before = sum(m.player == member.player and m.number < member.number for m in step.members(member.match))
    bot = joined_bots(step, member.match)[before]
    return bot_told(bot.name, bot.strength)


def usual_strength(game: AnyGame) -> Strength:
    """The strength of a bot for which none is named: steady, if the game has such."""
    return "steady" if plays_steadily(game) else "novice"


def strength_in(game: AnyGame, word: str) -> Strength:
    """The strength that a word names in a game. Raises Denial."""
    known: tuple[Strength, ...] = get_args(Strength)
    usual = usual_strength(game)
    found = next((strength for strength in known if strength == word.casefold()), None if word else usual)
    if found is None:
        raise Denial(f"{word} is no strength of a bot; it is {in_a_row(known, 'or')}, or left out, which is {usual}.")
    if found == "steady" != usual:
        raise Denial(f"{game.title} has no steady bot yet; its bots are novices.")
    if found in _TRIES and rigour_of(game, found) is None:
        raise Denial(f"{game.title} has no {found} bot yet: none is measured that clearly beats a {_TRIES[found]} one.")
    return found


_TRIES: dict[Strength, Strength] = {"strong": "steady", "patient": "strong"}
"""Those who try their sheet ahead, each with the one below it."""


def is_dummy(step: Step, match: str, seat: str) -> bool:
    """Whether bots play a seat."""
    return bool(notes.DUMMY.of(match, seat).read(step))


def seat_dummy(step: Step, match: str, seat: str, strength: Strength = "steady", name: str = "") -> str:
    """Bots of this strength play a seat from now on, called so or by a name of their own; gives the name, as all are told it."""
    notes.BOT.of(match, seat).keep(step, name or _named(step, match, strength))
    notes.DUMMY.of(match, seat).keep(step, True)
    notes.STRENGTH.of(match, seat).keep(step, strength)
    return bots(step, match)[seat]


def _named(step: Step, match: str, strength: Strength) -> str:
    """The name of the next bot of a match, which no other and no person in it has; where all names are taken, with a number."""
    people = (player.name for m in step.members(match) if (player := step.player(m.player)))
    return name_of(
        strength, {*names_of_bots(step, match), *(word for name in people for word in re.findall(r"\w+", name))}
    )


def names_of_bots(step: Step, match: str) -> set[str]:
    """The names of all bots of a match, of seats and of those that joined before it began."""
    joined = notes.BOTS.of(match).read(step) or ()
    return {*notes.BOT.every(step, match).values(), *(bot.name for bot in joined)} - {""}


def bot_told(name: str, strength: str) -> str:
    """A bot's name, as it is told to all: `Ada (steady bot)`."""
    return f"{name} ({strength} bot)" if name else "a bot"


def bots(step: Step, match: str) -> dict[str, str]:
    """The seats that bots play, each with its bot."""
    return {seat: bot_told(bot.name, bot.strength) for seat, bot in bots_by_seat(step, match).items()}


def bots_by_seat(step: Step, match: str, guide: Guide = Guide()) -> dict[str, Opponent]:
    """The seats that bots play, each with its bot, and how it plays where the guide of the game says so."""
    names, strengths = notes.BOT.every(step, match), notes.STRENGTH.every(step, match)
    found = {seat: (names.get(seat, ""), strengths.get(seat, "novice")) for seat in notes.DUMMY.every(step, match)}
    return {seat: Opponent(*bot, guide.bots.get(bot[1], "")) for seat, bot in found.items()}


def dummy_player(step: Step) -> Player:
    """The person that all dummies are."""
    kept = notes.DUMMY_PLAYER.of().read(step)
    player = step.player(kept) if kept else None
    if player is None:
        player = step.save_player(Player(0, "a dummy", ()))
        notes.DUMMY_PLAYER.of().keep(step, player.id)
    return player


def enter_dummies(step: Step, row: MatchRow, number: int, strength: Strength = "steady") -> tuple[str, ...]:
    """Let so many bots join a match that is forming, and who they are; nobody is written to for them."""
    player, last = dummy_player(step), max((m.number for m in step.members(row.name)), default=0)
    joined = notes.BOTS.of(row.name)
    for place in range(number):
        bot = Bot(_named(step, row.name, strength), strength)
        joined.keep(step, (*(joined.read(step) or ()), bot))
        step.save_member(Member(0, row.name, player.id, "player", "applied", "", (), last + 1 + place))
    return tuple(bot_told(bot.name, bot.strength) for bot in (joined.read(step) or ())[-number:])


def joined_bots(step: Step, match: str) -> tuple[Bot, ...]:
    """The bots that joined a match before it began, in that order; those that were let in by an older version have no name."""
    player = notes.DUMMY_PLAYER.of().read(step)
    number = sum(m.player == player and m.role == "player" for m in step.members(match))
    kept = notes.BOTS.of(match).read(step) or ()
    return (*(Bot("", "novice"),) * (number - len(kept)), *kept)


def dummy_answers(step: Step, playing: Playing) -> list[Answered]:
    """The bots' answers to the questions that are open for their seats, as far as none is to be thought over yet; none while the
    match stands still."""
    answers = list[Answered]()
    for question, strength in _asked_of_bots(step, playing):
        if rigour := _thought_over_with(playing.game, question, strength):
            if race := _found(step, playing, question, rigour):
                answers.append(_answered_by_bot(question, race.sheet))
            continue
        known, pick = known_to(step, playing, question.seat), _pick(playing, question.key)
        answers.append(_answered_by_bot(question, answer_of(strength, playing.game, known, question, pick)))
    return answers


def _asked_of_bots(step: Step, playing: Playing) -> list[tuple[Question[Any], str]]:
    """The questions that are open for bots, each with the strength of the bot."""
    if playing.row.status != "running" or not playing.outcome.open:
        return []
    seats = notes.DUMMY.every(step, playing.row.name)
    strengths = notes.STRENGTH.every(step, playing.row.name) if seats else {}
    return [(q, strengths.get(q.seat, "novice")) for q in playing.outcome.open if q.seat in seats]


def _answered_by_bot(question: Question[Any], value: Any) -> Answered:
    return Answered(question.key, question.seat, msgspec.Raw(question.menu.encode(value)), Source.DEFAULT, 0, BOT)


# A sheet that takes seconds is thought over when no letter waits, a part of a second at a time, and outside of any transaction.
# Those of bots who play one after the other are thought over on what is foreseen, and all are played together. Dice follow from
# the log with its moments, so they are played at the moment at which the first was begun: then it all comes as it was foreseen.


def _thought_over_with(game: AnyGame, question: Question[Any], strength: str) -> Rigour | None:
    """How much a bot looks at before it answers; None where it answers at once."""
    return rigour_of(game, strength) if question.wants_orders else None


def thought_over(step: Step, playing: Playing) -> list[Question[Any]]:
    """The questions that are open for bots who try their sheet ahead."""
    asked = _asked_of_bots(step, playing)
    return [question for question, strength in asked if _thought_over_with(playing.game, question, strength)]


class _Thinking(msgspec.Struct):
    """The thinking of a match's bots: the hash of the log's head when it began, when that was, and the race that is on."""

    head: str
    since: datetime
    race: Race


_THINKING: LRUCache[str, _Thinking] = LRUCache(8)
"""By match. A process that ends forgets it, and another begins it again."""

_RACES: LRUCache[tuple[str, str, Rigour], tuple[Seen[Any], Race]] = LRUCache(32)
"""By match, key of the question, and how much is looked at: what the seat knew, and the race for its sheet."""


def think_over(step: Step, playing: Playing, key: str, now: datetime) -> bool:
    """Go on for a part of a second with a bot's sheet, or with one that is foreseen after it; False once it is found."""
    on = _THINKING.get(playing.row.name)
    if on is None or on.head != playing.head.hash:
        question = next((question for question in thought_over(step, playing) if question.key == key), None)
        if question is None:
            return False
        on = _THINKING[playing.row.name] = _Thinking(playing.head.hash, now, _race(step, playing, question))
    return tried(on.race.goes_on, on.race.ends, "a bot's trial")


def thinking_since(playing: Playing) -> datetime | None:
    """The moment at which the thinking on the match as it stands began; None where none did."""
    on = _THINKING.get(playing.row.name)
    return on.since if on is not None and on.head == playing.head.hash else None


def think_next(step: Step, foreseen: Playing) -> bool:
    """Have the next sheet thought over in the match as it is foreseen; False if there is none."""
    race = next((_race(step, foreseen, question) for question in thought_over(step, foreseen)), None)
    if race is None or race.found:
        return False
    _THINKING[foreseen.row.name].race = race
    return True


def _race(step: Step, playing: Playing, question: Question[Any]) -> Race:
    """The race for the answer to a question; the one that is known, if the seat knew the same."""
    seat = question.seat
    rigour = rigour_of(playing.game, notes.STRENGTH.of(playing.row.name, seat).read(step) or "")
    assert rigour is not None
    own = {
        record.key: tuple(map(playing.codec.intent, msgspec.json.decode(record.value, type=tuple[msgspec.Raw, ...])))
        for record in playing.tail
        if isinstance(record, Answered) and record.seat == seat and bytes(record.value).startswith((b"[{", b"[]"))
    }
    seen = Seen(seat, known_before(step, playing, seat), told(playing.outcome.events, seat), own)
    place = playing.row.name, question.key, rigour
    if place not in _RACES or _RACES[place][0] != seen:
        _RACES[place] = seen, Race(playing.game, seen, question, _pick(playing, question.key), rigour)
    return _RACES[place][1]


def _found(step: Step, playing: Playing, question: Question[Any], rigour: Rigour) -> Race | None:
    """The race for the answer to a question, if it has been run for what its seat knows now."""
    if (playing.row.name, question.key, rigour) not in _RACES:
        return None
    race = _race(step, playing, question)
    return race if race.found else None


# ---------------------------------------------------------------- who is away or late, and is played by a bot


OWN_BOT = "the bot of its player"
"""The name in the log for the end of a slot whose player is away, and has a bot play for him."""


def plays_steadily(game: AnyGame) -> bool:
    """Whether a game has a steady player."""
    return isinstance(game, PlaysSteadily)


def autoplayed(hand: BareHand) -> dict[str, datetime]:
    """The seats whose players have their bot play for them now, each until when."""
    return own_bots(hand.step, hand.match, hand.now)


def own_bots(step: Step, match: str, now: datetime) -> dict[str, datetime]:
    """The seats of a match whose players have their bot play for them at a moment, each until when."""
    return {
        seat: until.astimezone(UTC)
        for seat, until in notes.AUTOPLAY.every(step, match).items()
        if until > now and not is_dummy(step, match, seat)
    }


def with_bot(name: str, until: datetime | None) -> str:
    """The player of a seat, and until when a bot of his plays it: `Anna (steady bot until 3 Dec 2026)`."""
    return f"{name} (steady bot until {until.day} {until:%b %Y})" if until else name


def steady_for(hand: BareHand, question: Question[Any]) -> Any:
    """A steady bot's answer for a person who has it play for him, or whose turn would pass with an empty sheet.

    None where neither is so: then the default is played.
    """
    playing = hand.playing
    sound = playing.settings.late_sheet == "sound" and question.wants_orders and not question.menu.default
    if not plays_steadily(playing.game) or not (sound or question.seat in autoplayed(hand)):
        return None
    seen = known_to(hand.step, playing, question.seat)
    return answer_of("steady", playing.game, seen, question, _pick(playing, question.key))


def _pick(playing: Playing, key: str) -> Pick:
    """Choices that nobody can foresee, of a stream of their own: they never shift a die."""
    count = itertools.count()

    def pick(among: int) -> int:
        what = f"dummy/{playing.course}/{key}/{next(count)}".encode()
        return int.from_bytes(hmac.digest(playing.row.secret, what, hashlib.sha256)[:8], "big") % among

    return pick


def vacant_seats(hand: BareHand) -> frozenset[str]:
    """The vacant seats, played at once: none while the match stands still, or where no person would be left to play."""
    return _if_somebody_is_left(hand, frozenset(notes.RESIGNED.every(hand.step, hand.match)))


def away_seats(hand: BareHand) -> frozenset[str]:
    """The seats that bots of their players play at once, within the same bounds; else each is played at its deadline."""
    away = frozenset(autoplayed(hand))
    return away & _if_somebody_is_left(hand, away | frozenset(notes.RESIGNED.every(hand.step, hand.match)))


def _if_somebody_is_left(hand: BareHand, gone: frozenset[str]) -> frozenset[str]:
    if not gone or hand.status != "running":
        return frozenset()
    living = set(hand.playing.game.living(hand.playing.outcome.state)) or set(hand.playing.created.seats)
    held = {m.seat for m in hand.step.members(hand.match) if m.status == "playing" and m.seat in living}
    return gone if any(not is_dummy(hand.step, hand.match, seat) for seat in held - gone) else frozenset()
