"""Starting pieces placed, one after the other in set-up order: by their buyer's list, else asked or by default (R27-81)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.core.choices import placed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.equipping import places_for
from referee.games.war.events.forces import OrderFellShort
from referee.games.war.events.setup import PiecePlaced, PieceReturned
from referee.games.war.orders.opening.setting_up import AskPlacement, PlacePieces
from referee.games.war.orders.production.buildings import check_building
from referee.games.war.phases.decisions import decide
from referee.games.war.phases.production.consent import agreed
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import is_colony
from referee.games.war.rulebook.pieces import BUILDINGS, LAND_UNITS, plural
from referee.kit.refused import Refused


class Basket:
    """What a player has bought and not yet placed, what he wishes for it, and which wishes could not be granted."""

    def __init__(self, seat: Seat, sheet: Sequence[Intent], bought: Mapping[str, int], trial: bool = False) -> None:
        self.seat, self.trial = seat, trial
        self.pieces = dict(bought)
        self.wishes = _wished(sheet, dict(bought))
        self.asked = any(isinstance(order, AskPlacement) for order in sheet)
        self.unlawful: list[tuple[str, str, Refused]] = []

    def take(self, kind: str) -> None:
        """One piece less."""
        self.pieces[kind] -= 1
        if not self.pieces[kind]:
            del self.pieces[kind]

    def misplaced(self, kind: str) -> tuple[str, str, Refused] | None:
        """The first wish for such a piece that could not be granted, and is settled now."""
        found = next((entry for entry in self.unlawful if entry[0] == kind), None)
        if found is not None:
            self.unlawful.remove(found)
        return found


def place_all(table: Table[War], seat: Seat, sheet: Sequence[Intent], bought: Mapping[str, int]) -> Script[None]:
    """All of one player's pieces, as if nobody else placed any."""
    basket = Basket(seat, sheet, bought, trial=True)
    while basket.pieces:
        yield from place_one(table, basket)


def _wished(sheet: Sequence[Intent], bought: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Kind and place of piece after piece, in the order written."""
    for order in sheet:
        if isinstance(order, PlacePieces):
            for lot in order.lots:
                for _ in range(min(lot.quantity.of(bought.get(lot.kind, 0)), bought.get(lot.kind, 0))):
                    yield lot.kind, order.place


def place_one(table: Table[War], basket: Basket) -> Script[None]:
    """27.setup.7: the next piece of the list; after the list in the order of need for room, asked for or by default."""
    seat, simultaneous = basket.seat, plays(table.state, "simultaneous")
    wish = (yield from _agreed_wish(table, basket)) if simultaneous else _next_wish(table, basket)
    if not basket.pieces:
        return
    kind, place = wish or (yield from _unlisted(table, basket))
    if place:
        table.emit(PiecePlaced(seat, kind, place))
        basket.take(kind)
    else:
        table.emit(PieceReturned(seat, kind, table.state.price(kind) * basket.pieces.pop(kind)))
    if wish is None and (wrong := basket.misplaced(kind)) is not None:
        where = "You are asked where it stands." if basket.trial and basket.asked else f"It stands in {place} instead."
        _explain(table, seat, wrong, where if place else "It is paid back.")


def _explain(table: Table[War], seat: Seat, wrong: tuple[str, str, Refused], instead: str) -> None:
    """Why a piece is not where its owner wanted it, and where it is."""
    kind, place, refused = wrong
    why = refused.illegal
    table.emit(OrderFellShort(seat, _line(kind, place), f"{why.sentence} {instead}", why.rule))


def _line(kind: str, place: str) -> str:
    return f"PLACE 1 {kind} IN {place}"


def _unlisted(table: Table[War], basket: Basket) -> Script[tuple[str, str]]:
    """The next piece without a lawful wish, and its place; "" for nowhere."""
    kind = next(kind for kind in _PLACING if basket.pieces.get(kind))
    lawful = places_for(table.state, basket.seat, kind)
    if not lawful or not basket.asked:
        return kind, lawful[0] if lawful else ""
    menu = OneOf([placed(name) for name in lawful], lawful[0])
    name = f"place {sum(basket.pieces.values())}/{basket.seat}"
    text = f"Where does your next {kind} stand?"
    return kind, (yield from decide(table, basket.seat, name, text, menu, "27.setup.7", _silent))


def _silent(_: Sequence[Intent]) -> None:
    return None


_PLACING = ("port", "city", "factory", "railroad", "school", "fort", *LAND_UNITS, "fleet")
"""R27-81: the order in which pieces nobody placed are put on the map."""


def _next_wish(table: Table[War], basket: Basket) -> tuple[str, str] | None:
    """The next piece of the player's own list that is in the basket and may stand there."""
    for kind, place in basket.wishes:
        if not basket.pieces.get(kind):
            continue
        if place in places_for(table.state, basket.seat, kind):
            return kind, place
        basket.unlawful.append((kind, place, _why_not(table.state, basket.seat, kind, place)))
    return None


def _agreed_wish(table: Table[War], basket: Basket) -> Script[tuple[str, str] | None]:
    """27.opt.simultaneous.2: an unlawful placement is mended to the default if all agree, else the piece is paid back."""
    for kind, place in basket.wishes:
        if not basket.pieces.get(kind):
            continue
        lawful = places_for(table.state, basket.seat, kind)
        if place in lawful:
            return kind, place
        name = f"{basket.seat}/mend {sum(basket.pieces.values())}/{kind}"
        was = f"{_line(kind, place)}: {_why_not(table.state, basket.seat, kind, place).illegal.sentence}"
        now = f"It stands in {lawful[0]}." if lawful else ""
        if now and (yield from agreed(table, basket.seat, was, now, name)):
            return kind, lawful[0]
        table.emit(PieceReturned(basket.seat, kind, table.state.price(kind)))
        basket.take(kind)
    return None


def _why_not(war: War, seat: Seat, kind: str, place: str) -> Refused:
    """Why a piece may not stand there at the start."""
    land = war.lands.get(place)
    if land is None:
        return Refused(f"{place} touches none of your regions.", "27.setup.6", place)
    if land.owner != seat:
        return Refused(f"{place} is not one of your regions.", "27.setup.7", place)
    if is_colony(war, place) and kind in BUILDINGS:
        return Refused(
            f"{place} is a colony; at the set-up buildings stand in Europe.", "27.opt.historical.setup.3", place
        )
    if kind not in BUILDINGS:
        why = f"{place} is a colony and has the five units that may be placed there, besides its free infantry."
        return Refused(why, "27.opt.historical.setup.5", place)
    try:
        check_building(war, land, kind)
    except Refused as refused:
        return refused
    return Refused(f"{place} has no room for {plural(kind)}.", "27.setup.5", place)
