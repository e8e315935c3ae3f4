"""What the words of the desk do at the front door, for strangers and in matches that have not begun."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from referee.core.order import Illegal, Order
from referee.orders import Mistake, Sentence
from referee.service.commands.caller import Caller
from referee.service.commands.examples import examples_at_the_door
from referee.service.commands.helping import Asker, help_at_the_door
from referee.service.commands.strangers import too_long_for
from referee.service.commands.words import every_word
from referee.service.letters import Refused
from referee.service.lobby import lobby
from referee.service.lobby.creating import create
from referee.service.lobby.forming import refuse_another_match, refuse_another_seat
from referee.service.lobby.leaving import BEFORE_THE_START, leave
from referee.service.lobby.mastering import DECISIONS
from referee.service.lobby.who import known_matches, who_page
from referee.service.match.playing import load, mark, running_version
from referee.service.people.admission import refuse_entry, refuse_unreliable
from referee.service.people.replacing import stand_by
from referee.service.people.said import Said
from referee.service.people.taking_over import take_over
from referee.service.ports import MatchRow
from referee.service.records.documents import ANYBODY, DOCUMENTS, Asking, enclose, find, wanted
from referee.service.records.verifying import verified
from referee.service.sheets.acting import named
from referee.service.turns.library import Missing, rules_page


def obey_at_the_door(caller: Caller, sentence: Sentence) -> None:
    """Do one word of a caller, or tell him why it is not done here."""
    act = _ACTS.get(sentence.order.verb)
    if act is None:
        caller.refused.append(
            Refused(0, sentence.source, "", "not allowed", only_in_a_match(sentence.order.verb), "desk")
        )
    elif sentence.order.verb in _LONG and not caller.proven:
        caller.say(sentence.source, Said(False, (too_long_for(sentence.order.verb),)))
    elif sentence.order.verb in DOES and not caller.proven:
        unwanted = refuse_entry(caller.office, caller.step, "", caller.player.addresses)
        caller.say(sentence.source, Said(False, (unwanted or _of_members(sentence.order.verb),)))
    else:
        act(caller, sentence.order, sentence.source)


def _of_members(word: str) -> str:
    """Why a word is not done for an address that is nobody's in any match."""
    who = "who has joined a match" if word in ("RESIGN", "I AM HERE") else "the game master of a match"
    return f"Only {who} can write {word}, in a reply to one of its letters."


def only_in_a_match(word: str) -> str:
    """Why a word of players or game masters is not done at the door."""
    return f"{word} is only done in a running match, by a reply to one of its letters."


def of_a_match(mistake: Mistake) -> Mistake:
    """A line that could not be read because it names what only a match knows, refused as what it is."""
    source = f"{' '.join(mistake.source.upper().split())} "
    words = [w for verb in every_word().verbs if verb.word not in _ACTS for w in (verb.word, *verb.aliases)]
    word = max((word for word in words if source.startswith(f"{word} ")), key=len, default="")
    if not word:
        return mistake
    return msgspec.structs.replace(mistake, refusal=Illegal(only_in_a_match(word), "desk", word))


def _help(caller: Caller, order: Order, source: str) -> None:
    asker = Asker(examples_at_the_door(known_matches(caller.step, caller.player.id)))
    caller.help = help_at_the_door(caller.office.games, _joined_things(order), asker)


def _joined_things(order: Order) -> str:
    return " ".join(thing.name for thing in order.things)


def _games(caller: Caller, order: Order, source: str) -> None:
    caller.done += lobby.games_lines(caller.office, caller.step, caller.player.id, comments=caller.proven)


def _rules(caller: Caller, order: Order, source: str) -> None:
    name = named(order, "game") or next(iter(caller.office.games))
    caller.pages.append(rules_page(caller.office.games[name]))


