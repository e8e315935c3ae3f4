"""Why a part of a line is not understood, said in one sentence, with what could stand there instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.core.normal_text import fold
from referee.core.order import Noun
from referee.orders.grammar import Part, Sort
from referee.orders.lexicon import LANGUAGE_KINDS, Lexicon, Names, Usage, Words
from referee.orders.lines import Line
from referee.orders.spelling import Misread, a_kind, did_you_mean, either, number_part, said, word_part

_LONGEST_NAME = 6
_SURE = 0.799
_OPENING_MARKS = ('"', "\u201c", "\u201e", "\u00ab")
_COMMA = Part(Sort.COMMA, ",", ",", 0, 0)


def missing(line: Line, start: int, end: int, kinds: tuple[str, ...]) -> Misread:
    """Something must follow parts[start:end] and does not."""
    if (parted := _parted_number(line, start)) is not None:
        return parted
    sentence = f'After "{said(line.parts[start:end])}" {_wanted(kinds)} is missing.'
    return Misread(_joined(sentence, _example(line.usage)), start, end)


def _parted_number(line: Line, start: int) -> Misread | None:
    """`1,000`: a comma parts the things of a list, so that none stands in a number."""
    thousands, comma, rest = (*line.parts[start : start + 3], *(_COMMA,) * 3)[:3]
    if (thousands.sort, comma.sort, rest.sort) != (
        Sort.QUANTITY,
        Sort.COMMA,
        Sort.QUANTITY,
    ) or thousands.end != comma.column:
        return None
    if comma.end != rest.column or not (thousands.text.isdecimal() and rest.text.isdecimal() and len(rest.text) == 3):
        return None
    number = f"{thousands.text}{rest.text}"
    sentence = f'No comma stands in a number: write {number} instead of "{thousands.text},{rest.text}".'
    return Misread(sentence, start, start + 3, [(number_part(number, thousands.column),)])


def not_enough(usage: Usage, sentence: str, size: int, wanted: tuple[str, ...] = ()) -> Misread:
    """The verb lacks something it must have, or has more than it may have."""
    return Misread(_joined(sentence, _example(usage)), 0, size, rule=usage.verb.rule, wanted=wanted)


def no_unit(line: Line) -> Misread:
    """A bare number where a span of time is wanted."""
    typed = line.parts[line.at].text
    spans = [f"{typed}{unit}" for unit in ("h", "d")]
    sentence = f'"{typed}" needs a unit of time: {spans[0]} for hours, {spans[1]} for days.'
    return Misread(
        sentence, line.at, line.at + 1, [(Part(Sort.SPAN, span, span, 0, 0),) for span in spans], ambiguous=True
    )


def span_without(line: Line, preposition: str, size: int) -> Misread:
    """A span of time that a preposition must stand before."""
    start, end = line.at, line.at + size
    span = line.parts[start:end]
    sentence = f'"{said(span)}" is a span of time, and {preposition} stands before it.'
    return Misread(_joined(sentence, _example(line.usage)), start, end, [(word_part(preposition), *span)])


def leftover(line: Line, kinds: tuple[str, ...]) -> Misread:
    """The next part cannot stand where it stands: a wrong preposition, or a preposition or a comma left out."""
    start = line.at
    part = line.parts[start]
    if part.folded == "if":
        return Misread(_NO_CONDITION, start, len(line))
    near = did_you_mean(part.folded, filter(None, line.usage.verb.prepositions))
    fixes: list[tuple[Part, ...]] = [(word_part(preposition),) for preposition in near]
    run = line.folded(start, line.run(start))
    used = {found[0] for k in range(len(line)) if (found := line.preposition(k))}
    for preposition, allowed in line.usage.verb.prepositions.items():
        if preposition and preposition not in used and _known(line.lexicon.names(allowed), run):
            fixes.append((word_part(preposition), part))
    if kinds and _known(line.lexicon.names(kinds), run):
        fixes.append((_COMMA, part))
    ways = [way.lower() for way in line.usage.verb.ways if not used.intersection(line.usage.verb.ways)]
    sentence = f'"{part.text}" is not understood here{f"; it may be {either(ways)}" if ways else ""}.'
    return Misread(_joined(sentence, _meant(near), _example(line.usage)), start, start + 1, fixes)


_NO_CONDITION = (
    "An order bears no condition: IF stands on a line of its own before the orders it is for, and END after them."
)


def unknown_name(line: Line, kinds: tuple[str, ...], names: Names) -> Misread:
    """No name of these kinds stands at the next part."""
    start, end = line.at, line.run(line.at)
    if (amount := _amount(line.parts[start], start)) is not None:
        return amount
    if line.parts[start].sort not in (Sort.WORD, Sort.QUANTITY, Sort.QUOTED):
        return Misread(_out_of_place(line.parts[start], kinds), start, start + 1, wanted=_told(kinds))
    if line.curt:
        return Misread(
            f'"{said(line.parts[start:end])}" is not known as {_wanted(kinds)}.', start, end, wanted=_told(kinds)
        )
    if (others := _of_somebody(line, start, end, kinds, names)) is not None:
        return others
    near, size, score = _nearest(line, start, end, names)
    whole = _whole_name(line, start, end, names)
    if whole and (score < _SURE or size <= whole):
        line.at = start + whole
        return leftover(line, kinds)
    typed = said(line.parts[start:end])
    other = _other_kind(line.lexicon, line.folded(start, end))
    if other is not None and score < _SURE:
        within = [noun.name for noun in names.nouns if fold(typed) in fold(noun.name)]
        sentence = f'"{typed}" is {a_kind(other.kind)}, but {_wanted(kinds)} is expected here.'
        fixes = [(word_part(name),) for name in within]
        return Misread(_joined(sentence, _meant(within)), start, end, fixes, wanted=_told(kinds))
    if not near and (first := _other_first(line, start, end)) is not None:
        name, size = first
        sentence = (
            f'"{said(line.parts[start : start + size])}" is {a_kind(name.kind)}, but {_wanted(kinds)} is expected here.'
        )
        return Misread(_joined(sentence, _example(line.usage)), start, start + size, wanted=_told(kinds))
    if near:
        typed = said(line.parts[start : start + size])
        sentence = f'"{typed}" is not known as {_wanted(kinds)}. {_meant([noun.name for noun in near])}'
        fixes = [(word_part(noun.name),) for noun in near]
        return _of_a_name(Misread(sentence, start, start + size, fixes, wanted=_told(kinds)), typed, names)
    if "text" in kinds:
        return Misread(f'"{typed}" must stand in quotation marks.', start, end, [(_quoted(typed),)])
    return _of_a_name(
        Misread(f'"{typed}" is not {_unknown(kinds, names)}', start, end, wanted=_told(kinds)), typed, names
    )


def _of_somebody(line: Line, start: int, end: int, kinds: tuple[str, ...], names: Names) -> Misread | None:
    """`Blue infantry`: whose they are is never written, for nobody orders but his own."""
    owner = _other_kind(line.lexicon, line.folded(start, start + 1))
    if owner is None or owner.kind != "side" or "side" in kinds or end - start < 2:
        return None
    if not _known(names, line.folded(start + 1, end)):
        return None
    sentence = f"You order your own {said(line.parts[start + 1 : end])} alone, and no owner is written before them."
    return Misread(sentence, start, end)


def _of_a_name(problem: Misread, typed: str, names: Names) -> Misread:
    """The misreading of a name, with one that could stand there, so that the names after it can be looked at."""
    if names.choices:
        problem.unknown, problem.stand_in = typed, word_part(names.choices[0])
    return problem


def _amount(part: Part, start: int) -> Misread | None:
    """A number that is not written as one: a part of a whole, or with a sign for times."""
    if part.sort is not Sort.WORD:
        return None
    if found := _FRACTION.fullmatch(part.text):
        below = int(found[1]) // max(1, int(found[2] or 1))
        sentence = f'"{part.text}" is not a whole number, and only whole numbers can stand here.'
        numbers = [number for number in (below, below + 1) if number]
    elif found := _TIMES.fullmatch(part.folded):
        number = int(found[1])
        sentence, numbers = f'"{part.text}" is not understood as a number: write {number}.', [number]
    else:
        return None
    return Misread(sentence, start, start + 1, [(number_part(str(number), part.column),) for number in numbers])


_TIMES = re.compile("0*([1-9][0-9]{0,5})x")
_FRACTION = re.compile(r"([0-9]{1,6})(?:\.[0-9]{1,6}|/([0-9]{1,6}))")


def _out_of_place(part: Part, kinds: tuple[str, ...]) -> str:
    if part.text in _OPENING_MARKS:
        return "The quotation mark is not closed."
    if part.sort.value in kinds:
        return f'"{part.text}" is not in the calendar.'
    return f'"{part.text}" cannot stand here: {_wanted(kinds)} is expected.'


def _quoted(typed: str) -> Part:
    text = f'"{typed}"'
    return Part(Sort.QUOTED, text, text, 0, 0)


def unknown_verb(parts: Sequence[Part], lexicons: Sequence[Lexicon]) -> Misread:
    """The line begins with no verb; no `lexicons`: it is not looked for what verb may be meant."""
    if (left_out := _verb_left_out(parts, lexicons)) is not None:
        return left_out
    if parts[0].sort is not Sort.WORD:
        sample = either(lexicon.verbs.choices[0] for lexicon in lexicons if lexicon.verbs.choices)
        return Misread(f'An order begins with a verb such as {sample}, not with "{parts[0].text}".', 0, 1)
    near, size = _nearest_words(parts, [lexicon.verbs for lexicon in lexicons])
    listed = either(word for lexicon in lexicons for word in lexicon.verbs.choices)
    none = "No order can be given now." if lexicons else ""
    known = _meant(near) or _told_alone(parts, lexicons) or (f"An order begins with {listed}." if listed else none)
    sentence = _joined(f'"{said(parts[:size])}" is not a verb known here.', known)
    return Misread(sentence, 0, size, [(word_part(word),) for word in near])


def _told_alone(parts: Sequence[Part], lexicons: Sequence[Lexicon]) -> str:
    """The meaning of the verb that is written alone and whole, where more follows its first word; "" if there is none."""
    verbs = (usage.verb for lexicon in lexicons for usage in lexicon.verbs.usages if usage.verb.whole)
    begun = (verb for verb in verbs if len(parts) > 1 and parts[0].folded == fold(verb.word.partition(" ")[0]))
    return next((f"Write {verb.word} alone: it {verb.meaning}." for verb in begun), "")


def _verb_left_out(parts: Sequence[Part], lexicons: Sequence[Lexicon]) -> Misread | None:
    """`2 infantry from Egypt to Palestine`: what stands there is named, and the verbs that go on as the line does."""
    at = 1 if parts[0].sort is Sort.QUANTITY and len(parts) > 1 else 0
    if parts[at].sort is not Sort.WORD:
        return None
    rest = {part.folded for part in parts[at + 1 :]}
    found: dict[str, int] = {}
    for lexicon in lexicons:
        noun = _other_kind(lexicon, parts[at].folded)
        for usage in lexicon.verbs.usages if noun is not None else ():
            fits = len(rest & usage.prepositions.keys()) if noun is not None and noun.kind in usage.verb.takes else 0
            if fits:
                found.setdefault(usage.word, fits)
    if not found:
        return None
    words = sorted(found, key=lambda word: -found[word])
    sentence = f'"{said(parts[: at + 1])}" is no verb, and an order begins with one, such as {either(words)}.'
    return Misread(sentence, 0, at + 1, [(word_part(word), *parts[: at + 1]) for word in words[:1]])


def unknown_predicate(parts: Sequence[Part], lexicon: Lexicon) -> Misread:
    """The test holds no predicate; the words most like one are blamed."""
    found = [(_nearest_words(parts[start:], [lexicon.predicates]), start) for start in range(len(parts))]
    (near, size), start = next((pair for pair in found if pair[0][0]), (((), len(parts)), 0))
    listed = either(lexicon.predicates.choices)
    known = _meant(near) or (f"A test is made with {listed}." if listed else "No test can be made now.")
    sentence = f'"{said(parts[start : start + size])}" is not a test known here. {known}'
    return Misread(sentence, start, start + size, [(word_part(word),) for word in near])


def _nearest_words(parts: Sequence[Part], tables: Sequence[Words]) -> tuple[list[str], int]:
    """Up to three verbs that the first parts are most like, and how many parts those are."""
    best: dict[str, tuple[float, int]] = {}
    for size in range(1, min(3, len(parts)) + 1):
        folded = " ".join(part.folded for part in parts[:size])
        for score, usage in (near for table in tables for near in table.like(folded)):
            best[usage.word] = max(best.get(usage.word, (0.0, 0)), (score, size))
    ranked = sorted(best, key=lambda word: -best[word][0])[:3]
    size = best[ranked[0]][1] if ranked else 1
    return [word for word in ranked if best[word][1] == size], size


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _example(usage: Usage) -> str:
    return f'{usage.word} is used as in "{usage.verb.example}".' if usage.verb.example else ""


def _meant(names: Sequence[str]) -> str:
    return f"Did you mean {either(names)}?" if names else ""


def _wanted(kinds: Sequence[str]) -> str:
    """The kinds in words."""
    return either(map(a_kind, _told(kinds))) or "something"


def _told(kinds: Sequence[str]) -> tuple[str, ...]:
    """The kinds that are told; units that have numbers are one kind, by whichever they are named."""
    same = ("unit", "number") if "numbered" in kinds else ()
    return tuple(kind for kind in kinds if kind not in same)


def _unknown(kinds: tuple[str, ...], names: Names) -> str:
    """The right thing instead: "known as a good. Known: gold and food." or, by its looks, "a number"."""
    if all(kind in LANGUAGE_KINDS for kind in kinds):
        return f"{_wanted(kinds)}."
    listed = either(sorted(names.choices, key=lambda name: name[-1:].isdecimal()), "and")
    return f"known as {_wanted(kinds)}. " + (f"Known: {listed}." if listed else "None can be named now.")


def _known(names: Names, folded: str) -> bool:
    return bool(names.exact(folded) or names.spelt(folded))


def _nearest(line: Line, start: int, end: int, names: Names) -> tuple[tuple[Noun, ...], int, float]:
    """The names the next words are most like, how many words those are, and how alike the first is."""
    found: tuple[tuple[Noun, ...], int, float] = ((), 0, 0.0)
    for size in range(1, min(end - start, _LONGEST_NAME) + 1):
        near = names.like(line.folded(start, start + size))[:3]
        if near and near[0][0] >= found[2]:
            found = tuple(noun for _, noun in near), size, near[0][0]
    return found


def _whole_name(line: Line, start: int, end: int, names: Names) -> int:
    """How many of the next words, but not all, are a name."""
    sizes = range(min(end - start - 1, _LONGEST_NAME), 0, -1)
    return next((size for size in sizes if _known(names, line.folded(start, start + size))), 0)


def _other_first(line: Line, start: int, end: int) -> tuple[Noun, int] | None:
    """A name of another kind with which the next words begin, and how many of them it is."""
    sizes = range(min(end - start - 1, _LONGEST_NAME), 0, -1)
    found = ((_other_kind(line.lexicon, line.folded(start, start + size)), size) for size in sizes)
    return next(((noun, size) for noun, size in found if noun is not None), None)


def _other_kind(lexicon: Lexicon, folded: str) -> Noun | None:
    """A noun of the vocabulary that is called so, whatever its kind."""
    names = lexicon.names(lexicon.kinds)
    found = names.exact(folded) or names.spelt(folded)
    return found[0] if found else None
