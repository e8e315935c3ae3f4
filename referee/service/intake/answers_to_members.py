"""Plain words in a letter to a match, answered from where it stands or offered to a person."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cache
from typing import NamedTuple

from referee.core.game import AnyGame
from referee.core.names import Seat
from referee.core.normal_text import fold
from referee.core.order import Verb
from referee.kit.wording import in_a_row
from referee.orders import Mistake, Reading, is_talk, orders_something, verbs_in
from referee.service.base import notes
from referee.service.base.letter_facts import Notice, SentOn
from referee.service.house.press import do_blocks, shortened
from referee.service.house.press_blocks import GAME_MASTER, Block
from referee.service.intake.answers_to_strangers import play_line, strength_of
from referee.service.intake.commands.inquiries import deadline_sentences
from referee.service.intake.corrections import names_here, verbs_here
from referee.service.intake.foreign_lines import seats_by_name
from referee.service.intake.kept_for_yes import offer_to_pass_on, to_pass_on, waiting
from referee.service.intake.plain_questions import (
    Likely,
    answered,
    kinds_of,
    likely,
    look_up,
    names_of,
    offered,
    speak_of,
)
from referee.service.intake.plain_words import (
    Known,
    Wish,
    asks,
    by_a_machine,
    deeds_in,
    is_prose,
    questions_in,
    says,
    spoken_names,
    understood,
)
from referee.service.intake.receipts import answer
from referee.service.match.members import everybody, hides_names
from referee.service.match.result import NOTHING, Came
from referee.service.match.sheets import debts
from referee.service.post.frames import form_for, frame, what_if_late
from referee.service.post.post import About, Mail, post
from referee.service.turn.knowledge import how_it_ends
from referee.service.turn.writer import Hand

_PASSED_ON = 5
"""So many letters of one observer are passed on in a day."""

_LONGEST = 4_000
"""The longest question: a longer text is read as orders, and refused as such."""


def answers_another(hand: Hand) -> bool:
    """Whether a letter answers one of ours that offered nothing: then less than YES is no yes to what waits."""
    to = hand.letter.in_reply_to if hand.letter else ""
    return hand.match in to and not any(kind in to for kind in (".receipt-", ".answer-")) and "@" in to


class Meant(NamedTuple):
    """The lines that plain words seem to ask for, whether they would do anything, and what else is answered."""

    lines: tuple[str, ...] = ()
    does: bool = False
    said: tuple[str, ...] = ()


def plainly_meant(hand: Hand, text: str, reading: Reading) -> Meant:
    """The wish of a letter of plain words, to have something done or sent."""
    if hand.game_master and text.strip(" .!\n").upper() == "END":
        return Meant(("TERMINATE",), True)
    if reading.yes or not reading.mistakes or understood(reading) or len(text) > _LONGEST or by_a_machine(text):
        return Meant()
    if hand.over or hand.playing.fault or says(text):
        return Meant()
    if press := _told_on(hand, text):
        return Meant((press,), True)
    if deeds := _deeds(hand, text):
        return Meant(deeds, True)
    if not all(_is_said(hand, mistake) for mistake in reading.mistakes):
        return Meant()
    asked = asked_of(hand, text)
    lines = tuple(_line(hand, kind, text) for kind in asked.kinds if kind in _lines())
    if not lines:
        return Meant()
    others = tuple(sentence for kind in asked.kinds if kind not in _lines() for sentence in _answers(hand, kind))
    beside = [f"{line} ({what})" for line, what in _offered(hand, text, asked)]
    return Meant(lines, False, (*others, *([f"Or do you mean: {'; '.join(beside)}?"] if beside else [])))


def _line(hand: Hand, kind: str, text: str) -> str:
    """The line that brings what is asked; of record sheets that of the one seat that is meant."""
    if kind != "sheets":
        return _lines()[kind]
    people = {} if hides_names(hand.playing) else seats_by_name(hand)
    known = {**people, **{seat.casefold(): seat for seat in hand.playing.created.seats}}
    said = {known[word] for word in _small(text).split() if word in known}
    own = re.search(r"\b(i|my|mine|me|ich|mein\w*|mir|je|j|mes|mon|ma|yo|mis?|tengo|quedan)\b", _small(text))
    seat = said.pop() if len(said) == 1 else hand.seat if own and not said else ""
    return f"{_lines()[kind]} OF {seat}" if seat else _lines()[kind]


_TELL = re.compile(
    r"\s*(?:(?:please|bitte|por favor|(?:could|can|would) you|könnte[nt]? (?:sie|ihr)|sehr geehrter \w+|dear \w+)\W+)*"
    r"(?:tell|let(?= .{1,40}\bknow\b)|forward (?:this )?to|pass (?:this )?on to|sag(?:en sie|e)?|richte(?:n sie|t)?|dis à|dites à"
    r"|dile a|dígale a)\s+(?!me\b|us\b|mir\b|uns\b)"
    r"(?:the |l['\u2019]|la |le |el |los |den |dem )?",
    re.IGNORECASE,
)
_THAT = re.compile(r"\W*(?:(?:only|please|bitte|know|aus|de mi parte|that|dass|daß|que)\b\W*)*", re.IGNORECASE)
_EVERYBODY = ("others", "everybody", "everyone", "other players", "anderen", "autres", "demás")


def _told_on(hand: Hand, text: str) -> str:
    """The press that tells others what a letter wants them told, "" where none is named: `Tell Ben that I want peace`."""
    lead = _TELL.match(text) if hand.seat and not hides_names(hand.playing) else None
    if lead is None:
        return ""
    rest, seats = text[lead.end() :], hand.playing.created.seats
    nouns = hand.playing.game.vocabulary(hand.playing.outcome.state).nouns
    spoken = {said.casefold(): noun.name for noun in nouns if noun.name in seats for said in noun.spoken}
    known = {
        **dict.fromkeys(_EVERYBODY, ""),
        **spoken,
        **{seat.casefold(): seat for seat in seats},
        **seats_by_name(hand),
    }
    for name in sorted(known, key=len, reverse=True):
        if known[name] != hand.seat and re.match(rf"{re.escape(name)}\b(?!['\u2019?])", rest, re.IGNORECASE):
            said = _THAT.sub("", rest[len(name) :], count=1).strip()
            to = f"PRESS TO {known[name]}" if known[name] else "BROADCAST"
            return f"{to}\n{said}\nEND" if said else ""
    return ""


_MASTERS = ("end", "dummy", "replace", "time", "pause", "resume")
_PLAYERS = ("time", "quit", "out", "wait")


def _deeds(hand: Hand, text: str) -> tuple[str, ...]:
    """The lines that would do what is wished."""
    people = {} if hides_names(hand.playing) else seats_by_name(hand)
    known = Known(
        spoken_names({name: game.title for name, game in hand.office.games.items()}),
        (hand.match,),
        tuple(hand.playing.created.seats),
        {
            _small(name): seat
            for name, seat in (*people.items(), *((s.casefold(), s) for s in hand.playing.created.seats))
        },
    )
    kinds = (*(_MASTERS if hand.game_master else ()), *(_PLAYERS if hand.seat else ()), "play")
    found = {deed.kind: deed for deed in deeds_in(text, known, tuple(dict.fromkeys(kinds)))}
    if "dummy" in found and not found["dummy"].address:
        found.pop("replace", None)
    if len(found) > 1:
        found.pop("play", None)
    return tuple(filter(None, (_DEEDS[kind](hand, deed, text) for kind, deed in found.items())))


def _small(name: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9]+", " ", fold(name)).split())


def _more_time(hand: Hand, deed: Wish, text: str) -> str:
    span = f"{deed.hours or 24}h"
    if hand.seat and deed.seat in ("", hand.seat):
        return f"EXTEND {span}"
    if not hand.game_master:
        return ""
    everybody_s = re.search(r"\b(every(body|one)|all|alle[nr]?|tous|todos)\b", text.casefold())
    return f"DEADLINE +{span} FOR {deed.seat}" if deed.seat else f"DEADLINE +{span}" if everybody_s else ""


def _paused(hand: Hand, deed: Wish, text: str) -> str:
    days = deed.hours // 24
    return f"PAUSE FOR {days} days" if days else "PAUSE"


def _play_too(hand: Hand, deed: Wish, text: str) -> str:
    game = deed.game or hand.playing.row.game
    return "" if "|" in game else play_line(hand.office.games[game], deed)


def _owes(hand: Hand, line: str) -> str:
    return line if hand.seat and debts(hand.playing, hand.seat) else ""


_DEEDS: Mapping[str, Callable[[Hand, Wish, str], str]] = {
    "end": lambda hand, deed, text: "TERMINATE",
    "dummy": lambda hand, deed, text: (
        f"BOT {deed.seat} {strength_of(hand.playing.game, deed)}".rstrip() if deed.seat else ""
    ),
    "replace": lambda hand, deed, text: f"REPLACE {deed.seat} BY {deed.address}" if deed.seat and deed.address else "",
    "time": _more_time,
    "pause": _paused,
    "resume": lambda hand, deed, text: "RESUME" if hand.status == "paused" else "",
    "quit": lambda hand, deed, text: "RESIGN",
    "out": lambda hand, deed, text: _owes(hand, "ROLL OUT"),
    "wait": lambda hand, deed, text: _owes(hand, "WAIT"),
    "play": _play_too,
}


def answered_plainly(hand: Hand, text: str, reading: Reading, yes: bool) -> Came | None:
    """Answer a letter that holds no order but plain words, and what came of it; None for any other, which is read as ever."""
    if yes:
        return _to_a_yes(hand)
    if (
        reading.yes
        or not (reading.mistakes or _is_clear(text))
        or (understood(reading) and not _is_clear(text))
        or not text.strip()
        or len(text) > _LONGEST
        or by_a_machine(text)
    ):
        return None
    if says(text) and not waiting(hand):
        # A player who only thanks and owes something is told so once, for he may think that he has answered.
        mine = debts(hand.playing, hand.seat) if hand.seat else ()
        if mine:
            framed = frame(hand, hand.member, hand.player)
            due = f" Your deadline: {framed.deadline.local}." if framed.deadline else ""
            _remind(
                hand, mine[0].key, f"Nothing was taken from your letter, and nothing was changed. {framed.owes}{due}"
            )
        return NOTHING
    if says(text) == "thanks":
        _remind(hand, "corrections", "My corrections of your last letter still wait: reply YES and they are taken.")
        return NOTHING
    if not all(_is_said(hand, mistake) for mistake in reading.mistakes):
        return None
    _answer(hand, text)
    return NOTHING


def _is_clear(text: str) -> bool:
    """Whether somebody says that he understands, in a word that would take his orders off the file: it does so in capitals."""
    first = text.strip().split("\n")[0]
    return "!" in first and not first.isupper() and says(text) == "thanks" and first.casefold().startswith("clear")


def _is_said(hand: Hand, mistake: Mistake) -> bool:
    """Whether a line is a sentence to somebody, and was not meant for an order."""
    line, first = mistake.source, mistake.source.split()[0].strip("¿¡\"'(")
    if first.isupper() and len(first) > 1:
        return False
    if "?" in line or questions_in(line) or asks(line):
        return True
    game = hand.playing.game.vocabulary(hand.playing.outcome.state)
    return (is_talk(line) and not mistake.refusal.instead) or (is_prose(mistake) and not orders_something(line, game))


# ---------------------------------------------------------------- yes and thanks


def _to_a_yes(hand: Hand) -> Came | None:
    """A YES to the question whether something is to be passed on; None where it takes corrections."""
    text = to_pass_on(hand)
    if not text:
        return None
    offer_to_pass_on(hand, "")
    if not hand.seat:
        _pass_on_for_an_observer(hand, text)
        return NOTHING
    came = do_blocks(hand, (Block("press", "", GAME_MASTER, text, 0, "", True),))
    whom = _masters(hand) or GAME_MASTER
    done = f"Your letter went to {whom}: “{shortened(text)}” The answer comes to you as a letter of press."
    if came.done:
        answer(hand, "sent", SentOn(f"Sent to {whom}", (done,)))
    else:
        answer(hand, "sent", SentOn("Not sent", tuple(line.sentence for line in came.refused)))
    return came


def _pass_on_for_an_observer(hand: Hand, text: str) -> None:
    """An observer writes no press: his question goes on as a notice, with the address to which it is answered."""
    slip, now = notes.PASSED_ON.of(hand.match, hand.player.id), hand.now
    lately = tuple(at for at in slip.read(hand.step) or () if now - at < timedelta(days=1))
    if len(lately) >= _PASSED_ON:
        sentence = (
            f"I have passed on {_PASSED_ON} letters of yours within a day, and pass on no more of them until tomorrow."
        )
        answer(hand, "sent", SentOn("Not sent", (sentence,)))
        return
    slip.keep(hand.step, (*lately, now))
    name, address = hand.player.name, hand.player.addresses[0]
    title = f"{name}, who watches, asks you something"
    for member, master in everybody(hand.step, hand.match):
        if member.role == "gm" and not member.seat:
            framed = frame(hand, member, master)
            said = (
                f"{name} writes: “{text}”",
                f"To answer, write to {address} yourself; I do not carry press to observers.",
            )
            mail = Mail("passed on", title, Notice(framed, title, said), hand.unique)
            post(hand, master, mail, About(hand.playing, member))
    done = f"Your letter went to {_masters(hand)}: “{shortened(text)}” The answer comes to {address}."
    answer(hand, "sent", SentOn("Sent to your game master", (done,)))


def _remind(hand: Hand, what: str, sentence: str) -> None:
    """Say something once."""
    slip = notes.THANKED.of(hand.match, hand.seat, hand.player.id)
    what = f"{hand.playing.turn} {what}"
    if slip.read(hand.step) != what:
        slip.keep(hand.step, what)
        framed = frame(hand, hand.member, hand.player)
        answer(hand, "sent", SentOn("Thank you", (sentence,), about=framed))


# ---------------------------------------------------------------- questions


class Asked(NamedTuple):
    """The kinds of what a member asks, or the rule that says it; the rule that `speaks` of it, and what else he may mean, by
    kinds and verbs."""

    kinds: tuple[str, ...] = ()
    rule: str = ""
    perhaps: tuple[str, ...] = ()
    speaks: str = ""


_SAID, _NO_ORDER = 0.12, 0.7
"""How much nearer a kind lies that the words say outright, and how near an order to what asks, beside a question."""
_RULED, _SPEAKS = 0.6, 0.35
"""How near a letter must lie to questions about rules, beside the kind that lies nearest, to be answered by a rule, and to be
shown one that speaks of it."""


def asked_of(hand: Hand, text: str) -> Asked:
    """The question: by what the letter says and is like, or by a rule that says it."""
    game, asking = hand.playing.game, "?" in text or asks(text)
    people = (
        () if hides_names(hand.playing) else (word for name in seats_by_name(hand) for word in _small(name).split())
    )
    said, like = said_and_like(text, names_here(hand.playing) | {*people}, game, bool(hand.seat))
    kinds, near = answered(said, like, "member"), dict(like)
    rule = ""
    if asking and {*kinds} <= {"owe", "rule", "price"}:
        rule = next(filter(None, (look_up(game, part) for part in (text, *_CLAUSE.split(text)))), "")
        if not rule and "price" in kinds:
            rule = _priced(game, text)
    about = max(near.get("rule", 0.0), near.get("price", 0.0)) / (like[0].near if like else 1.0)
    speaks = rule or (next(iter(speak_of(game, text)), "") if about >= _SPEAKS else "")
    rule = speaks if about >= _RULED and (rule or "rule" in kinds) else ""
    kinds = () if rule else tuple(kind for kind in kinds if kind not in ("rule", "price", "none"))
    outright = (*said, *((verb.word for verb in _verbs(hand, text)) if hand.seat and not asks(text) else ()))
    near |= {kind: near.get(kind, 0.0) + _SAID for kind in outright}
    near |= {kind: lies * _NO_ORDER for kind, lies in near.items() if asking and kind not in kinds_of("member")}
    perhaps = offered((*kinds, "rule") if rule else kinds, said, like, near)
    return Asked(kinds, rule, perhaps, "" if rule else speaks)


_CLAUSE = re.compile(r"[.!?;,:\n]+\s*")


def _priced(game: AnyGame, text: str) -> str:
    """The price of what is named in a text, "" where no rule says it."""
    named = " ".join(word for word in _small(text).split() if word in names_of(game))
    return look_up(game, f"what does {named} cost") or next(iter(speak_of(game, f"{named} gold")), "") if named else ""


def said_and_like(
    text: str, names: frozenset[str], game: AnyGame, seated: bool = True
) -> tuple[tuple[str, ...], tuple[Likely, ...]]:
    """The kinds that patterns say, and those that a letter is like; `names` are those of people, seats, places and things."""
    said = ("tell",) if _TELL.match(text) else questions_in(text)
    return said, tuple(one for one in likely(text, "member", names, game) if seated or one.kind not in _OF_A_SEAT)


_OF_A_SEAT = frozenset(("owe", "undo", "refused", "skip", "auto", "repeat", "quit", "orders", "away"))
"""Questions that only a player asks."""


def _answer(hand: Hand, text: str) -> None:
    asked = asked_of(hand, text)
    known, shown, master = bool(asked.kinds or asked.rule), shortened(text), _masters(hand)
    sentences = list(dict.fromkeys(sentence for kind in asked.kinds for sentence in _answers(hand, kind)))
    sentences += [asked.rule] if asked.rule else []
    if not known:
        sentences.append(f"I am a program and am not sure what you mean by “{shown}”; nothing was changed.")
    sentences += [f"This rule speaks of it: {asked.speaks}"] if asked.speaks else []
    ways = _offered(hand, text, asked)
    if master and not hand.game_master:
        offer_to_pass_on(hand, text.strip())
        address = "" if hand.seat else ", with your address, so that you can be answered"
        sentences.append(
            f"Is something else meant? Reply YES and your letter goes to {master}{address}: “{shown}”"
            if known
            else f"Shall I pass this on to {master}{address}? Reply YES."
        )
    elif not known:
        keeper = f"{hand.office.keeper} looks after me; write there to reach a person. " if hand.office.keeper else ""
        sentences.append(f"{keeper}HELP says what can be written to me.")
    if ways:
        sentences.append("Or do you mean one of these? Reply with such a line:")
    framed = frame(hand, hand.member, hand.player)
    form = (
        form_for(hand.step, hand.playing, hand.seat) if hand.seat and (not known or _SHEET & {*asked.kinds}) else None
    )
    title = "Your question" if known else "Your letter"
    answer(hand, "answer", Notice(framed, title, tuple(sentences), form=form, ways=ways), "refusal")


_SHEET = frozenset(("owe", "auto", "skip"))
"""Questions that are answered by an order sheet."""


def _offered(hand: Hand, text: str, asked: Asked) -> tuple[tuple[str, str], ...]:
    """The other things that may be meant: the words that do it, and what they do."""
    verbs, known = verbs_here(hand.playing), kinds_of("member")
    offers = {}
    for kind in asked.perhaps:
        if kind in verbs:
            offers[_example(hand, verbs[kind])] = verbs[kind].meaning
        elif kind in known and known[kind].means:
            offers[_line(hand, kind, text) if known[kind].line else known[kind].write] = known[kind].means
    return tuple(offers.items())


def _example(hand: Hand, verb: Verb) -> str:
    """A line with an order, from the writer's own position or else about another seat than his."""
    game, state = hand.playing.game, hand.playing.outcome.state
    own = game.examples(state, Seat(hand.seat)).get(verb.word, "") if hand.seat else ""
    other = next((seat for seat in game.living(state) if seat != hand.seat), hand.seat)
    line = own or (re.sub(rf"\b{re.escape(hand.seat)}\b", other, verb.example) if hand.seat else verb.example)
    return line.splitlines()[0]


