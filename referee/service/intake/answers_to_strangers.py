"""The welcome: the answer to a letter to the referee's own address without a word that could be obeyed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from referee.core.game import AnyGame
from referee.kit.wording import in_a_row
from referee.service.base.letter_facts import Frame, Welcome
from referee.service.base.office import At
from referee.service.base.ports import MatchRow
from referee.service.house.match_lists import (
    easiest_first,
    free_name,
    game_offered,
    known_matches,
    matches_offered,
    players_of,
    taken_and_all,
)
from referee.service.intake.commands.caller import Caller
from referee.service.intake.confirmations import letter_text
from referee.service.intake.plain_questions import answered, kinds_of, likely, look_up, offered
from referee.service.intake.plain_words import (
    ACTS,
    MOST,
    Known,
    Wish,
    asks,
    by_a_machine,
    deeds_in,
    game_in,
    said_plainly,
    spoken_names,
    tongue_of,
    wishes_in,
)
from referee.service.match.bots import strength_in
from referee.service.match.clock_words import table_sentence
from referee.service.match.members import house_rules
from referee.service.match.result import Denial
from referee.service.match.slot_life import is_under_way
from referee.service.post.answer_limits import Answering, Purse
from referee.service.post.post import About, Mail, Reply, Thread, post
from referee.service.turn.knowledge import how_it_ends

_BOTS = 3
"""So many bots are offered to a solitary player."""
_SEVERAL = 2
"""So many bots are a number; "a bot" may be any."""

_MATCHES, _FEW = 5, 3
"""So many matches a welcome tells of; to a stranger, and less one beside the games, it is short enough to have buttons
(docs/mail.md)."""

_READ = 4_000
"""So many characters of a letter are looked through for wishes: who asks something says it early, and a flood costs little."""


def wishes_of(caller: Caller, text: str) -> tuple[Wish, ...]:
    """The request of a letter in plain words, as it seems here: the first thing to do."""
    titles = {name: game.title for name, game in caller.office.games.items()}
    rows = known_matches(caller.step, caller.player.id)
    seats = {seat for row in rows for seat in caller.office.games[row.game].seat_names(row.options)}
    text = text[:_READ]
    known = Known(spoken_names(titles), tuple(row.name for row in rows), sorted(seats))
    forming = caller.proven and bool(caller.forming("gm", "watching"))
    deeds = deeds_in(text, known, ("bots", "start", "end", "play") if forming else ("play",))
    if any(deed.kind == "bots" for deed in deeds):
        deeds = tuple(deed for deed in deeds if deed.kind != "play")
    if any(deed.kind == "play" and not deed.game for deed in deeds):
        named = next((wish.game for wish in wishes_in(text, known) if wish.game), "")
        deeds = tuple(msgspec.structs.replace(deed, game=deed.game or named) for deed in deeds)
    asked = asked_in(text, known)
    kinds = {wish.kind for wish in asked if not wish.perhaps}
    if kinds <= _BESIDE_RULES and (passages := _passages(caller, text, known)):
        return (*deeds, Wish("rule", name="\n".join(passages)))
    return (*deeds, *(wish for wish in asked if not (deeds and wish.kind in ACTS)))


def asked_in(text: str, known: Known) -> tuple[Wish, ...]:
    """The request of a letter by the patterns of plain words and by its likeness to examples; what may be meant as well."""
    asked = wishes_in(text, known)
    if by_a_machine(text):
        return asked
    like = likely(text, "door", {part for name in known.matches for part in (name, *name.split("-"))})
    found = {wish.kind: wish for wish in asked}
    game = next((wish.game for wish in asked if wish.game), game_in(text, known))
    match = next((wish.match for wish in asked if wish.match), "")
    kinds = answered(tuple(found), like, "door") if found.keys() != {"stop"} else ("stop",)
    kinds = tuple(sorted(kinds, key=lambda kind: kind not in ACTS or kind not in found))
    perhaps = (*(kind for kind in kinds if kind in ACTS and kind not in found), *offered(kinds, found, like))
    return (
        *(found.get(kind) or Wish(kind, game, match) for kind in kinds if kind not in perhaps),
        *(Wish(kind, game, match, perhaps=True) for kind in perhaps),
    )[:MOST]


def _passages(caller: Caller, text: str, known: Known) -> tuple[str, ...]:
    """The answer of the named game's rules to a question; if none is named, that of all games' rules, if few have one."""
    if "?" not in text and not asks(text):
        return ()
    named = game_in(text, known).split("|")
    games = [caller.office.games[name] for name in named if name] or easiest_first(caller.office)
    found = [f"{game.title}: {said}" for game in games if (said := look_up(game, _without(text, known)))]
    return tuple(found) if len(found) <= _SOME else ()


def _without(text: str, known: Known) -> str:
    """A question without the names of games, which say nothing of what is asked."""
    named = sorted(known.games, key=len, reverse=True)
    return re.sub(rf"\b({'|'.join(map(re.escape, named))})\b", " ", said_plainly(text))


_SOME = 2
"""So many games may be meant by a question that names none."""

_BESIDE_RULES = frozenset(("cost", "game"))
"""Questions in words that may be about a game, too."""


def asked_line(caller: Caller, wishes: Sequence[Wish]) -> str:
    """The line that brings what is asked for, where it is one thing and can be sent; "" for any other letter."""
    kinds = {wish.kind for wish in wishes if not wish.perhaps} - {"game"}
    kinds = {"learn"} if "learn" in kinds and kinds <= {"learn", "begin", "guide", "rules"} else kinds
    if len(kinds) != 1 or not (caller.proven or caller.office.site or kinds <= {"guide", "learn"}):
        return ""
    (kind,) = kinds
    meant = _meant(caller, next(wish for wish in wishes if wish.kind == kind))
    if kind == "joined" and caller.proven and (forming := caller.forming("gm", "watching")):
        return f"STATUS {next(iter(forming))}" if len(forming) == 1 else ""
    if kind == "learn":
        return f"LESSON {meant[0].name}"
    return f"{kind.upper()} {meant[0].name}" if kind in ("rules", "guide") and len(meant) == 1 else ""


def lines_of(caller: Caller, wishes: Sequence[Wish]) -> str:
    """The lines that would do what is wished, "" where that is not clear enough to be asked about."""
    wishes = [wish for wish in wishes if not wish.perhaps]
    deeds = {wish.kind: wish for wish in wishes}
    forming = caller.forming("gm", "watching") if caller.proven and deeds.keys() & {"bots", "start", "end"} else {}
    if "play" in deeds:
        game = deeds["play"].game or easiest_first(caller.office)[0].name
        return "" if "|" in game else play_line(caller.office.games[game], deeds["play"])
    named = next((wish.match for wish in wishes if wish.match), "")
    row = forming.get(named) or (next(iter(forming.values())) if len(forming) == 1 and not named else None)
    if row is not None and "end" in deeds:
        return f"TERMINATE {row.name}"
    if row is not None:
        joined, seats = taken_and_all(caller, row)
        least = min(players_of(caller.office.games[row.game]), default=1)
        bots = deeds["bots"].number or _BOTS if "bots" in deeds else _BOTS if joined < least else 0
        bots = min(bots, seats - joined)
        strength = strength_of(caller.office.games[row.game], deeds["bots"]) if "bots" in deeds else ""
        lines = (
            " ".join(f"BOT {bots} {strength} {row.name}".split()) if bots else "",
            f"START {row.name}" if "start" in deeds else "",
        )
        return "\n".join(filter(None, lines))
    return line_of(caller, caller.player.id, wishes[0]) if wishes else ""


def play_line(game: AnyGame, wish: Wish) -> str:
    """The line that begins a match of a game against bots, as many and as strong as somebody wishes them."""
    strength, most = strength_of(game, wish), max(players_of(game)) - 1
    if wish.number < _SEVERAL and not strength:
        return f"PLAY {game.name}"
    number = min(wish.number if wish.number >= _SEVERAL else _BOTS, most)
    return f"PLAY {game.name} WITH bots {number} {strength}".rstrip()


def strength_of(game: AnyGame, wish: Wish) -> str:
    """The strength that is wished of bots, if a game has it and it is not the usual one."""
    try:
        return strength_in(game, wish.strength) if wish.strength else ""
    except Denial:
        return ""


def line_of(at: At, player: int, wish: Wish) -> str:
    """The line that would let somebody in, as he wishes it."""
    rows = {row.name: row for row in known_matches(at.step, player) if not house_rules(at.step, row.name).called_off}
    if wish.kind == "create":
        one = wish.game and "|" not in wish.game
        return f"CREATE {wish.game} AS {wish.name or free_name(at.step)}" if one else ""
    row = rows.get(wish.match) or _only(rows, wish)
    if row is None or row.status == "over" or wish.kind not in ACTS:
        return ""
    if wish.kind == "watch" or row.status != "forming":
        return f"OBSERVE {row.name}" if wish.kind == "watch" else ""
    return f"JOIN {row.name} AS {wish.seat}" if wish.seat else f"JOIN {row.name}"


def _only(rows: Mapping[str, MatchRow], wish: Wish) -> MatchRow | None:
    """The only match that may be meant where none is named."""
    open_for = [row for row in rows.values() if row.status == "forming" or (wish.kind != "join" and is_under_way(row))]
    fit = [row for row in open_for if (not wish.game or row.game in wish.game.split("|")) and not wish.match]
    return fit[0] if len(fit) == 1 else None


def welcome(caller: Caller, wishes: tuple[Wish, ...], unread: tuple[str, ...], came: int, token: str = "") -> None:
    """Write to somebody who he is talking to, what is played, what he seems to have asked, and how to go on, by a reply address."""
    tongue = tongue_of(letter_text(caller.letter))
    told = {wish.kind: tongue.get(wish.kind, "") or _answer(caller, wish) for wish in wishes}
    kinds = {wish.kind for wish in wishes if not wish.perhaps}
    perhaps = [kind for kind in told if kind not in kinds]
    lists = not told or bool(kinds & {"begin", "games", "join", "create"})
    if not kinds and told.keys() & {"games", "begin", "join", "create", "open"}:
        lists = True  # the list and the ways to go on tell most of it, once
        kinds = {"begin"} & told.keys()
        perhaps = [kind for kind in perhaps if kind not in ("games", "begin", "join")][:2]
    said = [told[kind] for kind in told if kind in kinds]
    if kinds and (meant := [means for kind in perhaps if (means := kinds_of("door")[kind].means)]):
        said.append(f"If you meant to ask {in_a_row(meant, 'or')}, write just that.")
    elif perhaps:
        said += [_PERHAPS, *(told[kind] for kind in perhaps)]
    answers = tuple(dict.fromkeys(filter(None, (tongue.get("reads", ""), *said))))
    most = 0 if "stop" in kinds else _MATCHES if caller.proven else _FEW - lists
    matches = matches_offered(caller, caller.player.id, caller.proven, most)
    games = tuple(game_offered(caller, game) for game in easiest_first(caller.office)) if lists else ()
    if not caller.proven:
        matches, games = (tuple(msgspec.structs.replace(one, page="") for one in some) for some in (matches, games))
    name = caller.player.name if caller.proven else ""
    title = "Welcome" if lists else "Your letter"
    letter = Welcome(
        Frame("", caller.office.name, title, name, page=caller.office.site),
        answers,
        games,
        matches,
        _ways(caller, lists),
        caller.office.keeper,
        unread,
    )
    purse: Purse = "request" if caller.proven else "stranger"
    subject = "Welcome! Games by e-mail, and how to begin" if lists else "about your letter"
    reply = Reply(Thread(caller.letter.message_id, caller.letter.references), Answering(came, purse))
    post(caller, caller.player, Mail("welcome", subject, letter, str(came)), About(token=token), reply)


_PERHAPS = "I am a program and am not sure what you ask; perhaps one of these answers it:"


def _ways(at: At, lists: bool) -> tuple[tuple[str, str], ...]:
    """How to go on: a line and what it does; `lists`: the games stand above already."""
    return (
        *(
            ()
            if lists
            else ((f"PLAY {easiest_first(at.office)[0].name}", "a game at once, against three of its bots"),)
        ),
        (f"LESSON {easiest_first(at.office)[0].name}", "teaches it first, by short letters"),
        *(() if lists else (("GAMES", "tells of all games and matches"),)),
        (
            f"CREATE {easiest_first(at.office)[0].name} AS {free_name(at.step)}",
            "opens a match for you and your friends; you are its game master",
        ),
        ("HELP", "the words for you, on one screen"),
    )


# ---------------------------------------------------------------- answers


def _answer(caller: Caller, wish: Wish) -> str:
    """The answer to a wish: as things stand here, or as the examples have it."""
    return _ANSWERS[wish.kind](caller, wish) if wish.kind in _ANSWERS else kinds_of("door")[wish.kind].answer


def _games(caller: Caller, wish: Wish) -> str:
    titles = [game.title for game in easiest_first(caller.office)]
    return f"These are the games played here: {in_a_row(titles)}. A few words on each stand below."


def _meant(caller: Caller, wish: Wish) -> list[AnyGame]:
    """The game a wish is about, or all of them."""
    row = caller.step.match(wish.match) if wish.match else None
    names = wish.game or (row.game if row else "")
    return [caller.office.games[name] for name in names.split("|") if name] or easiest_first(caller.office)


def _game(caller: Caller, wish: Wish) -> str:
    return " ".join(f"{game.title}: {game.about} {game.aim}" for game in _meant(caller, wish)[:1])


def _rules(caller: Caller, wish: Wish) -> str:
    meant = _meant(caller, wish)
    lines = in_a_row([f"RULES {game.name}" for game in meant], "or")
    if caller.proven:
        return f"{lines} brings all rules, numbered."
    return (
        f"{lines} brings all rules, numbered, to anybody who takes part in a match or watches one: write it in a reply to one of "
        "its letters."
    )


def _win(caller: Caller, wish: Wish) -> str:
    return " ".join(f"{game.title}: {game.aim}" for game in _meant(caller, wish))


def _join(caller: Caller, wish: Wish) -> str:
    row = caller.step.match(wish.match) if wish.match else None
    if row is not None and row.status != "forming":
        return (
            f"{row.name} has begun and takes no more players. OBSERVE {row.name} lets you watch it; STANDBY {row.name} notes you "
            "for a seat that falls free."
        )
    rows = [
        r
        for r in known_matches(caller.step, caller.player.id)
        if r.status == "forming" and (not wish.game or r.game in wish.game)
    ]
    rows = [r for r in rows if not house_rules(caller.step, r.name).called_off]
    if rows:
        return f"To take part, reply with {in_a_row([f'JOIN {r.name}' for r in rows[:_MATCHES]], 'or')}."
    return _none_waits(caller, wish)


def _watch(caller: Caller, wish: Wish) -> str:
    rows = matches_offered(caller, caller.player.id, False, _MATCHES)
    names = [f"OBSERVE {row.title}" for row in rows]
    return (
        f"To watch, reply with {in_a_row(names, 'or')}."
        if names
        else "There is no match to watch yet; GAMES lists them as they come."
    )


def _create(caller: Caller, wish: Wish) -> str:
    name = wish.name or free_name(caller.step)
    lines = in_a_row([f"CREATE {game.name} AS {name}" for game in _meant(caller, wish)], "or")
    return f"To open a match, reply with {lines}; you become its game master, and your friends write JOIN {name}."


def _begin(caller: Caller, wish: Wish) -> str:
    forming = caller.forming("gm", "watching") if caller.proven else {}
    if forming:
        name = next(iter(forming))
        return f"START {name} begins your match as it is; BOT 3 {name} has three bots join it before."
    return (
        "It goes like this: you join a match, or open one. When it begins, and then for every turn, a letter tells you what "
        "happened and what you may do, with an order sheet filled in that you change as you like and send back. Nothing is done "
        "that you cannot look at first."
    )


def _time(caller: Caller, wish: Wish) -> str:
    usual = caller.office.clock_defaults
    slot = table_sentence("a turn", usual.slot_hours, usual.slots)
    return (
        f"The player who opens a match sets its pace; usually {slot} A match takes weeks or months, a letter at a time. "
        "You may be away: ABSENCE says so beforehand, and standing orders play for late players."
    )


def _players(caller: Caller, wish: Wish) -> str:
    meant = _meant(caller, wish)
    said = (f"{game.title}: {players_of(game)[0]} to {players_of(game)[-1]} players" for game in meant)
    return (
        f"{in_a_row(list(said))}. Seats that nobody takes can be played by the game's own bots: PLAY {meant[0].name} begins a game "
        "against three of them at once. WHO and the name of a match tells who plays in it."
    )


def _person(caller: Caller, wish: Wish) -> str:
    keeper = caller.office.keeper
    to = f" {keeper} looks after me; write there to reach a person." if keeper else ""
    return f"I am a program, a referee of games by mail.{to}"


def _gone(caller: Caller, wish: Wish) -> str:
    keeper = caller.office.keeper
    to = (
        f"write to {keeper}, the person who looks after me"
        if keeper
        else "write to the person who looks after this house"
    )
    return (
        f"I am sorry. I am a program, and close nothing that is another's by a letter alone: {to}, with the address that was "
        "used; he ends the letters and the seats. Nothing more needs to be done."
    )


def _ends(caller: Caller, wish: Wish) -> str:
    return " ".join(f"{game.title}: {' '.join(how_it_ends(game))}" for game in _meant(caller, wish))


def _open(caller: Caller, wish: Wish) -> str:
    rows = [row for row in matches_offered(caller, caller.player.id, False, _MATCHES) if row.line.startswith("JOIN")]
    if rows:
        return f"Open to players now: {in_a_row([row.title for row in rows])}. They stand below, each with the line that joins it."
    return _none_waits(caller, wish)


def _none_waits(caller: Caller, wish: Wish) -> str:
    game = _meant(caller, wish)[0]
    which = f" of {game.title}" if wish.game and "|" not in wish.game else ""
    return (
        f"No match{which} waits for players now. PLAY {game.name} begins one against bots at once; CREATE {game.name} AS "
        f"{free_name(caller.step)} opens one for others to join."
    )


def _which(caller: Caller, wish: Wish) -> str:
    lines = [f"PLAY {game.name} ({game.title})" for game in _meant(caller, wish)]
    return f"Which do you mean? Reply with {in_a_row(lines, 'or')}: the line without what stands in brackets."


def _language(caller: Caller, wish: Wish) -> str:
    return (
        "I read orders and questions in English, German, French and Spanish, and answer in English. Ich lese Deutsch und antworte "
        "auf Englisch. Je lis le français et je réponds en anglais. Leo español y contesto en inglés."
    )


def _rule(caller: Caller, wish: Wish) -> str:
    return wish.name.replace("\n", " ")


def _guide(caller: Caller, wish: Wish) -> str:
    return " ".join(f"GUIDE {game.name} tells how {game.title} goes." for game in _meant(caller, wish)[:1])


def _learn(caller: Caller, wish: Wish) -> str:
    return f"LESSON {_meant(caller, wish)[0].name} teaches it, by short letters that are answered at once."


def _cost(caller: Caller, wish: Wish) -> str:
    return "I ask for no money, no account and nothing to install: you need the mail program that you wrote with, and nothing else."


def _look(caller: Caller, wish: Wish) -> str:
    rows = [r for r in known_matches(caller.step, caller.player.id) if r.status == "running"]
    watch = f" OBSERVE {rows[0].name} lets you see those of a match that runs." if rows else ""
    return f"Every report comes with the map, where the game has one, as a picture, and with record sheets.{watch}"


def _stop(caller: Caller, wish: Wish) -> str:
    return (
        "I write to your address only in answer to letters that bear it, so nothing more comes unless somebody writes from there. "
        "The letters of a match end by UNSUBSCRIBE, for observers, or RESIGN, for players, in a reply to one of them."
    )


_ANSWERS: Mapping[str, Callable[[Caller, Wish], str]] = {
    "play": _which,
    "bots": _begin,
    "start": _begin,
    "end": _stop,
    "rule": _rule,
    "ends": _ends,
    "gone": _gone,
    "open": _open,
    "guide": _guide,
    "learn": _learn,
    "joined": _players,
    "language": _language,
    "games": _games,
    "game": _game,
    "rules": _rules,
    "win": _win,
    "join": _join,
    "watch": _watch,
    "create": _create,
    "host": _create,
    "begin": _begin,
    "time": _time,
    "players": _players,
    "person": _person,
    "cost": _cost,
    "look": _look,
    "stop": _stop,
}
