"""Coming into a match and going out of it: JOIN, LEAVE, RESIGN; and a match that nobody comes into is warned of and called off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from urllib.parse import quote

import msgspec

from referee.core.page import Page, Paragraph, Quotation
from referee.kit.game import why_missing
from referee.kit.wording import are, capital, counted, in_a_row, in_number
from referee.service.base import notes
from referee.service.base.letter_facts import Frame, Notice, RefusalLetter
from referee.service.base.match_settings import ClockSettings, settings_of
from referee.service.base.note_values import Comings
from referee.service.base.office import At
from referee.service.base.ports import Alarm, MatchRow, Member, Player, Step
from referee.service.base.times import iso, stamp, zone_sentence
from referee.service.house.match_lists import for_so_many, no_match, seats_sentence, taken_and_all
from referee.service.house.people import refuse_entry, refuse_unreliable
from referee.service.house.replacements import read_wishes
from referee.service.match.bots import bot_of
from referee.service.match.clock_words import clock_sentences, read_clock, table_sentence, timetable_told
from referee.service.match.members import (
    house_rules,
    keep_house_rules,
    persons,
    refuse_beacon,
    refuse_clock,
    unlisted_matches,
)
from referee.service.match.open_log import sentences as witness_sentences
from referee.service.match.result import Denial, Told, heed, need
from referee.service.match.slot_life import AlarmKind, is_under_way
from referee.service.post.post import About, Mail, post, reply_token
from referee.service.turn.clock_overrides import pieces_of

# ---------------------------------------------------------------- entering a match
# JOIN for a seat, OBSERVE to be sent its reports.


def join(at: At, player: Player, name: str, wishes: tuple[str, ...]) -> Told:
    """Apply for a seat."""
    row = at.step.match(name)
    if row is None or house_rules(at.step, name).called_off:
        raise Denial(no_match(at.step, name))
    need_forming(row)
    heed(refuse_entry(at, name, player.addresses) or refuse_unreliable(at, name, player))
    why = why_missing(at.office.games[row.game])
    need(not why, f"{why}.")
    members = at.step.members(name)
    mine = next((m for m in members if m.player == player.id and m.role == "player"), None)
    seats = at.office.games[row.game].seat_names(row.options)
    others = [m for m in members if m.role == "player" and m.status == "applied" and m is not mine]
    full = f"{name} is full: {len(others)} players have joined. STANDBY {name} notes you for a seat that falls free."
    need(len(others) < len(seats), full)
    meant, unmeant = read_wishes(seats, wishes, f"JOIN {name} AS")
    told = zone_told(at, player)
    number = mine.number if mine else 1 + max((m.number for m in members), default=0)
    at.step.save_member(Member(mine.id if mine else 0, name, player.id, "player", "applied", "", meant, number))
    wished = f" You wished for {', '.join(meant)}." if meant else ""
    by_itself = settings_of(row.settings).starts_full
    starts = "the match starts by itself when all are taken" if by_itself else "the game master starts the match"
    so_far = f"{len(others) + 1} of {len(seats)} seats {are(len(others) + 1)} taken; {starts}."
    then = (
        "When it begins, a letter brings your seat, the course of the game, and your first order sheet. "
        f"GUIDE {row.game} tells you now how it is played; STATUS tells who is there; RESIGN {name} takes you off the list."
    )
    return (f"You are in {name}.{wished} {so_far}", *unmeant, *timetable_told(settings_of(row.settings)), then, *told)


def need_forming(row: MatchRow) -> None:
    """Raises Denial for a match that has begun."""
    begun = f"{row.name} is {row.status} and takes no more players; OBSERVE {row.name} lets you watch it."
    need(row.status == "forming", begun)


def zone_told(at: At, player: Player) -> tuple[str, ...]:
    """Once to each, with his first match: in which zone his letters give times, for it was guessed."""
    return () if at.step.memberships(player.id) else (zone_sentence(player.zone, at.now),)


def observe(at: At, player: Player, name: str) -> Told:
    """Be sent every public report."""
    row = at.step.match(name)
    if row is None or house_rules(at.step, name).called_off:
        raise Denial(no_match(at.step, name))
    mine = [
        m for m in at.step.members(name) if m.player == player.id and m.status in ("playing", "watching", "applied")
    ]
    need(not mine, f"You take part in {name} already.")
    heed(refuse_entry(at, name, player.addresses))
    zone = zone_told(at, player)
    at.step.save_member(Member(0, name, player.id, "observer", "watching"))
    leave = "UNSUBSCRIBE in a reply to any letter of it ends them"
    return (
        f"You watch {name}: every public report is sent to you; {leave}. SEND report TURN 1 fetches an old one.",
        *zone,
    )


# ---------------------------------------------------------------- before a match starts
# A player takes his application back, its game master sets its clock or calls the match off.


def leave(step: Step, player: Player, name: str) -> Told:
    """Take back an application; without a name, the only one there is."""
    mine = application(step, player, name)
    if mine is None:
        names = ", ".join(sorted(m.match for m in _applications(step, player))) or "none"
        raise Denial(f"Say which match that has not begun: RESIGN {name or 'nw1'}. You wait in: {names}.")
    step.save_member(msgspec.structs.replace(mine, status="left"))
    return (f"You are no longer on the list of {mine.match}; JOIN {mine.match} puts you there again.",)


def application(step: Step, player: Player, name: str) -> Member | None:
    """How somebody waits for a seat of a match; without a name, of the only one he waits for."""
    mine = {m.match: m for m in _applications(step, player)}
    return mine.get(name) if name else next(iter(mine.values())) if len(mine) == 1 else None


def _applications(step: Step, player: Player) -> list[Member]:
    return [m for m in step.memberships(player.id) if m.status in ("applied", "standby")]


def call_off(at: At, row: MatchRow, why: str, by: Player | None = None) -> int:
    """End a match before it began. Nobody can join it any more; everybody else who had is told why, and is counted."""
    told = 0
    for member in at.step.members(row.name):
        player = at.step.player(member.player)
        if member.status == "left":
            continue
        at.step.save_member(msgspec.structs.replace(member, status="left"))
        if player and player.addresses and not (by and player.id == by.id):
            _tell_of_leaving(at, row, player, why)
            told += 1
    rules = msgspec.structs.replace(house_rules(at.step, row.name), called_off=True)
    keep_house_rules(at.step, row.name, rules)
    at.step.clear_alarms(row.name)
    return told


def call_off_by(at: At, row: MatchRow, by: Player, reason: str) -> Told:
    """Its game master ends a match before it began."""
    given = f" The reason given: {reason}." if reason else ""
    why = f"{row.name} is called off by its game master before it began; nothing is owed.{given}"
    told = call_off(at, row, why, by)
    return (f"{row.name} is called off; {told} who had joined or waited were told.",)


def set_clock_before(at: At, row: MatchRow, by: Player, written: str) -> Told:
    """Change the clock and the manners of a match; its members are told of the new ones."""
    now = settings_of(row.settings)
    settings = read_clock(now, pieces_of(written), by.zone, at.now)
    heed(refuse_clock(at.office.games[row.game], settings) or refuse_beacon(at.office, settings, now))
    at.step.save_match(msgspec.structs.replace(row, settings=msgspec.to_builtins(settings)))
    before = (*clock_sentences(now), _starts(row, now))
    said = tuple(s for s in (*clock_sentences(settings), _starts(row, settings)) if s not in before)
    if not said:
        return (f"The clock of {row.name} was set so already.",)
    for member in at.step.members(row.name):
        player = at.step.player(member.player)
        if member.status == "applied" and player and player.addresses and player.id != by.id:
            body = RefusalLetter(
                "The clock of a match is set", f"From now on: {' '.join(said)}", (), None, row.name, player.name
            )
            unique = f"clock.{iso(at.now)}"
            post(at, player, Mail("muster", f"the clock of {row.name} is set", body, unique), About(row))
    return (*said, *settings.slots.odd_ends(at.now))


def _starts(row: MatchRow, settings: ClockSettings) -> str:
    if settings.starts_full:
        return f"{row.name} starts by itself when its last seat is taken."
    return f"{row.name} starts when its game master writes START."


def _tell_of_leaving(at: At, row: MatchRow, player: Player, why: str) -> None:
    body = RefusalLetter("A match is called off", why, ("GAMES lists the others.",), None, row.name, player.name)
    unique = f"called-off.{iso(at.now)}"
    post(at, player, Mail("muster", f"{row.name} is called off", body, unique), About(row))


# ---------------------------------------------------------------- matches that have not begun
# How many somebody may have open or have joined, and the end of those nobody writes about.


_DAY = timedelta(days=1)
_WARNED = timedelta(days=7)
"""How long before its end the game master of a match is told, or half its time where it has less than twice that."""


def _called_off(step: Step, match: str) -> bool:
    return match in unlisted_matches(step) and house_rules(step, match).called_off


def _forming(step: Step) -> list[MatchRow]:
    return [row for row in step.matches("forming") if not _called_off(step, row.name)]


def refuse_another_match(at: At, player: Player) -> str:
    """Why somebody may open no further match; "" where he may.

    One that he called off counts for a day, or who calls off what he opens could open any number.
    """
    limits, since = at.office.limits, at.now - _DAY
    mine = [
        row.name
        for row in at.step.matches("forming")
        if (row.created_at > since or not _called_off(at.step, row.name)) and _opened_by(at.step, row.name) == player.id
    ]
    if player.id and len(mine) >= limits.forming_matches:
        return (
            f"You have opened {in_a_row(mine)}, and one address may have {limits.forming_matches} matches open that have "
            "not begun; START or TERMINATE one, and write again a day after it was opened."
        )
    if len(_forming(at.step)) >= limits.forming_in_all:
        return (
            f"{limits.forming_in_all} matches are forming here, as many as may at a time; JOIN one of them (GAMES lists "
            "them), or write again when some have begun."
        )
    return ""


def _opened_by(step: Step, match: str) -> int:
    """The person who opened a match: its first member."""
    first = min(step.members(match), key=lambda member: member.id, default=None)
    return first.player if first else 0


def refuse_another_seat(at: At, player: Player, match: str) -> str:
    """Why somebody may wait for the beginning of no further match; "" where he may."""
    rows = (
        (at.step.match(m.match) for m in at.step.memberships(player.id) if m.status == "applied") if player.id else ()
    )
    mine = sorted({row.name for row in rows if row and row.status == "forming"} - {match})
    if len(mine) < at.office.limits.joined_matches:
        return ""
    return (
        f"You have joined {in_a_row(mine)}, which have not begun, and one address may wait for "
        f"{at.office.limits.joined_matches}; RESIGN {mine[0]} makes room."
    )


def refuse_alone(at: At, player: int, who: str = "One person plays") -> str:
    """Why somebody may play no other match alone against bots, which think for him; "" where he may."""
    rows = [at.step.match(m.match) for m in at.step.memberships(player) if m.status == "playing"] if player else []
    alone = [row.name for row in rows if row and is_under_way(row) and persons(at.step, row.name) == {player}]
    if len(alone) < at.office.limits.bot_matches:
        return ""
    return f"{who} {in_a_row(alone)} against bots already; END in a reply to a letter of one ends it."


# ---------------------------------------------------------------- given up


def keep_open(at: At, match: str) -> None:
    """Somebody wrote about a match; if it has not begun, its time begins anew."""
    row = at.step.match(match)
    if row is None or row.status != "forming" or not at.office.limits.forming_days:
        return
    whole = timedelta(days=at.office.limits.forming_days)
    if not _called_off(at.step, match):
        at.step.set_alarm(Alarm(match, AlarmKind.FORMING, "warn", at.now + whole - _warned(whole)))
    at.step.clear_alarms(match, AlarmKind.FORMING, "end")


def lapses_at(at: At, match: str) -> datetime | None:
    """When a match that has not begun is called off if nobody writes about it any more; None for never."""
    due = {alarm.key: alarm.due_at for alarm in at.step.alarms(match) if alarm.kind == AlarmKind.FORMING}
    warned = _warned(timedelta(days=at.office.limits.forming_days))
    return due["end"] if "end" in due else due["warn"] + warned if "warn" in due else None


def _warned(whole: timedelta) -> timedelta:
    return min(_WARNED, whole / 2)


def warn_or_give_up(at: At, row: MatchRow, alarm: Alarm) -> None:
    """Nobody has written about a match for long: its game masters are told, and a week later it is called off."""
    if alarm.kind != AlarmKind.FORMING or _called_off(at.step, row.name):
        return
    days = f"{at.office.limits.forming_days} days"
    if alarm.key == "end":
        why = f"{row.name} had not begun, and nobody wrote about it for {days}, so it is called off; nothing is owed."
        call_off(at, row, why)
        return
    ends = at.now + _warned(timedelta(days=at.office.limits.forming_days))
    at.step.set_alarm(Alarm(row.name, AlarmKind.FORMING, "end", ends))
    for member in at.step.members(row.name):
        player = at.step.player(member.player)
        if member.role == "gm" and member.status == "watching" and player and player.addresses:
            _warn(at, row, player, stamp(ends, player.zone), alarm)


def _warn(at: At, row: MatchRow, player: Player, ends: str, alarm: Alarm) -> None:
    sentence = f"{row.name} has not begun, and nobody has written about it for long. It is called off at {ends}."
    instead = (
        f"To keep it open, answer this letter with WHO {row.name}; you will see who has joined.",
        f"START {row.name} begins it, TERMINATE {row.name} calls it off now.",
    )
    body = RefusalLetter("A match is about to be called off", sentence, instead, None, row.name, player.name)
    token, unique = reply_token(at, row.name, row.turn, 0, player, ""), f"forming.{alarm.due_at.isoformat()}"
    post(at, player, Mail("muster", f"{row.name} will be called off", body, unique), About(row, token=token))


# ---------------------------------------------------------------- inviting
# A text that a game master can forward to his friends: what the game is, its pace, how to join and until when.
#
# It names the referee's plain address alone: whoever reads it gets nothing by which he could write in the game master's name.


def invitation(at: At, row: MatchRow, by: Player) -> Page:
    """The text, on a page of the letter that answers CREATE."""
    text = "\n".join(_lines(at, row, by))
    return Page(
        "To forward to your friends", "", (Paragraph("Copy these lines into a letter of your own:"), Quotation(text))
    )


def _lines(at: At, row: MatchRow, by: Player) -> tuple[str, ...]:
    game, settings = at.office.games[row.game], settings_of(row.settings)
    pace = capital(table_sentence("a turn", settings.slot_hours, settings.slots))
    lapses = lapses_at(at, row.name)
    until = f"The match is open until {stamp(lapses, by.zone)} or until it starts. " if lapses else ""
    return (
        f"Will you play {game.title} with me by e-mail? It is for {for_so_many(game)}.",
        f"{game.about.split('. ')[0].rstrip('.')}.",
        f"{pace} You write at your own time of day, in the mail program that you have; there is nothing to install.",
        f"To join, write JOIN {row.name} to {at.office.address}, or tap this and send what opens:",
        f"mailto:{at.office.address}?body={quote(f'JOIN {row.name}')}",
        f"{until}Questions? Write HELP there, or ask me. {by.name}",
    )


# ---------------------------------------------------------------- who comes and goes before a match begins
# Its game masters hear of each, and can look up who is there and what it waits for.
#
# A stranger proves his address before he can join, but nobody is flooded by somebody who comes and goes: of one person the game
# masters get two such letters a day, of all together so many as `_A_DAY`, the last of which says so.


_OF_ONE, _A_DAY = 2, 20


# ---------------------------------------------------------------- the game masters hear of it


def somebody_came(at: At, row: MatchRow, player: Player) -> None:
    """Somebody has a seat of a match that is forming; a player who had one already only changed his wishes."""
    slip = notes.JOINED.of(row.name, player.id)
    mine = next((m for m in at.step.members(row.name) if m.player == player.id and m.status == "applied"), None)
    if mine is None or slip.read(at.step) is not None:
        return
    slip.keep(at.step, at.now)
    wishes = f" and would like to play {in_a_row(mine.wishes, 'or')}" if mine.wishes else ""
    _tell(at, row, player, f"{player.name} has joined", f"{player.name} has joined {row.name}{wishes}.")


def somebody_went(at: At, row: MatchRow, player: Player) -> None:
    """Somebody took his application back."""
    notes.JOINED.of(row.name, player.id).forget(at.step)
    title = f"{player.name} has left"
    _tell(at, row, player, title, f"{player.name} has taken the application for {row.name} back.")


def _tell(at: At, row: MatchRow, player: Player, title: str, sentence: str) -> None:
    told = _one_more(at, row.name, player.id)
    if told is None:
        return
    taken, seats = taken_and_all(at, row)
    subject = f"{title} ({taken} of {seats} seats taken)"
    for master in _masters(at.step, row.name):
        if master.id != player.id:
            said = (
                f"{sentence} {seats_sentence(at, row)}",
                *_what_now(at, row),
                *_enough(row.name, told),
            )
            frame = Frame(row.name, at.office.games[row.game].title, title, master.name)
            token = reply_token(at, row.name, row.turn, 0, master, "")
            letter = Notice(frame, title, said, lines=(f"START {row.name}", f"STATUS {row.name}"))
            mail = Mail("forming", subject, letter, f"{iso(told.since)}.{len(told.people)}")
            post(at, master, mail, About(row, token=token))


def _one_more(at: At, match: str, player: int) -> Comings | None:
    """The people of whom its game masters were told with one more letter; None if there were enough within a day."""
    slip, now = notes.TOLD_WHO_CAME.of(match), at.now
    told = slip.read(at.step)
    if told is None or now - told.since >= _DAY:
        told = Comings(now)
    if told.people.count(player) >= _OF_ONE or len(told.people) >= _A_DAY:
        return None
    told = msgspec.structs.replace(told, people=(*told.people, player))
    slip.keep(at.step, told)
    return told


def _enough(match: str, told: Comings) -> tuple[str, ...]:
    """The sentence that the last of a day's letters adds."""
    if len(told.people) < _A_DAY:
        return ()
    return (
        f"These were {_A_DAY} such letters within a day, so I write no more of them until tomorrow; STATUS {match} tells who is "
        "there.",
    )


