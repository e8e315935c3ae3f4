"""The ten record sheets: each column from what happened, everything on exactly one sheet, and sheet f proved."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.page import Bullets, Cell, Sheet
from referee.core.question import Answer, Question, Source
from referee.games.empire.events import OpenEvent, evolve
from referee.games.empire.events.air_and_sea import PlanesIntercepted
from referee.games.empire.events.course import ConfidenceRolled, PicksAppeared, SlotCame, SlotOpened
from referee.games.empire.events.dealing import ControlPassed, CountrySplit, GoodsTaken, UnitSeized
from referee.games.empire.events.economy import BudgetClosed, ExchangeSent
from referee.games.empire.events.fighting import CooliesCaptured
from referee.games.empire.events.moving import GoodsSpoiled, StatusChanged, UnitMoved
from referee.games.empire.events.supply import (
    FoodEaten,
    OutputAppeared,
    PersonDied,
    SquareGivenUp,
    SquareInvested,
    SquareTaken,
)
from referee.games.empire.events.work import LineLaid, WorkFinished
from referee.games.empire.game import GAME as EMPIRE
from referee.games.empire.position import Lot
from referee.games.empire.position.state import Empire, Petition
from referee.games.empire.reckoning.ownership import held
from referee.games.empire.rulebook.kinds import BTA, KINDS
from referee.games.empire.telling.report import report
from referee.games.empire.telling.sheets import sheets
from referee.games.empire.telling.sheets.slots import ARMS, logs, petitions_sheet, slots_of
from tests.games.empire.driving import A, B, first, put, run_phase
from tests.sample import few

Told = tuple[Event, ...]


@cache
def played(seed: int, slots: int) -> tuple[tuple[Empire, Told], ...]:
    """A match of bots: the position and everything told after every phase."""
    rng = random.Random(seed)

    def reply(question: Question[object]) -> Answer[object]:
        return Answer(question.menu.sample(rng.randrange), Source.PLAYER)

    empire, history, stages = first(3), list[Event](), []
    for _ in range(2 + slots):
        empire, told = run_phase(empire, reply, Keyed(b"sheets", seed))
        history += told
        stages.append((empire, tuple(history)))
    return tuple(stages)


def begun(seed: int = 1) -> tuple[Empire, Told]:
    """The capitals stand, Arcadia's slot of turn 1 is open."""
    empire, history = played(seed, 0)[-1]
    return more(replace(empire, order=tuple(sorted(empire.order))), history, SlotCame(A, 1, 2), SlotOpened(A))


def more(empire: Empire, history: Told, *events: Event) -> tuple[Empire, Told]:
    """The match after more events."""
    for event in events:
        empire = evolve(empire, event)
    return empire, (*history, *events)


def sheet(empire: Empire, history: Told, letter: str, country: str = "Arcadia") -> Sheet:
    """One sheet of a country."""
    return one_of(sheets(history, empire, A), letter, country)


def one_of(every: tuple[Sheet, ...], letter: str, country: str) -> Sheet:
    """One sheet of a country out of all of a position."""
    (found,) = [s for s in every if s.title.startswith(f"{country}: {letter}. ")]
    return found


def _of(empire: Empire, account: str) -> str:
    """The country of an account such as "Arcadia Minor 2 food": the longest name that fits."""
    return max((name for name in empire.countries if account.startswith(f"{name} ")), key=len)


def rows(found: Sheet, caption: str) -> tuple[tuple[Cell, ...], ...]:
    """The rows of one of its tables."""
    (grid,) = [grid for grid in found.grids if grid.caption.startswith(caption)]
    return grid.rows


def row(found: Sheet, caption: str) -> dict[str, Cell]:
    """The last row of one of its tables, by column."""
    (grid,) = [grid for grid in found.grids if grid.caption.startswith(caption)]
    return dict(zip(grid.columns, grid.rows[-1], strict=True))


# ---------------------------------------------------------------- every position of a match


