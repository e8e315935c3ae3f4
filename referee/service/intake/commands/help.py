"""HELP, made from the same words the reader of orders uses; on blocks, ADD, YES and END, too, which stand on lines of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from referee.core.game import Game
from referee.core.order import Setting, Verb, Vocabulary
from referee.orders import did_you_mean
from referee.service.base.letters import HelpEntry, HelpPage
from referee.service.house.documents import DOCUMENTS, Document
from referee.service.intake.commands.words import commands, every_word, group_of, words_at_first

_INTRO = (
    "Write one order a line. Capitals, accents and plurals do not matter; what follows # on a line is a note to yourself.",
    "Names may be shortened while they stay unique. A line END, or '-- ', ends your orders.",
)


_SEVERAL = {
    "SET": (
        HelpEntry("SET zone", "gives times in your time zone", "SET zone Europe/Berlin"),
        HelpEntry("SET name", "sets the name you are called by", "SET name Nora"),
        HelpEntry(
            "SET key",
            "keeps a secret word of yours, of 8 characters or more and without blanks, by which I know your letters; in a "
            "reply to a letter of mine",
            "",
        ),
        HelpEntry(
            "SET address",
            "makes another address of yours known; I write there, and YES from there confirms it",
            "SET address anna@work.example",
        ),
        HelpEntry("SET reminders", "sets when before a deadline you are reminded", "SET reminders 12h 2h"),
        HelpEntry("SET format", "sends you plain text alone, or HTML too", "SET format text"),
        HelpEntry("SET map", "leaves the map out of your letters, or not", "SET map off"),
        HelpEntry("SET sheets", "leaves record sheets out of your reports, or not", "SET sheets off"),
        HelpEntry("SET files", "sends files with each report: csv, xlsx or json", "SET files json"),
        HelpEntry("SET size", "leaves out files that would make a letter larger", "SET size 100 kB"),
        HelpEntry(
            "SET digest",
            "gathers press and news into one letter a day, at an hour of yours",
            "SET digest 18:00",
        ),
        HelpEntry(
            "KEY",
            "proves that a letter is yours when it is no reply to one of mine, and spares you the question that comes before what "
            "cannot be undone; on a line of its own, after SET key",
            "",
        ),
    )
}
"""Words with several uses, each shown by itself. The key in the examples is made up anew for each asker."""


_OF_LETTERS = (
    HelpEntry(
        "RECEIPT",
        "The answer to each letter of yours says in its first line what became of it, then what was not taken and why, what "
        "is on file and what you owe. Its own header names the Message-ID of your letter; at its end stands, as the proof, the "
        "digest: the SHA-256 fingerprint of the text that was received, without blank lines around it. A text that "
        "differs in a single character has another digest, so neither you nor we can claim later that your letter said "
        "something else.",
        "",
    ),
    HelpEntry(
        "SEAL",
        "Everything that happens is written into a log in which each entry carries a fingerprint of all entries before it. "
        "The seal in each letter is the number of the last entry and the beginning of its fingerprint. If anybody changed "
        "the log later, the seals in your letters would no longer fit it; VERIFY checks the log.",
        "",
    ),
    HelpEntry(
        "DICE",
        "Before dice are thrown the log is sealed with every letter in it; they follow from that seal and from a secret that "
        "was fixed when the match began, so nobody could choose them. Each report tells the secret of its dice: hashed by "
        "SHA-256 as often as its number says, it gives the end of the chain in your first letter. The lines below it are the "
        "log's head, signed: two of the same number that differ prove that somebody was told another log. Keep your letters; "
        "'referee verify FOLDER --letters' checks them, or the page verify.html of the match's archive.",
        "",
    ),
)
"""What HELP explains of the letters themselves, where it is asked for by name."""


def _of_document(word: str, document: Document) -> HelpEntry:
    line = f"SEND {word}"
    return HelpEntry(line, document.told(), "" if document.line == line else document.line, "")


_TOLD_BY_NAME = (
    ("What SEND brings", tuple(_of_document(word, document) for word, document in DOCUMENTS.items())),
    ("What a letter of mine says", _OF_LETTERS),
)
"""What stands in no list of all words."""


_ORDERS, _CONDITIONS, _OPTIONS = "Orders of the game", "Conditions for IF", "Options at CREATE, after WITH"
_BLOCKS = "Blocks and single words"
_OF_PLAYERS = f"{_ORDERS}, for its players"
_OF_THE_GAME = (_ORDERS, _OF_PLAYERS, _CONDITIONS, _BLOCKS, _OPTIONS)

_Groups = tuple[tuple[str, tuple[HelpEntry, ...]], ...]


class Asker(msgspec.Struct, frozen=True):
    """Who asks.

    `examples` are those of the words of the desk, in the names of his match; "" where a word has nothing to do there, of
    which its note says why. `own` are those of the game, from his position, and `line` an order that would stand now.
    """

    examples: Mapping[str, str] = {}
    turn: int = 5
    settings: tuple[Setting, ...] = ()
    own: Mapping[str, str] = {}
    line: str = ""
    notes: Mapping[str, str] = {}
    plays: bool = True


def _order(verb: Verb, own: Mapping[str, str]) -> HelpEntry:
    return HelpEntry(verb.word, verb.meaning, own.get(verb.word, verb.example), verb.rule)


def _condition(verb: Verb, own: Mapping[str, str]) -> HelpEntry:
    return HelpEntry(verb.word, verb.meaning, f"IF {own.get(verb.word, verb.example)}", verb.rule)


def _at_the_desk(verbs: Iterable[Verb], asker: Asker) -> tuple[HelpEntry, ...]:
    return tuple(_of_the_match(entry, asker) for verb in verbs for entry in _entries(verb))


def _entries(verb: Verb) -> tuple[HelpEntry, ...]:
    return _SEVERAL.get(verb.word, (HelpEntry(verb.word, verb.meaning, verb.example, verb.rule),))


def _of_the_match(entry: HelpEntry, asker: Asker) -> HelpEntry:
    """What is said of a word of the desk, with the asker's example and note."""
    note = asker.notes.get(entry.word, "")
    example = _with_text(entry.word, asker.examples.get(entry.word, entry.example))
    return HelpEntry(entry.word, f"{entry.meaning}; {note}" if note else entry.meaning, example, entry.rule)


