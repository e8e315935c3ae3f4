"""The counter: what the keeper does at the machine itself, by the same rules as by mail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from referee.core.choices import Picked
from referee.core.page import Page, Sheet
from referee.mail import Address, Attachment, Stripped, address_in
from referee.mail.headers import mailboxes
from referee.orders import read
from referee.service.base import notes
from referee.service.base.letter_facts import HelpPage, Refused
from referee.service.base.office import At, Office
from referee.service.base.ports import MatchRow, Member, Player, Step
from referee.service.house import membership
from referee.service.house.choices import Choices, Decided, choices_now, decided
from referee.service.house.documents import DOCUMENTS, Asking, Files, Wanted, find
from referee.service.house.forming import create
from referee.service.house.match_lists import who_page
from referee.service.house.proofs import letters_agree
from referee.service.house.replacements import stand_by
from referee.service.intake.commands.command import command, commands, desk_words
from referee.service.intake.commands.help import Asker, help_at_the_door
from referee.service.match.audit import Audited, audit
from referee.service.match.members import call_otherwise, name_from, owner_of
from referee.service.match.playing import Playing, load, remember
from referee.service.match.result import Came, Denial, Told, need
from referee.service.match.sheets import refused
from referee.service.turn.knowledge import Found, where_it_went
from referee.service.turn.mended_rules import ready
from referee.service.turn.writer import Hand, Writer


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome: whether all of it was granted, the sentences that say so, and the documents asked for."""

    granted: bool
    sentences: tuple[str, ...]
    pages: tuple[Page, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    help: HelpPage | None = None
    map: str = ""
    files: tuple[Attachment, ...] = ()


def _told(came: Came) -> Answer:
    """The receipt that a letter would get."""
    taken, went = ("Your orders are on file.",) if came.filed else (), came.enclosed
    said = (*taken, *came.done, *came.doubts, *map(_refusal, came.refused))
    shown = went.chart.instead if went.chart else ""
    return Answer(not came.refused, said, went.pages, went.sheets, went.help, shown, went.files)


def _refusal(line: Refused) -> str:
    """A refused line, why, and what would be right."""
    instead = f" Instead: {' or '.join(line.instead)}" if line.instead else ""
    return f"{line.text}: {line.sentence}{instead}" if line.text else f"{line.sentence}{instead}"


def _person(at: At, address: Address, written: str, name: str = "") -> Player:
    """The person of an address, with the name that is given, or else written before it, if he is nobody yet."""
    shown = next((box.name for box in mailboxes([written])), "")
    found = at.step.player_at(address)
    return found or at.step.save_player(Player(0, name_from(name or shown, address), (address,), at.office.zone))


def _enter(office: Office, match: str, written: str, name: str, act: Callable[[At, Player], Told]) -> Answer:
    """Let somebody into a match; a member then passes for nobody else there, nor for the referee, as by mail."""
    address = address_in(written)
    if address is None:
        return Answer(False, (f"{written or 'That'} is no mail address; write one such as anna@example.org.",))
    with office.step() as at:
        try:
            person = _person(at, address, written, name)
            said = act(at, person)
        except Denial as denial:
            return Answer(False, (str(denial),))
        notes.lay_anew(at.step, match)
        called, told = call_otherwise(at, match, person)
    why = f"The name {person.name} could be taken for another's here, so he is called {called.name}."
    return Answer(True, (*said, why) if told else said)


def create_at_the_counter(office: Office, game: str, match: str, master: str, options: str) -> Answer:
    """Open a match for a game master."""
    anybody = replace(office, creators=frozenset())
    return _enter(
        office, match.lower(), master, "", lambda at, person: create(At(anybody, at.step), person, game, match, options)
    )


def join_at_the_counter(office: Office, match: str, address: str, wishes: str, name: str) -> Answer:
    """Enter a player."""
    wanted = tuple(filter(None, (part.strip() for part in wishes.split(","))))
    return _enter(office, match, address, name, lambda at, who: membership.join(at, who, match, wanted))


def observe_at_the_counter(office: Office, match: str, address: str, name: str) -> Answer:
    """Enter somebody who watches."""
    return _enter(office, match, address, name, lambda at, who: membership.observe(at, who, match))


def stand_by_at_the_counter(office: Office, match: str, address: str, name: str) -> Answer:
    """Enter somebody who takes a seat that falls free."""

    def act(at: At, person: Player) -> Told:
        if at.step.match(match) is None:
            raise Denial(_unknown(at.step, match))
        stand_by(at.step, match, person)
        return (f"{address_in(address)} stands by for {match}: a seat that falls free may be his.",)

    return _enter(office, match, address, name, act)


def _unknown(step: Step, match: str) -> str:
    return f"I know no match {match}; I know {', '.join(row.name for row in step.matches()) or 'none'}."


def at_the_counter(office: Office, match: str, text: str, by: str) -> Answer:
    """Do what a game master's letter with this text would do in a match."""
    with office.step() as at:
        row = at.step.match(match)
        if row is None:
            return Answer(False, (_unknown(at.step, match),))
        keeper = Player(0, by, ("keeper@localhost",), office.zone)
        if gone := " ".join(where_it_went(at.step, row)).strip():
            return Answer(False, (gone,))
        notes.lay_anew(at.step, match)
        if row.status == "forming":
            return _before(at, keeper, row, text)
        member = Member(0, match, 0, "gm", "watching")
        hand = Hand(at.office, at.step, ready(at, row), writer=Writer(keeper, member, game_master=True, answered=False))
        came = _attended(hand, text)
    remember(hand.playing)
    return _told(came)


def _attended(hand: Hand, text: str) -> Came:
    """The outcome of a letter of this text. The readers of letters are loaded for it: a caller who only looks does without."""
    from referee.service.intake.desk import attend

    return attend(hand, text, Stripped((), ())).came


def _before(at: At, keeper: Player, row: MatchRow, text: str) -> Answer:
    """A game master's words before his match begins."""
    reading = read(text, None, desk_words(at.office.games, (row.name,), (), False, True))
    said = [_refusal(refused(mistake)) for mistake in reading.mistakes]
    all_done = bool(reading.desk) and not said
    for sentence in reading.desk:
        try:
            before = command(sentence.order.verb).before
            words = ", ".join(known.word for known in commands() if known.before)
            need(before, f"{row.name} has not started; the words for now are {words}.")
            said += before(at, row, keeper, sentence.order) if before else ()
        except Denial as denial:
            said, all_done = [*said, str(denial)], False
    return Answer(all_done, tuple(said) or ("There is no word in that.",))


def player_at_the_counter(office: Office, match: str, seat: str, text: str) -> Answer:
    """Do what a player's letter with this text would do; the receipt goes to him."""
    with office.step() as at:
        row = at.step.match(match)
        found = owner_of(at.step, match, seat) if row and row.status != "forming" else None
        if row is None or found is None:
            return Answer(False, (f"{seat} is no seat that a person plays in a running match {match}.",))
        if gone := " ".join(where_it_went(at.step, row)).strip():
            return Answer(False, (gone,))
        notes.lay_anew(at.step, match)
        master = any(m.role == "gm" and m.player == found[1].id for m in at.step.members(match))
        unique = f"counter.{office.clock.now().isoformat()}"
        member, player = found
        writer = Writer(player, member, unique=unique, game_master=master)
        hand = Hand(at.office, at.step, ready(at, row), writer=writer)
        came = _attended(hand, text)
    remember(hand.playing)
    return _told(came)


def games_at_the_counter(office: Office) -> list[dict[str, str]]:
    """The games played here, with the options each takes at CREATE."""
    return [
        {
            "game": name,
            "title": game.title,
            "options": "; ".join(f"{s.name} {'|'.join(s.values)}" for s in game.settings),
        }
        for name, game in office.games.items()
    ]


def help_at_the_counter(office: Office, word: str) -> HelpPage:
    """HELP outside a match, on a word or a game."""
    return help_at_the_door(office.games, word, Asker())


def document_at_the_counter(office: Office, match: str, want: Wanted, seat: str = "") -> Found | Files:
    """A document as anybody may have it; with a `seat`, as its player is sent it. Raises Denial."""
    with office.look() as at:
        keeper = Player(0, "the keeper", (), office.zone)
        if not DOCUMENTS[want.word].of_match:
            return find(Asking(at.office, at.step, keeper), want)
        playing = _begun(at, match, seat)
        nobody = Member(0, match, 0, "player", "playing", seat)
        member, player = (owner_of(at.step, match, seat) or (nobody, keeper)) if seat else (None, keeper)
        return find(Asking(at.office, at.step, player, playing, member), want)


def choices_at_the_counter(office: Office, match: str, seat: str) -> Choices:
    """The orders and answers open to a seat now. Raises Denial."""
    with office.look() as at:
        return choices_now(_begun(at, match, seat), seat)


def decided_at_the_counter(office: Office, match: str, seat: str, verb: str, picked: Sequence[Picked]) -> Decided:
    """The next decision of an order after these answers, or the line they make. Raises Denial."""
    with office.look() as at:
        return decided(_begun(at, match, seat), seat, verb, picked)


def _begun(at: At, match: str, seat: str) -> Playing:
    row = at.step.match(match)
    if row is None or at.step.last_entry(match) is None:
        raise Denial(f"I know no match {match} that has begun.")
    playing = load(at, row)
    seats = playing.created.seats
    need(not seat or seat in seats, f"{seat} is no seat of {match}; those are {', '.join(seats)}.")
    return playing


def who_at_the_counter(office: Office, match: str) -> Found:
    """The answer of WHO about a match. Raises Denial."""
    with office.look() as at:
        row = at.step.match(match)
        if row is None:
            raise Denial(f"I know no match {match}.")
        return Found((who_page(at, row),))


def replay_at_the_counter(office: Office, match: str) -> Audited | None:
    """Re-adjudicate a match from its log and compare every report and letter; None for an unknown match."""
    with office.look() as at:
        row = at.step.match(match)
        entries = at.step.entries(match) if row else []
        if row is None or not entries:
            return None
        found = audit(office.games[row.game], row.secret, entries)
        return letters_agree(at, row, found) if found.sound else found
