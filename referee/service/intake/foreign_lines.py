"""The lines of a letter that are not its writer's, or not orders: quotes, names of players, lines passed over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.game import Game
from referee.core.order import Illegal, Invalid, Order, beginnings
from referee.kit.wording import in_a_row, in_number
from referee.mail import Letter
from referee.mail.reading.body import Unread
from referee.orders import Mistake, Reading, understand
from referee.service.intake.commands.command import (
    command,
    every_word,
    for_anyone,
    for_game_masters,
    for_players,
    words_at_first,
)
from referee.service.match.members import hides_names
from referee.service.match.result import NOTHING, Came, denied
from referee.service.turn.writer import Hand

# ---------------------------------------------------------------- words of others
# Of another game, of game masters, and of players with a seat. They are understood, and told whose they are.


_MOST_WORDS = 6
"""So many words a verb has at the most, as PUT TO SEA has three."""


_FIRST: dict[str, frozenset[str]] = {}
"""Those looked up before, by game."""


def first_words(game: Game[Any]) -> frozenset[str]:
    """The words with which the orders of a game begin, as at the start of a match with its usual options."""
    if game.name not in _FIRST:
        _FIRST[game.name] = beginnings(words_at_first(game))
    return _FIRST[game.name]


@cache
def _words_of_the_desk() -> frozenset[str]:
    return beginnings(every_word())


@cache
def _of_everybody() -> frozenset[str]:
    return frozenset(verb.word for verb in (*for_anyone(), *for_players()))


def of_others(hand: Hand, mistake: Mistake) -> Mistake:
    """A line with a verb that its writer has not but somebody else, told so; any other as it is."""
    if not isinstance(mistake.refusal, Invalid) or mistake.column:
        return mistake
    return _of_game_masters(hand, mistake) or _of_another_game(hand, mistake)


def _of_game_masters(hand: Hand, mistake: Mistake) -> Mistake | None:
    """The refusal to a player who writes a word of his game master, and the words he may write instead."""
    verbs = {said: verb.word for verb in for_game_masters() for said in (verb.word, *verb.aliases)}
    found = _with_it(mistake.source.upper().split(), {"": frozenset(verbs) - _of_everybody()})
    if found is None or hand.game_master or _with_it([found[0]], {"": first_words(hand.playing.game)}):
        return None
    word = found[0]
    instead = (
        hand.seat and command(verbs[word]).instead
    ) or "PRESS TO game master, and what you wish in the lines below, asks yours"
    said = Illegal(f"{word} is a word of game masters; {instead}.", mistake.refusal.rule, mistake.refusal.at)
    return msgspec.structs.replace(mistake, refusal=said)


def _of_another_game(hand: Hand, mistake: Mistake) -> Mistake:
    """A line with a verb that only other games have.

    One that is an order there is none of the remarks before and after the orders of a letter, whatever it begins with.
    """
    if not isinstance(mistake.refusal, Invalid) or mistake.refusal.instead:
        return mistake
    source, here = mistake.source.upper().split(), hand.playing.game
    found = _with_it(source, {game.title: first_words(game) for game in hand.office.games.values() if game != here})
    if not found or _with_it(source, {here.title: first_words(here), "the desk": _words_of_the_desk()}):
        return mistake
    word, titles = found
    games = [game for game in hand.office.games.values() if game.title in titles]
    own = next(verb.word for verb in words_at_first(games[0]).verbs if word in (verb.word, *verb.aliases))
    said = f"{own} is an order of {in_a_row(titles)}; {here.title} has none of that name."
    meant = any(isinstance(understand(mistake.source, words_at_first(game)), Order) for game in games)
    refusal = mistake.refusal
    told = Illegal(said, refusal.rule, refusal.at) if meant else msgspec.structs.replace(refusal, sentence=said)
    return msgspec.structs.replace(mistake, refusal=told)


def _with_it(source: Sequence[str], games: Mapping[str, frozenset[str]]) -> tuple[str, list[str]] | None:
    """The longest first word of a line, and the games that have it."""
    for number in range(min(len(source), _MOST_WORDS), 0, -1):
        word = " ".join(source[:number])
        titles = [title for title, words in games.items() if word in words]
        if titles:
            return word, titles
    return None


def for_onlookers(hand: Hand, reading: Reading) -> tuple[Reading, Came]:
    """The content of a letter without its orders, each refused for the right reason; a player with a seat keeps them all."""
    if hand.seat:
        return reading, NOTHING
    blocks = (reading.standing, reading.late, reading.preview, reading.turns or None)
    blocked = any(block is not None for block in blocks)
    came = denied("", f"Blocks of orders are for players with a seat. {_instead(hand)}") if blocked else NOTHING
    verbs = hand.playing.game.vocabulary(hand.playing.outcome.state).verbs
    words = tuple(f"{word} " for verb in verbs for word in (verb.word, *verb.aliases))
    mistakes = tuple(_for_players(hand, mistake, words) for mistake in reading.mistakes)
    desk, ignored = reading.desk, reading.ignored
    return Reading(desk=desk, mistakes=mistakes, ignored=ignored, adds=reading.adds, yes=reading.yes), came


def _for_players(hand: Hand, mistake: Mistake, words: tuple[str, ...]) -> Mistake:
    source = f"{' '.join(mistake.source.upper().split())} "
    if mistake.column or not source.startswith(words):
        return mistake
    word = max((word for word in words if source.startswith(word)), key=len).strip()
    refusal = Illegal(f"{word} is an order of the game, for players with a seat. {_instead(hand)}", "", word)
    return msgspec.structs.replace(mistake, refusal=refusal)


def _instead(hand: Hand) -> str:
    if hand.game_master:
        return "BECOME and a seat writes for its player; PREVIEW TURN shows what the turn would give."
    return "TAKEOVER gives you a seat that is free."


# ---------------------------------------------------------------- players named in orders
# A line that names one where a side is meant is told which side he plays.


def by_seats(hand: Hand, mistakes: Sequence[Mistake]) -> tuple[Mistake, ...]:
    """Lines with a word that is not known and is a player's name, told so with the line as it would be; others as they are."""
    if hides_names(hand.playing) or not any(map(_names_somebody, mistakes)):
        return tuple(mistakes)
    seats = seats_by_name(hand)
    return tuple(_told(mistake, seats.get(_word(mistake).casefold(), "")) for mistake in mistakes)


