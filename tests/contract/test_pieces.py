"""Choices turned round: every order can be made by tapping a place or the tray, whole at once, and every part of it changed."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from referee.core.choices import Picked, Step, after
from referee.core.game import AnyGame
from referee.core.names import Seat
from referee.core.order import Intent
from referee.kit.declared import at_random
from referee.kit.game import BaseGame
from referee.kit.pieces import Pieces
from tests.contract.bots import GameRecord
from tests.contract.effort import verbs_tried
from tests.contract.scenes import with_scenes
from tests.contract.test_choices import asked_for_orders

_WALKS, _POSITIONS, _DEEDS = 2, 2, 12


def by_chance(game: AnyGame, state: Any, seat: Seat, verb: str, lots: random.Random) -> tuple[str, dict[str, Picked]]:
    """A line that a player who answers at random would write, and his answers by the names of the fields; "" for none."""
    said, names, picked, answer = dict[str, Picked](), Counter[str](), list[Picked](), at_random(lots.randrange)
    while isinstance(found := after(game.asking(state, seat, verb), picked), Step):
        names[found.field] += 1
        picked.append(answer(found))
        said[found.field if names[found.field] == 1 else f"{found.field} {names[found.field]}"] = picked[-1]
    return (game.line(state, found, seat, ()), said) if isinstance(found, Intent) and len(picked) < 40 else ("", {})


def can_be_tapped(game: AnyGame, state: Any, seat: Seat, verb: str, pieces: Pieces) -> bool:
    """Whether it stands in the tray, or at a place where it begins."""
    if any(deed.verb == verb for deed in pieces.tray()):
        return True
    first = after(game.asking(state, seat, verb), ())
    places = [choice.at for choice in first.choices if choice.at] if isinstance(first, Step) else []
    return any(deed.verb == verb for place in places[:3] for deed in pieces.at(place))


def test_every_kind_of_order_is_reached_and_given_back_whole(declared: tuple[GameRecord, ...]) -> None:
    game, lots, tapped, alike = declared[0].game, random.Random(4), set[str](), Counter[bool]()
    assert isinstance(game, BaseGame)
    wanted = set(verbs_tried(game))
    for _, seat, words, state in asked_for_orders(with_scenes(declared)):
        verbs = (*words, *game.aside_verbs(), *game.standing_verbs())
        pieces = Pieces(game, state, seat, verbs)
        for verb in sorted(wanted.intersection(verbs) - tapped):
            for _ in range(_WALKS):
                line, said = by_chance(game, state, seat, verb, lots)
                if line:
                    made = pieces.whole(verb, said)
                    assert (made.line, made.missed) == (line, ()), said
                    again = pieces.unfolded(line)
                    assert again.refused or again.line == line
                    alike[not again.refused] += 1
            if line and can_be_tapped(game, state, seat, verb, pieces):
                tapped.add(verb)
        if tapped == wanted:
            break
    assert tapped == wanted
    assert alike[True] * 10 >= alike.total() * 6, alike


def test_what_a_place_offers_can_be_sent_as_it_stands(declared: tuple[GameRecord, ...]) -> None:
    """Every deed of the index makes its line again from what is said of it, with each of its targets."""
    game, looked = declared[0].game, 0
    assert isinstance(game, BaseGame)
    for _, seat, words, state in asked_for_orders(declared)[:_POSITIONS]:
        pieces = Pieces(game, state, seat, (*words, *game.standing_verbs()))
        index = pieces.index()
        assert not any(pieces.at(place) for place in set(index.starts) - set(index.places))
        deeds = [deed for deeds in index.places.values() for deed in deeds if not deed.before]
        for deed in random.Random(2).sample(deeds, min(_DEEDS, len(deeds))):
            aims = [deed.words.get(place, place) for place in list(deed.targets)[:2]]
            ways = [{**deed.said, deed.aim: (word,)} for word in aims] or [deed.said]
            made = [pieces.whole(deed.verb, said) for said in ways]
            assert not any(one.refused or one.missed for one in made), deed
            assert made[0].line == deed.line, deed
            looked += 1
    assert looked or game.name not in ("war27", "empire", "newworld", "war17")
