"""A letter to a match that stands still for a fault: what only asks or goes back is done, the rest is kept until it goes on."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.vocabulary import Vocabulary
from referee.kit.missing import why_missing
from referee.orders import Reading, orders_something
from referee.service.answering.receipts import post_receipt
from referee.service.answering.remarks import nodes_of, remarks_aside
from referee.service.commands.obeying import obey
from referee.service.commands.weighing import weigh
from referee.service.sheets.visit import Visit

_ASKS = frozenset(("STATUS", "HELP", "WHO", "GAMES", "GUIDE", "RULES", "SEND", "VERIFY"))
_MASTERS = frozenset(("REWIND", "RESUME", "ANNOUNCE", "TERMINATE", "CONFIRM", "OBJECT"))
"""The words that need no phase to be played."""
_WITHOUT_RULES = frozenset(("STATUS", "HELP", "WHO", "GAMES", "ANNOUNCE"))
"""Those of them that a match is still asked whose game cannot be loaded."""


def _works(visit: Visit) -> frozenset[str]:
    """The words that are obeyed: of a match that waits for its dice, too, those that write nothing into its log."""
    if why_missing(visit.playing.game):
        return _WITHOUT_RULES
    return _ASKS | (frozenset(("REWIND", "RESUME")) if visit.playing.outcome.sealed else _MASTERS)


def attend_halted(visit: Visit, text: str, reading: Reading, words: Callable[[], tuple[Vocabulary, ...]]) -> None:
    """Do what can be done of a letter where the phase under way cannot be played, or keep the letter.

    A game master's other lines are refused if he wrote a word that works: he may send them again when it goes on.
    """
    works = [sentence for sentence in reading.desk if sentence.order.verb in _works(visit)]
    waits = _lines(reading, words()) - {sentence.line for sentence in works}
    if not works or (waits and not visit.game_master):
        _keep(visit)
        return
    if visit.asks(weigh(reading, visit.game_master)):
        return
    for sentence in works:
        obey(visit, sentence)
    lines = text.split("\n")
    for number in sorted(waits):
        visit.deny(lines[number - 1].strip(), f"{visit.match} stands still, so nothing is taken but {_named(visit)}.")
    if visit.receipt:
        post_receipt(visit, text, words)


def attend_sealed(visit: Visit) -> None:
    """Keep a letter without a word until the dice have fallen, which is soon: nothing may come between a seal and its dice."""
    if visit.hold is not None:
        visit.hold()
    else:
        visit.deny("", f"{visit.match} waits for its dice; try again in a minute.")


def _lines(reading: Reading, words: tuple[Vocabulary, ...]) -> set[int]:
    """The lines that were meant for the referee, understood or not."""
    mistakes, prose = remarks_aside(reading.mistakes, reading)
    meant = {node.line for node in nodes_of(reading)} | {mistake.line for mistake in mistakes}
    return meant | {line.number for line in prose for game in words[1:] if orders_something(line.text, game)}


def _keep(visit: Visit) -> None:
    if visit.hold is not None:
        visit.hold()
    else:
        visit.deny("", f"{visit.match} stands still, so nothing is taken but {_named(visit)}. {_trouble(visit)}")


def _trouble(visit: Visit) -> str:
    return visit.playing.fault or visit.playing.row.trouble


def _named(visit: Visit) -> str:
    return ", ".join(sorted(_works(visit)))
