"""A letter -> a reading: line by line, blocks kept on a stack, in other words where need be. One bad line never changes another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache

from msgspec.structs import replace

from referee.core.normal_text import fold
from referee.core.order import Condition, Invalid, Order, Refusal, Verb, Vocabulary, write, write_condition
from referee.orders import grammar
from referee.orders.conditions import read_condition_shape
from referee.orders.faults import Fault, fault, in_part, misspelt_verb, refusal_of
from referee.orders.grammar import LONGEST_LINE, If, Malformed, Part, SentenceShape, Shape, Sort, parse
from referee.orders.lexicon import Lexicon, desk_lexicon, lexicon
from referee.orders.lines import Written, logical_lines
from referee.orders.resolve import read_line, read_sentence
from referee.orders.sentences import Branch, ForTurn, IgnoredLine, Memory, Mistake, Node, Reading, Sentence
from referee.orders.spelling import Misread, number_part
from referee.orders.tongues import (
    FREE,
    as_wished,
    begins_with_a_verb,
    gists,
    in_own_words,
    is_worth_it,
    little,
    tongue,
    verbs_said,
    with_what_is_open,
)

# ---------------------------------------------------------------- in other words
# A line that is not understood as it stands, read in other words: as an order only if all of it makes sense so.


def read_in_any_words(
    parts: Sequence[Part], lexicons: Sequence[Lexicon], source: str, curt: bool = False
) -> tuple[Order, Lexicon, bool]:
    """As `read_line`; what that does not understand is read in other words. Raises Misread.

    Told is what is wrong with the words as typed, or in other words where more of the line makes sense so.
    """
    try:
        return read_line(parts, lexicons, source, curt)
    except Misread as problem:
        first = problem
    for words in lexicons:
        lines = _lines(parts, words, lexicons)
        found: dict[Order, None] = {}
        for said in lines:
            if " ".join(part.folded for part in said) == " ".join(part.folded for part in parts):
                continue
            try:
                found.setdefault(read_line(said, (words,), source, curt)[0])
            except Misread as problem:
                first = _worse(first, problem, parts, said)
        if len(found) == 1:
            return next(iter(found)), words, False
        if lines:
            break
    raise first


def _lines(parts: Sequence[Part], words: Lexicon, lexicons: Sequence[Lexicon]) -> tuple[tuple[Part, ...], ...]:
    spoken = tongue(words)
    return tuple(in_own_words(parts, spoken, tuple(map(tongue, lexicons)))) if is_worth_it(parts, spoken) else ()


def _worse(first: Misread, problem: Misread, parts: Sequence[Part], said: Sequence[Part]) -> Misread:
    """The misreading that came farther in the line, if it knows better or the verb was known as typed; otherwise the first one.

    A line that begins with no verb of the game and cannot be mended stays what it is without these tables: perhaps a remark.
    """
    knew_verb = first.start > 0
    if _reach(problem, said) <= _reach(first, parts) or not (problem.fixes or knew_verb):
        return first
    problem.parts = problem.parts or tuple(said)
    return problem


_SHORTENED = 8
"""So many words at the end of a wish may be beside it: `Please buy 1 horse from the bank`."""


def wish_in(parts: Sequence[Part], words: Lexicon, source: str) -> tuple[str, ...]:
    """The line that a wish in plain words stands for: `I would like to move my army from Europe to Canada`.

    Several where the wish leaves one thing open, such as from where; the position decides between them. Nothing for no wish.
    """
    if _ASKS.match(source):
        return ()
    begin, end = as_wished(parts)
    parts = tuple(_one_of(parts, words))
    for left in range(end, max(begin + 1, end - _SHORTENED), -1) if begin else ():
        if left < end and parts[left].folded in little().hedges:
            break
        if left < end and (len(parts[left - 1].folded) == 1 or parts[left - 1].folded in little().ones):
            continue  # the thing after an article is not known
        with suppress(Misread):
            order, found, _ = read_in_any_words(parts[begin:left], (words,), source)
            free = any(FREE & {*usage.verb.takes} for usage in found.verbs.exact(fold(order.verb)))
            if (order.things or order.clauses) and not (free and left < end):
                return (write(order, found.singulars),)
    return _gist(parts, words, source, begin)


_MAY_I = re.compile(r"\s*(can|could|may|kann|darf|puis|puedo)\b", re.IGNORECASE)
"""A question, with or without its sign, rather than a wish."""

_ASKS = re.compile(r"\s*((can|may) (i|we)|(kann|darf) (ich|man|wir)|puis.je|peut.on|puedo|se puede)\b", re.IGNORECASE)
"""A question whether something may be done, which asks for nothing to be done."""

_MOST_OPEN = 120
"""So many lines are tried for a thing that a wish leaves open."""


def _gist(parts: Sequence[Part], words: Lexicon, source: str, begin: int) -> tuple[str, ...]:
    """The orders that a wish says among other words: `so I buy us 2 cloth and hire a worker`; nothing where a verb says none.

    A sentence that asks, refuses, hedges or tells of others is no wish, nor is one that begins with neither a wish nor a verb.
    """
    if (
        source.rstrip().endswith("?")
        or _MAY_I.match(source)
        or any(part.folded in little().doubts for part in parts[begin:])
    ):
        return ()
    spoken, curt = tongue(words), parts[0].text.isupper() and len(parts[0].text) > 1
    own = parts[0].sort is Sort.QUANTITY or parts[0].folded in little().articles  # as `_one_of` left it
    may = begin or own or (not curt and begins_with_a_verb(parts, spoken))
    lines = gists(parts[begin:], spoken) if may else ()
    found: list[tuple[str, ...]] = []
    for meant in lines:
        orders = next(filter(None, (tuple(_senses(line, words, source)) for line in meant)), ())
        if not orders:
            return ()
        found.append(tuple(dict.fromkeys(write(order, words.singulars) for order in orders)))
    if len(found) == 1:
        return found[0][:_MOST_OPEN]
    return ("; ".join(lines[0] for lines in found),) if found and all(len(lines) == 1 for lines in found) else ()


def _senses(line: Sequence[Part], words: Lexicon, source: str) -> Iterator[Order]:
    """The order that a line makes; where its verb needs a place that is not said, one for each place."""
    with suppress(Misread):
        order = read_line(line, (words,), source, False)[0]
        if order.things or order.clauses:
            yield order
            return
    for said in with_what_is_open(line, words):
        with suppress(Misread):
            yield read_line(said, (words,), source, False)[0]


_TALK = 4
"""So many words at least have a line in which somebody talks."""


def is_talk(line: str) -> bool:
    """Whether a line talks, in words such as if, why or I, and orders nothing in capitals."""
    words = line.split()
    if len(words) < _TALK or (words[0].isupper() and len(words[0]) > 1):
        return False
    return any(fold(word.strip(",.;:!?")) in little().doubts | little().wish for word in words)


def verbs_in(text: str, vocabulary: Vocabulary) -> tuple[Verb, ...]:
    """The verbs of a game that a text in plain words has, in any of its languages."""
    shape = parse(" ".join(text.split())[:LONGEST_LINE])
    return verbs_said(shape.parts, tongue(lexicon(vocabulary))) if isinstance(shape, SentenceShape) else ()


def _one_of(parts: Sequence[Part], words: Lexicon) -> Iterator[Part]:
    """`My army` is one, though an article before a name is passed over elsewhere."""
    singular = frozenset(map(fold, words.singulars.values()))
    for part, after in zip(parts, (*parts[1:], None), strict=True):
        is_one = after is not None and part.folded in little().articles and after.folded in singular
        yield number_part("1", part.column) if is_one else part


def _reach(problem: Misread, parts: Sequence[Part]) -> int:
    parts = problem.parts or parts
    return parts[problem.start].column if problem.start < len(parts) else 10_000 if parts else 0


MOST_LINES = 5_000
"""Orders of one letter that are read; that there are more is a mistake."""

MOST_MISTAKES = 1_000
"""Lines of one letter for which it is asked what was meant: each costs a comparison with every word there is."""

_DEEPEST = 10
_PATIENCE = 100
_SHOWN = 200

_TOO_MANY = Invalid(f"A letter is read up to {MOST_LINES:,} orders: neither this line nor any below it was read.")
AFTER_END = "after END"
_NO_IF = "ELSE belongs inside an IF block, and there is none here."
_NOT_CLOSED = "This block is not closed by END; it was read as ending {where}."


def read(text: str, game: Vocabulary | None, desk: Vocabulary, curt: bool = False) -> Reading:
    """Everything the letter says. `game` is None where no match is meant: then only desk words are understood.

    Never raises, whatever the text. Where game and desk share a verb, it is the game's, unless the line goes on as
    only the desk's does (`ROLL OUT` and `ROLL OUT France`). `curt`: what a mistake may have been meant for is not looked for.
    """
    return _Letter(game, desk, curt).read(text)


@lru_cache(maxsize=128)
def _memories(lexicons: tuple[Lexicon, ...]) -> tuple[tuple[Lexicon, Memory], ...]:
    """Each with the lines read before whose verb was found in it, among the verbs of all of them."""
    faces = tuple(words.verbs.face for words in lexicons)
    return tuple((words, words.memory(faces)) for words in lexicons)


class _Block:
    """A block being read. `drawer` names a sheet ("standing"); IF blocks have a condition; others are skipped.

    `chained`: an ELSE IF, closed by the END of the IF it belongs to.
    """

    def __init__(
        self, at: Written, drawer: str = "", condition: Condition | None = None, chained: bool = False
    ) -> None:
        self.at = at
        self.drawer = drawer
        self.condition = condition
        self.chained = chained
        self.turn, self.phase = 0, ""
        self.nodes: list[Node] = []
        self.then: list[Node] | None = None

    @property
    def skipped(self) -> bool:
        """Whether its heading was not understood."""
        return not self.drawer and self.condition is None

    def branch(self, end: int) -> Branch:
        """The IF block as it has been read, up to this line."""
        assert self.condition is not None
        then, otherwise = (self.nodes, []) if self.then is None else (self.then, self.nodes)
        text = write_condition(self.condition)
        return Branch(self.condition, text, tuple(then), tuple(otherwise), self.at.number, end)


class _Letter:
    def __init__(self, game: Vocabulary | None, desk: Vocabulary, curt: bool = False) -> None:
        self._curt = curt
        self._desk = desk_lexicon(desk, game)
        self._game = lexicon(game) if game is not None else None
        self._lexicons = tuple(filter(None, (self._game, self._desk)))
        self._memories = _memories(self._lexicons)
        self._sheet: list[Node] = []
        self._drawers: dict[str, list[Node]] = {}
        self._turns: list[ForTurn] = []
        self._said: list[Sentence] = []
        self._mistakes: list[Mistake] = []
        self._ignored: list[IgnoredLine] = []
        self._blocks: list[_Block] = []
        self._adds = self._ended = False
        self._first: Written | None = None
        self._count = self._line_read = 0

    def read(self, text: str) -> Reading:
        for written in logical_lines(text):
            if written.why or self._ended:
                self._ignore(written, written.why or AFTER_END)
                continue
            self._count, self._line_read = self._count + 1, written.number
            self._first = self._first or written
            if self._count > MOST_LINES:
                self._refuse(written, _TOO_MANY, 0, len(written.text), meant=True)
                break
            self._line(written)
        while self._blocks:
            self._mistaken(self._blocks[-1].at, _NOT_CLOSED.format(where="with the letter"))
            self._close()
        return self._reading()

    def _reading(self) -> Reading:
        yes = self._count == 1 and self._first is not None and fold(self._first.text.strip(" .!")) == "yes"
        return Reading(
            sheet=tuple(self._sheet),
            standing=self._drawer("standing"),
            late=self._drawer("late"),
            turns=tuple(self._turns),
            preview=self._drawer("preview"),
            desk=tuple(self._said),
            mistakes=() if yes else tuple(sorted(self._mistakes, key=lambda mistake: mistake.line)),
            ignored=tuple(self._ignored),
            adds=self._adds,
            yes=yes,
        )

    def _drawer(self, name: str) -> tuple[Node, ...] | None:
        nodes = self._drawers.get(name)
        return None if nodes is None else tuple(nodes)

    # lines

    def _line(self, written: Written) -> None:
        if self._blocks and self._blocks[-1].skipped:
            self._skip(written, parse(written.text))
        elif not self._recalled(written):
            self._shaped(written, parse(written.text))

    def _recalled(self, written: Written) -> bool:
        for words, memory in self._memories:
            found = memory.recall(written.text)
            if found is not None:
                self._file(written, found[0], words, found[1])
                return True
        return False

    def _shaped(self, written: Written, shaped: Shape) -> None:
        match shaped:
            case SentenceShape():
                self._sentence(written, shaped)
            case grammar.End():
                self._end()
            case grammar.If(test):
                self._open_if(written, test)
            case grammar.Else():
                self._otherwise(written)
            case grammar.ElseIf(test):
                if self._otherwise(written):
                    self._open_if(written, test, chained=True)
            case Malformed():
                self._malformed(written, shaped)
            case _:
                self._open_drawer(written, shaped)

    def _sentence(self, written: Written, shaped: SentenceShape) -> None:
        if shaped.adds and written is not self._first:
            self._mistaken(written, "ADD can only be the first word of a letter.", 0, 3)
            return
        self._adds = self._adds or shaped.adds
        if not shaped.parts:
            return
        try:
            curt = self._curt or len(self._mistakes) >= MOST_MISTAKES
            order, words, alone = read_in_any_words(shaped.parts, self._lexicons, written.text, curt)
        except Misread as problem:
            self._misread(written, shaped, problem)
            return
        canonical = write(order, words.singulars)
        if alone and not shaped.adds:
            next(memory for kept, memory in self._memories if kept is words).remember(written.text, (order, canonical))
        self._file(written, order, words, canonical)

    def _file(self, written: Written, order: Order, words: Lexicon, canonical: str) -> None:
        sentence = Sentence(order, written.number, written.text, canonical)
        if words is not self._desk:
            (self._blocks[-1].nodes if self._blocks else self._sheet).append(sentence)
        elif self._blocks:
            verb = sentence.order.verb
            self._mistaken(written, f"{verb} is a word for the desk and cannot stand inside a block.")
        else:
            self._said.append(sentence)

    def _skip(self, written: Written, shaped: Shape) -> None:
        """A line of a block whose heading was not understood: only where it ends matters."""
        if isinstance(shaped, grammar.End):
            self._close()
            return
        self._ignore(written, "inside a block whose heading was not understood")
        if not isinstance(shaped, SentenceShape | grammar.Else | grammar.ElseIf):
            opens = not isinstance(shaped, Malformed) or shaped.heading in ("IF", "FOR TURN")
            if opens:
                self._blocks.append(_Block(written))

    # blocks

    def _open_if(self, written: Written, test: grammar.Test, chained: bool = False) -> None:
        words = self._game or self._desk
        found = read_condition_shape(test, words, written.text, mend=self._patient())
        if isinstance(found, Fault):
            head = "ELSE IF" if chained else "IF"
            refusal = refusal_of(found, lambda condition: f"{head} {write_condition(condition)}")
            self._refuse(written, refusal, found.column, found.width)
            self._blocks.append(_Block(written, chained=chained))
        elif len(self._blocks) >= _DEEPEST:
            self._mistaken(written, f"Blocks are read {_DEEPEST} deep and no deeper.")
            self._blocks.append(_Block(written, chained=chained))
        else:
            self._blocks.append(_Block(written, condition=found, chained=chained))

    def _otherwise(self, written: Written) -> bool:
        block = self._blocks[-1] if self._blocks else None
        if block is None or block.condition is None or block.then is not None:
            no_if = block is None or block.condition is None
            self._mistaken(written, _NO_IF if no_if else "This IF block has an ELSE already.")
            self._blocks.append(_Block(written, chained=block is not None))
            return False
        block.then, block.nodes = block.nodes, []
        return True

    def _open_drawer(self, written: Written, heading: Shape) -> None:
        if any(not block.drawer for block in self._blocks):
            self._mistaken(written, "This block cannot stand inside an IF block.")
            self._blocks.append(_Block(written))
            return
        if self._blocks:
            self._mistaken(self._blocks[-1].at, _NOT_CLOSED.format(where="where the next block begins"))
            self._close()
        self._blocks.append(self._drawer_block(written, heading))

    def _drawer_block(self, written: Written, heading: Shape) -> _Block:
        match heading:
            case grammar.ForTurnHeading(turn, phase) if turn > 0:
                block = _Block(written, "turn")
                block.turn, block.phase = turn, phase
                return block
            case grammar.ForTurnHeading():
                self._mistaken(written, "Turns are numbered from 1.")
                return _Block(written)
            case grammar.StandingHeading():
                return _Block(written, "standing")
            case grammar.IfLate():
                return _Block(written, "late")
        return _Block(written, "preview")

    def _malformed(self, written: Written, found: Malformed) -> None:
        self._mistaken(written, found.sentence, found.column, found.width)
        inside_if = bool(self._blocks) and self._blocks[-1].condition is not None
        if found.heading in ("IF", "FOR TURN") or (found.heading == "ELSE" and inside_if):
            self._blocks.append(_Block(written, chained=found.heading == "ELSE"))

    def _end(self) -> None:
        if self._blocks:
            self._close()
        else:
            self._ended = True

    def _close(self) -> None:
        block = self._blocks.pop()
        if block.condition is not None:
            (self._blocks[-1].nodes if self._blocks else self._sheet).append(block.branch(self._line_read))
        elif block.drawer == "turn":
            self._turns.append(ForTurn(block.turn, block.phase, tuple(block.nodes)))
        elif block.drawer:
            self._drawers.setdefault(block.drawer, []).extend(block.nodes)
        if block.chained:
            self._close()

    # mistakes

    def _patient(self) -> bool:
        """Corrections are looked for in the first mistakes of a letter, not in thousands."""
        return not self._curt and len(self._mistakes) < _PATIENCE

    def _misread(self, written: Written, shaped: SentenceShape, problem: Misread) -> None:
        def again(parts: Sequence[Part]) -> str:
            order, words = read_sentence(parts, self._lexicons, written.text)
            return write(order, words.singulars)

        found = fault(problem, shaped.parts, written.text, again if self._patient() else None)
        refusal = refusal_of(found, str)
        plain = self._game and self._patient() and not refusal.instead
        if plain and self._game and (wished := wish_in(shaped.parts, self._game, written.text)):
            said = f"Did you mean {wished[0]}?" if len(wished) == 1 else "It leaves open from where."
            refusal = Invalid(f"It reads like a wish. {said}", "", "", wished)
            self._refuse(written, refusal, 0, len(written.text), meant=True)
            return
        kept = in_part(problem, shaped.parts, self._lexicons, written.text) if self._patient() else None
        if kept is None:
            self._refuse(written, refusal, found.column, found.width, meant=misspelt_verb(problem, shaped.parts))
            return
        order, words, stands, better = kept
        self._file(written, order, words, stands)
        self._refuse(written, replace(refusal, instead=better), found.column, found.width, stands)

    def _mistaken(self, written: Written, sentence: str, column: int = 0, width: int | None = None) -> None:
        width = len(written.text) if width is None else width
        self._refuse(written, Invalid(sentence, at=written.text[column : column + width][:_SHOWN]), column, width)

    def _refuse(
        self, written: Written, refusal: Refusal, column: int, width: int, stands: str = "", meant: bool = False
    ) -> None:
        source = written.text
        if len(source) > LONGEST_LINE:
            source, column, width = f"{source[:_SHOWN]}\N{HORIZONTAL ELLIPSIS}", 0, 1
        self._mistakes.append(Mistake(written.number, source, refusal, column, width, stands, meant))

    def _ignore(self, written: Written, why: str) -> None:
        self._ignored.append(IgnoredLine(written.number, written.text[:LONGEST_LINE], why))


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
