"""What may be ordered: the choices lead to whatever is lawful and may be written, and to nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import cycle, islice, product
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.choices import Picked, Step, after, walk
from referee.core.names import Seat
from referee.core.order import Intent, Order, Portion, Quantity, bare
from referee.games.war.deeds import Lot
from referee.games.war.game import War27
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.move import MoveUnits, SailFleets
from referee.games.war.orders.movement_base import MoveOrder, region_of
from referee.games.war.orders.setup import AskPlacement, PlacePieces
from referee.games.war.position.state import War
from referee.games.war.reckoning import carriers, land_way
from referee.games.war.rulebook import BOARD, LAND_UNITS
from referee.games.war17.game import War17
from referee.kit.declared import Declared, at_random
from referee.orders import understand
from tests.contract.bots import play_bots
from tests.contract.choosing import Scene, can_be_chosen, lawful, out_of_reach, wants
from tests.games.war17 import staging as staging17
from tests.games.war27 import staging as staging27

# ---------------------------------------------------------------- movement


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
    war: War,
    seat: Seat,
    verb: str,
    sheet: Sequence[Intent] = (),
    so_far: tuple[Picked, ...] = (),
    game: War27 | War17 = GAME,
) -> Iterator[Intent]:
    """Every order of a single lot that the answers lead to, after the lines of a sheet."""
    found = after(game.asking(war, seat, verb, sheet), so_far)
    if not isinstance(found, Step):
        yield from () if found is None else (found,)
        return
    singles = [(choice.word,) for choice in found.choices]
    numbers = [(str(number),) for number in range(found.least, found.most + 1)] if found.counts else []
    none = [()] if not found.counts and not found.least else []
    for picked in numbers or none or singles:
        yield from reached(war, seat, verb, sheet, (*so_far, picked), game)


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
# The orders of which bots are asked too seldom: so many choices of each.


CHOICES = pytest.mark.parametrize("number", [60, pytest.param(20_000, id="many", marks=pytest.mark.slow)])


def check_chosen(game: War27 | War17, war: War, seat: Seat, *sheet: Intent) -> None:
    """The lines of a sheet are read back as they are, and nothing stands against them."""
    for order in sheet:
        said = understand(game.line(war, order), game.vocabulary(war))
        assert isinstance(said, Order) and game.bind(war, seat, said) == order
    assert [doubt for doubt in game.doubts(war, seat, sheet) if doubt.undone] == [], sheet


@CHOICES
@pytest.mark.parametrize("verb", ["BID", "INSERT", "JOIN", "APPROVE", "ADMIT", "CONSENT"])
def test_choices_of_optional_rules_are_carried_out_and_there_by_their_rule_alone(verb: str, number: int) -> None:
    options = {setting.name: setting.values[0] for setting in GAME.settings}
    plain = GAME.setup((Seat("Red"), Seat("Blue"), Seat("Green")), options)
    rules = dict.fromkeys(("auction", "alliances", "simultaneous"), "yes")
    war = replace(plain, stage="production", turn=1, options={**options, **rules})
    war = war.paying(Seat("Red"), pp=9)
    rng = random.Random(4)
    for _ in range(number):
        order = walk(GAME.book.orders[verb].choices(war, Seat("Red")), at_random(rng.randrange))
        assert order is not None
        check_chosen(GAME, war, Seat("Red"), order)
    assert after(GAME.asking(plain, Seat("Red"), verb), ()) is None


@CHOICES
@pytest.mark.parametrize("game", [War27(), War17()], ids=["27", "17"])
@pytest.mark.parametrize("verb", ["DESTROY", "DIG"])
def test_choices_of_a_canal_and_of_scorched_earth_are_carried_out(verb: str, game: War27 | War17, number: int) -> None:
    if verb in game.declared():
        war, rng = rich(game), random.Random(4)
        war = replace(war, stage="production") if verb == "DIG" else war
        for _ in range(number):
            order = walk(game.asking(war, RED, verb), at_random(rng.randrange, 3))
            assert order is not None
            check_chosen(game, war, RED, order)


# ---------------------------------------------------------------- before play


@CHOICES
@pytest.mark.parametrize("game", [War27(), War17()], ids=["27", "17"])
def test_what_is_chosen_to_be_placed_or_asked_is_done_with_what_is_bought(game: War27 | War17, number: int) -> None:
    options = {setting.name: setting.values[0] for setting in game.settings} | {"last_turn": "2"}
    record = play_bots(game, 3, options, 1)
    asked = [(state, q.seat) for q, state in record.asked if q.wants_orders and "PLACE" in q.menu.words()]
    rng, places = random.Random(6), Counter[str]()
    for state, seat in islice(cycle(asked), number):
        sheet: list[Any] = [walk(game.asking(state, seat, "BUY"), at_random(rng.randrange))]
        while placed := walk(game.asking(state, seat, "PLACE", sheet), at_random(rng.randrange)):
            assert isinstance(placed, PlacePieces) and len(sheet) < 99
            sheet.append(placed)
            places[placed.place] += 1
        asking = walk(game.asking(state, seat, "ASK", sheet[:1]), at_random(rng.randrange))
        assert isinstance(asking, AskPlacement)
        check_chosen(game, state, seat, *sheet, asking)
        for verb in ("PLACE", "ASK"):
            assert after(game.asking(state, seat, verb), ()) is None
    assert len(places) > 5
    assert after(game.asking(replace(asked[0][0], stage="movement"), asked[0][1], "PLACE"), ()) is None


@pytest.mark.parametrize("game", [War27(), War17()], ids=["27", "17"])
def test_a_city_is_not_offered_the_last_coast_of_a_port_that_is_bought(game: War27 | War17) -> None:
    staging = staging27 if isinstance(game, War27) else staging17
    war = staging.stage({setting.name: setting.values[0] for setting in game.settings})
    facts = ("the set-up is still to come", "Red holds Tibet, Siam, Bengal", "Blue holds Sudan", "Red has 400 PP")
    war = reduce(staging.given, facts, war)
    bought = lawful(game, war, RED, "BUY 1 city, 2 ports")
    assert bought is not None
    placed = [order for order in reached(war, RED, "PLACE", (bought,), game=game) if isinstance(order, PlacePieces)]
    assert [order.place for order in placed if order.lots == exactly("city", 1)] == ["Tibet"]
    assert {order.place for order in placed if order.lots == exactly("port", 1)} == {"Siam", "Bengal"}


@CHOICES
@pytest.mark.parametrize(
    ("verb", "option"),
    [("SWAP", "random_regions"), ("CAPITAL", "capital_only"), ("FREE", "historical"), ("FREE RESOURCE", "historical")],
)
def test_choices_of_an_optional_set_up_are_read_back_as_they_are_and_leave_no_doubt(
    verb: str, option: str, number: int
) -> None:
    several = {"multiple_buildings": "2"} if option == "capital_only" else {}
    options = {setting.name: setting.values[0] for setting in GAME.settings} | {
        "last_turn": "2",
        option: "yes",
        **several,
    }
    record = play_bots(GAME, 3, options, 1)
    asked = [(state, q.seat) for q, state in record.asked if q.wants_orders and verb in q.menu.words()]
    rng, seen = random.Random(6), set[str]()
    for state, seat in islice(cycle(asked), number):
        order = walk(GAME.book.orders[verb].choices(state, seat), at_random(rng.randrange))
        assert order is not None
        check_chosen(GAME, state, seat, order)
        seen.add(GAME.line(state, order))
        assert GAME.doubts(state, seat, (order,)) == ()
    assert len(seen) > 1 and after(GAME.asking(replace(asked[0][0], stage="movement"), asked[0][1], verb), ()) is None


# ---------------------------------------------------------------- lines made at random, in either edition


RED = Seat("Red")

FACTS = (
    "Red and Blue are at war", "Green offers peace to Red", "Red offers to cede Tripoli to Green",
    "Red holds Egypt with 4 infantry, 2 cavalry, 1 artillery, 1 general, 1 explorer, 2 engineers",
    "Red holds Palestine with 3 infantry, 1 general", "Red holds Arabia with 2 infantry, 1 engineer",
    "Red holds Tripoli with 2 infantry", "there is a city in Egypt", "there is a port in Egypt",
    "there is a school in Egypt", "there is a fort in Palestine", "there is a city in Tripoli",
    "the chit of Egypt is Cotton", "the chit of Palestine is Oil, developed", "the chit of Arabia is Oil",
    "Blue holds Sudan with 1 infantry", "Red has 2 cavalry in Sudan", "Green holds Abyssinia with 1 infantry",
    "Red has 1 explorer, 1 engineer in Kenya", "there is a fort in Sudan", "3 fleets of Red are in Red Sea",
    "a fleet of Red is in Red Sea with 2 infantry, 1 general aboard", "2 fleets of Red are in Eastern Mediterranean",
    "a fleet of Red is in Eastern Mediterranean with 1 infantry aboard", "a fleet of Blue is in Red Sea",
    "a fleet of Blue is in Arabian Sea", "Red has 90 PP and 9 DP",
)  # fmt: skip
"""A position in which nearly every order can be given, in both editions."""

NATIVES = (
    "the natives of Egypt are 9 face up", "the natives of Tripoli are 7 face up", "the natives of Sudan are 8 face up",
    "the natives of Abyssinia are 8", "the natives of Kenya are 8", "2 spheres of Red are in Egypt",
    "2 spheres of Blue are in Egypt", "1 sphere of Green is in Egypt", "1 sphere of Red is in Sudan",
    "1 sphere of Green is in Kenya",
)  # fmt: skip
"""What Version 27 alone has."""

RULES = dict.fromkeys(("auction", "alliances", "suez", "scorched", "interception"), "yes")
OWN = ("Egypt", "Palestine", "Arabia", "Tripoli")
REGIONS = (*OWN, "Sudan", "Abyssinia", "Kenya")
SEAS = ("Red Sea", "Eastern Mediterranean", "Arabian Sea")
BRIGADES = ("infantry", "cavalry", "artillery")
BUILDINGS = ("city", "port", "school", "fort")
OTHERS = ("Blue", "Green")

ELSEWHERE = {
    "DRAFT": "before play, see below", "BUY": "before play, see below", "PLACE": "before play, see below",
    "ASK": "before play, see below",
}  # fmt: skip

IDLE = ("DECISIONS standing",)
"""Lawful, and nothing comes of it: it is so already."""


def rich(game: War27 | War17, holds: Callable[[str], bool] = lambda fact: True) -> War:
    """The position, without the facts that do not hold."""
    facts = (*FACTS, *NATIVES) if isinstance(game, War27) else [fact.replace("general", "leader") for fact in FACTS]
    options = {setting.name: RULES.get(setting.name, setting.values[0]) for setting in game.settings}
    staging = staging27 if isinstance(game, War27) else staging17
    war: War = reduce(staging.given, filter(holds, facts), staging.stage(options))
    return war


class Words:
    """Parts of lines made at random."""

    def __init__(self, parties: Sequence[str], seed: int | str) -> None:
        self.rng, self.parties = random.Random(seed), tuple(parties)

    def a(self, *of: str) -> str:
        return self.rng.choice(of)

    def to(self, most: int) -> str:
        return str(self.rng.randint(1, most))

    def some(self, of: Sequence[str], most: int = 2) -> str:
        return ", ".join(self.rng.sample(of, self.rng.randint(1, most)))

    def lots(self, of: Sequence[str], most: int = 2, *, named: bool = False) -> str:
        """`2 infantry, 1 explorer`; where kinds may be `named` alone, now and then without a number."""
        numbers = ("", "1", "2", "4") if named else ("1", "2")
        return ", ".join(
            f"{self.a(*numbers)} {kind}".strip() for kind in self.rng.sample(of, self.rng.randint(1, most))
        )

    def where(self, of: Sequence[str] = REGIONS) -> str:
        return self.a("", f" IN {self.a(*of)}")


def movement(say: Words) -> Iterator[str]:
    a, units = say.a, (*BRIGADES, *say.parties)
    while True:
        yield f"MOVE {say.lots(units)} FROM {a(*OWN)} TO {a(*REGIONS)}"
        yield f"EMBARK {say.lots(units)} FROM {a('Egypt', 'Palestine')} IN {a(*SEAS[:2])}{a('', ' ABOARD fleet 1')}"
        yield f"LAND {say.lots(('infantry', say.parties[-1]))} FROM {a(*SEAS[:2])} IN {a(*OWN)}"
        yield f"SAIL {a('1', '2', 'all', '1 loaded', '1 empty')} fleets FROM {a(*SEAS[:2])} TO {a(*SEAS)}"
        yield f"SAIL fleet {say.to(5)} FROM {a(*SEAS[:2])} TO {a(*SEAS)}"
        yield f"ATTACK Blue IN {a(*SEAS)}{a('', ' WITH 1 fleet', ' WITH 2 fleets', ' WITH fleet 1')}"
        yield f"DECLARE WAR ON {a(*OTHERS)}"
        yield f"DESTROY {a(*BUILDINGS, 'resource')} IN {a(*OWN)}{a('', ' WITH 1 infantry', ' WITH 1 engineer')}"
        yield f"RESOLVE {say.some(('Sudan', 'Kenya', 'Egypt'))}"
        yield f"EXPLORE Kenya{a('', ' WITH gift')}{a('', ' REMOVING Green')}{a('', ' BEFORE battle', ' LATER')}"
        yield f"PROSPECT {a(*OWN, 'Kenya')}"


def aside(say: Words) -> Iterator[str]:
    a = say.a
    while True:
        yield f"GIVE {say.to(90)} PP TO {a(*OTHERS)}"
        yield f"OFFER peace TO {a(*OTHERS)}"
        yield f"CEDE {a(*REGIONS)} TO {a(*OTHERS)}"
        yield f"{a('ACCEPT', 'DECLINE', 'WITHDRAW')} {say.to(3)}"
        yield f"DECISIONS {a('interactive', 'standing')}"
        yield f"ADMIT {a('all', 'none', 'all EXCEPT Blue', 'all EXCEPT Blue, Green')}"
        yield "CALL hour"


def standing(say: Words) -> Iterator[str]:
    a, to, some, units = say.a, say.to, say.some, (*BRIGADES, *say.parties)
    while True:
        yield f"SPHERES {a('support', 'suppress')}{say.where()}{a('', ' AGAINST Blue')}"
        yield f"STRIKE {some(('Red', *OTHERS), 3)}"
        yield f"POINTS {a('spheres', 'strength', '1 sphere', '4 spheres OF Green', '1 strength', 'spheres OF Blue')}"
        others = [kind for kind in (*units, "fleets") if kind != "cavalry"]
        yield f"DISBAND {say.lots(others, named=True)}{a('', ' IN Egypt')}{a('', ', 1 cavalry IN Sudan')}"
        yield f"EVACUATE TO {some((*REGIONS, *SEAS), 3)}"
        yield f"FAVOUR {some(OTHERS)}"
        yield f"PICK {some(('Oil', 'Gold', 'Coal', 'dot'), 3)}"
        yield f"STRAITS {a('closed', 'open', 'open EXCEPT Blue')}"
        when, force = (
            a("ALWAYS", "NEVER", "CARRYING", "AT 2 TO 1", "AT 5 TO 1"),
            a("", " WITH 1 fleet", " WITH 6 fleets"),
        )
        yield f"INTERCEPT {a('', 'Blue', 'Green')}{say.where(SEAS)} {when}{force}"
        yield f"BREAK OFF {a(f'AT {to(7)} TO 1', 'NEVER')}"
        yield f"LOSE FLEETS {a('empty', 'loaded', 'fleet 1', 'fleet 3, fleet 1')}{say.where(SEAS)}"
        company, limit = a("", f" WITH {say.lots(BRIGADES, 3, named=True)}"), a("", f" AGAINST up to {to(12)} brigades")
        yield f"REINFORCE {a(*REGIONS)} FROM {a(*REGIONS)}{company}{limit}"
        moment = a("NEVER", f"AFTER {to(3)}", f"BELOW {to(12)}", f"OUTNUMBERED {to(3)} TO 1")
        yield f"RETREAT {moment}{a('', f' FROM {a(*REGIONS)}')}{a('', f' TO {some((*REGIONS, *SEAS))}')}"
        yield f"SHIFT {a('none', 'all', f'{to(5)} points')}"
        yield f"LOSE {some(units, 3)}{say.where()}"
        yield f"FUSE {a('NEVER', f'FOR {a(*BRIGADES)}')}"
        yield f"CONVERT {a('none', *(f'1 {kind}' for kind in say.parties))}"
        yield f"RUN NATIVES{a('', ' AGAINST Blue', ' AGAINST Blue, Green')}"
        yield f"JOIN {a('none', *OTHERS)}{a('', ' AGAINST Blue')}"
        yield f"APPROVE {a('all', 'none', *OTHERS, 'Blue, Green')}"
        yield f"DEPLOY {a('even', f'{to(3)} left', f'{to(3)} centre, 12 right')}{say.where()}"
        yield f"RESERVE {a('none', '2 brigades', '12 brigades')}{say.where()}"
        yield f"STANCE {a('assault', 'stand', 'auto')}{a('', ' ON left')}{say.where()}"
        yield f"FEED {a('weakest', 'left')}{say.where()}"
        yield f"LEADERS {a('centre, left', 'left')}{say.where()}"
        yield f"PURSUE {a('cavalry', 'artillery')}{say.where()}"
        yield f"CROSS {a('none', 'Blue', 'Blue, Green')}"


def production(say: Words) -> Iterator[str]:
    a, to, units = say.a, say.to, (*BRIGADES, *say.parties)
    while True:
        yield f"BID {to(90)} PP"
        yield f"INSERT {a('FIRST', 'LAST', 'BEFORE Blue', 'AFTER Green')}"
        yield f"BUY {to(3)} DP"
        yield f"REMOVE {to(2)} spheres OF {a('Red', *OTHERS)} FROM {a('Egypt', 'Sudan', 'Kenya')}"
        yield f"WESTERNIZE {a(*OWN)}{a('', ' WITH 1 sphere', ' WITH 2 spheres')}"
        yield f"INCITE {a('Sudan', 'Abyssinia')}{a('', ' WITH 1 sphere', ' WITH bribe', ' WITH 1 sphere, bribe')}"
        yield f"BUILD {to(3)} {a(*units)} IN {a(*OWN)}"
        yield f"BUILD {to(2)} fleets IN {a('Egypt', 'Palestine')}{a('', f' AT {a(*SEAS)}')}"
        yield f"CONSTRUCT 1 {a(*BUILDINGS)} IN {a(*OWN)}"
        yield f"DEVELOP {a(*OWN)}"
        yield "DIG canal"


def test_a_region_to_choose_is_said_to_be_his_natives_or_anothers() -> None:
    war = staging27.given(
        staging27.stage({setting.name: setting.values[0] for setting in War27().settings}),
        "Red holds Egypt with 2 infantry",
    )
    sides = [(seat, name) for seat in (RED, Seat("Blue")) for name in ("Egypt", "Sudan")]
    assert [region_of(war, seat, name).meaning for seat, name in sides] == ["yours", "native", "Red", "native"]


def chosen(game: War27 | War17, war: War, intent: Intent) -> bool:
    """Whether an order can be chosen, or one that does the same: brigades are chosen before the parties that need their
    company, and a fleet that lies alone is not asked for by its number.
    """
    order: Any = bare(intent)
    fleets: tuple[int, ...] = getattr(order, "fleets", ()) if isinstance(order, MoveOrder) else ()
    if len(fleets) == 1 and len(war.fleets_of(RED, war.fleets[fleets[0]].sea)) == 1:
        order = order.but(fleets=())
    if isinstance(order, MoveUnits):
        order = order.but(lots=tuple(sorted(order.lots, key=lambda lot: LAND_UNITS.index(lot.kind))))
    return can_be_chosen(game, war, RED, order)


@pytest.mark.parametrize(
    ("number", "times", "over"),
    [pytest.param(4, 1, 1, id="some"), pytest.param(20_000, 200, 24, id="many", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("game", [War27(), War17()], ids=["27", "17"])
def test_lawful_lines_made_at_random_can_be_chosen(game: War27 | War17, number: int, times: int, over: int) -> None:
    """In the position, and in many of which some facts do not hold until there were so many lawful lines."""
    parties = ("explorers", "engineers", "generals" if isinstance(game, War27) else "leaders")

    def scenes() -> Iterator[Scene]:
        rng, moving = random.Random(43), rich(game)
        kinds = ((movement, 350), (aside, 60), (standing, 400), (production, 150))
        tried = [(kind, draws) for kind, draws in kinds if wants(islice(kind(Words(parties, 43)), draws))]
        for seed in range(43, 443):
            for kind, draws in tried:
                lines = kind(Words(parties, f"{kind.__name__} {seed}"))
                yield replace(moving, stage="production") if kind is production else moving, lines, draws * times
            moving = rich(game, lambda fact: rng.random() < 0.85)

    verbs = {verb.word for verb in game.vocabulary(rich(game)).verbs} - set(ELSEWHERE)
    missing = out_of_reach(game, RED, scenes(), verbs, number, over, partial(chosen, game))
    assert [line for line in missing if line not in IDLE] == []


def opening(say: Words) -> Iterator[str]:
    a, to, units = say.a, say.to, (*BRIGADES, *say.parties)
    while True:
        yield f"DRAFT {say.some(REGIONS, 3)}"
        yield f"SWAP {a(*OWN)} FOR {a('Sudan', 'Abyssinia')}"
        yield f"CAPITAL {a(*REGIONS)}"
        yield f"FREE 1 {a(*BUILDINGS)} IN {a('France', 'Spain')}"
        yield f"FREE RESOURCE IN {a('France', 'Spain')}"
        yield f"BUY {to(3)} {a(*units, 'fleets')}{a('', f', 1 {a(*BUILDINGS)}', f', {to(2)} ports, 1 school')}"
        yield f"PLACE {a('2', 'all')} {a(*units)}{a('', ', 1 city')} IN {a(*OWN)}"
        yield f"PLACE {a('1', 'all')} fleets IN {a(*SEAS)}"
        yield "ASK placement"


@pytest.mark.parametrize("edition", ["27", "17"])
def test_lawful_lines_of_the_set_up_can_be_chosen(edition: str) -> None:
    game, staging = (War27(), staging27) if edition == "27" else (War17(), staging17)
    rules = dict.fromkeys(("random_regions", "capital_only", "historical"), "yes") | {"multiple_buildings": "2"}
    options = {setting.name: rules.get(setting.name, setting.values[0]) for setting in game.settings}
    drafting = staging.given(staging.stage(options), "the set-up is still to come")
    held = ("Red holds Egypt, Palestine, Arabia, Tripoli, France", "Blue holds Sudan, Abyssinia")
    dealt = reduce(staging.given, held, drafting)
    buying = reduce(staging.given, ("Red has 400 PP",), dealt)
    say, made, missing = Words(("explorers", "engineers"), 43), Counter[str](), list[str]()
    bought = lawful(
        game, buying, RED, "BUY 2 infantry, 2 cavalry, 2 artillery, 2 explorers, 2 engineers, 1 city, 1 port, 1 fleet"
    )
    assert bought is not None
    for war, sheet, verbs in (
        (drafting, (), ("DRAFT", "CAPITAL")),
        (dealt, (), ("SWAP", "CAPITAL")),
        (buying, (), ("BUY", "FREE", "FREE RESOURCE")),
        (buying, (bought,), ("PLACE", "ASK")),
    ):
        for line in dict.fromkeys(islice(opening(say), 200)):
            intent = lawful(game, war, RED, line, sheet)
            if intent is not None and game.book.verb_of(intent) in verbs:
                made[game.book.verb_of(intent)] += 1
                missing += [] if can_be_chosen(game, war, RED, intent, sheet) else [line]
    assert missing == [], missing
    assert {"DRAFT", "BUY", "PLACE", "ASK"} <= set(made) and (edition == "17" or len(made) == 8), made
