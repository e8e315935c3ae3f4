"""Letters for the templates: a real turn of New World between England, Spain, France and Holland, and the barest ones."""

from __future__ import annotations

import hashlib
import random
from functools import cache
from typing import Any

import msgspec

from referee.core.names import Seat
from referee.core.page import Form, Grid, Note, Page, Sheet, Standing, Tally
from referee.games.newworld.game import NewWorld
from referee.service.base.letter_facts import (
    Confirmation,
    Deadline,
    Documents,
    Drawer,
    EntryQuestion,
    Farewell,
    Frame,
    HelpEntry,
    HelpPage,
    Ignored,
    LessonLetter,
    Notice,
    Offered,
    OnFile,
    PressLetter,
    Proof,
    QuestionLetter,
    Receipt,
    RefusalLetter,
    Refused,
    Reminder,
    SentOn,
    Started,
    TurnReport,
    Welcome,
)
from referee.service.house.house_pages import (
    Ended,
    Feed,
    GameName,
    GamePage,
    Home,
    Listed,
    News,
    Part,
    PlayerPage,
    PlayersPage,
    RulesPage,
)
from referee.service.house.match_pages import (
    Awaited,
    Card,
    Forming,
    FormingPage,
    Seated,
    Secrets,
    SiteIndex,
    SitePage,
    Turn,
    Unchanged,
    Way,
)
from referee.service.turn.knowledge import guide_page, rules_page
from tests.match import Match, create, secret_of

_GAME = NewWorld()
_DEADLINE = Deadline("Sun 22 Nov 2026, 18:00 CET", "Sun 22 Nov 2026, 17:00 UTC", "1 day 3 h")
_DIGEST = hashlib.sha256(b"RESEARCH any").hexdigest()
_MOVES = tuple(
    f"Spain moves 1 army from {place} to Europe."
    for place in ("Canada", "the Caribbean", "North America", "Central America", "South America")
)
_PROOF = Proof("<a1b2c3@mail.example>", "Sat 21 Nov 2026, 13:58 CET", "Sat 21 Nov 2026, 13:59 CET", _DIGEST)


@cache
def _match() -> Match:
    """Ten turns of four bots."""
    secret = secret_of("templates")
    match = Match(_GAME, create(_GAME, 4, {}, secret), secret)
    pick = random.Random(3).randrange
    while len(match.ended) < 11:
        question = match.outcome.open[0]
        match.answer(question, question.menu.sample(pick))
    return match


def _seat() -> Seat:
    return _match().outcome.open[0].seat


def _page(turn: int = -1) -> Page:
    ended = _match().ended[turn]
    return _GAME.report(ended.before, ended.events, ended.after, _seat())


def _sheets() -> tuple[Sheet, ...]:
    match, seat = _match(), _seat()
    every = _GAME.sheets(match.events, match.outcome.state, seat)
    return tuple(sheet for sheet in every if sheet.of in (None, seat))


def _form() -> Form:
    return Form(_GAME.order_form(_match().outcome.state, _seat()))


def _frame() -> Frame:
    match = _match()
    assert match.outcome.phase is not None
    title = match.outcome.phase.title
    return Frame(
        match="channel",
        game=_GAME.title,
        title=title,
        name="Anna",
        seat=_seat(),
        owes=f"You owe orders for {title}.",
        deadline=_DEADLINE,
        at_deadline="If nothing more comes by then, the orders on file are played.",
        head="57:9f86d081884c7d65",
        commitment=match.created.commitment,
    )


def _drawers() -> tuple[Drawer, ...]:
    lines = (
        OnFile("RESEARCH any", "Researches whatever is drawn, as far as the gold goes."),
        OnFile("IF Spain CONTROLS Caribbean Sugar"),
        OnFile(
            "ATTACK Spain IN Caribbean FOR Caribbean Sugar", "Attacks Spain in the Caribbean for Caribbean Sugar.", 1
        ),
        OnFile("END"),
    )
    standing = (OnFile("LOSE fleets FIRST", "When units must be lost, fleets go before armies."),)
    return (Drawer(f"Your orders for {_frame().title}", lines), Drawer("Your standing orders", standing))


