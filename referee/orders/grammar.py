"""Text -> shape: one line, one parse by the Lark grammar, with a bounded memo of equal lines."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken
from lark.lexer import TerminalDef

from referee.core.order import Comparison
from referee.orders import shape
from referee.orders.plain import PlainLines, measured, part_of
from referee.orders.shape import Malformed, Part, SentenceShape, Shape

LONGEST_LINE = 2_000
"""Characters of the longest line that is read."""

_DEEPEST = 20
_REMEMBERED = 240
_NESTING = re.compile(r"\(|\bnot\b", re.IGNORECASE)
_HEADING = re.compile(r"\s*(if|else|for\s+turn)(?![\w'-])", re.IGNORECASE)

_COMPARISONS = {"==": "=", "!=": "<>", "≤": "<=", "≥": ">=", "≠": "<>"}


def grammar_text() -> str:
    """The Lark grammar: from the installed package's data, otherwise from the top of the source tree."""
    packed = files("referee").joinpath("_data", "grammar", "orders.lark")
    if packed.is_file():
        return packed.read_text(encoding="utf-8")
    return (Path(__file__).parents[2] / "grammar" / "orders.lark").read_text(encoding="utf-8")


def parse(line: str) -> Shape:
    """The shape of one logical line, whatever the words mean. Never raises; a line without shape is Malformed.

    Plain orders are read by the grammar's terminals alone, which is several times faster and gives the same.
    """
    if len(line) > LONGEST_LINE:
        sentence = f"This line has {len(line):,} characters; no more than {LONGEST_LINE:,} are read."
        return Malformed(sentence, 0, 1, _heading(line))
    return _remember(line) if len(line) <= _REMEMBERED else _parse(line)


def parse_by_grammar(line: str) -> Shape:
    """The shape as the LALR parser gives it: the truth, and the only way for headings and conditions."""
    word = _heading(line)
    if word and len(_NESTING.findall(line)) > _DEEPEST:
        return Malformed("This condition is nested too deeply to be read.", 0, len(line), word)
    try:
        shaped: Any = _parser().parse(line)
    except UnexpectedInput as problem:
        return _malformed(line, word, problem)
    found: Shape = shaped
    return found


@cache
def _parser() -> Lark:
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        start="line",
        transformer=_Shaper(),
        maybe_placeholders=False,
    )


@cache
def _plain_lines() -> PlainLines:
    tried = sorted(_parser().terminals, key=_turn)
    return PlainLines({terminal.name: terminal.pattern.to_regexp() for terminal in tried})


def _turn(terminal: TerminalDef) -> tuple[int, int, int, str]:
    """When the lexer tries a terminal: by priority, then the longer one first."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


def _parse(line: str) -> Shape:
    return _plain_lines().read(line) or parse_by_grammar(line)


_remember = lru_cache(maxsize=4096)(_parse)


def _heading(line: str) -> str:
    found = _HEADING.match(line)
    return " ".join(found[1].upper().split()) if found else ""


def _malformed(line: str, heading: str, problem: UnexpectedInput) -> Malformed:
    column = problem.pos_in_stream if problem.pos_in_stream is not None else len(line)
    found = re.match(r"\w+|\S?", line[column:])
    word = found[0] if found else ""
    if not word or (isinstance(problem, UnexpectedToken) and problem.token.type == "$END"):
        column, word = len(line), ""
    return Malformed(_why(heading, word), column, max(1, len(word)), heading)


def _why(heading: str, word: str) -> str:
    where = f'"{word}" cannot stand here' if word else "something is missing at the end"
    match heading:
        case "IF":
            return f"{where[0].upper()}{where[1:]}: IF is followed by LATE or by tests joined by AND, OR and NOT."
        case "ELSE":
            return "ELSE stands alone on its line, or goes on as ELSE IF and a condition."
        case "FOR TURN":
            return "FOR TURN is followed by a number, and by PHASE and its name where only that phase is meant."
    return f"{where[0].upper()}{where[1:]}." if word else "There is nothing to read on this line."


def _part(token: Token | Part) -> Part:
    if isinstance(token, Part):
        return token
    start, text = token.start_pos or 0, str(token)
    return part_of(token.type, text, start)


def _measured(tokens: list[Token]) -> Part:
    number = int(tokens[1]) if len(tokens) > 1 else 0
    start, end = tokens[0].start_pos or 0, tokens[-1].end_pos or 0
    return measured(tokens[0].type, " ".join(tokens), number, start, end)


class _Shaper(Transformer[Token, Any]):
    """Builds shapes while Lark parses; methods are named after the rules of the grammar."""

    def line(self, children: list[Shape]) -> Shape:
        return children[0]

    heading = line

    def order(self, children: list[Token | Part]) -> SentenceShape:
        adds = isinstance(children[0], Token) and children[0].type == "ADD"
        kept = [c for c in children[adds:] if isinstance(c, Part) or c.type != "STOP"]
        return SentenceShape(tuple(map(_part, kept)), adds)

    def up_to(self, children: list[Token]) -> Part:
        return _measured(children)

    all = all_but = half = up_to

    def exactly(self, children: list[Token]) -> Part:
        return _part(children[0])

    def standing(self, _: list[Token]) -> Shape:
        return shape.StandingHeading()

    def preview(self, _: list[Token]) -> Shape:
        return shape.PreviewHeading()

    def late(self, _: list[Token]) -> Shape:
        return shape.IfLate()

    def end(self, _: list[Token]) -> Shape:
        return shape.End()

    def otherwise(self, _: list[Token]) -> Shape:
        return shape.Else()

    def phase(self, children: list[Token]) -> str:
        return " ".join(str(token).strip('"“”„«»') for token in children)

    def for_turn(self, children: list[Any]) -> Shape:
        phases = [child for child in children if not isinstance(child, Token)]
        return shape.ForTurnHeading(int(children[1]), phases[0] if phases else "")

    def branch(self, children: list[Any]) -> Shape:
        return shape.If(children[1])

    def else_if(self, children: list[Any]) -> Shape:
        return shape.ElseIf(children[2])

    def condition(self, children: list[Any]) -> shape.Test:
        terms = _terms(children)
        return shape.AnyOf(terms) if len(terms) > 1 else terms[0]

    def both(self, children: list[Any]) -> shape.Test:
        terms = _terms(children)
        return shape.AllOf(terms) if len(terms) > 1 else terms[0]

    def negation(self, children: list[Any]) -> shape.Test:
        return shape.NotOf(children[1])

    def predicate(self, children: list[Token | Part]) -> shape.Test:
        last = children[-2] if len(children) > 1 else None
        if not isinstance(last, Token) or last.type != "COMPARISON":
            return shape.PredicateShape(tuple(map(_part, children)))
        comparison = Comparison(_COMPARISONS.get(str(last), str(last)))
        return shape.PredicateShape(tuple(map(_part, children[:-2])), comparison, int(str(children[-1])))


def _terms(children: list[Any]) -> tuple[shape.Test, ...]:
    return tuple(child for child in children if not isinstance(child, Token))
