"""War! by letter: what a player reads, orders ahead, alliances, and money that lies idle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.core.names import Seat
from referee.core.order import Doubt, Intent, Refusal
from referee.core.record import Answered
from referee.core.stage import Outcome
from referee.games.war.game import War27
from referee.games.war17.game import War17
from referee.orders import understand
from tests.afoot import afoot
from tests.service.conftest import ANNA, BEN, DAN, GINA, PLAYERS
from tests.world import Mail, World


@pytest.fixture
def war(world: World) -> Iterator[World]:
    """The match w1 of War! with four players, who are about to draft."""
    world.write(GINA, "CREATE war27 AS w1")
    for player in PLAYERS:
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    yield world


def test_lines_of_an_if_and_of_a_later_turn_are_read_for_their_form_only(war: World) -> None:
    war.wait(hours=25)  # the draft
    war.wait(hours=25)  # the purchase
    sheet = (
        "IF PP >= 9000\nMOVE 90 infantry FROM Sudan TO Egypt\nEND\nFOR TURN 5\nBUILD 9 cavalry IN Borneo\nBUY 9 DP\nEND"
    )
    (receipt,) = war.reply(ANNA, sheet)
    assert "COMPLETE" in receipt.subject and "INCOMPLETE" not in receipt.subject
    assert "Buy 9 cavalry in Borneo" in receipt.flat and "March 90 infantry from Sudan to Egypt" in receipt.flat
    receipt = war.reply(ANNA, "ROLL OUT")[-1]
    assert "Not taken" not in receipt.text and war.log(Answered, "w1")[-1].seat == "Red"


def test_a_line_that_is_wrong_on_any_day_is_refused_in_an_if_too(war: World) -> None:
    (receipt,) = war.reply(ANNA, "DRAFT Egypt\nIF Egypt GONE\nMOVE 1 infantry FROM Egypt TO Japan\nEND")
    assert "INCOMPLETE" in receipt.subject and "No way by land leads from Egypt to Japan" in receipt.flat


def test_a_draft_under_standing_is_judged_at_each_pick(war: World) -> None:
    war.reply(ANNA, "STANDING\nIF Egypt GONE\nDRAFT Japan\nELSE\nDRAFT Egypt\nEND\nEND")
    war.wait(hours=25)
    told = war.last(ANNA, "question").flat
    assert "Red picks Egypt, Japan" in told


def test_a_sheet_that_was_carried_out_is_not_on_file_for_the_next_one(war: World) -> None:
    """The sheets of a set-up follow each other in one phase: the draft is done when the purchase is owed."""
    for player in PLAYERS[:3]:
        war.reply(player, "DRAFT Egypt, Japan\nROLL OUT")
    receipt = next(mail for mail in war.reply(DAN, "DRAFT France\nROLL OUT") if mail.to == DAN)
    assert "COMPLETE: your orders were carried out; you owe the next ones." in receipt.flat
    assert "You owe orders for Set-up" in receipt.flat and "as on file" not in receipt.text
    (receipt,) = war.reply(ANNA, "YES")
    assert "nothing is on file" in receipt.flat and "DRAFT" not in receipt.text
    (receipt,) = war.reply(BEN, "BUY 3 infantry")
    assert "BUY 3 infantry" in receipt.flat and "DRAFT" not in receipt.text


def test_standing_orders_are_told_while_a_sheet_is_owed(war: World) -> None:
    """Their questions come in the turns of others: who waits until he is asked for them comes too late."""
    owed = war.playing("w1").outcome.open[0]
    assert owed.wants_orders and not set(owed.menu.words()) & {"INTERCEPT", "STRIKE", "RETREAT"}
    (sent,) = war.reply(war.player(owed.seat, "w1"), "SEND choices\nHELP war27")
    assert "- DRAFT France" in sent.text and "- INTERCEPT ALWAYS" in sent.text and "- RETREAT BELOW 2" in sent.text
    assert all(f"Example: {verb}" in sent.flat for verb in ("DRAFT", "INTERCEPT", "STRIKE", "RETREAT"))


@pytest.mark.parametrize("word", ["war27", "verbs"])
def test_help_on_the_game_lists_its_words_with_examples_from_the_asker_s_position(war: World, word: str) -> None:
    war.reply(ANNA, "DRAFT Egypt, Sudan, Arabia, Kenya, Abyssinia, Tripoli")
    war.wait(hours=25)
    (mail,) = war.reply(ANNA, f"HELP {word}")
    assert "Words of the game" in mail.text and "I know no word" not in mail.flat
    assert "Example: CEDE" in mail.flat and "Words at the desk" not in mail.flat
    assert any(f"Example: BUILD 2 infantry IN {home}" in mail.flat for home in ("Egypt", "Sudan", "Tripoli", "Arabia"))


def test_words_of_version_27_are_refused_in_version_17_wherever_they_stand(world: World) -> None:
    world.write(GINA, "CREATE war17 AS w1")
    for player in PLAYERS[:2]:
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    letter = "Westernize me if you can\nWESTERNIZE Egypt\nINCITE revolt IN Egypt\nLOSE infantry\nWESTERNIZE Sudan WITH 1 sphere"
    (receipt,) = world.reply(ANNA, letter)
    assert "INCOMPLETE: 3 lines could not be taken" in receipt.flat
    named = "is an order of War! Age of Imperialism, Version 27; War! Age of Imperialism, Version 1.7 has none of that name."
    assert receipt.flat.count(f"WESTERNIZE {named}") == 2 and f"INCITE {named}" in receipt.flat
    assert "Westernize me if you can" in receipt.flat.partition("Not read")[2]


# ---------------------------------------------------------------- alliances


def first_share(world: World) -> str:
    """A match with alliances in the first share of movement; the seat on turn."""
    world.write(GINA, "CREATE war27 AS w1 WITH alliances yes")
    for player in PLAYERS:
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    while world.playing("w1").outcome.state.stage != "movement":
        world.wait(hours=25)
    return world.waits_for("w1")


def test_sides_are_joined_by_letter_and_all_are_told_who_is_allied_and_why(world: World) -> None:
    mover = first_share(world)
    victim, joiner, idle = world.playing("w1").outcome.state.after(mover)
    world.reply(
        world.player(joiner, "w1"), f"STANDING\nAPPROVE none\nIF {mover} AT WAR WITH {victim}\nJOIN {mover}\nEND\nEND"
    )
    world.reply(world.player(mover, "w1"), f"DECLARE WAR ON {victim}\nAPPROVE {joiner}\nROLL OUT")
    open_now = world.playing("w1").outcome.open
    assert {question.seat for question in open_now} == {victim, idle}
    letter = world.last(world.player(idle, "w1"), "question").flat
    assert f"{mover} has declared war on {victim}. Do you join a side?" in letter
    world.reply(world.player(idle, "w1"), f"CHOOSE {victim} IN 1")
    world.reply(world.player(idle, "w1"), "CHOOSE none")
    world.reply(world.player(victim, "w1"), f"CHOOSE {joiner}")
    for reader in PLAYERS:
        told = world.last(reader, "report").flat
        assert f"{joiner} joins {mover} and is at war with {victim}" in told
        assert f"{idle} asks to join {victim} and is refused: nobody approves" in told
        assert f"are allies against {victim}, since the war that {mover} declared on {victim}" in told


def test_help_and_the_form_know_the_words_of_alliances(world: World) -> None:
    mover = first_share(world)
    address = world.player(mover, "w1")
    assert "# When war is declared everybody may ask to join a side." in world.last(address, "report").flat
    (mail,) = world.reply(address, "HELP JOIN")
    assert "whose side you ask to join" in mail.flat


# ---------------------------------------------------------------- money that lies idle


MATCH = "w1"
SAVED = "PP are saved, and the purchase of the set-up does not come again."
WAITS = "ROLL OUT waits for your YES"
_GAMES = {"war27": War27(), "war17": War17()}


@pytest.fixture(params=_GAMES)
def buying(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A match for two at its purchase; Anna has bought nothing yet."""
    monkeypatch.setattr("tests.world.GAMES", (_GAMES[request.param],))
    world = World(tmp_path)
    world.write(GINA, f"CREATE {request.param} AS {MATCH}")
    for player in (ANNA, BEN):
        world.write(player, f"JOIN {MATCH}")
    world.reply(GINA, f"START {MATCH}", kind="receipt")
    world.reply(ANNA, "DRAFT Egypt, India\nROLL OUT")
    world.reply(BEN, "DRAFT China, Siam\nROLL OUT")
    yield world
    world.close()


