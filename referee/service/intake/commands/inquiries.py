"""Commands that only ask: what is played here, who plays, what stands, how a word is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.game import AnyGame
from referee.core.names import Seat
from referee.core.order import Order
from referee.kit.wording import in_a_row
from referee.service.base.office import page_of_game
from referee.service.base.ports import MatchRow
from referee.service.base.times import both_stamps, length
from referee.service.house import treaties_and_votes
from referee.service.house.documents import ANYBODY, DOCUMENTS, Asking, enclose, find, wanted
from referee.service.house.match_lists import games_lines, known_matches, who_page
from referee.service.house.membership import status_before
from referee.service.house.proofs import verified
from referee.service.house.reliability import reliability
from referee.service.intake.commands.caller import Caller, too_long_for
from referee.service.intake.commands.command import By, Command, desk_words, named, word
from referee.service.intake.commands.help import (
    Asker,
    examples_at_the_door,
    examples_here,
    help_at_first,
    help_at_the_door,
    help_here,
    help_page,
    line_here,
    notes_here,
)
from referee.service.intake.commands.membership import resigned_sentences
from referee.service.match.clock_words import clock_sentences
from referee.service.match.open_log import sentences as witness_sentences
from referee.service.match.playing import load, mark, running_version
from referee.service.match.result import Came, Denial, Enclosed, Told, need
from referee.service.match.slot_life import GRACE, TOLD, State, slot_state
from referee.service.turn.absences import left_in_bank
from referee.service.turn.advance import GOES_ON, WAY_OUT
from referee.service.turn.knowledge import guide_page, how_it_ends, rules_page
from referee.service.turn.two_keys import plays_too
from referee.service.turn.writer import Hand


def _help(hand: Hand, order: Order) -> Came:
    game, state, seats = hand.playing.game, hand.playing.outcome.state, hand.playing.created.seats
    seat, words = bool(hand.seat), game.vocabulary(state)
    desk = desk_words(hand.office.games, (hand.match,), seats, seat, hand.game_master, words)
    own = game.examples(state, Seat(hand.seat)) if seat else {}
    turn, settings, line = hand.playing.turn + 1, tuple(game.settings), line_here(hand, own)
    if not named(order):
        return Came(enclosed=Enclosed(help=help_here(hand, own, line)))
    asker = Asker(examples_here(hand), turn, settings, own, line, notes_here(hand), seat)
    return Came(enclosed=Enclosed(help=help_page(named(order), words, desk, game.name, asker)))


def _help_at_the_door(caller: Caller, order: Order) -> Came:
    asker = Asker(examples_at_the_door(known_matches(caller.step, caller.player.id)))
    asked = " ".join(thing.name for thing in order.things)
    page = help_at_the_door(caller.office.games, asked, asker) if asked else help_at_first(caller)
    return Came(enclosed=Enclosed(help=page))


def _games(who: Hand | Caller, order: Order) -> Told:
    comments = isinstance(who, Hand) or who.proven
    return games_lines(who, who.player.id, comments)


def _on_the_web(who: Hand | Caller, game: AnyGame, rules: bool) -> Enclosed:
    """The public pages of a game."""
    pages = ((f"All rules of {game.title}", True), (f"{game.title} in short", False))
    found = tuple((what, page_of_game(who.office, game.name, of)) for what, of in pages if of == rules or not rules)
    return Enclosed(web=tuple(page for page in found if page[1]))


def _rules(who: Hand | Caller, order: Order) -> Came:
    """All of them; an unproven writer is sent their address, for they are long."""
    if isinstance(who, Caller) and not who.proven:
        web = _on_the_web(who, _game(who, order), True)
        need(web.web, too_long_for("RULES"))
        return Came(("The rules stand on the web, each with its number.",), enclosed=web)
    state = who.playing.outcome.state if isinstance(who, Hand) else None
    game = who.playing.game if isinstance(who, Hand) else _game(who, order)
    return Came(enclosed=Enclosed((rules_page(game, state),)))


def _guide(who: Hand | Caller, order: Order) -> Came:
    """How a game goes; to an unproven writer in sentences, with the place where more of it stands."""
    if isinstance(who, Caller) and not who.proven:
        game = _game(who, order)
        told = (game.about, game.aim, *how_it_ends(game), *game.guide.turn, *game.guide.first)
        return Came(told, enclosed=_on_the_web(who, game, False))
    return Came(enclosed=Enclosed((guide_page(_game(who, order)),)))


def _game(who: Hand | Caller, order: Order) -> AnyGame:
    """The game that is named, or that of the match, or the first there is."""
    usual = who.playing.game if isinstance(who, Hand) else next(iter(who.office.games.values()))
    return who.office.games.get(named(order, "game"), usual)


def _who(hand: Hand, order: Order) -> Came:
    row = _other_match(hand, order)
    if row is None:
        raise Denial(f"I know no match {named(order, 'match')}; GAMES lists those there are.")
    return Came(enclosed=Enclosed((who_page(hand, row),)))


def _who_at_the_door(caller: Caller, order: Order) -> Came:
    known = {row.name: row for row in known_matches(caller.step, caller.player.id)}
    row = known.get(named(order, "match")) or (next(iter(known.values())) if len(known) == 1 else None)
    if row is None:
        raise Denial("Say of which match: WHO nw1. GAMES lists them.")
    return Came(enclosed=Enclosed((who_page(caller, row),)))


def _send(hand: Hand, order: Order) -> Came:
    masters = hand.game_master and not plays_too(hand.step, hand.match, hand.player)
    asking = Asking(hand.office, hand.step, hand.player, hand.playing, hand.member, masters)
    return enclose(find(asking, wanted(order, hand.now.date())))


def _send_at_the_door(caller: Caller, order: Order) -> Came:
    """Public documents of a match, for anybody: SEND report TURN 3 OF nw1."""
    want = wanted(order, caller.now.date())
    document, row = DOCUMENTS[want.word], _begun(caller, order)
    unsaid = row is None and document.of_match and document.who == ANYBODY
    need(not unsaid, f"Say of which running match: {document.line} OF nw1.")
    playing = load(caller, row) if row and document.of_match else None
    return enclose(find(Asking(caller.office, caller.step, caller.player, playing), want))


def _begun(caller: Caller, order: Order) -> MatchRow | None:
    """The match that is named, or the caller's own, if it has begun."""
    names = {thing.name for thing in order.after("OF") if thing.kind == "match"}
    mine = {m.match for m in caller.step.memberships(caller.player.id)} if caller.player.id else set[str]()
    meant = names or mine
    row = caller.step.match(next(iter(meant))) if len(meant) == 1 else None
    return row if row and row.status != "forming" else None