@pytest.mark.parametrize("seed", few(2, range(6)))
def test_had_and_produced_and_traded_less_used_is_now_in_every_position(seed: int) -> None:
    seen: Counter[str] = Counter()
    for empire, history in played(seed, 12):
        every = sheets(history, empire, A)
        for country in empire.countries:
            found = one_of(every, "f", country)
            now = {f"{country} {what}": n for what, *_, n in found.grids[0].rows if n}
            assert now == {name: n for name, n in held(empire).items() if _of(empire, name) == country}
            for what, had, produced, traded, used, left in found.grids[0].rows:
                assert isinstance(had, int) and isinstance(produced, int) and isinstance(traded, int)
                assert isinstance(used, int) and had + produced + traded - used == left, (country, what)
                seen += Counter(produced=bool(produced), used=bool(used))
            assert found.notes[0].startswith("Had + produced + traded - used = now")
    assert seen["produced"] > 50 and seen["used"] > 20


def _upset(empire: Empire, rng: random.Random) -> Event:
    """Something that may happen between countries, out of what there is."""
    giver = rng.choice([c for c in empire.countries.values() if empire.units_of(c.name, "coolie")])
    to = rng.choice([c for c in empire.countries if c != giver.name])
    unit = rng.choice(empire.units_of(giver.name, "coolie"))
    lot = rng.choice([lot for lot in empire.lots if lot.country == giver.name])
    some = replace(lot, number=rng.randint(1, lot.number))
    counts = ((unit.kind, 1), (some.what, some.number))
    match rng.randrange(5):
        case 0:
            return ControlPassed(1, giver.name, to, unit.at, (unit.number,), (some,), counts)
        case 1:
            return UnitSeized(unit.number, unit.kind, 1, giver.name, to, unit.at, (unit.number,), (some,), counts)
        case 2:
            return PersonDied(giver.name, unit.number, unit.kind, unit.at, "on command", "emp.F1", (), (some,))
        case 3:
            return GoodsSpoiled(some)
    name = f"{giver.name} {empire.next_unit}{len(empire.countries)}"
    new = replace(giver, name=name, origin="created", parent=giver.name)
    return CountrySplit(giver.name, new, (), unit.number, (unit.number,), (some,), counts)


TRANSFERS = (ControlPassed, UnitSeized, CountrySplit, ExchangeSent, GoodsTaken, CooliesCaptured)
"""What passes from one country to another in these games."""


@pytest.mark.parametrize("seed", few(2, range(6)))
def test_sheet_f_holds_through_random_trades_thefts_deaths_and_splits(seed: int) -> None:
    rng = random.Random(seed)
    empire, history = rng.choice(played(seed % 3, 12))
    while not empire.countries:
        empire, history = rng.choice(played(seed % 3, 12))
    seen = set()
    for _ in range(25):
        event = _upset(empire, rng)
        seen.add(type(event))
        empire, history = more(empire, history, event)
        made = sheets(history, empire, A)
        stocks = [s for s in made if s.title.endswith("f. Had-Used-Produced")]
        assert len(stocks) == len(empire.countries)
        assert all(s.notes[0].startswith("Had + produced + traded - used = now") for s in stocks), (event, stocks)
        transfers = sum(len(rows(s, "Transfers")) for s in made if s.title.endswith("e. Trade"))
        assert transfers == 2 * sum(isinstance(e, TRANSFERS) for e in history)
    assert len(seen) >= 4


def test_a_position_that_its_events_do_not_explain_is_called_out() -> None:
    empire, history = played(1, 6)[-1]
    stolen = empire.with_lot(Lot("St", 3, "Arcadia", "c1r1"))
    assert sheet(stolen, history, "f").notes[0].startswith("DOES NOT BALANCE: St.")


@pytest.mark.parametrize("seed", few(2, range(6)))
def test_every_unit_and_all_goods_stand_on_exactly_one_of_the_location_sheets(seed: int) -> None:
    for empire, history in played(seed, 12):
        every = sheets(history, empire, A)
        for country in empire.countries:
            a, b, g = (one_of(every, letter, country) for letter in "abg")
            units: Counter[str] = Counter()
            goods: Counter[str] = Counter()
            for grid in a.grids:
                if grid.columns[0] == "Unit":
                    units.update(str(kind) for kind, *_ in grid.rows)
            goods.update({what: n for what, n, *_ in _summed(rows(a, "Weapons"))})
            for what, number, which in [r[1:] for r in rows(b, "In the cities")] + [r[:3] for r in rows(g, "Units")]:
                (units if what in KINDS else goods)[str(what)] += int(number)
                assert (what in KINDS) == bool(which)
            goods.update({what: n for what, n, *_ in _summed(rows(g, "Goods"))})
            units.update(str(worker).rpartition(" ")[0] for _, _, worker in rows(g, "At work"))
            assert units == Counter(unit.kind for unit in empire.units_of(country))
            assert goods == Counter(empire.stock(country))
            assert not any(KINDS[str(what)].military for what, *_ in rows(g, "Units"))
            assert not any(what in ARMS for what, *_ in rows(g, "Goods"))


