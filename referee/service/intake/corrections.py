"""A letter judged by a position and for a seat: what of it stands, what is refused and what would be right.

Nothing is stored, logged or posted here, and no more is needed than a match as it stands: so the page in a browser judges
letters by this as the desk does. Doubts about a sheet are `look_ahead` of `turn/preview.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Doubt, Illegal, Invalid, Refusal, Verb
from referee.core.position import intents_in, parted
from referee.core.record import Sheet
from referee.orders import Mistake, Node, Reading, Sentence, verbs_in
from referee.service.base.letter_facts import Ignored, Refused
from referee.service.intake.commands.command import for_anyone, reading_words
from referee.service.intake.plain_questions import ANSWERED, likely, names_of
from referee.service.intake.plain_words import remarks_aside, said_plainly
from referee.service.match.playing import Playing
from referee.service.match.sheets import Bound, bind, in_block, sheet_owed

_TRIED = 25
"""So many lines of a letter are corrected; those after them are named with what is wrong."""

_FORETOLD = 40
"""So often a letter's orders are played out for it: with a line as it is offered, and without."""

_UNKNOWN = Doubt("", undone=True)
"""Of an offer that is not played out any more."""

_LONGEST = 2_000

CUT, SENTENCE = 200, 600
"""So much of a line is quoted, and so much of a sentence said."""

_REPEATED = 40
"""The end of a sentence as long as that is not said of a second line."""

_HEADINGS = ("IF ", "ELSE", "FOR TURN")

_Reads = Callable[[str], Reading]


class Lines(msgspec.Struct, frozen=True):
    """The lines of a letter as they were bound: those of its sheet, the sheets that its blocks put into drawers, those it asks
    a preview of, None where it asks none; and the mistakes in all but the last.
    """

    whole: Bound
    drawers: tuple[tuple[str, Sheet], ...]
    preview: Bound | None
    mistakes: tuple[Mistake, ...]


def bound(playing: Playing, seat: Seat, reading: Reading) -> Lines:
    """The content of a letter, bound for a seat; a writer without one has no sheet."""
    whole = bind(playing, seat, reading.sheet) if seat else Bound()
    mistakes, drawers = [*reading.mistakes, *whole.mistakes], list[tuple[str, Sheet]]()
    for drawer, nodes in blocks_of(reading):
        block = bind(playing, seat, nodes, asides_allowed=False, later=drawer.startswith("turn:"))
        mistakes += block.mistakes
        if block.sheet or not nodes:
            drawers.append((drawer, block.sheet))
    preview = None if reading.preview is None else bind(playing, seat, reading.preview, asides_allowed=False)
    return Lines(whole, tuple(drawers), preview, tuple(mistakes))


def blocks_of(reading: Reading) -> list[tuple[str, tuple[Node, ...]]]:
    """The blocks of a letter that go on file: the drawer of each, and its lines."""
    found: list[tuple[str, tuple[Node, ...]]] = []
    if reading.standing is not None:
        found.append(("standing", reading.standing))
    if reading.late is not None:
        found.append(("late", reading.late))
    found += [(f"turn:{block.turn}", block.nodes) for block in reading.turns]
    return found


def corrected(
    playing: Playing, seat: Seat, mistakes: Sequence[Mistake], reading: Reading, reads: _Reads
) -> tuple[list[Mistake], list[Ignored]]:
    """The mistakes by their lines, with the corrections that stand; and the lines that were never meant as orders."""
    found, prose = remarks_aside(tried(playing, seat, mistakes, reading, reads), reading)
    return sorted(found, key=lambda mistake: mistake.line), prose


def with_offers(playing: Playing, seat: Seat, mistakes: Sequence[Mistake]) -> list[Mistake]:
    """Lines of which no correction is right: with the orders that may be meant, as they are written."""
    return [_with_offers(playing, one) if seat and at < ANSWERED else one for at, one in enumerate(mistakes)]


def _with_offers(playing: Playing, mistake: Mistake) -> Mistake:
    refusal, verbs, game, names = mistake.refusal, verbs_here(playing), playing.game, names_here(playing)
    if not isinstance(refusal, Invalid) or refusal.instead or _asks(mistake, refusal.wanted, names):
        return mistake
    words = game.vocabulary(playing.outcome.state)
    meant = [verb.word for verb in verbs_in(mistake.source, words)] if mistake.column else []
    like = (one.kind for one in likely(mistake.source, "member", names, game) if one.kind in verbs)
    written = " or ".join(
        f"{verbs[word].example.splitlines()[0]} ({verbs[word].meaning})" for word in (meant or [*like])[:2]
    )
    if not written:
        return mistake
    said = refusal.sentence.partition(" An order begins with ")[0]
    return replace(mistake, refusal=replace(refusal, sentence=f"{said} Such an order is written {written}."))


