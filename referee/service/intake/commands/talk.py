"""Commands by which players write to each other and decide together: press, diaries, treaties, votes; a game master's news."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.order import Order
from referee.service.house import treaties_and_votes
from referee.service.intake.commands.command import By, Command, Here, named, number_in, span_in, word
from referee.service.match.members import gives_away, hides_names
from referee.service.match.result import Came, Denial, Told, need
from referee.service.turn import clock_overrides
from referee.service.turn.writer import Hand


def _block(hand: Hand, order: Order) -> Told:
    """A heading that could not be read as one."""
    to = " TO and then whom it is for" if order.verb in ("PRESS", "OFFER") else " alone"
    raise Denial(f"Write {order.verb}{to} on a line by itself, then your text, then a line END; nothing was sent.")


def _numbered(act: Callable[[Hand, int], Told]) -> Here:
    return lambda hand, order: act(hand, number_in(order.things))


def _last_treaty(command: str) -> Callable[[Hand], str | None]:
    """The last treaty in which the writer has a part."""

    def example(hand: Hand) -> str | None:
        mine = [
            treaty for treaty in treaties_and_votes.treaties_of(hand.step, hand.match) if hand.seat in treaty.parties
        ]
        return f"{command} {mine[-1].number}" if mine else None

    return example


def _vote(hand: Hand, order: Order) -> Came:
    what = named(order).casefold()
    span = span_in((*order.after("FOR"), *order.after("BY")))
    if what in ("yes", "no"):
        return treaties_and_votes.cast(hand, number_in(order.after("ON")), what == "yes")
    need(
        what in treaties_and_votes.KINDS,
        "VOTE takes PAUSE, RESUME, EXTEND BY a time, OVER, or yes or no ON a number: VOTE yes ON 2.",
    )
    return treaties_and_votes.move(hand, what, span.total_seconds() if span else 0)


def _last_motion(hand: Hand) -> str | None:
    motions = [motion for motion in treaties_and_votes.motions_of(hand.step, hand.match) if motion.state == "open"]
    return f"VOTE yes ON {motions[-1].number}" if motions else None


def _suspend(hand: Hand, order: Order) -> Came:
    span = span_in(order.after("FOR"))
    return treaties_and_votes.move(hand, "pause", span.total_seconds() if span else 0)


def _petition(hand: Hand, order: Order) -> Came:
    kind, _, text = " ".join(thing.name for thing in order.after("FOR")).partition(" ")
    text = text.strip().strip('"').strip()
    away = gives_away(text, hand.player) if hides_names(hand.playing) else ""
    if kind.casefold() not in treaties_and_votes.PETITIONS or not text:
        lines = " or ".join(f'PETITION FOR {kind} "..."' for kind in treaties_and_votes.PETITIONS)
        raise Denial(f"Say what is asked for: {lines}.")
    need(not away, f"This match is anonymous, and everybody would read {away}; leave that out.")
    return treaties_and_votes.move(hand, kind.casefold(), 0, text)


COMMANDS = (
    Command(
        verb=word(
            "PRESS",
            "sends a text of yours to other seats, to ALL or to the game master, as a letter of its own; it ends with a line "
            "END. PRESS GREY TO is not signed, where the match allows that",
            "PRESS TO France, Spain",
            "words; TO words",
        ),
        by=By.WRITERS,
        here=_block,
        text="Shall we divide the coast between us?",
        family="press",
    ),
    Command(
        verb=word(
            "BROADCAST",
            "sends a text of yours to everybody in the match and to its observers; it ends with a line END",
            "BROADCAST",
            "words",
        ),
        by=By.WRITERS,
        here=_block,
        text="I wish us all a good match.",
        family="broadcast",
    ),
    Command(
        verb=word(
            "DIARY",
            "keeps a note to yourself, ended by a line END; the archive shows it when the match is over",
            "DIARY",
            "words",
        ),
        by=By.PLAYERS,
        here=_block,
        text="Next year: the south.",
        family="diary",
    ),
    Command(
        verb=word(
            "OFFER",
            "offers other seats a treaty, a text ended by a line END; nobody but you enforces it",
            "OFFER TO France",
            "words; TO words",
        ),
        by=By.PLAYERS,
        here=_block,
        text="Neither of us moves a fleet before turn 9.",
        family="treaties",
    ),
    Command(
        verb=word("ACCEPT", "accepts a treaty by its number", "ACCEPT 3", "1..1 number"),
        by=By.PLAYERS,
        here=_numbered(treaties_and_votes.accept),
        example=_last_treaty("ACCEPT"),
        family="treaties",
    ),
    Command(
        verb=word("DECLINE", "declines a treaty, takes back your own offer, or leaves it", "DECLINE 3", "1..1 number"),
        by=By.PLAYERS,
        here=_numbered(treaties_and_votes.decline),
        example=_last_treaty("DECLINE"),
        family="treaties",
    ),
    Command(
        verb=word(
            "VOTE",
            "puts a pause, its end, more time or the end of the match to the vote of the players, or votes on that: VOTE PAUSE "
            "FOR 3 days, VOTE RESUME, VOTE EXTEND BY 24h, VOTE OVER; VOTE yes ON 2, VOTE no ON 2",
            "VOTE PAUSE FOR 3 days",
            "1..1 words; FOR duration; BY duration; ON number",
        ),
        by=By.PLAYERS,
        here=_vote,
        example=_last_motion,
        family="votes",
    ),
    Command(
        verb=word(
            "SUSPEND",
            "puts to the vote of the players that no deadline runs for so long; the same as VOTE PAUSE FOR that time",
            "SUSPEND FOR 48 hours",
            "..1 words; FOR duration",
            needs=("FOR",),
        ),
        by=By.PLAYERS,
        here=_suspend,
        family="votes",
    ),
    Command(
        verb=word(
            "PETITION",
            "puts to the vote of the players what to ask of the game master: FOR clarification of a rule, or FOR change of one; "
            "he answers by RULING",
            'PETITION FOR clarification "May a fleet stay where it was built?"',
            "..0; FOR words text",
            needs=("FOR",),
        ),
        by=By.PLAYERS,
        here=_petition,
        family="votes",
    ),
    Command(
        verb=word(
            "ANNOUNCE",
            "sends a message to everybody in the match",
            'ANNOUNCE "We pause over Christmas."',
            "1..1 text words",
        ),
        by=By.MASTERS,
        here=lambda hand, order: clock_overrides.announce(hand, named(order)),
        public=True,
    ),
)
