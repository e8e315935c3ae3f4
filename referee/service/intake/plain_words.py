"""The words of a letter beside its orders, in plain language."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import structs

from referee.core.order import Invalid, Vocabulary
from referee.orders import Mistake, Node, Reading, orders_something
from referee.service.base.letter_facts import Ignored
from referee.service.intake.plain_questions import patterns_of

# ---------------------------------------------------------------- plain
# The wishes of people who write plain English at the front door, guessed from their words.
#
# A guess is answered with facts, or with the line that would do it; it never does anything by itself.


MOST = 3
"""So many wishes of a letter are answered."""

ACTS = frozenset(("join", "watch", "create"))
"""The wishes that would do something."""


class Known(msgspec.Struct, frozen=True):
    """The names that may stand in a letter: games as people call them with their name (with all of them where several are called
    so), matches, seats; seats of a match by what they and their players are called."""

    games: Mapping[str, str]
    matches: Sequence[str]
    seats: Sequence[str]
    people: Mapping[str, str] = {}


class Wish(msgspec.Struct, frozen=True):
    """A wish that somebody seems to have, with its game, match and seat; `name` is that of a new match.

    A deed may say for how many `hours`, of how many bots (`number`) and how strong these (`strength`), for whom (`address`).
    """

    kind: str
    game: str = ""
    match: str = ""
    seat: str = ""
    name: str = ""
    hours: int = 0
    number: int = 0
    address: str = ""
    strength: str = ""
    perhaps: bool = False
    """Whether it is only offered, as something that may be meant."""


_DATA = tomllib.loads(files("referee.service.intake").joinpath("plain.toml").read_text("utf-8"))


def _any(table: Mapping[str, Sequence[str]]) -> str:
    return "|".join(table["words"])


_DO = {kind: _any(table) for kind, table in _DATA["do"].items()}
_ME, _WANT, _NOT, _OTHERS = (
    re.compile(rf"\b({_any(_DATA['speaks'][which])})\b") for which in ("me", "want", "not", "others")
)
_WORDS = {name: "|".join(words) for name, words in _DATA["word"].items()}
_DEEDS: Mapping[str, Mapping[str, Sequence[str]]] = _DATA["deed"]
_NUMBERS = {word: int(number) for number, words in _DATA["number"].items() for word in words}
_STRENGTHS = {name: re.compile(rf"\b({_any(table)})\b") for name, table in _DATA["strength"].items()}
_HOURS = {int(hours): "|".join(words) for hours, words in _DATA["hours"].items()}
_MACHINE = re.compile(_any(_DATA["machine"]))
_REACTS = re.compile(_any(_DATA["reacts"]))
_REACTED = re.compile(rf"\W*({_any(_DATA['reacted'])}) ?[:\u2013-] ")
_SHORTCODE = re.compile(r":[a-z0-9_+-]{2,40}:|\+1\b|[:;=8x]['-]?[dp]\b", re.IGNORECASE)
_SMILEY = re.compile(r"(:[a-z0-9_+-]{2,40}:|\+1|[:;=8x]['-]?[()dp/|*\\]+|<3)+", re.IGNORECASE)
_WORD = re.compile(r"(?<![:\w+-])\w{3,}")
"""A word that is no part of a shortcode: hardly any letter is without one."""
_ALNUM = re.compile(r"[a-z0-9]")
_MOST_SAID = 1_000
"""So many characters of a letter show whether a program wrote them for somebody who pressed a button."""
_NAMED = re.compile(
    rf"\b(?:{_any(_DATA['called'])})\W+(?:it |the match |la |le |sie |es )?([a-z][a-z0-9-]{{1,23}})\b"
    r"|\b([a-z][a-z0-9-]{1,23}) heissen\b"
)
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
"""Words that speak of an end without wishing one."""
_QUESTION = re.compile(
    r"(how|what|why|where|which|(do|must|should) (i|we)|wie|was|(muss|soll) (ich|man)|comment|dois je|faut il|como|que|"
    r"tengo que|hay que)\b"
)
_POLITELY = re.compile(
    r"\b(if (i|we|you) (may|can|could|like|want|wish|don t mind|allow)( (me|us))?$|if (possible|there is (room|a seat))|"
    r"without playing( myself)?)\b"
)
_TELLS = re.compile(rf"({_any(_DATA['tells'])})\b")
_NOT_SAID = re.compile(rf"\b({'|'.join(word for word in _DATA['speaks']['not']['words'] if word != 'stop')})\b")
"""The same as `_NOT` for a writer who may wish that something stops."""
_INDIRECTLY, _HEDGED = (re.compile(rf"\b({_any(_DATA[how])})\b") for how in ("indirectly", "condition"))
_COMPANY = re.compile(rf"\b({_any(_DATA['speaks']['with'])})\b")
_ADDRESS = re.compile(r"[^\s<>\"(),;:]+@[^\s<>\"(),;:]+\w")
_BOTS = (
    rf"(?<![.\d])\b(\d+|{'|'.join(_NUMBERS)}) (?:(?!against|versus|vs|gegen|contre|contra)\w+ )?(?:{_WORDS['bot']})\b"
)
_POLITE = rf"(({_any(_DATA['politely'])}) )*"
_ASKING = rf"(({_any(_DATA['politely'])}|{_any(_DATA['asking'])}) )*"


def wishes_in(text: str, known: Known) -> tuple[Wish, ...]:
    """The wishes that a letter seems to have, each once; those for a deed stand first. Nothing where it looks like a machine's."""
    text = _ADDRESS.sub(" ", text)
    whole = " ".join(_plain(text).split())
    if _MACHINE.search(whole):
        return ()
    found: dict[str, Wish] = {}
    for sentence in _sentences(text):
        for wish in _of_sentence(sentence, known):
            found.setdefault(wish.kind, wish)
    if any(
        patterns_of("door")["stop"].search(said) and not _GOES_ON.search(said)
        for said in _sentences(_QUOTED.sub(" ", text))
    ):
        found["stop"] = Wish("stop")
    act = _act_of(text, whole, known)
    if act:
        return (act, *(wish for kind, wish in found.items() if kind != "stop"))[:MOST]
    if "stop" in found:
        return (found["stop"],)
    if found:
        return tuple(found.values())[:MOST]
    if any(named := (_game(whole, known), _match(whole, known))):
        return (Wish("game", *named),)
    return (Wish("begin"),) if "?" in text and not whole.strip() else ()


