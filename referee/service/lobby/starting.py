"""Starting a match: the muster answered, the seats given, the first turn opened."""

from __future__ import annotations

import msgspec

from referee.core.chance import commitment
from referee.core.record import Created, kind_of, seal
from referee.kit.wording import in_a_row
from referee.service.lobby.who import no_match, taken_and_all
from referee.service.match.dummies import seat_dummy
from referee.service.match.hand import BareHand
from referee.service.match.playing import codec_of, entry_after, load
from referee.service.match.result import Denial, Told, heed, need
from referee.service.match.sealing import Seals, lots, pledge
from referee.service.office import At, Office
from referee.service.people.readiness import answer_muster, muster
from referee.service.ports import MatchRow, Member, Player, Step
from referee.service.settings import settings_of
from referee.service.times import iso
from referee.service.turns.advance import run
from referee.service.turns.beginning import first_letters


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


def _seat(step: Step, member: Member, seat: str) -> None:
    """Give a seat to who joined; to bots, where a dummy did."""
    dummy = _is_dummy(step, member)
    if dummy:
        seat_dummy(step, member.match, seat)
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
    heed(game.refuse_options(row.options, len(applicants)) or "")
    persons = any(not _is_dummy(at.step, member) for member in applicants)
    need(persons, "Nobody but dummies has joined; a match needs a person.")
    missing = [] if now else muster(at, row, by, applicants)
    if missing:
        asked = f"{len(missing)} of {len(applicants)} were asked whether they are still there: {in_a_row(missing)}."
        then = (
            f"{name} starts by itself as soon as all have answered I AM HERE; START NOW {name} does not wait for them."
        )
        return (asked, then)
    began = iso(at.now)
    wishes = tuple(member.wishes for member in applicants)
    seats = game.seat_players(wishes, row.options, lots(row.secret, name, began, wishes))
    for member, seat in zip(applicants, seats, strict=True):
        _seat(at.step, member, seat)
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
