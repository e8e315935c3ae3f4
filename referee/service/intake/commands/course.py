"""Commands by which a game master decides the course of a match: rulings, rewinds, previews, its end; BECOME.

BECOME: a game master writes for a player, who is told at once what was written; everybody is told that it was done.
"""

from __future__ import annotations

import re

from referee.core.order import Order
from referee.service.base import notes
from referee.service.base.letter_facts import Notice
from referee.service.base.note_values import Corrections
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Player
from referee.service.house.membership import call_off_by
from referee.service.intake.commands.command import By, Command, always, first, listed, reason, word
from referee.service.match.members import everybody, owner_of
from referee.service.match.result import NOTHING, Came, Denial, Enclosed, Told, denied, need
from referee.service.match.sheets import drawers_of
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.turn import clock_overrides
from referee.service.turn.course_overrides import amend, edits_of, fingerprint, foresee, forward, rewind
from referee.service.turn.two_keys import plays_too
from referee.service.turn.writer import Hand


def _ruling(hand: Hand, order: Order) -> Came | Told:
    """A ruling in words alone is published at once; one that sets figures shows the difference and waits for a YES."""
    text = listed(order)
    citing, setting, shown = (order.words_after(word) for word in ("CITING", "SETTING", "SHOWN"))
    if not setting:
        return clock_overrides.rule(hand, text, citing)
    edits = edits_of(hand.playing, setting)
    mark = fingerprint(hand.playing, edits)
    if shown.casefold() == mark:
        return amend(hand, text, citing, edits)
    changed = "The position has changed since the difference was shown; this is what it would be now."
    cites = f' CITING "{citing}"' if citing else ""
    line = f'RULING "{text}"{cites} SETTING "{setting}" SHOWN "{mark}"'
    slip = notes.CORRECTIONS.of(hand.match, hand.seat, hand.player.id)
    slip.keep(hand.step, Corrections(hand.playing.turn, line))
    not_yet = (f"Not done yet. {edit.sentence()}." for edit in edits)
    says = "YES on its own, in a reply, carries out exactly this; anything else leaves all as it is."
    return Came((*not_yet, says), doubts=(changed,) if shown else (), yes_takes=(line,))


def _changes(hand: Hand, order: Order) -> bool:
    """A second key is asked for unless a ruling only shows what it would set."""
    return not order.after("SETTING") or bool(order.after("SHOWN"))


def _a_ruling(hand: Hand) -> str | None:
    cited = hand.playing.game.rules[0].id
    return f'RULING "The line stands as it was meant." CITING "{cited}"' if hand.game_master else None


def _preview_turn(hand: Hand, order: Order) -> Came:
    plays = plays_too(hand.step, hand.match, hand.player)
    need(not plays, "You play in this match yourself, and the preview shows what the others ordered.")
    page = foresee(hand)
    return Came(("The preview follows; nothing was stored or told to anybody.",), enclosed=Enclosed((page,)))


def _rewind(hand: Hand, order: Order) -> Told:
    number = first(order.after("TO TURN") or order.after("TO") or order.after("TURN"))
    if number is None:
        raise Denial("Name the turn to go back to: REWIND TO TURN 4.")
    return rewind(hand, number.count())


def _last_turn(hand: Hand) -> str | None:
    turn = max(1, hand.playing.turn - 1)
    return f'REWIND TO TURN {turn} BECAUSE "misread order"' if hand.game_master else None


