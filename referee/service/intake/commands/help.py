"""HELP, made from the same words the reader of orders uses; and for a situation, with examples that would be done now."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any

import msgspec

from referee.core.game import Game
from referee.core.order import Setting, Verb, Vocabulary
from referee.kit.wording import in_a_row
from referee.orders import did_you_mean, read
from referee.service.base.letter_facts import HelpEntry, HelpPage
from referee.service.base.office import Office
from referee.service.base.ports import MatchRow
from referee.service.house.documents import DOCUMENTS, Document
from referee.service.house.match_lists import easiest_first, free_name, known_matches
from referee.service.intake.commands.caller import Caller
from referee.service.intake.commands.command import (
    By,
    commands,
    every_word,
    for_anyone,
    for_game_masters,
    group_of,
    words_at_first,
)
from referee.service.match.members import hides_names, house_rules
from referee.service.match.sheets import bind, debts
from referee.service.turn.writer import Hand

_INTRO = (
    "Write one order a line. Capitals, accents and plurals do not matter; anything after # on a line is a note to yourself.",
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
            "makes another address of yours known; I write there, and YES from there confirms it; once more, and letters go there",
            "SET address anna@work.example",
        ),
        HelpEntry("SET reminders", "sets when before a deadline you are reminded", "SET reminders 12h 2h"),
        HelpEntry("SET format", "sends you plain text alone, or HTML too", "SET format text"),
        HelpEntry("SET map", "leaves the map out of your letters, or not", "SET map off"),
        HelpEntry("SET sheets", "leaves record sheets out of your reports, or not", "SET sheets off"),
        HelpEntry(
            "SET page", "leaves the link to the page on which you play out of your letters, or not", "SET page no"
        ),
        HelpEntry("SET files", "sends files with each report: csv, xlsx or json", "SET files json"),
        HelpEntry("SET size", "leaves out files that would make a letter larger", "SET size 100 kB"),
        HelpEntry(
            "SET digest",
            "gathers press and news into one letter a day, at an hour of yours",
            "SET digest 18:00",
        ),
        HelpEntry(
            "KEY",
            "proves that a letter is yours when it is no reply to one of mine, and spares you the question before a deed that "
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
        "SHA-256 as often as its number says, it gives the end of its chain, which stands in your first letter, or below the "
        "secret where the chain began later, as after a rewind or in a match of an older program: that checks all dice since. The "
        "lines below are the log's head, signed: two of the same number that differ prove that somebody was told another log. "
        "Keep your letters; 'referee verify FOLDER --letters' checks them, or the page verify.html of the match's archive.",
        "",
    ),
)
"""The topics of HELP about the letters themselves, where they are asked for by name."""


def _of_document(word: str, document: Document) -> HelpEntry:
    line = f"SEND {word}"
    return HelpEntry(line, document.told(), "" if document.line == line else document.line, "")


_TOLD_BY_NAME = (
    ("What SEND brings", tuple(_of_document(word, document) for word, document in DOCUMENTS.items())),
    ("Words in my letters", _OF_LETTERS),
)
"""Entries that stand in no list of all words."""


_ORDERS, _CONDITIONS, _OPTIONS = "Orders of the game", "Conditions for IF", "Options at CREATE, after WITH"
_BLOCKS = "Blocks and single words"
_OF_PLAYERS = f"{_ORDERS}, for its players"
_OF_THE_GAME = (_ORDERS, _OF_PLAYERS, _CONDITIONS, _BLOCKS, _OPTIONS)

_Groups = tuple[tuple[str, tuple[HelpEntry, ...]], ...]


class Asker(msgspec.Struct, frozen=True):
    """The asker.

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
    """The entry of a word of the desk, with the asker's example and note."""
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
            "as the first word of a letter: the orders below it are added to those on file instead of replacing them",
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


# ---------------------------------------------------------------- examples
# The examples of HELP in the names of the match, the seats and the moment where they are asked for.
#
# The words of the desk are explained with one match, nw1 of New World, and with seats such as France. A member who asks in a match
# of his own reads them with its name, its seats, the turn that was played last and what waits there now.


_CLOCK = "nationalities yes, slot 48h, clock 18:00 Europe/Berlin, days Mon-Fri, holidays DE"
_TURN = re.compile(r"\bTURN \d+")
_SEATS = ("France", "Spain", "England")


def examples_here(hand: Hand) -> dict[str, str]:
    """An example of each word of the desk in the names of this match, or of what waits in it; "" of what has nothing to do."""
    names, found = _names(hand), dict[str, str]()
    for command in commands():
        now = command.example(hand)
        if now is not None or command.by is not By.MASTERS or hand.game_master:
            found[command.word] = _told(command.verb.example, names) if now is None else now
    return found | _keys(hand.office)


