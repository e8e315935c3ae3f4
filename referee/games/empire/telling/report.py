"""The report of a slot: what was refused, what happened in the order of the turn, where everybody stands, what it means, with
warnings of hunger.

The parts of it that are worth a word in its summary and in the subject of the letter: war first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.event import Event, PhaseBegan
from referee.core.names import Reader, Seat
from referee.core.page import Block, Bullets, Heading, Note, Page, Paragraph
from referee.games.empire.deeds.moving import doubts_that_matter
from referee.games.empire.events import OpenEvent
from referee.games.empire.events.air_and_sea import PlanesIntercepted, SeaBattleFought, ShipPlundered, SquareBombed
from referee.games.empire.events.course import (
    CapitalPlaced,
    ConfidenceRolled,
    CountryDissolved,
    GameEnded,
    OrderRefused,
    RolledOut,
)
from referee.games.empire.events.dealing import (
    ControlPassed,
    CountrySplit,
    GoodsTaken,
    PetitionPosted,
    PetitionSettled,
    UnitSeized,
    listed,
)
from referee.games.empire.events.economy import BudgetClosed, ConfidenceMoved, LineDoubtful, names
from referee.games.empire.events.fighting import BattleFought, CityFell, CooliesCaptured
from referee.games.empire.events.supply import CooliesBorn, PersonDied, SquareTaken
from referee.games.empire.events.work import CityFounded, WorkFinished
from referee.games.empire.position.state import Country, Empire, Transfer
from referee.games.empire.reckoning.combat import RESULTS
from referee.games.empire.reckoning.conditions import points, ranks
from referee.games.empire.reckoning.ownership import held, waiting
from referee.games.empire.reckoning.supply import Siege, sieges
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS, in_bta
from referee.games.empire.rulebook.plans import a
from referee.games.empire.telling.forecast import besieged_eat
from referee.games.empire.telling.outlook import budgets_told, economy_told, sections_of
from referee.games.empire.telling.sheets.slots import petition_kind, standings_grid
from referee.kit.reports import cited_once, standing
from referee.kit.stock import unbalanced
from referee.kit.wording import capital, counted, in_a_row


def deeds(happened: Sequence[Event], active: Seat | None) -> Iterator[str]:
    """A few words for each deed: cities that fell, then battles and raids, lives, and the rest in their order."""
    yield from (f"{event.city} falls to {event.to}" for event in happened if isinstance(event, CityFell))
    yield from (deed for event in happened if (deed := _war(event)))
    yield from _lives(happened)
    yield from (deed for event in happened if (deed := _deed(event, active)))


def _war(event: Event) -> str:
    """A battle, a raid or a flight that was met, and what came of it."""
    match event:
        case BattleFought():
            where = f"the ships in {event.at}" if isinstance(event, SeaBattleFought) else event.at
            return f"{event.country} attacks {where}: {RESULTS.get(event.result, event.result)}"
        case SquareBombed():
            fate = "bombs hit" if event.gone else "bombs miss"
            return f"{fate} the {event.what} in {event.at}"
        case PlanesIntercepted() if event.downed:
            return f"{_fallen(event)} shot down over {event.at}"
        case PlanesIntercepted():
            return f"{event.by} intercepts in vain over {event.at}"
        case CooliesCaptured():
            return f"{event.to} captures {listed(event.counts)} of {event.giver}"
        case ShipPlundered() if event.taken:
            return f"{event.to} takes {event.kind} {event.unit} of {event.giver}"
        case _:
            return ""


def _fallen(event: PlanesIntercepted) -> str:
    """`Red's TAC 6 and Blue's fighter 5`."""
    hunters = dict(event.hunters)
    sides = {
        event.country: [plane for plane in event.downed if plane[0] not in hunters],
        event.by: [plane for plane in event.downed if plane[0] in hunters],
    }
    return in_a_row([f"{country}'s {names(planes)}" for country, planes in sides.items() if planes])


def _lives(happened: Sequence[Event]) -> Iterator[str]:
    born = sum(isinstance(event, CooliesBorn) for event in happened)
    died = [event for event in happened if isinstance(event, PersonDied)]
    if born:
        yield f"{counted(born, 'coolies')} born"
    taken = sum(isinstance(event, SquareTaken) for event in happened)
    if taken:
        yield f"{counted(taken, 'squares')} set to work"
    if died:
        reasons = in_a_row(list(dict.fromkeys(event.why for event in died)))
        yield f"{len(died)} {'person dies' if len(died) == 1 else 'people die'} {reasons}"


def _deed(event: Event, active: Seat | None) -> str:
    """Other deeds worth a word; whose turn it is stands before it."""
    match event:
        case CapitalPlaced():
            return f"{event.seat} settles in {event.at}"
        case CityFounded():
            return f"{event.name} is founded"
        case WorkFinished():
            return f"{a(event.what)} is built"
        case ConfidenceRolled():
            return f"{'' if event.country == active else f'{event.country}: '}confidence roll {event.entry()}"
        case RolledOut() if not event.by_itself:
            return f"{event.seat} is rolled out"
        case UnitSeized():
            return f"{event.to} seizes {event.giver}'s {event.kind} {event.unit}"
        case CountrySplit():
            return f"{event.parent} is split and {event.country.name} begins"
        case PetitionSettled():
            return f"petition {event.number} {'passes' if event.passed else 'fails'}"
        case ControlPassed() | GoodsTaken() | CountryDissolved():
            return event.sentence().rstrip(".")
        case _:
            return ""


_DEEDS = 5
"""So many things a summary names before it counts the rest."""


def report(before: Empire, happened: Sequence[Event], after: Empire, reader: Reader) -> Page:
    """The page of one phase; Empire is open, so all read the same."""
    titles = [event.title for event in happened if isinstance(event, PhaseBegan)]
    story = tuple(sections_of(_worth_telling(happened, after))) or (Paragraph("Nothing happened."),)
    blocks = (
        *_refused(happened),
        *story,
        *_economy(happened, after),
        *_standing(before, after),
        *_meaning(happened, after),
    )
    return Page(titles[0] if titles else "Empire", _summary(before, happened, after), tuple(cited_once(blocks)))


def recount(happened: Sequence[Event], after: Empire) -> tuple[str, ...]:
    """A slot under way in lines: what could not be carried out, then what happened."""
    refused = [event.cited() for event in happened if isinstance(event, OrderRefused)]
    story = [block for block in sections_of(_worth_telling(happened, after)) if isinstance(block, Bullets)]
    return (*refused, *(line for block in story for line in block.items))


def _worth_telling(happened: Sequence[Event], after: Empire) -> list[Event]:
    """All but readings of orders that come to the same as things stand, and budgets that have a paragraph of their own."""
    idle = {(d.slot, d.line) for d in after.doubtful} - {(d.slot, d.line) for d in doubts_that_matter(after)}
    told = budgets_told(happened)
    return [
        event
        for event in happened
        if not (isinstance(event, LineDoubtful) and (event.doubtful.slot, event.doubtful.line) in idle)
        and not (isinstance(event, BudgetClosed | ConfidenceMoved) and event.country in told)
    ]


def _refused(happened: Sequence[Event]) -> Iterator[Block]:
    """Orders that could not be carried out; a player must not overlook them."""
    for event in happened:
        if isinstance(event, OrderRefused):
            yield Note(event.cited(), "warning")


def _economy(happened: Sequence[Event], after: Empire) -> Iterator[Block]:
    """The budget of the turn, a paragraph a country."""
    told = list(economy_told(happened, after))
    if told:
        yield Heading("The economy")
        yield from map(Paragraph, told)


# ---------------------------------------------------------------- the summary


def _summary(before: Empire, happened: Sequence[Event], after: Empire) -> str:
    """One sentence that says it all."""
    ends = [event.sentence() for event in happened if isinstance(event, GameEnded)]
    done = list(deeds(happened, before.active))
    left = len(done) - _DEEDS
    shown = [*done[:_DEEDS], f"and {counted(left, 'more things')}"] if left > 1 else done
    if not shown:
        return ends[0] if ends else f"{before.active} has a quiet turn." if before.active else "All is laid out."
    said = "; ".join(shown)
    return " ".join((f"{capital(said)}.", *ends))


# ---------------------------------------------------------------- where everybody stands


_FIGURES = ("Points", "Cities", "Coolies", "Military", "Worked", "Food", "Confidence")


def _standing(before: Empire, after: Empire) -> Iterator[Block]:
    if not after.countries:
        return
    yield Heading("Where everybody stands")
    figures = _FIGURES if ranks(after) else _FIGURES[1:]
    first = not before.countries
    now = {_name(after, seat): _figures(after, seat) for seat in after.order}
    was = now if first else {_name(after, seat): _figures(before, seat) for seat in after.order}
    yield from standing((figures,), was, now, first or bool(after.ended))
    if after.ended:
        yield standings_grid(after, "Final standings")


def _figures(empire: Empire, seat: Seat) -> dict[str, int]:
    own = empire.owned(seat)
    names = [country.name for country in own]
    people = [unit for unit in empire.units.values() if unit.country in names and KINDS[unit.kind].person]
    coolies = sum(unit.kind == "coolie" for unit in people)
    values = (
        points(empire, seat),
        sum(city.country in names for city in empire.cities.values()),
        coolies,
        sum(unit.country in names and KINDS[unit.kind].military for unit in empire.units.values()),
        sum(worked.country in names for worked in empire.worked),
        sum(empire.stock(name).get("food", 0) for name in names),
        own[0].confidence if len(own) == 1 else sum(country.confidence for country in own) // max(1, len(own)),
    )
    return dict(zip(_FIGURES, values, strict=True))


def _name(empire: Empire, seat: Seat) -> str:
    return seat if empire.owned(seat) else f"{seat} (out)"


# ---------------------------------------------------------------- what it means


def _meaning(happened: Sequence[Event], empire: Empire) -> Iterator[Block]:
    """The persons who will go hungry, the offers that wait for an answer, the player who moves next."""
    hungry = [line for country in empire.countries.values() if (line := _hunger(empire, country))]
    if hungry and empire.stage == "play" and not empire.ended:
        yield Note(f"As it stands there will be hunger. {' '.join(hungry)}", "warning")
    if empire.stage == "play" and not empire.ended:
        yield from (Note(_besieged(empire, siege), "warning") for siege in sieges(empire))
    for transfer in empire.transfers:
        yield Note(_offered(transfer))
    posted = [event.petition.number for event in happened if isinstance(event, PetitionPosted)]
    for petition in empire.petitions:
        if not petition.result and petition.number not in posted:
            asked = petition_kind(petition)
            yield Note(f"Petition {petition.number} ({asked}) of {petition.by} is open: {petition.text}")
    for petition in waiting(empire):
        yield Note(
            f"From turn {empire.turn + 1} on {petition.house} is {petition.choice} (petition {petition.number})."
        )
    changed = [f"{house} {choice}" for house, choice in empire.houses.items()]
    if changed:
        yield Paragraph(f"House rules in force by petition: {in_a_row(changed)}. RULES shows them all.")
    if empire.active and not empire.ended:
        yield Paragraph(f"Next: turn {empire.turn}, {empire.active}.")


def _besieged(empire: Empire, siege: Siege) -> str:
    """The meaning of a siege, and the means of the besieged."""
    who = siege.country
    out = "Its people without arms may walk out or carry food in, its formations may ATTACK"
    end = f"and the siege is over once the besieger says TREAT {who} AS friendly"
    end += f" or has no food within {in_bta(ALLOWANCE)} BTA himself"
    return f"{who} is besieged by {siege.besiegers()}: {besieged_eat(empire, siege)} {out}, {end}. [emp.F2]"


def _offered(transfer: Transfer) -> str:
    if transfer.whole:
        what = f"The whole of {transfer.giver} is given up; {transfer.seat}"
    else:
        what = f"{transfer.giver} has given up things in {transfer.at}; {transfer.to}"
    return f"{what} may accept it with ACCEPT {transfer.number}."


def _hunger(empire: Empire, country: Country) -> str:
    """Food in hand and food that worked squares will give, against mouths: a rough look, without distances."""
    name = country.name
    mouths = sum(unit.country == name and KINDS[unit.kind].person for unit in empire.units.values())
    comes = 5 * sum(worked.country == name and worked.kind in ("farm", "fish") for worked in empire.worked)
    food = empire.stock(name).get("food", 0)
    if country.dead or food + comes >= mouths:
        return ""
    return f"{name}: {counted(mouths, 'mouths')}, {food} food and {comes} to come, {mouths - food - comes} too few."


# ---------------------------------------------------------------- the audit
# Every country's units and goods recomputed from the events alone, and what can never be so.


def audit(before: Empire, happened: Sequence[Event], after: Empire) -> tuple[str, ...]:
    """One sentence for each account that does not balance, and for each thing that cannot be."""
    flows = [flow for event in happened if isinstance(event, OpenEvent) for flow in event.flows()]
    return (*unbalanced(held(before), flows, held(after)), *_impossible(after))


def _impossible(empire: Empire) -> Iterator[str]:
    for lot in empire.lots:
        if lot.number <= 0:
            yield f"{lot.country} has {lot.number} {lot.what} in {lot.at}."
        if lot.aboard and (lot.aboard not in empire.units or empire.units[lot.aboard].at != lot.at):
            yield f"{lot.number} {lot.what} in {lot.at} are aboard unit {lot.aboard}, which is not there."
        if not 0 <= lot.spent <= ALLOWANCE:
            yield f"{lot.what} in {lot.at} has spent {lot.spent} thirtieths of a BTA."
    for unit in empire.units.values():
        carrier = empire.units.get(unit.aboard)
        if unit.aboard and (carrier is None or carrier.at != unit.at):
            yield f"{unit.kind} {unit.number} in {unit.at} is aboard unit {unit.aboard}, which is not there."
        if not 0 <= unit.spent <= ALLOWANCE:
            yield f"{unit.kind} {unit.number} has spent {unit.spent} thirtieths of a BTA."
        if unit.at not in empire.board.squares:
            yield f"{unit.kind} {unit.number} is off the board."
        if unit.country not in empire.countries:
            yield f"{unit.kind} {unit.number} belongs to {unit.country}, which is no country."
    for city in empire.cities.values():
        if empire.board.squares[city.at].water:
            yield f"{city.name} stands on water."
    for country in empire.countries.values():
        if not 0 <= country.confidence <= 20:
            yield f"{country.name} has confidence {country.confidence}."
