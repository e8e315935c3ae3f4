"""Coming and going: a match is opened, joined, watched, started; a seat is stood by for, taken over, given up.

RESIGN: who stands by has the seat, or bots, or it is played at once from what is on file. Which of these is the match's rule for
abandoned seats. It stands in the log and everybody is told.
"""

from __future__ import annotations

import msgspec

from referee.core.order import Order
from referee.service import notes
from referee.service.clock.slot_life import is_under_way
from referee.service.commands.caller import Caller
from referee.service.commands.command import (
    REASON,
    By,
    Command,
    apart,
    begun_already,
    named,
    nothing_to_do,
    reason,
    visiting,
    word,
)
from referee.service.commands.examples import elsewhere
from referee.service.letters import Notice
from referee.service.lobby import entering, starting
from referee.service.lobby.creating import create
from referee.service.lobby.inviting import invitation
from referee.service.lobby.lapsing import refuse_another_match, refuse_another_seat
from referee.service.lobby.leaving import application, leave
from referee.service.lobby.newcomers import somebody_came, somebody_went
from referee.service.lobby.rematch import rematch
from referee.service.match.anonymity import hides_names, named_in
from referee.service.match.dummies import VACANT
from referee.service.match.house_rules import house_rules
from referee.service.match.playing import load
from referee.service.match.result import Denied, Done, Result
from referee.service.office import Office
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.overrides.base import log, notify
from referee.service.people.admission import refuse_entry, refuse_unreliable
from referee.service.people.giving_seats import give_to_dummy, give_to_standby, stand_by, vacate
from referee.service.people.taking_over import take_over
from referee.service.ports import MatchRow, Player, Step
from referee.service.sheets.slots import sure_of_resigning
from referee.service.sheets.visit import Visit
from referee.service.times import stamp
from referee.service.turns.advance import run
from referee.service.turns.beginning import letter_to_who_comes_later

# ---------------------------------------------------------------- coming


def _join(caller: Caller, order: Order, source: str) -> None:
    wishes = tuple(filter(None, (part.strip() for part in order.words_after("AS").split(","))))
    name = named(order, "match")
    full = refuse_another_seat(caller.office, caller.step, caller.player, name)
    said = full or entering.join(caller.office, caller.step, caller.stored(), name, wishes)
    caller.say(source, said, name)
    if isinstance(said, Done):
        caller.done += _has_joined(caller.office, caller.step, name, caller.player)


def _has_joined(office: Office, step: Step, match: str, player: Player) -> tuple[str, ...]:
    """What follows when somebody has joined: the match starts, if it waited for him, or its game master hears of him."""
    row, started = step.match(match), starting.start_when_full(office, step, match)
    if row is not None and not started:
        somebody_came(office, step, row, player)
    return started


def _observe(caller: Caller, order: Order, source: str) -> None:
    name = named(order, "match")
    said = entering.observe(caller.office, caller.step, caller.stored(), name)
    caller.say(source, said, name)
    row = caller.step.match(name)
    if isinstance(said, Done) and row is not None and is_under_way(row):
        watcher = next(m for m in caller.step.members(name) if m.player == caller.player.id and m.status == "watching")
        playing = load(caller.office, caller.step, row)
        letter_to_who_comes_later(caller.office, caller.step, playing, watcher, caller.player)


def _create(caller: Caller, order: Order, source: str) -> None:
    office, step = caller.office, caller.step
    unwanted = refuse_entry(office, step, "", caller.player.addresses)
    unwanted = unwanted or refuse_another_match(office, step, caller.player)
    if unwanted:
        caller.say(source, unwanted)
        return
    name = order.words_after("AS")
    zone = entering.zone_told(office, step, caller.stored())
    said = create(office, step, caller.player, named(order, "game"), name, order.words_after("WITH"))
    caller.say(source, said, name.lower())
    row = step.match(name.lower()) if isinstance(said, Done) else None
    if row is not None:
        caller.done += zone
        caller.pages.append(invitation(office, step, row, caller.player))


def _start_at_the_door(caller: Caller, order: Order, source: str) -> None:
    mine = [m for m in caller.step.memberships(caller.stored().id) if m.role == "gm" and m.status == "watching"]
    forming = [m.match for m in mine if (row := caller.step.match(m.match)) and row.status == "forming"]
    wanted = named(order, "match") or (forming[0] if len(forming) == 1 else "")
    if wanted in {m.match for m in mine}:
        caller.say(source, starting.start(caller.office, caller.step, caller.player, wanted), wanted)
    else:
        caller.deny(source, f"Only the game master of {wanted or 'a match'} can start it.")