def _verify(hand: Hand, order: Order) -> Told:
    return _checked(hand, named(order, "match"), _other_match(hand, order))


def _verify_at_the_door(caller: Caller, order: Order) -> Told:
    """The heads of all logs; of the match that is named, what can be checked of it."""
    if meant := named(order, "match"):
        row = caller.step.match(meant)
        return _checked(caller, meant, row) if row else (running_version(),)
    rows = (row for row in known_matches(caller.step, caller.player.id) if row.status != "forming")
    heads = ((row.name, mark(load(caller, row).told)) for row in rows)
    return (running_version(), *(f"The log of {match} stands at {head}." for match, head in heads))


def _checked(who: Hand | Caller, name: str, row: MatchRow | None) -> Told:
    """The version that runs, and what was checked of a match."""
    version = running_version()
    if row is None or row.status == "forming":
        raise Denial(f"{name} has not begun, so there is no log of it.", came=Came((version,)))
    return (version, *verified(who, row))


def _other_match(hand: Hand, order: Order) -> MatchRow | None:
    """The match a line names that the writer may know of; his own where it names none."""
    name = named(order, "match") or hand.match
    others = (row for row in known_matches(hand.step, hand.player.id) if row.name == name)
    return hand.playing.row if name == hand.match else next(others, None)


# ---------------------------------------------------------------- STATUS


def _status(hand: Hand, order: Order) -> Told:
    bank, seat, match = hand.playing.settings.bank_hours, hand.seat, hand.match
    left = left_in_bank(hand.step, hand.playing, seat) if seat and bank else None
    return (
        *deadline_sentences(hand),
        _stands(hand),
        *clock_sentences(hand.playing.settings),
        *_records(hand),
        *resigned_sentences(hand),
        *treaties_and_votes.treaty_sentences(hand.step, match, seat),
        *treaties_and_votes.motion_sentences(hand),
        *witness_sentences(hand.step, match),
        *((f"Your time bank has {length(left) if left else 'nothing'} left.",) if seat and bank else ()),
    )


