"""PREVIEW: what a sheet would do by itself, with the chances of its dice; nothing is stored, and nobody else is told.

The position is the one the writer knows: what he was never told goes in nowhere, so it cannot come out. Of other seats'
orders nothing is looked at, whether they are on file or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Any

from referee.core.game import Foretells
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.page import Block, Bullets, Heading, Note, Page, Paragraph
from referee.core.position import in_force, intents_in
from referee.core.record import Given
from referee.core.record import Sheet as OrderSheet
from referee.core.rehearsal import Odds, Rehearses
from referee.kit.odds import in_words, out_of
from referee.kit.wording import counted, in_a_row
from referee.service.match.aids import left_out, tried
from referee.service.match.binding import meaning_of
from referee.service.match.playing import Playing
from referee.service.match.result import Came
from referee.service.turns.trials import Spread, spread

_MOST_LINES = 40
_MOST_FORTUNES = 8
"""So many ways a throw may fall are told; rarer ones together."""

_ALONE = "Everybody else is taken to order nothing and to decide as who is silent does; the dice of the turn itself will be others."
_HIDDEN = "What you were not told was not looked at; where your orders meet it, it was drawn from what it may be."


def preview_page(playing: Playing, seat: Seat, sheet: OrderSheet, state: Any, hidden: bool) -> Page:
    """What the lines mean, what they would do by themselves, and the chances, from the position as the seat knows it.

    `hidden`: there is something it was not told.
    """
    intents = intents_in(playing.game, playing.codec, state, seat, sheet)
    doubts = playing.game.doubts(state, seat, intents)
    lines = (*_meant(playing, state, sheet), *(f"Doubt: {doubt.told}" for doubt in doubts))
    blocks: list[Block] = [Bullets(lines)] if lines else []
    if not playing.outcome.over:
        forecast = partial(_ahead, playing, state, seat, intents, hidden)
        blocks += tried(lambda: tuple(forecast()), lambda: (Note(left_out("The forecast"), "warning"),), "a forecast")
    return Page("Preview", "Nothing of this was stored.", tuple(blocks))


def look_ahead(playing: Playing, seat: Seat, sheet: OrderSheet) -> Came:
    """What may disappoint in a sheet, as things stand, and how much of it is grave."""
    state = playing.outcome.state
    intents = intents_in(playing.game, playing.codec, state, seat, sheet)
    found = playing.game.doubts(state, seat, intents)
    told = tuple(f"{doubt.told} ({doubt.rule})" if doubt.rule else doubt.told for doubt in found)
    undone, losses = sum(doubt.undone for doubt in found), sum(doubt.undone or doubt.loss for doubt in found)
    return Came(doubts=told, undone=undone, grave=losses)


def _meant(playing: Playing, state: Any, sheet: OrderSheet, under: str = "") -> Iterator[str]:
    """What each line means, those of an IF with what they hang on: it is judged when they are carried out."""
    for item in sheet:
        if isinstance(item, Given):
            yield under + meaning_of(playing.game, state, playing.codec.intent(item.intent))
            continue
        yield from _meant(playing, state, item.then, f"{under}IF {item.text}: ")
        yield from _meant(playing, state, item.otherwise, f"{under}ELSE of IF {item.text}: ")


def _ahead(playing: Playing, state: Any, seat: Seat, intents: Sequence[Intent], hidden: bool) -> Iterator[Block]:
    game = playing.game
    told = game.preview(state, seat, intents) if isinstance(game, Foretells) else ()
    if not isinstance(game, Rehearses):
        if told:
            yield from (Heading("After these orders"), Bullets(told))
        return
    filed = playing.outcome.drawers.get((seat, "standing"), ())

    def standing(now: Any) -> tuple[Intent, ...]:
        return in_force(playing.game, now, seat, intents_in(playing.game, playing.codec, now, seat, filed))

    seen = spread(game, state, seat, intents, standing)
    certain = told or (*_shortened(seen.always), *_left(seen, game.holdings(state, seat)))
    if certain:
        yield from (Heading("After these orders"), Bullets(certain))
    calculated = game.odds(state, seat, intents, standing(state))
    if calculated or (seen.fortunes and seen.number > 1):
        yield Heading("Chances")
        yield from _chances(seen, calculated)
        yield Paragraph(f"{_ALONE} {_HIDDEN}" if hidden else _ALONE)


def _shortened(lines: Sequence[str]) -> tuple[str, ...]:
    more = (f"... and {counted(len(lines) - _MOST_LINES, 'more')}.",) if len(lines) > _MOST_LINES else ()
    return (*lines[:_MOST_LINES], *more)


# ---------------------------------------------------------------- what is left


def _left(seen: Spread, now: Mapping[str, int]) -> Iterator[str]:
    """`You would have 3 PP (now 12) and 4 to 6 brigades (now 5).`"""
    counts = {name: chances for name, chances in seen.holdings.items() if now.get(name) or any(chances)}
    parts = [_figure(name, chances, now.get(name, 0)) for name, chances in counts.items()]
    if parts:
        yield f"You would have {in_a_row(parts)}."


def _figure(name: str, chances: Mapping[int, Fraction], now: int) -> str:
    low, high = min(chances), max(chances)
    said = counted(low, name) if low == high else f"{low} to {high} {name}"
    return said if low == high == now else f"{said} (now {now})"


# ---------------------------------------------------------------- chances


def _chances(seen: Spread, calculated: Sequence[Odds]) -> Iterator[Block]:
    sure = {odds.about for odds in calculated}
    tried = [odds for odds in seen.fortunes if odds.about not in sure]
    if calculated:
        yield Bullets(tuple(chances_in_words(calculated)))
    if tried and not seen.exact:
        yield Paragraph(
            f"From {seen.number} trials with dice of their own, so that each figure may be off by {seen.margin} in 100:"
        )
    if tried:
        yield Bullets(tuple(chances_in_words(tried, seen.number if not seen.exact else 0)))
    exactly = "The other chances" if calculated and not seen.exact and tried else "All chances"
    if calculated or seen.exact:
        exact = "are exact" if exactly == "All chances" else "above are exact"
        yield Paragraph(f"{exactly} {exact}.")


def chances_in_words(found: Iterable[Odds], trials: int = 0) -> Iterator[str]:
    """A line for each thing that chances are about: `Battle of Egypt: you win 62 in 100, Blue wins 38 in 100.`

    `trials` is how many they come from; 0: they were calculated.
    """
    for about, group in groupby(found, lambda odds: odds.about):
        ways = list(group)
        told = [f"{odds.what}: {_said(odds.chance, trials)}" for odds in ways[:_MOST_FORTUNES]]
        rest = sum((odds.chance for odds in ways[_MOST_FORTUNES:]), Fraction(0))
        yield f"{about}: {'; '.join(told)}{'; and others' if rest else ''}."


def _said(chance: Fraction, trials: int) -> str:
    if not trials:
        return in_words(chance)
    if chance == 1:
        return "in every trial"
    hundredth = out_of(chance, 100)
    return f"{hundredth} in 100" if 0 < hundredth < 100 else f"in {int(chance * trials)} of {trials} trials"