def _start(office: Office, step: Step, row: MatchRow, by: Player, order: Order) -> Result:
    return starting.start(office, step, by, row.name)


def _start_now(office: Office, step: Step, row: MatchRow, by: Player, order: Order) -> Result:
    return starting.start(office, step, by, row.name, now=True)


def _started(visit: Visit, order: Order, source: str) -> None:
    now = stamp(visit.office.clock.now(), visit.player.zone)
    visit.deny(source, f"{visit.match} has started already; it stands at {now}.")


def _here(visit: Visit, order: Order, source: str) -> None:
    visit.deny(source, f"{visit.match} has started, so nobody asks whether you are there.")


def _here_at_the_door(caller: Caller, order: Order, source: str) -> None:
    mine = [m.match for m in caller.step.memberships(caller.stored().id) if m.status == "applied"]
    forming = [match for match in mine if (row := caller.step.match(match)) and row.status == "forming"]
    name = named(order, "match") or (forming[0] if len(forming) == 1 else "")
    caller.say(source, starting.here(caller.office, caller.step, caller.stored(), name), name)


def _stand_by(visit: Visit, order: Order, source: str) -> None:
    if not visit.player.id:
        visit.deny(source, "STANDBY is for who writes by mail; referee standby enters somebody at the machine.")
        return
    visit.settle(source, stand_by(visit.step, visit.match, visit.player) or _stands_by(visit.match))


def _stands_by(match: str) -> Done:
    return Done((f"You stand by for {match}: a seat that falls free may be given to you.",))


def _stand_by_at_the_door(caller: Caller, order: Order, source: str) -> None:
    name = named(order, "match")
    if not name or caller.step.match(name) is None:
        caller.deny(source, "Say for which match: STANDBY nw1. GAMES lists them.")
        return
    player = caller.stored()
    office, step = caller.office, caller.step
    unwanted = refuse_entry(office, step, name, player.addresses) or refuse_unreliable(office, step, name, player)
    caller.say(source, unwanted or stand_by(step, name, player) or _stands_by(name), name)


def _take_over(visit: Visit, order: Order, source: str) -> None:
    name = named(order, "match") or visit.match
    said = take_over(visit.office, visit.step, visit.player, name, order.words_after("AS"))
    if isinstance(said, Done):
        said = said if name == visit.match else Done(said.sentences)
        visit.becomes(visit.step.player(visit.player.id))
    visit.settle(source, said)


def _take_over_at_the_door(caller: Caller, order: Order, source: str) -> None:
    name = named(order, "match")
    caller.say(source, take_over(caller.office, caller.step, caller.stored(), name, order.words_after("AS")), name)


def _rematch(visit: Visit, order: Order, source: str) -> None:
    said = rematch(visit.office, visit.step, visit.playing, visit.member, visit.player)
    visit.settle(source, said)
    other = notes.REMATCH.of(visit.match).read(visit.step)
    if isinstance(said, Done) and other:
        visit.done += _has_joined(visit.office, visit.step, other, visit.player)


def _not_over_yet(visit: Visit) -> str:
    return "" if visit.playing.row.status == "over" else "when the match is over"


# ---------------------------------------------------------------- going


def _unsubscribe(visit: Visit, order: Order, source: str) -> None:
    """End the letters of who watches; who was brought in by another's word and never wrote gives up what he was given."""
    if visit.member.role == "observer":
        visit.done.append(f"You no longer watch {visit.match}; OBSERVE {visit.match} begins it again.")
    elif visit.playing.outcome.over or _has_written(visit):
        visit.deny(source, "You take part in this match, so its letters go on; a player leaves it by RESIGN.")
        return
    else:
        given_up = f"{visit.seat} is given up" if visit.seat else "You are game master no longer"
        visit.done.append(f"{given_up}, and no more letters of {visit.match} come to you.")
    _go(visit)


def _has_written(visit: Visit) -> bool:
    """Whether a letter of the writer's was heard before this one."""
    step, player = visit.step, visit.player
    heard = (step.letter(id) for address in player.addresses for id in step.letters_from(address))
    return len(notes.ARRIVALS.of(player.id).read(step) or ()) > 1 or any(row and row.status == "done" for row in heard)