def _stands(hand: Hand) -> str:
    """Where the match stands; of one that cannot be run on also why, to its game masters, and how it goes on."""
    row, phase = hand.playing.row, hand.playing.outcome.phase
    at = f"it stands at {phase.title if phase else 'its end'}."
    if not hand.playing.fault and row.status != "shunted":
        return f"{row.name} is {row.status}; {at}"
    why = f" The fault: {hand.playing.fault or row.trouble}. {WAY_OUT}" if hand.game_master else f" {GOES_ON}"
    return f"{row.name} could not be run on and stands still; {at} Nothing of it is lost.{why}"


def _status_at_the_door(caller: Caller, order: Order) -> Told:
    """Of each match of his that has not begun, or of the one that is named."""
    step, name = caller.step, named(order, "match")
    mine = {m.match for m in step.memberships(caller.player.id) if m.status not in ("left", "replaced")}
    rows = [row for match in sorted(mine) if name in ("", match) and (row := step.match(match))]
    forming = [row for row in rows if row.status == "forming"]
    if not forming:
        raise Denial(f"{_not_before(rows)} WHO and the name of a match tells anybody who plays in it.")
    caller.means(forming[-1].name)
    return tuple(said for row in forming for said in status_before(caller, row, caller.player))


def _not_before(rows: Sequence[MatchRow]) -> str:
    if not rows:
        return "STATUS tells of a match that you take part in."
    return f"{rows[0].name} is {rows[0].status}; write STATUS in a reply to one of its letters."


def deadline_sentences(hand: Hand) -> Iterator[str]:
    """The deadlines of all, as far as the writer may know them."""
    hides, zone, alarms = hand.playing.settings.hides_late, hand.player.zone, hand.step.alarms(hand.match)
    for alarm in alarms:
        if alarm.kind in TOLD and (alarm.seat == hand.seat or hand.game_master or not hides):
            late = " is late and has grace" if alarm.kind == GRACE else " has"
            left = length(alarm.due_at - hand.now)
            yield f"{alarm.seat}{late} until {both_stamps(alarm.due_at, zone)}, {left} from now."
    for asked in hand.playing.outcome.open:
        if slot_state(hand.playing.row, alarms, asked.key) is State.ON_CALL:
            end_it = f"any other player may end the slot with ROLL OUT {asked.seat}"
            yield f"{asked.seat} is late and can still play; {end_it}."


def _records(hand: Hand) -> Iterator[str]:
    """One's own reliability, and for a game master who does not play that of every player."""
    if hand.seat:
        yield f"Your record over all matches: {reliability(hand, hand.player.id).sentence()}"
    if hand.game_master and not plays_too(hand.step, hand.match, hand.player):
        for member in hand.step.members(hand.match):
            if member.role == "player" and member.status == "playing":
                found = reliability(hand, member.player, hand.player.id)
                yield f"{member.seat}'s player over all matches: {found.sentence()}"


COMMANDS = (
    Command(
        verb=word("HELP", "explains a word, or lists them all", "HELP SEND", "..1 words"),
        by=By.ANYONE,
        here=_help,
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
        here=_games,
        door=_games,
        proof=False,
    ),
    Command(
        verb=word("GUIDE", "tells a newcomer how a game is played, in half a page", "GUIDE newworld", "..1 game"),
        by=By.ANYONE,
        here=_guide,
        door=_guide,
        proof=False,
    ),
    Command(
        verb=word("RULES", "sends the numbered rules and rulings of a game", "RULES newworld", "..1 game"),
        by=By.ANYONE,
        here=_rules,
        door=_rules,
        proof=False,
    ),
    Command(
        verb=word(
            "WHO", "says who plays in a match and by what rules and clock", "WHO nw1", "..1 match", aliases=("WHOGAME",)
        ),
        by=By.ANYONE,
        here=_who,
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
            "1..2 document; TURN number; SINCE date; LINES number; OF seat match; AS form",
        ),
        by=By.ANYONE,
        here=_send,
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
            "..1 match",
            aliases=("VERSION",),
        ),
        by=By.ANYONE,
        here=_verify,
        door=_verify_at_the_door,
        proof=False,
    ),
    Command(
        verb=word(
            "STATUS",
            "says who owes what and by when; before the start, who has joined, what the match waits for and when it lapses",
            "STATUS",
            "..1 match",
        ),
        by=By.ANYONE,
        here=_status,
        door=_status_at_the_door,
    ),
)
