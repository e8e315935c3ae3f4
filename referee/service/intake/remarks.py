"""What a letter says beside its orders, in plain words."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files

import msgspec
from msgspec import structs

from referee.core.order import Invalid, Vocabulary
from referee.orders import Mistake, Node, Reading, orders_something
from referee.service.base.letters import Ignored

# ---------------------------------------------------------------- plain
# What people wish who write plain English at the front door, guessed from their words.
#
# A guess is answered with facts, or with the line that would do it; it never does anything by itself.


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


_DATA = tomllib.loads(files("referee.service.intake").joinpath("plain.toml").read_text("utf-8"))


def _any(table: Mapping[str, Sequence[str]]) -> str:
    return "|".join(table["words"])


_ASKED = {kind: re.compile(_any(table)) for kind, table in _DATA["asked"].items()}
_DO = {kind: _any(table) for kind, table in _DATA["do"].items()}
_ME, _WANT, _NOT, _OTHERS = (
    re.compile(rf"\b({_any(_DATA['speaks'][which])})\b") for which in ("me", "want", "not", "others")
)
_MACHINE = re.compile(_any(_DATA["machine"]))
_REACTS = re.compile(_any(_DATA["reacts"]))
_REACTED = re.compile(rf"\W*({_any(_DATA['reacted'])}) ?[:\u2013-] ")
_SHORTCODE = re.compile(r":[a-z0-9_+-]{2,40}:|\+1\b|[:;=8x]['-]?[dp]\b", re.IGNORECASE)
_SMILEY = re.compile(r"(:[a-z0-9_+-]{2,40}:|\+1|[:;=8x]['-]?[()dp/|*\\]+|<3)+", re.IGNORECASE)
_EDGES = re.compile(r"^[^a-z0-9]+|[^a-z0-9\"\u201d\u201c]+$")
_MOST_SAID = 1_000
"""So many characters of a letter show whether a program wrote them for who pressed a button."""
_NAMED = re.compile(rf"\b(?:{_any(_DATA['called'])})\W+(?:it |the match |la |le |sie |es )?([a-z][a-z0-9-]{{1,23}})\b")
_MEMBER = {kind: re.compile(_any(table)) for kind, table in _DATA["member"].items()}
_SAID = {kind: frozenset(table["words"]) for kind, table in _DATA["says"].items()}
_THANKING = frozenset(("thanks", "thank", "thx", "cheers", "danke", "merci", "gracias"))
_OTHERS_ASK = re.compile(r"\b(he|she|they) (asks?|asked|says|said)\b")
_SIGNED = 6
"""So many words may stand below a yes: a greeting and a name."""
_QUOTED = re.compile(r"[\"“”«»„].*?[\"“”«»“]")
_GOES_ON = re.compile(
    r"(don t|dont|never|cannot|can t|nie|nicht aus) .{0,12}(stop|abgemeldet|verteiler)|stop (over|laughing)|told you|write stop|"
    r"quits|removed or|ships|your wrong"
)
"""What speaks of an end without wishing one."""
_QUESTION = re.compile(r"(how|what|why|where|which|wie|was|comment|como|que)\b")
_POLITELY = re.compile(
    r"\b(if (i|we|you) (may|can|could|like|don t mind|allow)|if (possible|there is (room|a seat))|without playing( myself)?)\b"
)
_POLITE = r"(please |pls |hi |hello |so |and |yes |ok )*"


def wishes_in(text: str, known: Known) -> tuple[Wish, ...]:
    """What a letter seems to wish, each once; what would do something stands first. Nothing where it looks like a machine's."""
    whole = " ".join(_plain(text).split())
    if _MACHINE.search(whole):
        return ()
    found: dict[str, Wish] = {}
    for sentence in _sentences(text):
        for wish in _of_sentence(sentence, known):
            found.setdefault(wish.kind, wish)
    if any(_ASKED["stop"].search(said) and not _GOES_ON.search(said) for said in _sentences(_QUOTED.sub(" ", text))):
        found["stop"] = Wish("stop")
    act = _act_of(text, whole, known)
    if act:
        return (act, *(wish for kind, wish in found.items() if kind != "stop"))[:MOST]
    if "stop" in found:
        return (found["stop"],)
    if found:
        return tuple(found.values())[:MOST]
    if any(named := (_game(whole, known), _one(whole, known.matches))):
        return (Wish("game", *named),)
    return (Wish("begin"),) if "?" in text and not whole.strip() else ()


