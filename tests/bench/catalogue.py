"""All cases with their floors and goals, and which of them a group runs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.games import GAMES
from tests.bench.ahead import answers
from tests.bench.commits import letter_commits, letters_handled
from tests.bench.empire import a_turn, boards_made, food_traced, letters_of_a_slot, maps_drawn, pictures_drawn
from tests.bench.empire_long import match_in_memory, next_turn
from tests.bench.herd import claims, herd
from tests.bench.ingest import durable_ingest, durable_reception, receipts_delivered
from tests.bench.mail_imap import letters_from_mailbox, no_dovecot
from tests.bench.mail_lmtp import letters_by_lmtp
from tests.bench.measure import Case, Size
from tests.bench.memory import idle_matches, matches_in_use
from tests.bench.noon import noon, turn_over_floor
from tests.bench.parsing import new_lines, usual_lines
from tests.bench.reports import acknowledgements, reports_written, turn_reports
from tests.bench.soak import soak
from tests.bench.standing import looks, memory_of_service, start_of_service
from tests.bench.turns import turns_adjudicated, turns_by_letter, turns_of_an_old_match
from tests.bench.war import bot_games, letters_of_a_share, movement_rounds


@dataclass(frozen=True)
class Group:
    """Cases and how much each of them does."""

    cases: tuple[Case, ...]
    size: Size


_INGEST = Case(
    "P1",
    "letters taken, durable, handled, receipt queued",
    "letters/s",
    durable_ingest(1),
    "aiosmtpd that forgets",
    floor=0.3,
    goal=0.38,
)
_INGEST_TWO = Case(
    "P1d", "the same with two desks", "letters/s", durable_ingest(2), "aiosmtpd that forgets", floor=0.3, goal=0.45
)
_RECEPTION = Case("P1a", "letters taken and durable", "letters/s", durable_reception, "aiosmtpd that forgets")
_DELIVERED = Case("P1c", "the same, receipt in its Maildir", "letters/s", receipts_delivered, "aiosmtpd that forgets")
_PARSE = Case("P4", "order lines read and bound", "lines/s", usual_lines, "regex by hand", floor=0.35, goal=0.6)
_PARSE_NEW = Case("P4b", "order lines never seen before", "lines/s", new_lines, "regex by hand")
_COMMIT = Case(
    "P8", "a letter's rows, one commit", "commits/s", letter_commits, "the driver alone", floor=0.5, goal=0.8
)
_HANDLED = Case("P8b", "a letter handled, one commit", "letters/s", letters_handled)
_CLAIMS = Case(
    "P10", "deadlines claimed, kill -9", "alarms/s", claims, "the driver alone", floor=0.2, goal=0.5, once=True
)
_HERD = Case("P10b", "turns due at once, kill -9", "turns/s", herd, "nobody killed", once=True)
_IDLE = Case(
    "P11", "idle match with a deadline", "KB", idle_matches, floor=1.0, goal=0.25, lower_is_better=True, once=True
)
_IN_USE = Case("P11b", "match in use, one of many", "KB", matches_in_use, lower_is_better=True, once=True)
_LOOKS = Case("C1", "a look at all deadlines", "ms", looks, floor=50, goal=5, lower_is_better=True, of_a_file=True)
_MEMORY = Case(
    "C2",
    "memory of the whole service",
    "MB",
    memory_of_service(1),
    floor=500,
    goal=300,
    lower_is_better=True,
    once=True,
    of_a_file=True,
)
_MEMORY_TWO = Case(
    "C2b", "the same with two desks", "MB", memory_of_service(2), lower_is_better=True, once=True, of_a_file=True
)
_SOAK = Case(
    "S1",
    "growth of the service in days of letters",
    "KB a 1,000 letters",
    soak,
    floor=200,
    goal=50,
    lower_is_better=True,
    once=True,
    of_a_file=True,
)
_STARTS = Case(
    "C3",
    "start of the service",
    "s",
    start_of_service,
    floor=5,
    goal=3,
    lower_is_better=True,
    once=True,
    of_a_file=True,
)
_REPORTS = Case(
    "P12", "reports of a turn, built and queued", "reports/s", turn_reports, "two renders alone", floor=0.25, goal=0.35
)
_REPORTS_WRITTEN = Case("P12b", "reports written out", "reports/s", reports_written, "two renders alone")
_RECEIPTS = Case("P13", "receipt built", "receipts/s", acknowledgements, "jinja + EmailMessage", floor=1.0, goal=5.0)
_RULES = Case("T1", "a turn by the rules alone", "ms", turns_adjudicated, floor=20, goal=10, lower_is_better=True)
_TURN = Case("T2", "a turn by letter, whole", "ms", turns_by_letter, lower_is_better=True)
_OLD_TURN = Case("T3", "turns of an old match", "turns/s", turns_of_an_old_match, "of a young one", floor=0.7, goal=0.9)
_ROUND = Case(
    "W1", "War!: a round of movement, 400 units", "ms", movement_rounds, floor=50, goal=20, lower_is_better=True
)
_BOTS = Case("W2", "War!: a game of bots to its end", "s", bot_games, floor=3, goal=1, lower_is_better=True)
_SHARE = Case(
    "W3", "War!: letters of a share to eight", "ms", letters_of_a_share, floor=100, goal=60, lower_is_better=True
)
_FOOD = Case("E1", "Empire: food for 300 mouths", "ms", food_traced, floor=200, goal=50, lower_is_better=True)
_SLOT = Case("E2", "Empire: 400 orders, cold", "ms", a_turn(True), floor=300, goal=150, lower_is_better=True)
_SLOT_WARM = Case("E2b", "Empire: 400 orders, warm", "ms", a_turn(False), floor=300, goal=150, lower_is_better=True)
_BOARDS = Case("E3", "Empire: a board of 72 by 42", "s", boards_made, floor=5, goal=1, lower_is_better=True)
_MAPS = Case("E4", "Empire: maps as SVG for eight", "ms", maps_drawn, floor=200, goal=100, lower_is_better=True)
_PICTURES = Case("E4b", "Empire: the map as PNG", "ms", pictures_drawn, floor=500, goal=100, lower_is_better=True)
_LETTERS = Case(
    "E5", "Empire: letters of a slot to eight", "ms", letters_of_a_slot, floor=500, goal=200, lower_is_better=True
)
_LATE_SLOT = Case("E6", "Empire: a slot after 25 turns", "ms", next_turn(1), floor=500, goal=100, lower_is_better=True)
_LATE_TURN = Case("E6b", "Empire: all slots of turn 26", "ms", next_turn(8), floor=500, goal=250, lower_is_better=True)
_MATCH = Case(
    "E7", "Empire: memory of a long match", "MB", match_in_memory, floor=100, goal=50, lower_is_better=True, once=True
)
_LMTP = Case(
    "P1b",
    "letters by LMTP, durable",
    "letters/s",
    letters_by_lmtp,
    "aiosmtpd LMTP that forgets",
    floor=0.25,
    goal=0.5,
)
_MAILBOX = Case(
    "P14",
    "letters from a mailbox, durable",
    "letters/s",
    letters_from_mailbox,
    "IMAPClient by 100",
    floor=0.15,
    goal=0.3,
    lacks=no_dovecot,
)
_AHEAD = tuple(
    Case(
        f"B{at}",
        f"{game.title}: answers on the bare stage",
        "answers/CPU s",
        answers(game),
        "the stage of the log",
        floor=1.1,
        goal=1.4,
    )
    for at, game in enumerate(GAMES, 1)
)

_NOON = Case("N1", "noon: deadlines done by two desks", "deadlines/s", noon, "one desk", floor=1.2, goal=1.5, once=True)
_COST = Case("N2", "a deadline over its floor", "times", turn_over_floor, floor=2.5, goal=2.0, lower_is_better=True)

_ALL = (
    _INGEST,
    _INGEST_TWO,
    _RECEPTION,
    _DELIVERED,
    _PARSE,
    _PARSE_NEW,
    _COMMIT,
    _HANDLED,
    _CLAIMS,
    _HERD,
    _IDLE,
    _IN_USE,
    _LOOKS,
    _MEMORY,
    _MEMORY_TWO,
    _STARTS,
    _REPORTS,
    _REPORTS_WRITTEN,
    _RECEIPTS,
    _RULES,
    _TURN,
    _OLD_TURN,
    _ROUND,
    _BOTS,
    _SHARE,
    _FOOD,
    _SLOT,
    _SLOT_WARM,
    _BOARDS,
    _MAPS,
    _PICTURES,
    _LETTERS,
    _LATE_SLOT,
    _LATE_TURN,
    _MATCH,
    _LMTP,
    _MAILBOX,
    _NOON,
    _COST,
    *_AHEAD,
)
_FULL = Size(letters=2_000, matches=200, lines=40_000, commits=1_000, herd=1_000, noon=200, turns=100, receipts=500)

_QUICK = tuple(replace(case, floor=None, goal=None) if case in (_NOON, _COST) else case for case in _ALL)
"""Two seconds of noon say nothing: the group noon, and full, judge it."""

GROUPS: dict[str, Group] = {
    "quick": Group(_QUICK, Size()),
    "full": Group(_ALL, _FULL),
    "ingest": Group((_INGEST, _INGEST_TWO, _RECEPTION, _DELIVERED, _COMMIT, _HANDLED), Size()),
    "parse": Group((_PARSE, _PARSE_NEW), Size()),
    "deadlines": Group((_CLAIMS, _HERD), Size()),
    "reports": Group((_REPORTS, _REPORTS_WRITTEN, _RECEIPTS), Size()),
    "mail": Group((_LMTP, _MAILBOX), Size(letters=1_000)),
    "noon": Group((_NOON, _COST), Size(noon=400)),
    "memory": Group((_IDLE, _IN_USE), Size()),
    "clock": Group((_LOOKS, _MEMORY, _MEMORY_TWO, _STARTS), Size()),
    "soak": Group((_SOAK,), Size()),
    "ahead": Group(_AHEAD, Size(turns=50)),
    "turns": Group((_RULES, _TURN, _OLD_TURN), Size()),
    "war": Group((_ROUND, _BOTS, _SHARE), Size()),
    "empire": Group(
        (
            _FOOD,
            _SLOT,
            _SLOT_WARM,
            _BOARDS,
            _MAPS,
            _PICTURES,
            _LETTERS,
            _LATE_SLOT,
            _LATE_TURN,
            _MATCH,
        ),
        Size(),
    ),
}
"""What can be asked for by name; quick takes about a minute, full several."""
