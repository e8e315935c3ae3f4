"""Who comes and goes before a match begins: its game masters hear of each, and can look up who is there and what it waits for.

A stranger proves his address before he can join, but nobody is flooded by somebody who comes and goes: of one person the game
masters get two such letters a day, of all together so many as `_A_DAY`, the last of which says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import msgspec

from referee.kit.wording import counted, in_a_row
from referee.service import notes
from referee.service.clock.clock_words import table_sentence
from referee.service.letters import Frame, Notice
from referee.service.lobby.lapsing import lapses_at
from referee.service.lobby.who import seats_sentence, taken_and_all
from referee.service.match.house_rules import house_rules
from referee.service.match.witnesses import sentences as witness_sentences
from referee.service.office import At
from referee.service.outgoing.post import About, Mail, post, reply_token
from referee.service.ports import MatchRow, Member, Player, Step
from referee.service.remembered import Comings
from referee.service.settings import settings_of
from referee.service.times import iso, stamp

_OF_ONE, _A_DAY = 2, 20
_DAY = timedelta(days=1)


# ---------------------------------------------------------------- the game masters hear of it


def somebody_came(at: At, row: MatchRow, player: Player) -> None:
    """Somebody has a seat of a match that is forming; who had one already only changed his wishes."""
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
    """Of whom its game masters were told with one more letter; None where there were enough within a day."""
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
    """What the last of a day's letters adds."""
    if len(told.people) < _A_DAY:
        return ()
    return (
        f"These were {_A_DAY} such letters within a day, so I write no more of them until tomorrow; STATUS {match} tells who is "
        "there.",
    )


def _what_now(at: At, row: MatchRow) -> Iterator[str]:
    """What a game master can do about it."""
    taken, seats = taken_and_all(at, row)
    if settings_of(row.settings).starts_full:
        yield f"It starts by itself as soon as all seats are taken; START {row.name} begins it now with those who are there."
    elif taken == seats:
        yield f"Everybody is there: START {row.name} begins the match."
    else:
        yield (
            f"You can wait; or begin now with START {row.name}; or fill seats with bots, such as DUMMY {seats - taken} {row.name}. "
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
        yield f"Who is there: {in_a_row([_since(step, row, member, reader) for member in applied])}."
    waiting = sum(m.status == "standby" for m in members)
    if waiting:
        yield f"{waiting} {'stands' if waiting == 1 else 'stand'} by for a seat that falls free."


def _hidden(row: MatchRow, members: list[Member], reader: Player) -> bool:
    """Of an anonymous match only a game master who does not play himself learns who is there."""
    mine = {m.role for m in members if m.player == reader.id and m.status in ("watching", "applied")}
    return settings_of(row.settings).manners.anonymous and mine != {"gm"}


def _since(step: Step, row: MatchRow, member: Member, reader: Player) -> str:
    player = step.player(member.player)
    since = notes.JOINED.of(row.name, member.player).read(step)
    wishes = f"wishes {', '.join(member.wishes)}" if member.wishes else ""
    facts = "; ".join(filter(None, (f"since {stamp(since, reader.zone)}" if since else "", wishes)))
    return f"{player.name if player else 'somebody'}{f' ({facts})' if facts else ''}"


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
