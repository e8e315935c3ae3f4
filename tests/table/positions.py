"""Table files of positions that a match comes to seldom: for each verb one in which it can be ordered."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.core.choices import after
from referee.core.game import AnyGame
from referee.core.names import Seat
from referee.core.question import Question
from referee.page_engine import opened
from tests.contract.bots import GameRecord, a_choice, plans, play_bots
from tests.contract.scenes import with_scenes

_GAMES = 40
"""So many games of bots are looked through."""

_TRIES = 6

BELOW = {"PLACE": "BUY", "ASK": "BUY"}
"""The orders that are possible only for what another above them does, and that other."""

Found = tuple[GameRecord, Question[Any], Any]
"""A game, who is asked for orders in it, and the position."""


def positions(game: AnyGame, verbs: tuple[str, ...]) -> dict[str, Found]:
    """For each verb a position in which it can be ordered; those that no bot came to are left out."""
    found: dict[str, Found] = {}
    for record, question, state in _asked(game):
        able = (*question.menu.words(), *game.aside_verbs(), *game.standing_verbs())
        for verb in verbs:
            if (
                verb not in found
                and verb in able
                and _leads_somewhere(game, state, question.seat, BELOW.get(verb, verb))
            ):
                found[verb] = (record, question, state)
        if len(found) == len(verbs):
            break
    return found


def _asked(game: AnyGame) -> Iterator[Found]:
    """The scenes of a game first, then what bots come to, a few positions of each of their games."""
    lots = random.Random(3)
    for number, plan in enumerate(itertools.islice(plans(game, _GAMES, long=True), _GAMES)):
        played = play_bots(game, plan.players, dict(plan.options), plan.seed, 120)
        records = with_scenes((played,))[::-1] if number == 0 else (played,)
        for record in records:
            asked = [asked for asked in record.asked if asked[0].wants_orders]
            for question, state in lots.sample(asked, min(25, len(asked))):
                yield record, question, state


def _leads_somewhere(game: AnyGame, state: Any, seat: Seat, verb: str) -> bool:
    if after(game.asking(state, seat, verb), ()) is None:
        return False
    lots = random.Random(1)
    return any(a_choice(game, state, seat, verb, lots) is not None for _ in range(_TRIES))


def table_at(base: dict[str, Any], record: GameRecord, question: Question[Any], state: Any) -> dict[str, Any]:
    """The table file of whoever is asked in a position; what is no matter of the position is that of another file."""
    game, seat = record.game, question.seat
    drawing = game.chart(state, seat)
    position = json.loads(msgspec.json.encode(state))
    known = {
        **base["known"],
        "options": dict(record.created.options),
        "position": position,
        "before": None,
        "drawers": {},
    }
    table = {
        **base,
        "seat": seat,
        "seats": [{"seat": chair, "colour": "", "living": True} for chair in record.created.seats],
        "phase": f"{question.key}: {seat}",
        "duty": "orders",
        "takes": [*question.menu.words(), *game.standing_verbs()],
        "form": [],
        "on_file": [],
        "standings": json.loads(msgspec.json.encode(game.score(state))),
        "map": {"svg": drawing.svg, "instead": drawing.instead} if drawing else None,
        "known": {**known, "asked": question.key, "rules": game.build},
    }
    page = opened(json.dumps(table))
    wishes = page.proposed()
    offered, index = page.choices(""), page.pieces("\n".join(wish.line for wish in wishes)).index(wishes)
    table["index"] = json.loads(msgspec.json.encode(index))
    table["choices"] = {
        **base["choices"],
        "owed": True,
        "questions": [],
        "orders": json.loads(msgspec.json.encode(offered)),
    }
    return table
