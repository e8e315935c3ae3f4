"""The grammar as Lark reads it: an LALR parser whose results are shapes, and what is said of a line that it does not take."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken
from lark.lexer import TerminalDef

from referee.core.order import Comparison
from referee.orders import grammar
from referee.orders.grammar import Malformed, Part, SentenceShape, Shape, grammar_text, heading, measured, part_of

_DEEPEST = 20
_NESTING = re.compile(r"\(|\bnot\b", re.IGNORECASE)

_COMPARISONS = {"==": "=", "!=": "<>", "≤": "<=", "≥": ">=", "≠": "<>"}


def parse_by_grammar(line: str) -> Shape:
    """The shape as the LALR parser gives it: the truth, and the only way for headings and conditions."""
    word = heading(line)
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


def terminals() -> dict[str, str]:
    """The expression of each terminal by its name, in the order in which the lexer tries them."""
    return {each.name: each.pattern.to_regexp() for each in sorted(_parser().terminals, key=_turn)}


def _turn(terminal: TerminalDef) -> tuple[int, int, int, str]:
    """When the lexer tries a terminal: by priority, then the longer one first."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


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
        return grammar.StandingHeading()

    def preview(self, _: list[Token]) -> Shape:
        return grammar.PreviewHeading()

    def late(self, _: list[Token]) -> Shape:
        return grammar.IfLate()

    def end(self, _: list[Token]) -> Shape:
        return grammar.End()

    def otherwise(self, _: list[Token]) -> Shape:
        return grammar.Else()

    def phase(self, children: list[Token]) -> str:
        return " ".join(str(token).strip('"“”„«»') for token in children)

    def for_turn(self, children: list[Any]) -> Shape:
        phases = [child for child in children if not isinstance(child, Token)]
        return grammar.ForTurnHeading(int(children[1]), phases[0] if phases else "")

    def branch(self, children: list[Any]) -> Shape:
        return grammar.If(children[1])

    def else_if(self, children: list[Any]) -> Shape:
        return grammar.ElseIf(children[2])

    def condition(self, children: list[Any]) -> grammar.Test:
        terms = _terms(children)
        return grammar.AnyOf(terms) if len(terms) > 1 else terms[0]

    def both(self, children: list[Any]) -> grammar.Test:
        terms = _terms(children)
        return grammar.AllOf(terms) if len(terms) > 1 else terms[0]

    def negation(self, children: list[Any]) -> grammar.Test:
        return grammar.NotOf(children[1])

    def predicate(self, children: list[Token | Part]) -> grammar.Test:
        last = children[-2] if len(children) > 1 else None
        if not isinstance(last, Token) or last.type != "COMPARISON":
            return grammar.PredicateShape(tuple(map(_part, children)))
        comparison = Comparison(_COMPARISONS.get(str(last), str(last)))
        return grammar.PredicateShape(tuple(map(_part, children[:-2])), comparison, int(str(children[-1])))


def _terms(children: list[Any]) -> tuple[grammar.Test, ...]:
    return tuple(child for child in children if not isinstance(child, Token))
