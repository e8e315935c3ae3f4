"""Coming and going: a match is opened, joined, watched, started; a seat is stood by for, taken over, given up.

RESIGN: who stands by has the seat, or bots, or it is played at once from what is on file. The match's rule for abandoned seats
tells which. It stands in the log and everybody is told.
"""

from __future__ import annotations

import msgspec

from referee.core.order import Order
from referee.kit.wording import in_a_row
from referee.service.base import notes
from referee.service.base.letter_facts import Notice
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Player, Step
from referee.service.base.times import stamp
from referee.service.house import forming as starting
from referee.service.house import membership
from referee.service.house.filing import sure_of_resigning
from referee.service.house.forming import create, rematch
from referee.service.house.match_lists import free_name, players_of
from referee.service.house.membership import (
    application,
    invitation,
    leave,
    refuse_another_match,
    refuse_another_seat,
    somebody_came,
    somebody_went,
)
from referee.service.house.people import refuse_entry, refuse_unreliable
from referee.service.house.replacements import give_to_dummy, give_to_standby, stand_by, take_over, vacate
from referee.service.intake.commands.caller import Caller
from referee.service.intake.commands.command import (
    By,
    Command,
    apart,
    begun_already,
    named,
    nothing_to_do,
    word,
)
from referee.service.intake.commands.help import elsewhere
from referee.service.match.bots import VACANT, autoplayed, bots, plays_steadily
from referee.service.match.members import hides_names, house_rules, named_in
from referee.service.match.playing import BareHand, load
from referee.service.match.result import Came, Denial, Enclosed, Told, heed, need
from referee.service.match.slot_life import is_under_way
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.turn.advance import letter_to_who_comes_later
from referee.service.turn.writer import Hand

# ---------------------------------------------------------------- coming


def _join(caller: Caller, order: Order) -> Told:
    name = named(order, "match")
    wishes = tuple(filter(None, (part.strip() for part in order.words_after("AS").split(","))))
    heed(refuse_another_seat(caller, caller.player, name))
    said = membership.join(caller, caller.stored(), name, wishes)
    return (*said, *caller.served(name), *_has_joined(caller, name, caller.player))


def _has_joined(at: At, match: str, player: Player) -> Told:
    """The consequence when somebody has joined: the match starts, if it waited for him, or its game master hears of him."""
    row, started = at.step.match(match), starting.start_when_full(at, match)
    if row is not None and not started:
        somebody_came(at, row, player)
    return started


def _observe(caller: Caller, order: Order) -> Told:
    step, name = caller.step, named(order, "match")
    said = (*membership.observe(caller, caller.stored(), name), *caller.served(name))
    row = step.match(name)
    if row is not None and is_under_way(row):
        watcher = next(m for m in step.members(name) if m.player == caller.player.id and m.status == "watching")
        hand = BareHand(caller.office, caller.step, load(caller, row))
        letter_to_who_comes_later(hand, watcher, caller.player)
    return said


def _create(caller: Caller, order: Order) -> Came:
    step, name = caller.step, order.words_after("AS")
    heed(refuse_entry(caller, "", caller.player.addresses) or refuse_another_match(caller, caller.player))
    zone = membership.zone_told(caller, caller.stored())
    said = create(caller, caller.player, named(order, "game"), name, order.words_after("WITH"))
    told, row = caller.served(name.lower()), step.match(name.lower())
    pages = (invitation(caller, row, caller.player),) if row else ()
    return Came((*said, *told, *zone), enclosed=Enclosed(pages))


_BOTS = 3
"""So many bots play against who plays alone, where the game has seats for them."""

_UNHURRIED = "slot 168h, reply 168h, mind 1min"
"""A solitary player keeps nobody waiting and nobody sees what he wrote: he has a week, and his turn runs soon after his orders."""


