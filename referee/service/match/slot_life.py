"""A slot's life: the states it has, the alarms it bears in each, and what takes it from one to the next.

Read this before anything else that acts on a slot. A slot, here, is one question that waits for an answer: an order sheet,
a further part of one, or a decision in the middle of a turn. It is told apart by the key of its question.

It is CLOSED before its question is asked and after it is answered. It is OPEN while its time runs: it bears a deadline, and
reminders before it. When the deadline rings it is closed, unless it outlives it: by GRACE, as long as a grace lasts that was
promised with the deadline, or ON CALL, until some other player rolls its player out.

A slot that outlived its deadline is late; it bears an alarm for each full period (24 hours), which tells its player and counts
how late he is. A player in grace may come to be on call, never the other way round.

In all three a complete sheet may be on file. Then the slot bears the change-of-mind alarm, too, and is closed when that
rings. A line that makes the sheet incomplete, or a WAIT that holds it, takes the alarm away.

A match that is paused, that waits for the round its dice come of ("sealed"), or that could not be run on and waits for its
game master ("shunted"), makes its slots STAND STILL: they bear no alarm. The rest of each is kept in the match, and set
again when it is resumed, in the state it was in.

Four more alarms are borne by a match and by no slot: one that resumes it from a pause that has an end, one for a match
that has not begun, of which nobody writes, one that looks for the round of a sealed match, and one for each question that a
strong bot thinks over: it rings when nothing else is to be done.

A caller who asks for a change that the table does not have is wrong, and is told so (`Impossible`); nothing is changed then.
Words that do not change a slot are not here: EXCUSE makes a lateness of the past not count, CLOCK changes slots to come.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import Enum, StrEnum

import msgspec

from referee.service.base.ports import Alarm, MatchRow, Step


class AlarmKind(StrEnum):
    """Everything that can fall due in a match. The store keeps it as this word."""

    DEADLINE = "deadline"
    REMINDER = "reminder"
    MIND = "mind"
    GRACE = "grace"
    OVERDUE = "overdue"
    RESUME = "resume"
    FORMING = "forming"
    DICE = "dice"
    BOT = "bot"


DEADLINE, REMINDER, MIND, GRACE, OVERDUE = list(AlarmKind)[:5]
DICE = AlarmKind.DICE

OF_SLOTS = frozenset((DEADLINE, REMINDER, MIND, GRACE, OVERDUE))
"""The alarms of slots; the others are borne by matches."""

TOLD = (DEADLINE, GRACE)
"""The alarms that are a time told to a player, by which he must have answered."""

RINGS_WHILE: Mapping[AlarmKind, str] = {kind: "running" for kind in OF_SLOTS} | {
    AlarmKind.RESUME: "paused",
    AlarmKind.FORMING: "forming",
    AlarmKind.DICE: "sealed",
    AlarmKind.BOT: "running",
}
"""The status of a match in which an alarm means something; in any other it rings in vain."""


class State(Enum):
    """The states of a slot, as a game master reads them."""

    CLOSED = "closed"
    OPEN = "open"
    IN_GRACE = "in grace"
    ON_CALL = "on call"
    STILL = "standing still"


class Bears(msgspec.Struct, frozen=True):
    """The alarms that a slot has in a state: always, and perhaps."""

    always: frozenset[AlarmKind] = frozenset()
    perhaps: frozenset[AlarmKind] = frozenset()

    def allows(self, kinds: Collection[AlarmKind]) -> bool:
        """Whether a slot may have just these."""
        return self.always <= set(kinds) <= self.always | self.perhaps


BEARS: Mapping[State, Bears] = {
    State.CLOSED: Bears(),
    State.OPEN: Bears(frozenset((DEADLINE,)), frozenset((REMINDER, MIND))),
    State.IN_GRACE: Bears(frozenset((GRACE, OVERDUE)), frozenset((MIND,))),
    State.ON_CALL: Bears(frozenset((OVERDUE,)), frozenset((MIND,))),
    State.STILL: Bears(),
}


class Happening(Enum):
    """The things that can happen to a slot, at whose hand, and which alarm rings them."""

    ASKED = "its question is asked", "the game"
    CONTINUED = "a further part of its sheet is asked for", "the game"
    COMPLETE = "a complete sheet is on file", "its player"
    RECONSIDERED = "its sheet is no longer complete, is taken back, or WAIT holds it", "its player"
    DELAY_OVER = "the change-of-mind delay is over", "the clock", MIND
    ENDED = "ROLL OUT, or an order that ends the slot", "its player"
    REMINDED = "a reminder is due", "the clock", REMINDER
    REMINDERS_SET = "SET reminders", "its player"
    DEADLINE_PASSED = "its deadline passes", "the clock", DEADLINE
    PERIOD_FULL = "another full period is over", "the clock", OVERDUE
    GRACE_OVER = "its grace is over", "the clock", GRACE
    MOVED = "DEADLINE, or VOTE EXTEND", "a game master or a vote"
    EXTENDED = "EXTEND", "its player"
    AWAY = "an absence is granted that its deadline falls into", "its player, or a game master"
    SUSPENDED = "the clock is suspended", "the players' vote in the game"
    OUT_OF_REACH = "an outage gives its time back", "the clock"
    ROLLED_OUT = "ROLL OUT of its seat, or PROCESS", "a game master"
    CALLED = "ROLL OUT of its seat", "any other player"
    PAUSED = "PAUSE", "a game master or a vote"
    SEALED = "its match waits for the round that its dice come of", "the referee"
    FELL = "its dice fall", "the clock"
    BROKEN = "the match cannot be run on", "the referee"
    RESUMED = "RESUME, or the pause has its end", "a game master, a vote or the clock"
    ANSWERED = "it is answered, or asked no longer", "its player or the game"
    REWOUND = "REWIND or FORWARD", "a game master"
    FINISHED = "the match is over, or TERMINATE", "the game, a game master or a vote"

    def __init__(self, words: str, by: str, rings: AlarmKind | None = None) -> None:
        self.words = words
        self.by = by
        self.rings = rings


BY_HIMSELF = (Happening.DELAY_OVER, Happening.ENDED)
"""Events that close a slot as its player meant it; all others that close it at a time, or at another's word, closes it for him."""


