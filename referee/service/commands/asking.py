"""Commands that only ask: what is played here, who plays, what stands, how a word is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.names import Seat
from referee.core.order import Order
from referee.kit.wording import in_a_row
from referee.service.clock.clock_words import clock_sentences
from referee.service.clock.slot_life import GRACE, TOLD, State, slot_state
from referee.service.commands.caller import Caller
from referee.service.commands.command import By, Command, named, visiting, word
from referee.service.commands.examples import examples_at_the_door, examples_here, line_here, notes_here
from referee.service.commands.helping import Asker, help_at_the_door, help_page
from referee.service.commands.joining import resigned_sentences
from referee.service.commands.situations import help_at_first, help_here
from referee.service.commands.words import desk_words
from referee.service.lobby.newcomers import status_before
from referee.service.lobby.offered import games_lines
from referee.service.lobby.who import known_matches, who_page
from referee.service.match.playing import load, mark, running_version
from referee.service.match.result import Denied
from referee.service.match.witnesses import sentences as witness_sentences
from referee.service.overrides.hand import Hand
from referee.service.overrides.timebank import left_in_bank
from referee.service.overrides.twokeys import plays_too
from referee.service.people.reliability import reliability
from referee.service.ports import MatchRow
from referee.service.press import treaties, votes
from referee.service.records.documents import ANYBODY, DOCUMENTS, Asking, enclose, find, wanted
from referee.service.records.verifying import verified
from referee.service.sheets.visit import Visit
from referee.service.times import both_stamps, length
from referee.service.turns.halting import GOES_ON, WAY_OUT
from referee.service.turns.library import guide_page, rules_page


def _help(visit: Visit, order: Order, source: str) -> None:
    game, state, seats = visit.playing.game, visit.playing.outcome.state, visit.playing.created.seats
    games, seat, words = visit.office.games, bool(visit.seat), game.vocabulary(state)
    desk = desk_words(games, (visit.match,), seats, seat, visit.game_master, words)
    own = game.examples(state, Seat(visit.seat)) if visit.seat else {}
    turn, settings, line = visit.playing.turn + 1, tuple(game.settings), line_here(visit, own)
    if not named(order):
        visit.help = help_here(visit, own, line)
        return
    asker = Asker(examples_here(visit), turn, settings, own, line, notes_here(visit), bool(visit.seat))
    visit.help = help_page(named(order), words, desk, game.name, asker)


def _help_at_the_door(caller: Caller, order: Order, source: str) -> None:
    asker = Asker(examples_at_the_door(known_matches(caller.step, caller.player.id)))
    asked = " ".join(thing.name for thing in order.things)
    if not asked:
        caller.help = help_at_first(caller)
        return
    caller.help = help_at_the_door(caller.office.games, asked, asker)


def _games(visit: Visit, order: Order, source: str) -> None:
    visit.done += games_lines(visit.office, visit.step, visit.player.id)


def _games_at_the_door(caller: Caller, order: Order, source: str) -> None:
    caller.done += games_lines(caller.office, caller.step, caller.player.id, comments=caller.proven)


def _rules(visit: Visit, order: Order, source: str) -> None:
    visit.pages.append(rules_page(visit.playing.game, visit.playing.outcome.state))


def _rules_at_the_door(caller: Caller, order: Order, source: str) -> None:
    name = named(order, "game") or next(iter(caller.office.games))
    caller.pages.append(rules_page(caller.office.games[name]))


def _guide(visit: Visit, order: Order, source: str) -> None:
    asked = visit.office.games.get(named(order, "game"), visit.playing.game)
    visit.pages.append(guide_page(asked))


def _guide_at_the_door(caller: Caller, order: Order, source: str) -> None:
    name = named(order, "game") or next(iter(caller.office.games))
    caller.pages.append(guide_page(caller.office.games[name]))


def _who(visit: Visit, order: Order, source: str) -> None:
    row = _other_match(visit, order)
    if row is None:
        visit.deny(source, f"I know no match {named(order, 'match')}; GAMES lists those there are.")
    else:
        visit.pages.append(who_page(visit.office, visit.step, row))


def _who_at_the_door(caller: Caller, order: Order, source: str) -> None:
    known = {row.name: row for row in known_matches(caller.step, caller.player.id)}
    row = known.get(named(order, "match")) or (next(iter(known.values())) if len(known) == 1 else None)
    if row is None:
        caller.deny(source, "Say of which match: WHO nw1. GAMES lists them.")
    else:
        caller.pages.append(who_page(caller.office, caller.step, row))


def _send(visit: Visit, order: Order, source: str) -> None:
    masters = visit.game_master and not plays_too(visit.step, visit.match, visit.player)
    asking = Asking(visit.office, visit.step, visit.player, visit.playing, visit.member, masters)
    want = wanted(order, visit.office.clock.now().date())
    made = want if isinstance(want, Denied) else find(asking, want)
    if isinstance(made, Denied):
        visit.deny(source, made.sentence)
    else:
        enclose(visit, made)


def _send_at_the_door(caller: Caller, order: Order, source: str) -> None:
    """Public documents of a match, for anybody: SEND report TURN 3 OF nw1."""
    want = wanted(order, caller.office.clock.now().date())
    if isinstance(want, Denied):
        caller.deny(source, want.sentence)
        return
    document, row = DOCUMENTS[want.word], _begun(caller, order)
    if row is None and document.of_match and document.who == ANYBODY:
        caller.deny(source, f"Say of which running match: {document.line} OF nw1.")
        return
    playing = load(caller.office, caller.step, row) if row and document.of_match else None
    made = find(Asking(caller.office, caller.step, caller.player, playing), want)
    if isinstance(made, Denied):
        caller.deny(source, made.sentence)
    else:
        enclose(caller, made)


def _begun(caller: Caller, order: Order) -> MatchRow | None:
    """The match that is named, or the caller's own, if it has begun."""
    names = {thing.name for thing in order.after("OF") if thing.kind == "match"}
    mine = {m.match for m in caller.step.memberships(caller.player.id)} if caller.player.id else set[str]()
    meant = names or mine
    row = caller.step.match(next(iter(meant))) if len(meant) == 1 else None
    return row if row and row.status != "forming" else None