def _play(caller: Caller, order: Order) -> Told:
    """Open a match, seat its writer and the game's bots, and begin: what else takes a newcomer four words."""
    at_home, game = caller.step, caller.office.games[named(order, "game")]
    heed(refuse_entry(caller, "", caller.player.addresses))
    zone = membership.zone_told(caller, caller.stored())
    heed(membership.refuse_alone(caller, caller.player.id, "You play"))
    name, chosen = order.words_after("AS") or free_name(at_home), order.words_after("WITH")
    against = max(number - 1 for number in players_of(game) if number <= _BOTS + 1)
    create(caller, caller.player, game.name, name, ", ".join(filter(None, (_UNHURRIED, chosen))), against=against)
    row = at_home.match(name.lower())
    assert row is not None  # it was just made
    membership.join(caller, caller.player, row.name, ())
    starting.start(caller, caller.player, row.name, now=True)
    who = bots(at_home, row.name)
    seat = next(m.seat for m in at_home.members(row.name) if m.player == caller.player.id and m.seat)
    opponents = in_a_row([f"{bot} in {place}" for place, bot in who.items()])
    his, bot = next(iter(who.items()))
    other = "steady makes that one harder" if "(novice" in bot else "novice makes that one easier"
    return (
        f"{row.name} has begun: you play {seat} in {game.title}, against {opponents}. Nobody waits for you; END ends it.",
        f"WHO tells how they play{f', and BOT {his} {other}' if plays_steadily(game) else ''}.",
        *zone,
        *caller.served(row.name),
    )


def _play_from_a_match(hand: Hand, order: Order) -> Told:
    need(hand.letter, "PLAY is for people who write by mail; referee create opens a match at the machine.")
    assert hand.letter is not None
    return _play(Caller(hand.office, hand.step, hand.letter, hand.player, True), order)


def _start_at_the_door(caller: Caller, order: Order) -> Told:
    step, forming = caller.step, list(caller.forming("gm", "watching"))
    mine = {m.match for m in step.memberships(caller.player.id) if m.role == "gm" and m.status == "watching"}
    wanted = named(order, "match") or (forming[0] if len(forming) == 1 else "")
    need(wanted in mine, f"Only the game master of {wanted or 'a match'} can start it.")
    return (*starting.start(caller, caller.player, wanted), *caller.served(wanted))


