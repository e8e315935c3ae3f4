"""The orders that a piece can carry out: the choices of a turn turned round, so that they begin with a place and not with a verb.

A line is never half made. A player who taps says which fields of an order he knows, and the others are filled in with what is
usual; every part of a whole line can be changed. Three ways lead from a place to a line: the first step lies there (march from
here), a later step lies there (march to here), or two orders go together (walk here, then work here).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from referee.core.choices import Choice, Picked, Step, Unknown, after
from referee.core.names import Seat
from referee.core.order import Intent
from referee.kit.declared import Plain
from referee.kit.fields import ANY
from referee.kit.game import BaseGame
from referee.kit.wording import capital

Said = Mapping[str, Sequence[str]]
"""The known parts of an order: the words picked, by the name of the field."""

_LONGEST = 60
"""So many steps an order has at most."""

_BEGINNINGS, _INBOUND = 60, 6
"""So many first steps are looked at for what leads to a place; so many of them are offered there."""

_APART, _TRIES = 4, 80
"""So many kinds of work are a deed each, and so many first steps that lie nowhere are looked at; so many ways are tried to find
the parts of a line again."""

_ENDLESS = 99
"""The most of a step that has no bound."""


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to choose: the word to send, what it means, where on the map it lies."""

    word: str
    meaning: str = ""
    at: str = ""


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a whole line that may be changed: what is picked, from `least` to `most` of the options or so many of `counts`."""

    field: str
    picked: Picked
    options: tuple[Option, ...] = ()
    least: int = 1
    most: int = 1
    counts: str = ""


class Whole(msgspec.Struct, frozen=True, omit_defaults=True):
    """A whole line, what it means, and its parts; `missed` are the fields that could not be taken as they were said.

    `refused` says why there is none.
    """

    verb: str
    line: str = ""
    meaning: str = ""
    parts: tuple[Part, ...] = ()
    missed: tuple[str, ...] = ()
    refused: str = ""


class Deed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deed that can be done at a place: the order in plain words, its known parts, and the line that the usual makes of it.

    `rank`: what is usual comes first, 0 is seldom done. `aim` is the field that one of the `targets` fills, which are places
    with what is there, each by its own name or by that in `words`; the line is that of the first.

    `before` is a line that goes before it. `adds`: it takes the place of the line of this verb that is there, to which it adds
    a wish. `brush` is what is done again elsewhere. `theme`: where it stands among what lies nowhere.
    """

    verb: str
    title: str
    said: dict[str, Picked] = {}
    line: str = ""
    meaning: str = ""
    rank: int = 0
    aim: str = ""
    targets: dict[str, str] = {}
    words: dict[str, str] = {}
    before: str = ""
    adds: bool = False
    brush: str = ""
    theme: str = ""


_NEAR = 100
"""So many targets of a deed stand in an index: an aeroplane has a thousand, and rules that run tell them all."""


def _near_by(deed: Deed) -> Deed:
    near = dict(islice(deed.targets.items(), _NEAR))
    return msgspec.structs.replace(
        deed, targets=near, words={at: said for at, said in deed.words.items() if at in near}
    )