def _verify(visit: Visit, order: Order, source: str) -> None:
    visit.done.append(running_version())
    row = _other_match(visit, order)
    if row is None or row.status == "forming":
        visit.deny(source, f"{named(order, 'match')} has not begun, so there is no log of it.")
    else:
        visit.done += verified(visit.office, visit.step, row)


def _other_match(visit: Visit, order: Order) -> MatchRow | None:
    """The match a line names that the writer may know of; his own where it names none."""
    name = named(order, "match") or visit.match
    others = (row for row in known_matches(visit.step, visit.player.id) if row.name == name)
    return visit.playing.row if name == visit.match else next(others, None)


def _verify_at_the_door(caller: Caller, order: Order, source: str) -> None:
    """The heads of all logs; of the match that is named, what can be checked of it."""
    caller.done.append(running_version())
    meant = named(order, "match")
    row = caller.step.match(meant) if meant else None
    if row is not None and row.status == "forming":
        caller.deny(source, f"{meant} has not begun, so there is no log of it.")
    elif row is not None:
        caller.done += verified(caller.office, caller.step, row)
    if meant:
        return
    for row in known_matches(caller.step, caller.player.id):
        if row.status != "forming":
            caller.done.append(f"The log of {row.name} stands at {mark(load(caller.office, caller.step, row).told)}.")


# ---------------------------------------------------------------- STATUS


def _status(visit: Visit, order: Order, source: str) -> None:
    visit.done += deadline_sentences(visit)
    visit.done.append(_stands(visit))
    visit.done += clock_sentences(visit.playing.settings)
    visit.done += _records(visit)
    visit.done += resigned_sentences(visit)
    visit.done += treaties.treaty_sentences(visit.step, visit.match, visit.seat)
    visit.done += votes.motion_sentences(visit)
    visit.done += witness_sentences(visit.step, visit.match)
    if visit.seat and visit.playing.settings.bank_hours:
        bank = left_in_bank(visit.step, visit.playing, visit.seat)
        visit.done.append(f"Your time bank has {length(bank) if bank else 'nothing'} left.")


def _stands(visit: Visit) -> str:
    """Where the match stands; of one that cannot be run on also why, to its game masters, and how it goes on."""
    row, phase = visit.playing.row, visit.playing.outcome.phase
    at = f"it stands at {phase.title if phase else 'its end'}."
    if not visit.playing.fault and row.status != "shunted":
        return f"{row.name} is {row.status}; {at}"
    why = f" What is wrong: {visit.playing.fault or row.trouble}. {WAY_OUT}" if visit.game_master else f" {GOES_ON}"
    return f"{row.name} could not be run on and stands still; {at} Nothing of it is lost.{why}"


def _status_at_the_door(caller: Caller, order: Order, source: str) -> None:
    """Of each match of his that has not begun, or of the one that is named."""
    step, name = caller.step, named(order, "match")
    mine = {m.match for m in step.memberships(caller.player.id) if m.status not in ("left", "replaced")}
    rows = [row for match in sorted(mine) if name in ("", match) and (row := step.match(match))]
    for row in (row for row in rows if row.status == "forming"):
        caller.done += status_before(caller.office, step, row, caller.player)
        caller.match = row.name
    if not any(row.status == "forming" for row in rows):
        caller.deny(source, f"{_not_before(rows)} WHO and the name of a match tells anybody who plays in it.")