def _start(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    return starting.start(at, by, row.name, now=order.verb == "START NOW")


def _started(hand: Hand, order: Order) -> Told:
    raise Denial(f"{hand.match} has started already; it stands at {stamp(hand.now, hand.player.zone)}.")


def _here(hand: Hand, order: Order) -> Told:
    raise Denial(f"{hand.match} has started, so nobody asks whether you are there.")


def _here_at_the_door(caller: Caller, order: Order) -> Told:
    forming = list(caller.forming("player", "applied"))
    name = named(order, "match") or (forming[0] if len(forming) == 1 else "")
    return (*starting.here(caller, caller.stored(), name), *caller.served(name))


def _stand_by(hand: Hand, order: Order) -> Told:
    by_mail = bool(hand.player.id)
    need(by_mail, "STANDBY is for people who write by mail; referee standby enters somebody at the machine.")
    return _stands_by(hand.step, hand.match, hand.player)


def _stands_by(step: Step, match: str, player: Player) -> Told:
    stand_by(step, match, player)
    return (f"You stand by for {match}: a seat that falls free may be given to you.",)


def _stand_by_at_the_door(caller: Caller, order: Order) -> Told:
    step, name = caller.step, named(order, "match")
    need(name and step.match(name), "Say for which match: STANDBY nw1. GAMES lists them.")
    player = caller.stored()
    heed(refuse_entry(caller, name, player.addresses) or refuse_unreliable(caller, name, player))
    return (*_stands_by(step, name, player), *caller.served(name))


def _take_over(hand: Hand, order: Order) -> Told:
    name = named(order, "match") or hand.match
    said = take_over(hand, hand.player, name, order.words_after("AS"))
    hand.becomes(hand.step.player(hand.player.id))
    return said


def _take_over_at_the_door(caller: Caller, order: Order) -> Told:
    name = named(order, "match")
    said = take_over(caller, caller.stored(), name, order.words_after("AS"))
    return (*said, *caller.served(name))


def _rematch(hand: Hand, order: Order) -> Told:
    said = rematch(hand, hand.playing, hand.member, hand.player)
    other = notes.REMATCH.of(hand.match).read(hand.step)
    return (*said, *(_has_joined(hand, other, hand.player) if other else ()))


def _not_over_yet(hand: Hand) -> str:
    return "" if hand.status == "over" else "when the match is over"


# ---------------------------------------------------------------- going


def _unsubscribe(hand: Hand, order: Order) -> Told:
    """End the letters of an observer; one who was brought in by another's word and never wrote gives up his part."""
    if hand.member.role == "observer":
        said = f"You no longer watch {hand.match}; OBSERVE {hand.match} begins it again."
    else:
        bound = hand.playing.outcome.over or _has_written(hand)
        need(not bound, "You take part in this match, so its letters go on; a player leaves it by RESIGN.")
        given_up = f"{hand.seat} is given up" if hand.seat else "You are game master no longer"
        said = f"{given_up}, and no more letters of {hand.match} come to you."
    for member in hand.step.members(hand.match):
        if member.player == hand.player.id and member.status == "watching":
            role = "observer" if member.role == "gm" else member.role
            hand.step.save_member(msgspec.structs.replace(member, role=role, status="left"))
    return (said, *(_give_up(hand, goes=True) if hand.seat else ()))


def _has_written(hand: Hand) -> bool:
    """Whether a letter of the writer's was heard before this one."""
    step, player = hand.step, hand.player
    heard = (step.letter(id) for address in player.addresses for id in step.letters_from(address))
    return len(notes.ARRIVALS.of(player.id).read(step) or ()) > 1 or any(row and row.status == "done" for row in heard)


def _leave(caller: Caller, order: Order) -> Told:
    step, name = caller.step, named(order, "match")
    before = application(step, caller.stored(), name)
    said = (*leave(step, caller.player, name), *caller.served(name))
    row = step.match(before.match) if before and before.status == "applied" else None
    if row is not None and row.status == "forming":
        somebody_went(caller, row, caller.player)
    return said


def _resign(hand: Hand, order: Order) -> Came | Told:
    """Take a resignation, and give the seat to those who have abandoned seats in this match.

    Where nobody has it, its turns wait for nobody from now on; until it is given away its player may still write, such as
    standing orders. It waits for a YES, or for the same word again; after that a second RESIGN changes nothing.
    """
    resigned = notes.RESIGNED.of(hand.match, hand.seat).read(hand.step)
    need(not resigned, f"You have resigned {hand.seat} already; the game master gives the seat away.")
    need(not hand.over, "The match is over; there is nothing to resign.")
    away = named_in(hand, [hand.reason])
    own = away and away in (hand.player.name, *hand.player.addresses)
    need(not own, f"This match is anonymous, and your reason has {away} in it; leave that out.")
    asked = sure_of_resigning(hand)
    return asked if asked.sure else _give_up(hand)


def _give_up(hand: Hand, goes: bool = False) -> Told:
    """The seat is free from now on; its player stays until another has it, unless he `goes`."""
    step, seat, why, resigned = hand.step, hand.seat, hand.reason, notes.RESIGNED.of(hand.match, hand.seat)
    with hand.signing(seat, why):
        hand.log(f"RESIGN {seat}", hand.cause)
    resigned.keep(step, True)
    who = f"The player of {seat}" if hides_names(hand.playing) else hand.player.name
    sentence = (
        f"{who} resigns {seat}. Until it has another player its turns wait for nobody: they are played at once by what is "
        "on file, its standing orders, or else the rules' default."
    )
    with hand.signing(seat, why):
        hand.tell(f"{seat} resigns", (sentence,), but=hand.player.id if goes else 0)
    given = _given_away(hand)
    if not given:
        _tell_masters(hand)
        if goes:
            vacate(step, hand.playing, seat)
            resigned.keep(step, True)
            _is_replaced(hand)
        hand.run((), VACANT)
    return (sentence, *given)


def _given_away(hand: Hand) -> Told:
    """A standby player has the seat now, or the game's bots, as this match wants it of abandoned seats; "" if nobody has."""
    rule = house_rules(hand.step, hand.match).abandoned
    give = {"standby": give_to_standby, "dummy": give_to_dummy}.get(rule)
    if give is None:
        return ()
    try:
        with hand.signing(hand.office.name, "its player has resigned"):
            said = give(hand, hand.seat)
    except Denial:
        return ()
    _is_replaced(hand)
    return said


def _is_replaced(hand: Hand) -> None:
    hand.becomes(member=msgspec.structs.replace(hand.member, status="replaced"))


def _tell_masters(hand: Hand) -> None:
    """The game master is told what he can do about it."""
    title = f"{hand.seat} needs a player"
    said = (
        f"{hand.player.name} resigns {hand.seat}.",
        f"REPLACE {hand.seat} BY an address gives the seat away, BOT {hand.seat} gives it to a bot.",
    )
    for member in hand.step.members(hand.match):
        master = hand.step.player(member.player)
        if member.role == "gm" and master is not None and master.id != hand.player.id:
            framed = frame(hand, member, master)
            letter = Notice(framed, title, said, hand.reason, hand.office.name)
            mail = Mail("notice", title, letter, f"{hand.playing.head.seq}.resigned")
            post(hand, master, mail, About(hand.playing, member))


def resigned_sentences(hand: Hand) -> Told:
    """The seats that bots play for absent players, and those whose players have resigned, as STATUS lists them."""
    gone = notes.RESIGNED.every(hand.step, hand.match)
    return (
        *(
            f"A steady bot plays {s} for its player until {stamp(u, hand.player.zone)}."
            for s, u in autoplayed(hand).items()
        ),
        *(
            f"The player of {seat} has resigned; its turns are played at once, by standing orders or the default."
            for seat in gone
        ),
    )


COMMANDS = (
    Command(
        verb=word(
            "JOIN",
            "asks for a seat in a match; name the seats you would like, best first",
            "JOIN nw1 AS England, France",
            "1..1 match; AS words",
            aliases=("SIGNON",),
        ),
        by=By.ANYONE,
        door=_join,
        enters=True,
        example=lambda hand: elsewhere(hand).get("JOIN", ""),
        note=apart,
    ),
    Command(
        verb=word(
            "OBSERVE", "sends you every public report of a match", "OBSERVE nw1", "1..1 match", aliases=("WATCH",)
        ),
        by=By.ANYONE,
        door=_observe,
        enters=True,
        example=lambda hand: elsewhere(hand).get("OBSERVE", ""),
        note=apart,
    ),
    Command(
        verb=word(
            "CREATE",
            "opens a match; you become its game master",
            "CREATE newworld AS nw1 WITH nationalities yes, slot 48h, clock 18:00 Europe/Berlin, days Mon-Fri, holidays DE",
            "1..1 game; AS word; WITH words",
            needs=("AS",),
        ),
        by=By.ANYONE,
        door=_create,
        enters=True,
        example=lambda hand: elsewhere(hand)["CREATE"],
        note=apart,
    ),
    Command(
        verb=word(
            "PLAY",
            "begins a game at once against bots, which are programs: a match of your own, usually with three, a week for each turn",
            "PLAY newworld WITH bots 2 novice",
            "1..1 game; AS word; WITH words",
        ),
        by=By.ANYONE,
        here=_play_from_a_match,
        door=_play,
        enters=True,
        example=lambda hand: f"PLAY {hand.playing.row.game}",
    ),
    Command(
        verb=word("START", "starts the match with those who joined", "START", "..1 match"),
        by=By.MASTERS,
        here=_started,
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
            "..1 match",
        ),
        by=By.MASTERS,
        before=_start,
        example=nothing_to_do,
        note=begun_already,
    ),
    Command(
        verb=word(
            "I AM HERE",
            "answers the question whether you are still there, before a match starts",
            "I AM HERE",
            "..1 match",
            aliases=("STILL HERE",),
        ),
        by=By.ANYONE,
        here=_here,
        door=_here_at_the_door,
        example=nothing_to_do,
        note=begun_already,
    ),
    Command(
        verb=word(
            "STANDBY", "puts you on a match's list of those who take a seat that falls free", "STANDBY nw1", "..1 match"
        ),
        by=By.ANYONE,
        here=_stand_by,
        door=_stand_by_at_the_door,
        enters=True,
    ),
    Command(
        verb=word(
            "TAKEOVER",
            "gives you a seat at once that its player has given up",
            "TAKEOVER nw1 AS France",
            "..1 match; AS words",
        ),
        by=By.ANYONE,
        here=_take_over,
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
        here=_rematch,
        enters=True,
        example=lambda hand: "" if _not_over_yet(hand) else None,
        note=_not_over_yet,
    ),
    Command(
        verb=word("UNSUBSCRIBE", "ends the letters of a match you only watch", "UNSUBSCRIBE"),
        by=By.ANYONE,
        here=_unsubscribe,
    ),
    Command(
        verb=word(
            "RESIGN",
            "leaves the match; a standby player, or a bot, has your seat, or its turns are played at once until it is taken "
            "over; before the start, takes you off the list",
            "RESIGN",
            "..1 match; BECAUSE words text",
        ),
        by=By.PLAYERS,
        here=_resign,
        door=_leave,
        grave=True,
    ),
)