def notes_here(hand: Hand) -> dict[str, str]:
    """The note on words that have nothing to do in this match, or are not written to it."""
    return {command.word: said for command in commands() if (said := command.note(hand))}


def elsewhere(hand: Hand) -> dict[str, str]:
    """Examples of words about other matches."""
    return _begun(row for row in known_matches(hand.step, hand.player.id) if row.name != hand.match)


def seat_told(hand: Hand) -> str:
    """The seat that stands in examples where they speak of one."""
    return _names(hand).get("France", "France")


def line_here(hand: Hand, own: Mapping[str, str]) -> str:
    """The first of these lines that may stand in a sheet of this seat now; "" if none may."""
    words = hand.playing.game.vocabulary(hand.playing.outcome.state)
    tests = {verb.word for verb in words.predicates}
    for word, line in own.items():
        reading = read(line, words, Vocabulary((), ())) if word not in tests else None
        if reading and reading.sheet and not reading.mistakes:
            bound = bind(hand.playing, hand.seat, reading.sheet, asides_allowed=False)
            if bound.sheet and not bound.mistakes:
                return line
    return ""


def _keys(office: Office) -> dict[str, str]:
    """A key that nobody else was shown, so that whoever copies it has a secret."""
    word = office.secrets.token()[:12]
    return {"SET key": f"SET key {word}", "KEY": f"KEY {word}"}


def examples_at_the_door(rows: Iterable[MatchRow]) -> dict[str, str]:
    """The same for a writer about no match of his: the last that was opened is named, one that begins where it must."""
    rows = list(rows)
    last = {row.status: row for row in sorted(rows, key=lambda row: row.created_at)}
    found: dict[str, str] = {}
    if begins := last.get("forming"):
        found = _of(begins, (*for_anyone(), *for_game_masters()))
    if runs := last.get("running"):
        found |= _of(runs, (verb for verb in for_anyone() if verb.word != "I AM HERE"))
        found["SEND"] = f"SEND report OF {runs.name}"
    return found | _begun(rows)


def _begun(rows: Iterable[MatchRow]) -> dict[str, str]:
    """Examples of words about a match that begins, and about one that runs."""
    rows = sorted(rows, key=lambda row: row.created_at)
    taken = {row.name for row in rows}
    name = next(f"nw{number}" for number in count(1) if f"nw{number}" not in taken)
    found = {"CREATE": f"CREATE newworld AS {name} WITH {_CLOCK}", "BOT": "BOT 2"}
    for row in rows:
        if row.status == "forming":
            found |= {"JOIN": f"JOIN {row.name}", "START": f"START {row.name}", "BOT": f"BOT 2 {row.name}"}
        elif row.status == "running":
            found["OBSERVE"] = f"OBSERVE {row.name}"
    return found


def _of(row: MatchRow, verbs: Iterable[Verb]) -> dict[str, str]:
    return {verb.word: _told(verb.example, {"nw1": row.name}) for verb in verbs if verb.word != "CREATE"}


def _told(line: str, names: Mapping[str, str]) -> str:
    line = re.sub(r"\b(nw1|newworld|France|Spain|England)\b", lambda found: names.get(found[0], found[0]), line)
    return _TURN.sub(f"TURN {names['TURN']}", line) if "TURN" in names else line


def _names(hand: Hand) -> dict[str, str]:
    seats = tuple(hand.playing.created.seats)
    place = seats.index(hand.seat) + 1 if hand.seat in seats else 0
    others = [seat for seat in (*seats[place:], *seats[:place]) if seat != hand.seat]
    if hand.game_master and not hand.seat:
        waiting = [question.seat for question in hand.playing.outcome.open]
        others = list(dict.fromkeys((*waiting, *others)))
    seats_told = (others[0], others[-1], hand.seat or others[-1]) if others else ()
    played = max(0, hand.playing.turn - 1)
    return {
        "nw1": hand.match,
        "newworld": hand.playing.row.game,
        "TURN": str(played),
        **dict(zip(_SEATS, seats_told, strict=False)),
    }


# ---------------------------------------------------------------- HELP alone
# One screen for the situation of the asker. The words on each line are data, situations.toml.


_NAMED = 8
"""So many orders of a game are named."""
_PLACE = re.compile(r"\{(\w+)\}")

Ways = tuple[tuple[str, str], ...]


@cache
def situations() -> Mapping[str, Sequence[tuple[str, str]]]:
    """The lines for each situation, with their effects."""
    data = tomllib.loads(files(__package__).joinpath("situations.toml").read_text("utf-8"))
    return {name: tuple((line, what) for line, what in table["lines"]) for name, table in data.items()}