def _answers(hand: Hand, kind: str) -> tuple[str, ...]:
    """The answer to a question of a kind: by the situation, or as the examples have it."""
    if kind in _ANSWERS:
        return _ANSWERS[kind](hand)
    known = kinds_of("member").get(kind)
    return (known.answer,) if known and known.answer else ()


def _verbs(hand: Hand, text: str) -> tuple[Verb, ...]:
    """The verbs of the game that a text has."""
    return verbs_in(text, hand.playing.game.vocabulary(hand.playing.outcome.state))


def _masters(hand: Hand) -> str:
    """The game masters who are not the writer himself, by name where names are open; "" for none."""
    people = (hand.step.player(m.player) for m in hand.step.members(hand.match) if m.role == "gm")
    names = [player.name for player in people if player and player.id != hand.player.id]
    return (
        f"{in_a_row(names)}, your game master"
        if names and not hides_names(hand.playing)
        else "your game master"
        if names
        else ""
    )


def _owe(hand: Hand) -> tuple[str, ...]:
    """How it is done; what is owed stands below it in every letter."""
    if not debts(hand.playing, hand.seat):
        return ("Nothing is asked of you now.",)
    return (
        "The orders you owe stand below: fill in the sheet and send it back; PREVIEW above it tries it and files nothing.",
    )