def _go(visit: Visit) -> None:
    """The writer has no part in the match any more."""
    step, seat, player = visit.step, visit.seat, visit.player
    for member in step.members(visit.match):
        if member.player == player.id and member.status == "watching":
            role = "observer" if member.role == "gm" else member.role
            step.save_member(msgspec.structs.replace(member, role=role, status="left"))
    if seat:
        _give_up(visit, "", goes=True)


def _leave(caller: Caller, order: Order, source: str) -> None:
    before = application(caller.step, caller.stored(), named(order, "match"))
    caller.say(source, leave(caller.step, caller.player, named(order, "match")))
    row = caller.step.match(before.match) if before and before.status == "applied" else None
    if row is not None and row.status == "forming":
        somebody_went(caller.office, caller.step, row, caller.player)


def _resign(visit: Visit, order: Order, source: str) -> None:
    """Take a resignation, and give the seat to whoever has abandoned seats in this match.

    Where nobody has it, its turns wait for nobody from now on; until it is given away its player may still write, such as
    standing orders. It waits for a YES, or for the same word again; after that a second RESIGN changes nothing.
    """
    step, seat, why = visit.step, visit.seat, reason(order)
    if notes.RESIGNED.of(visit.match, seat).read(step):
        visit.deny(source, f"You have resigned {seat} already; the game master gives the seat away.")
        return
    if visit.playing.outcome.over or visit.playing.row.status == "over":
        visit.deny(source, "The match is over; there is nothing to resign.")
        return
    away = named_in(step, visit.playing, [why])
    if away and away in (visit.player.name, *visit.player.addresses):
        visit.deny(source, f"This match is anonymous, and your reason has {away} in it; leave that out.")
        return
    asked = sure_of_resigning(visit)
    if asked.sure:
        visit.doubts, visit.sure = [*visit.doubts, *asked.doubts], asked.sure
        return
    _give_up(visit, why)


def _give_up(visit: Visit, why: str, goes: bool = False) -> None:
    """The seat is free from now on; its player stays until another has it, unless he `goes`."""
    office, step, seat = visit.office, visit.step, visit.seat
    visit.playing = log(office, step, visit.playing, f"RESIGN {seat}", seat, why, visit.cause)
    notes.RESIGNED.of(visit.match, seat).keep(step, True)
    who = f"The player of {seat}" if hides_names(visit.playing) else visit.player.name
    sentence = (
        f"{who} resigns {seat}. Until it has another player its turns wait for nobody: they are played at once by what is "
        "on file, its standing orders, or else the rules' default."
    )
    gone = visit.player.id if goes else 0
    notify(office, step, visit.playing, f"{seat} resigns", (sentence,), seat, why, but=gone)
    visit.done.append(sentence)
    if not _given_away(visit):
        _tell_masters(visit, why)
        if goes:
            vacate(step, visit.playing, seat)
            notes.RESIGNED.of(visit.match, seat).keep(step, True)
            visit.becomes(member=msgspec.structs.replace(visit.member, status="replaced"))
        visit.playing = run(office, step, visit.playing, (), VACANT).playing


def _given_away(visit: Visit) -> bool:
    """Whether somebody who stands by has the seat now, or the game's bots, as this match wants it of abandoned seats."""
    rule = house_rules(visit.step, visit.match).abandoned
    give = {"standby": give_to_standby, "dummy": give_to_dummy}.get(rule)
    if give is None:
        return False
    seat, by = visit.seat, visit.office.name
    outcome = give(visit.office, visit.step, visit.playing, by, "its player has resigned", seat)
    if isinstance(outcome, Denied):
        return False
    visit.playing = outcome.after(visit.playing)
    visit.becomes(member=msgspec.structs.replace(visit.member, status="replaced"))
    visit.done += outcome.sentences
    return True


def _tell_masters(visit: Visit, why: str) -> None:
    """The game master is told what he can do about it."""
    title = f"{visit.seat} needs a player"
    said = (
        f"{visit.player.name} resigns {visit.seat}.",
        f"REPLACE {visit.seat} BY an address gives the seat away, DUMMY {visit.seat} gives it to the bots.",
    )
    for member in visit.step.members(visit.match):
        master = visit.step.player(member.player)
        if member.role == "gm" and master is not None and master.id != visit.player.id:
            letter = Notice(
                frame(visit.office, visit.step, visit.playing, member, master), title, said, why, visit.office.name
            )
            unique = f"{visit.playing.head.seq}.resigned"
            post(visit.office, visit.step, master, Mail("notice", title, letter, unique), About(visit.playing, member))