def _join(caller: Caller, order: Order, source: str) -> None:
    wishes = tuple(filter(None, (part.strip() for part in order.words_after("AS").split(","))))
    name = named(order, "match")
    full = refuse_another_seat(caller.office, caller.step, caller.player, name)
    said = Said(False, (full,)) if full else lobby.join(caller.office, caller.step, caller.stored(), name, wishes)
    caller.say(source, said, name)


def _observe(caller: Caller, order: Order, source: str) -> None:
    name = named(order, "match")
    caller.say(source, lobby.observe(caller.office, caller.step, caller.stored(), name), name)


def _create(caller: Caller, order: Order, source: str) -> None:
    office, step = caller.office, caller.step
    unwanted = refuse_entry(office, step, "", caller.player.addresses)
    unwanted = unwanted or refuse_another_match(office, step, caller.player)
    if unwanted:
        caller.say(source, Said(False, (unwanted,)))
        return
    name = order.words_after("AS")
    said = create(office, step, caller.stored(), named(order, "game"), name, order.words_after("WITH"))
    caller.say(source, said, name.lower())


def _start(caller: Caller, order: Order, source: str) -> None:
    name = named(order, "match")
    mine = [m for m in caller.step.memberships(caller.stored().id) if m.role == "gm" and m.status == "watching"]
    forming = [m.match for m in mine if (row := caller.step.match(m.match)) and row.status == "forming"]
    wanted = name or (forming[0] if len(forming) == 1 else "")
    if wanted not in {m.match for m in mine}:
        caller.say(source, Said(False, (f"Only the game master of {wanted or 'a match'} can start it.",)))
        return
    caller.say(source, lobby.start(caller.office, caller.step, caller.player, wanted), wanted)


def _start_now(caller: Caller, order: Order, source: str) -> None:
    name = _mastered(caller, order, source, "start it")
    if name:
        caller.say(source, lobby.start(caller.office, caller.step, caller.player, name, now=True), name)


def _mastered(caller: Caller, order: Order, source: str, what: str) -> str:
    """The match that forms and is meant, if its game master writes; else he is told why not."""
    name = named(order, "match")
    mine = [m.match for m in caller.step.memberships(caller.stored().id) if m.role == "gm" and m.status == "watching"]
    forming = [match for match in mine if (row := caller.step.match(match)) and row.status == "forming"]
    wanted = name or (forming[0] if len(forming) == 1 else "")
    if wanted in forming:
        return wanted
    caller.say(source, Said(False, (f"Only the game master of {wanted or 'a match'} that is forming can {what}.",)))
    return ""


def _decide(caller: Caller, order: Order, source: str) -> None:
    """A game master decides about a match before it begins."""
    name = _mastered(caller, order, source, f"write {order.verb}")
    row = caller.step.match(name) if name else None
    if row is not None:
        caller.say(source, DECISIONS[order.verb](caller.office, caller.step, row, order), name)


def _here(caller: Caller, order: Order, source: str) -> None:
    mine = [m.match for m in caller.step.memberships(caller.stored().id) if m.status == "applied"]
    forming = [match for match in mine if (row := caller.step.match(match)) and row.status == "forming"]
    name = named(order, "match") or (forming[0] if len(forming) == 1 else "")
    caller.say(source, lobby.here(caller.office, caller.step, caller.stored(), name), name)


def _stand_by(caller: Caller, order: Order, source: str) -> None:
    name = named(order, "match")
    if not name or caller.step.match(name) is None:
        caller.say(source, Said(False, ("Say for which match: STANDBY nw1. GAMES lists them.",)))
        return
    player = caller.stored()
    office, step = caller.office, caller.step
    unwanted = refuse_entry(office, step, name, player.addresses) or refuse_unreliable(office, step, name, player)
    wrong = unwanted or stand_by(step, name, player)
    done = f"You stand by for {name}: a seat that falls free may be given to you."
    caller.say(source, Said(not wrong, (wrong or done,)), name)


def _take_over(caller: Caller, order: Order, source: str) -> None:
    name = named(order, "match")
    caller.say(source, take_over(caller.office, caller.step, caller.stored(), name, order.words_after("AS")), name)


