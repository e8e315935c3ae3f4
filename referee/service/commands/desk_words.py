"""What each word of the desk does in a match. The table at the end is the whole of it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.order import Order
from referee.orders import Sentence, read
from referee.service.commands.anyone_acts import ANYONE_ACTS
from referee.service.commands.master_acts import MASTER_ACTS, needs_key, turn_key, wait_for_key
from referee.service.commands.override_acts import OVERRIDE_ACTS
from referee.service.commands.player_acts import PLAYER_ACTS
from referee.service.commands.words import desk_words
from referee.service.match.anonymity import named_in
from referee.service.match.discretion import masters_of, may_know
from referee.service.sheets.acting import Do
from referee.service.sheets.visit import Visit


def obey(visit: Visit, sentence: Sentence) -> None:
    """Do one word of the desk; what it did or why it could not goes into the visit."""
    away = named_in(visit.step, visit.playing, _published(sentence.order)) if visit.game_master else ""
    if away:
        visit.deny(sentence.source, f"This match is anonymous, and everybody would read {away}; leave that out.")
        return
    if needs_key(visit, sentence.order):
        wait_for_key(visit, sentence.source)
        return
    ACTS.get(sentence.order.verb, _elsewhere)(visit, sentence.order, sentence.source)


def _published(order: Order) -> list[str]:
    """The words of a game master's own that everybody is told."""
    own = order.things if order.verb in ("ANNOUNCE", "RULING", "COMMENT") else ()
    return [thing.name for thing in (*own, *order.after("BECAUSE"), *order.after("CITING"))]


def _elsewhere(visit: Visit, order: Order, source: str) -> None:
    visit.deny(
        source, f"{order.verb} is not done in a match; send it to {visit.office.address} in a letter of its own."
    )


def _turn_key(yes: bool) -> Do:
    """The second key; with the last one wanted the line is done as its game master wrote it."""

    def do(visit: Visit, order: Order, source: str) -> None:
        given = turn_key(visit, order, source, yes)
        if given is None:
            return
        line, number = given
        master = visit.step.player(number)
        member = next((m for m in visit.step.members(visit.match) if m.player == number and m.role == "gm"), None)
        if master is None or member is None:
            visit.deny(source, "Who proposed it is game master no longer, so it is not done.")
            return
        other = Visit(visit.office, visit.step, visit.playing, member, master, visit.letter, visit.unique, True)
        other.keyed = True
        row, seats = visit.playing.row.name, tuple(visit.playing.created.seats)
        words = desk_words(tuple(visit.office.games), (row,), seats, False, True)
        for sentence in read(line, None, words).desk:
            obey(other, sentence)
        visit.playing = other.playing
        masters = masters_of(visit.step, visit.match)
        knows = may_know(visit.playing, masters, visit.member, visit.player, "")
        visit.done += other.done if knows else ["It is done."]
        visit.refused += other.refused

    return do


ACTS: Mapping[str, Do] = {
    **ANYONE_ACTS,
    **PLAYER_ACTS,
    **OVERRIDE_ACTS,
    **MASTER_ACTS,
    "CONFIRM": _turn_key(yes=True),
    "OBJECT": _turn_key(yes=False),
}
