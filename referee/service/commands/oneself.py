"""SET and FORGET: what somebody is called, when he is reminded, what letters he is sent, by which key and addresses he is known."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from referee.core.order import Order
from referee.kit.wording import in_a_row
from referee.moments import Unclear, called, find_zone
from referee.service.clock.clock_words import CLOCK_WORDS
from referee.service.clock.clocks import remind_anew
from referee.service.clock.reminders import keep_leads, read_leads
from referee.service.commands.caller import Caller
from referee.service.commands.command import By, Command, named, visiting, word
from referee.service.lobby.leaving import set_clock_before
from referee.service.lobby.starting import start_when_full
from referee.service.match.naming import name_from, refuse_name
from referee.service.match.playing import Playing, load
from referee.service.match.result import Denied, Done, Result
from referee.service.office import Office
from referee.service.outgoing.alerts import report_wish_to_be_forgotten
from referee.service.outgoing.wishes import WISHED, wish
from referee.service.people.forgetting import takes_part_in
from referee.service.people.invitations import ask_address
from referee.service.ports import Player, Step
from referee.service.sheets.visit import Visit
from referee.service.times import length, stamp

SETTINGS = ("zone", "name", "key", "address", "reminders", *WISHED)
"""What SET knows."""

_OWN = ("zone", "name", "reminders", *WISHED)
"""Of it, what needs no match in play."""


def _set(visit: Visit, order: Order, source: str) -> None:
    if not visit.player.id:
        visit.deny(source, "SET is for who writes by mail; the keeper of the machine has no settings of his own here.")
        return
    what, _, value = named(order).partition(" ")
    if what.lower() == "address":
        visit.settle(source, ask_address(visit.office, visit.step, visit.playing.row, visit.player, value))
    elif what.lower() in _OWN:
        player, said = _own(visit.office, visit.step, visit.player, what.lower(), value, visit.playing)
        visit.becomes(player)
        visit.settle(source, said)
    else:
        visit.deny(source, f"SET knows {in_a_row(SETTINGS)}; write SET zone Europe/Berlin.")


def _set_at_the_door(caller: Caller, order: Order, source: str) -> None:
    """Before a match has begun: what needs no match; and its game master sets its clock with the same word."""
    what, _, value = named(order).partition(" ")
    if what.lower() in _OWN:
        caller.player, said = _own(caller.office, caller.step, caller.stored(), what.lower(), value)
        caller.say(source, said)
    elif what.lower() in CLOCK_WORDS:
        _set_match(caller, " ".join(named(order).split()), source)
    else:
        caller.deny(
            source,
            f"Here SET knows {in_a_row(_OWN)}; address and key in a reply to a letter of a match that has begun.",
        )


def _set_match(caller: Caller, written: str, source: str) -> None:
    """A setting of the clock, `start full friday`, of the match that is named or of the only one that its master may mean."""
    mine = [m.match for m in caller.step.memberships(caller.stored().id) if m.role == "gm" and m.status == "watching"]
    forming = {name: row for name in mine if (row := caller.step.match(name)) and row.status == "forming"}
    rest, _, last = written.rpartition(" ")
    name, written = (last, rest) if last in forming else (next(iter(forming), ""), written)
    if name not in forming or (last != name and len(forming) > 1):
        caller.deny(
            source,
            f"Say for which match that has not begun: SET {written} nw1. Yours are {in_a_row(list(forming)) or 'none'}.",
        )
        return
    said = set_clock_before(caller.office, caller.step, forming[name], caller.player, written)
    caller.say(source, said, name)
    if isinstance(said, Done):
        caller.done += start_when_full(caller.office, caller.step, name)


def _own(
    office: Office, step: Step, player: Player, what: str, value: str, playing: Playing | None = None
) -> tuple[Player, Result]:
    """A setting of somebody's own, in all his matches; the person as he is then."""
    match what:
        case "zone":
            return _zone(step, player, value, office.clock.now())
        case "name":
            return _name(office, step, player, value)
        case "reminders":
            return player, _reminders(office, step, player, value, playing)
        case _:
            return player, _wish(step, player, what, value)


