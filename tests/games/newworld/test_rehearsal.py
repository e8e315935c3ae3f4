"""What PREVIEW calculates of New World: attacks by their sixes, cards by the deck, and what rehearsals bring."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.newworld.game import NewWorld
from referee.games.newworld.orders.army import AttackRegion
from referee.games.newworld.orders.spending import ColonizeCards, ResearchTechnologies, Wanted, Wish
from referee.games.newworld.position import Deck, World
from referee.games.newworld.rulebook import EUROPE
from referee.kit.odds import successes
from referee.service.turn.preview import spread
from tests.games.newworld.staging import stage

GAME = NewWorld()
FRANCE, SPAIN = Seat("France"), Seat("Spain")
OPTIONS = {setting.name: setting.default for setting in GAME.settings}
SIX = Fraction(1, 6)


def front(ours: int, theirs: int) -> World:
    """Armies of France and Spain in Europe, no fleets, equal levels."""
    world = stage(OPTIONS)
    for seat, armies in ((FRANCE, ours), (SPAIN, theirs)):
        power = replace(world.powers[seat], fleets=0, armies={**world.powers[seat].armies, EUROPE: armies})
        power = replace(power, stock={**power.stock, "food": 20, "gold": 20}, levels=dict.fromkeys(power.levels, 1))
        world = world.with_power(power)
    return world


def chance(
    world: World, about: str, what: str, *sheet: AttackRegion | ColonizeCards | ResearchTechnologies
) -> Fraction:
    found = [odds for odds in GAME.odds(world, FRANCE, sheet, ()) if (odds.about, odds.what) == (about, what)]
    return sum((odds.chance for odds in found), Fraction(0))


def test_an_attack_is_calculated_from_sixes() -> None:
    """Three dice against one army and two for the defence: a six at least, and not three against oneself."""
    attack = AttackRegion("Spain", EUROPE)
    takes = 1 - successes(3, SIX)[0]
    stays = 1 - successes(3, SIX)[3]
    about = f"Your attack on Spain in {EUROPE}"
    assert chance(front(3, 1), about, "you take nothing", attack) == 1 - takes * stays
    assert chance(front(3, 1), f"Your losses in {EUROPE}", "2 armies", attack) == successes(3, SIX)[2]


def test_rehearsals_come_to_the_same_within_their_margin() -> None:
    world, attack = front(3, 1), AttackRegion("Spain", EUROPE)
    seen = spread(GAME, world, FRANCE, (attack,), lambda _: ())
    about = f"Your losses in {EUROPE}"
    found = {odds.what: odds.chance for odds in seen.fortunes if odds.about == about}
    for what, often in found.items():
        assert abs(often - chance(world, about, what, attack)) <= Fraction(2 * seen.margin, 100)
    assert sum(found.values()) == 1


def test_cards_are_calculated_from_what_the_deck_holds() -> None:
    world = replace(front(1, 1), research=Deck({"Law": 1, "Finance": 3}, {}))
    drawn = 1 - Fraction(3, 4) * Fraction(2, 3)  # Science 1 and Urbanization 1: two cards of four, one of them Law
    assert chance(world, "2 research cards drawn", "one of Law", ResearchTechnologies((Wanted("Law"),))) == drawn
    exploring = replace(world, exploration=Deck({"Canadian Furs": 1, "Central American Gems": 4}, {}))
    furs = ColonizeCards((Wish("Furs", "Canada"),))
    assert chance(exploring, "1 territory turned up", "Furs in Canada", furs) == Fraction(1, 5)


def test_half_of_all_turns_have_no_event() -> None:
    about = "The event of your turn, which nothing else here counts in"
    assert chance(front(1, 1), about, "none") == Fraction(1, 2)