def ways_in(situation: str, names: Mapping[str, str]) -> Ways:
    """The lines of a situation with these names in them."""
    return tuple(
        (_filled(line, names), _filled(what, names))
        for line, what in situations()[situation]
        if all(names.get(place) for place in _PLACE.findall(line + what))
    )


def _filled(text: str, names: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda found: names[found[1]], text)


# ---------------------------------------------------------------- in a match


def help_here(hand: Hand, own: Mapping[str, str], order: str) -> HelpPage:
    """The lines for a member now; `own` are his orders with an example of each, `order` is one that would stand."""
    playing = hand.playing
    others = [seat for seat in playing.created.seats if seat != hand.seat]
    waiting = [question.seat for question in playing.outcome.open if question.seat != hand.seat]
    names = {
        "match": hand.match,
        "game": playing.row.game,
        "seat": next(iter((*waiting, *others)), ""),
        "order": order,
        "last": str(max(1, playing.turn - 1)),
    }
    ways = ways_in(_situation(hand), names)
    return HelpPage("What you can write now", (), (), ways, (*_of_the_game(hand, own), *_also(hand), _more(hand)))


def _situation(hand: Hand) -> str:
    if hand.playing.row.status == "over" or hand.playing.outcome.over:
        return "over"
    if hand.seat:
        return "owes" if debts(hand.playing, hand.seat) else "waits"
    return "masters" if hand.game_master else "watches"


def _of_the_game(hand: Hand, own: Mapping[str, str]) -> tuple[str, ...]:
    """The orders of the game by name; of many the first."""
    if _situation(hand) not in ("owes", "waits"):
        return ()
    verbs = [verb.word for verb in hand.playing.game.vocabulary(hand.playing.outcome.state).verbs]
    shown = ([word for word in verbs if word in own] or verbs)[:_NAMED]
    more = f" and {len(verbs) - len(shown)} more" if len(verbs) > len(shown) else ""
    return (
        f"Orders of {hand.playing.game.title}: {', '.join(shown)}{more}. HELP {shown[0]} tells how one is written, HELP VERBS "
        "lists them all.",
    )


def _also(hand: Hand) -> tuple[str, ...]:
    if hand.game_master and hand.seat:
        return (
            "You are its game master too: HELP DEADLINE, HELP PAUSE, HELP REPLACE and HELP REWIND explain your words.",
        )
    return ()


def _more(hand: Hand) -> str:
    members = [] if hand.game_master else hand.step.members(hand.match)
    masters = [found.name for m in members if m.role == "gm" and (found := hand.step.player(m.player))]
    whom = "Your game master" if hides_names(hand.playing) else in_a_row(masters)
    person = f" {whom} runs this match: ask me in plain words, and I pass on what I cannot answer." if masters else ""
    return f"HELP and a word explains it, HELP ALL lists every word.{person}"


# ---------------------------------------------------------------- at the door


def help_at_first(caller: Caller) -> HelpPage:
    """The lines for somebody in no match that is played: a stranger, one who has joined a match, one who has opened one."""
    player = caller.player
    rows = [row for row in known_matches(caller.step, player.id) if not house_rules(caller.step, row.name).called_off]
    mine = (
        {m.match: m for m in caller.step.memberships(player.id) if m.status in ("applied", "watching")}
        if caller.proven
        else {}
    )
    forming = [row for row in rows if row.status == "forming"]
    opened = [row for row in forming if row.name in mine and mine[row.name].role == "gm"]
    joined = [row for row in forming if row.name in mine and mine[row.name].role == "player"]
    row = next(iter((*opened, *joined, *forming)), None)
    situation = "opened" if opened else "joined" if joined else "stranger"
    game = row.game if row and situation != "stranger" else easiest_first(caller.office)[0].name
    names = {
        "match": row.name if row else "",
        "open": row.name if row else "",
        "running": _first(rows, "running"),
        "game": game,
        "free": free_name(caller.step),
        "seat": next(iter(caller.office.games[row.game].seat_names(row.options)), "") if row else "",
    }
    games = "; ".join(game.title for game in easiest_first(caller.office))
    said = (f"One plays long games by letter here: {games}.",) if situation == "stranger" else ()
    keeper = f" A person: {caller.office.keeper}." if caller.office.keeper else ""
    more = f"Plain words will do too. HELP and a word explains it, HELP ALL lists every word.{keeper}"
    return HelpPage("What you can write now", said, (), ways_in(situation, names), (more,))


def _first(rows: Sequence[MatchRow], status: str) -> str:
    return next((row.name for row in rows if row.status == status), "")
