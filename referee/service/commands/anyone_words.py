"""The words that anyone may write."""

from __future__ import annotations

from referee.core.vocabulary import Verb
from referee.kit.wording import in_a_row
from referee.service.commands.desk_verb import desk_verb
from referee.service.records.documents import DOCUMENTS

BY_ANYBODY: tuple[Verb, ...] = (
    desk_verb("HELP", "explains a word, or lists them all", "HELP SEND", ("words",), most=1),
    desk_verb(
        "GAMES", "lists the games played here and the matches that can be joined or watched", "GAMES", aliases=("LIST",)
    ),
    desk_verb("RULES", "sends the numbered rules and rulings of a game", "RULES newworld", ("game",), most=1),
    desk_verb(
        "JOIN",
        "asks for a seat in a match; name the seats you would like, best first",
        "JOIN nw1 AS England, France",
        ("match",),
        1,
        1,
        {"AS": ("words",)},
        aliases=("SIGNON",),
    ),
    desk_verb(
        "OBSERVE", "sends you every public report of a match", "OBSERVE nw1", ("match",), 1, 1, aliases=("WATCH",)
    ),
    desk_verb(
        "SEND",
        f"sends a document: {in_a_row(tuple(DOCUMENTS), 'or')}; HELP SEND says what each is. AS xlsx, csv or json makes files",
        "SEND report TURN 3",
        ("document",),
        1,
        2,
        {"TURN": ("number",), "SINCE": ("date",), "LINES": ("number",), "OF": ("seat", "match"), "AS": ("form",)},
    ),
    desk_verb(
        "VERIFY",
        "checks the log of a match: its chain while it runs, and every die and event when its secret is published; tells "
        "which version of the referee runs",
        "VERIFY nw1",
        ("match",),
        0,
        1,
        aliases=("VERSION",),
    ),
    desk_verb(
        "CREATE",
        "opens a match; you become its game master",
        "CREATE newworld AS nw1 WITH nationalities yes, slot 48h, clock 18:00 Europe/Berlin, days Mon-Fri, holidays DE",
        ("game",),
        1,
        1,
        {"AS": ("word",), "WITH": ("words",)},
        ("AS",),
    ),
    desk_verb(
        "SET",
        "sets your time zone, name, key, when you are reminded and what letters you are sent, or makes another address of "
        "yours known",
        "SET reminders 12h 2h",
        ("words",),
        1,
        1,
    ),
    desk_verb("STATUS", "says who owes what and by when", "STATUS"),
    desk_verb("UNSUBSCRIBE", "ends the letters of a match you only watch", "UNSUBSCRIBE"),
)