def _who(caller: Caller, order: Order, source: str) -> None:
    known = {row.name: row for row in known_matches(caller.step, caller.player.id)}
    row = known.get(named(order, "match")) or (next(iter(known.values())) if len(known) == 1 else None)
    if row is None:
        caller.say(source, Said(False, ("Say of which match: WHO nw1. GAMES lists them.",)))
    else:
        caller.pages.append(who_page(caller.office, caller.step, row))


def _leave(caller: Caller, order: Order, source: str) -> None:
    caller.say(source, leave(caller.step, caller.stored(), named(order, "match")))


def _before(caller: Caller, order: Order, source: str) -> None:
    """A game master ends a match, or sets its clock, before it begins."""
    name = _mastered(caller, order, source, f"write {order.verb}")
    row = caller.step.match(name) if name else None
    if row is not None:
        said = BEFORE_THE_START[order.verb](caller.office, caller.step, row, caller.player, order)
        caller.say(source, said, "" if order.verb == "TERMINATE" else name)


def _send(caller: Caller, order: Order, source: str) -> None:
    """Public documents of a match, for anybody: SEND report TURN 3 OF nw1."""
    want = wanted(order)
    document, row = DOCUMENTS[want.word], _begun(caller, order)
    if row is None and document.of_match and document.who == ANYBODY:
        caller.say(source, Said(False, (f"Say of which running match: {document.line} OF nw1.",)))
        return
    playing = load(caller.office, caller.step, row) if row and document.of_match else None
    asking = Asking(caller.office, caller.step, caller.player, playing)
    made = find(asking, want)
    if isinstance(made, Missing):
        caller.say(source, Said(False, (made.sentence,)))
    else:
        enclose(caller, made)


def _begun(caller: Caller, order: Order) -> MatchRow | None:
    """The match that is named, or the caller's own, if it has begun."""
    names = {thing.name for thing in order.after("OF") if thing.kind == "match"}
    mine = {m.match for m in caller.step.memberships(caller.player.id)} if caller.player.id else set[str]()
    meant = names or mine
    row = caller.step.match(next(iter(meant))) if len(meant) == 1 else None
    return row if row and row.status != "forming" else None


def _verify(caller: Caller, order: Order, source: str) -> None:
    """The heads of all logs; of the match that is named, what can be checked of it."""
    caller.done.append(running_version())
    wanted = named(order, "match")
    row = caller.step.match(wanted) if wanted else None
    if row is not None and row.status == "forming":
        caller.say(source, Said(False, (f"{wanted} has not begun, so there is no log of it.",)))
    elif row is not None:
        caller.done += verified(caller.office, caller.step, row)
    if wanted:
        return
    for row in known_matches(caller.step, caller.player.id):
        if row.status != "forming":
            caller.done.append(f"The log of {row.name} stands at {mark(load(caller.office, caller.step, row).told)}.")


_LONG = frozenset({"RULES", "SEND", "WHO"})
"""Words that bring pages, or what other people wrote."""

_TELLS: Mapping[str, Callable[[Caller, Order, str], None]] = {
    "HELP": _help,
    "GAMES": _games,
    "RULES": _rules,
    "WHO": _who,
    "SEND": _send,
    "VERIFY": _verify,
}
"""What changes nothing, and is told to anybody."""

_DOES: Mapping[str, Callable[[Caller, Order, str], None]] = {
    "JOIN": _join,
    "OBSERVE": _observe,
    "CREATE": _create,
    "START": _start,
    "START NOW": _start_now,
    **dict.fromkeys(DECISIONS, _decide),
    "I AM HERE": _here,
    "STANDBY": _stand_by,
    "TAKEOVER": _take_over,
    "RESIGN": _leave,
    **dict.fromkeys(BEFORE_THE_START, _before),
}
DOES = frozenset(_DOES)
"""What is done for nobody who has not proved who he is."""

_ACTS = {**_TELLS, **_DOES}