def resigned_sentences(visit: Visit) -> tuple[str, ...]:
    """The seats whose players have resigned, as STATUS lists them."""
    gone = notes.RESIGNED.every(visit.step, visit.match)
    return tuple(
        f"The player of {seat} has resigned; its turns are played at once, by standing orders or the default."
        for seat in gone
    )


COMMANDS = (
    Command(
        verb=word(
            "JOIN",
            "asks for a seat in a match; name the seats you would like, best first",
            "JOIN nw1 AS England, France",
            ("match",),
            1,
            1,
            {"AS": ("words",)},
            aliases=("SIGNON",),
        ),
        by=By.ANYONE,
        door=_join,
        enters=True,
        example=lambda visit: elsewhere(visit).get("JOIN", ""),
        note=apart,
    ),
    Command(
        verb=word(
            "OBSERVE", "sends you every public report of a match", "OBSERVE nw1", ("match",), 1, 1, aliases=("WATCH",)
        ),
        by=By.ANYONE,
        door=_observe,
        enters=True,
        example=lambda visit: elsewhere(visit).get("OBSERVE", ""),
        note=apart,
    ),
    Command(
        verb=word(
            "CREATE",
            "opens a match; you become its game master",
            "CREATE newworld AS nw1 WITH nationalities yes, slot 48h, clock 18:00 Europe/Berlin, days Mon-Fri, holidays DE",
            ("game",),
            1,
            1,
            {"AS": ("word",), "WITH": ("words",)},
            ("AS",),
        ),
        by=By.ANYONE,
        door=_create,
        enters=True,
        example=lambda visit: elsewhere(visit)["CREATE"],
        note=apart,
    ),
    Command(
        verb=word("START", "starts the match with those who joined", "START", ("match",), most=1),
        by=By.MASTERS,
        here=visiting(_started),
        door=_start_at_the_door,
        before=_start,
        example=nothing_to_do,
        note=begun_already,
    ),
    Command(
        verb=word(
            "START NOW",
            "starts the match without waiting for those who have not answered I AM HERE",
            "START NOW nw1",
            ("match",),
            most=1,
        ),
        by=By.MASTERS,
        before=_start_now,
        example=nothing_to_do,
        note=begun_already,
    ),
    Command(
        verb=word(
            "I AM HERE",
            "answers the question whether you are still there, before a match starts",
            "I AM HERE",
            ("match",),
            most=1,
            aliases=("STILL HERE",),
        ),
        by=By.ANYONE,
        here=visiting(_here),
        door=_here_at_the_door,
        example=nothing_to_do,
        note=begun_already,
    ),
    Command(
        verb=word(
            "STANDBY",
            "puts you on a match's list of those who take a seat that falls free",
            "STANDBY nw1",
            ("match",),
            most=1,
        ),
        by=By.ANYONE,
        here=visiting(_stand_by),
        door=_stand_by_at_the_door,
        enters=True,
    ),
    Command(
        verb=word(
            "TAKEOVER",
            "gives you a seat at once that its player has given up",
            "TAKEOVER nw1 AS France",
            ("match",),
            most=1,
            prepositions={"AS": ("words",)},
        ),
        by=By.ANYONE,
        here=visiting(_take_over),
        door=_take_over_at_the_door,
        enters=True,
        grave=True,
    ),
    Command(
        verb=word(
            "REMATCH",
            "opens another match of the same game with the same rules, or joins the one that somebody has opened",
            "REMATCH",
            aliases=("PLAY AGAIN",),
        ),
        by=By.ANYONE,
        here=visiting(_rematch),
        enters=True,
        example=lambda visit: "" if _not_over_yet(visit) else None,
        note=_not_over_yet,
    ),
    Command(
        verb=word("UNSUBSCRIBE", "ends the letters of a match you only watch", "UNSUBSCRIBE"),
        by=By.ANYONE,
        here=visiting(_unsubscribe),
    ),
    Command(
        verb=word(
            "RESIGN",
            "leaves the match; whoever stands by, or a bot, has your seat, or its turns are played at once until it is taken "
            "over; before the start, takes you off the list",
            "RESIGN",
            ("match",),
            most=1,
            prepositions={"BECAUSE": REASON},
        ),
        by=By.PLAYERS,
        here=visiting(_resign),
        door=_leave,
        grave=True,
    ),
)