def deeds_in(text: str, known: Known, kinds: Sequence[str]) -> tuple[Wish, ...]:
    """The deeds among these that a letter wishes to be done, each once: said of its writer's own will, and now."""
    if by_a_machine(text):
        return ()
    address = next((found[0] for found in _ADDRESS.finditer(text)), "")
    found: dict[str, Wish] = {}
    clauses = [part for clause in _clauses(_ADDRESS.sub(" zzaddress ", text)) for part in _parts(clause)]
    whole = " ".join(_plain(text).split())
    kinds = [kind for kind in kinds if not any(_has(whole, word, known) for word in _DEEDS[kind].get("without", ()))]
    for clause in clauses:
        for kind in kinds:
            if kind not in found and _wishes_deed(clause, kind, known):
                named = _one_of(clause, known.people) if known.people else ""
                found[kind] = Wish(
                    kind,
                    _game(clause, known),
                    _match(clause, known),
                    named,
                    "",
                    _span_in(clause),
                    max((_number(bots[1]) for bots in re.finditer(_BOTS, clause)), default=0),
                    address,
                    _strength(whole),
                )
    if (
        "bots" in found
        and "start" in kinds
        and any(_has(clause, "start", known) and not _NOT.search(clause) for clause in clauses)
    ):
        found.setdefault("start", Wish("start"))
    return tuple(found.values())


def _parts(clause: str) -> Iterator[str]:
    """A clause, and what of it stands beside an "and", where nothing in it is denied."""
    yield clause
    parts = re.split(r"\b(?:and|und|et|y)\b", clause)
    if len(parts) > 1 and not _NOT_SAID.search(clause):
        yield from (part.strip() for part in parts)


