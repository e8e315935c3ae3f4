"""A trial on the page: a match is played on from what a seat knows, taken back and thrown away; the match hears nothing of it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from referee.page_engine import answer
from referee.page_engine.trial import Trial
from referee.service.house.choices import as_json, pressed
from tests.sample import few
from tests.service.conftest import ANNA, BEN, GINA
from tests.service.test_table_file import sent_to
from tests.table.test_page_engine import begun
from tests.world import World

LETTERS = 8


def ask(what: str, *given: Any) -> Any:
    """What the rules in the page answer."""
    return json.loads(answer(what, json.dumps(given)))


def tried(table: dict[str, Any], others: str = "bots", seed: str = "one") -> dict[str, Any]:
    """A trial that was begun from a table."""
    answer("open", json.dumps(table))
    begun: dict[str, Any] = ask("try", others, seed)
    return begun


def letter(stands: dict[str, Any], chance: random.Random) -> str:
    """Lines that the table offers: an answer to each question, and an order that can be given."""
    choices = stands["table"]["choices"]
    answers = [
        f"CHOOSE {chance.choice(q['answers'].get('options') or [{'word': 'none'}])['word']}"
        for q in choices["questions"]
    ]
    taken = set(stands["table"]["takes"])
    orders = [order["lines"] for order in choices["orders"] if order["lines"] and order["verb"] in taken]
    return "\n".join((*answers, *([chance.choice(chance.choice(orders))] if orders and choices["owed"] else ())))


@pytest.mark.parametrize("others", ["bots", "myself"])
@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_a_match_is_tried_on(world: World, game: str, others: str) -> None:
    who = begun(world, game)
    table, log = sent_to(world, who), world.entries("m1")
    stands, chance, news = tried(table, others), random.Random(5), 0
    for number in range(LETTERS):
        if not stands["table"]["duty"]:
            break
        assert stands["back"] == number
        assert others == "myself" or stands["table"]["seat"] == table["seat"]
        stands = ask("play", letter(stands, chance))
        assert "refused" not in stands, stands
        news += len(stands["pages"])
    assert stands["back"] > 3 and news > 0
    assert world.entries("m1") == log, "nothing of a trial comes to the match"


def test_who_plays_every_seat_is_asked_for_each(world: World) -> None:
    stands = tried(sent_to(world, begun(world, "newworld")), "myself")
    seats = {stands["table"]["seat"]}
    for _ in range(6):
        stands = ask("play", "")
        seats.add(stands["table"]["seat"])
    assert seats == {world.seat(ANNA, "m1"), world.seat(BEN, "m1")}


def test_a_letter_is_taken_back_and_its_dice_fall_anew(world: World) -> None:
    """Played again from the same seed the same comes of it; taken back and sent again the dice are others."""
    table = sent_to(world, begun(world, "war27"))
    first = tried(table)
    came = [ask("play", "") for _ in range(4)]
    assert [tried(table), *(ask("play", "") for _ in range(4))] == [first, *came]
    assert ask("back") == came[2] and ask("back") == came[1]
    again = [ask("play", "") for _ in range(2)]
    assert again != came[2:] and again[0]["back"] == came[2]["back"]


def test_a_trial_goes_back_to_its_beginning_and_no_further(match: World) -> None:
    stands = tried(sent_to(match, match.on_turn()))
    ask("play", "")
    assert ask("back") == stands == ask("back")


def test_what_would_be_refused_is_not_played(match: World) -> None:
    stands = tried(sent_to(match, match.on_turn()))
    assert ask("play", "COLONIZE any\nCOLONIZE Atlantis") == {
        "refused": "Line 2 would be refused; mend it or take it out first."
    }
    assert ask("back") == stands
    assert (
        "not on the menu" in ask("play", "CHOOSE Atlantis")["refused"]
        or "No question waits" in ask("play", "CHOOSE x")["refused"]
    )


def test_the_table_of_a_trial_is_the_one_that_is_open_until_it_is_left(match: World) -> None:
    table = sent_to(match, match.on_turn())
    answer("open", json.dumps(table))
    before = ask("choices", "")
    ask("try", "bots", "one")
    for _ in range(3):
        stands = ask("play", "")
    assert stands["table"]["phase"] != table["phase"]
    verbs = [order["verb"] for order in stands["table"]["choices"]["orders"]]
    assert [order["verb"] for order in ask("choices", "")] == verbs
    ask("leave")
    assert ask("choices", "") == before
    assert ask("try", "bots", "two")["back"] == 0


def test_a_table_of_a_trial_can_be_opened_like_any_other(match: World) -> None:
    tried(sent_to(match, match.on_turn()))
    stands = ask("play", "")
    answer("open", json.dumps(stands["table"]))
    assert [o["verb"] for o in ask("choices", "")] == [o["verb"] for o in stands["table"]["choices"]["orders"]]


def test_a_trial_from_the_middle_of_a_phase_begins_where_that_began(world: World) -> None:
    """Where something has happened in a phase the file says where it began."""
    who = begun(world, "war27")
    for _ in range(60):
        table = sent_to(world, who)
        if table["known"]["before"] is not None:
            break
        world.reply(world.on_turn("m1"), "ROLL OUT")
        who = world.on_turn("m1")
    assert table["known"]["before"] != table["known"]["position"]
    stands = tried(table)
    assert stands["table"]["duty"] and "refused" not in ask("play", "")


def test_a_file_of_before_tries_from_where_it_stands(match: World) -> None:
    table = sent_to(match, match.on_turn())
    del table["known"]["before"]
    assert tried(table)["table"]["duty"] == "orders"


def test_a_trial_knows_no_more_than_its_seat(world: World) -> None:
    world.write(GINA, "CREATE newworld AS m1")
    for player in (ANNA, BEN):
        world.write(player, "JOIN m1")
    world.reply(GINA, "START m1", kind="receipt")
    who = world.player(world.playing("m1").outcome.open[0].seat, "m1")
    other = ANNA if who == BEN else BEN
    before = tried(sent_to(world, who))
    world.reply(other, "COLONIZE any")
    assert tried(sent_to(world, who)) == before, "what another has on file changes nothing in it"


def test_blocks_are_filed_and_wait_for_their_turn(match: World) -> None:
    tried(sent_to(match, match.on_turn()))
    stands = ask("play", "RESEARCH any\nSTANDING\nHIRE 1 worker\nEND\nFOR TURN 5\nCOLONIZE any\nEND")
    assert (stands["table"]["turn"], stands["table"]["duty"]) == (5, "on file"), (
        "of four players, the next turn of the first"
    )
    first, standing = stands["table"]["on_file"]
    assert [line["text"] for line in first["lines"]] == ["COLONIZE any"]
    assert [line["text"] for line in standing["lines"]] == ["HIRE 1 worker"]


def test_words_that_are_not_orders_stop_no_letter(match: World) -> None:
    """What the page says is not read is no reason to refuse the letter."""
    tried(sent_to(match, match.on_turn()))
    letter = "RESEARCH any\n> what was said before\n# a remark of mine"
    assert not ask("judge", letter)["refused"] and "refused" not in ask("play", letter)


def test_a_fault_leaves_a_trial_where_it_was(match: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stands = tried(sent_to(match, match.on_turn()))
    with monkeypatch.context() as patch:
        patch.setattr(Trial, "_goes_on", lambda self: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            ask("play", "RESEARCH any")
    assert ask("back") == stands
    assert ask("play", "RESEARCH any")["back"] == 1


def test_orders_out_of_turn_wait_for_the_next_sheet(match: World) -> None:
    """Where a decision is asked for, orders in the same letter are kept, as the referee keeps them."""
    chance, stands = random.Random(1), tried(sent_to(match, match.on_turn()))
    for _ in range(30):
        if stands["table"]["duty"] == "answer":
            break
        stands = ask("play", letter(stands, chance))
    assert stands["table"]["duty"] == "answer"
    while stands["table"]["duty"] == "answer":
        stands = ask("play", "RESEARCH any")
    assert stands["table"]["duty"] == "on file"
    assert [line["text"] for line in stands["table"]["on_file"][0]["lines"]] == ["RESEARCH any"]


@pytest.mark.parametrize(("game", "letters"), few(2, [("newworld", 8), ("war27", 6), ("war17", 6), ("empire", 4)]))
def test_a_match_that_no_referee_began_is_played_by_pieces_alone(game: str, letters: int) -> None:
    """Of what is tapped nearly every line stands: 99 in 100."""
    chance, lines, refused = random.Random(1), 0, list[Any]()
    stands = ask("fresh", game, "", 3, 1, "steady", "one")
    for _ in range(letters):
        text = "\n".join(wish["line"] for wish in ask("proposed")) if stands["table"]["duty"] == "orders" else ""
        for _ in range(6):
            places, tray = ask("starts", text), ask("tray", text)
            deeds = ask("at", chance.choice(places), text) if places and chance.random() < 0.7 else tray
            if deeds:
                text = tapped(text, chance.choice(deeds), chance)
        said = ask("judge", text)
        lines += len(text.splitlines())
        refused += said["refused"]
        bad = {line["number"] for line in said["refused"]}
        stands = ask("play", "\n".join(line for number, line in enumerate(text.splitlines(), 1) if number not in bad))
        assert "refused" not in stands, stands
    assert lines > 20 and len(refused) * 100 <= lines, refused


def tapped(text: str, deed: Any, chance: random.Random) -> str:
    """The letter after a deed, with one of its targets where it has some."""
    aims = [deed.get("words", {}).get(place, place) for place in deed.get("targets", {})]
    said = deed.get("said", {}) | ({deed["aim"]: [chance.choice(aims)]} if aims else {})
    rest = [line for line in text.splitlines() if not (deed.get("adds") and line.startswith(f"{deed['verb']} "))]
    if "before" in deed:
        return "\n".join((*rest, deed["before"], deed["line"]))
    line = ask("whole", deed["verb"], said, "\n".join(rest))["line"]
    return "\n".join((*rest, line) if line != "ROLL OUT" else rest)


@pytest.mark.parametrize(("game", "letters"), few(2, [("newworld", 6), ("war27", 9), ("war17", 10)]))
def test_a_match_of_the_page_is_taken_up_where_it_was_left(game: str, letters: int) -> None:
    """Kept after each letter and opened anew it stands as it stood, in the middle of a phase too, and goes on."""
    stands = ask("fresh", game, "", 3, 2, "steady", "one")
    for number in range(letters):
        kept = json.loads(answer("saved", "[]"))
        again = ask("again", kept, f"seed {number}")
        assert again == stands | {"back": 0}
        assert json.loads(answer("saved", "[]")) == kept
        stands = ask(
            "play", "\n".join(wish["line"] for wish in ask("proposed")) if stands["table"]["duty"] == "orders" else ""
        )
        assert "refused" not in stands


def test_a_match_that_was_kept_under_other_rules_goes_on_and_says_so() -> None:
    ask("fresh", "newworld", "", 3, 1, "steady", "one")
    kept = json.loads(as_json(json.loads(answer("saved", "[]"))))
    kept["file"]["known"]["rules"] = "others"
    assert (
        ask("again", pressed(kept), "two")["changed"]
        and not ask("again", json.loads(answer("saved", "[]")), "two")["changed"]
    )
    with pytest.raises(ValueError, match="Incorrect padding"):
        ask("again", "spoilt", "three")
    assert ask("play", "")["table"]["turn"] > 1, "what cannot be taken up leaves what there is as it was"


def test_friends_at_one_screen_are_each_shown_their_own_news() -> None:
    """Each is told of all that happened since he was asked last, and of nothing twice."""
    stands, told = ask("fresh", "newworld", "France", 4, 2, "steady", "one"), dict[str, list[str]]()
    here = {
        "France",
        stands["table"]["seats"][(1 + [chair["seat"] for chair in stands["table"]["seats"]].index("France")) % 4][
            "seat"
        ],
    }
    for _ in range(8):
        told.setdefault(stands["table"]["seat"], []).extend(
            page["title"] for page in stands["pages"] if page["summary"] != "Under way."
        )
        stands = ask("play", "")
    assert set(told) == here
    assert all(len(titles) == len(set(titles)) >= 7 for titles in told.values()), told


def test_a_match_of_the_page_is_for_as_many_as_its_game() -> None:
    assert [
        (ask("door", game)["least"], ask("door", game)["most"]) for game in ("newworld", "war27", "war17", "empire")
    ] == [
        (2, 6),
        (2, 8),
        (2, 8),
        (2, 8),
    ]


def test_a_letter_ends_the_turn_where_a_turn_may_have_several() -> None:
    """In Empire orders are carried out at once, and further ones may follow; the page plays as with ROLL OUT."""
    stands = ask("fresh", "empire", "", 2, 1, "steady", "one")
    for phase in ("Zero turn", "Turn 1", "Turn 2"):
        assert stands["table"]["phase"].startswith(phase)
        stands = ask("play", "\n".join(wish["line"] for wish in ask("proposed")))