def _asks(mistake: Mistake, wanted: Iterable[str], names: frozenset[str]) -> bool:
    """A line asks the desk for what there is not: `SEND moon`. `SEND troops TO Canada` may be meant as an order."""
    first, wrong = mistake.source.upper().split()[:1], mistake.source[mistake.column :][: mistake.width]
    known = {
        kind
        for verb in for_anyone()
        if [verb.word] == first
        for kind in (*verb.takes, *chain(*verb.prepositions.values()))
    }
    plays = any(word in names or word.isdecimal() for word in said_plainly(wrong).split())
    return not plays and not known.isdisjoint(wanted)


def names_here(playing: Playing) -> frozenset[str]:
    """The words of the names of seats, places and things in a match, folded."""
    return names_of(playing.game) | {word for seat in playing.created.seats for word in said_plainly(seat).split()}


def verbs_here(playing: Playing) -> Mapping[str, Verb]:
    """The verbs of a match by their words."""
    return {verb.word: verb for verb in playing.game.vocabulary(playing.outcome.state).verbs}


# ---------------------------------------------------------------- refusals as they are told


def cut(text: str, most: int = CUT) -> str:
    """A text that is quoted no longer than that."""
    return text if len(text) <= most else f"{text[:most]}\N{HORIZONTAL ELLIPSIS}"


def said_once(lines: Iterable[Refused]) -> tuple[Refused, ...]:
    """Refusals as a receipt has them: cut, and what was said of one line is not said of the next."""
    return tuple(_once(map(_short, lines)))


def _short(line: Refused) -> Refused:
    caret = line.caret if len(line.caret) <= CUT else ""
    return replace(line, text=cut(line.text), caret=caret, sentence=cut(line.sentence, SENTENCE))


def _once(lines: Iterable[Refused]) -> Iterable[Refused]:
    """The end of a sentence, such as the list of all verbs, stands with the first line it is true of."""
    said: set[str] = set()
    for line in lines:
        first, _, rest = line.sentence.partition(". ")
        if len(rest) >= _REPEATED and rest in said:
            line = replace(line, sentence=f"{first}.")
        said.add(rest)
        yield line


# ---------------------------------------------------------------- corrections


def tried(playing: Playing, seat: Seat, mistakes: Sequence[Mistake], reading: Reading, reads: _Reads) -> list[Mistake]:
    """The mistakes with those corrections alone that can be read, that game and desk would take, and that can be done.

    Each is tried in its place among the lines of the letter that stand, and the corrections of those before it.
    """
    if not mistakes:
        return []
    trial = _Trial(playing, seat, reading, reads)
    left, found = _TRIED, list[Mistake]()
    for mistake in sorted(mistakes, key=lambda mistake: mistake.line):
        lines = (mistake.refusal.instead or trial.nearest(mistake)) if left else ()
        left -= bool(lines)
        refusal = trial.proved(mistake, lines) if lines else replace(mistake.refusal, instead=())
        found.append(mistake if refusal == mistake.refusal else replace(mistake, refusal=refusal))
    return found


