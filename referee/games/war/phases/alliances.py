"""Alliances, cessions, peace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Answer, OneOf, Pace, Question, Several
from referee.core.table import Script, Table
from referee.games.war.events.combat import UnitsLost
from referee.games.war.events.course import AllianceEnded, AllianceJoined, AllianceRefused, CargoReturned, OfferClosed
from referee.games.war.events.moving import CessionTaken, PeaceMade
from referee.games.war.orders.attack import ApproveRule, JoinRule
from referee.games.war.phases import all_leave, goal_of, take_region
from referee.games.war.position import Coalition, Offer
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning import allied, attackers, bar_to_joining, carriers
from referee.games.war.rulebook import BOARD

# ---------------------------------------------------------------- war-time alliances at work
# The window at a declaration, the votes, and what an alliance's end undoes (R27-98).


_JOIN, _VOTE = "27.opt.alliances.1", "27.opt.alliances.2"


# ---------------------------------------------------------------- joining


def joining(table: Table[War], declarer: Seat, name: str) -> Script[None]:
    """27.opt.alliances.1, Q25: one window for all, then the requests in movement order from the declarer."""
    war = table.state
    if not plays(war, "alliances") or not war.coalitions:
        return
    coalition = war.coalitions[-1]
    others = [seat for seat in war.after(declarer) if _open_sides(war, seat, coalition)]
    if not others:
        return
    asked = [_side_question(table, seat, coalition, f"{name}/join/{seat}") for seat in others]
    voters = dict.fromkeys((*coalition.sides[0], *coalition.sides[1], *(others if len(others) > 1 else ())))
    votes = [_vote_question(table, seat, others, coalition, f"{name}/approve/{seat}") for seat in voters]
    questions: list[Question[Any]] = [*asked, *votes]
    answers: tuple[Answer[Any], ...] = yield from table.ask_all(questions)
    wishes = {question.seat: answer.value for question, answer in zip(asked, answers, strict=False)}
    approved = {q.seat: a.value for q, a in zip(votes, answers[len(asked) :], strict=True)}
    for seat in others:
        if wishes[seat]:
            _admit(table, seat, coalition.number, wishes[seat], approved)


def _open_sides(war: War, seat: Seat, coalition: Coalition) -> tuple[Seat, ...]:
    """27.opt.alliances.3: which sides he may ask to join, by who leads them."""
    if coalition.side(seat) is not None:
        return ()
    return tuple(
        side[0] for place, side in enumerate(coalition.sides) if not bar_to_joining(war, seat, coalition, place)
    )


def _side_question(table: Table[War], seat: Seat, coalition: Coalition, name: str) -> Question[str]:
    sides, leaders = _open_sides(table.state, seat, coalition), [side[0] for side in coalition.sides]
    options = [Choice(str(one), str(one), f"join {one}, if a majority of his side approves") for one in sides]
    menu = OneOf([Choice("out", "", "take no part"), *options], "")

    def wanted(sheet: Sequence[Intent]) -> str | None:
        rules = [rule for rule in sheet if isinstance(rule, JoinRule)]
        fit = [r for r in rules if r.side is None or (r.side in leaders and r.against in (None, *leaders))]
        return None if not fit else fit[0].side if fit[0].side in sides else ""

    text = f"{leaders[0]} has declared war on {leaders[1]}. Do you join a side?"
    return Question(f"{table.phase}/{name}", seat, text, menu, Pace.WINDOW, _JOIN, wanted)


def _vote_question(
    table: Table[War], seat: Seat, others: Sequence[Seat], coalition: Coalition, name: str
) -> Question[tuple[Seat, ...]]:
    asking = tuple(other for other in others if other != seat)
    menu = Several([Choice(str(other), other) for other in asking], len(asking), ())

    def wanted(sheet: Sequence[Intent]) -> tuple[Seat, ...] | None:
        rule = next((rule for rule in sheet if isinstance(rule, ApproveRule)), None)
        return None if rule is None else tuple(s for s in asking if rule.everybody or s in rule.seats)

    leaders = [side[0] for side in coalition.sides]
    mine = "your side" if coalition.side(seat) is not None else "the side that you join, if you join one"
    text = f"War of {leaders[0]} and {leaders[1]}: whom do you let join {mine}? Name nobody to refuse all."
    return Question(f"{table.phase}/{name}", seat, text, menu, Pace.WINDOW, _VOTE, wanted)


def _admit(table: Table[War], seat: Seat, number: int, leader: str, approved: Mapping[Seat, Sequence[Seat]]) -> None:
    """27.opt.alliances.2: more than half of those who are on the side by now."""
    coalition = next(c for c in table.state.coalitions if c.number == number)
    side = 0 if coalition.sides[0][0] == leader else 1
    members = coalition.sides[side]
    yes = tuple(member for member in members if seat in approved.get(member, ()))
    bar = bar_to_joining(table.state, seat, coalition, side)
    if bar or 2 * len(yes) <= len(members):
        table.emit(AllianceRefused(seat, members, yes, bar or ()))
    else:
        table.emit(AllianceJoined(seat, number, side, members, yes, coalition.sides[1 - side]))


# ---------------------------------------------------------------- the end


def parting_pairs(war: War) -> tuple[tuple[Seat, Seat], ...]:
    """The allied pairs, each once."""
    if not war.coalitions:
        return ()
    return tuple(
        (one, other)
        for place, one in enumerate(war.seats)
        for other in war.seats[place + 1 :]
        if allied(war, one, other)
    )


def part(table: Table[War], before: Sequence[tuple[Seat, Seat]]) -> None:
    """27.opt.alliances.5, 27.opt.alliances.11: of those who were allied, who are so no longer; what they carry goes ashore."""
    for one, other in before:
        if not allied(table.state, one, other):
            table.emit(AllianceEnded(one, other))
            for carrier, owner in ((one, other), (other, one)):
                _put_ashore(table, carrier, owner)


def _put_ashore(table: Table[War], carrier: Seat, owner: Seat) -> None:
    for fleet in table.state.fleets_of(carrier):
        for load in fleet.cargo:
            if load.owner == owner:
                table.emit(CargoReturned(fleet.number, load, _nearest_coast(table.state, owner, fleet.sea)))


def _nearest_coast(war: War, owner: Seat, sea: str) -> str:
    """R27-98: his nearest region by sea; "" if he has no coast."""
    ahead, seen = [sea], {sea}
    for here in ahead:
        own = next((name for name in BOARD.seas[here].coasts if war.lands[name].owner == owner), "")
        if own:
            return own
        near = [there for there, _ in BOARD.adjacent_seas(here) if there not in seen]
        seen.update(near)
        ahead += near
    return ""


def expel_guests(table: Table[War], seat: Seat) -> None:
    """27.opt.alliances.11: guests in land of who is no ally any more are lost at the end of their own movement."""
    war = table.state
    if not war.parted:
        return
    for land in tuple(war.contested()):
        if (
            land.owner is None
            or land.owner == seat
            or allied(war, seat, land.owner)
            or _just_parted(war, seat, land.owner)
        ):
            continue
        for stack in land.stacks:
            if stack.owner == seat and not (stack.origin and seat in tuple(attackers(war, land))):
                table.emit(UnitsLost(land.name, stack, "the alliance is over", "27.opt.alliances.11"))


def _just_parted(war: War, seat: Seat, owner: Seat) -> bool:
    """R27-98: whether they ceased to be allies in this very share and are not at war."""
    pair = {seat, owner}
    return not war.at_war(seat, owner) and any(
        {one, other} == pair and when == war.share for one, other, when in war.parted
    )


# ---------------------------------------------------------------- ceded regions
# A brigade takes the region, and the former owner's units leave at once (27.move.cede, R27-37).


Taking = Callable[[Table[War], Seat, str], Script[None]]
"""How a region gets its new owner; Version 1.7 has its own."""


def _take(table: Table[War], seat: Seat, region: str) -> Script[None]:
    yield from take_region(table, seat, region, "cession")


def take_cession(table: Table[War], seat: Seat, region: str, take: Taking = _take) -> Script[None]:
    """The receiver's brigade stands in the region: it is his, with its buildings and resource (27.move.cede.4)."""
    owner = table.state.lands[region].owner
    if owner is None or owner == seat:
        return
    table.emit(CessionTaken(owner, seat, region))
    yield from _evacuate(table, owner, region)
    yield from take(table, seat, region)