def _option(setting: Setting) -> HelpEntry:
    values = " or ".join(setting.values) or "a text"
    return HelpEntry(
        setting.name,
        f"{setting.meaning.rstrip('.')}: {values}; {setting.default or 'nothing'} if not set",
        "",
        setting.rule,
    )


def _with_text(word: str, heading: str) -> str:
    """The example of a word that begins a text: heading, text and END; any other example as it is."""
    text = next((command.text for command in commands() if command.word == word), "")
    return f"{heading}\n{text}\nEND" if text and heading.startswith(word) else heading


def _block_entries(game: Vocabulary, own: Mapping[str, str], turn: int, line: str = "") -> tuple[HelpEntry, ...]:
    """The blocks with a `line` of this game and a test of the asker's own where he has any; `turn` is one to come."""
    line = line or game.verbs[0].example
    asked = next((verb for verb in game.predicates if verb.word in own), next(iter(game.predicates), None))
    found = [
        HelpEntry(
            "ADD",
            "as the first word of a letter: what follows is added to the orders on file instead of replacing them",
            f"ADD\n{line}",
        ),
        HelpEntry(
            "STANDING",
            "orders for every turn from now on, wherever your orders say nothing else; STANDING and END alone take them back",
            f"STANDING\n{line}\nEND",
        ),
        HelpEntry("IF LATE", "orders for the case that you miss a deadline", f"IF LATE\n{line}\nEND"),
        HelpEntry(
            "FOR TURN",
            "orders for a turn to come; FOR TURN 5 PHASE and its name for one phase of it",
            f"FOR TURN {turn}\n{line}\nEND",
        ),
        HelpEntry(
            "PREVIEW",
            "tells where these orders would lead, with the chances of every throw, and files nothing",
            f"PREVIEW\n{line}\nEND",
        ),
    ]
    if asked:
        test = own.get(asked.word, asked.example)
        found.append(
            HelpEntry(
                "IF",
                "orders for the case that something is true when they are carried out; ELSE IF, ELSE, AND, OR, NOT and "
                "parentheses may be used",
                f"IF {test}\n{line}\nEND",
            )
        )
    return (
        *found,
        HelpEntry("YES", "alone in a reply to a receipt: takes the corrections that it offers", "YES"),
        HelpEntry("END", "ends a block; outside a block nothing after it is read", f"{line}\nEND"),
    )


