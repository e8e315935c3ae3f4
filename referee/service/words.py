"""The words of the desk: what anyone, a player and a game master may write beside orders."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from referee.core.vocabulary import Noun, Verb, Vocabulary
from referee.service.master_words import BY_ANYONE, BY_KEY_HOLDERS, BY_MASTERS

__all__ = [
    "DOCUMENTS",
    "FORMS",
    "FOR_ANYONE",
    "FOR_GAME_MASTERS",
    "FOR_PLAYERS",
    "block_kinds",
    "desk_words",
    "group_of",
]

DOCUMENTS = ("report", "sheets", "map", "history", "standings", "rules", "log", "press", "diary", "treaties", "record")
"""What SEND can send."""

FORMS = ("csv", "xlsx")
"""What SEND can make of sheets and logs, as files."""

_REASON = ("words", "text")


def _verb(
    word: str,
    meaning: str,
    example: str,
    takes: tuple[str, ...] = (),
    least: int = 0,
    most: int | None = None,
    prepositions: dict[str, tuple[str, ...]] | None = None,
    needs: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    rule: str = "desk",
) -> Verb:
    return Verb(word, meaning, example, rule, takes, least, most, prepositions or {}, needs, aliases)


FOR_ANYONE: tuple[Verb, ...] = (
    _verb("HELP", "explains a word, or lists them all", "HELP SEND", ("words",), most=1),
    _verb("GAMES", "lists the games played here and the matches that can be joined or watched", "GAMES"),
    _verb("RULES", "sends the numbered rules and rulings of a game", "RULES newworld", ("game",), most=1),
    _verb(
        "JOIN",
        "asks for a seat in a match; name the seats you would like, best first",
        "JOIN nw1 AS England, France",
        ("match",),
        1,
        1,
        {"AS": ("words",)},
    ),
    _verb("OBSERVE", "sends you every public report of a match", "OBSERVE nw1", ("match",), 1, 1, aliases=("WATCH",)),
    _verb(
        "SEND",
        "sends a report, the record sheets, the standings, the history or the rules; AS xlsx or AS csv makes files of sheets",
        "SEND report TURN 3",
        ("document",),
        1,
        2,
        {"TURN": ("number",), "OF": ("seat", "match"), "AS": ("form",)},
    ),
    _verb("VERIFY", "tells the head of the log and how to check it", "VERIFY"),
    _verb(
        "CREATE",
        "opens a match; you become its game master",
        "CREATE newworld AS nw1 WITH nationalities yes, slot 48h, clock 18:00 Europe/Berlin, days Mon-Fri, holidays DE",
        ("game",),
        1,
        1,
        {"AS": ("word",), "WITH": ("words",)},
        ("AS",),
    ),
    _verb(
        "SET",
        "sets your time zone, name, key or when you are reminded, or makes another address of yours known",
        "SET reminders 12h 2h",
        ("words",),
        1,
        1,
    ),
    _verb("STATUS", "says who owes what and by when", "STATUS"),
    _verb("UNSUBSCRIBE", "ends the letters of a match you only watch", "UNSUBSCRIBE"),
)
FOR_PLAYERS: tuple[Verb, ...] = (
    _verb("ORDERS", "prints what you have on file", "ORDERS"),
    _verb("CLEAR", "takes your orders for this turn off the file", "CLEAR"),
    _verb(
        "ROLL OUT",
        "ends your slot at once with the orders on file; with a seat, the slot of a player who is late, where slots wait "
        "on call",
        "ROLL OUT",
        ("seat",),
        most=1,
        aliases=("ROLLOUT",),
    ),
    _verb("WAIT", "keeps your turn from running before the deadline", "WAIT"),
    _verb("NO WAIT", "lets your turn run after the change-of-mind delay", "NO WAIT", aliases=("NOWAIT",)),
    _verb(
        "EXTEND",
        "moves your deadline later, by a day or the time you name, which your own time bank in this match pays",
        "EXTEND 12h",
        ("duration",),
        most=1,
    ),
    _verb(
        "ABSENCE",
        "says from which day to which you are away, both included, so that no deadline of yours falls into it; alone, it "
        "lists your absences",
        "ABSENCE FROM 2026-12-20 TO 2027-01-02",
        prepositions={"FROM": ("date",), "TO": ("date",)},
        most=0,
    ),
    _verb("NO ABSENCE", "takes an absence back; say its number", "NO ABSENCE 1", ("number",), 1, 1),
    _verb(
        "CHOOSE", "answers the question the referee asked you", "CHOOSE Gems", ("words",), 1, None, {"IN": ("number",)}
    ),
    _verb(
        "RESIGN",
        "leaves the match; your seat is played by its standing orders until replaced",
        "RESIGN",
        prepositions={"BECAUSE": _REASON},
    ),
)
_PRESS = (
    _verb(
        "PRESS",
        "sends a text of yours to other seats, to ALL or to the game master, as a letter of its own; it ends with a line "
        "END. PRESS GREY TO is not signed, where the match allows that",
        "PRESS TO France, Spain",
        ("words",),
        0,
        None,
        {"TO": ("words",)},
    ),
    _verb(
        "BROADCAST",
        "sends a text of yours to everybody in the match and to who watches it; it ends with a line END",
        "BROADCAST",
        ("words",),
        0,
        None,
    ),
)
FOR_PLAYERS += _PRESS
FOR_PLAYERS += (
    _verb(
        "DIARY",
        "keeps a note to yourself, ended by a line END; the archive shows it when the match is over",
        "DIARY",
        ("words",),
        0,
        None,
    ),
    _verb(
        "WITHDRAW LINE",
        "takes one line off your orders on file, by its number or its words; CLEAR takes all",
        "WITHDRAW LINE 2",
        ("number", "words", "text"),
        1,
        None,
        aliases=("WITHDRAW", "STRIKE"),
    ),
    _verb(
        "OFFER",
        "offers other seats a treaty, a text ended by a line END; nobody but you enforces it",
        "OFFER TO France",
        ("words",),
        0,
        None,
        {"TO": ("words",)},
    ),
    _verb("ACCEPT", "accepts a treaty by its number", "ACCEPT 3", ("number",), 1, 1),
    _verb("DECLINE", "declines a treaty, takes back your own offer, or leaves it", "DECLINE 3", ("number",), 1, 1),
    _verb(
        "VOTE",
        "puts a pause, its end, more time or the end of the match to the vote of the players, or votes on that: VOTE PAUSE "
        "FOR 3 days, VOTE RESUME, VOTE EXTEND BY 24h, VOTE OVER; VOTE yes ON 2, VOTE no ON 2",
        "VOTE PAUSE FOR 3 days",
        ("words",),
        1,
        1,
        {"FOR": ("duration",), "BY": ("duration",), "ON": ("number",)},
    ),
)
_GIVING_WAY = (("OFFER", "ACCEPT", "DECLINE"), ("VOTE", "PETITION"), ("PRESS",), ("BROADCAST",), ("DIARY",))
"""Words of the desk that stand back, as a family, in a game that has one of them for itself."""
_MAY_CLASH = frozenset({"WITHDRAW", "STRIKE", *(word for family in _GIVING_WAY for word in family)})
FOR_GAME_MASTERS: tuple[Verb, ...] = (
    _verb("START", "starts the match with those who joined", "START", ("match",), 0, 1),
    _verb(
        "DEADLINE",
        "moves the deadline of all or of one player later",
        'DEADLINE +12h FOR France BECAUSE "travelling"',
        ("match", "duration", "moment"),
        1,
        2,
        {"FOR": ("seat",), "BECAUSE": _REASON},
    ),
    _verb(
        "CLOCK",
        "sets how long slots and replies last, when they end and what becomes of late players; what runs already stays",
        "CLOCK slot 48h, clock 18:00 Europe/Berlin, least 24h, late after grace, bank 5 days, absences 14 days",
        ("words",),
        0,
        None,
        {"BECAUSE": _REASON},
    ),
    _verb(
        "DAYS",
        "sets the weekdays on which a slot may end",
        "DAYS Mon-Fri",
        ("words",),
        1,
        None,
        {"BECAUSE": _REASON},
    ),
    _verb(
        "GRACE",
        "sets how long after his deadline a late player may still play; strict: not in two slots in a row",
        "GRACE 24h strict",
        ("words",),
        1,
        None,
        {"BECAUSE": _REASON},
    ),
    _verb(
        "HOLIDAYS",
        "sets the countries on whose public holidays, and the dates on which, no slot ends",
        "HOLIDAYS DE US-CA 2026-12-24",
        ("words",),
        1,
        None,
        {"BECAUSE": _REASON},
    ),
    _verb(
        "APPROVE ABSENCE",
        "grants the long absence a player asked for",
        "APPROVE ABSENCE France",
        ("seat",),
        1,
        1,
        {"BECAUSE": _REASON},
    ),
    _verb(
        "REFUSE ABSENCE",
        "does not grant the long absence a player asked for",
        'REFUSE ABSENCE France BECAUSE "the others wait"',
        ("seat",),
        1,
        1,
        {"BECAUSE": _REASON},
    ),
    _verb(
        "PAUSE",
        "stops the clock, for a time or until RESUME",
        'PAUSE FOR 3 days BECAUSE "holidays"',
        ("match",),
        0,
        1,
        {"FOR": ("duration",), "BECAUSE": _REASON},
    ),
    _verb(
        "RESUME",
        "lets the clock run again; everybody keeps the time he had left",
        "RESUME",
        ("match",),
        0,
        1,
        {"BECAUSE": _REASON},
    ),
    _verb(
        "ROLL OUT",
        "plays a late player's turn at once from what is on file",
        "ROLL OUT France",
        ("seat",),
        0,
        1,
        {"BECAUSE": _REASON},
        aliases=("ROLLOUT",),
    ),
    _verb(
        "PROCESS",
        "runs the phase that waits; name it, so that you cannot race the clock",
        'PROCESS "T3/France"',
        ("text", "words"),
        1,
        1,
        {"BECAUSE": _REASON},
    ),
    _verb(
        "EXCUSE",
        "marks a player's lateness as not his fault",
        'EXCUSE France BECAUSE "power cut"',
        ("seat",),
        1,
        1,
        {"BECAUSE": _REASON},
    ),
    _verb(
        "REWIND",
        "goes back to the beginning of a turn",
        'REWIND TO TURN 4 BECAUSE "misread order"',
        ("match",),
        0,
        1,
        {"TO TURN": ("number",), "TO": ("number",), "BECAUSE": _REASON},
    ),
    _verb("FORWARD", "undoes the last rewind", "FORWARD", ("match",), 0, 1, {"BECAUSE": _REASON}),
    _verb(
        "REPLACE",
        "gives a seat to another player; without BY, to the first who stands by",
        "REPLACE France BY anna@example.org",
        ("seat",),
        1,
        1,
        {"BY": ("address",), "BECAUSE": _REASON},
    ),
    _verb(
        "RULING",
        'publishes a ruling; SETTING "France gold 12" also sets figures of seats, after a YES to the difference shown first',
        'RULING "The fleet may sail." CITING "nw.r20"',
        ("text", "words"),
        1,
        1,
        {"CITING": ("words", "text"), "SETTING": ("words", "text"), "SHOWN": ("words", "text")},
    ),
    _verb(
        "ANNOUNCE",
        "sends a message to everybody in the match",
        'ANNOUNCE "We pause over Christmas."',
        ("text", "words"),
        1,
        1,
    ),
    _verb(
        "TERMINATE",
        "ends the match without a winner",
        'TERMINATE BECAUSE "no players left"',
        ("match",),
        0,
        1,
        {"BECAUSE": _REASON},
    ),
)

FOR_ANYONE += BY_ANYONE
FOR_PLAYERS += BY_KEY_HOLDERS
FOR_GAME_MASTERS += (*BY_MASTERS, *BY_KEY_HOLDERS)


def group_of(word: str) -> str:
    """For whom a word is, as HELP groups it."""
    if any(verb.word == word for verb in FOR_ANYONE):
        return "anyone"
    return "players" if any(verb.word == word for verb in FOR_PLAYERS) else "game masters"


def _without(verb: Verb, own: frozenset[str]) -> Verb:
    """A verb without the aliases that a game has for itself."""
    kept = tuple(alias for alias in verb.aliases if alias not in own)
    return verb if kept == verb.aliases else replace(verb, aliases=kept)


def block_kinds(desk: Vocabulary) -> tuple[str, ...]:
    """The kinds of free text that these words of the desk begin."""
    return tuple(verb.word.lower() for verb in desk.verbs if verb.word in ("PRESS", "BROADCAST", "DIARY", "OFFER"))


def desk_words(
    games: Sequence[str],
    matches: Sequence[str],
    seats: Sequence[str],
    player: bool,
    game_master: bool,
    game: Vocabulary | None = None,
) -> Vocabulary:
    """The desk's vocabulary for one letter writer, without what a `game` has for itself; the same object for the same words."""
    own = frozenset(word for verb in game.verbs for word in (verb.word, *verb.aliases)) if game else frozenset()
    known = own & _MAY_CLASH
    return _desk_words(tuple(games), tuple(matches), tuple(seats), player, game_master, known)


@lru_cache(maxsize=256)
def _desk_words(
    games: tuple[str, ...],
    matches: tuple[str, ...],
    seats: tuple[str, ...],
    player: bool,
    game_master: bool,
    own: frozenset[str],
) -> Vocabulary:
    verbs = FOR_ANYONE + (FOR_PLAYERS if player else ())
    if game_master:
        verbs += () if player else _PRESS
        taken = {verb.word for verb in FOR_GAME_MASTERS}
        verbs = tuple(verb for verb in verbs if verb.word not in taken) + FOR_GAME_MASTERS
    gone = {word for family in _GIVING_WAY if own & set(family) for word in family}
    verbs = tuple(_without(verb, own) for verb in verbs if verb.word not in gone)
    nouns = [Noun(name, "game") for name in games] + [Noun(name, "match") for name in matches]
    nouns += [Noun(name, "seat") for name in seats] + [Noun(name, "document") for name in DOCUMENTS]
    nouns += [Noun(name, "form") for name in FORMS]
    return Vocabulary(verbs, tuple(nouns))
