"""Affairs between players: control given, accepted, seized; stances; petitions and votes; interpretations.

Each check_ function raises Refused and is shared by the binder and the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Table
from referee.games.empire.events.affairs import (
    ControlPassed,
    CountryPassed,
    InterpretationPosted,
    StanceTaken,
    TransferLapsed,
    TransferOffered,
)
from referee.games.empire.intents import (
    AcceptControl,
    Feed,
    GiveControl,
    GiveCountry,
    GiveGoods,
    Goods,
    Interpret,
    PetitionFor,
    PostSuspension,
    SetRelation,
    Vote,
)
from referee.games.empire.intents.air import Scramble
from referee.games.empire.intents.war import Retreat
from referee.games.empire.interpreting import moved_since
from referee.games.empire.kinds import KINDS
from referee.games.empire.petitions import do_petition, do_suspension, do_vote
from referee.games.empire.state import Country, Doubtful, Empire, Lot, Transfer, Unit
from referee.games.empire.steps.air import do_scramble
from referee.games.empire.steps.feeding import do_feed
from referee.games.empire.steps.retreating import do_retreat
from referee.games.empire.steps.stores import held, lots_at, taken
from referee.kit.refused import Refused
from referee.kit.stock import gathered, more
from referee.kit.wording import in_a_row

__all__ = [
    "DO",
    "cargo_of",
    "check_accept",
    "check_give",
    "check_give_country",
    "check_give_goods",
    "check_interpret",
    "check_relation",
    "counts_of",
    "do_aside",
    "own_unit",
]


def do_aside(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    """Do at once what the binder has found lawful; what has become void meanwhile does nothing."""
    try:
        match intent:
            case AcceptControl():
                _do_accept(table, seat, intent)
            case PetitionFor():
                do_petition(table, seat, intent)
            case PostSuspension():
                do_suspension(table, seat, intent)
            case Vote():
                do_vote(table, seat, intent)
            case Feed():
                do_feed(table, seat, intent)
            case Retreat():
                do_retreat(table, seat, intent)
            case Scramble():
                do_scramble(table, seat, intent)
    except Refused:
        return


# ---------------------------------------------------------------- what is whose


def own_unit(empire: Empire, seat: Seat, number: int, rule: str) -> Unit:
    """A unit that a seat may command. Raises Refused."""
    unit = empire.units.get(number)
    if unit is None:
        raise Refused(f"There is no unit {number}.", rule, str(number))
    if empire.countries[unit.country].owner != seat:
        raise Refused(f"{unit.kind} {number} is {unit.country}'s.", rule, str(number))
    return unit


def _country(empire: Empire, name: str, rule: str) -> Country:
    country = empire.countries.get(name)
    if country is None or country.dead:
        raise Refused(f"There is no country {name}.", rule, name, tuple(c for c in empire.countries)[:3])
    return country


def cargo_of(empire: Empire, numbers: Sequence[int], persons: bool = True) -> tuple[tuple[int, ...], tuple[Lot, ...]]:
    """Units with everything aboard them that is of the same country: their numbers, and the goods.

    Without `persons`, people aboard stay whose they are, with what they carry.
    """
    found = list(dict.fromkeys(numbers))
    for number in found:  # grows while it is walked: what is aboard may carry things itself
        carrier = empire.units[number]
        aboard = (u for u in empire.units.values() if u.aboard == number and u.country == carrier.country)
        aboard = (u for u in aboard if persons or not KINDS[u.kind].person)
        found += [unit.number for unit in aboard if unit.number not in found]
    countries = {number: empire.units[number].country for number in found}
    lots = tuple(lot for lot in empire.lots if lot.aboard and countries.get(lot.aboard) == lot.country)
    return tuple(found), lots


def counts_of(empire: Empire, numbers: Sequence[int], lots: Sequence[Lot]) -> tuple[tuple[str, int], ...]:
    """How many of every kind of unit and goods."""
    counts = gathered(empire.units[number].kind for number in numbers)
    for lot in lots:
        counts = more(counts, {lot.what: lot.number})
    return tuple(counts.items())


# ---------------------------------------------------------------- transfer (P12, H-23)


def check_give(empire: Empire, seat: Seat, intent: GiveControl) -> Transfer:
    """P12: self-mobile pieces of one country in one square, to another country, without condition. Raises Refused."""
    rule, to = "emp.P12", _country(empire, intent.to, "emp.P12")
    units = [own_unit(empire, seat, number, rule) for number in intent.units]
    if not units:
        raise Refused("Say which units change hands.", rule, "GIVE")
    first = units[0]
    for unit in units:
        if not KINDS[unit.kind].self_mobile:
            raise Refused(f"{unit.kind} {unit.number} does not move by itself; give it as goods go.", rule, unit.kind)
        if unit.country == to.name:
            raise Refused(f"{unit.kind} {unit.number} is {to.name}'s already.", rule, to.name)
        if (unit.country, unit.at) != (first.country, first.at):
            raise Refused("One transfer is for units of one country in one square.", rule, str(unit.number))
    return Transfer(empire.next_transfer, first.country, to.name, first.at, tuple(u.number for u in units))


def check_give_goods(empire: Empire, seat: Seat, intent: GiveGoods) -> Transfer:
    """H-23: goods change hands only where both are: in one square or ship. Raises Refused."""
    rule, to = "emp.H-23", _country(empire, intent.to, "emp.H-23")
    goods = tuple((line.what, line) for line in intent.goods)
    for giver in empire.owned(seat):
        have = {what: held(empire, giver.name, intent.at, what) for what, _ in goods}
        if giver.name != to.name and all(have[what] for what, _ in goods):
            break
    else:
        raise Refused(f"You have no {in_a_row([what for what, _ in goods], 'or')} in {intent.at}.", rule, intent.at)
    wanted = tuple((what, _wanted(line, have[what], rule, f"TO {to.name} IN {intent.at}")) for what, line in goods)
    _check_receiver(empire, to.name, intent.at)
    return Transfer(empire.next_transfer, giver.name, to.name, intent.at, (), wanted)


def _wanted(line: Goods, have: int, rule: str, to: str) -> int:
    number = line.quantity.of(have)
    if not 0 < number <= have:
        words = f"You have {have} {line.what} there and cannot give {number}."
        raise Refused(words, rule, line.what, (f"GIVE {have} {line.what} {to}",))
    return number


def _check_receiver(empire: Empire, to: str, at: str) -> None:
    city = empire.city_at(at)
    here = any(unit.country == to for unit in empire.units_at(at)) or (city is not None and city.country == to)
    if not here:
        raise Refused(f"{to} has nobody in {at} to take the goods.", "emp.H-23", at)


def _offer(table: Table[Empire], seat: Seat, transfer: Transfer) -> None:
    empire = table.state
    if empire.countries[transfer.to].owner == seat:
        _pass(table, transfer)
        return
    units = [f"{empire.units[number].kind} {number}" for number in transfer.units]
    goods = [f"{number} {what}" for what, number in transfer.goods]
    table.emit(TransferOffered(transfer, in_a_row([*units, *goods])))


def _do_give(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    assert isinstance(intent, GiveControl)
    _offer(table, seat, check_give(table.state, seat, intent))


def _do_give_goods(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    assert isinstance(intent, GiveGoods)
    _offer(table, seat, check_give_goods(table.state, seat, intent))


def check_accept(empire: Empire, seat: Seat, number: int) -> Transfer:
    """P12: only who was named accepts. Raises Refused."""
    transfer = next((t for t in empire.transfers if t.number == number), None)
    mine = tuple(f"ACCEPT {t.number}" for t in empire.transfers if empire.countries[t.to].owner == seat)
    if transfer is None:
        raise Refused(f"No transfer {number} is waiting.", "emp.P12", str(number), mine[:3])
    if empire.countries[transfer.to].owner != seat:
        raise Refused(f"Transfer {number} is for {transfer.to}.", "emp.P12", str(number), mine[:3])
    return transfer


def _do_accept(table: Table[Empire], seat: Seat, intent: AcceptControl) -> None:
    transfer = check_accept(table.state, seat, intent.number)
    why = _gone(table.state, transfer)
    if why:
        table.emit(TransferLapsed(transfer.number, why))
    elif transfer.whole:
        _pass_country(table, transfer)
    else:
        _pass(table, transfer)


def _gone(empire: Empire, transfer: Transfer) -> str:
    """Why a transfer cannot be done any more; empty when it can."""
    gone = next((name for name in (transfer.giver, transfer.to) if empire.countries[name].dead), "")
    if gone:
        return f"{gone} is dissolved."
    if transfer.whole and empire.same_owner(transfer.giver, transfer.to):
        return f"{transfer.giver} and {transfer.to} have one owner now."
    for number in transfer.units:
        unit = empire.units.get(number)
        if unit is None or unit.country != transfer.giver:
            return f"unit {number} is no longer {transfer.giver}'s."
    for what, number in transfer.goods:
        if held(empire, transfer.giver, transfer.at, what) < number:
            return f"{transfer.giver} no longer has {number} {what} in {transfer.at}."
    try:
        if transfer.goods:
            _check_receiver(empire, transfer.to, transfer.at)
    except Refused as refused:
        return str(refused)
    return ""


def _pass(table: Table[Empire], transfer: Transfer) -> None:
    empire = table.state
    units, aboard = cargo_of(empire, transfer.units)
    given = [
        lot
        for what, number in transfer.goods
        for lot in taken(lots_at(empire, transfer.giver, transfer.at, what), number)
    ]
    lots = (*aboard, *given)
    counts, at = counts_of(empire, units, lots), transfer.at if transfer.goods else empire.units[units[0]].at
    held_for = empire.turn if _has_played(empire, transfer.giver) else 0
    table.emit(ControlPassed(transfer.number, transfer.giver, transfer.to, at, units, lots, counts, held_for))


def _has_played(empire: Empire, country: str) -> bool:
    """Whether a country's slot of this turn has begun: what it hands on gets no second allowance this turn (P17)."""
    owner = empire.countries[country].owner
    order = list(empire.order)
    return empire.active is not None and order.index(owner) <= order.index(empire.active)