def questions_in(text: str) -> tuple[str, ...]:
    """What a member seems to ask of his match, each once; nothing where it looks like a machine's."""
    if by_a_machine(text):
        return ()
    said = [sentence for sentence in _sentences(text) if not _OTHERS_ASK.search(sentence)]
    return tuple(kind for kind, words in _MEMBER.items() if any(words.search(sentence) for sentence in said))[:MOST]


def says(text: str) -> str:
    """Whether a letter says "yes", "no" or "thanks" and nothing else, beside a name below it; "" for anything else."""
    first, *rest = [" ".join(_plain(line).replace(".", " ").split()) for line in text.split("\n") if line.strip()] or [
        ""
    ]
    if len(" ".join(rest).split()) > _SIGNED or by_a_machine(text):
        return ""
    found = next((answer for answer in ("yes", "no") if first in _SAID[answer]), "")
    words = first.split()
    thanks = any(word in _SAID["thanks"] for word in words) and "?" not in text
    strange = [word for word in words if word not in _SAID["thanks"] | _SAID["beside"]]
    named = not strange or (strange == words[-1:] and words[0] in _THANKING)
    return found or ("thanks" if thanks and named else "")


def by_a_machine(text: str) -> bool:
    """Whether a text reads like the answer of a machine."""
    return bool(_MACHINE.search(" ".join(_plain(text).split())))


def reacts(subject: str, text: str) -> bool:
    """Whether a letter says nothing but that a button was pressed: a reaction, a receipt of reading, a calendar's answer.

    So does one of signs alone, such as a thumb: what it says yes to nobody can know.
    """
    signs = any(unicodedata.category(c) == "So" for c in text) or _SMILEY.fullmatch("".join(text.split()))
    if signs and not any(c.isalnum() for c in _SHORTCODE.sub("", text)):
        return True
    said = " ".join(_bare(text[:_MOST_SAID]).split())
    first = next(filter(None, (line.strip() for line in text[:_MOST_SAID].split("\n"))), "")
    return bool(
        _REACTED.match(_bare(subject).strip())
        or any(_REACTS.fullmatch(_EDGES.sub("", " ".join(_bare(one).split()))) for one in (first, subject, said))
    )


def _act_of(text: str, whole: str, known: Known) -> Wish | None:
    """What a letter wishes to be done, by the first of its clauses that wishes it; it may name in another what is meant."""
    for clause in _clauses(text):
        game, match = _game(clause, known) or _game(whole, known), _one(clause, known.matches)
        act = _act(clause, game, match, known)
        if act == "create":
            return Wish(act, game, name=_name_in(text, whole))
        if act:
            match = match or _one(whole, known.matches)
            seat = (_one(clause, known.seats) or _one(whole, known.seats)) if act == "join" else ""
            return Wish(act, "" if match else game, match, seat)
    return None