class _Trial:
    """The corrections of one letter, one after the other."""

    def __init__(self, playing: Playing, seat: Seat, reading: Reading, reads: _Reads) -> None:
        self._playing, self._seat, self._reading, self._reads = playing, seat, reading, reads
        self._asked = sheet_owed(playing, seat)
        self._taken: list[tuple[int, Node]] = []
        self._left = _FORETOLD
        drawer = f"orders:{self._asked.key}" if self._asked is not None and reading.adds else ""
        self._on_file = playing.outcome.drawers.get((seat, drawer), ())

    def proved(self, mistake: Mistake, lines: Sequence[str]) -> Refusal:
        """The refusal with the offers that stand; where none does why the first does not, with what is offered instead of that."""
        kept = tuple(line for line in lines if self._stands(mistake, line))
        refusal = replace(mistake.refusal, instead=kept)
        if not kept and mistake.refusal.instead:  # what is only like it would be done as little, and was not meant
            refusal = self._in_its_stead(mistake, refusal, lines[0])
        if refusal.instead:
            self._taken += ((mistake.line, node) for node in self._reads(refusal.instead[0]).sheet)
        return refusal

    def nearest(self, mistake: Mistake) -> tuple[str, ...]:
        """Lawful orders most like one that can be read and is not allowed; nothing where another day's position counts."""
        if not isinstance(mistake.refusal, Illegal) or self._waits(mistake):
            return ()
        found = [node for node in self._reads(mistake.source).sheet if isinstance(node, Sentence)]
        if len(found) != 1 or self._asked is None or found[0].order.verb not in self._asked.menu.words():
            return ()
        return self._playing.game.nearest(self._playing.outcome.state, self._seat, found[0].order)

    def _in_its_stead(self, mistake: Mistake, refusal: Refusal, line: str) -> Refusal:
        """Of a line that can be read and that the game refuses: it was meant for an order, and what that lacks."""
        reading = self._reads(line) if len(line) <= _LONGEST else Reading()
        wrong = () if reading.mistakes else self._bound(reading.sheet).mistakes
        if not wrong:
            return self._done_instead(mistake, refusal, reading.sheet) if not reading.mistakes else refusal
        again = wrong[0].refusal
        kept = tuple(line for line in again.instead if self._stands(mistake, line))
        meant = refusal.sentence if "Did you mean" in refusal.sentence else f"It was read as {line}."
        sentence = again.sentence if again.sentence in refusal.sentence else f"{meant} {again.sentence}"
        return Illegal(sentence, again.rule, refusal.at, kept)

    def _done_instead(self, mistake: Mistake, refusal: Refusal, offer: Sequence[Node]) -> Refusal:
        """Of a line whose correction is lawful and would not be done: what would be in its stead, or else why it would not."""
        doubt = self._why_not_done(mistake, offer)
        kept = tuple(line for line in doubt.instead if self._stands(mistake, line))
        sentence = f"{refusal.sentence} {doubt.sentence}" if doubt.sentence and not kept else refusal.sentence
        return replace(refusal, sentence=sentence, instead=kept)

    def _stands(self, mistake: Mistake, line: str) -> bool:
        if len(line) > _LONGEST:
            return False
        if line.startswith(_HEADINGS):
            return True  # the heading of a block stands only with what is below it
        reading = self._reads(line)
        if reading.mistakes or reading.ignored or not all(map(is_known, reading.desk)):
            return False
        if self._waits(mistake):
            return not self._bound(reading.sheet, later=True).mistakes
        if self._bound(reading.sheet).mistakes:
            return False
        # It would be done, and wholly, as things stand; of what is not asked for now nothing is known.
        return not self._is_for_now(reading.sheet) or not self._doubts_it_brings(mistake, reading.sheet)

    def _bound(self, nodes: Sequence[Node], later: bool = False) -> Bound:
        return bind(self._playing, self._seat, nodes, later=later) if self._seat else Bound()

    # -------------------------------------------------------- what becomes of it

    def _why_not_done(self, mistake: Mistake, offer: Sequence[Node]) -> Doubt:
        """Why an offer that is lawful would not be done as things stand: then it is not offered, and this is told."""
        if self._waits(mistake) or not self._is_for_now(offer):
            return _UNKNOWN
        return next(iter(self._doubts_it_brings(mistake, offer)), _UNKNOWN)

    def _doubts_it_brings(self, mistake: Mistake, offer: Sequence[Node]) -> tuple[Doubt, ...]:
        """The lines that would not be done because of it; where no more may be played out, it is not offered."""
        known = () if self._reading.adds else self._reading.sheet  # then they are on file with what was there before
        others = sorted((*((node.line, node) for node in known), *self._taken), key=itemgetter(0))
        before = [node for line, node in others if line <= mistake.line]
        after = [node for line, node in others if line > mistake.line]
        self._left -= 2
        if self._left < 0:
            return (_UNKNOWN,)
        without, found = self._undone([*before, *after]), self._undone([*before, *offer, *after])
        if len(found) <= len(without):
            return ()
        return tuple(doubt for doubt in found if doubt not in without) or found

    def _is_for_now(self, offer: Sequence[Node]) -> bool:
        """Whether it would be an order for the sheet that is owed."""
        if self._asked is None:
            return False
        now, later = parted(self._playing.codec, self._bound(offer).sheet, self._asked)
        return bool(now) and not later

    def _waits(self, mistake: Mistake) -> bool:
        """Whether a line stands, or may stand, where the position of another day counts: in an IF, or for a later turn."""
        if self._reading.late is not None or self._reading.turns:
            return True
        return any(in_block(node, mistake.line) for node in self._reading.sheet)

    def _undone(self, nodes: Sequence[Node]) -> tuple[Doubt, ...]:
        """The doubts that tell of orders that would not be done, or not wholly."""
        playing, seat = self._playing, self._seat
        state = playing.outcome.state
        intents = intents_in(playing.game, playing.codec, state, seat, (*self._on_file, *self._bound(nodes).sheet))
        return tuple(doubt for doubt in playing.game.doubts(state, seat, intents) if doubt.undone)


def is_known(sentence: Sentence) -> bool:
    """SET takes any words and knows but a few; all other words of the desk are read by what they know."""
    if sentence.order.verb != "SET":
        return True
    said = sentence.order.things[0].name if sentence.order.things else ""
    return said.partition(" ")[0].casefold() in reading_words().settings