def say(world: World, text: str) -> Mail:
    return [mail for mail in world.reply(ANNA, text, confirms=False) if mail.to == ANNA][-1]


def owes(world: World) -> bool:
    return any(question.seat == world.seat(ANNA, MATCH) for question in world.playing(MATCH).outcome.open)


def test_a_purchase_of_little_is_asked_about_once(buying: World) -> None:
    receipt = say(buying, "BUY 2 infantry\nPLACE 2 infantry IN Egypt\nROLL OUT")
    assert "] LOOK AGAIN" in receipt.subject and SAVED in receipt.flat and WAITS in receipt.flat
    assert owes(buying)
    say(buying, "YES")
    assert not owes(buying)


def test_who_was_told_of_it_by_a_receipt_is_not_asked(buying: World) -> None:
    assert SAVED in say(buying, "BUY 2 infantry\nPLACE 2 infantry IN Egypt").flat
    say(buying, "ROLL OUT")
    assert not owes(buying)


def test_what_is_kept_for_later_is_not_said_to_be_on_file_for_the_sheet_that_is_owed(buying: World) -> None:
    while (phase := buying.playing(MATCH).outcome.phase) is not None and "production" not in phase.title:
        buying.wait(hours=25)
    assert phase is not None
    receipt = say(buying, "MOVE 1 infantry FROM Egypt TO Sudan\nROLL OUT")
    assert (
        f"LOOK AGAIN: nothing is on file for {phase.title}; what you sent is kept for later. ROLL OUT waits"
        in receipt.flat
    )
    assert "kept for later sheets: MOVE 1 infantry FROM Egypt TO Sudan." in receipt.flat and owes(buying)