def _wishes_deed(clause: str, kind: str, known: Known) -> bool:
    deed, clause = _DEEDS[kind], " ".join(_COMPANY.sub(" ", _POLITELY.sub(" ", clause)).split())
    unsaid = _NOT_SAID.search(_held(clause)) or _OTHERS.search(clause) or _INDIRECTLY.search(clause)
    if unsaid or _TELLS.match(clause):
        return False
    if not all(_has(clause, word, known) for word in deed["all"]):
        return False
    if re.search(rf"\b({_filled('|'.join(deed.get('none', ('(?!)',))), known)})\b", clause):
        return False
    if "ends" in deed and not re.search(rf"\b({_WORDS[deed['all'][0]]}) ?{deed['ends']}$", clause):
        return False
    wants = _ME.search(clause) and _WANT.search(clause)
    return bool(wants or re.match(rf"{_ASKING}({_filled('|'.join(deed['lead']), known)})\b", clause))


def _held(clause: str) -> str:
    """Without what says to hold a turn by a negation, as in "don't run my turn"."""
    return re.sub(rf"\b({_WORDS['hold']})\b", " ", clause)


def _has(clause: str, word: str, known: Known) -> bool:
    return bool(re.search(rf"\b({_filled(word if word.isupper() else _WORDS[word], known)})\b", clause))


_SLOTS = re.compile(r"\b(PERSON|GAME|MATCH|NUMBER|ADDRESS|START|END|PAUSE|RESUME|DONE|HOLD)\b")


def _filled(pattern: str, known: Known) -> str:
    """A pattern with what its words in capitals stand for."""

    def stands_for(slot: re.Match[str]) -> str:
        match slot[1]:
            case "PERSON":
                return f"({'|'.join(map(re.escape, known.people)) or '(?!)'})"
            case "GAME":
                return f"({'|'.join(map(re.escape, known.games)) or '(?!)'})"
            case "MATCH":
                return f"({'|'.join(re.escape(_plain(name)) for name in known.matches) or '(?!)'})"
            case "NUMBER":
                return rf"(\d+|{'|'.join(_NUMBERS)})"
            case "ADDRESS":
                return "zzaddress"
            case word:
                return f"({_SLOTS.sub('(?!)', _WORDS[word.lower()])})"

    return _SLOTS.sub(stands_for, pattern)


_ASKS = re.compile(_any(_DATA["question"]))


def asks(text: str) -> bool:
    """Whether a letter reads like a question, with or without its sign."""
    return any(_ASKS.match(sentence) for sentence in _sentences(text))


_TONGUES: Mapping[str, Mapping[str, Any]] = _DATA["tongue"]
_LITTLE = 2
"""So many little words of a language show that somebody writes it; fewer in a letter that has few words."""


def tongue_of(text: str) -> Mapping[str, str]:
    """Sentences in the language of a letter: `reads` that it is understood, and answers by their kinds; empty for English."""
    words = said_plainly(text).split()
    often = {name: sum(word in tongue["words"] for word in words) for name, tongue in _TONGUES.items()}
    most = max(often, key=lambda name: often[name])
    english = sum(word in _ENGLISH for word in words)
    return _TONGUES[most] if often[most] >= min(_LITTLE, max(1, len(words) - 1)) and often[most] > english else {}


_ENGLISH = frozenset(_DATA["english"]["words"])


def said_plainly(text: str) -> str:
    """A text in small letters, without accents and signs."""
    return " ".join(_plain(text).split())


def game_in(text: str, known: Known) -> str:
    """The game that is named in a letter, with a bar between several that are called so."""
    return _game(said_plainly(text), known)


def _strength(whole: str) -> str:
    """The strength that is wished of bots: a novice's of those that shall not be too hard; "" for the usual one."""
    return next((name for name, words in _STRENGTHS.items() if words.search(whole)), "").replace("steady", "")


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word, 0)


def _span_in(clause: str) -> int:
    """The hours of a span that is named, 0 for none: two days, noch einen Tag."""
    for hours, units in _HOURS.items():
        for number in (r"\d+", "|".join(_NUMBERS)):
            if found := re.search(rf"\b({number})(?: \w+)? ?(?:{units})\b", clause):
                return hours * _number(found[1])
    return 0


def _one_of(clause: str, people: Mapping[str, str]) -> str:
    """The seat of the person named in a clause, "" if there is none, or several."""
    seats = {seat for name, seat in people.items() if re.search(rf"\b{re.escape(name)}\b", clause)}
    return seats.pop() if len(seats) == 1 else ""