def _zone(step: Step, player: Player, zone: str, now: datetime) -> tuple[Player, Result]:
    try:
        zone = find_zone(zone)
    except Unclear as wrong:
        return player, Denied(str(wrong))
    here = f"Times are now given in {called(zone)}, where it is {stamp(now, zone)}."
    return step.save_player(msgspec.structs.replace(player, zone=zone)), Done((here,))


def _name(office: Office, step: Step, player: Player, name: str) -> tuple[Player, Result]:
    if wrong := refuse_name(office, step, player, name):
        return player, wrong
    called = name_from(name, player.addresses[0])
    return step.save_player(msgspec.structs.replace(player, name=called)), Done((f"You are now called {called}.",))


def _reminders(office: Office, step: Step, player: Player, written: str, playing: Playing | None) -> Result:
    """When a player is reminded, in all his matches; for running deadlines at once. `playing` is the match that is at hand."""
    back = written.casefold() in ("match", "default")
    try:
        leads = None if back else read_leads(written)
    except Unclear as wrong:
        return Denied(str(wrong))
    if leads is None and not back:
        return Denied("Write how long before a deadline: SET reminders 12h 2h, or none, or default.")
    keep_leads(step, player, leads)
    for member in step.memberships(player.id):
        row = step.match(member.match)
        if row is not None and row.status == "running" and member.status == "playing":
            his = playing if playing is not None and row.name == playing.row.name else load(office, step, row)
            remind_anew(step, his, member.seat, office.clock.now())
    if leads is None:
        return Done(("You are reminded as each match says.",))
    if not leads:
        return Done(("You are reminded of nothing any more; SET reminders 12h 2h changes that.",))
    when = in_a_row([length(timedelta(hours=lead)) for lead in leads])
    return Done((f"You are reminded {when} before each of your deadlines, in all your matches.",))


def _wish(step: Step, player: Player, what: str, written: str) -> Result:
    """What a player wishes of the letters he is sent, in all his matches."""
    try:
        return Done((wish(step, player, what, written),))
    except ValueError as wrong:
        return Denied(str(wrong))


def _forget(office: Office, step: Step, player: Player) -> Result:
    """Nobody is forgotten by a letter alone: the keeper hears of it, who can see what would go."""
    if not office.keeper:
        return Denied("Nobody is named here who could do it; write to whoever runs this service.")
    busy = takes_part_in(step, player)
    report_wish_to_be_forgotten(office, step, player, busy)
    first = f" Leave {in_a_row(busy)} before that: RESIGN gives a seat up." if busy else ""
    return Done((f"The keeper of this service is told that you wish to be forgotten, and writes to you.{first}",))


def _forget_here(visit: Visit, order: Order, source: str) -> None:
    if visit.player.id:
        visit.settle(source, _forget(visit.office, visit.step, visit.player))
    else:
        visit.deny(source, "FORGET ME is for who writes by mail; at the machine say referee forget and his address.")


def _forget_at_the_door(caller: Caller, order: Order, source: str) -> None:
    caller.say(source, _forget(caller.office, caller.step, caller.stored()))


COMMANDS = (
    Command(
        verb=word(
            "SET",
            "sets your time zone, name, key, when you are reminded and what letters you are sent, or makes another address of "
            "yours known",
            "SET reminders 12h 2h",
            ("words",),
            1,
            1,
        ),
        by=By.ANYONE,
        here=visiting(_set),
        door=_set_at_the_door,
    ),
    Command(
        verb=msgspec.structs.replace(
            word(
                "FORGET ME",
                "tells the keeper of this service that you wish to be forgotten: that what is kept of you is taken away; SEND data "
                "shows it",
                "FORGET ME",
            ),
            whole=True,
        ),
        by=By.ANYONE,
        here=visiting(_forget_here),
        door=_forget_at_the_door,
        grave=True,
        example=lambda visit: None if visit.office.keeper else "",
        note=lambda visit: "" if visit.office.keeper else "nobody is named here as keeper",
    ),
)
