"""SET: what somebody is called, when he is reminded, what letters he is sent, by which key and addresses he is known."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from referee.core.order import Order
from referee.kit.wording import in_a_row
from referee.service.clock.clocks import remind_anew
from referee.service.clock.reminders import keep_leads, read_leads
from referee.service.commands.command import By, Command, named, word
from referee.service.match.naming import name_from, refuse_name
from referee.service.match.playing import load
from referee.service.outgoing.wishes import WISHED, wish
from referee.service.people.identity import ask_address
from referee.service.sheets.visit import Visit
from referee.service.times import length, zone_named

SETTINGS = ("zone", "name", "key", "address", "reminders", *WISHED)
"""What SET knows."""


def _set(visit: Visit, order: Order, source: str) -> None:
    if not visit.player.id:
        visit.deny(source, "SET is for who writes by mail; the keeper of the machine has no settings of his own here.")
        return
    what, _, value = named(order).partition(" ")
    match what.lower():
        case "zone":
            _set_zone(visit, value, source)
        case "name":
            _set_name(visit, value, source)
        case "address":
            _set_address(visit, value, source)
        case "reminders":
            _set_reminders(visit, value, source)
        case known if known in WISHED:
            _set_wish(visit, known, value, source)
        case _:
            visit.deny(source, f"SET knows {in_a_row(SETTINGS)}; write SET zone Europe/Berlin.")


def _set_zone(visit: Visit, zone: str, source: str) -> None:
    if not zone_named(zone):
        visit.deny(source, f"{zone or 'That'} is no time zone; write SET zone Europe/Berlin or SET zone UTC.")
        return
    visit.player = visit.step.save_player(msgspec.structs.replace(visit.player, zone=zone))
    visit.done.append(f"Times are now given in {zone}.")


def _set_name(visit: Visit, name: str, source: str) -> None:
    if wrong := refuse_name(visit.office, visit.step, visit.player, name):
        visit.deny(source, wrong.sentence)
        return
    called = name_from(name, visit.player.addresses[0])
    visit.player = visit.step.save_player(msgspec.structs.replace(visit.player, name=called))
    visit.done.append(f"You are now called {called}.")


def _set_address(visit: Visit, written: str, source: str) -> None:
    wrong = ask_address(visit.office, visit.step, visit.playing.row, visit.player, written, visit.unique)
    if wrong:
        visit.deny(source, wrong.sentence)
    else:
        visit.done.append(f"I wrote to {written}; once it answers YES, letters from there are known as yours.")


def _set_reminders(visit: Visit, written: str, source: str) -> None:
    """When a player is reminded, in all his matches; for running deadlines at once."""
    back = written.casefold() in ("match", "default")
    leads = None if back else read_leads(written)
    if leads is None and not back:
        visit.deny(source, "Write how long before a deadline: SET reminders 12h 2h, or none, or default.")
        return
    keep_leads(visit.step, visit.player, leads)
    for member in visit.step.memberships(visit.player.id):
        row = visit.step.match(member.match)
        if row is not None and row.status == "running" and member.status == "playing":
            playing = visit.playing if row.name == visit.match else load(visit.office, visit.step, row)
            remind_anew(visit.step, playing, member.seat, visit.office.clock.now())
    if leads is None:
        visit.done.append("You are reminded as each match says.")
    elif leads:
        when = in_a_row([length(timedelta(hours=lead)) for lead in leads])
        visit.done.append(f"You are reminded {when} before each of your deadlines, in all your matches.")
    else:
        visit.done.append("You are reminded of nothing any more; SET reminders 12h 2h changes that.")


def _set_wish(visit: Visit, what: str, written: str, source: str) -> None:
    """What a player wishes of the letters he is sent, in all his matches."""
    try:
        visit.done.append(wish(visit.step, visit.player, what, written))
    except ValueError as wrong:
        visit.deny(source, str(wrong))


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
        here=_set,
    ),
)
