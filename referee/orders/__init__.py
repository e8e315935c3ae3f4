"""The order language: text -> orders, and back. Words come from vocabularies; lark is used only here.

Read in this order: sentences, grammar (with grammar/orders.lark), lalr, lexicon, resolve, conditions, reading, lines,
spelling, tongues, explanations, faults.
"""

from referee.core.order import write, write_condition
from referee.orders.faults import place_refusal
from referee.orders.grammar import LONGEST_LINE, grammar_text, parse
from referee.orders.lexicon import Held, orders_something
from referee.orders.reading import (
    AFTER_END,
    MOST_LINES,
    is_sentence,
    is_talk,
    read,
    understand,
    understand_condition,
    verbs_in,
)
from referee.orders.sentences import Branch, ForTurn, IgnoredLine, Mistake, Node, Reading, Sentence
from referee.orders.spelling import did_you_mean

__all__ = [
    "AFTER_END",
    "LONGEST_LINE",
    "MOST_LINES",
    "Branch",
    "ForTurn",
    "Held",
    "IgnoredLine",
    "Mistake",
    "Node",
    "Reading",
    "Sentence",
    "did_you_mean",
    "grammar_text",
    "is_sentence",
    "is_talk",
    "orders_something",
    "parse",
    "place_refusal",
    "read",
    "understand",
    "understand_condition",
    "verbs_in",
    "write",
    "write_condition",
]