def _win(hand: Hand) -> tuple[str, ...]:
    return (hand.playing.game.aim, "SEND standings shows the places of all players now.")


def _master(hand: Hand) -> tuple[str, ...]:
    master = _masters(hand)
    if not master:
        return ("You are the game master of this match.",)
    return (f"This match is run by {master}. To write: a line PRESS TO game master, your text, and a line END.",)


def _wait(hand: Hand) -> tuple[str, ...]:
    if not hand.seat:
        return ()
    return (
        "WAIT, alone on a line, holds your turn until your deadline; ROLL OUT runs it before. Nothing was done now.",
    )


def _time(hand: Hand) -> tuple[str, ...]:
    if hand.game_master and not hand.seat:
        return (
            "DEADLINE with a time and a seat gives it more time: DEADLINE +24h FOR, and the seat's name; PAUSE stops every clock. "
            "STATUS says what time is left.",
        )
    return (
        "EXTEND and a time, such as EXTEND 24h, takes more time where the match allows it; else ask your game master. "
        "STATUS says what time is left.",
    )


def _away(hand: Hand) -> tuple[str, ...]:
    return (
        "ABSENCE and two days, such as ABSENCE 24.12. 27.12., says when you are away: no deadline of yours falls there, as far "
        "as the match allows. Standing orders (HELP STANDING) play for you meanwhile.",
    )


