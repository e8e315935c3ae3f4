"""What the words of a game master beside the clock do in a running match, and what the second key does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.order import Order
from referee.service.lobby.mastering import DECISIONS
from referee.service.overrides.amending import amend, edits_of, fingerprint
from referee.service.overrides.base import Denied, log, notify
from referee.service.overrides.foresee import foresee
from referee.service.overrides.moderate import rule
from referee.service.overrides.twokeys import KEYED, judge_proposal, plays_too, propose
from referee.service.people.reliability import reliability
from referee.service.people.replacing import give_to_dummy, give_to_standby, stand_by
from referee.service.sheets.visit import Visit

Act = Callable[[Visit, Order, str], None]


def _seat(order: Order) -> str:
    return next((thing.name for thing in order.things if thing.kind == "seat"), "")


# ---------------------------------------------------------------- keys


def needs_key(visit: Visit, order: Order) -> bool:
    """Whether a word waits for a second key: its writer masters the match and plays in it."""
    if not visit.game_master or visit.keyed or not plays_too(visit.step, visit.match, visit.player):
        return False
    shows = order.verb == "RULING" and bool(order.after("SETTING")) and not order.after("SHOWN")
    others = order.verb == "ROLL OUT" and _seat(order) not in ("", visit.seat)
    listed = order.verb in ("CLOCK", "DAYS", "GRACE", "HOLIDAYS") and not order.things
    return (order.verb in KEYED or others) and not shows and not listed


def wait_for_key(visit: Visit, source: str) -> None:
    """Ask for the second key instead of doing it."""
    visit.playing, said = propose(visit.office, visit.step, visit.playing, visit.player, source)
    visit.done.append(said)


def turn_key(visit: Visit, order: Order, source: str, yes: bool) -> tuple[str, int] | None:
    """Take a CONFIRM or an OBJECT; the line to be done now and whose it is."""
    number = next((thing.count() for thing in order.things if thing.kind == "number"), 0)
    given = judge_proposal(
        visit.office, visit.step, visit.playing, visit.player, visit.seat, visit.game_master, number, yes
    )
    if isinstance(given, Denied):
        visit.deny(source, given.sentence)
        return None
    visit.playing, proposal, said = given
    visit.done.append(said)
    return (proposal.line, proposal.player) if proposal else None


# ---------------------------------------------------------------- words


def _decide(visit: Visit, order: Order, source: str) -> None:
    if order.verb in ("DUMMY", "EJECT") and _seat(order):
        _empty_seat(visit, order, source)
        return
    said = DECISIONS[order.verb](visit.office, visit.step, visit.playing.row, order)
    if not said.granted:
        visit.deny(source, " ".join(said.sentences))
        return
    reason, by = order.words_after("BECAUSE"), visit.player.name
    visit.playing = log(
        visit.office, visit.step, visit.playing, f"{order.verb}: {' '.join(said.sentences)}", by, reason
    )
    title = f"the game master wrote {order.verb}"
    if order.verb not in ("ALLOW", "DENY"):  # addresses are nobody's business but the game master's
        notify(visit.office, visit.step, visit.playing, title, said.sentences, by, reason)
    visit.done += said.sentences


def _empty_seat(visit: Visit, order: Order, source: str) -> None:
    """DUMMY gives a seat to the bots; EJECT to who stands by, and to the bots where nobody does."""
    args = (visit.office, visit.step, visit.playing, visit.player.name, order.words_after("BECAUSE"), _seat(order))
    outcome = give_to_standby(*args) if order.verb == "EJECT" else give_to_dummy(*args)
    if isinstance(outcome, Denied) and order.verb == "EJECT":
        outcome = give_to_dummy(*args)
    if isinstance(outcome, Denied):
        visit.deny(source, outcome.sentence)
    else:
        visit.playing = outcome.playing
        visit.done += outcome.sentences


def _ruling(visit: Visit, order: Order, source: str) -> None:
    """A ruling in words alone is published at once; one that sets figures shows the difference and waits for a YES."""
    office, step, by = visit.office, visit.step, visit.player.name
    text = ", ".join(thing.name for thing in order.things)
    citing, setting, shown = (order.words_after(word) for word in ("CITING", "SETTING", "SHOWN"))
    if not setting:
        outcome = rule(office, step, visit.playing, by, text, citing)
        if isinstance(outcome, Denied):
            visit.deny(source, outcome.sentence)
        else:
            visit.playing = outcome.playing
            visit.done += outcome.sentences
        return
    edits = edits_of(visit.playing, setting)
    if isinstance(edits, Denied):
        visit.deny(source, edits.sentence)
    elif shown.casefold() == fingerprint(visit.playing, edits):
        outcome = amend(office, step, visit.playing, by, text, citing, edits)
        visit.playing = outcome.playing
        visit.done += outcome.sentences
    else:
        if shown:
            visit.doubts.append(
                "The position has changed since the difference was shown; this is what it would be now."
            )
        mark = fingerprint(visit.playing, edits)
        line = f'RULING "{text}"{f" CITING {chr(34)}{citing}{chr(34)}" if citing else ""} SETTING "{setting}" SHOWN "{mark}"'
        visit.done += [f"Not done yet. {edit.sentence()}." for edit in edits]
        visit.done.append("YES on its own, in a reply, carries out exactly this; anything else leaves all as it is.")
        place = visit.seat or str(visit.player.id)
        step.put_note(visit.match, place, "corrections", f"{visit.playing.turn}\n{line}")
        visit.yes_takes = (line,)


def _preview_turn(visit: Visit, order: Order, source: str) -> None:
    if plays_too(visit.step, visit.match, visit.player):
        visit.deny(source, "You play in this match yourself, and the preview shows what the others ordered.")
        return
    page = foresee(visit.office, visit.playing)
    if isinstance(page, Denied):
        visit.deny(source, page.sentence)
    else:
        visit.pages.append(page)
        visit.done.append("The preview follows; nothing was stored or told to anybody.")


def _become(visit: Visit, order: Order, source: str) -> None:
    visit.deny(source, "One letter is written for one player; write BECOME once, in a letter of its own.")


def _stand_by(visit: Visit, order: Order, source: str) -> None:
    if not visit.player.id:
        visit.deny(source, "STANDBY is for who writes by mail; referee standby enters somebody at the machine.")
        return
    wrong = stand_by(visit.step, visit.match, visit.player)
    if wrong:
        visit.deny(source, wrong)
    else:
        visit.done.append(f"You stand by for {visit.match}: a seat that falls free may be given to you.")


def _here(visit: Visit, order: Order, source: str) -> None:
    visit.deny(source, f"{visit.match} has started, so nobody asks whether you are there.")


MASTER_ACTS: Mapping[str, Act] = {
    **dict.fromkeys(DECISIONS, _decide),
    "MUSTER": _decide,
    "RULING": _ruling,
    "PREVIEW TURN": _preview_turn,
    "BECOME": _become,
    "STANDBY": _stand_by,
    "I AM HERE": _here,
}
"""By their words."""


# ---------------------------------------------------------------- records


def tell_record(visit: Visit) -> None:
    """One's own reliability, and for a game master that of every player, as STATUS says it."""
    if visit.seat:
        visit.done.append(
            f"Your record over all matches: {reliability(visit.office, visit.step, visit.player.id).sentence()}"
        )
    if visit.game_master and not plays_too(visit.step, visit.match, visit.player):
        for member in visit.step.members(visit.match):
            if member.role == "player" and member.status == "playing":
                found = reliability(visit.office, visit.step, member.player, visit.player.id)
                visit.done.append(f"{member.seat}'s player over all matches: {found.sentence()}")