def _names_somebody(mistake: Mistake) -> bool:
    return isinstance(mistake.refusal, Invalid) and mistake.column > 0


def _word(mistake: Mistake) -> str:
    return mistake.source[mistake.column : mistake.column + mistake.width].strip('"')


def _told(mistake: Mistake, seat: str) -> Mistake:
    if not seat or not _names_somebody(mistake):
        return mistake
    line = mistake.source[: mistake.column] + seat + mistake.source[mistake.column + mistake.width :]
    sentence = f"{_word(mistake)} plays {seat}; orders name the side."
    return replace(mistake, refusal=replace(mistake.refusal, sentence=sentence, instead=(line,)))


def seats_by_name(hand: Hand) -> Mapping[str, str]:
    """The seats of players by their names, whole or by one word that is nobody else's."""
    playing = [member for member in hand.step.members(hand.match) if member.seat and member.status == "playing"]
    known = [(hand.step.player(member.player), member.seat) for member in playing]
    named = [
        (name, seat)
        for player, seat in known
        if player is not None
        for name in dict.fromkeys((player.name.casefold(), *player.name.casefold().split()))
        if len(name) > 2
    ]
    often = Counter(name for name, _ in named)
    return {name: seat for name, seat in named if often[name] == 1}


# ---------------------------------------------------------------- unread
# Parts of a letter that were not read, in sentences for its writer: none of his words vanishes unseen.


_SAID: dict[str, str] = {
    "encrypted": "Your letter, or a part of it, was encrypted, and I have no key to open it; send your orders unencrypted.",
    "wrapped": "Your letter was signed by S/MIME in a form that I cannot open; send it unsigned, or signed in the clear.",
    "packed": "Your mail program packed a part of your letter into winmail.dat, which I do not open; have it send plain text.",
    "partial": "Your letter came in pieces (message/partial), and I put no pieces together; send it whole.",
    "elsewhere": "Your letter only says where its text lies (message/external-body), and I fetch nothing; write your orders "
    "into the letter itself.",
    "format": "A part of your letter was in a format that I do not read (text/enriched); send plain text.",
    "letter": "A letter that you did not write was attached, and I read only your own; write your orders into the letter "
    "itself.",
    "lines": "Your letter has more lines than I read: the text below the first {name} was not read. Send your orders "
    "on top.",
    "bytes": "Your letter has more text than I read: the text after the first {name} bytes was not read. Send your "
    "orders on top.",
    "deep": "Your letter consists of parts within parts, more than I open; the deeper ones were not read. Send plain text.",
}
_FILES: dict[str, str] = {
    "file": "came with your letter and {was} not read; write your orders into the letter itself, or attach them as orders.txt.",
    "picture": "came with your letter and {was} not looked at; I read written words only.",
    "recording": "came with your letter and {was} not listened to; I read written words only.",
}
_SUBJECT = "Your subject reads like an order, and I do not read subjects; write it into the letter itself."
_MOST_FILES = 5
_PREFIX = re.compile(r"\s*(?:[^\W\d_]{1,5}\s?:|\[[^\]]{0,60}\])")
"""Re:, AW: and the match in brackets."""


def not_read(
    letter: Letter, read_nothing: bool, reads: Callable[[str], Reading], named: bool = True
) -> tuple[str, ...]:
    """A sentence for each kind of thing in a letter that was not read; its subject counts where the letter said nothing.

    Files are `named` to their writer alone: a name may be any words.
    """
    found = [*_kinds(letter.unread), *_files(letter.unread, named)]
    if read_nothing and _reads(letter.subject, reads):
        found.append(_SUBJECT)
    return tuple(found)


def _kinds(unread: tuple[Unread, ...]) -> Iterator[str]:
    for what in dict.fromkeys(part.what for part in unread if part.what in _SAID):
        yield _SAID[what].format(name=next(part.name for part in unread if part.what == what))


def _files(unread: tuple[Unread, ...], named: bool) -> Iterator[str]:
    for what, said in _FILES.items():
        names = [(named and part.name) or f"a {what}" for part in unread if part.what == what]
        if names:
            more = len(names) - _MOST_FILES
            shown = in_a_row([*names[:_MOST_FILES], f"{more} more"] if more > 0 else names)
            yield f"{shown[:1].upper()}{shown[1:]} {said.format(was=in_number(len(names), 'were'))}"


def _reads(subject: str, reads: Callable[[str], Reading]) -> bool:
    """Whether a subject, without Re: and the like, is an order or a word for the desk."""
    while (prefix := _PREFIX.match(subject)) is not None:
        subject = subject[prefix.end() :]
    found = reads(subject.strip()[:200])
    return bool(found.sheet or found.desk or found.yes)