class Row(msgspec.Struct, frozen=True):
    """In these states, when this happens, a slot comes to be in the next one (None: it stays in the one it is in).

    It may be given alarms of the kinds it `sets`, in place of what it had of the same key; those it `drops` go, unless
    they are set anew. An alarm that rings is gone by ringing.
    """

    states: tuple[State, ...]
    what: Happening
    to: State | None
    sets: frozenset[AlarmKind] = frozenset()
    drops: frozenset[AlarmKind] = frozenset()
    told: str = ""


def _row(
    states: Iterable[State], what: Happening, to: State | None, sets: Iterable[AlarmKind] = (),
    drops: Iterable[AlarmKind] = (), told: str = "",
) -> Row:  # fmt: skip
    return Row(tuple(states), what, to, frozenset(sets), frozenset(drops), told)


CLOSED, OPEN, IN_GRACE, ON_CALL, STILL = State
H = Happening
_LIVE = (OPEN, IN_GRACE, ON_CALL)
_ANY = (*_LIVE, STILL)
_TIME = (DEADLINE, REMINDER)
_LATE = (GRACE, OVERDUE)
_REPORT = "everybody, by the report"

TABLE: tuple[Row, ...] = (
    # It is asked.
    _row([CLOSED], H.ASKED, OPEN, _TIME, told="its player, with a form for his orders"),
    _row([CLOSED], H.CONTINUED, OPEN, _TIME, told="its player, with a form for his orders"),
    _row([CLOSED], H.CONTINUED, IN_GRACE, _LATE, told="its player, with a form for his orders"),
    _row([CLOSED], H.CONTINUED, ON_CALL, [OVERDUE], told="its player, with a form for his orders"),
    # Its sheet.
    _row(_LIVE, H.COMPLETE, None, [MIND], told="its player, in the receipt"),
    _row([STILL], H.COMPLETE, None, told="its player, in the receipt"),
    _row(_ANY, H.RECONSIDERED, None, drops=[MIND], told="its player, in the receipt"),
    _row(_LIVE, H.DELAY_OVER, CLOSED, drops=OF_SLOTS, told=_REPORT),
    _row(_LIVE, H.ENDED, CLOSED, drops=OF_SLOTS, told=_REPORT),
    # Its time.
    _row([OPEN], H.REMINDED, None, told="its player; the game masters, when his letters come back"),
    _row([OPEN], H.REMINDERS_SET, None, [REMINDER], [REMINDER], "its player, in the receipt"),
    _row([OPEN], H.DEADLINE_PASSED, CLOSED, drops=OF_SLOTS, told=_REPORT),
    _row([OPEN], H.DEADLINE_PASSED, IN_GRACE, _LATE, _TIME, "its player; the others once, unless lateness is hidden"),
    _row([OPEN], H.DEADLINE_PASSED, ON_CALL, [OVERDUE], _TIME, "everybody, once"),
    _row([IN_GRACE, ON_CALL], H.PERIOD_FULL, None, [OVERDUE], told="its player"),
    _row([IN_GRACE], H.GRACE_OVER, CLOSED, drops=OF_SLOTS, told=_REPORT),
    _row([IN_GRACE], H.GRACE_OVER, ON_CALL, drops=[GRACE], told="everybody, once"),
    # More time.
    _row([OPEN], H.MOVED, None, _TIME, [REMINDER], "everybody, of all; all who may know, of one"),
    _row([IN_GRACE], H.MOVED, None, [GRACE], told="everybody, of all; all who may know, of one"),
    _row([OPEN], H.EXTENDED, None, _TIME, [REMINDER], "everybody; only those who may know, if lateness is hidden"),
    _row([OPEN], H.AWAY, None, _TIME, [REMINDER], "everybody; only those who may know, if lateness is hidden"),
    _row([OPEN], H.SUSPENDED, None, _TIME, [REMINDER], "everybody"),
    _row([IN_GRACE], H.SUSPENDED, None, _LATE, told="everybody"),
    _row([ON_CALL], H.SUSPENDED, None, [OVERDUE], told="everybody"),
    _row([STILL], H.SUSPENDED, None, told="everybody"),
    _row([OPEN], H.OUT_OF_REACH, None, _TIME, [REMINDER], "everybody"),
    _row([IN_GRACE], H.OUT_OF_REACH, None, _LATE, told="everybody"),
    _row([ON_CALL], H.OUT_OF_REACH, None, [OVERDUE], told="everybody"),
    # Others end it.
    _row(_LIVE, H.ROLLED_OUT, CLOSED, drops=OF_SLOTS, told="everybody; only those who may know, if lateness is hidden"),
    _row([ON_CALL], H.CALLED, CLOSED, drops=OF_SLOTS, told="everybody"),
    # The match stands still, and goes on.
    _row(_LIVE, H.PAUSED, STILL, drops=OF_SLOTS, told="everybody"),
    _row(_LIVE, H.SEALED, STILL, drops=OF_SLOTS, told="everybody"),
    _row([STILL], H.FELL, OPEN, (*_TIME, MIND)),
    _row([STILL], H.FELL, IN_GRACE, (*_LATE, MIND)),
    _row([STILL], H.FELL, ON_CALL, [OVERDUE, MIND]),
    _row(_ANY, H.BROKEN, STILL, drops=OF_SLOTS, told="the game masters"),
    _row([STILL], H.RESUMED, OPEN, (*_TIME, MIND), told="everybody"),
    _row([STILL], H.RESUMED, IN_GRACE, (*_LATE, MIND), told="everybody"),
    _row([STILL], H.RESUMED, ON_CALL, [OVERDUE, MIND], told="everybody"),
    # It is no more.
    _row(_ANY, H.ANSWERED, CLOSED, drops=OF_SLOTS, told="all who may know, in the report or the receipt"),
    _row(_ANY, H.REWOUND, CLOSED, drops=OF_SLOTS, told="everybody"),
    _row(_ANY, H.FINISHED, CLOSED, drops=OF_SLOTS, told="everybody"),
)  # fmt: skip
"""The whole life of a slot."""

