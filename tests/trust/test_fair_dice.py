"""Dice are fair: faces as often as they should be, one throw without memory of the other, and nothing to choose beforehand.

Everything is reckoned from a fixed secret, so these numbers never change. The limits are those that true dice pass 999 times
out of 1,000.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache

import pytest

from referee.core.chance import LINKS, Keyed, hidden_link, key_of, link
from referee.core.event import Drawn, Rolled
from referee.core.names import Seat
from referee.core.position import Position, start
from referee.core.record import Answered, Created, Entry, Happened, Pledged, Record, Sealed, kind_of, seal
from referee.core.stage import resume
from referee.service.base.ports import MatchRow
from referee.service.match.playing import codec_of
from referee.service.match.sealing import Seals, Writing, pledge
from tests.beacon.by_hand import signature
from tests.match import create, secret_of
from tests.toy import TOY, Standoff

SECRET = secret_of("fair dice")
TURNS = 10_000
SECRETS = 20_000
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def head(turn: int) -> str:
    """What stands for the hash of a sealing entry."""
    return hashlib.sha256(f"turn {turn}".encode()).hexdigest()


@lru_cache(maxsize=4)
def chain(number: int) -> tuple[bytes, ...]:
    """All links of a chain, from the first that keys a throw."""
    return tuple(link(SECRET, number, at) for at in range(1, LINKS + 1))


def keys(beacon: bool = False, hidden: bool = False, turns: int = TURNS) -> Iterable[bytes]:
    """The keys of so many turns of a match, a link each."""
    for turn in range(turns):
        of = hidden_link(SECRET) if hidden else chain(turn // LINKS)[turn % LINKS]
        yield key_of(of, head(turn), signature(turn) if beacon else b"")


def thrown(sides: int, dice: int, **of: bool) -> list[list[int]]:
    """The faces of every turn, in their order."""
    return [[Keyed(key).face("T/attack", index, sides) for index in range(dice)] for key in keys(**of)]


def strays(counts: Sequence[int], expected: float) -> bool:
    """Whether chi-square calls these counts those of false dice: true ones pass 999 times out of 1,000."""
    square = sum((count - expected) ** 2 / expected for count in counts)
    free = len(counts) - 1
    limit = free * (1 - 2 / (9 * free) + 3.0902 * math.sqrt(2 / (9 * free))) ** 3  # Wilson and Hilferty
    return square > limit


@pytest.mark.parametrize("of", [{}, {"beacon": True}, {"hidden": True}], ids=["letters", "drand", "hidden"])
@pytest.mark.parametrize("sides", [2, 6, 10, 100])
def test_every_face_comes_as_often_as_every_other(sides: int, of: dict[str, bool]) -> None:
    counts = Counter(face for turn in thrown(sides, 1, **of) for face in turn)
    assert set(counts) == set(range(1, sides + 1))
    assert not strays(list(counts.values()), TURNS / sides)


def test_the_test_itself_knows_false_dice() -> None:
    """One face of a hundred dice too many by a fifth."""
    assert strays([TURNS // 6 + 300, *[TURNS // 6 - 60] * 5], TURNS / 6)


@pytest.mark.parametrize("sides", [2, 6, 10])
def test_a_face_says_nothing_of_the_next_in_the_same_throw(sides: int) -> None:
    pairs = Counter((one, other) for one, other in thrown(sides, 2))
    assert not strays([pairs[one + 1, other + 1] for one in range(sides) for other in range(sides)], TURNS / sides**2)


@pytest.mark.parametrize("sides", [2, 6, 10])
def test_a_face_says_nothing_of_the_one_in_the_next_turn(sides: int) -> None:
    faces = [face for (face,) in thrown(sides, 1)]
    pairs = Counter(itertools.pairwise(faces))
    counts = [pairs[one + 1, other + 1] for one in range(sides) for other in range(sides)]
    assert not strays(counts, (TURNS - 1) / sides**2)


def test_a_throw_says_nothing_of_another_purpose_under_the_same_key() -> None:
    dice = [Keyed(key) for key in keys()]
    pairs = Counter((each.face("T/attack", 0, 6), each.face("T/defence", 0, 6)) for each in dice)
    assert not strays([pairs[one, other] for one in range(1, 7) for other in range(1, 7)], TURNS / 36)


def test_open_dice_say_nothing_of_hidden_ones() -> None:
    both = zip(thrown(6, 1), thrown(6, 1, hidden=True), strict=True)
    pairs = Counter((one, other) for (one,), (other,) in both)
    assert not strays([pairs[one, other] for one in range(1, 7) for other in range(1, 7)], TURNS / 36)


def test_one_other_letter_in_the_log_gives_other_dice() -> None:
    """Of a thousand keys with one other head as many dice are the same as of any two: a sixth."""
    links = chain(0)[:1_000]
    same = sum(
        Keyed(key_of(of, head(turn))).face("T/attack", 0, 6)
        == Keyed(key_of(of, head(-turn - 1))).face("T/attack", 0, 6)
        for turn, of in enumerate(links)
    )
    assert not strays([same, 1_000 - same], 500) or abs(same - 1_000 / 6) < 4 * math.sqrt(1_000 * 5 / 36)
    assert abs(same - 1_000 / 6) < 4 * math.sqrt(1_000 * 5 / 36)


# ---------------------------------------------------------------- chosen beforehand


def pips(secret: bytes, turn: int, signed: bytes = b"") -> int:
    """What a friend throws in a turn: four dice."""
    dice = Keyed(key_of(secret, head(turn), signed))
    return sum(dice.face("T/friend", index, 6) for index in range(4))


@lru_cache(maxsize=1)
def secrets() -> tuple[bytes, ...]:
    """Secrets of which a host may choose; each stands for the link that it leads to."""
    return tuple(hashlib.sha256(f"secret {number}".encode()).digest() for number in range(SECRETS))


def test_the_best_of_twenty_thousand_secrets_gives_no_more_pips_than_chance_under_a_beacon() -> None:
    """He chooses it for the round that he thinks will come; the true one is another. His twenty best, over a hundred turns each."""
    guessed = sorted(secrets(), key=lambda secret: pips(secret, 0, b"a guess"), reverse=True)[:20]
    assert pips(guessed[0], 0, b"a guess") == 24, "for the round that he guessed it is the best there is"
    true = [pips(secret, turn, signature(turn)) for secret in guessed for turn in range(100)]
    mean, of_one = sum(true) / len(true), math.sqrt(4 * 35 / 12)
    assert abs(mean - 14) < 3 * of_one / math.sqrt(len(true))


def test_a_secret_that_was_chosen_gives_no_more_than_chance_once_another_letter_came() -> None:
    """Without a beacon, too: as long as somebody whom the host cannot foresee writes the last letter."""
    chosen = sorted(secrets(), key=lambda secret: pips(secret, 0), reverse=True)[:20]
    assert pips(chosen[0], 0) == 24
    true = [pips(secret, turn) for secret in chosen for turn in range(1, 101)]
    assert abs(sum(true) / len(true) - 14) < 3 * math.sqrt(4 * 35 / 12) / math.sqrt(len(true))


def test_who_knows_the_whole_log_can_choose_the_secret_for_it_where_no_beacon_is_used() -> None:
    """What is thrown before anybody has written, such as a deal: possible, as docs/trust.md says."""
    assert max(pips(secret, 0) for secret in secrets()) == 24
    assert sum(pips(secret, 0) for secret in secrets()[:3_000]) / 3_000 < 14.3


# ---------------------------------------------------------------- through the stage


class Table:
    """The toy game, played by the stage under the seals of a log that grows."""

    def __init__(self, number: int) -> None:
        secret = secret_of(f"fair table {number}")
        self.row = MatchRow(f"t{number}", "toy", "running", secret, {}, {}, NOON)
        self.codec = codec_of(TOY)
        created: Created = create(TOY, 3, {"rounds": "2"}, secret)
        self.head: Entry = seal(secret, self.row.name, None, "", "created", self.codec.dump(created), "")
        self.seals = Seals()
        self._append(pledge(secret, self.seals))
        self.position: Position[Standoff] = start(TOY, created)
        self.tail: tuple[Record, ...] = ()
        self.events: list[Rolled | Drawn] = []
        self.count = 0

    def _append(self, pledged: Pledged) -> None:
        payload = self.codec.dump(pledged)
        self.head = seal(self.row.secret, self.row.name, self.head, "", kind_of(pledged), payload, "")
        self.seals = self.seals.followed([(self.head, pledged)])

    def play(self) -> None:
        """To the end, everybody silent."""
        inputs: list[Answered] = []
        for _ in range(40):
            dice = Writing(self.row, self.codec, self.head, self.seals, "", "")
            out = resume(TOY, self.codec, self.position, self.tail, inputs, dice, lambda _: True)
            entries = dice.finished(out.written)
            self.head, self.seals = (entries[-1][0] if entries else self.head), dice.seals
            self.tail = (*self.tail, *out.written)[out.position.count - self.position.count :]
            self.position = out.position
            for _, record in entries:
                if isinstance(record, Happened):
                    event = self.codec.event(record.event)
                    self.events += [event] if isinstance(event, Rolled | Drawn) else []
                self.count += isinstance(record, Sealed)
            if out.over:
                return
            import msgspec

            from referee.core.question import Source

            question = out.open[0]
            value = msgspec.Raw(question.menu.encode(question.menu.default))
            inputs = [Answered(question.key, Seat(question.seat), value, Source.DEFAULT, at=1)]
        raise AssertionError("the toy never ends")


def played(tables: int) -> list[Table]:
    found = [Table(number) for number in range(tables)]
    for table in found:
        table.play()
    return found


def _fair(tables: list[Table]) -> None:
    rolled = [event for table in tables for event in table.events if isinstance(event, Rolled)]
    prizes = Counter(face for event in rolled if event.why == "the prize" for face in event.faces)
    assert not strays([prizes[face] for face in range(1, 7)], sum(prizes.values()) / 6)
    assert all(table.count >= 4 for table in tables)
    first = Counter(
        event.faces[0] for table in tables for event in table.events if isinstance(event, Drawn) and event.held == 10
    )
    assert not strays([first[face] for face in range(1, 11)], sum(first.values()) / 10)


def test_dice_of_matches_that_the_stage_played_are_fair(sealed_dice: None) -> None:
    _fair(played(150))


@pytest.mark.slow
def test_dice_of_thousands_of_matches_that_the_stage_played_are_fair(sealed_dice: None) -> None:
    _fair(played(4_000))
