"""A player's sent letters, held against the sheets that the log has of them.

A letter is read as the desk reads it, in the position in which it came. Each line that the log has on file of it stands there, and
each of its orders that the rules take is on file. Only a letter whose digest the log has proves anything: of another text nobody
knows whether mail programs changed it on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from referee.core.event import PhaseBegan, PhaseEnded
from referee.core.names import Seat
from referee.core.order import Order, Refusal
from referee.core.position import evolved, start
from referee.core.record import Acted, Filed, Forwarded, Given, Happened, Opened, Renewed, Rewound, Sealed, Sheet
from referee.mail import digest, strip, without_tokens
from referee.orders import Branch, Node, Reading, read
from referee.service.house.filing import KEPT
from referee.service.house.press_blocks import blocks_apart
from referee.service.house.saved_letters import Letter
from referee.service.house.saved_reports import BREAKS, Log, Read
from referee.service.intake.commands.command import block_kinds, desk_words
from referee.service.intake.corrections import blocks_of
from referee.service.intake.mangled_lines import undone
from referee.service.match.playing import codec_of
from referee.service.match.sheets import text_to_read
from referee.service.turn.reports import bare

_KEPT = tuple(map(bare, KEPT))
"""The bare words of a receipt after which lines of a letter before stay on file. Words that filing has no more are added: saved
receipts have them."""

Line = tuple[str, str]
"""The place of an order, which is its kind of drawer and the conditions around it, and its words."""


class _Moment(NamedTuple):
    """A match before an entry of its log; `same`: these very rules play there, as this version has them."""

    state: Any
    drawers: Mapping[tuple[Seat, str], Sheet]
    same: bool


def read_sent(sent: Sequence[Letter], others: Sequence[Letter], log: Log, games: Mapping[str, Any]) -> Read:
    """Each of these letters beside the sheets that the log has of it; `others` are those of the referee."""
    filed = [(seq, record) for seq, record in log.records if isinstance(record, Filed)]
    known, moments = {letter.id for letter in sent} - {""}, _moments(log) if filed else {}
    texts = [(one, bare(one.text)) for one in others]
    held = [_Held(letter, texts, log, games) for letter in sent] if filed else []
    seats = {record.seat for _, record in filed if record.letter in known}
    seats = seats or {record.seat for _, record in filed if record.digest in {one.digest for one in held}}
    wrong, unchecked, agreed = list[str](), list[str](), 0
    for letter, one in zip(sent, held, strict=False):
        found = [(seq, record) for seq, record in filed if letter.id and record.letter == letter.id] or [
            (seq, record)
            for seq, record in filed
            if record.digest == one.digest and record.seat in seats and record.letter not in known
        ]
        if not found:
            continue
        at = [moments[seq] for seq in _began(found[0], log) if seq in moments]
        differs = min((one.against(found, moment) for moment in at), key=len, default=("the rules of then",))
        agreed += not differs
        sure = bool(at) and at[0].same and any(record.digest == one.digest for _, record in found)
        said = f"a letter that you sent, “{letter.subject}”"
        if differs and sure:
            wrong.append(f"{said}, is not what the log has on file of it: {differs[0]}")
        elif differs:
            unchecked.append(
                f"{said}, by which the log may have had another text, or other rules read it: {differs[0]}"
            )
    strange = sum(bool(record.digest) and record.seat in seats and record.letter not in known for _, record in filed)
    told = [f"{agreed} letters that you sent are on file as you wrote them"] if agreed else []
    if strange:
        told.append(
            f"{strange} sheets of {', '.join(sorted(seats))} came, by the log, with letters that are not among yours"
        )
    return Read(tuple(wrong), tuple(dict.fromkeys(unchecked)), tuple(told))


def _began(first: tuple[int, Filed], log: Log) -> Iterator[int]:
    """The entries at which a letter may have been read: its first sheet, and acts of the same letter right before it."""
    yield first[0]
    for seq, record in reversed(log.records):
        if seq >= first[0]:
            continue
        if isinstance(record, Acted) and record.seat == first[1].seat:
            yield seq
        elif not isinstance(record, Acted | Happened | Sealed | Opened):
            return


def _moments(log: Log) -> dict[int, _Moment]:
    """The match before each entry, as far as these rules can take it in."""
    game, codec, before = log.game, codec_of(log.game), dict[int, _Moment]()
    now = _Moment(start(game, log.created).state, {}, True)
    for seq, record in log.records:
        before[seq] = now
        try:
            match record:
                case Rewound(to=to) | Renewed(to=to):
                    now = next(moment for at, moment in sorted(before.items()) if at > to)
                case Forwarded(undoes=undone_entry):
                    now = before[undone_entry]
                case Filed():
                    rest = {
                        place: sheet for place, sheet in now.drawers.items() if place != (record.seat, record.drawer)
                    }
                    now = now._replace(
                        drawers=rest | ({(record.seat, record.drawer): record.sheet} if record.sheet else {})
                    )
                case Happened():
                    event = codec.event(record.event)
                    now = now._replace(state=evolved(game, now.state, event))
                    if isinstance(event, PhaseBegan):
                        now = now._replace(same=event.build == game.build and event.version == game.version == log.by)
                    elif isinstance(event, PhaseEnded):
                        now = now._replace(
                            drawers={p: s for p, s in now.drawers.items() if not p[1].startswith("orders:")}
                        )
        except BREAKS:
            break
    return before


class _Held:
    """A letter as the desk reads it, to be held against what lies on file."""

    def __init__(
        self, letter: Letter, others: Sequence[tuple[Letter, str]], log: Log, games: Mapping[str, Any]
    ) -> None:
        assert letter.sent is not None
        self._letter, self._mail, self._log, self._games = letter, letter.sent, log, games
        text = without_tokens(text_to_read(strip(self._mail.text)), letter.to)
        self._text = blocks_apart(text, block_kinds(self._words(start(log.game, log.created).state)[0]))[1]
        self.digest = digest(self._text)
        self._receipts = [
            text for one, text in others if (letter.id and one.answers == letter.id) or self.digest in text
        ]
        self._told = [*self._receipts, *(text for one, text in others if one.id and one.id == letter.answers)]

    def _words(self, state: Any) -> tuple[Any, Any]:
        """The words of the desk, and those of the game."""
        words, seats = self._log.game.vocabulary(state), tuple(self._log.created.seats)
        return desk_words(self._games, (self._log.match,), seats, True, False, words), words

    def against(self, filed: Sequence[tuple[int, Filed]], at: _Moment) -> tuple[str, ...]:
        """How it differs from what is on file of it, in sentences."""
        desk, words = self._words(at.state)
        reads = partial(_read, words, desk)
        reading = undone(self._text, self._mail.otherwise, reads, lambda: (desk, words)).reading
        said = dict(_lines_of(reading))
        on_file = [(seq, line, given) for seq, record in filed for line, given in _on_file(record.drawer, record.sheet)]
        seat, codec = filed[0][1].seat, codec_of(self._log.game)
        old = {line for (of, drawer), sheet in at.drawers.items() if of == seat for line, _ in _on_file(drawer, sheet)}
        if not said:
            return self._only_agreed([given.text for _, line, given in on_file if line not in old])
        bound = {line: self._bound(at.state, seat, line, order) for line, order in said.items()}
        stands = {line: intent for line, intent in bound.items() if self._stands(intent)}
        ends = all(intent.closes for line, intent in stands.items() if not line[0])
        receipts = self._receipts
        keeps = ends or reading.adds or not receipts or any(word in text for word in _KEPT for text in receipts)
        differs = list[str]()
        for seq, line, given in on_file:
            if line not in said and not (keeps and line in old):
                differs.append(f"it does not say “{given.text}” (entry {seq})")
            elif line in said and codec.intent(given.intent) != bound[line]:
                differs.append(f"“{given.text}” is carried out as something else (entry {seq})")
        there = {line for _, line, _ in on_file}
        for line in stands:
            if line not in there and not any(bare(line[1]) in text for text in receipts):
                differs.append(f"“{line[1]}” is not on file, and no receipt refuses it")
        return tuple(differs)

    def _only_agreed(self, lines: Sequence[str]) -> tuple[str, ...]:
        """A letter that orders nothing itself: its writer said YES to lines on file that a letter showed him."""
        gone = [line for line in lines if not any(bare(line) in text for text in self._told)]
        return tuple(f"it does not say “{line}”, and no letter shows it" for line in gone)

    def _stands(self, intent: Any) -> bool:
        """Whether an order lies on file: it is not refused, and is not done at once."""
        return not (isinstance(intent, Refusal) or self._log.game.is_aside(intent))

    def _bound(self, state: Any, seat: Seat, line: Line, order: Order) -> Any:
        later = line[0].startswith("turn:") or "/" in line[0]
        return (self._log.game.bind_later if later else self._log.game.bind)(state, seat, order)


def _read(words: Any, desk: Any, text: str, curt: bool = False) -> Reading:
    return read(text, words, desk, curt)


def _lines_of(reading: Reading) -> Iterator[tuple[Line, Order]]:
    for drawer, nodes in (("", reading.sheet), *blocks_of(reading)):
        yield from _orders(drawer, nodes)


def _orders(place: str, nodes: Iterable[Node]) -> Iterator[tuple[Line, Order]]:
    for node in nodes:
        if isinstance(node, Branch):
            yield from _orders(f"{place}/{node.text}", node.then)
            yield from _orders(f"{place}/{node.text}/ELSE", node.otherwise)
        else:
            yield (place, node.text), node.order


def _on_file(drawer: str, sheet: Sheet) -> Iterator[tuple[Line, Given]]:
    place = "" if drawer == "next" or drawer.startswith("orders:") else drawer
    yield from _given(place, sheet)


def _given(place: str, sheet: Sheet) -> Iterator[tuple[Line, Given]]:
    for item in sheet:
        if isinstance(item, Given):
            yield (place, item.text), item
        else:
            yield from _given(f"{place}/{item.text}", item.then)
            yield from _given(f"{place}/{item.text}/ELSE", item.otherwise)