_BY_STEP: Mapping[tuple[State, Happening, State], Row] = {
    (state, row.what, row.to or state): row for row in TABLE for state in row.states
}


class Impossible(Exception):
    """Something was to happen to a slot that the table does not have."""


def question_of(alarm: Alarm) -> str:
    """The key of the question that an alarm of a slot is about; reminders and periods bear more behind it."""
    return alarm.key.partition("|")[0]


def borne(alarms: Iterable[Alarm], key: str) -> list[Alarm]:
    """The alarms of one slot."""
    return [alarm for alarm in alarms if alarm.kind in OF_SLOTS and question_of(alarm) == key]


def stands_still(row: MatchRow) -> bool:
    """Whether no slot of a match has time that runs, though it has begun and is not over."""
    return row.status in ("paused", "sealed", "shunted", "moved")


def is_under_way(row: MatchRow) -> bool:
    """Whether a match has begun and goes on, now or when it is resumed or its dice have fallen."""
    return row.status in ("running", "paused", "sealed")


def kinds_of(alarms: Iterable[Alarm]) -> frozenset[AlarmKind]:
    """The kinds of some alarms."""
    return frozenset(AlarmKind(alarm.kind) for alarm in alarms)


def state_of(row: MatchRow, kinds: Collection[AlarmKind]) -> State:
    """The state of a slot that bears alarms of these kinds, in this match."""
    if stands_still(row):
        return STILL
    if GRACE in kinds:
        return IN_GRACE
    if OVERDUE in kinds:
        return ON_CALL
    return OPEN if kinds else CLOSED


