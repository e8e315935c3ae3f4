"""The board: everything that lies on the table is on it, can be clicked by its name, and shows what the last turn changed."""

from __future__ import annotations

import io
import re
from functools import reduce
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from PIL import Image

from referee.adapters.pages.picture import png
from referee.core.event import Event
from referee.core.names import Role, Seat
from referee.core.page import Drawing
from referee.games.newworld.drawing import chart
from referee.games.newworld.events import (
    ArmiesMoved,
    AttackLaunched,
    ColonyClaimed,
    ColonyRevolted,
    EventCame,
    FleetsBuilt,
    TerritoryTaken,
)
from referee.games.newworld.game import NewWorld
from referee.games.newworld.position import Deck, World, seat_names
from referee.games.newworld.rulebook import CARDS, COLONIES, TECHNOLOGIES
from referee.kit.stock import fewer
from tests.browser import Browser
from tests.games.newworld.staging import stage
from tests.labels import WIDE, covered, cut, labels

_GAME = NewWorld()
_PLAIN = {setting.name: setting.default for setting in _GAME.settings}
FRANCE, SPAIN = Seat("France"), Seat("Spain")
TURN: tuple[Event, ...] = (
    EventCame(FRANCE, "Revolution"),
    ColonyRevolted(FRANCE, 32, "Canadian Furs", 3),
    FleetsBuilt(FRANCE, 2, {}),
    ColonyClaimed(FRANCE, "Caribbean Coffee", {}),
    ArmiesMoved(FRANCE, 2, "Europe", "Canada"),
    AttackLaunched(FRANCE, "rebels", "Canada", (("armies", 2),), (("rebels", 3),)),
    AttackLaunched(FRANCE, "Spain", "Europe", (("armies", 1),), ()),
    TerritoryTaken(FRANCE, 13, "Ore (Spain)", SPAIN),
)


def before() -> World:
    """France with furs in Canada, Spain with gems, and cards face up."""
    seen = ("Caribbean Coffee", "Caribbean Sugar")
    world = stage(_PLAIN)
    taken = dict.fromkeys((*seen, "Central American Gems", "Canadian Furs"), 1)
    world = replace(world, face_up=seen, exploration=Deck(fewer(world.exploration.draw, taken), {}))
    return world.adding("Gems", "Central America", None, SPAIN).adding("Furs", "Canada", None, FRANCE)


def after() -> World:
    """The same after the turn of France."""
    return reduce(_GAME.evolve, TURN, before())


def crowded() -> World:
    """Six players, much of everything, all colonies claimed."""
    world = replace(stage(_PLAIN, tuple(map(Seat, seat_names(_PLAIN)))), exploration=Deck({}, {}))
    every = [card for card in CARDS for _ in range(card.copies)]
    for at, card in enumerate(every):
        world = world.adding(card.good, card.region, None, world.order[at % 6])
    for seat, power in world.powers.items():
        stock, levels = dict.fromkeys(power.stock, 128), dict.fromkeys(TECHNOLOGIES, 12)
        world = world.with_power(
            replace(power, stock=stock, levels=levels, fleets=34, armies=dict.fromkeys(power.armies, 23))
        )
        world = world.with_territory(replace(world.sheet_of(seat)[-1], rebels=12))
    return world


def elements(drawing: Drawing) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawing.svg).iter())


def said_of(drawing: Drawing) -> dict[str, str]:
    """What a reader is told of each thing that can be clicked, by its id."""
    return {e.get("id", ""): e.get("aria-label", "") for e in elements(drawing) if e.get("role") == "button"}


@pytest.mark.parametrize("world", [before(), after(), crowded()], ids=["before", "after", "crowded"])
def test_every_place_and_card_is_there_and_can_be_clicked(world: World) -> None:
    found = elements(chart(world, TURN))
    ids = [e.get("id") for e in found if e.get("id")]
    assert len(ids) == len(set(ids))
    buttons = [e for e in found if e.get("role") == "button"]
    assert all(e.get("tabindex") == "0" and e.get("aria-label") and e.get("id") for e in buttons)
    assert {e.get("data-place") for e in buttons if e.get("data-place")} == {"Europe", *COLONIES}
    assert {card.name for card in CARDS} <= {e.get("data-card") for e in buttons}
    assert {e.get("data-seat") for e in buttons if e.get("data-place") == "Europe"} == set(world.order)
    homes = {f"nw-t{territory.number}" for territory in world.territories if territory.home}
    assert homes <= set(ids)


def test_names_are_those_that_orders_use() -> None:
    """Each name that a click gives is one the order language knows."""
    world = crowded()
    nouns = {noun.name for noun in _GAME.vocabulary(world).nouns}
    said = {
        e.get(key) for e in elements(chart(world)) for key in ("data-place", "data-card", "data-seat") if e.get(key)
    }
    assert said <= nouns


def test_it_shows_what_the_turn_changed() -> None:
    drawing = chart(after(), TURN)
    said = said_of(drawing)
    assert said["nw-card-Caribbean-Coffee"] == "Caribbean Coffee, yields 4 gold: 1 of France, 1 still in the deck"
    assert said["nw-card-Canadian-Furs"].endswith("1 of France in revolt, rebels 3, 3 still in the deck")
    assert said["nw-Canada"] == "Canada: 2 armies of France; France attacks rebels here"
    assert said["nw-armies-France-Canada"] == "France: 2 armies in Canada, +2 this turn"
    assert said["nw-t13"] == "Ore of Spain, held by France"
    assert said["nw-home-Spain"] == "Spain, Culture 11, attacked by France"
    assert drawing.svg.count('class="nw-b nw-lb"') == 4  # coffee, sugar face up, furs, ore
    assert chart(after()).svg.count('class="nw-b nw-lb"') == 1
    assert drawing.instead == (
        "The board: France is on turn; colonies: France 1 and Spain 1; armies abroad: France 2 in Canada. "
        "France attacked rebels in Canada. France attacked Spain in Europe. In revolt: 1 territory."
    )


def test_all_readers_have_one_board() -> None:
    world = after()
    drawn = {_GAME.chart(world, reader, TURN).svg for reader in (Role.OBSERVER, FRANCE, SPAIN)}
    assert drawn == {chart(world, TURN).svg}


def test_parts_that_stay_as_they_were_are_the_same() -> None:
    """From turn to turn few parts are drawn anew."""
    part = re.compile(r'(?<=<svg x)="\d+" y="\d+"(.*?)</svg>', re.DOTALL)
    was, now = (set(part.findall(chart(world).svg)) for world in (before(), after()))
    assert 5 <= len(was & now) < len(now)


@pytest.mark.parametrize("world", [after(), crowded()], ids=["after", "crowded"])
def test_as_a_picture_it_is_light_enough_for_a_letter(world: World) -> None:
    picture = png(chart(world, TURN).svg)
    assert len(picture) <= 150_000
    assert Image.open(io.BytesIO(picture)).size[0] == 900


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 800, 1280])
@pytest.mark.parametrize("world", [after(), crowded()], ids=["after", "crowded"])
def test_no_label_lies_on_another_or_leaves_its_panel(chromium: Browser, world: World, width: int) -> None:
    """Whatever type the browser has; on a telephone all of it can be read."""
    for face in ("", WIDE):
        found = labels(chromium, chart(world, TURN), width, face)
        assert len(found) > 60 and min(label.size for label in found) >= 9
        assert (cut(found), covered(found)) == ([], [])
