"""What is measured of Empire is what is said: 300 mouths, 400 orders that are all carried out, a board without faults."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.bench.catalogue import GROUPS
from tests.bench.empire import MOUTHS, ORDERS, a_turn, food_traced
from tests.bench.measure import Size

SIZE = Size(turns=4)


def test_every_mouth_is_fed_and_fed_again(tmp_path: Path) -> None:
    with food_traced(tmp_path, SIZE) as pair:
        sample = pair.own()
    assert sample.faults == 0
    assert sample.note.startswith(f"{MOUTHS} fed of {MOUTHS}, ")


@pytest.mark.parametrize("new", [True, False])
def test_every_order_of_the_sheet_is_carried_out(tmp_path: Path, new: bool) -> None:
    with a_turn(new)(tmp_path, SIZE) as pair:
        sample = pair.own()
    assert sample.faults == 0
    assert sample.note.startswith(f"{ORDERS} orders, 0 refused, ")


def test_the_group_names_every_case_once() -> None:
    keys = Counter(case.key for case in GROUPS["empire"].cases)
    assert list(keys) == ["E1", "E2", "E2b", "E3", "E4", "E4b", "E5", "E6", "E6b", "E7"] and max(keys.values()) == 1