def slot_state(row: MatchRow, alarms: Iterable[Alarm], key: str) -> State:
    """The state of the slot with this key, given all alarms of its match."""
    return state_of(row, kinds_of(borne(alarms, key)))


def row_of(state: State, what: Happening, to: State | None = None) -> Row:
    """The row of the table. Raises Impossible where it has none."""
    found = _BY_STEP.get((state, what, to or state))
    if found is None:
        raise Impossible(f'"{what.words}" cannot make a slot that is {state.value} {(to or state).value}')
    return found


def state_when(row: MatchRow, alarms: Iterable[Alarm], key: str, what: Happening) -> State:
    """The state of a slot as something happens to it: the alarm that rang counts, though it is gone."""
    return state_of(row, kinds_of(borne(alarms, key)) | ({what.rings} if what.rings else set()))


def happens(
    step: Step, row: MatchRow, key: str, what: Happening, to: State | None = None, sets: Collection[Alarm] = ()
) -> None:
    """Something happens to a slot: alarms are dropped and set by the table. Raises Impossible; then nothing is."""
    have = borne(step.alarms(row.name), key)
    state = state_when(row, have, key, what)
    by = row_of(state, what, to)
    fresh = {(alarm.kind, alarm.key) for alarm in sets}
    gone = [alarm for alarm in have if alarm.kind in by.drops and (alarm.kind, alarm.key) not in fresh]
    then = kinds_of(sets) | kinds_of(alarm for alarm in have if alarm not in gone)
    if not kinds_of(sets) <= by.sets or not BEARS[by.to or state].allows(then):
        raise Impossible(f'"{what.words}" leaves {key} of {row.name} with {", ".join(sorted(then)) or "no alarm"}')
    for alarm in gone:
        step.clear_alarms(row.name, alarm.kind, alarm.key)
    for alarm in sets:
        step.set_alarm(alarm)
