"""Control given and accepted: units, goods, whole countries (emp.P12, emp.H-23); foreign exchange (emp.H-16, emp.H-17, emp.H-06).

Each check_ function raises Refused and is shared by the binder and the steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Quantity
from referee.core.table import Table
from referee.games.empire.events.dealing import ControlPassed, CountryPassed, TransferLapsed, TransferOffered
from referee.games.empire.events.economy import ExchangeSent
from referee.games.empire.position.countries import Country, Transfer
from referee.games.empire.position.pieces import Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import in_force
from referee.games.empire.reckoning.naming import Goods
from referee.games.empire.reckoning.ownership import cargo_of, counts_of, living_country, own_unit
from referee.games.empire.reckoning.supply import held, lots_at, taken
from referee.games.empire.rulebook.houses import STANDARD
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row


def check_give(empire: Empire, seat: Seat, numbers: Sequence[int], name: str) -> Transfer:
    """emp.P12: self-mobile pieces of one country in one square, to another country, without condition. Raises Refused."""
    rule, to = "emp.P12", living_country(empire, name, "emp.P12")
    units = [own_unit(empire, seat, number, rule) for number in numbers]
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


def check_give_goods(empire: Empire, seat: Seat, wanted: Sequence[Goods], name: str, at: Position) -> Transfer:
    """emp.H-23: goods change hands only where both are: in one square or ship. Raises Refused."""
    rule, to = "emp.H-23", living_country(empire, name, "emp.H-23")
    goods = tuple((line.what, line) for line in wanted)
    for giver in empire.owned(seat):
        have = {what: held(empire, giver.name, at, what) for what, _ in goods}
        if giver.name != to.name and all(have[what] for what, _ in goods):
            break
    else:
        raise Refused(f"You have no {in_a_row([what for what, _ in goods], 'or')} in {at}.", rule, at)
    given = tuple((what, _wanted(line, have[what], rule, f"TO {to.name} IN {at}")) for what, line in goods)
    _check_receiver(empire, to.name, at)
    return Transfer(empire.next_transfer, giver.name, to.name, at, (), given)


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


def offer(table: Table[Empire], seat: Seat, transfer: Transfer) -> None:
    """It waits for whom it is meant; between countries of one player it passes at once."""
    empire = table.state
    if not transfer.whole and empire.countries[transfer.to].owner == seat:
        _pass(table, transfer)
        return
    table.emit(TransferOffered(transfer, wares(empire, transfer)))


def wares(empire: Empire, transfer: Transfer) -> str:
    """What a transfer hands over, in words; units that are no more are left out."""
    if transfer.whole:
        return f"the whole of {transfer.giver}"
    units = [f"{empire.units[number].kind} {number}" for number in transfer.units if number in empire.units]
    return in_a_row([*units, *(f"{number} {what}" for what, number in transfer.goods)])


def check_accept(empire: Empire, seat: Seat, number: int) -> Transfer:
    """emp.P12: only who was named accepts. Raises Refused."""
    transfer = next((t for t in empire.transfers if t.number == number), None)
    mine = tuple(f"ACCEPT {t.number}" for t in empire.transfers if empire.accepts(t) == seat)
    if transfer is None:
        raise Refused(f"No transfer {number} is waiting.", "emp.P12", str(number), mine[:3])
    if empire.accepts(transfer) != seat:
        raise Refused(f"Transfer {number} is for {transfer.to}.", "emp.P12", str(number), mine[:3])
    return transfer


def do_accept(table: Table[Empire], seat: Seat, number: int) -> None:
    """What was offered passes, or lapses where it cannot any more. Raises Refused."""
    transfer = check_accept(table.state, seat, number)
    why = _gone(table.state, transfer)
    if why:
        table.emit(TransferLapsed(transfer.number, why))
    elif transfer.whole:
        _pass_country(table, transfer)
    else:
        _pass(table, transfer)


def _gone(empire: Empire, transfer: Transfer) -> str:
    """Why a transfer cannot be done any more; empty when it can."""
    named = (transfer.giver,) if transfer.whole else (transfer.giver, transfer.to)
    gone = next((name for name in named if empire.countries[name].dead), "")
    if gone:
        return f"{gone} is dissolved."
    if transfer.whole and empire.countries[transfer.giver].owner == transfer.seat:
        return f"{transfer.giver} is {transfer.seat}'s already."
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
    """Whether a country's slot of this turn has begun: what it hands on gets no second allowance this turn (emp.P17)."""
    owner = empire.countries[country].owner
    order = list(empire.order)
    return empire.active is not None and order.index(owner) <= order.index(empire.active)


def check_give_country(empire: Empire, seat: Seat, name: str, receiver: str) -> Transfer:
    """emp.P12: a whole country to another player, with all it has and owes. Raises Refused."""
    country, to = living_country(empire, name, "emp.P12"), _player(empire, receiver)
    if country.owner != seat:
        raise Refused(f"{country.name} is not yours.", "emp.P12", country.name)
    if to == seat:
        raise Refused(f"{country.name} and {receiver} are both yours already.", "emp.P12", receiver)
    return Transfer(empire.next_transfer, country.name, receiver, "", whole=True, seat=to)


def _player(empire: Empire, name: str) -> Seat:
    """Who gets a country: the player of that name, whatever he runs (I.G), else the owner of the country of that name."""
    return Seat(name) if name in empire.seats else living_country(empire, name, "emp.P12").owner


def _pass_country(table: Table[Empire], transfer: Transfer) -> None:
    empire, name, seat = table.state, transfer.giver, transfer.seat
    held = empire.turn if _has_played(empire, name) else 0
    own = [country.name for country in empire.owned(seat)]
    after = transfer.to if transfer.to in own else next(reversed(own), "")
    giver = empire.countries[name].owner
    table.emit(CountryPassed(transfer.number, name, giver, after, seat, empire.turn, held))


def may_send(empire: Empire, country: Country) -> int:
    """How many points a country may still send this turn: as many as its confidence stands above 10 (emp.H-16)."""
    return max(0, country.confidence - in_force.figure(empire, "exchange", "above") - country.booked.sent)


def can_exchange(empire: Empire, seat: Seat, wanted: int | Quantity, name: str) -> ExchangeSent:
    """What a lawful order does: the country of the seat that may send most sends. Raises Refused."""
    to = empire.countries.get(name)
    if to is None or to.dead:
        raise Refused(f"There is no country {name}.", "emp.H-17", name)
    if to.owner == seat:
        raise Refused(f"{to.name} is yours too; between your own countries there is no exchange.", "emp.H-06", to.name)
    sender = max(empire.owned(seat), key=lambda country: may_send(empire, country))
    most = may_send(empire, sender)
    points = wanted if isinstance(wanted, int) else wanted.of(most)
    if not 0 < points <= most:
        raise _too_much(empire, sender, to.name, points, most)
    return ExchangeSent(sender.name, to.name, points)


def _too_much(empire: Empire, sender: Country, to: str, points: int, most: int) -> Refused:
    if in_force.chosen(empire, "exchange") != STANDARD:
        return Refused("In this match nobody sends foreign exchange.", "emp.H-17", str(points))
    sent = f" and has sent {sender.booked.sent}" if sender.booked.sent else ""
    why = f"{sender.name} has confidence {sender.confidence}{sent}: it may send {counted(most, 'points')} this turn, not {points}."
    return Refused(why, "emp.H-16", str(points), (f"EXCHANGE {most} TO {to}",) if most else ())
