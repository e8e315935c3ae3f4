"""Rules that give something else than those that were kept are a new revision, told to players in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from referee.core.game import Game
from referee.core.position import start
from referee.core.record import Created, Entry, live
from referee.core.stage import resume
from referee.games import BY_NAME, GAMES, rules_in_force
from referee.games.newworld.game import NewWorld
from referee.service.match.playing import codec_of
from tests.lifetimes.kept import QUICK, dice_of, kept_logs, kept_set, versions
from tests.lifetimes.stops import waited_for


def otherwise(game: Game[Any], secret: bytes, log: Sequence[Entry]) -> str:
    """What these rules give otherwise than the log says; "" where they give the same."""
    codec = codec_of(game)
    created, *tail = [entry.record for entry in live((entry.seq, codec.load(entry.payload)) for entry in log)]
    assert isinstance(created, Created)
    options = created.options
    try:
        ran = resume(
            game,
            codec,
            start(game, created),
            tail,
            (),
            dice_of(game, secret, log),
            lambda question: waited_for(options, question),
        )
    except Exception as problem:  # rules that break where they did not are no less other rules
        return f"{type(problem).__name__}: {problem}"
    return f"they go on with {ran.written[0]!r}" if ran.written else ""


def untold(version: str, file: str) -> list[str]:
    """Where rules changed since a version what a phase gives, and players are told of no revision since."""
    games, logs, found = {game.name: game for game in GAMES}, kept_logs(version, file), dict[str, str]()
    for match in kept_set(version, file).matches:
        game = games[match.game]
        if game.revisions[-1].number > match.revision or game.name in found:
            continue
        problem = otherwise(game, *logs[match.name])
        if problem:
            found[game.name] = (
                f"{game.title}: the rules changed what a phase gives since {version}: add a revision to its revisions.toml, "
                f"in words for players. The kept match {match.name} shows it: {problem[:400]}"
            )
    return list(found.values())


@pytest.mark.parametrize("version", versions())
@pytest.mark.parametrize("file", [QUICK, "rest"])
def test_rules_that_give_something_else_are_told_as_a_revision(version: str, file: str) -> None:
    assert untold(version, file) == []


def test_a_changed_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second revision of New World, as if nobody had written it down."""
    monkeypatch.setattr(NewWorld, "revisions", NewWorld.revisions[:1])
    problems = untold(versions()[-1], QUICK)
    assert len(problems) == 1 and problems[0].startswith(f"{NewWorld().title}: the rules changed")


def test_what_is_known_of_games_that_are_not_loaded_is_what_they_say() -> None:
    assert {game.name: game for game in GAMES} == {**BY_NAME}
    assert rules_in_force() == {game.name: game.revisions[-1].number for game in GAMES}
