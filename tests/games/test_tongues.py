"""Names and verbs in English, German, French and Spanish: all are read, none is said of two things, and prose stays prose."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core.game import AnyGame
from referee.core.names import Seat
from referee.core.normal_text import fold
from referee.core.order import Illegal, Order, Verb, Vocabulary, beginnings
from referee.games import GAMES
from referee.orders import read, understand, write
from referee.service.intake.commands.command import desk_words, words_at_first
from tests.games.tables import vocabulary_with_all_seats

HERE = Path(__file__).parent
PROSE = [line for line in (HERE / "prose.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
ALL = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@cache
def words_of(name: str) -> Vocabulary:
    return vocabulary_with_all_seats(next(game for game in GAMES if game.name == name))


def desk() -> Vocabulary:
    return desk_words([game.name for game in GAMES], ["nw1"], ["Red", "England"], True, False)


@ALL
def test_every_name_of_every_language_is_read_and_given_back_in_the_games_own_word(game: AnyGame) -> None:
    words = words_of(game.name)
    wrong = [found for kinds in kinds_together(words) for found in misread_names(words, kinds)]
    assert not wrong


def kinds_together(words: Vocabulary) -> Iterator[tuple[str, ...]]:
    """The kinds that may stand at one place of some order."""
    places = [verb.takes for verb in words.verbs]
    places += [kinds for verb in words.verbs for kinds in verb.prepositions.values()]
    yield from sorted({kinds for kinds in places if kinds})


def misread_names(words: Vocabulary, kinds: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    says = replace(words, verbs=(Verb("SAY", "", "", "", kinds, 1),), turns=(), unsaid="")
    for noun in {fold(noun.name): noun for noun in words.nouns if noun.kind in kinds}.values():
        for name in noun.spoken:
            order = understand(f"SAY {name}", says)
            read_as = order.things[0].name if isinstance(order, Order) else order.sentence
            if fold(read_as) != fold(noun.name):
                yield noun.name, name, read_as


@ALL
def test_every_verb_of_every_language_is_read(game: AnyGame) -> None:
    words = words_of(game.name)
    wrong = []
    for verb in words.verbs:
        meant = understand(verb.example, words)
        for said in verb.spoken if isinstance(meant, Order) else ():
            head, _, end = said.partition("...")
            line = f"{head.strip()} {verb.example.removeprefix(verb.word)} {end}"
            found = understand(line, words)
            wrong += [(line, found)] if found != meant else []
    assert not wrong


@ALL
def test_no_name_is_said_of_two_things(game: AnyGame) -> None:
    """In all languages together: nor is it another's own name, nor what an order begins with."""
    words = words_of(game.name)
    meant: dict[str, set[str]] = defaultdict(set)
    for noun in words.nouns:
        for name in (noun.name, *noun.aliases, *noun.spoken):
            meant[fold(name)].add(fold(noun.name))
    said = {fold(name) for noun in words.nouns for name in noun.spoken}
    several = {name: sorted(things) for name, things in meant.items() if name in said and len(things) > 1}
    assert {name: things for name, things in several.items() if not same_thing(things)} == {}
    own = {fold(name) for noun in words.nouns for name in (noun.name, *noun.aliases)}
    assert (said - own) & set(map(fold, beginnings(words))) <= STANCES


def same_thing(names: list[str]) -> bool:
    """Singular and plural of one word are two nouns where a unit can be picked and moved."""
    return len({name.rstrip("s") for name in names}) == 1


@ALL
def test_no_verb_is_said_of_two(game: AnyGame) -> None:
    """But of one whose things stand in another order: `attack Red in ...` and `attack Egypt from ...`."""
    words = words_of(game.name)
    meant: dict[str, set[str]] = defaultdict(set)
    for verb in words.verbs:
        for said in (verb.word, *verb.aliases, *verb.spoken):
            meant[fold(said)].add(verb.word)
    spoken = {fold(word) for verb in words.verbs for word in verb.spoken}
    assert {word: verbs for word, verbs in meant.items() if word in spoken and len(verbs) > 1} == {}


@ALL
@pytest.mark.parametrize("line", PROSE)
def test_prose_is_no_order(line: str, game: AnyGame) -> None:
    reading = read(line, words_of(game.name), desk())
    assert [sentence.text for sentence in (*reading.sheet, *reading.desk)] == []


def test_there_are_a_hundred_sentences_of_prose() -> None:
    assert len(set(PROSE)) == len(PROSE) >= 100


STANCES = {"attack"}
"""Told apart by what stands before them: STANCE attack."""

SHEETS = sorted((HERE / "sheets").glob("*.txt"))


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_players_sheet_in_his_language(path: Path) -> None:
    """Each line as a player writes it, and below it after `=` the order that it is."""
    game = path.stem.split(".")[0]
    lines = [line.strip() for line in path.read_text("utf-8").splitlines() if line.strip() and line[0] != "#"]
    assert len(lines) >= 80
    for said, meant in zip(lines[::2], lines[1::2], strict=True):
        reading = read(said, words_of(game), desk())
        orders = [f"= {sentence.text}" for sentence in (*reading.sheet, *reading.desk)]
        assert orders == [meant], (said, reading.mistakes)


def test_there_is_a_sheet_of_each_language_for_each_game() -> None:
    assert {path.stem for path in SHEETS} == {
        f"{game.name}.{tongue}" for game in GAMES for tongue in ("de", "fr", "es")
    }


def test_a_guess_is_close_in_any_language() -> None:
    war = words_of("war27")
    assert "Did you mean France?" in write_or_refusal("DRAFT Frankriech", war)
    assert "Did you mean Austria-Hungary?" in write_or_refusal("DRAFT Österrreich", war)
    assert "Did you mean" not in write_or_refusal("DRAFT Burma", war)


def write_or_refusal(line: str, words: Vocabulary) -> str:
    found = understand(line, words)
    return write(found) if isinstance(found, Order) else found.sentence


def test_a_number_before_what_is_never_counted_is_refused_and_not_dropped() -> None:
    game = next(game for game in GAMES if game.name == "newworld")
    words = words_at_first(game)
    seats = (Seat("England"), Seat("Spain"))
    state = game.setup(seats, {setting.name: setting.default for setting in game.settings})
    for line, mended in (
        ("ATTACK 3 Spain IN Europe", "ATTACK Spain IN Europe"),
        ("ROB 2 Spain", "ROB Spain"),
        ("LOSE 2 armies", "LOSE armies"),
        ("LOSE 1 army", "LOSE armies"),
        ("DISCARD 2 armies FROM Canada, 3 fleets", "DISCARD armies FROM Canada, fleets"),
    ):
        order = understand(line, words)
        assert isinstance(order, Order)
        refusal = game.bind(state, seats[0], order)
        assert isinstance(refusal, Illegal) and refusal.instead == (mended,)
