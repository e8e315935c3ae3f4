"""What is written from intents reads and binds to the same intents."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Portion, Quantity
from referee.games.war.deeds import Lot, line_of
from referee.games.war.game import GAME
from referee.games.war.orders.attack import AttackFleets
from referee.games.war.orders.building import BuildUnits
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.combat import ExploreRegion, ResolveInOrder
from referee.games.war.orders.move import MoveUnits, SailFleets
from referee.games.war.orders.natives import InciteRevolt, RemoveSphere, WesternizeRegion
from referee.games.war.orders.opening import AskPlacement, BuyPieces, DraftRegions, PlacePieces
from referee.games.war.orders.standing import ConvertRule, FuseRule, LossOrder, RunNatives
from referee.games.war.orders.standing_battles import (
    BreakOffRule,
    FleetLossOrder,
    InterceptRule,
    ReinforceRule,
    RetreatRule,
    ShiftRule,
    StraitsRule,
)
from referee.games.war.orders.standing_home import (
    DisbandOrder,
    EvacuateTo,
    FavourRule,
    PickRule,
    PointsRule,
    SphereRule,
    StrikeOrder,
)
from referee.games.war.rulebook import BOARD, BRIGADES, KINDS, PARTIES
from referee.orders import write
from referee.orders.lexicon import lexicon
from tests.games.war27.driving import BLUE, GREEN, RED
from tests.games.war27.stage_words import PLACING, WAR, WORDS, read
from tests.games.war27.staging import LAND_KINDS

# ---------------------------------------------------------------- printing and parsing mirror each other

regions = st.sampled_from(tuple(BOARD.regions))
seas = st.sampled_from(tuple(BOARD.seas))
places = st.one_of(regions, seas)
rivals = st.sampled_from((BLUE, GREEN))
few = st.integers(1, 30)
portions = st.one_of(
    st.builds(Quantity, st.sampled_from((Portion.EXACTLY, Portion.UP_TO, Portion.ALL_BUT)), few),
    st.sampled_from((Quantity(Portion.ALL), Quantity(Portion.HALF))),
)


def lots(kinds: tuple[str, ...]) -> st.SearchStrategy[tuple[Lot, ...]]:
    """Some of these kinds, each once."""
    one = st.builds(Lot, st.sampled_from(kinds), portions)
    return st.lists(one, min_size=1, max_size=3, unique_by=lambda lot: lot.kind).map(tuple)


def some(values: st.SearchStrategy[str], most: int = 4) -> st.SearchStrategy[tuple[str, ...]]:
    """One to four different ones, in any order."""
    return st.lists(values, min_size=1, max_size=most, unique=True).map(tuple)


def kinds(names: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    return some(st.sampled_from(names), len(names))


brought = st.dictionaries(st.sampled_from(BRIGADES), st.integers(0, 3)).map(lambda named: tuple(named.items()))


def or_none(values: st.SearchStrategy[Seat]) -> st.SearchStrategy[Seat | None]:
    return st.one_of(st.none(), values)


def or_blank(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(""), values)


ways_out = st.one_of(st.just(()), some(places))


def cannot_bind_alone(intent: Intent) -> bool:
    """Orders that the map alone forbids: the strategies draw places at random."""
    match intent:
        case EmbarkUnits(_, origin, sea):
            return sea not in BOARD.regions[origin].seas
        case LandUnits(_, sea, target):
            return target not in BOARD.seas[sea].coasts
        case SailFleets(_, origin, target, via, _):
            return origin == target and not via
        case ReinforceRule(region, origin):
            return origin not in BOARD.regions[region].borders
        case BuildUnits(kind, _, region, sea):
            seas_there = BOARD.regions[region].seas
            return bool(sea) if kind != "fleet" else not seas_there or sea not in ("", *seas_there)
        case DisbandOrder(units):
            return any(kind == "fleet" and place in BOARD.regions for kind, place, _ in units)
        case _:
            return False


numbers = st.lists(few, max_size=3, unique=True).map(tuple)
forces = portions.filter(lambda quantity: quantity.portion is not Portion.ALL)

anything: st.SearchStrategy[Intent] = st.one_of(
    st.builds(RemoveSphere, regions, rivals, few),
    st.builds(WesternizeRegion, regions, st.integers(0, 5)),
    st.builds(InciteRevolt, regions, st.booleans(), st.booleans()),
    st.builds(BuildUnits, st.sampled_from(tuple(KINDS)), few, regions, or_blank(seas)),
    st.builds(MoveUnits, lots(LAND_KINDS), st.just("Egypt"), st.just("Palestine"), st.sampled_from(((), ("Sudan",)))),
    st.builds(EmbarkUnits, lots(LAND_KINDS), regions, seas, numbers),
    st.builds(LandUnits, lots(BRIGADES), seas, regions, numbers),
    st.builds(SailFleets, portions, seas, seas, st.lists(seas, max_size=3).map(tuple), st.sampled_from((None, True, False))),
    st.builds(SailFleets, st.just(Quantity(Portion.EXACTLY, 2)), seas, seas, fleets=st.sampled_from(((1, 3), (12, 2)))),
    st.builds(AttackFleets, rivals, seas, st.one_of(st.none(), portions)),
    st.builds(AttackFleets, rivals, seas, fleets=numbers),
    st.builds(ResolveInOrder, some(regions)),
    st.builds(ExploreRegion, regions, st.booleans(), or_none(rivals), st.booleans()),
    st.builds(
        DisbandOrder,
        st.lists(st.tuples(st.sampled_from(tuple(KINDS)), or_blank(places), st.integers(0, 3)), min_size=1).map(tuple),
    ),
    st.builds(SphereRule, st.sampled_from(("support", "suppress")), or_blank(regions), or_none(rivals)),
    st.builds(StrikeOrder, some(rivals)),
    st.builds(StraitsRule, st.one_of(st.just(()), some(rivals))),
    st.builds(InterceptRule, st.sampled_from(("always", "never", "carrying")), st.just(1), or_none(rivals), or_blank(seas)),
    st.builds(InterceptRule, st.just("ratio"), few, or_none(rivals), or_blank(seas)),
    st.builds(InterceptRule, st.just("always"), st.just(1), or_none(rivals), or_blank(seas), forces),
    st.builds(BreakOffRule, st.integers(0, 9)),
    st.builds(FleetLossOrder, st.sampled_from(("empty", "loaded")), or_blank(seas)),
    st.builds(EvacuateTo, some(places)),
    st.builds(ReinforceRule, regions, regions, brought, st.integers(0, 9)),
    st.builds(ShiftRule, st.one_of(st.none(), st.integers(0, 9))),
    st.builds(LossOrder, kinds(LAND_KINDS), or_blank(regions)),
    st.builds(FuseRule, or_blank(st.sampled_from(BRIGADES))),
    st.builds(RetreatRule, st.sampled_from(("after", "below", "outnumbered")), few, ways_out, or_blank(regions)),
    st.builds(RetreatRule, st.just("never"), st.just(0), ways_out, or_blank(regions)),
    st.builds(ConvertRule, or_blank(st.sampled_from([kind for kind in PARTIES if kind in KINDS]))),
    st.builds(PointsRule, st.just("strength"), st.integers(0, 3)),
    st.builds(PointsRule, st.just("spheres"), st.integers(0, 3), or_none(rivals)),
    st.builds(FavourRule, some(rivals)),
    st.builds(PickRule, some(st.sampled_from(("Oil", "Gold", "Tin", "dot")))),
    st.builds(RunNatives, st.one_of(st.just(()), some(rivals))),
)  # fmt: skip

before_play: st.SearchStrategy[Intent] = st.one_of(
    st.builds(DraftRegions, some(regions)),
    st.builds(BuyPieces, lots(("infantry", "cavalry"))),
    st.builds(PlacePieces, lots((*LAND_KINDS, "city", "fort")), st.sampled_from(("Egypt", "Arabia"))),
    st.builds(PlacePieces, lots(("fleet",)), st.sampled_from(("Red Sea", "Persian Gulf"))),
    st.just(AskPlacement()),
)

ELSEWHERE = replace(WAR, active=BLUE, feuds=())
"""Another's share: only what the map forbids is refused."""


@given(anything)
def test_what_is_written_reads_and_binds_to_the_same(intent: Intent) -> None:
    if cannot_bind_alone(intent):
        assert isinstance(GAME.bind(ELSEWHERE, RED, read(line_of(intent))), Illegal)
        return
    order = read(line_of(intent))
    assert GAME.bind(ELSEWHERE, RED, order) == intent
    assert read(write(order, lexicon(WORDS).singulars)) == order


@given(before_play)
def test_what_is_written_before_play_binds_to_the_same(intent: Intent) -> None:
    rich = PLACING.paying(RED, pp=10_000)
    order = read(line_of(intent))
    assert GAME.bind(rich, RED, order) == intent
    assert read(write(order, lexicon(WORDS).singulars)) == order
