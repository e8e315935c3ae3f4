"""A match that forms: created, changed, begun, played again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.core.chance import commitment
from referee.core.game import AnyGame, Completes, KeepsTime
from referee.core.record import Created, kind_of, seal
from referee.kit.game import why_missing
from referee.kit.opponents import Strength
from referee.kit.wording import are, capital, in_a_row, in_number
from referee.orders import did_you_mean
from referee.service.base import notes
from referee.service.base.letter_facts import Notice
from referee.service.base.match_settings import ClockSettings, settings_of
from referee.service.base.note_values import Bot
from referee.service.base.office import At, Office
from referee.service.base.ports import MatchRow, Member, Player, Step
from referee.service.base.times import second
from referee.service.house.match_lists import no_match, seats_sentence, taken_and_all
from referee.service.house.membership import (
    join,
    keep_open,
    need_forming,
    refuse_alone,
    refuse_another_match,
    refuse_another_seat,
)
from referee.service.house.people import answer_muster, muster, refuse_entry
from referee.service.match.bots import enter_dummies, joined_bots, seat_dummy, strength_in, usual_strength
from referee.service.match.clock_words import CLOCK_WORDS, read_clock
from referee.service.match.members import everybody, house_rules, keep_house_rules, persons, refuse_beacon, refuse_clock
from referee.service.match.playing import BareHand, Playing, codec_of, entry_after, load
from referee.service.match.result import Denial, Told, heed, need
from referee.service.match.sealing import Seals, lots, pledge
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.turn.advance import first_letters, run

# ---------------------------------------------------------------- CREATE
# A match is opened, with its options and its clock.


_NAME = re.compile(r"[a-z][a-z0-9-]{1,23}")


def read_options(office: Office, game: str, written: str) -> dict[str, str]:
    """Options as written, "nationalities yes, coal metal", completed by defaults; raises Denial where they are none."""
    settings = {setting.name: setting for setting in office.games[game].settings}
    options = {name: setting.default for name, setting in settings.items()}
    for part in filter(None, (piece.strip() for piece in re.split(r"[,;]", written))):
        name, _, value = part.replace("=", " ").partition(" ")
        name, value = name.strip().lower(), value.strip().lower()
        if name not in settings:
            near = did_you_mean(name, settings)
            meant = f"Did you mean {' or '.join(near)}?" if near else f"Its options are {', '.join(settings)}."
            raise Denial(f"{name} is no option of {game}. {meant}")
        if value not in settings[name].values:
            raise Denial(f"{name} takes {' or '.join(settings[name].values)}, not {value or 'nothing'}.")
        options[name] = value
    played: Any = office.games[game]
    completed = played.complete(options) if isinstance(played, Completes) else options
    if isinstance(completed, str):
        raise Denial(completed)
    return completed


def _told_apart(office: Office, game: str, written: str) -> tuple[str, list[str]]:
    """The options of the game and the settings of the clock in what stands after WITH.

    A part that begins with neither belongs to the setting before it, as in `days Mon, Tue`.
    """
    names = {setting.name for setting in office.games[game].settings}
    of_game: list[str] = []
    of_clock: list[str] = []
    for part in filter(None, (piece.strip() for piece in re.split(r"[,;]", written))):
        name = part.replace("=", " ").partition(" ")[0].lower()
        if name in CLOCK_WORDS and name not in names:
            of_clock.append(part)
        elif name in names or not of_clock or not _goes_on(part):
            of_game.append(part)
        else:
            of_clock[-1] += f" {part}"
    return ", ".join(of_game), of_clock


def _goes_on(part: str) -> bool:
    """Whether a part can be more of a list of days, countries, dates or spans of time: it names no value of an option."""
    return all(re.fullmatch(r"[\w-]{1,10}", word) for word in part.split()) and (
        " " not in part or " and " in f" {part} "
    )


def create(
    at: At,
    player: Player,
    game: str,
    name: str,
    written: str = "",
    clock: ClockSettings | None = None,
    against: int = 0,
) -> Told:
    """Open a match; its creator becomes its game master. He plays, too, where he plays `against` so many bots if he names none."""
    may = not at.office.creators or at.office.creators & set(player.addresses)
    need(may, "Matches are created by the keeper here; ask him, or JOIN one that is forming (GAMES lists them).")
    need(game in at.office.games, f"I know no game {game}; I know {', '.join(at.office.games)}.")
    why = why_missing(at.office.games[game])
    need(not why, f"{why}.")
    heed(_misnamed(game, name))
    need(at.step.match(name.lower()) is None, f"There is a match {name} already; choose another name.")
    written, number, strength = _bots(at.office.games[game], written)
    of_game, of_clock = _told_apart(at.office, game, written)
    options = read_options(at.office, game, of_game)
    settings = msgspec.to_builtins(clock or at.office.clock_defaults)
    played: Any = at.office.games[game]
    if clock is None and isinstance(played, KeepsTime):
        settings = {**settings, **played.clock(options)}
    chosen = read_clock(settings_of(settings), of_clock, player.zone, at.now)
    heed(refuse_clock(played, chosen) or refuse_beacon(at.office, chosen))
    settings = msgspec.to_builtins(chosen)
    if options.get("mode") == "two_step" or "decisions" in options:  # the game itself asks only whom it should
        settings = {**settings, "waits": True}
    number, his = number or against, int(bool(against))
    heed(_refuse_bots(at.office, game, options, number, his))
    heed(played.refuse_options(options, number + his) if his else "")
    row = MatchRow(name.lower(), game, "forming", at.office.secrets.secret(), options, settings, at.now)
    at.step.save_match(row)
    at.step.save_member(Member(0, row.name, player.id, "gm", "watching"))
    keep_open(at, row.name)
    come = enter_dummies(at.step, row, number, strength)
    return (
        f"Match {row.name} of {at.office.games[game].title} is open and you are its game master.",
        *((f"{capital(in_a_row(come))} {in_number(number, 'have')} joined.",) if come else ()),
        f"Players join by writing JOIN {row.name} to {at.office.address}; you hear of each. {_starts(chosen, row.name)}",
        "A reply of STATUS tells who has joined; HELP, what you can do until then.",
        *chosen.slots.odd_ends(at.now),
        f"The dice are committed to already: the SHA-256 of their secret is {commitment(row.secret)}.",
    )


_OF_BOTS = re.compile(r"(?:bots?|dumm(?:y|ies))\b[\s=]*(.*)|(\d.*?)\s*\b(?:bots?|dumm(?:y|ies))", re.IGNORECASE)


def _bots(game: AnyGame, written: str) -> tuple[str, int, Strength]:
    """The other words after WITH; how many bots join at once, and of which strength: `bots 3 novice`, `3 novice bots`."""
    pieces = re.split(r"[,;]", written)
    said = [
        sorted((found[1] or found[2] or "").split(), key=str.isdecimal, reverse=True)
        for piece in pieces
        if (found := _OF_BOTS.fullmatch(piece.strip()))
    ]
    if not said:
        return written, 0, usual_strength(game)
    (number, *strength), *more = said
    one = not more and len(strength) <= 1 and number.isdecimal() and int(number) > 0 if said[0] else False
    need(one, "Say how many bots join, and of one strength: WITH bots 3 novice; or WITH bots 3.")
    rest = ", ".join(piece for piece in pieces if not _OF_BOTS.fullmatch(piece.strip()))
    return rest, int(number), strength_in(game, " ".join(strength))


def _refuse_bots(office: Office, game: str, options: dict[str, str], number: int, joined: int = 0) -> str:
    """Why so many bots cannot join; "" where they can."""
    seats = len(office.games[game].seat_names(options))
    if joined + number <= seats:
        return ""
    title, left = office.games[game].title, seats - joined
    return f"{title} has {seats} seats here, and {joined} {are(joined)} taken; {left} {are(left)} left for bots."


def let_bots_in(at: At, row: MatchRow, number: int, strength: Strength) -> Told:
    """So many bots join a match that is forming, which starts where it waited for them."""
    joined = sum(m.status == "applied" for m in at.step.members(row.name))
    heed(_refuse_bots(at.office, row.game, row.options, number, joined))
    come = enter_dummies(at.step, row, number, strength)
    said = f"{capital(in_a_row(come))} {in_number(number, 'have')} joined {row.name}; {seats_sentence(at, row)}"
    return (said, *start_when_full(at, row.name))


def _starts(settings: ClockSettings, match: str) -> str:
    if settings.starts_full:
        return f"It starts by itself when the last seat is taken, or before by START {match}."
    return f"You begin it with START {match}; SET start full lets it start by itself when the last seat is taken."


def is_match_name(name: str) -> bool:
    """Whether a match can have this name, as it is kept."""
    return _NAME.fullmatch(name) is not None


def _misnamed(game: str, name: str) -> str:
    """Why a match cannot have this name, and what would be right; "" where it can."""
    if is_match_name(name.lower()):
        return ""
    first, *more = re.split(r"[,\s]+", name.strip())
    if not more or not is_match_name(first.lower()):
        return f"{name} is no name for a match; use 2 to 24 letters, digits or hyphens, beginning with a letter."
    chosen = " ".join(more) if len(more) > 1 else f"{more[0]} yes"
    return f"The name of a match is one word, and what is chosen follows WITH: CREATE {game} AS {first} WITH {chosen}."


# ---------------------------------------------------------------- starting a match
# The muster answered, the seats given, the first turn opened.


def _is_dummy(step: Step, member: Member) -> bool:
    player = step.player(member.player)
    return player is not None and not player.addresses


def here(at: At, player: Player, name: str) -> Told:
    """A player answers the muster; the last one starts the match."""
    row = at.step.match(name)
    mine = [m for m in at.step.members(name) if m.player == player.id and m.status == "applied"] if row else []
    if row is None or row.status != "forming" or not mine:
        raise Denial("Nobody asked you whether you are still there; JOIN asks for a seat in a match that is forming.")
    began = answer_muster(at.step, name, player)
    thanks = f"Thank you: you are there for {name}."
    if began is None:
        return (thanks, "It starts as soon as all the others have answered.")
    try:
        return (thanks, *start(at, began, name, now=True))
    except Denial as denial:
        return (thanks, str(denial))


def _beacon(office: Office, row: MatchRow) -> str:
    """The name of the beacon whose rounds have a share in the dice, if the match asks for one."""
    asks = settings_of(row.settings).beacon == "drand"
    return office.randomness.beacon.name if asks and office.randomness else ""


def _seat(step: Step, member: Member, seat: str, bots: Iterator[Bot]) -> None:
    """Give a seat to the person who joined; to the next of the bots, if one did."""
    dummy = _is_dummy(step, member)
    if dummy:
        bot = next(bots)
        seat_dummy(step, member.match, seat, bot.strength, bot.name)
    step.save_member(msgspec.structs.replace(member, status="dummy" if dummy else "playing", seat=seat))


def start_when_full(at: At, match: str) -> tuple[str, ...]:
    """Start a match that is to start by itself once its last seat is taken; what to tell who took that, "" for no start."""
    row = at.step.match(match)
    if row is None or row.status != "forming" or not settings_of(row.settings).starts_full:
        return ()
    taken, seats = taken_and_all(at, row)
    if taken < seats:
        return ()
    try:
        return (f"The last seat of {match} is taken.", *start(at, Player(0, at.office.name, ()), match))
    except Denial:
        return ()


def start(at: At, by: Player, name: str, now: bool = False) -> Told:
    """Seat those who joined, write the log's first entry, open the first turn.

    Where the match musters its players they are first asked whether they are still there, unless it is to start `now`.
    """
    row = at.step.match(name)
    if row is None:
        raise Denial(no_match(at.step, name))
    need(row.status == "forming", f"{name} is {row.status}; it cannot be started again.")
    game = at.office.games[row.game]
    applicants = sorted((m for m in at.step.members(name) if m.status == "applied"), key=lambda m: m.number)
    if refused := game.refuse_options(row.options, len(applicants)):
        few = next((n for n in range(1, 9) if not game.refuse_options(row.options, len(applicants) + n)), 0)
        more = f" BOT {few} {name} has bots join it; then START {name}." if few else ""
        raise Denial(f"{refused.rstrip('.')}.{more}")
    persons = {member.player for member in applicants if not _is_dummy(at.step, member)}
    need(bool(persons), "Nobody but bots has joined; a match needs a person.")
    if len(persons) == 1:
        (person,) = persons
        heed(refuse_alone(at, person, "You play" if person == by.id else "One person plays"))
    missing = [] if now else muster(at, row, by, applicants)
    if missing:
        asked = f"{len(missing)} of {len(applicants)} were asked whether they are still there: {in_a_row(missing)}."
        then = (
            f"{name} starts by itself as soon as all have answered I AM HERE; START NOW {name} does not wait for them."
        )
        return (asked, then)
    began = second(at.now)
    wishes = tuple(member.wishes for member in applicants)
    seats = game.seat_players(wishes, row.options, lots(row.secret, name, began, wishes))
    bots = iter(joined_bots(at.step, name))
    for member, seat in zip(applicants, seats, strict=True):
        _seat(at.step, member, seat, bots)
    row = msgspec.structs.replace(row, status="running")
    at.step.save_match(row)
    at.step.clear_alarms(name)
    created = Created(row.game, tuple(seats), row.options, commitment(row.secret), wishes, _beacon(at.office, row))
    payload = codec_of(game).dump(created)
    first = seal(row.secret, name, None, began, kind_of(created), payload, f"START by {by.name}")
    at.step.append([first, entry_after(at.office, row, first, pledge(row.secret, Seals()), first.cause)])
    hand = BareHand(at.office, at.step, load(at, row))
    first_letters(hand, run(hand, (), "the start", mails=False))
    return (f"{name} has started with {', '.join(seats)}.",)


# ---------------------------------------------------------------- REMATCH
# When a match is over, another one of the same game, options and clock, to which everybody is asked.


def rematch(at: At, playing: Playing, member: Member, player: Player) -> Told:
    """The first who asks opens the match and is its game master; those who ask later join it. Players wish for their old seats.

    As many bots join as before, of the same strengths; who played alone against them begins at once.
    """
    old = playing.row
    need(old.status == "over", f"{old.name} is not over yet; REMATCH asks for another match when it is.")
    name = notes.REMATCH.of(old.name).read(at.step)
    row = at.step.match(name) if name else None
    if name is None or row is None or house_rules(at.step, name).called_off:
        return _opened(at, playing, member, player)
    need_forming(row)
    return _joined(at, member, player, name)


def _opened(at: At, playing: Playing, member: Member, player: Player) -> Told:
    old = playing.row
    heed(refuse_entry(at, "", player.addresses) or refuse_another_match(at, player))
    heed(refuse_alone(at, player.id, "You play") if persons(at.step, old.name) == {player.id} else "")
    name = _free_name(at.step, old.name)
    options = ", ".join(f"{option} {value}" for option, value in old.options.items())
    opened = create(at, player, old.game, name, options, settings_of(old.settings))
    keep_house_rules(at.step, name, house_rules(at.step, old.name))
    notes.REMATCH.of(old.name).keep(at.step, name)
    asked = _ask(at, playing, player, name)
    joined = _joined(at, member, player, name) if member.seat else ()
    row = at.step.match(name)
    assert row is not None  # it was just made
    bots = [told for bot in joined_bots(at.step, old.name) for told in enter_dummies(at.step, row, 1, bot.strength)]
    if bots and member.seat and not asked:
        return (*start(at, player, name, now=True), f"You play against {in_a_row(bots)} again.")
    joined += (f"{in_a_row(bots)} {'has' if len(bots) == 1 else 'have'} joined {name}, too.",) if bots else ()
    return (*opened, *joined, *((f"{asked} of {old.name} were asked to join.",) if asked else ()))


def _joined(at: At, member: Member, player: Player, name: str) -> Told:
    wishes = (member.seat,) if member.seat else ()
    heed(refuse_another_seat(at, player, name))
    return join(at, player, name, wishes)


def _free_name(step: Step, old: str) -> str:
    """The name of the old match with the next number that is free."""
    stem, number = re.sub(r"-\d+$", "", old)[:20], 2
    while step.match(f"{stem}-{number}") is not None:
        number += 1
    return f"{stem}-{number}"


def _ask(at: At, playing: Playing, by: Player, name: str) -> int:
    """Everybody else of the old match is asked; how many."""
    asked = 0
    for member, player in everybody(at.step, playing.row.name):
        if player.id == by.id or not player.addresses:
            continue
        sentences = (
            f"{by.name} has opened {name}: {playing.game.title} again, with the same rules and the same clock.",
            f"Reply REMATCH to join it, or write JOIN {name} to {at.office.address}. A player who does nothing is not in it.",
        )
        framed = msgspec.structs.replace(
            frame(BareHand(at.office, at.step, playing), member, player), owes="", commitment=""
        )
        letter = Notice(framed, "another match", sentences, "", by.name, lines=("REMATCH",))
        mail = Mail("notice", f"another match? {name} waits for you", letter, f"rematch.{name}")
        post(at, player, mail, About(playing, member))
        asked += 1
    return asked