def _summed(found: tuple[tuple[Cell, ...], ...]) -> list[tuple[str, int]]:
    total: Counter[str] = Counter()
    for what, number, *_ in found:
        total[str(what)] += int(number)
    return list(total.items())


def test_the_positions_are_those_of_the_match() -> None:
    """The sheets fold the events again; what they show is the position itself."""
    empire, history = played(2, 12)[-1]
    slots = slots_of(history, empire)
    assert slots[-1].after == empire and slots[0].turn == 0
    assert [slot.number for slot in slots[1:]] == list(range(2, 14))


def test_a_history_that_goes_on_is_cut_as_if_it_were_new() -> None:
    """Also one that was rewound, and one of another match between them."""
    (empire, history), (other, foreign) = played(2, 12)[-1], played(3, 12)[-1]
    whole = slots_of(history, empire)
    for length in (len(history) // 3, len(history) // 2, len(history), 5):
        cut = slots_of(history[:length], empire)
        assert cut[:-1] == whole[: len(cut) - 1]
        assert sum(len(slot.events) for slot in cut) == sum(isinstance(e, OpenEvent) for e in history[:length])
        assert slots_of(foreign, other)[-1].after == other
    assert slots_of(history, empire) == whole


def test_all_sheets_of_everybody_are_there_and_told_alike_to_all() -> None:
    empire, history = played(3, 12)[-1]
    made = sheets(history, empire, A)
    assert made == sheets(history, empire, B)
    for seat in empire.seats:
        own, *others = [c.name for c in empire.countries.values() if c.owner == seat]
        names = [s.name for s in made if s.of == seat]
        assert own and names[:10] == [*"abcdefghij"]
        assert [name[0] for name in names[10:]] == [*"abcdefghj"] * len(others)
    assert [s.name for s in made if s.of is None] == ["order", "rolls", "petitions", "standings"]


# ---------------------------------------------------------------- a, military location


def test_sheet_a_shows_forces_arms_and_what_carries_them() -> None:
    empire, history = begun()
    at = next(c.at for c in empire.cities.values() if c.country == "Arcadia")
    empire, truck = put(empire, "truck", "Arcadia", at)
    empire, ship = put(empire, "destroyer", "Arcadia", at, status="dock")
    empire, tank = put(empire, "armour", "Arcadia", at, parts=("tank", "HAU", "T&S"))
    empire = empire.with_lot(Lot("SAU", 2, "Arcadia", at, aboard=truck))
    found = sheet(empire, history, "a")
    assert rows(found, "Navy") == (("destroyer", ship, at, "in dock", "", ""),)
    (city,) = [city.name for city in empire.cities.values() if city.at == at]
    assert ("armour", tank, at, f"in {city}", "1 tank, 1 HAU and 1 T&S", "") in rows(found, "Land")
    assert rows(found, "Weapons") == (("SAU", 2, at, f"aboard truck {truck}"),)
    assert [r[:2] + r[5:] for r in rows(found, "Ships, planes")] == [("truck", truck, "2 SAU")]
    assert all(r[1] != "truck" for r in rows(sheet(empire, history, "b"), "In the cities"))


# ---------------------------------------------------------------- c and d, the turn and the record


def _worked() -> tuple[Empire, Told]:
    empire, history = begun()
    at = next(c.at for c in empire.cities.values() if c.country == "Arcadia")
    ship = empire.next_unit
    return more(
        empire, history,
        PicksAppeared("Arcadia", at, ("fishing ship",)),
        SquareTaken("Arcadia", at, "fish", 1, ship),
        OutputAppeared("Arcadia", at, "fish", (Lot("food", 5, "Arcadia", at),)),
        SquareInvested("Arcadia", at, "fish", 1, 3),
        WorkFinished("Arcadia", 7, "steel mill", at, 2, 4),
        LineLaid("Arcadia", 8, "road", (f"{at}N", f"{at}E"), 1, 1),
        ConfidenceRolled("Arcadia", 7, 1, 6),
    )  # fmt: skip


def test_sheet_c_shows_squares_works_and_the_totals() -> None:
    empire, history = _worked()
    at = next(c.at for c in empire.cities.values() if c.country == "Arcadia")
    found = sheet(empire, history, "c")
    ship = empire.worked[0].unit
    assert rows(found, "Squares developed") == ((at, "fish", "developed, single", f"fishing ship {ship}", 1, 3),)
    assert rows(found, "Built") == ((at, "steel mill", 2, 4), (f"{at}N, {at}E", "road", 1, 1))
    assert rows(found, "Totals") == (("Cost", 3), ("Investment", 1), ("EDU", 8))


def test_squares_worked_on_are_summed_up_on_sheet_c_and_one_that_is_abandoned_is_named() -> None:
    empire, history = _worked()
    at = empire.worked[0].at
    empire, history = more(
        empire, history, BudgetClosed("Arcadia", empire.countries["Arcadia"].booked, 8, 0),
        SlotCame(A, 2, 3), SlotOpened(A), SquareInvested("Arcadia", at, "fish", 1, 0),
        SquareGivenUp("Arcadia", at, "fish", "nobody is left there"),
    )  # fmt: skip
    assert rows(sheet(empire, history, "c"), "Squares developed") == (
        (at, "fish", "abandoned: nobody is left there", "", "", ""),
        ("", "", "investment kept up: 1 square", "", 1, 0),
    )
    assert row(sheet(empire, history, "d"), "Economy")["Investment so far"] == 2


def test_sheet_d_has_a_row_for_the_turn_with_the_modified_roll_and_the_tax_of_a_quarter() -> None:
    found = sheet(*_worked(), "d")
    economy = row(found, "Economy")
    assert (economy["Roll"], economy["Expenditure"], economy["EDU"], economy["Tax"]) == ("7-->6", 3, 8, "2")
    assert (economy["Investment of the turn"], economy["Investment so far"]) == (1, 1)
    assert row(found, "Food and people") == {"Turn": 1, "Food squares": 1, "Coolies": 30, "Population": 2}


def test_sheet_d_reckons_oil_by_flight_by_ship_at_sea_and_by_bta_of_armed_transport() -> None:
    empire, history = begun()
    at = next(c.at for c in empire.cities.values() if c.country == "Arcadia")
    kinds = ("fighter", "fighter", "cruiser", "submarine", "destroyer")
    numbers = []
    for kind in kinds:
        empire, number = put(empire, kind, "Arcadia", at, status="dock" if KINDS[kind].category == "naval" else "")
        numbers.append(number)
    empire, gun = put(empire, "artillery", "Arcadia", at, parts=("HAU", "T&S"))
    first_plane, _, cruiser, submarine, _ = numbers
    flight = UnitMoved(first_plane, "fighter", "Arcadia", at, (at,), 15, "air")
    # The position was changed by hand, so the sheet is made of slots of its own that begin with it.
    opened = history[-1]
    empire, happened = more(
        empire, (opened,), flight, flight,
        StatusChanged(submarine, "submarine", "Arcadia", at, "", "put to sea"),
        StatusChanged(submarine, "submarine", "Arcadia", at, "dock", "docked"),
        UnitMoved(cruiser, "cruiser", "Arcadia", at, (at,), 24),
        UnitMoved(gun, "artillery", "Arcadia", at, (at, at), 80),
    )  # fmt: skip
    from referee.games.empire.telling.sheets import economic_sheet
    from referee.games.empire.telling.sheets.slots import Slot

    events = tuple(event for event in happened if isinstance(event, OpenEvent))
    slot = Slot(A, 1, empire.slot, empire, events, empire)
    due = row(economic_sheet([slot], replace(empire.countries["Arcadia"], oil_due=0)), "Oil")
    assert due["Oil due for flights"] == "0.02"
    assert due["for navy at sea"] == "0.075"  # cruiser 1/20, submarine 1/40; the destroyer lay in dock
    assert due["for transport and supply"] == "4/15"  # 80/30 BTA at a tenth
    assert row(economic_sheet([slot], empire.countries["Arcadia"]), "Military")["Navy at sea"] == "1 cruiser"


# ---------------------------------------------------------------- e and f, trade and stock


def test_a_transfer_stands_on_both_trade_sheets_with_place_and_time_and_is_traded_on_sheet_f() -> None:
    empire, history = begun()
    at = next(c.at for c in empire.cities.values() if c.country == "Arcadia")
    lot = next(lot for lot in empire.lots if (lot.country, lot.what) == ("Arcadia", "St"))
    gift = (replace(lot, number=2),)
    empire, history = more(
        empire, history,
        FoodEaten("Arcadia", 1, (replace(lot, what="food", number=1),)),
        ControlPassed(1, "Arcadia", "Borealis", at, (), gift, (("St", 2),)),
    )  # fmt: skip
    for country, change in (("Arcadia", -2), ("Borealis", 2)):
        (line,) = rows(sheet(empire, history, "e", country), "Transfers")
        assert line == (1, "2 (Arcadia)", 2, at, "Arcadia", "Borealis", "2 St", "given and accepted", "emp.P12")
        steel = [r for r in sheet(empire, history, "f", country).grids[0].rows if r[0] == "St"]
        had = 5 if country == "Arcadia" else 0
        assert steel == [("St", had, 0 if had else 5, change, 0, 5 + change)]
    food = [r for r in sheet(empire, history, "f").grids[0].rows if r[0] == "food"]
    assert food == [("food", 10, 0, 0, 1, 9)]


# ---------------------------------------------------------------- h, i, j and the table


def test_lines_stand_by_square_and_side_and_lone_factories_on_sheet_h() -> None:
    empire, history = _worked()
    at = next(c.at for c in empire.cities.values() if c.country == "Arcadia")
    assert rows(sheet(empire, history, "j"), "Laid") == (("road", at, "N, E", 1),)
    assert rows(sheet(empire, history, "j", "Borealis"), "Laid") == ()
    lone = next(name for name, square in empire.board.squares.items() if not square.water and not empire.city_at(name))
    empire, history = more(empire, history, WorkFinished("Arcadia", 9, "mine", lone, 2, 4))
    assert rows(sheet(empire, history, "h"), "Factories") == ((lone, "mine", 1),)
    assert rows(sheet(empire, history, "h", "Borealis"), "Factories") == ()


def test_the_move_order_sheet_notes_the_rolls_of_two_turns_and_another_on_request_all() -> None:
    empire, history = played(4, 6)[-1]
    found = {s.name: s for s in sheets(history, empire, A)}
    every = rows(found["rolls"], "Rolled out")
    assert found["rolls"].on_request and [r[1] for r in every] == [2, 3, 4, 5, 6, 7]
    assert all(str(r[5]) for r in every)
    assert rows(found["order"], f"Rolled out since turn {empire.turn - 1}") == every[-3:] and empire.turn == 3


def test_the_sheet_of_petitions_goes_out_while_one_is_open() -> None:
    empire, _ = begun()
    assert petitions_sheet(empire).on_request
    asked = replace(empire, petitions=(Petition(1, "clarification", "May it?", A, 1),))
    assert not petitions_sheet(asked).on_request
    settled = replace(empire, petitions=(replace(asked.petitions[0], result="passed"),))
    assert petitions_sheet(settled).on_request and rows(petitions_sheet(settled), "Petitions")


def test_the_logs_hold_every_die_and_every_sentence() -> None:
    _, history = played(4, 6)[-1]
    events, dice = logs(history, A)
    assert len(dice.grids[0].rows) >= 6 + 2
    assert len(events.grids[0].rows) == sum(bool(event.sentence()) for event in history)


# ---------------------------------------------------------------- the report


@pytest.mark.parametrize("seed", range(3))
def test_every_phase_has_a_report_that_says_it_all_in_one_sentence(seed: int) -> None:
    stages = played(seed, 12)
    for (before, earlier), (after, history) in itertools.pairwise(stages):
        page = report(before, history[len(earlier) :], after, A)
        assert page == report(before, history[len(earlier) :], after, B)
        assert page.summary.endswith(".") and len(page.summary) < 600


def bullets(told: Sequence[Event]) -> list[str]:
    """The lines of the story of a slot."""
    empire, _ = begun()
    page = report(empire, told, empire, A)
    return [line for block in page.blocks if isinstance(block, Bullets) for line in block.items]


def test_moves_made_alike_are_told_once() -> None:
    empire, _ = begun()
    at = next(c.at for c in empire.cities.values() if c.country == "Arcadia")
    units = [unit for unit in empire.units_of("Arcadia", "coolie")][:3]
    moves = [UnitMoved(unit.number, "coolie", "Arcadia", at, ("c1r1",), 60) for unit in units]
    told = bullets(moves)
    numbers = [str(unit.number) for unit in units]
    which = f"{numbers[0]}, {numbers[1]} and {numbers[2]}"
    assert told == [f"Arcadia's 3 coolies ({which}) went from {at} to c1r1: 2 BTA each. [emp.move.bta]"]


def test_sections_name_only_events_there_are() -> None:
    from referee.games.empire.telling.outlook import _HEADINGS

    assert sorted(_HEADINGS.keys() - {kind.__name__ for kind in EMPIRE.events}) == []


def test_a_country_that_was_split_off_has_sheets_of_its_own_names_and_stands_on_sheet_i() -> None:
    empire, history = begun()
    old, unit = empire.countries["Arcadia"], empire.units_of("Arcadia", "coolie")[0]
    new = replace(old, name="New Arcadia", origin="created", parent="Arcadia")
    counts = (("coolie", 1),)
    empire, history = more(empire, history, CountrySplit("Arcadia", new, (), unit.number, (unit.number,), (), counts))
    names = [s.name for s in sheets(history, empire, A) if s.of == A]
    assert names == [*"abcdefghij", *(f"{letter}-New-Arcadia" for letter in "abcdefghj")]
    assert rows(sheet(empire, history, "i"), "Countries") == (
        (1, "Arcadia", "starting", "", 0, ""),
        (2, "New Arcadia", "created", "Arcadia", 0, ""),
    )
    stock = {what: numbers for what, *numbers in sheet(empire, history, "f", "New Arcadia").grids[0].rows}
    assert stock == {"coolie": [0, 0, 1, 1, 0], "government coolie": [0, 1, 0, 0, 1]}
    assert row(sheet(empire, history, "d", "New Arcadia"), "Food and people")["Population"] == 1
    assert len(rows(sheet(empire, history, "c"), "Balkanization")) == 1


def test_a_theft_stands_on_the_victims_trade_sheet_with_who_took_it() -> None:
    empire, history = begun()
    unit = empire.units_of("Arcadia", "coolie")[0]
    theft = UnitSeized(unit.number, "coolie", 33, "Arcadia", "Borealis", unit.at, (unit.number,), (), (("coolie", 1),))
    empire, history = more(empire, history, theft)
    (line,) = rows(sheet(empire, history, "e"), "Transfers")
    assert line[3:] == (unit.at, "Arcadia", "Borealis", "1 coolie", "seized by unit 33", "emp.P16")


def test_units_that_went_from_one_square_to_several_stand_in_one_line() -> None:
    moved = [UnitMoved(n, "coolie", A, "c1r1", way, cost * BTA) for n, way, cost in (
        (3, ("c1r2",), 2), (4, ("c1r2", "c1r3"), 4), (5, ("c1r2",), 2), (6, ("c2r2",), 2))]  # fmt: skip
    told = bullets([*moved, UnitMoved(3, "coolie", A, "c1r2", ("c1r3",), 2 * BTA)])
    assert told == [
        "Arcadia's coolies went from c1r1: 3 and 5 to c1r2 (2 BTA each); 4 to c1r3 through c1r2 (4 BTA); "
        "6 to c2r2 (2 BTA). [emp.move.bta]",
        "Arcadia's coolie 3 went from c1r2 to c1r3: 2 BTA.",
    ]


def test_squares_taken_to_work_stand_under_what_they_give() -> None:
    taken = [
        SquareTaken(A, at, kind, 1, n)
        for n, (at, kind) in enumerate((("c1r1", "farm"), ("c1r2", "Fe"), ("c1r3", "farm")))
    ]
    assert bullets(taken) == [
        "Arcadia sets to work: farm in c1r1 (unit 0) and c1r3 (unit 2); Fe in c1r2 (unit 1). [emp.board.develop]"
    ]


def test_the_summary_says_whose_planes_fell() -> None:
    empire, _ = begun()
    fell = PlanesIntercepted(
        A, "Borealis", "c1r2", (), ((39, ""),), (6,), (6,), ((88, "strategic bomber"), (39, "fighter"))
    )
    assert report(empire, [fell], empire, A).summary.startswith(
        "Arcadia's strategic bomber 88 and Borealis's fighter 39 shot down over c1r2"
    )