def _quit(hand: Hand) -> tuple[str, ...]:
    return ("RESIGN leaves the match, after one more question. ABSENCE is for a while only; nothing was done now.",)


def _next(hand: Hand) -> tuple[str, ...]:
    """When something happens next, as far as the writer may know."""
    due = tuple(deadline_sentences(hand))
    return (
        *due,
        "A turn is played when its orders are in, at its deadline at the latest; its report then comes to you.",
    )


def _ends(hand: Hand) -> tuple[str, ...]:
    """When this match ends, by its own options."""
    return (
        *how_it_ends(hand.playing.game, hand.playing.row.options),
        f"It stands at {hand.playing.outcome.phase.title if hand.playing.outcome.phase else 'its end'}.",
    )


def _silent(hand: Hand) -> tuple[str, ...]:
    """The play for a player who does not answer."""
    if not hand.seat:
        return ()
    return (what_if_late(hand.playing, hand.seat), "STANDING (HELP STANDING) keeps orders that are played then.")


def _auto(hand: Hand) -> tuple[str, ...]:
    """A sound turn to send back, and a bot for a while."""
    bot = "AUTOPLAY UNTIL and a day has a bot play for you until then."
    if not debts(hand.playing, hand.seat):
        return ("Nothing is asked of you now.", bot)
    return ("The sheet below is a sound turn, with its reasons: send it back as it stands, or change it.", bot)


@cache
def _lines() -> Mapping[str, str]:
    """The lines that bring what is asked."""
    return {kind: known.line for kind, known in kinds_of("member").items() if known.line}


_ANSWERS: Mapping[str, Callable[[Hand], tuple[str, ...]]] = {
    "owe": _owe,
    "win": _win,
    "master": _master,
    "wait": _wait,
    "time": _time,
    "away": _away,
    "quit": _quit,
    "next": _next,
    "ends": _ends,
    "silent": _silent,
    "auto": _auto,
}
