"""Orders and conditions -> text, in the canonical form that reads back as the same value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from referee.core.normal import fold
from referee.core.order import All, Any, Clause, Condition, Not, Order, Portion, Predicate, Quantity, Thing

_WORD = "[^\\W_](?:[\\w'/]|[-.](?=\\w)|[.](?= ))*"
_PLAIN = re.compile(rf"(?=[^\W\d_]){_WORD}(?: {_WORD})*")
_LOOKS = re.compile(r"c[0-9]+r[0-9]+", re.IGNORECASE)
_CONJUNCTIONS = frozenset({"and", "or", "not", "then"})
_OPENING = frozenset({"all", "any", "anything", "everything", "half", "the", "up"})
_PREPOSITIONS = frozenset({"against", "as", "at", "because", "between", "by", "during", "for", "from", "in", "into"})
_MORE = frozenset(
    {"of", "off", "on", "out", "over", "per", "through", "to", "under", "until", "via", "with", "without"}
)
_FIRST = _OPENING | _PREPOSITIONS | _MORE
"""Words that mean something else where a name begins, so such a name is quoted."""

Singulars = Mapping[tuple[str, str], str]
"""The singular of names that are plurals, by kind and name."""

_NONE: Singulars = {}


def write(order: Order, singulars: Singulars = _NONE) -> str:
    """The order as one line; after a 1 the singular stands of every name that has one."""
    clauses = (_clause(clause, singulars) for clause in order.clauses)
    return " ".join(filter(None, (order.verb, _list(order.things, singulars), *clauses)))


def _clause(clause: Clause, singulars: Singulars = _NONE) -> str:
    return f"{clause.preposition} {_list(clause.things, singulars)}".rstrip()


def _list(things: Sequence[Thing], singulars: Singulars = _NONE) -> str:
    return "".join(_after(before, thing, singulars) for before, thing in zip((None, *things), things, strict=False))


def _after(previous: Thing | None, thing: Thing, singulars: Singulars) -> str:
    """A thing with what parts it from the one before: a comma, or nothing after a word such as a match's name."""
    if previous is None:
        return _thing(thing, singulars)
    return f" {_thing(thing, singulars)}" if previous.kind == "word" else f", {_thing(thing, singulars)}"


def _thing(thing: Thing, singulars: Singulars) -> str:
    if thing.kind == "text":
        return _quoted(thing.name)
    if thing.kind == "number" and thing.quantity is not None:
        return _quantity(thing.quantity)
    if thing.kind in ("hex", "duration", "moment", "date", "days", "address"):
        return thing.name
    one = thing.quantity is not None and thing.quantity.number == 1
    name = singulars.get((thing.kind, thing.name), thing.name) if one else thing.name
    name = name if thing.kind == "any" or _is_plain(name) else _quoted(name)
    return f"{_quantity(thing.quantity)} {name}" if thing.quantity is not None else name


def _quantity(quantity: Quantity) -> str:
    match quantity.portion:
        case Portion.EXACTLY:
            return str(quantity.number)
        case Portion.UP_TO | Portion.ALL_BUT:
            return f"{quantity.portion.value} {quantity.number}"
        case Portion.ALL | Portion.HALF:
            return str(quantity.portion.value)


def _is_plain(name: str) -> bool:
    """Whether the name reads back as itself without quotation marks."""
    words = fold(name).split()
    if _PLAIN.fullmatch(name) is None or _LOOKS.fullmatch(name):
        return False
    return _CONJUNCTIONS.isdisjoint(words) and words[0] not in _FIRST


def _quoted(text: str) -> str:
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\u{{{ord(character):x}}}"


def write_condition(condition: Condition) -> str:
    """The condition as it stands after IF."""
    match condition:
        case Predicate():
            said = (_list(condition.subject), condition.verb, _list(condition.things), *map(_clause, condition.clauses))
            test = () if condition.comparison is None else (condition.comparison.value, str(condition.number))
            return " ".join(filter(None, (*said, *test)))
        case Not(term):
            return f"NOT {_enclosed(term, Predicate, Not)}"
        case All(terms):
            return " AND ".join(_enclosed(term, Predicate, Not) for term in terms)
        case Any(terms):
            return " OR ".join(_enclosed(term, Predicate, Not, All) for term in terms)


def _enclosed(term: Condition, *bare: type[Condition]) -> str:
    return write_condition(term) if isinstance(term, bare) else f"({write_condition(term)})"
