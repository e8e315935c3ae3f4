"""The words by which a player keeps his orders and his time, and the words players write to each other by."""

from __future__ import annotations

from referee.core.vocabulary import Verb
from referee.service.commands.desk_verb import REASON, desk_verb

BY_PLAYERS: tuple[Verb, ...] = (
    desk_verb(
        "ORDERS",
        "prints what you have on file, or had when a turn ran",
        "ORDERS TURN 3",
        most=0,
        prepositions={"TURN": ("number",)},
    ),
    desk_verb("CLEAR", "takes your orders for this turn off the file", "CLEAR"),
    desk_verb(
        "ROLL OUT",
        "ends your slot at once with the orders on file; with a seat, the slot of a player who is late, where slots wait "
        "on call",
        "ROLL OUT",
        ("seat",),
        most=1,
        aliases=("ROLLOUT",),
    ),
    desk_verb("WAIT", "keeps your turn from running before the deadline", "WAIT"),
    desk_verb("NO WAIT", "lets your turn run after the change-of-mind delay", "NO WAIT", aliases=("NOWAIT",)),
    desk_verb(
        "EXTEND",
        "moves your deadline later, by a day or the time you name, which your own time bank in this match pays",
        "EXTEND 12h",
        ("duration",),
        most=1,
    ),
    desk_verb(
        "ABSENCE",
        "says from which day to which you are away, both included, so that no deadline of yours falls into it; alone, it "
        "lists your absences",
        "ABSENCE FROM 2026-12-20 TO 2027-01-02",
        prepositions={"FROM": ("date",), "TO": ("date",)},
        most=0,
    ),
    desk_verb("NO ABSENCE", "takes an absence back; say its number", "NO ABSENCE 1", ("number",), 1, 1),
    desk_verb(
        "CHOOSE", "answers the question the referee asked you", "CHOOSE Gems", ("words",), 1, None, {"IN": ("number",)}
    ),
    desk_verb(
        "RESIGN",
        "leaves the match; whoever stands by, or a bot, has your seat, or its turns are played at once until it is taken "
        "over; before the start, takes you off the list",
        "RESIGN",
        ("match",),
        0,
        1,
        prepositions={"BECAUSE": REASON},
    ),
)
PRESS: tuple[Verb, ...] = (
    desk_verb(
        "PRESS",
        "sends a text of yours to other seats, to ALL or to the game master, as a letter of its own; it ends with a line "
        "END. PRESS GREY TO is not signed, where the match allows that",
        "PRESS TO France, Spain",
        ("words",),
        0,
        None,
        {"TO": ("words",)},
    ),
    desk_verb(
        "BROADCAST",
        "sends a text of yours to everybody in the match and to who watches it; it ends with a line END",
        "BROADCAST",
        ("words",),
        0,
        None,
    ),
)
"""For game masters too."""

BETWEEN_PLAYERS: tuple[Verb, ...] = (
    desk_verb(
        "DIARY",
        "keeps a note to yourself, ended by a line END; the archive shows it when the match is over",
        "DIARY",
        ("words",),
        0,
        None,
    ),
    desk_verb(
        "WITHDRAW LINE",
        "takes one line off your orders on file, by its number or its words; CLEAR takes all",
        "WITHDRAW LINE 2",
        ("number", "words", "text"),
        1,
        None,
        aliases=("WITHDRAW", "STRIKE"),
    ),
    desk_verb(
        "OFFER",
        "offers other seats a treaty, a text ended by a line END; nobody but you enforces it",
        "OFFER TO France",
        ("words",),
        0,
        None,
        {"TO": ("words",)},
    ),
    desk_verb("ACCEPT", "accepts a treaty by its number", "ACCEPT 3", ("number",), 1, 1),
    desk_verb("DECLINE", "declines a treaty, takes back your own offer, or leaves it", "DECLINE 3", ("number",), 1, 1),
    desk_verb(
        "VOTE",
        "puts a pause, its end, more time or the end of the match to the vote of the players, or votes on that: VOTE PAUSE "
        "FOR 3 days, VOTE RESUME, VOTE EXTEND BY 24h, VOTE OVER; VOTE yes ON 2, VOTE no ON 2",
        "VOTE PAUSE FOR 3 days",
        ("words",),
        1,
        1,
        {"FOR": ("duration",), "BY": ("duration",), "ON": ("number",)},
    ),
    desk_verb(
        "SUSPEND",
        "puts to the vote of the players that no deadline runs for so long; the same as VOTE PAUSE FOR that time",
        "SUSPEND FOR 48 hours",
        ("words",),
        0,
        1,
        {"FOR": ("duration",)},
        ("FOR",),
    ),
    desk_verb(
        "PETITION",
        "puts to the vote of the players what to ask of the game master: FOR clarification of a rule, or FOR change of one; he "
        "answers by RULING",
        'PETITION FOR clarification "May a fleet stay where it was built?"',
        prepositions={"FOR": ("words", "text")},
        most=0,
        needs=("FOR",),
    ),
)
