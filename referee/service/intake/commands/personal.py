"""SET and FORGET: what somebody is called, when he is reminded, what letters he is sent, by which key and addresses he is known."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from referee.core.order import Order
from referee.kit.wording import in_a_row
from referee.moments import called, find_zone
from referee.service.base.ports import Player
from referee.service.base.times import length, stamp
from referee.service.house.forgetting import takes_part_in
from referee.service.house.forming import start_when_full
from referee.service.house.invitations import ask_address
from referee.service.house.membership import set_clock_before
from referee.service.intake.commands.caller import Caller
from referee.service.intake.commands.command import By, Command, named, word
from referee.service.match.clock_words import CLOCK_WORDS
from referee.service.match.clocks import keep_leads, read_leads, remind_anew
from referee.service.match.members import name_from, refuse_name
from referee.service.match.playing import load
from referee.service.match.result import Denial, Told, heed, need, understood
from referee.service.post.delivery import WISHED, wish
from referee.service.post.refusals import report_wish_to_be_forgotten
from referee.service.turn.writer import Hand

SETTINGS = ("zone", "name", "key", "address", "reminders", *WISHED)
"""The words that SET knows."""

_OWN = ("zone", "name", "reminders", *WISHED)
"""Of it, what needs no match in play."""


def _set(hand: Hand, order: Order) -> Told:
    by_mail = bool(hand.player.id)
    need(by_mail, "SET is for people who write by mail; the keeper of the machine has no settings of his own here.")
    what, _, value = named(order).partition(" ")
    if what.lower() == "address":
        return ask_address(hand, hand.playing.row, hand.player, value)
    need(what.lower() in _OWN, f"SET knows {in_a_row(SETTINGS)}; write SET zone Europe/Berlin.")
    return _own(hand, hand.player, what.lower(), value)


def _set_at_the_door(caller: Caller, order: Order) -> Told:
    """Before a match has begun: what needs no match; and its game master sets its clock with the same word."""
    what, _, value = named(order).partition(" ")
    if what.lower() in _OWN:
        return _own(caller, caller.stored(), what.lower(), value)
    elsewhere = "address and key in a reply to a letter of a match that has begun."
    need(what.lower() in CLOCK_WORDS, f"Here SET knows {in_a_row(_OWN)}; {elsewhere}")
    return _set_match(caller, " ".join(named(order).split()))


def _set_match(caller: Caller, written: str) -> Told:
    """A setting of the clock, `start full friday`, of the match that is named or of the only one that its master may mean."""
    forming = caller.forming("gm", "watching")
    rest, _, last = written.rpartition(" ")
    name, written = (last, rest) if last in forming else (next(iter(forming), ""), written)
    if name not in forming or (last != name and len(forming) > 1):
        yours = in_a_row(list(forming)) or "none"
        raise Denial(f"Say for which match that has not begun: SET {written} nw1. Yours are {yours}.")
    said = set_clock_before(caller, forming[name], caller.player, written)
    return (*said, *caller.served(name), *start_when_full(caller, name))


def _own(who: Hand | Caller, player: Player, what: str, value: str) -> Told:
    """A setting of somebody's own, in all his matches; he is known by it from then on."""
    step = who.step
    match what:
        case "zone":
            with understood():
                zone = find_zone(value)
            who.becomes(step.save_player(msgspec.structs.replace(player, zone=zone)))
            return (f"Times are now given in {called(zone)}, where it is {stamp(who.now, zone)}.",)
        case "name":
            heed(refuse_name(who, player, value))
            name = name_from(value, player.addresses[0])
            who.becomes(step.save_player(msgspec.structs.replace(player, name=name)))
            return (f"You are now called {name}.",)
        case "reminders":
            return (_reminders(who, player, value),)
        case _:
            with understood():
                return (wish(step, player, what, value),)


def _reminders(who: Hand | Caller, player: Player, written: str) -> str:
    """When a player is reminded, in all his matches; for running deadlines at once."""
    step, back = who.step, written.casefold() in ("match", "default")
    with understood():
        leads = None if back else read_leads(written)
    need(back or leads is not None, "Write how long before a deadline: SET reminders 12h 2h, or none, or default.")
    keep_leads(step, player, leads)
    for member in step.memberships(player.id):
        row = step.match(member.match)
        if row is not None and row.status == "running" and member.status == "playing":
            his = who.playing if isinstance(who, Hand) and row.name == who.match else load(who, row)
            remind_anew(step, his, member.seat, who.now)
    if leads is None:
        return "You are reminded as each match says."
    if not leads:
        return "You are reminded of nothing any more; SET reminders 12h 2h changes that."
    when = in_a_row([length(timedelta(hours=lead)) for lead in leads])
    return f"You are reminded {when} before each of your deadlines, in all your matches."


def _forget(who: Hand | Caller, order: Order) -> Told:
    """Nobody is forgotten by a letter alone: the keeper hears of it, who can see what would go."""
    player = who.player if isinstance(who, Hand) else who.stored()
    need(player.id, "FORGET ME is for people who write by mail; at the machine say referee forget and his address.")
    need(who.office.keeper, "Nobody is named here who could do it; write to the keeper of this service.")
    busy = takes_part_in(who.step, player)
    report_wish_to_be_forgotten(who, player, busy)
    first = f" Leave {in_a_row(busy)} before that: RESIGN gives a seat up." if busy else ""
    return (f"The keeper of this service is told that you wish to be forgotten, and writes to you.{first}",)


COMMANDS = (
    Command(
        verb=word(
            "SET",
            "sets your time zone, name, key, when you are reminded and what letters you are sent, or makes another address of "
            "yours known",
            "SET reminders 12h 2h",
            "1..1 words",
        ),
        by=By.ANYONE,
        here=_set,
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
        here=_forget,
        door=_forget,
        grave=True,
        example=lambda hand: None if hand.office.keeper else "",
        note=lambda hand: "" if hand.office.keeper else "nobody is named here as keeper",
    ),
)