def questions_in(text: str) -> tuple[str, ...]:
    """The questions that a member seems to ask of his match, each once; nothing where it looks like a machine's."""
    if by_a_machine(text):
        return ()
    said = [sentence for sentence in _sentences(text) if not _OTHERS_ASK.search(sentence)]
    return tuple(
        kind for kind, words in patterns_of("member").items() if any(words.search(sentence) for sentence in said)
    )[:MOST]


def says(text: str) -> str:
    """Whether a letter says "yes", "no" or "thanks" and nothing else, beside a name below it; "" for anything else."""
    first, *rest = [" ".join(_plain(line).replace(".", " ").split()) for line in text.split("\n") if line.strip()] or [
        ""
    ]
    if len(" ".join(rest).split()) > _SIGNED or by_a_machine(text):
        return ""
    found, words = next((answer for answer in ("yes", "no") if first in _SAID[answer]), ""), first.split()
    agreeing = [word for word in words if word in _SAID["agrees"]]
    if not found and agreeing and {*words} <= _SAID["agrees"] | _SAID["gladly"] and len({*agreeing}) == len(agreeing):
        found = "yes"  # a word that is said twice is no plain one
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
    begin = text.strip()[:_MOST_SAID]
    if not (_WORD.search(begin) or any(map(str.isalnum, _SHORTCODE.sub("", begin)))) and (
        any(unicodedata.category(c) == "So" for c in begin) or _SMILEY.fullmatch("".join(begin.split()))
    ):
        return True
    said = (begin.partition("\n")[0], subject, begin)
    return bool(
        _REACTED.match(_bare(subject).strip())
        or any(_REACTS.fullmatch(_without_edges(" ".join(_bare(one).split()))) for one in said)
    )


def _without_edges(text: str) -> str:
    """From the first letter or figure to the last one, or to the quotation mark behind it."""
    first = _ALNUM.search(text)
    end = len(text) if first else 0
    while end and not (_ALNUM.match(text, end - 1) or text[end - 1] in '"\u201d\u201c'):
        end -= 1
    return text[first.start() : end] if first else ""


def _act_of(text: str, whole: str, known: Known) -> Wish | None:
    """The wish of a letter, by the first of its clauses that has one; another clause may name its object."""
    for clause in _clauses(text):
        game, match = _game(clause, known) or _game(whole, known), _match(clause, known)
        act = _act(clause, game, match, known)
        if act == "create":
            return Wish(act, game, name=_name_in(text, whole))
        if act:
            match = match or _match(whole, known)
            seat = (_one(clause, known.seats) or _one(whole, known.seats)) if act == "join" else ""
            return Wish(act, "" if match else game, match, seat)
    return None


def _name_in(text: str, whole: str) -> str:
    """The name for a new match: one word in quotation marks, or after "call it" and the like."""
    quoted = [found[0].strip('"“”«»„ ') for found in _QUOTED.finditer(text)]
    named = _NAMED.search(whole)
    names = [
        name
        for name in (*quoted, named[2] or named[1] if named else "")
        if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{1,23}", name)
    ]
    return names[0].lower() if names else ""


def _clauses(text: str) -> Iterator[str]:
    """The clauses in which somebody says outright what he himself thinks or wishes.

    Left out are quotations, what somebody supposes, what he would do on a condition, what others say, and all before a sentence
    that asks for something else first.
    """
    said, before = _unwrapped(_YES.sub("yes", _QUOTED.sub(" ", text))), ""
    sentences = re.split(r"[?!;\n]+|\.(?!\d)", said)
    first = max((at for at, sentence in enumerate(sentences) if _FIRST.match(_plain(sentence).strip())), default=0)
    for sentence in sentences[first:]:
        parts = [" ".join(_plain(part).split()) for part in _SPLIT.split(sentence)]
        if _HEDGED.search(before):
            parts = [_SO.sub("", part) for part in parts]
        before, others = " ".join(parts), False
        for part in () if _SUPPOSES.search(before) else _outright(parts):
            if part and not (others and (":" in sentence or not _I.search(part))):
                yield part
            others = (others or bool(_REPORTS.search(part))) and not _HENCE.search(part)


