"""What people wish who write plain English at the front door, guessed from their words.

A guess is answered with facts, or with the line that would do it; it never does anything by itself.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

import msgspec

MOST = 3
"""So many wishes of a letter are answered."""

ACTS = frozenset(("join", "watch", "create"))
"""What would do something."""


class Known(msgspec.Struct, frozen=True):
    """The names that may stand in a letter: games as people call them with their name, matches, seats."""

    games: Mapping[str, str]
    matches: Sequence[str]
    seats: Sequence[str]


class Wish(msgspec.Struct, frozen=True):
    """What somebody seems to want, of which game, match and seat; `name` is what a new match should be called."""

    kind: str
    game: str = ""
    match: str = ""
    seat: str = ""
    name: str = ""


_DATA = tomllib.loads(files("referee.service.answering").joinpath("plain.toml").read_text("utf-8"))


def _any(table: Mapping[str, Sequence[str]]) -> str:
    return "|".join(table["words"])


_ASKED = {kind: re.compile(_any(table)) for kind, table in _DATA["asked"].items()}
_DO = {kind: _any(table) for kind, table in _DATA["do"].items()}
_ME, _WANT, _NOT, _OTHERS = (
    re.compile(rf"\b({_any(_DATA['speaks'][which])})\b") for which in ("me", "want", "not", "others")
)
_MACHINE = re.compile(_any(_DATA["machine"]))
_NAMED = re.compile(rf"\b(?:{_any(_DATA['called'])})\W+(?:it |the match |la |le |sie |es )?([a-z][a-z0-9-]{{1,23}})\b")
_QUOTED = re.compile(r"[\"“”«»„].*?[\"“”«»“]")
_QUESTION = re.compile(r"(how|what|why|where|which|wie|was|comment|como|que)\b")
_POLITELY = re.compile(
    r"\b(if (i|we|you) (may|can|could|like|don t mind|allow)|if (possible|there is (room|a seat))|without playing( myself)?)\b"
)
_POLITE = r"(please |pls |hi |hello |so |and |yes |ok )*"


def wishes_in(text: str, known: Known) -> tuple[Wish, ...]:
    """What a letter seems to wish, each once; what would do something stands first. Nothing where it looks like a machine's."""
    plain = _plain(text)
    if _MACHINE.search(plain):
        return ()
    found: dict[str, Wish] = {}
    for sentence in _sentences(text):
        for wish in _of_sentence(sentence, known):
            found.setdefault(wish.kind, wish)
    whole = tuple(found.values())
    acts = tuple(wish for wish in whole if wish.kind in ACTS)
    if "stop" in found:
        return (found["stop"],)
    rest = tuple(wish for wish in whole if wish.kind not in ACTS)
    return (*acts[:1], *rest)[:MOST]


def _plain(text: str) -> str:
    """Small letters without accents, apostrophes and signs."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return re.sub(r"[^a-z0-9.]+", " ", bare)


def _sentences(text: str) -> Iterator[str]:
    unquoted = _QUOTED.sub(" ", text)
    joined = re.sub(r"(?<![.!?;:,])\n(?!\n)", " ", unquoted.replace("War!", "War"))
    for part in re.split(r"[?!;\n]+|\.(?!\d)|,? but |,? aber |,? mais |,? pero |,? just ", joined):
        plain = " ".join(_plain(part).split())
        if plain:
            yield plain


def _of_sentence(sentence: str, known: Known) -> Iterator[Wish]:
    game, match, seat = _game(sentence, known), _one(sentence, known.matches), _one(sentence, known.seats)
    named = _NAMED.search(sentence)
    if _ASKED["stop"].search(sentence):
        yield Wish("stop", game, match)
        return
    act = _act(sentence, game, match)
    if act:
        yield Wish(act, game, match, seat, named[1] if named and act == "create" else "")
        return
    kinds = [kind for kind, words in _ASKED.items() if kind not in ("stop", "game") and words.search(sentence)]
    for kind in kinds[:2]:
        yield Wish(kind, game, match)
    if not kinds and (game or match) and _ASKED["game"].search(sentence):
        yield Wish("game", game, match)


def _act(sentence: str, game: str, match: str) -> str:
    """What a sentence asks to be done, "" for nothing: it speaks of its writer's own wish, and now."""
    sentence = _POLITELY.sub(" ", sentence)
    if _NOT.search(sentence) or _OTHERS.search(sentence) or _QUESTION.match(sentence):
        return ""
    wants = _ME.search(sentence) and _WANT.search(sentence)
    for kind in ("watch", "create", "join"):
        words = _DO[kind].replace("GAME", game or "newgame")
        orders = re.match(rf"{_POLITE}({words})\b", sentence)
        if re.search(rf"\b({words})\b", sentence) and (wants or (orders and (match or kind != "watch"))):
            return kind
    return ""


def _game(sentence: str, known: Known) -> str:
    """The game that is named, the longest name first."""
    names = sorted(known.games, key=len, reverse=True)
    return next((known.games[name] for name in names if re.search(rf"\b{re.escape(name)}\b", sentence)), "")


def _one(sentence: str, names: Sequence[str]) -> str:
    return next((name for name in names if re.search(rf"\b{re.escape(_plain(name))}\b", sentence)), "")


def spoken_names(titles: Mapping[str, str]) -> dict[str, str]:
    """Games as people call them: by name, by title and by each part of it; what several are called is the first one's."""
    found: dict[str, str] = {}
    for name, title in titles.items():
        parts = [name, title, *title.split(", "), *title.split("! ")]
        parts += [part.replace("Version ", "War ") for part in title.split(", ") if part.startswith("Version ")]
        for part in parts:
            found.setdefault(" ".join(_plain(part).split()), name)
    return found
