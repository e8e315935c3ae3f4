"""How a command is obeyed: in a match, at the door and before a match begins; and the second key, which is a command, too."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from referee.core.order import Illegal, Order
from referee.orders import Mistake, Sentence, read
from referee.service.house.people import refuse_entry
from referee.service.intake.commands.caller import Caller, too_long_for
from referee.service.intake.commands.command import By, Command, Here, named, number_in, reason, word
from referee.service.intake.commands.words import command, commands, desk_words
from referee.service.match.members import masters_of, may_know, named_in
from referee.service.match.result import NOTHING, Came, Denial, Told, denied, need, said_of
from referee.service.turn.hand import Hand, Writer
from referee.service.turn.hand_course import judge_proposal, plays_too, propose, proposed

# ---------------------------------------------------------------- in a match


def obey(hand: Hand, sentence: Sentence) -> Came:
    """Do one command of a member; what came of it, be it why it could not be done."""
    found, order, source = command(sentence.order.verb), sentence.order, sentence.source
    by = hand.player.name if hand.game_master else hand.seat
    with hand.signing(by, reason(order), source):
        return said_of(source, lambda: _obeyed(hand, found, order))


def _obeyed(hand: Hand, found: Command, order: Order) -> Came | Told:
    away = named_in(hand, _published(found, order)) if hand.game_master else ""
    need(not away, f"This match is anonymous, and everybody would read {away}; leave that out.")
    if _waits_for_key(hand, found, order):
        return propose(hand, hand.line)
    # A turn that is sealed says itself why it can neither roll out nor wait.
    asks = found.word in (*ONLY_ASK, "ROLL OUT", "WAIT", "NO WAIT")
    need(hand.status != "sealed" or asks, until_they_fell(hand.match))
    if found.here is None:
        raise Denial(f"{found.word} is not done in a match; send it to {hand.office.address} in a letter of its own.")
    return found.here(hand, order)


def until_they_fell(match: str) -> str:
    """Why a line is not done of a letter of which one before has sealed the match."""
    return f"The dice of {match} are about to fall; write this line again when they have fallen."


ONLY_ASK = frozenset(("STATUS", "HELP", "WHO", "GAMES", "GUIDE", "RULES", "SEND", "VERIFY", "ORDERS"))
"""What writes nothing into the log, and nothing that others read."""


def _published(found: Command, order: Order) -> list[str]:
    """The words of a game master's own that everybody is told."""
    own = order.things if found.public else ()
    return [thing.name for thing in (*own, *order.after("BECAUSE"), *order.after("CITING"))]


def _waits_for_key(hand: Hand, found: Command, order: Order) -> bool:
    """Whether a command waits for a second key: its writer masters the match and plays in it."""
    if not hand.game_master or hand.writer.keyed or not plays_too(hand.step, hand.match, hand.player):
        return False
    return found.key(hand, order)


# ---------------------------------------------------------------- the second key


def _turn_key(yes: bool) -> Here:
    """The second key; with the last one wanted the line is done as its game master wrote it."""

    def here(hand: Hand, order: Order) -> Came | Told:
        proposal, said = judge_proposal(hand, number_in(order.things), yes)
        return Came((said,)) + (_do_proposed(hand, proposal.line, proposal.player) if proposal else NOTHING)

    return here


def _do_proposed(hand: Hand, line: str, number: int) -> Came:
    """Do a line that has all its keys, as the game master who wrote it."""
    master = hand.step.player(number)
    member = next((m for m in hand.step.members(hand.match) if m.player == number and m.role == "gm"), None)
    if master is None or member is None:
        return denied(hand.line, "Who proposed it is game master no longer, so it is not done.")
    row, seats, came = hand.match, tuple(hand.playing.created.seats), NOTHING
    with hand.lent(Writer(master, member, hand.letter, hand.unique, game_master=True, keyed=True)):
        for sentence in read(line, None, desk_words(hand.office.games, (row,), seats, False, True)).desk:
            came += obey(hand, sentence)
    masters = masters_of(hand.step, hand.match)
    knows = may_know(hand.playing, masters, hand.member, hand.player, "")
    return Came(came.done if knows else ("It is done.",), came.refused)


# ---------------------------------------------------------------- at the door


def obey_at_the_door(caller: Caller, sentence: Sentence) -> Came:
    """Do one command of a caller; what came of it, be it why it is not done here."""
    found, order = command(sentence.order.verb), sentence.order
    return said_of(sentence.source, lambda: _obeyed_at_the_door(caller, found, order))


def _obeyed_at_the_door(caller: Caller, found: Command, order: Order) -> Came | Told:
    need(found.door or found.before, only_in_a_match(found.word))
    need(caller.proven or not found.long, too_long_for(found.word))
    if found.proof and not caller.proven:
        raise Denial(refuse_entry(caller, "", caller.player.addresses) or _of_members(found.word))
    return found.door(caller, order) if found.door else _before(caller, found, order)


def _before(caller: Caller, found: Command, order: Order) -> Told:
    """Do what a game master decides about a match before it begins."""
    what = "start it" if found.word == "START NOW" else f"write {found.word}"
    forming = caller.forming("gm", "watching")
    name = named(order, "match") or (next(iter(forming)) if len(forming) == 1 else "")
    if name not in forming or found.before is None:
        raise Denial(f"Only the game master of {name or 'a match'} that is forming can {what}.")
    said = found.before(caller, forming[name], caller.player, order)
    return said if found.word == "TERMINATE" else (*said, *caller.served(name))


def _of_members(said: str) -> str:
    """Why a command is not done for an address that is nobody's in any match."""
    if said == "FORGET ME":
        return "I know nobody at this address, so nothing is kept of you but your letters, and those go by themselves."
    who = "who has joined a match" if said in ("RESIGN", "I AM HERE") else "the game master of a match"
    return f"Only {who} can write {said}, in a reply to one of its letters."


def only_in_a_match(said: str) -> str:
    """Why a command of players or game masters is not done at the door."""
    return f"{said} is only done in a running match, by a reply to one of its letters."


def of_a_match(mistake: Mistake) -> Mistake:
    """A line that could not be read because it names what only a match knows, refused as what it is."""
    source = f"{' '.join(mistake.source.upper().split())} "
    inside = [known.verb for known in commands() if command(known.word).door is None and known.before is None]
    words = [said for verb in inside for said in (verb.word, *verb.aliases)]
    found = max((said for said in words if source.startswith(f"{said} ")), key=len, default="")
    if not found:
        return mistake
    return msgspec.structs.replace(mistake, refusal=Illegal(only_in_a_match(found), "", found))


def _example(said: str) -> Callable[[Hand], str | None]:
    """A proposal that waits for its key."""

    def example(hand: Hand) -> str | None:
        number = proposed(hand.step, hand.match)
        return f"{said} {number}" if number else None

    return example


COMMANDS = (
    Command(
        verb=word(
            "CONFIRM",
            "turns the second key to what a game master who plays himself wants to do",
            "CONFIRM 1",
            ("number",),
            1,
            1,
        ),
        by=By.KEY_HOLDERS,
        here=_turn_key(yes=True),
        example=_example("CONFIRM"),
    ),
    Command(
        verb=word(
            "OBJECT",
            "refuses the second key; another game master stops the proposal by it",
            "OBJECT 1",
            ("number",),
            1,
            1,
        ),
        by=By.KEY_HOLDERS,
        here=_turn_key(yes=False),
        example=_example("OBJECT"),
    ),
)