def _call_off(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    return call_off_by(at, row, by, reason(order))


# ---------------------------------------------------------------- BECOME

_LINE = re.compile(r'^[ \t]*BECOME[ \t]+(?P<seat>.+?)(?:[ \t]+BECAUSE[ \t]+"?(?P<why>[^"\n]*)"?)?[ \t.]*$', re.I | re.M)


def writes_for_another(text: str) -> bool:
    """Whether a letter's BECOME makes it another player's."""
    return _LINE.search(text) is not None


def become(hand: Hand, text: str) -> tuple[str, Came]:
    """Take the seat that a letter's BECOME names, and what came of it; the text without that line, "" where it is refused."""
    found = _LINE.search(text) if hand.game_master else None
    if found is None:
        return text, NOTHING
    wanted = found["seat"].strip(' ."').casefold()
    seat = next((s for s in hand.playing.created.seats if s.casefold() == wanted), "")
    owner = owner_of(hand.step, hand.match, seat) if seat else None
    if plays_too(hand.step, hand.match, hand.player):
        return "", denied(found[0], "You play in this match yourself, so you cannot write for another player.")
    if owner is None:
        said = f"{found['seat']} is no seat that a person plays; write BECOME and the name of a seat."
        return "", denied(found[0], said)
    if hand.status not in ("running", "paused"):
        return "", denied(found[0], f"{hand.match} is {hand.status}; nobody owes anything in it.")
    why = (found["why"] or "").strip()
    with hand.signing(hand.player.name, why):
        hand.log(f"BECOME {seat}")
    hand.becomes(member=owner[0], why=why or "none was given")
    return text[: found.start()] + text[found.end() :], Came(
        (f"You wrote for {seat}, whose player is told so with your words.",)
    )


def tell_of_becoming(hand: Hand, text: str) -> None:
    """Tell the player what was written in his name, and the others that something was."""
    seat, title = hand.seat, f"the game master wrote for {hand.seat}"
    lines = tuple(f"> {line.strip()}" for line in text.splitlines() if line.strip())
    for member, player in everybody(hand.step, hand.match):
        if player.id == hand.player.id:
            continue
        said: tuple[str, ...] = (f"The game master {hand.player.name} wrote a letter for {seat}.",)
        if member.seat == seat and member.status == "playing":
            on_file = [line.text for drawer in drawers_of(hand.playing, seat) for line in drawer.lines]
            said = (*said, "These were the words:", *lines)
            said += (f"On file for you now: {'; '.join(on_file) or 'nothing'}. A letter of yours replaces it.",)
        framed = frame(hand, member, player)
        notice = Notice(
            framed, title, said, "" if hand.writer.became == "none was given" else hand.writer.became, hand.player.name
        )
        unique = f"{hand.playing.head.seq}.became"
        post(hand, player, Mail("notice", title, notice, unique), About(hand.playing, member))


def _become_again(hand: Hand, order: Order) -> Told:
    raise Denial("One letter is written for one player; write BECOME once, in a letter of its own.")


COMMANDS = (
    Command(
        verb=word(
            "RULING",
            'publishes a ruling; SETTING "France gold 12" also sets figures of seats, after a YES to the difference shown first',
            'RULING "The fleet may sail." CITING "nw.r20"',
            "1..1 text words; CITING words text; SETTING words text; SHOWN words text",
        ),
        by=By.MASTERS,
        here=_ruling,
        key=_changes,
        public=True,
        example=_a_ruling,
    ),
    Command(
        verb=word(
            "PREVIEW TURN",
            "shows what the turn would give with the orders on file, with dice of its own; nothing is stored or told",
            "PREVIEW TURN",
            "..1 match",
        ),
        by=By.MASTERS,
        here=_preview_turn,
    ),
    Command(
        verb=word(
            "REWIND",
            "goes back to the beginning of a turn",
            'REWIND TO TURN 4 BECAUSE "misread order"',
            "..1 match; TO TURN number; TO number; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=_rewind,
        grave=True,
        key=always,
        example=_last_turn,
    ),
    Command(
        verb=word("FORWARD", "undoes the last rewind", "FORWARD", "..1 match; BECAUSE words text"),
        by=By.MASTERS,
        here=lambda hand, order: forward(hand),
        grave=True,
        key=always,
    ),
    Command(
        verb=word(
            "BECOME",
            "makes the rest of your letter a letter of this player's, who is told so; for a game master who does not play",
            'BECOME France BECAUSE "his mail is down"',
            "1..1 seat; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=_become_again,
        grave=True,
    ),
    Command(
        verb=word(
            "TERMINATE",
            "ends the match without a winner",
            'TERMINATE BECAUSE "no players left"',
            "..1 match; BECAUSE words text",
            aliases=("END", "END MATCH", "END THE MATCH", "END GAME", "END THE GAME"),
        ),
        by=By.MASTERS,
        instead="VOTE OVER puts it to the players, and RESIGN is for you alone",
        here=lambda hand, order: clock_overrides.terminate(hand),
        before=_call_off,
        grave=True,
        key=always,
    ),
)