def _what_now(at: At, row: MatchRow) -> Iterator[str]:
    """The means of a game master against it."""
    taken, seats = taken_and_all(at, row)
    if settings_of(row.settings).starts_full:
        yield f"It starts by itself as soon as all seats are taken; START {row.name} begins it now with those who are there."
    elif taken == seats:
        yield f"Everybody is there: START {row.name} begins the match."
    else:
        yield (
            f"You can wait; or begin now with START {row.name}; or fill seats with bots, such as BOT {seats - taken} {row.name}. "
            "SET start full lets it start by itself when the last seat is taken."
        )


def _masters(step: Step, match: str) -> Iterator[Player]:
    for member in step.members(match):
        master = step.player(member.player)
        if member.role == "gm" and member.status == "watching" and master and master.addresses:
            yield master


# ---------------------------------------------------------------- STATUS before the start


def status_before(at: At, row: MatchRow, reader: Player) -> tuple[str, ...]:
    """A match that is forming, as its members may know it: seats, who and since when, what it waits for, when it lapses."""
    game, settings = at.office.games[row.game].title, settings_of(row.settings)
    return (
        f"{row.name} is a match of {game} that has not begun. {seats_sentence(at, row)}",
        *_who_is_there(at.step, row, reader),
        _waits_for(at, row),
        *witness_sentences(at.step, row.name),
        *_lapses(at, row, reader),
        f"{table_sentence('A slot', settings.slot_hours, settings.slots)} WHO {row.name} tells all its rules and its clock.",
    )


