"""Shape -> order: the verb is found, then its things."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from referee.core.normal_text import fold
from referee.core.order import Clause, Noun, Order, Portion, Thing
from referee.orders.explanations import leftover, missing, no_unit, not_enough, span_without, unknown_name, unknown_verb
from referee.orders.grammar import Part, Sort
from referee.orders.lexicon import LANGUAGE_KINDS, Lexicon, Names, Usage, Words
from referee.orders.lines import JOINTS, RECOGNISED, Line, unquote
from referee.orders.spelling import Misread, a_kind, either, number_part, plural, said, word_part

# ---------------------------------------------------------------- the things of a sentence
# Lists of names with their quantities, and values the language knows by their looks.


_READINGS = 8
_LONGEST_NUMBERED = 4
_FREE = frozenset({"word", "words"})
_DATED = frozenset({Sort.MOMENT, Sort.DATE})


def read_clauses(line: Line) -> tuple[Clause, ...]:
    """PREPOSITION things, again and again, to the end of the line. Raises Misread."""
    found: list[Clause] = []
    while not line.done:
        preposition = line.preposition(line.at)
        if preposition is None:
            raise leftover(line, ())
        found.append(_clause(line, *preposition))
    return tuple(found)


def _clause(line: Line, preposition: str, size: int) -> Clause:
    kinds = line.usage.verb.prepositions.get(preposition)
    start = line.at
    if kinds is None:
        raise Misread(f"{line.usage.word} takes no TO, as which an arrow is read.", start, start + size)
    line.at += size
    things = read_things(line, kinds, wanted=True)
    if kinds and not things and preposition not in line.usage.verb.ways:
        raise missing(line, start, line.at, kinds)
    return Clause(preposition, things)


def read_things(line: Line, kinds: tuple[str, ...], wanted: bool = False) -> tuple[Thing, ...]:
    """A list of things of these kinds; empty where a preposition or the end follows at once. Raises Misread.

    `wanted`: at least one is needed, so a name that begins like a preposition is taken for the name.
    Days are read first: what stands before and between them may be a preposition too.
    """
    if "days" in kinds and not line.done and (days := RECOGNISED["days"](line.parts, line.at)):
        line.at += days[1]
        return (days[0],)
    found: list[Thing] = []
    names = line.lexicon.names(kinds)
    while kinds and not line.done:
        if not found and line.preposition(line.at) and not (wanted and line.exact(names, line.at)):
            break
        found.append(_next_number(line, found, kinds, names) or _thing(line, kinds, names))
        if not _goes_on(line, found[-1], kinds, names):
            break
    return tuple(found)


def _goes_on(line: Line, last: Thing, kinds: tuple[str, ...], names: Names) -> bool:
    """Step over "," or "and". Things with a look of their own need none; a comma before a preposition is forgiven."""
    start = line.at
    while not line.done and line.parts[line.at].sort in JOINTS:
        line.at += 1
    if line.at > start:
        if line.done and last.kind == "address":
            return False
        if line.done:
            raise missing(line, start, line.at, kinds)
        return line.preposition(line.at) is None or line.exact(names, line.at) is not None
    if line.done or line.preposition(line.at):
        return False
    if last.kind in LANGUAGE_KINDS or line.has_looks(line.at):
        return True
    raise leftover(line, kinds)


def _thing(line: Line, kinds: tuple[str, ...], names: Names) -> Thing:
    part = line.parts[line.at]
    if part.sort is Sort.HEX and "," in part.text and "hex" not in kinds:
        line.part_hex(line.at)
    exact = None if part.sort is Sort.QUOTED and {"text", "words"} & set(kinds) else line.exact(names, line.at)
    if exact is not None:
        return _named(line, *exact)
    known = _numbered(line, kinds, names) or _by_looks(line, kinds)
    if known is not None:
        return known
    _check_span(line, kinds)
    return _counted(line, kinds, names) or _by_name(line, kinds, names)


def _numbered(line: Line, kinds: tuple[str, ...], names: Names) -> Thing | None:
    """A name and a number after it, where such names are numbered and this one is not listed."""
    for end in range(line.at + 1, min(line.at + _LONGEST_NUMBERED + 1, len(line))):
        noun = names.numbered(line.folded(line.at, end))
        if noun is None or noun.numbered not in kinds:
            continue
        if line.parts[end].sort is Sort.HEX and "," in line.parts[end].text and "hex" not in kinds:
            line.part_hex(end)
        quantity = line.parts[end].quantity
        if quantity is not None and quantity.portion is Portion.EXACTLY and line.ends(end + 1):
            line.at = end + 1
            return Thing(noun.numbered, f"{_singular(noun)} {quantity.number}")
    return None


def _singular(noun: Noun) -> str:
    return next((alias for alias in noun.aliases if plural(fold(alias)) == fold(noun.name)), noun.name)


def _next_number(line: Line, before: list[Thing], kinds: tuple[str, ...], names: Names) -> Thing | None:
    """The second of `fleets 1, 2`: a number alone goes on with the name before it."""
    name, _, last = before[-1].name.rpartition(" ") if before and before[-1].quantity is None else ("", "", "")
    noun = names.numbered(fold(name)) if last.isdecimal() else None
    quantity = line.parts[line.at].quantity
    if noun is None or quantity is None or quantity.portion is not Portion.EXACTLY or not line.ends(line.at + 1):
        return None
    line.at += 1
    return Thing(noun.numbered, f"{_singular(noun)} {quantity.number}") if noun.numbered in kinds else None


def _by_looks(line: Line, kinds: tuple[str, ...]) -> Thing | None:
    start = line.at
    own = [kind for kind in kinds if kind in LANGUAGE_KINDS]
    stop = next((k for k in range(start + 1, len(line)) if line.preposition(k)), len(line)) if own else start
    for kind in own:
        recognise = RECOGNISED.get(kind)
        found = recognise(line.parts[:stop], start) if recognise else _number(line) if kind == "number" else None
        if found is not None and (kind != "any" or line.ends(start + found[1])):
            line.at += found[1]
            return found[0]
    return None


def _number(line: Line) -> tuple[Thing, int] | None:
    quantity = line.parts[line.at].quantity
    if quantity is None or quantity.portion is not Portion.EXACTLY or not line.ends(line.at + 1):
        return None
    _unsigned(line)
    return Thing("number", "", quantity), 1


def _unsigned(line: Line) -> None:
    part = line.parts[line.at]
    if part.text[0] in "+-":
        fixes = [(number_part(part.text[1:], part.column),)] if part.text[0] == "+" else []
        raise Misread(
            f'"{part.text}" has a sign; a whole number without one is expected here.', line.at, line.at + 1, fixes
        )


def _check_span(line: Line, kinds: tuple[str, ...]) -> None:
    """Raises Misread for a number that lacks its unit of time, and for a span of time that stands without its preposition."""
    part = line.parts[line.at]
    if part.quantity is None or part.quantity.portion is not Portion.EXACTLY or _FREE & set(kinds):
        return
    if "duration" in kinds and line.ends(line.at + 1):
        raise no_unit(line)
    span = RECOGNISED["duration"](line.parts, line.at)
    preposition = next((word for word, held in line.usage.verb.prepositions.items() if "duration" in held), "")
    if span is not None and preposition and "duration" not in kinds:
        raise span_without(line, preposition, span[1])


def _counted(line: Line, kinds: tuple[str, ...], names: Names) -> Thing | None:
    """A quantity and the name it counts; None where no quantity stands or free words may."""
    quantity = line.parts[line.at].quantity
    if quantity is None or (_FREE & set(kinds) and not _name_follows(line, names)):
        return None
    _unsigned(line)
    start, line.at = line.at, line.at + 1
    if line.done or (line.ends(line.at) and not line.exact(names, line.at)):
        raise missing(line, start, line.at, kinds)
    exact = line.exact(names, line.at)
    thing = _named(line, *exact) if exact else _anything(line, kinds) or _by_name(line, kinds, names)
    return Thing(thing.kind, thing.name, quantity)


def _name_follows(line: Line, names: Names) -> bool:
    following = line.at + 1
    if line.exact(names, following):
        return True
    return following < len(line) and bool(names.spelt(line.folded(following, line.run(following))))


def _anything(line: Line, kinds: tuple[str, ...]) -> Thing | None:
    found = RECOGNISED["any"](line.parts, line.at) if "any" in kinds else None
    if found is None or not line.ends(line.at + 1):
        return None
    line.at += 1
    return found[0]


def _by_name(line: Line, kinds: tuple[str, ...], names: Names) -> Thing:
    """A name in a forgiven spelling or shortened; otherwise free words where they may stand. Raises Misread.

    The whole name of something else shortens no name: who writes `cargo ship` means no cargo shipyard.
    """
    _skip_article(line, names)
    end = line.run(line.at)
    typed = line.folded(line.at, end)
    free = _FREE & set(kinds)
    plain = line.parts[line.at].sort is Sort.WORD
    nouns = names.spelt(typed)
    if not nouns and plain and not free and not line.lexicon.names(line.lexicon.kinds).exact(typed):
        nouns = names.shortened(typed)
    if nouns:
        return _named(line, nouns, end)
    if "words" in free or (free and line.parts[line.at].sort not in _DATED):
        return _words(line) if "words" in free else _word(line)
    raise unknown_name(line, kinds, names)


def _skip_article(line: Line, names: Names) -> None:
    if line.folded(line.at, line.at + 1) == "the" and not line.ends(line.at + 1):
        longer = line.exact(names, line.at + 1)
        if longer or names.spelt(line.folded(line.at + 1, line.run(line.at + 1))):
            line.at += 1


def _named(line: Line, nouns: tuple[Noun, ...], end: int) -> Thing:
    start, line.at = line.at, end
    if len(nouns) > 1:
        sentence = f'"{said(line.parts[start:end])}" could be {either(noun.name for noun in nouns)}.'
        fixes = [(word_part(noun.name),) for noun in nouns[:_READINGS]]
        raise Misread(sentence, start, end, fixes, ambiguous=True)
    return Thing(nouns[0].kind, nouns[0].name)


def _word(line: Line) -> Thing:
    part = line.parts[line.at]
    line.at += 1
    return Thing("word", unquote(part.text) if part.sort is Sort.QUOTED else part.text)


def _words(line: Line) -> Thing:
    """Free words as typed, to the next clear preposition or the end of the line."""
    start = line.at
    line.at += 1
    while not line.done and not line.clear_preposition(line.at):
        line.at += 1
    end = len(line.source) if line.done else line.parts[line.at - 1].end
    return Thing("text", line.source[line.parts[start].column : end].strip())


Search = Callable[[Words, str], tuple[Usage, ...]]
_SEARCHES: tuple[Search, ...] = (Words.exact, Words.spelt, Words.shortened)


class Choice(msgspec.Struct, frozen=True):
    """A verb a line may begin with: in which lexicon it stands, and how many parts it takes."""

    usage: Usage
    lexicon: Lexicon
    size: int


def find_verb(parts: Sequence[Part], lexicons: Sequence[Lexicon]) -> tuple[Choice, ...]:
    """The verbs the line may begin with. Exact words first, longer ones first, the first lexicon's first.

    A verb that stands alone gives way to one of the same words that goes on as the line does.
    """
    longest = max((lexicon.verbs.longest for lexicon in lexicons), default=0)
    folded = [part.folded for part in parts[:longest]]
    begun = [(size, " ".join(folded[:size])) for size in range(len(folded), 0, -1)]
    for search in _SEARCHES:
        short = search is Words.shortened
        for size, typed in begun:
            found = [Choice(u, lexicon, size) for lexicon in lexicons for u in search(lexicon.verbs, typed)]
            if short:
                found = [choice for choice in found if _is_enough(choice, typed, size < len(parts))]
            if short and size == len(parts):
                found = [choice for choice in found if len(typed) * 2 > len(choice.usage.word)]
            if size < len(parts):
                found = [choice for choice in found if not _bare(choice)] or found
            if found:
                return tuple(found) if short else tuple(c for c in found if c.lexicon is found[0].lexicon)
    return ()


def _is_enough(choice: Choice, typed: str, goes_on: bool) -> bool:
    """Whether a verb of the desk is short for anything: not by one letter, nor by half of it before other words (I AM away)."""
    if choice.lexicon.shortest == 1:
        return True
    half = len(typed.split()) < len(choice.usage.word.split())
    return len(typed) >= choice.lexicon.shortest and not (half and goes_on)


def _bare(choice: Choice) -> bool:
    """Whether a verb stands alone: a line that goes on means another of the same words (ROLL OUT and ROLL OUT France)."""
    return not choice.usage.verb.takes and not choice.usage.verb.prepositions


def read_sentence(parts: Sequence[Part], lexicons: Sequence[Lexicon], source: str) -> tuple[Order, Lexicon]:
    """The order, and the lexicon whose verb it has. Raises Misread.

    Several verbs may begin as the line does: then the one counts with which the rest makes sense.
    """
    return read_line(parts, lexicons, source)[:2]


def read_line(
    parts: Sequence[Part], lexicons: Sequence[Lexicon], source: str, curt: bool = False
) -> tuple[Order, Lexicon, bool]:
    """As `read_sentence`, and whether the line has this meaning wherever the verbs are the same. Raises Misread.

    It has where one verb alone came into question: the words of the others then played no part. `curt`: what is not
    understood is said to be so, and not what it may have been meant for.
    """
    choices = find_verb(parts, lexicons)
    if not choices:
        raise unknown_verb(parts, () if curt else lexicons)
    if len(choices) == 1:
        return _read(parts, choices[0], source, curt), choices[0].lexicon, True
    return *_read_one_of(parts, choices, source, curt), False


def _read_one_of(parts: Sequence[Part], choices: Sequence[Choice], source: str, curt: bool) -> tuple[Order, Lexicon]:
    readings: dict[Order, Lexicon] = {}
    for choice in choices:
        try:
            readings.setdefault(_read(parts, choice, source, curt), choice.lexicon)
        except Misread as problem:
            last = problem
    if len(readings) == 1:
        return next(iter(readings.items()))
    words = list(dict.fromkeys([order.verb for order in readings] or [choice.usage.word for choice in choices]))
    if len(words) == 1 and not readings:
        raise last
    size = choices[0].size
    fixes = [(word_part(word),) for word in words]
    raise Misread(f'"{said(parts[:size])}" could be {either(words)}.', 0, size, fixes[:8], ambiguous=True)


def _read(parts: Sequence[Part], choice: Choice, source: str, curt: bool) -> Order:
    line = Line(parts, choice.size, choice.usage, choice.lexicon, source, curt)
    try:
        things = read_things(line, choice.usage.verb.takes)
        clauses = read_clauses(line)
    except Misread as problem:
        problem.parts = tuple(line.parts)
        raise
    check_counts(choice.usage, things, clauses, choice.size)
    return Order(choice.usage.word, things, clauses)


def check_counts(usage: Usage, things: tuple[Thing, ...], clauses: tuple[Clause, ...], size: int) -> None:
    """Raises Misread when the verb lacks a thing or a preposition, has too many things, or several numbers after a preposition."""
    verb = usage.verb
    if len(things) < verb.least:
        number = "" if verb.least == 1 else f"at least {verb.least} of: "
        raise not_enough(usage, f"{verb.word} must name {number}{either(map(a_kind, verb.takes))}.", size, verb.takes)
    if verb.most is not None and len(things) > verb.most:
        raise not_enough(usage, f"{verb.word} names no more than {verb.most}, not {len(things)}.", size)
    present = {clause.preposition for clause in clauses}
    lacking = [preposition for preposition in verb.needs if preposition not in present]
    if lacking:
        raise not_enough(usage, f"{verb.word} needs {either(lacking, 'and')}.", size)
    for clause in clauses:
        if len(clause.things) > 1 and all(thing.kind == "number" for thing in clause.things):
            raise not_enough(usage, f"{clause.preposition} takes one number, not {len(clause.things)}.", size)