def test_a_purchase_of_half_the_money_is_not_asked_about(buying: World) -> None:
    war = buying.playing(MATCH).outcome.state
    half = -(-war.treasuries[Seat(buying.seat(ANNA, MATCH))].pp // (2 * war.price("infantry")))
    receipt = say(buying, f"BUY {half} infantry\nPLACE {half} infantry IN Egypt\nROLL OUT")
    assert SAVED not in receipt.flat and not owes(buying)


# ---------------------------------------------------------------- every sheet as it is proposed


def proposed(name: str, state: Any, seat: Seat) -> tuple[Intent, ...]:
    """The lines of the form that stand there ready to be sent."""
    game, lines = _GAMES[name], list[Intent]()
    for line in _GAMES[name].order_form(state, seat):
        order = None if line.startswith("#") else understand(line, game.vocabulary(state))
        if order is not None:
            assert not isinstance(order, Refusal), order
            bound = game.bind(state, seat, order)
            assert not isinstance(bound, Refusal), bound
            lines.append(bound)
    return tuple(lines)


def lost(name: str, state: Any, seat: Seat, *sheet: Intent) -> list[Doubt]:
    return [doubt for doubt in _GAMES[name].doubts(state, seat, sheet) if doubt.loss]


_OPTIONS: tuple[tuple[str, int, Mapping[str, str]], ...] = (
    *(("war27", players, {}) for players in (2, 4, 8)),
    ("war27", 4, {"simultaneous": "no"}),
    ("war27", 4, {"historical": "yes"}),
    ("war27", 3, {"auction": "yes"}),
    ("war27", 4, {"multiple_buildings": "2", "capital_only": "yes"}),
    *(("war17", players, {}) for players in (2, 4, 8)),
)


@pytest.mark.parametrize(("name", "players", "options"), _OPTIONS)
def test_no_sheet_as_proposed_is_asked_about(name: str, players: int, options: Mapping[str, str]) -> None:
    known = {setting.name: setting.values for setting in _GAMES[name].settings}
    assert all(not known[option] or value in known[option] for option, value in options.items())
    looked = set[str]()

    def stop(out: Outcome[Any]) -> bool:
        for question in out.open:
            if question.wants_orders and not question.key.endswith("/draft"):
                looked.add(out.state.stage)
                assert lost(name, out.state, question.seat, *proposed(name, out.state, question.seat)) == []
        return bool(out.state.turn >= 4)

    afoot(name, players, stop, options)
    assert {"setup", "production"} <= looked


@pytest.mark.parametrize("name", _GAMES)
def test_a_production_that_keeps_most_of_its_money_is_told_what_that_could_buy(name: str) -> None:
    found: list[str] = []

    def stop(out: Outcome[Any]) -> bool:
        for question in out.open:
            if out.state.stage == "production" and question.wants_orders:
                found.extend(doubt.sentence for doubt in lost(name, out.state, question.seat))
        return bool(found)

    afoot(name, 3, stop)
    assert found[0].startswith("You spend 0 of ") and "With them you could: " in found[0]
    assert "BUILD" in found[0] or "DEVELOP" in found[0]