def _evacuate(table: Table[War], owner: Seat, region: str) -> Script[None]:
    """27.move.cede.3, R27-37: all to one adjacent friendly region, or onto fleets in one sea area; who finds no place is lost."""
    guests = any(stack.owner == owner for stack in table.state.lands[region].stacks)
    text, rule = f"You have ceded {region}. Where do your units go?", "27.move.cede.3"
    goal = (yield from goal_of(table, owner, region, f"{region}/evacuate", text, rule)) if guests else ""
    fleets = carriers(table.state, owner, goal)
    all_leave(table, owner, region, goal, fleets, 0, rule, "no way out of the ceded region")


# ---------------------------------------------------------------- peace that both have spoken for


def make_peace(table: Table[War], seat: Seat | None) -> None:
    """27.war.6, R27-70: peace both have spoken for, in a movement phase of either (`seat`) or, None, in production."""
    allies = parting_pairs(table.state)
    for offer in tuple(_agreed(table.state, seat)):
        table.emit(PeaceMade(offer.maker, offer.to))
        for same in [o for o in table.state.offers if o.kind == "peace" and {o.maker, o.to} == {offer.maker, offer.to}]:
            table.emit(OfferClosed(same.number, "done"))
    part(table, allies)


def _agreed(war: War, seat: Seat | None) -> Iterator[Offer]:
    words = {(o.maker, o.to) for o in war.offers if o.kind == "peace"}
    done: list[frozenset[Seat]] = []
    for offer in war.offers:
        both = frozenset((offer.maker, offer.to))
        agreed = offer.kind == "peace" and (offer.accepted or (offer.to, offer.maker) in words)
        if agreed and (seat is None or seat in both) and both not in done and war.at_war(offer.maker, offer.to):
            done.append(both)
            yield offer