def _not_before(rows: Sequence[MatchRow]) -> str:
    if not rows:
        return "STATUS tells of a match that you take part in."
    return f"{rows[0].name} is {rows[0].status}; write STATUS in a reply to one of its letters."


def deadline_sentences(visit: Hand) -> Iterator[str]:
    """Who has until when, as far as the writer may know."""
    hides, zone, alarms = visit.playing.settings.hides_late, visit.player.zone, visit.step.alarms(visit.match)
    for alarm in alarms:
        if alarm.kind in TOLD and (alarm.seat == visit.seat or visit.game_master or not hides):
            late = " is late and has grace" if alarm.kind == GRACE else " has"
            left = length(alarm.due_at - visit.office.clock.now())
            yield f"{alarm.seat}{late} until {both_stamps(alarm.due_at, zone)}, {left} from now."
    for asked in visit.playing.outcome.open:
        if slot_state(visit.playing.row, alarms, asked.key) is State.ON_CALL:
            end_it = f"any other player may end the slot with ROLL OUT {asked.seat}"
            yield f"{asked.seat} is late and can still play; {end_it}."


def _records(visit: Visit) -> Iterator[str]:
    """One's own reliability, and for a game master who does not play that of every player."""
    if visit.seat:
        yield f"Your record over all matches: {reliability(visit.office, visit.step, visit.player.id).sentence()}"
    if visit.game_master and not plays_too(visit.step, visit.match, visit.player):
        for member in visit.step.members(visit.match):
            if member.role == "player" and member.status == "playing":
                found = reliability(visit.office, visit.step, member.player, visit.player.id)
                yield f"{member.seat}'s player over all matches: {found.sentence()}"


COMMANDS = (
    Command(
        verb=word("HELP", "explains a word, or lists them all", "HELP SEND", ("words",), most=1),
        by=By.ANYONE,
        here=visiting(_help),
        door=_help_at_the_door,
        proof=False,
    ),
    Command(
        verb=word(
            "GAMES",
            "lists the games played here and the matches that can be joined or watched",
            "GAMES",
            aliases=("LIST",),
        ),
        by=By.ANYONE,
        here=visiting(_games),
        door=_games_at_the_door,
        proof=False,
    ),
    Command(
        verb=word(
            "GUIDE", "tells a newcomer how a game is played, in half a page", "GUIDE newworld", ("game",), most=1
        ),
        by=By.ANYONE,
        here=visiting(_guide),
        door=_guide_at_the_door,
        proof=False,
        long=True,
    ),
    Command(
        verb=word("RULES", "sends the numbered rules and rulings of a game", "RULES newworld", ("game",), most=1),
        by=By.ANYONE,
        here=visiting(_rules),
        door=_rules_at_the_door,
        proof=False,
        long=True,
    ),
    Command(
        verb=word(
            "WHO",
            "says who plays in a match and by what rules and clock",
            "WHO nw1",
            ("match",),
            most=1,
            aliases=("WHOGAME",),
        ),
        by=By.ANYONE,
        here=visiting(_who),
        door=_who_at_the_door,
        proof=False,
        long=True,
    ),
    Command(
        verb=word(
            "SEND",
            f"sends a document: {in_a_row(tuple(DOCUMENTS), 'or')}; HELP SEND says what each is. AS xlsx, csv or json makes "
            "files",
            "SEND report TURN 3",
            ("document",),
            1,
            2,
            {"TURN": ("number",), "SINCE": ("date",), "LINES": ("number",), "OF": ("seat", "match"), "AS": ("form",)},
        ),
        by=By.ANYONE,
        here=visiting(_send),
        door=_send_at_the_door,
        proof=False,
        long=True,
    ),
    Command(
        verb=word(
            "VERIFY",
            "checks the log of a match: its chain while it runs, and every die and event when its secret is published; tells "
            "which version of the referee runs",
            "VERIFY nw1",
            ("match",),
            most=1,
            aliases=("VERSION",),
        ),
        by=By.ANYONE,
        here=visiting(_verify),
        door=_verify_at_the_door,
        proof=False,
    ),
    Command(
        verb=word(
            "STATUS",
            "says who owes what and by when; before the start, who has joined, what the match waits for and when it lapses",
            "STATUS",
            ("match",),
            most=1,
        ),
        by=By.ANYONE,
        here=visiting(_status),
        door=_status_at_the_door,
    ),
)
