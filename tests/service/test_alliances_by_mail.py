"""War-time alliances by letter: a declaration opens a window, members vote, and everybody reads who is allied and why."""

from __future__ import annotations

from tests.service.conftest import GINA, PLAYERS
from tests.world import World


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
