"""What the words for anyone do in a match."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import msgspec

from referee.core.names import Seat
from referee.core.order import Order
from referee.kit.wording import in_a_row
from referee.service.clock.clocks import set_deadline
from referee.service.clock.reminders import keep_leads, read_leads
from referee.service.commands.examples import examples_here, line_here, notes_here
from referee.service.commands.helping import Asker, help_page
from referee.service.commands.words import desk_words
from referee.service.lobby.lobby import games_lines
from referee.service.lobby.who import known_matches, who_page
from referee.service.match.naming import name_from, why_not_called
from referee.service.match.playing import load, running_version
from referee.service.outgoing.wishes import WISHED, wish
from referee.service.overrides.twokeys import plays_too
from referee.service.people.identity import ask_address
from referee.service.people.taking_over import take_over
from referee.service.ports import MatchRow
from referee.service.records.documents import Asking, enclose, find, wanted
from referee.service.records.verifying import verified
from referee.service.sheets.acting import Do, named
from referee.service.sheets.visit import Visit
from referee.service.times import length, zone_named
from referee.service.turns.library import Missing, rules_page


def _help(visit: Visit, order: Order, source: str) -> None:
    game, state, seats = visit.playing.game, visit.playing.outcome.state, visit.playing.created.seats
    games, seat, words = tuple(visit.office.games), bool(visit.seat), game.vocabulary(state)
    desk = desk_words(games, (visit.match,), seats, seat, visit.game_master, words)
    own = game.examples(state, Seat(visit.seat)) if visit.seat else {}
    turn, settings, line = visit.playing.turn + 1, tuple(game.settings), line_here(visit, own)
    asker = Asker(examples_here(visit), turn, settings, own, line, notes_here(visit), bool(visit.seat))
    visit.help = help_page(named(order), words, desk, game.name, asker)


def _send(visit: Visit, order: Order, source: str) -> None:
    masters = visit.game_master and not plays_too(visit.step, visit.match, visit.player)
    asking = Asking(visit.office, visit.step, visit.player, visit.playing, visit.member, masters)
    made = find(asking, wanted(order))
    if isinstance(made, Missing):
        visit.deny(source, made.sentence)
    else:
        enclose(visit, made)


def _rules(visit: Visit, order: Order, source: str) -> None:
    visit.pages.append(rules_page(visit.playing.game, visit.playing.outcome.state))


def _verify(visit: Visit, order: Order, source: str) -> None:
    visit.done.append(running_version())
    row = _other_match(visit, order)
    if row is None or row.status == "forming":
        visit.deny(source, f"{named(order, 'match')} has not begun, so there is no log of it.")
    else:
        visit.done += verified(visit.office, visit.step, row)


def _other_match(visit: Visit, order: Order) -> MatchRow | None:
    """The match a line names that the writer may know of; his own where it names none."""
    name = named(order, "match") or visit.match
    others = (row for row in known_matches(visit.step, visit.player.id) if row.name == name)
    return visit.playing.row if name == visit.match else next(others, None)


def _who(visit: Visit, order: Order, source: str) -> None:
    row = _other_match(visit, order)
    if row is None:
        visit.deny(source, f"I know no match {named(order, 'match')}; GAMES lists those there are.")
    else:
        visit.pages.append(who_page(visit.office, visit.step, row))


def _games(visit: Visit, order: Order, source: str) -> None:
    visit.done += games_lines(visit.office, visit.step, visit.player.id)


def _take_over(visit: Visit, order: Order, source: str) -> None:
    name = named(order, "match") or visit.match
    said = take_over(visit.office, visit.step, visit.player, name, order.words_after("AS"))
    if not said.granted:
        visit.deny(source, " ".join(said.sentences))
        return
    visit.playing = said.playing if said.playing and name == visit.match else visit.playing
    visit.player = visit.step.player(visit.player.id) or visit.player
    visit.done += said.sentences


SETTINGS = ("zone", "name", "key", "address", "reminders", *WISHED)
"""What SET knows."""


def _set(visit: Visit, order: Order, source: str) -> None:
    if not visit.player.id:
        visit.deny(source, "SET is for who writes by mail; the keeper of the machine has no settings of his own here.")
        return
    what, _, value = named(order).partition(" ")
    player = visit.player
    match what.lower():
        case "zone" if zone_named(value):
            player = msgspec.structs.replace(player, zone=value)
            visit.done.append(f"Times are now given in {value}.")
        case "zone":
            visit.deny(source, f"{value or 'That'} is no time zone; write SET zone Europe/Berlin or SET zone UTC.")
        case "name" if wrong := why_not_called(visit.office, visit.step, player, value):
            visit.deny(source, wrong)
        case "name":
            player = msgspec.structs.replace(player, name=name_from(value, player.addresses[0]))
            visit.done.append(f"You are now called {player.name}.")
        case "address":
            _set_address(visit, value, source)
        case "reminders":
            _set_reminders(visit, value, source)
        case word if word in WISHED:
            _set_wish(visit, word, value, source)
        case _:
            visit.deny(source, f"SET knows {in_a_row(SETTINGS)}; write SET zone Europe/Berlin.")
    visit.player = visit.step.save_player(player)


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
            for alarm in visit.step.alarms(row.name):
                if alarm.kind == "deadline" and alarm.seat == member.seat:
                    now = visit.office.clock.now()
                    set_deadline(visit.step, playing, alarm.key, alarm.seat, alarm.due_at, now)
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


def _set_address(visit: Visit, written: str, source: str) -> None:
    wrong = ask_address(visit.office, visit.step, visit.playing.row, visit.player, written, visit.unique)
    if wrong:
        visit.deny(source, wrong)
    else:
        visit.done.append(f"I wrote to {written}; once it answers YES, letters from there are known as yours.")


def _unsubscribe(visit: Visit, order: Order, source: str) -> None:
    if visit.member.role != "observer":
        visit.deny(source, "You take part in this match, so its letters go on; a player leaves it by RESIGN.")
        return
    visit.step.save_member(msgspec.structs.replace(visit.member, status="left"))
    visit.done.append(f"You no longer watch {visit.match}; OBSERVE {visit.match} begins it again.")


ANYONE_ACTS: Mapping[str, Do] = {
    "HELP": _help,
    "SEND": _send,
    "RULES": _rules,
    "VERIFY": _verify,
    "SET": _set,
    "UNSUBSCRIBE": _unsubscribe,
    "GAMES": _games,
    "WHO": _who,
    "TAKEOVER": _take_over,
}
"""By their words."""