def _outright(parts: list[str]) -> list[str]:
    """The parts of a sentence that stand under no condition: one that follows an "and" leaves what stands before that."""
    for at, part in enumerate(parts):
        if not _CONDITION.match(part) or _HEDGED.search(_POLITELY.sub(" ok ", part)):
            continue
        before = parts[at - 1] if at else ""
        if _ASKED_IF.search(before):
            return [*parts[: at - 1], *_outright(parts[at + 1 :])]
        return parts[:at] if _AND.search(before) else []
    return parts


_UNSAID = {how: re.sub(r"\((?!\?)", "(?:", _any(table)) for how, table in _DATA["unsaid"].items()}
_SPLIT = re.compile(
    rf"[,:]+|\b(?=(?:{_UNSAID['condition']})\b)|\bbut\b|\baber\b|\bmais\b|\bpero\b|\bbecause\b", re.IGNORECASE
)
_CONDITION = re.compile(rf"({_UNSAID['condition']})\b")
_ASKED_IF = re.compile(rf"\b({_UNSAID['asked']})$")
_SUPPOSES, _REPORTS, _I = (re.compile(rf"\b({_UNSAID[how]})\b") for how in ("supposes", "reports", "i"))
_FIRST = re.compile(rf"({_UNSAID['first']})\b")
_HENCE = re.compile(r"(?<!\bsaid )(?<!\bsays )(?<!\bme )(?<!\bthinks )\b(so|hence|also|daher|donc|alors|asi que)$")
"""Words that lead back from those of others to one's own, as in "Dave told me to write join, so: join"."""
_SO = re.compile(rf"^({_UNSAID['so']})\b")
"""How a condition begins that names the question before it, as in "Is there room? If so, I come"."""
_AND = re.compile(r"(^|\b)(and|und|et|y)$")
_YES = re.compile(r"\bs\u00ed\b", re.IGNORECASE)
"""The Spanish yes, which without its accent is an if."""


def _bare(text: str) -> str:
    """Small letters without accents."""
    small = text.casefold()
    if small.isascii():
        return small
    return "".join(c for c in unicodedata.normalize("NFKD", small) if not unicodedata.combining(c))


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
    game, match = _game(sentence, known), _match(sentence, known)
    asked = patterns_of("door")
    kinds = [kind for kind, words in asked.items() if kind not in ("stop", "game") and words.search(sentence)]
    for kind in kinds[:2]:
        yield Wish(kind, game, match)
    if (game or match) and asked["game"].search(sentence):
        yield Wish("game", game, match)


def _act(clause: str, game: str, match: str, known: Known) -> str:
    """The request of a clause, "" for none: it speaks of its writer's own wish, and now."""
    clause = " ".join(_COMPANY.sub(" ", _POLITELY.sub(" ", clause)).split())
    if _NOT.search(clause) or _OTHERS.search(clause) or _QUESTION.match(clause):
        return ""
    wants = _ME.search(clause) and _WANT.search(clause)
    seats = "|".join(re.escape(_plain(seat)) for seat in known.seats) or "(?!)"
    for kind in ("watch", "create", "join"):
        words = _DO[kind].replace("GAME", f"({'|'.join(map(re.escape, known.games))})").replace("SEAT", f"({seats})")
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


_DAY_BEFORE = "".join(rf"(?<!\b{word} )" for word in _DATA["day"]["before"])
_DAY_AFTER = rf"(?! ({'|'.join(_DATA['day']['after'])}))"


def _match(sentence: str, known: Known) -> str:
    """The match that is named; on friday, and friday evening, are days."""
    names = (
        name
        for name in known.matches
        if re.search(rf"{_DAY_BEFORE}\b{re.escape(_plain(name))}\b{_DAY_AFTER}", sentence)
    )
    return next(names, "")


def spoken_names(titles: Mapping[str, str]) -> dict[str, str]:
    """Games as people call them: by name, by title and by each part of it; with a bar between those that are called the same."""
    found: dict[str, dict[str, None]] = {}
    for name, title in titles.items():
        parts = [name, title, *title.split(", "), *title.split("! ")]
        parts += [part.replace("Version ", "War ") for part in title.split(", ") if part.startswith("Version ")]
        for part in parts:
            found.setdefault(" ".join(_plain(part).split()), {})[name] = None
    return {called: "|".join(names) for called, names in found.items()}


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