def check_give_country(empire: Empire, seat: Seat, intent: GiveCountry) -> Transfer:
    """P12: a whole country to another player, with all it has and owes. Raises Refused."""
    country, to = _country(empire, intent.country, "emp.P12"), _country(empire, intent.to, "emp.P12")
    if country.owner != seat:
        raise Refused(f"{country.name} is not yours.", "emp.P12", country.name)
    if to.owner == seat:
        raise Refused(f"{country.name} and {to.name} are both yours already.", "emp.P12", to.name)
    return Transfer(empire.next_transfer, country.name, to.name, "", whole=True)


def _do_give_country(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    assert isinstance(intent, GiveCountry)
    table.emit(TransferOffered(check_give_country(table.state, seat, intent), f"the whole of {intent.country}"))


def _pass_country(table: Table[Empire], transfer: Transfer) -> None:
    empire, name = table.state, transfer.giver
    held = empire.turn if _has_played(empire, name) else 0
    seat, giver = empire.countries[transfer.to].owner, empire.countries[name].owner
    table.emit(CountryPassed(transfer.number, name, giver, transfer.to, seat, empire.turn, held))


# ---------------------------------------------------------------- stances (H-27)


def check_relation(empire: Empire, seat: Seat, intent: SetRelation) -> None:
    """H-27: a stance toward somebody else's country. Raises Refused."""
    if _country(empire, intent.country, "emp.H-27").owner == seat:
        raise Refused(f"{intent.country} is yours.", "emp.H-27", intent.country)


def _do_relation(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    assert isinstance(intent, SetRelation)
    check_relation(table.state, seat, intent)
    own = tuple(country.name for country in table.state.owned(seat))
    table.emit(StanceTaken(own, intent.country, "hostile" if intent.hostile else "friendly"))


# ---------------------------------------------------------------- interpretations (P23)


def check_interpret(empire: Empire, seat: Seat, intent: Interpret) -> Doubtful:
    """P23: a doubtful line of an opponent, not settled yet, later than one's own last roll. Raises Refused."""
    rule = "emp.P23"
    found = next((d for d in empire.doubtful if (d.slot, d.line) == (intent.slot, intent.line)), None)
    if found is None:
        raise Refused(f"Line {intent.line} of slot {intent.slot} can be read in one way only.", rule, str(intent.line))
    if found.seat == seat:
        raise Refused("Nobody interprets his own orders.", rule, str(intent.slot))
    if found.by is not None:
        raise Refused(f"{found.by} has settled for good how that line is read.", rule, str(intent.line))
    if seat in found.waived:
        raise Refused("You have rolled out since that slot, and with it gave up the right.", rule, str(intent.slot))
    if not 1 <= intent.reading <= len(found.readings):
        raise Refused(f"That line has {len(found.readings)} readings.", rule, str(intent.reading))
    _check_still_there(empire, found)
    return found


def _check_still_there(empire: Empire, found: Doubtful) -> None:
    """What was done since with the units themselves shows which of them were meant, and cannot be undone."""
    gone = moved_since(empire, found)
    if isinstance(gone, int):
        raise Refused(f"Unit {gone} is no more; the line stands as it was read.", "emp.P23", str(gone))
    if gone is not None:
        sentence = (
            f"{gone.kind} {gone.number} is not where that line left it; what was done since shows what was meant."
        )
        raise Refused(sentence, "emp.P23", str(gone.number))


def _do_interpret(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    assert isinstance(intent, Interpret)
    found = check_interpret(table.state, seat, intent)
    text = found.readings[intent.reading - 1]
    slot = table.state.slot
    table.emit(InterpretationPosted(seat, slot, found.seat, found.slot, found.line, intent.reading, text))


DO: Mapping[type[Intent], Callable[[Table[Empire], Seat, Intent], None]] = {
    GiveControl: _do_give,
    GiveCountry: _do_give_country,
    GiveGoods: _do_give_goods,
    SetRelation: _do_relation,
    Interpret: _do_interpret,
}
"""Orders of this module."""
