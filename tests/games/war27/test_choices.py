"""What may be ordered in movement: the choices lead to every march, voyage and landing that is granted, and to no other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.choices import Picked, Step, after, walk
from referee.core.names import Seat
from referee.core.order import Intent, Order, Portion, Quantity
from referee.games.war.deeds import Lot
from referee.games.war.game import War27
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.move import MoveUnits, SailFleets
from referee.games.war.orders.opening import AskPlacement, PlacePieces
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import carriers, land_way
from referee.games.war.rulebook import BOARD, LAND_UNITS
from referee.games.war17.game import War17
from referee.kit.declared import Declared, at_random
from referee.orders import understand
from tests.contract.bots import play_bots

GAME = War27()
Found = tuple[object, ...]
Asked = tuple[War, Seat]


def shares(players: int, seed: int, number: int) -> list[Asked]:
    """The positions in which bots were asked for movement, so many of them from all over the game."""
    options = {setting.name: setting.values[0] for setting in GAME.settings} | {"last_turn": "2"}
    record = play_bots(GAME, players, options, seed)
    asked = [(state, question.seat) for question, state in record.asked if "MOVE" in question.menu.words()]
    return [asked[len(asked) * place // number] for place in range(number)]


@pytest.fixture(
    scope="module", params=[((8, 3, 4),), pytest.param(((2, 1, 3), (4, 5, 6), (6, 2, 3)), marks=pytest.mark.slow)]
)
def positions(request: pytest.FixtureRequest) -> list[Asked]:
    """Four positions of a game of eight, whose empires are small; a dozen of three games in the slow runs."""
    return [asked for game in request.param for asked in shares(*game)]


def reached(
    war: War, seat: Seat, verb: str, sheet: Sequence[Intent] = (), so_far: tuple[Picked, ...] = ()
) -> Iterator[Intent]:
    """Every order of a single lot that the answers lead to, after the lines of a sheet."""
    found = after(GAME.asking(war, seat, verb, sheet), so_far)
    if not isinstance(found, Step):
        yield from () if found is None else (found,)
        return
    singles = [(choice.word,) for choice in found.choices]
    numbers = [(str(number),) for number in range(found.least, found.most + 1)] if found.counts else []
    none = [()] if not found.counts and not found.least else []
    for picked in numbers or none or singles:
        yield from reached(war, seat, verb, sheet, (*so_far, picked))


def exactly(kind: str, number: int) -> tuple[Lot, ...]:
    return (Lot(kind, Quantity(Portion.EXACTLY, number)),)


def single(order: MoveUnits | EmbarkUnits | LandUnits) -> tuple[str, int]:
    (lot,) = order.lots
    return lot.kind, lot.quantity.number


# ---------------------------------------------------------------- found by trying


def all_moves(war: War, seat: Seat) -> Iterator[Found]:
    """Through native regions where they are named, two at most: no explorer goes farther."""
    for land in (land for land in war.lands.values() if seat in land.present):
        reach = (
            (name, land_way(war, seat, land.name, name)) for name, there in war.lands.items() if there.owner is None
        )
        near = [name for name, way in reach if way is not None and way.cost <= war.kinds["explorer"].moves]
        ways = [(), *((name,) for name in near)]
        ways += [(name, on) for name in near for on in BOARD.regions[name].borders if war.lands[on].owner is None]
        for kind, target in product(LAND_UNITS, war.lands):
            for number in range(1, land.count(seat, kind) + 1):
                named = ways if kind == "explorer" else ways[:1]
                if any(MoveUnits(exactly(kind, number), land.name, target, via).lawful(war, seat) for via in named):
                    yield land.name, target, kind, number


def all_embarkings(war: War, seat: Seat) -> Iterator[Found]:
    for land, sea, kind in product(war.lands.values(), BOARD.seas, LAND_UNITS):
        for number in range(1, land.count(seat, kind) + 1):
            if carriers(war, seat, sea) and EmbarkUnits(exactly(kind, number), land.name, sea).lawful(war, seat):
                yield land.name, sea, kind, number


def all_landings(war: War, seat: Seat) -> Iterator[Found]:
    for sea, target, kind in product(dict.fromkeys(f.sea for f in war.fleets_of(seat)), war.lands, LAND_UNITS):
        for number in range(1, 9):
            if LandUnits(exactly(kind, number), sea, target).lawful(war, seat):
                yield sea, target, kind, number


def all_voyages(war: War, seat: Seat) -> Iterator[Found]:
    for origin, target in product(dict.fromkeys(f.sea for f in war.fleets_of(seat)), BOARD.seas):
        for number in range(1, len(war.fleets_of(seat, origin)) + 1):
            if SailFleets(Quantity(Portion.EXACTLY, number), origin, target).lawful(war, seat):
                yield origin, target, number


def told(order: Intent) -> Found:
    match order:
        case MoveUnits():
            return order.origin, order.target, *single(order)
        case EmbarkUnits():
            return order.origin, order.sea, *single(order)
        case LandUnits():
            return order.sea, order.target, *single(order)
        case SailFleets():
            return order.origin, order.target, order.quantity.number
    raise AssertionError(order)


BY_TRYING: dict[str, Callable[[War, Seat], Iterator[Found]]] = {
    "MOVE": all_moves, "EMBARK": all_embarkings, "LAND": all_landings, "SAIL": all_voyages,
}  # fmt: skip


@pytest.mark.parametrize("verb", BY_TRYING)
def test_the_choices_are_all_that_is_granted_and_no_other(positions: list[Asked], verb: str) -> None:
    seen = 0
    for state, seat in positions:
        boarded = tuple(islice(reached(state, seat, "EMBARK"), 1)) if verb == "LAND" else ()
        lawful = set(BY_TRYING[verb](GAME.ahead(state, seat, boarded)(verb), seat))
        found = {told(order) for order in reached(state, seat, verb, boarded)}
        assert found == lawful, (seat, found ^ lawful)
        seen += len(found)
    assert seen


# ---------------------------------------------------------------- sheets one after the other


def test_the_form_of_each_sheet_offers_what_that_sheet_takes_and_does_not_pay_maintenance_twice() -> None:
    options = {setting.name: setting.values[0] for setting in GAME.settings}
    record = play_bots(GAME, 2, options | {"production": "in_order", "last_turn": "2"}, 5)
    sheets = [(q, state) for q, state in record.asked if q.wants_orders and state.stage == "production"]
    bought = False
    for question, state in sheets:
        head, *lines = GAME.order_form(state, question.seat)
        purse = state.treasuries[question.seat]
        assert head == f"# You have {purse.pp} PP and {purse.dp} DP; the maintenance of this turn is paid."
        sentences = [understand(line.lstrip("# "), GAME.vocabulary(state)) for line in lines]
        orders = [GAME.bind(state, question.seat, order) for order in sentences if isinstance(order, Order)]
        verbs = {order.words.verb for order in orders if isinstance(order, Declared)}
        assert verbs <= {*question.menu.words(), *GAME.aside_verbs()}, (question.key, verbs)
        bought = bought or "BUY DP" in verbs
    assert sheets and bought


# ---------------------------------------------------------------- by optional rules


@pytest.mark.parametrize("verb", ["BID", "INSERT", "JOIN", "APPROVE", "ADMIT", "CONSENT"])
def test_choices_of_optional_rules_are_read_back_as_they_are_and_there_by_their_rule_alone(verb: str) -> None:
    options = {setting.name: setting.values[0] for setting in GAME.settings}
    plain = GAME.setup((Seat("Red"), Seat("Blue"), Seat("Green")), options)
    rules = dict.fromkeys(("auction", "alliances", "simultaneous"), "yes")
    war = replace(plain, stage="production", turn=1, options={**options, **rules})
    war = war.paying(Seat("Red"), pp=9)
    rng = random.Random(4)
    for _ in range(30):
        order = walk(GAME.book.orders[verb].choices(war, Seat("Red")), at_random(rng.randrange))
        assert order is not None
        said = understand(GAME.line(war, order), GAME.vocabulary(war))
        assert isinstance(said, Order) and GAME.bind(war, Seat("Red"), said) == order
    assert after(GAME.asking(plain, Seat("Red"), verb), ()) is None


# ---------------------------------------------------------------- before play


@pytest.mark.parametrize("game", [War27(), War17()], ids=["27", "17"])
def test_what_is_chosen_to_be_placed_or_asked_is_done_with_what_is_bought(game: War27 | War17) -> None:
    options = {setting.name: setting.values[0] for setting in game.settings} | {"last_turn": "2"}
    record = play_bots(game, 3, options, 1)
    asked = [(state, q.seat) for q, state in record.asked if q.wants_orders and "PLACE" in q.menu.words()]
    rng, places = random.Random(6), Counter[str]()
    buy: Any = game.book.orders["BUY"]
    for state, seat in asked * 20:
        placed = walk(game.book.orders["PLACE"].choices(state, seat), at_random(rng.randrange))
        asking = walk(game.book.orders["ASK"].choices(state, seat), at_random(rng.randrange))
        assert isinstance(placed, PlacePieces) and isinstance(asking, AskPlacement)
        bought = buy(
            tuple(replace(lot, quantity=Quantity(Portion.EXACTLY, lot.quantity.number or 1)) for lot in placed.lots)
        )
        for order in (bought, placed, asking):
            said = understand(game.line(state, order), game.vocabulary(state))
            assert isinstance(said, Order) and game.bind(state, seat, said) == order
        doubts = [doubt for doubt in game.doubts(state, seat, (bought, placed, asking)) if doubt.undone]
        assert doubts == [], (bought, placed)
        places[placed.place] += 1
        for verb in ("PLACE", "ASK"):
            assert after(game.asking(state, seat, verb), ()) is None
            assert after(game.asking(state, seat, verb, (bought,)), ()) is not None
    assert len(places) > 5
    assert after(game.asking(replace(asked[0][0], stage="movement"), asked[0][1], "PLACE"), ()) is None


@pytest.mark.parametrize(
    ("verb", "option"),
    [("SWAP", "random_regions"), ("CAPITAL", "capital_only"), ("FREE", "historical"), ("FREE RESOURCE", "historical")],
)
def test_choices_of_an_optional_set_up_are_read_back_as_they_are_and_leave_no_doubt(verb: str, option: str) -> None:
    several = {"multiple_buildings": "2"} if option == "capital_only" else {}
    options = {setting.name: setting.values[0] for setting in GAME.settings} | {
        "last_turn": "2",
        option: "yes",
        **several,
    }
    record = play_bots(GAME, 3, options, 1)
    asked = [(state, q.seat) for q, state in record.asked if q.wants_orders and verb in q.menu.words()]
    rng, seen = random.Random(6), set[str]()
    for state, seat in asked * 10:
        order = walk(GAME.book.orders[verb].choices(state, seat), at_random(rng.randrange))
        assert order is not None
        said = understand(GAME.line(state, order), GAME.vocabulary(state))
        assert isinstance(said, Order) and GAME.bind(state, seat, said) == order
        seen.add(GAME.line(state, order))
        assert GAME.doubts(state, seat, (order,)) == ()
    assert len(seen) > 1 and after(GAME.asking(replace(asked[0][0], stage="movement"), asked[0][1], verb), ()) is None
