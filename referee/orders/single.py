"""One order or one condition on its own, as the command line, cases and menus need it."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.order import Condition, Invalid, Order, Refusal
from referee.core.printing import write, write_condition
from referee.core.vocabulary import Vocabulary
from referee.orders.conditions import read_condition_shape
from referee.orders.faults import Fault, fault, refusal_of
from referee.orders.grammar import parse
from referee.orders.lexicon import lexicon
from referee.orders.lines import logical_lines
from referee.orders.misread import Misread
from referee.orders.resolve import read_sentence
from referee.orders.shape import If, Malformed, Part, SentenceShape
from referee.orders.tongues.reading import read_in_any_words


def is_sentence(line: str) -> bool:
    """Whether a line gives orders by its shape, whatever its words mean: it is no heading, no END and no signature."""
    return all(not said.why and isinstance(parse(said.text), SentenceShape) for said in logical_lines(line))


def understand(line: str, vocabulary: Vocabulary) -> Order | Refusal:
    """The order that one line gives with the words of one vocabulary, or why it gives none."""
    words = (lexicon(vocabulary),)
    shaped = parse(line)
    if not isinstance(shaped, SentenceShape) or not shaped.parts:
        return Invalid(shaped.sentence if isinstance(shaped, Malformed) else "This is no order.", at=line)

    def again(parts: Sequence[Part]) -> Order:
        return read_sentence(parts, words, line)[0]

    try:
        return read_in_any_words(shaped.parts, words, line)[0]
    except Misread as problem:
        return refusal_of(fault(problem, shaped.parts, line, again), write)


def understand_condition(text: str, vocabulary: Vocabulary) -> Condition | Refusal:
    """The condition as it stands after IF, or why it is none."""
    line = f"IF {text}"
    shaped = parse(line)
    if not isinstance(shaped, If):
        return Invalid(shaped.sentence if isinstance(shaped, Malformed) else "This is no condition.", at=text)
    found = read_condition_shape(shaped.test, lexicon(vocabulary), line)
    return refusal_of(found, write_condition) if isinstance(found, Fault) else found