class Wish(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line that is proposed, and the reason."""

    line: str
    why: str = ""


class Index(msgspec.Struct, frozen=True, omit_defaults=True):
    """All first taps of a turn at once: what is proposed, where something begins, what can be done there, and nowhere."""

    proposed: tuple[Wish, ...] = ()
    starts: tuple[str, ...] = ()
    places: dict[str, tuple[Deed, ...]] = {}
    tray: tuple[Deed, ...] = ()


class _Mover(NamedTuple):
    """A piece, the place that its order leads to, and what is said of the order by both."""

    piece: Choice[Any]
    target: Choice[Any]
    said: dict[str, Picked]


class Pieces:
    """The deeds of a seat's pieces in a position after a sheet, among these verbs."""

    def __init__(
        self,
        game: BaseGame[Any],
        state: Any,
        seat: Seat,
        verbs: Sequence[str],
        sheet: Sequence[Intent] = (),
        meaning: Callable[[Intent], str] = lambda intent: intent.meaning(),
    ) -> None:
        self._game, self._state, self._seat, self._sheet, self._meaning = game, state, seat, tuple(sheet), meaning
        self._verbs = tuple(verb for verb in dict.fromkeys(verbs) if verb in game.book.orders)
        self._usual = dict[str, Whole]()
        self._reached = dict[str, dict[str, list[_Mover]]]()
        self._begun = dict[str, Step | Intent | None]()

    def plain(self, verb: str) -> Plain:
        """A verb in plain words."""
        said = self._game.book.orders[verb].plain
        return said if said.word else msgspec.structs.replace(said, word=capital(verb.lower()))

    # -------------------------------------------------------- a whole line

    def whole(self, verb: str, said: Said) -> Whole:
        """A whole line: of each step what was said of it, else what is usual. Fields of one name are told apart by a number."""
        return self._whole(verb, said, self._ask)

    def _whole(self, verb: str, said: Said, ask: Callable[[str, Sequence[Picked]], Any]) -> Whole:
        picked, parts, missed = list[Picked](), list[Part](), list[str]()
        names = Counter[str]()
        while isinstance(found := ask(verb, picked), Step) and len(picked) < _LONGEST:
            names[found.field] += 1
            name = found.field if names[found.field] == 1 else f"{found.field} {names[found.field]}"
            pick = self._fitting(verb, found, said[name]) if name in said else None
            if pick is None:
                missed += [name] if name in said else []
                pick = self._by_habit(verb, found)
            picked.append(pick)
            options = tuple(Option(choice.word, choice.meaning, choice.at) for choice in found.choices)
            parts.append(Part(name, pick, options, found.least, found.most, found.counts))
        if not isinstance(found, Intent):
            return Whole(verb, refused="That cannot be done now.")
        line = self._game.line(self._state, found, self._seat, self._sheet)
        return Whole(verb, line, self._meaning(found), tuple(parts), tuple(missed))

    def unfolded(self, line: str) -> Whole:
        """The parts of a line, found again by the words in it; refused where they are not."""
        verb = max((verb for verb in self._verbs if f"{line} ".startswith(f"{verb} ")), key=len, default="")
        tries = iter(range(_TRIES))
        found = next(self._ways(verb, line, {}, tries), None) if verb else None
        return found or Whole(verb, refused="This line is changed as text.")

    def _ways(self, verb: str, line: str, said: dict[str, Picked], tries: Iterator[int]) -> Iterator[Whole]:
        """Every way to say a line, what stands in it before what is usual."""
        if next(tries, None) is None:
            return
        made = self.whole(verb, said)
        if made.line == line:
            yield made
        open = next((part for part in made.parts if part.field not in said), None)
        if open is not None:
            for picked in _in_line(open, line):
                yield from self._ways(verb, line, {**said, open.field: picked}, tries)

    def _fitting(self, verb: str, step: Step, words: Sequence[str]) -> Picked | None:
        """The value given for a step, if it is on offer; of a number the nearest there is."""
        if step.counts and len(words) == 1 and words[0].isdecimal():
            words = (str(max(step.least, min(step.most, int(words[0][:9])))),)
        try:
            return step.taken(tuple(words))
        except Unknown:
            return None

    def _by_habit(self, verb: str, step: Step) -> Picked:
        """The value taken for a step for which none was given."""
        if step.counts and self.plain(verb).most and step.most < _ENDLESS:
            return (str(step.most),)
        if step.counts:
            return step.usual or (str(step.least),)
        usual = tuple(dict.fromkeys(step.usual))
        return usual if step.least <= len(usual) <= step.most else tuple(c.word for c in step.choices[: step.least])

    def _ask(self, verb: str, picked: Sequence[Picked]) -> Step | Intent | None:
        if not picked:
            if verb not in self._begun:
                self._begun[verb] = self._asked(verb, ())
            return self._begun[verb]
        return self._asked(verb, picked)

    def _asked(self, verb: str, picked: Sequence[Picked]) -> Step | Intent | None:
        return after(self._game.asking(self._state, self._seat, verb, self._sheet), picked)

    def _usually(self, verb: str) -> Whole:
        """The line of a verb of which nothing is said."""
        if verb not in self._usual:
            self._usual[verb] = self.whole(verb, {})
        return self._usual[verb]

    # -------------------------------------------------------- what begins where

    def starts(self) -> tuple[str, ...]:
        """The places at which something usual begins."""
        first = (self._ask(verb, ()) for verb in self._verbs if self.plain(verb).rank)
        return tuple(dict.fromkeys(c.at for step in first if isinstance(step, Step) for c in step.choices if c.at))

    def at(self, place: str, seldom: bool = True) -> tuple[Deed, ...]:
        """The deeds that can be done at a place, the usual first, and those done there `seldom`."""
        found = list[Deed]()
        for verb in self._verbs if seldom else filter(lambda verb: self.plain(verb).rank, self._verbs):
            here = [*self._outbound(verb, place)] or [*islice(self._inbound(verb, place), _INBOUND)]
            found += here or [*self._in_passing(verb, place)]
        here_already = {deed.verb for deed in found}
        found += (deed for deed in self._together(place) if deed.verb not in here_already)
        return tuple(sorted(found, key=lambda deed: (not deed.rank, not deed.brush, deed.rank)))

    def tray(self) -> tuple[Deed, ...]:
        """Deeds that begin nowhere on the map, by their themes; those that are seldom done and have none come last."""
        found = [self._in_tray(verb) for verb in self._verbs]
        return tuple(sorted(filter(None, found), key=lambda deed: (not deed.theme, not deed.rank, deed.rank)))

    def brush(self, what: str) -> tuple[str, ...]:
        """Every place at which the same two orders can be given together."""
        movers = dict.fromkeys(place for verb in self._verbs if self.plain(verb).then for place in self._reach(verb))
        return tuple(place for place in movers if any(deed.brush == what for deed in self._together(place)))

    def index(self, wishes: Sequence[Wish] = ()) -> Index:
        """All of it at once; of many targets the first."""
        starts = self.starts()
        near = dict.fromkeys(
            place for verb in self._verbs if self.plain(verb).then for place in self._reach(verb) if place not in starts
        )
        deeds = {place: self.at(place, seldom=False) for place in starts} | {
            place: tuple(self._together(place)) for place in near
        }
        near_by = {place: tuple(map(_near_by, found)) for place, found in deeds.items() if found}
        return Index(tuple(wishes), starts, near_by, self.tray())

    # -------------------------------------------------------- the ways from a place to a line

    def _outbound(self, verb: str, place: str) -> Iterator[Deed]:
        """An order whose first step lies here: one deed for each kind of piece, or for each wish."""
        first, plain = self._ask(verb, ()), self.plain(verb)
        if not isinstance(first, Step):
            return
        listed, kinds = first.most > 1 and not first.counts, dict[str, Choice[Any]]()
        for choice in first.choices:
            if choice.at == place:
                kinds.setdefault(choice.word if listed else _kind(choice.word), choice)
        several = sorted(kinds.items(), key=lambda one: -_many(one[1]))
        for kind, choice in islice(several, None if plain.rank else 1):
            picked = self._with_wish(verb, first, choice.word) if listed else (choice.word,)
            called = plain.word
            if plain.rank and kind != place:
                called = f"{plain.word}{' ' if listed else ': '}{_there(kind, place)}"
                called = (_called(plain, kind) if kind == choice.word else plain.word) if plain.named else called
            deed = self._deed(verb, {first.field: picked}, called, place)
            if deed is not None:
                yield msgspec.structs.replace(deed, adds=listed, meaning=(listed and choice.meaning) or deed.meaning)

    def _with_wish(self, verb: str, step: Step, word: str) -> Picked:
        """The wishes of the line of this verb that is there, and one more; whatever there is, is wished last."""
        mine = next((intent for intent in self._sheet if self._game.book.verb_of(intent) == verb), None)
        line = self._game.line(self._state, mine, self._seat, self._sheet) if mine else ""
        known = [had for had in _in_order((choice.word for choice in step.choices), line) if had != word]
        named = [had for had in known if had != ANY]
        return (*named, word, *known[len(named) :])[: step.most]

    def _deed(self, verb: str, said: Said, title: str, place: str) -> Deed | None:
        """An order that begins here, with the places it may end at."""
        made, plain = self.whole(verb, said), self.plain(verb)
        if made.refused:
            return None
        aim = next((part for part in made.parts[1:] if part.least == part.most == 1 and _elsewhere(part, place)), None)
        aims = (
            {option.at: option for option in reversed(aim.options) if option.at and option.at != place} if aim else {}
        )
        targets = {at: aims[at].meaning for at in reversed(aims)}
        words = {at: option.word for at, option in aims.items() if option.word != at}
        if aim and (first := next(iter(targets))):
            made = self.whole(verb, {**said, aim.field: (words.get(first, first),)})
        known = {field: tuple(picked) for field, picked in said.items()}
        return Deed(verb, title, known, made.line, made.meaning, plain.rank, aim.field if aim else "", targets, words)

    def _reach(self, verb: str) -> Mapping[str, Sequence[_Mover]]:
        """The places that the second step of an order leads to, and from which first choice."""
        if verb not in self._reached:
            self._reached[verb] = {}
            for mover in self._movers(verb):
                self._reached[verb].setdefault(mover.target.at, []).append(mover)
        return self._reached[verb]

    def _movers(self, verb: str) -> Iterator[_Mover]:
        first = self._ask(verb, ())
        if not isinstance(first, Step) or first.counts or not first.least == first.most == 1:
            return
        alike = {(_kind(choice.word), choice.at, choice.meaning): choice for choice in first.choices}
        for choice in islice(alike.values(), _BEGINNINGS if any(choice.at for choice in first.choices) else _APART):
            second = self._ask(verb, [(choice.word,)])
            if isinstance(second, Step) and not second.counts and second.least == second.most == 1:
                for target in second.choices:
                    if target.at and target.at != choice.at:
                        yield _Mover(choice, target, {first.field: (choice.word,), second.field: (target.word,)})

    def _inbound(self, verb: str, place: str) -> Iterator[Deed]:
        """The same order the other way round: what from elsewhere could be done here."""
        plain = self.plain(verb)
        for choice, _, said in self._reach(verb).get(place, ()):
            made = self.whole(verb, said)
            if made.refused or made.missed:
                continue
            whence = f" here from {choice.word}" if choice.word == choice.at else f" here: {_kind(choice.word)}"
            yield Deed(verb, f"{plain.word}{whence if choice.at else ''}", said, made.line, made.meaning, plain.rank)
            if not choice.at:  # what is chosen first lies nowhere, and can be changed in the line
                return

    def _in_passing(self, verb: str, place: str) -> Iterator[Deed]:
        """An order of which a later part may lie here, all before it as usual."""
        for part in self._usually(verb).parts[1:]:
            for option in part.options:
                if option.at == place and not part.counts:
                    said: dict[str, Picked] = {part.field: (option.word,)}
                    made = self.whole(verb, said)
                    if not made.refused and not made.missed:
                        yield Deed(verb, f"{self.plain(verb).word} here", said, made.line, made.meaning)
                    return

    def _together(self, place: str) -> Iterator[Deed]:
        """Two orders that go together: who can come here comes, and does what can be done here."""
        for verb in self._verbs:
            follows = [one for one in self.plain(verb).then if one in self._verbs]
            movers = self._reach(verb).get(place, ()) if follows else ()
            for second in follows:
                for choice, _, said in {_kind(mover.piece.word): mover for mover in reversed(movers)}.values():
                    found = [*self._then(second, choice, place)]
                    if found:
                        before = self.whole(verb, said)
                        yield from (msgspec.structs.replace(deed, before=before.line) for deed in found)
                        break

    def _then(self, verb: str, piece: Choice[Any], place: str) -> Iterator[Deed]:
        """The deeds of a verb that a piece could do if it stood at a place."""
        state = self._game.ahead(self._state, self._seat, self._sheet)(verb)
        there = self._game.as_if_at(state, piece.word, place)
        if there is None:
            return

        def ask(verb: str, picked: Sequence[Picked]) -> Step | Intent | None:
            return after(self._game.book.asking(lambda _: there, self._seat, verb), picked)

        made, plain = self._whole(verb, {}, ask), self.plain(verb)
        if made.refused or piece.word not in made.line:
            return
        kind = next((part for part in made.parts if plain.named and part.options and not part.counts), None)
        for option in islice(kind.options, _APART) if kind else (None,):
            known: dict[str, Picked] = {kind.field: (option.word,)} if kind and option else {}
            one = made if not kind or (option and kind.picked == (option.word,)) else self._whole(verb, known, ask)
            if not one.refused and not one.missed:
                called, brush = (_called(plain, option.word), f"{verb} {option.word}") if option else (plain.word, verb)
                yield Deed(verb, f"{called} here", known, one.line, one.meaning, plain.rank, brush=brush)

    def _in_tray(self, verb: str) -> Deed | None:
        plain, made = self.plain(verb), self._usually(verb)
        placed = made.parts and any(option.at for option in made.parts[0].options)
        if made.refused or (plain.rank and placed and not plain.theme):
            return None
        listed = bool(made.parts) and made.parts[0].most > 1 and not made.parts[0].counts
        return Deed(verb, plain.word, {}, made.line, made.meaning, plain.rank, adds=listed, theme=plain.theme)


def _kind(word: str) -> str:
    """The kind of a piece, without its number."""
    return re.sub(r"\s+\d+$", "", word)


def _many(choice: Choice[Any]) -> int:
    """How many pieces a choice stands for, where it tells."""
    return len(choice.value) if isinstance(choice.value, tuple) else 1


def _there(words: str, place: str) -> str:
    """A thing that lies at a place, without saying again where: `Gems`, of the Central American Gems in Central America."""
    mine, rest = (
        place.split(),
        words.removesuffix(f" IN {place}").replace(" IN ", " in ").replace(" FROM ", " from ").split(" "),
    )
    while len(rest) > 1 and mine and rest[0][:4] == mine[0][:4]:
        rest, mine = rest[1:], mine[1:]
    return " ".join(rest)


def _called(plain: Plain, what: str) -> str:
    """`Farm`, but `Work Bx`."""
    return capital(what) if what.islower() else f"{plain.word} {what}"


def _elsewhere(part: Part, place: str) -> bool:
    return any(option.at and option.at != place for option in part.options)


def _in_order(words: Iterable[str], line: str) -> list[str]:
    """Those of some words that stand in a line, in the order in which they stand there, the longest first tried."""
    found, rest = list[tuple[int, str]](), line.lower()
    for word in sorted(words, key=len, reverse=True):
        one = re.escape(word.lower().removesuffix("s")) + ("s?" if word.endswith("s") else "")
        spot = re.search(rf"(?<![\w-]){one}(?![\w-])", rest)
        if spot:
            found.append((spot.start(), word))
            rest = rest[: spot.start()] + "\0" * (spot.end() - spot.start()) + rest[spot.end() :]
    return [word for _, word in sorted(found)]


def _in_line(part: Part, line: str) -> Iterator[Picked]:
    """The values that a line may have picked for a part: the named one, then the usual, then none."""
    if part.counts:
        counted = re.findall(rf"(\d+) {re.escape(part.counts[:3])}", line, re.IGNORECASE)
        numbers = [n for n in (*counted, *re.findall(r"\d+", line)) if part.least <= int(n) <= part.most]
        words = _in_order((option.word for option in part.options), line)
        yield from dict.fromkeys((word,) for word in (*words, *numbers, *part.picked))
        return
    named = _in_order((option.word for option in part.options), line)
    if part.most > 1 and part.least <= len(named) <= part.most:
        yield tuple(named)
    if part.most == 1:
        yield from ((word,) for word in named)
    if part.least == 0:
        yield ()
    if part.picked not in ((), tuple(named)):
        yield part.picked
