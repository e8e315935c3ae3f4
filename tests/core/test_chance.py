"""Dice: fair, keyed by purpose, the same for the same secret, and as recorded or scripted."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import pairwise

import pytest

from referee.core.chance import LINKS, Chance, Exhausted, Keyed, Scripted, commitment, link
from tests.match import secret_of
from tests.standins import Recorded

SECRET = secret_of("dice")

# Upper 1 in 10,000 points of chi-square, by degrees of freedom.
CRITICAL = {1: 15.14, 2: 18.42, 5: 25.74, 9: 33.72, 19: 52.39, 35: 76.19}


def chi_square(counts: Counter[int], sides: int) -> float:
    expected = counts.total() / sides
    return sum((counts[face] - expected) ** 2 / expected for face in range(1, sides + 1))


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20])
@pytest.mark.parametrize("purpose", ["T1/France/storms", "T2/battle in Egypt"])
def test_faces_are_uniform(sides: int, purpose: str) -> None:
    dice = Keyed(SECRET, 0)
    counts = Counter(dice.face(purpose, index, sides) for index in range(6000))
    assert set(counts) == set(range(1, sides + 1))
    assert chi_square(counts, sides) < CRITICAL[sides - 1]


def test_faces_of_two_purposes_are_independent() -> None:
    dice = Keyed(SECRET, 0)
    pairs = Counter((dice.face("one", i, 6) - 1) * 6 + dice.face("another", i, 6) for i in range(7200))
    assert chi_square(pairs, 36) < CRITICAL[35]


def test_faces_that_follow_each_other_are_independent() -> None:
    dice = Keyed(SECRET, 0)
    faces = [dice.face("one", i, 6) for i in range(7201)]
    pairs = Counter((a - 1) * 6 + b for a, b in pairwise(faces))
    assert chi_square(pairs, 36) < CRITICAL[35]


def test_rejection_keeps_a_die_fair_that_does_not_divide_the_width() -> None:
    """A die of three quarters of the width: were high numbers wrapped round, the low third would come half the time."""
    sides = 3 << 254
    faces = [Keyed(SECRET, 0).face("huge", i, sides) for i in range(600)]
    assert all(1 <= face <= sides for face in faces)
    assert 150 <= sum(face <= sides // 3 for face in faces) <= 250


def test_faces_may_never_change() -> None:
    """Players check old matches with these values."""
    secret = bytes(range(32))
    assert [Keyed(secret, 0).face("T1/France/event", i, 6) for i in range(8)] == [3, 2, 2, 1, 1, 4, 2, 2]
    assert [Keyed(secret, 3).face("T1/France/event", i, 10) for i in range(8)] == [2, 5, 7, 5, 2, 3, 3, 7]


def test_a_face_can_be_checked_with_nothing_but_hmac() -> None:
    number = int.from_bytes(hmac.digest(SECRET, b"2/T1/France/event/4/0", "sha256"), "big")
    assert Keyed(SECRET, 2).face("T1/France/event", 4, 10) == number % 10 + 1


@pytest.mark.parametrize("other", [Keyed(SECRET, 1), Keyed(secret_of("other"), 0)])
def test_another_epoch_or_secret_gives_other_dice(other: Chance) -> None:
    mine = [Keyed(SECRET, 0).face("one", i, 6) for i in range(60)]
    theirs = [other.face("one", i, 6) for i in range(60)]
    assert 1 <= sum(a == b for a, b in zip(mine, theirs, strict=True)) <= 25


def test_each_link_of_a_chain_is_the_hash_of_the_next() -> None:
    links = [link(secret_of("chain"), 0, number) for number in range(LINKS + 1)]
    assert [hashlib.sha256(after).digest() for after in links[1:]] == links[:-1]


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()
    assert commitment(SECRET) != commitment(secret_of("other"))


def test_scripted_dice_come_in_order_whatever_the_purpose() -> None:
    dice = Scripted([6, 1])
    assert (dice.face("b", 7, 6), dice.face("a", 0, 6)) == (6, 1)
    with pytest.raises(Exhausted, match="no die left for a"):
        dice.face("a", 1, 6)


def test_scripted_dice_go_on_with_others_and_tell_what_is_left() -> None:
    dice = Scripted([6, 1, 3], then=Recorded({("a", 0): 4}))
    assert dice.face("a", 0, 6) == 6
    assert dice.left() == (1, 3)
    assert dice.face("a", 0, 6) == 4


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_scripted_face_must_fit_the_die(face: int) -> None:
    with pytest.raises(ValueError, match=f"{face} is no face of a d6"):
        Scripted([face]).face("a", 0, 6)