def _refused() -> tuple[Refused, ...]:
    return (
        Refused(
            3,
            "MOVE 2 armys FORM Europe TO Canada",
            "             ^^^^",
            "not understood",
            "I know no word FORM here.",
            "desk.words",
            ("MOVE 2 armies FROM Europe TO Canada",),
        ),
        Refused(4, "BUILD 9 fleets", "      ^", "not allowed", "You can pay for 1 fleet.", "nw.ships.price"),
        Refused(0, "ROLL OUT", "", "not allowed", "The match is paused: no turn runs before it is resumed."),
    )


def _ignored() -> tuple[Ignored, ...]:
    quoted = "quoted from an earlier letter"
    return (
        Ignored(1, "Dear referee,", "it begins with no word I know, so I took it for a remark", alone=True),
        Ignored(7, "> line 7 of the letter before", quoted, hidden=37),
        Ignored(45, "> line 45 of the letter before", quoted),
        Ignored(47, "Anna, by the sea", "signature"),
    )


def _help() -> HelpPage:
    verbs = _GAME.vocabulary(_match().outcome.state).verbs
    entries = tuple(HelpEntry(verb.word, verb.meaning, verb.example, verb.rule) for verb in verbs)
    return HelpPage("What you can write", ("Write one order a line.",), (("Orders of the game", entries),))


def full() -> dict[str, Any]:
    """For every kind of letter one that has everything it can have."""
    frame, form, sheets, tally = _frame(), _form(), _sheets(), _GAME.score(_match().outcome.state)
    done = ("Your time zone is Europe/Berlin from now on.",)
    doubts = ("Europe will be empty of armies once these have moved. (nw.war.undefended)",)
    corrected = _refused()[0].instead
    return {
        "receipt": Receipt(
            frame,
            "INCOMPLETE",
            "3 lines could not be taken; the others stand.",
            _drawers(),
            _refused(),
            doubts,
            done,
            _ignored(),
            _PROOF,
            corrected,
            form,
            (_page(-2),),
            sheets[-2:],
            HelpPage("Help on MOVE", (), (("Orders of the game", _help().groups[0][1][:1]),)),
        ),
        "report": TurnReport(
            frame,
            _page(),
            sheets,
            form,
            ("Spain, the whole turn: played by default after the deadline.",),
            ("From Piet (Holland) to all:\nPeace in the Caribbean?\n\nThink about it.",),
            "The map shows who holds what: England 4 territories, Spain 3.",
        ),
        "question": QuestionLetter(
            frame,
            (*_MOVES, "Spain attacks in Europe.", "Attack in Europe: 3d6 = 6 4 1."),
            "Which units do you lose in Europe?",
            "nw.war.losses",
            "fleets",
            Form(("# Leave one line.", "LOSE fleets FIRST", "# LOSE armies FIRST")),
            ("LOSE: say which units go first, as in LOSE fleets FIRST",),
        ),
        "reminder": Reminder(frame, _drawers(), form),
        "notice": Notice(
            frame, "the deadline was moved", ("The deadline is 12 hours later.",), "Jan is at sea.", "Maria", form
        ),
        "started": Started(
            frame,
            (("England", "Maria"), ("Spain", "Anna"), ("France", "Jan"), ("Holland", "Piet")),
            tuple((s.name, s.values[-1], s.meaning) for s in _GAME.settings[:2]),
            _page(0),
            sheets,
            form,
        ),
        "farewell": Farewell(
            frame,
            Page(
                "New World: the end", f"{' and '.join(tally.winners())} won.", (Note("Spain was one territory short."),)
            ),
            msgspec.structs.replace(tally, final=True),
            secret_of("templates").hex(),
            ("Put the archive of channel into a folder.", "Run: referee verify FOLDER."),
            turns=("Spain takes the lead from England, with 12 victory points (Turn 4: Spain).",),
            honours=("Longest in the lead: Spain, after 5 of 8 phases.", "Never late: everybody."),
            curve="The course of the match in victory points: Spain 3 to 14; England 4 to 12.",
            diaries=2,
            rematch="REMATCH",
        ),
        "sent": SentOn("Sent to Spain", ("Sent to Spain: “Sure, sounds good! But 3 food please.”",)),
        "press": PressLetter(
            frame,
            "press from Spain",
            "Spain",
            "France and Portugal",
            "The channel is wide enough for two fleets.\n\n    Yours, Spain",
            "Just reply: your words go to Spain as press. Orders in it are taken as orders.",
        ),
        "refusal": RefusalLetter(
            "Please confirm your letter",
            "Your letter came without the reply address of a letter of mine, so anybody could have written it.",
            ("Reply to this letter with the one word YES.",),
            _PROOF,
            "channel",
            "Anna",
        ),
        "confirmation": Confirmation(
            "A letter in your name came without the reply address of a letter of mine, so anybody could have written it.",
            "Your answer began neither with YES nor with NO, and nothing else of it was read.",
            (
                ("From", "Anna Arrow <anna@mail.example>"),
                ("Dated", "Sat 21 Nov 2026, 13:58 CET"),
                ("Received", "Sat 21 Nov 2026, 13:59 CET"),
                ("Checked", "No mail server that I trust vouches for the sender."),
            ),
            ("RESEARCH Law, any KEEPING 2 gold", "PRESS TO France: " + "a long line of many words, " * 4, "RESIGN"),
            12,
            "Sat 28 Nov 2026, 13:59 CET",
            3,
            "channel",
            "Anna",
        ),
        "entry": EntryQuestion(
            "anna@mail.example",
            ("JOIN channel AS England, France", "OBSERVE nw2"),
            "Sat 28 Nov 2026, 13:59 CET",
            "Your answer began neither with YES nor with NO, and nothing else of it was read.",
        ),
        "welcome": Welcome(
            Frame("", "The Friday Club's referee", "Welcome", "Gina"),
            ("New World: Most Culture wins.", "I ask for no money, no account and nothing to install."),
            (Offered("New World", "2 to 6 players", "CREATE newworld AS match1", "Powers of Europe send ships. " * 5),),
            (Offered("friday", "New World, forming, 2 of 6 seats taken; a slot lasts 24 h.", "JOIN friday"),),
            (("GAMES", "tells of all games and matches"), ("HELP", "this page again")),
            "karl@club.example",
            ("A file came with your letter and was not read.",),
            "This is my last answer for an hour.",
        ),
        "lesson": LessonLetter(
            Frame("", "The Friday Club's referee", "A lesson", "Gina"),
            "Lesson 3 of 8: Gold makes goods",
            "The bank sells what you lack, dear.",
            "You play Spain. Have two Workers hired this turn.",
            False,
            (
                "Not yet. Cloth was missing.",
                "The rule, nw.trade.bank: The bank sells goods.",
                "Here it is; send it as it stands:",
            ),
            ("BUY 1 cloth", "HIRE 2 workers"),
            ("SKIP", "BACK", "STOP"),
            "This is my last answer for an hour.",
        ),
        "help": _help(),
        "documents": Documents(
            frame,
            "Your request",
            (_page(0), _page()),
            sheets,
            ("Here is what there is.",),
            "The map shows it.",
        ),
    }