def _who_is_there(step: Step, row: MatchRow, reader: Player) -> Iterator[str]:
    members = step.members(row.name)
    applied = sorted((m for m in members if m.status == "applied"), key=lambda m: m.number)
    masters = [player.name for player in _masters(step, row.name)]
    if masters:
        yield f"Game master: {in_a_row(masters)}."
    if applied and not _hidden(row, members, reader):
        yield f"There so far: {in_a_row([_since(step, row, member, reader) for member in applied])}."
    waiting = sum(m.status == "standby" for m in members)
    if waiting:
        yield f"{waiting} {in_number(waiting, 'stand')} by for a seat that falls free."


def _hidden(row: MatchRow, members: list[Member], reader: Player) -> bool:
    """Of an anonymous match only a game master who does not play himself learns who is there."""
    mine = {m.role for m in members if m.player == reader.id and m.status in ("watching", "applied")}
    return settings_of(row.settings).manners.anonymous and mine != {"gm"}


def _since(step: Step, row: MatchRow, member: Member, reader: Player) -> str:
    player = step.player(member.player)
    since = notes.JOINED.of(row.name, member.player).read(step)
    wishes = f"wishes {', '.join(member.wishes)}" if member.wishes else ""
    facts = "; ".join(filter(None, (f"since {stamp(since, reader.zone)}" if since else "", wishes)))
    name = bot_of(step, member) or (player.name if player else "somebody")
    return f"{name}{f' ({facts})' if facts else ''}"


def _waits_for(at: At, row: MatchRow) -> str:
    taken, seats = taken_and_all(at, row)
    if notes.MUSTER.of(row.name).read(at.step) is not None:
        missing = [
            player.name
            for member in at.step.members(row.name)
            if member.status == "applied" and (player := at.step.player(member.player)) and player.addresses
            if not notes.HERE.of(row.name, player.id).read(at.step)
        ]
        if missing:
            return f"It waits for {counted(len(missing), 'answers')} (I AM HERE), then it starts by itself."
    if settings_of(row.settings).starts_full and taken < seats:
        left = counted(seats - taken, "more players")
        return f"It waits for {left}, then it starts by itself; its game master can start it before."
    asks = " START first asks everybody whether he is still there." if house_rules(at.step, row.name).muster else ""
    return f"It waits for its game master, who begins it with START {row.name}.{asks}"


def _lapses(at: At, row: MatchRow, reader: Player) -> Iterator[str]:
    """When it is called off if nobody writes about it any more."""
    ends = lapses_at(at, row.name)
    if ends:
        yield f"It lapses on {stamp(ends, reader.zone)} if nobody writes about it before."