def _name_in(text: str, whole: str) -> str:
    """What a new match should be called: one word in quotation marks, or after "call it" and the like."""
    quoted = [found[0].strip('"“”«»„ ') for found in _QUOTED.finditer(text)]
    named = _NAMED.search(whole)
    names = [name for name in (*quoted, named[1] if named else "") if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{1,23}", name)]
    return names[0].lower() if names else ""


def _clauses(text: str) -> Iterator[str]:
    """The clauses of what somebody wrote himself, without what he quotes."""
    for sentence in re.split(r"[?!;\n,:]+|\.(?!\d)", _unwrapped(_QUOTED.sub(" ", text))):
        for part in re.split(r"\b(?=if\b)|\bbut\b|\baber\b|\bmais\b|\bpero\b|\bbecause\b", sentence, flags=re.I):
            plain = " ".join(_plain(part).split())
            if plain and not re.match(r"(if|when|whether|unless|suppose|falls|wenn|si|once)\b", plain):
                yield plain


def _bare(text: str) -> str:
    """Small letters without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def _plain(text: str) -> str:
    """The same without apostrophes and signs."""
    return re.sub(r"[^a-z0-9.]+", " ", _bare(text))


def _unwrapped(text: str) -> str:
    """Lines that a mail program broke in the middle of a sentence are joined."""
    return re.sub(r"(?<![.!?;:,])\n(?!\n)", " ", text.replace("War!", "War"))


def _sentences(text: str) -> Iterator[str]:
    for part in re.split(r"[?!;\n]+|\.(?!\d)", _unwrapped(text)):
        plain = " ".join(_plain(part).split())
        if plain:
            yield plain


def _of_sentence(sentence: str, known: Known) -> Iterator[Wish]:
    game, match = _game(sentence, known), _one(sentence, known.matches)
    kinds = [kind for kind, words in _ASKED.items() if kind not in ("stop", "game") and words.search(sentence)]
    for kind in kinds[:2]:
        yield Wish(kind, game, match)
    if (game or match) and _ASKED["game"].search(sentence):
        yield Wish("game", game, match)


def _act(clause: str, game: str, match: str, known: Known) -> str:
    """What a clause asks to be done, "" for nothing: it speaks of its writer's own wish, and now."""
    clause = _POLITELY.sub(" ", clause)
    if _NOT.search(clause) or _OTHERS.search(clause) or _QUESTION.match(clause):
        return ""
    wants = _ME.search(clause) and _WANT.search(clause)
    seats = "|".join(re.escape(_plain(seat)) for seat in known.seats) or "(?!)"
    for kind in ("watch", "create", "join"):
        words = _DO[kind].replace("GAME", re.escape(game) or "newgame").replace("SEAT", f"({seats})")
        orders = re.match(rf"{_POLITE}({words})\b", clause)
        if re.search(rf"\b({words})\b", clause) and (wants or (orders and (match or kind != "watch"))):
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


# ---------------------------------------------------------------- greetings, signatures and remarks
# Lines of a letter that were never meant as orders, and a YES that is signed.


_WHY = "it begins with no word I know, so I took it for a remark"
_LIKE_AN_ORDER = "it reads like an order and begins with no word I know; nothing of it was done"


def remarks_aside(mistakes: Sequence[Mistake], reading: Reading) -> tuple[list[Mistake], list[Ignored]]:
    """Greetings before the first order and remarks after the last: lines that begin with no word near one of ours.

    They are listed as not read, and do not make the letter incomplete. Between orders nothing is taken for prose.
    Where no order stands, the lines that were meant for orders are the first and the last of them.
    """
    lines = [node.line for node in nodes_of(reading)] or [m.line for m in mistakes if not is_prose(m)]
    first, last = (min(lines), max(lines)) if lines else (0, 0)
    kept: list[Mistake] = []
    prose: list[Ignored] = []
    for mistake in mistakes:
        outside = bool(lines) and not first < mistake.line < last
        if outside and is_prose(mistake):
            prose.append(_remark(mistake))
        else:
            kept.append(mistake)
    return kept, prose


def like_orders(prose: Sequence[Ignored], game: Vocabulary) -> tuple[list[Ignored], int]:
    """The remarks, with those that read like orders named as such, and how many these are: they may have been meant."""
    alike = [orders_something(line.text, game) for line in prose]
    named = [
        structs.replace(line, why=_LIKE_AN_ORDER) if like else line for line, like in zip(prose, alike, strict=True)
    ]
    return named, sum(alike)


def says_yes(reading: Reading, waits: bool = False) -> tuple[Ignored, ...] | None:
    """The remarks after a YES that stands first and means the whole letter; None when the letter says no such YES.

    While corrections of one's own orders wait it may be said in other words too; nothing else goes by less than YES.
    """
    if reading.yes:
        return ()
    first, *rest = sorted(reading.mistakes, key=lambda mistake: mistake.line) or (None,)
    if first is None or any(nodes_of(reading)):
        return None
    if first.source.strip(" .!,").casefold() != "yes" and not (waits and says(first.source) == "yes"):
        return None
    return tuple(map(_remark, rest)) if all(map(is_prose, rest)) else None


def understood(reading: Reading) -> bool:
    """Whether any line was."""
    return any(nodes_of(reading))


def nodes_of(reading: Reading) -> Iterator[Node]:
    """Every line of a letter that was understood, whatever part of it it stands in."""
    blocks: Iterable[Iterable[Node] | None] = (reading.standing, reading.late, reading.preview)
    turns: Iterable[Iterable[Node]] = (block.nodes for block in reading.turns)
    for nodes in (reading.sheet, reading.desk, *blocks, *turns):
        yield from nodes or ()


def is_prose(mistake: Mistake) -> bool:
    """Whether a line begins with no word near one of ours, or with one and no number: "Bye now" is not meant for BUY."""
    no_verb = isinstance(mistake.refusal, Invalid) and mistake.column == 0 and not mistake.refusal.instead
    return no_verb and not mistake.meant and mistake.source[: mistake.width].strip() == mistake.refusal.at


def _remark(mistake: Mistake) -> Ignored:
    return Ignored(mistake.line, mistake.source, _WHY, True)