def bare() -> dict[str, Any]:
    """For every kind of letter one with nothing in it that may be left out."""
    frame, page, tally = Frame("", "Referee", "The desk", ""), Page("", "", ()), Tally((), "culture", True)
    return {
        "receipt": Receipt(frame, "NOTHING USABLE", "your letter was empty.", (), (), (), (), (), _PROOF),
        "report": TurnReport(frame, page, (), None),
        "question": QuestionLetter(frame, (), "Which?", "", "", Form(())),
        "reminder": Reminder(frame, ()),
        "notice": Notice(frame, "a pause", ()),
        "started": Started(frame, (), (), None, (), None),
        "farewell": Farewell(frame, page, tally, "00", ()),
        "press": PressLetter(frame, "press", "Spain", "everybody", ""),
        "sent": SentOn("Sent to Spain", ("Sent to Spain: “Yes.”",)),
        "refusal": RefusalLetter("No", "It was empty.", ()),
        "confirmation": Confirmation("It was empty.", "", (("From", "you"),), (), 0, "tomorrow"),
        "entry": EntryQuestion("anna@mail.example", (), "tomorrow"),
        "welcome": Welcome(Frame("", "Referee", "Welcome", ""), (), (), (), ()),
        "lesson": LessonLetter(Frame("", "Referee", "A lesson", ""), "The lessons", "", ""),
        "help": HelpPage("Help", (), ()),
        "documents": Documents(frame, "Nothing", (), ()),
    }