def _groups(game: Vocabulary | None, desk: Vocabulary, asker: Asker) -> _Groups:
    own, found = asker.own, list[tuple[str, tuple[HelpEntry, ...]]]()
    if game is not None and game.verbs:
        found.append((_ORDERS if asker.plays else _OF_PLAYERS, tuple(_order(verb, own) for verb in game.verbs)))
        found.append((_CONDITIONS, tuple(_condition(verb, own) for verb in game.predicates)))
        found.append((_BLOCKS, _block_entries(game, own, asker.turn, asker.line)))
        found.append((_OPTIONS, tuple(map(_option, asker.settings))))
    for group in ("players", "anyone", "game masters"):
        verbs = [verb for verb in desk.verbs if group_of(verb) == group]
        found.append((f"Words at the desk, for {group}", _at_the_desk(verbs, asker)))
    return tuple((title, entries) for title, entries in found if entries)


def help_page(
    word: str, game: Vocabulary | None, desk: Vocabulary, name: str = "", asker: Asker | None = None
) -> HelpPage:
    """Help on one word, or on all of them when the word is empty or unknown (then with the nearest words).

    The game's `name`, or VERBS, asks for the words of the game alone. A word that only others may write is explained too.
    """
    asker = asker or Asker()
    groups = _groups(game, desk, asker)
    wanted = " ".join(word.upper().split())
    if wanted in ("", "ALL"):
        return HelpPage("What you can write", _INTRO, tuple(group for group in groups if group[0] != _OPTIONS))
    if wanted in ("VERBS", name.upper()) and game is not None:
        return HelpPage("Words of the game", _INTRO, tuple(group for group in groups if group[0] in _OF_THE_GAME))
    wanted = _of_alias(wanted, (*(game.verbs if game else ()), *desk.verbs, *every_word().verbs))
    by_name = _on("RECEIPT" if wanted == "DIGEST" else wanted, _TOLD_BY_NAME)
    on = _on(wanted, groups) or _on(wanted, _groups(None, every_word(), asker))
    if on or by_name:
        return HelpPage(f"Help on {wanted}", (), (*on, *by_name))
    near = did_you_mean(wanted, [entry.word for _, entries in groups for entry in entries])
    hint = (
        f"Did you mean {' or '.join(near)}?"
        if near
        else "HELP alone says what you can write, HELP ALL lists every word."
    )
    found = dict.fromkeys(entry for name in near for entry in _on(name, groups))
    return HelpPage("What you can write", (f"I know no word {wanted}. {hint}",), tuple(found))


def _of_alias(wanted: str, verbs: Iterable[Verb]) -> str:
    """The word itself where another spelling of it was asked for."""
    return next((verb.word for verb in verbs if wanted in verb.aliases), wanted)


def _on(wanted: str, groups: _Groups) -> _Groups:
    found = ((title, tuple(entry for entry in entries if _is_on(entry, wanted))) for title, entries in groups)
    return tuple((title, entries) for title, entries in found if entries)


def _is_on(entry: HelpEntry, wanted: str) -> bool:
    """Whether an entry is of this word, or begins with it: HELP SET lists all that SET can do."""
    word = entry.word.upper()
    return wanted in (word, word.partition(" ")[0])


def help_at_the_door(games: Mapping[str, Game[Any]], word: str, asker: Asker) -> HelpPage:
    """Help outside a match: on a word of the desk, or on a game by its name, with the words of its first turn."""
    game = games.get(word.strip().casefold())
    if game is None:
        return _of_some_game(games, word) or help_page(word, None, every_word(), "", asker)
    return help_page(
        word,
        words_at_first(game),
        every_word(),
        game.name,
        msgspec.structs.replace(asker, settings=tuple(game.settings)),
    )


def _of_some_game(games: Mapping[str, Game[Any]], word: str) -> HelpPage | None:
    """Help on an order, by the games that have it; None where the word is the desk's, or nobody's."""
    wanted = " ".join(word.upper().split())
    desk = every_word()
    if not wanted or any(wanted in (verb.word, verb.word.partition(" ")[0], *verb.aliases) for verb in desk.verbs):
        return None
    groups: _Groups = ()
    for game in games.values():
        verbs = words_at_first(game).verbs
        entries = tuple(_order(verb, {}) for verb in verbs)
        groups += _on(_of_alias(wanted, verbs), ((f"An order of {game.title}", entries),))
    return HelpPage(f"Help on {wanted}", (), groups) if groups else None
