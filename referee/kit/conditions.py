"""The logic of IF: what NOT, AND, OR and comparisons make of the tests that a game answers."""

from __future__ import annotations

import operator
from collections.abc import Callable

from referee.core.order import All, Any, Comparison, Condition, Not, Predicate

_COMPARE = {
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.EQUAL: operator.eq,
    Comparison.AT_LEAST: operator.ge,
    Comparison.MORE: operator.gt,
    Comparison.UNEQUAL: operator.ne,
}


def satisfied(condition: Condition, true: Callable[[Predicate], bool]) -> bool:
    """Whether a condition is true now, where `true` answers its single tests."""
    match condition:
        case Not(term=term):
            return not satisfied(term, true)
        case All(terms=terms):
            return all(satisfied(term, true) for term in terms)
        case Any(terms=terms):
            return any(satisfied(term, true) for term in terms)
        case Predicate():
            return true(condition)


def compares(test: Predicate, measured: int) -> bool:
    """Whether a measured number passes a test; without a comparison or number, one of the kind is enough."""
    compare = _COMPARE[test.comparison or Comparison.AT_LEAST]
    return bool(compare(measured, 1 if test.number is None else test.number))