def card(match: str = "channel", over: bool = False) -> Card:
    """A match on a card, with a name that could be markup."""
    return Card(
        match=match,
        game=_GAME.name,
        title=_GAME.title,
        status="over" if over else "running",
        phase="" if over else "Turn 10: France",
        awaited=Awaited("The match is over.") if over else Awaited("", ("France",), "2026-11-22T12:00:00.000000+00:00"),
        pace="a turn lasts 24 h",
        seats=(Seated("England", "Anna <Smith>", 3), Seated("France", "a dummy")),
        masters=("Gina",),
        comment="Beginners & others welcome.",
        began="2026-11-01T12:00:00.000000+00:00",
        changed="2026-11-21T12:00:00.000000+00:00",
        reports=2,
        map="turn-009-57.svg",
        instead="England holds two colonies.",
        tally=Tally(
            (Standing(1, Seat("England"), 12, "12 gold"), Standing(2, Seat("France"), 7, "7 gold")), "points", over
        ),
        decided=over,
        records={},
    )


def site() -> dict[str, Any]:
    """The pages of the site, each as full as it gets."""
    empty = Sheet("offers", "Trade offers", (Grid(("Offer",), (), "Offers on the table"),))
    digest = hashlib.sha256(b"head").hexdigest()
    turns = (
        Turn("turn-009-57.html", "Turn 9: England", "England has a quiet turn.", card().changed, "turn-009-57.svg"),
        Turn("turn-008-40.html", "Turn 8: France", "France sails.", card().changed, "turn-008-40.svg", card().changed),
    )
    options = (("coal", "gold"), ("nationalities", "no"))
    letter = "mailto:referee@games.example?body=GAMES&subject=Hello"
    cards = (card(), card("atlantic"))
    ended = (card("armada", over=True),)
    games = (GameName(_GAME.name, _GAME.title, _GAME.about),)
    forming = Forming(
        match="friday",
        game=_GAME.name,
        title=_GAME.title,
        about=_GAME.about,
        taken=1,
        seats=3,
        joined=("Anna <Smith>",),
        choices=("England", "France"),
        masters=("Gina",),
        pace="a turn lasts 24 h",
        clock=("A slot lasts 24 h.",),
        options=options,
        by_itself=True,
        comment="After work, & at weekends.",
        ways=(Way("JOIN friday", "takes the next free seat", letter), Way("OBSERVE friday", "watches", letter)),
    )
    page = "https://club.example/m/channel/"
    return {
        "page": SitePage(
            "channel",
            _GAME.title,
            _page(),
            (*_sheets(), empty),
            "Sat 21 Nov 2026, 12:00 UTC",
            "57:9f",
            "a.html",
            "b.html",
            "a.svg",
            "England holds two colonies.",
            wide=True,
            unchanged=(Unchanged(Seat("England"), "a.html", "Turn 1", ("England: Fleets", "Colonies")),),
        ),
        "index": SiteIndex(
            _GAME.title,
            "channel",
            card(),
            options,
            Secrets(digest, "", digest),
            turns,
            (("press.html", _page()),),
            "The course of the match in points.",
            ("England takes the lead from France.",),
            ("Never late: everybody.",),
            housed=True,
            feed="feed.atom",
            wide=True,
        ),
        "home": Home("Referee", "referee@games.example", letter, cards, (forming,), ended, 3, games, 2),
        "ended": Ended("Referee", ended),
        "players": PlayersPage("Referee", (Listed(3, "Anna <Smith>", 2, 1, 0), Listed(4, "Ben", 0, 1, 1))),
        "forming": FormingPage("Referee", "referee@games.example", _GAME.title, forming),
        "player": PlayerPage(
            "Referee", "Anna <Smith>", (Part(card(), "England", card().tally.standings[0]),), 0, 1, "9 on time."
        ),
        "game": GamePage(
            "Referee",
            _GAME.title,
            _GAME.name,
            _GAME.about,
            "2 to 6 players",
            guide_page(_GAME),
            tuple((setting.name, setting.default, setting.meaning) for setting in _GAME.settings),
            cards,
            ended,
            letter,
            letter,
        ),
        "rules": RulesPage("Referee", _GAME.title, _GAME.name, rules_page(_GAME)),
        "feed": Feed(
            "tag:games.example,2026-11-01:channel",
            "channel: New World",
            "Referee",
            card().changed,
            page,
            f"{page}feed.atom",
            (
                News(
                    "tag:games.example,2026-11-01:channel/turn-009-57",
                    "Turn 9",
                    "A & B <c>",
                    card().changed,
                    f"{page}t",
                ),
            ),
        ),
    }
