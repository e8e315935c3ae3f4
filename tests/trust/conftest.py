"""A real service to attack: started once for a module, with a match of New World begun in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.adapters.clock_and_secrets import FileClock
from tests.kill.running import CONFIG, Running
from tests.service.conftest import begin, databases, match, world
from tests.world import World

__all__ = ["databases", "match", "service", "world"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Running]:
    """`referee serve` in a process of its own; Anna, Ben, Carla, Dan play nw1, Gina is game master.

    A module that wants further settings names them in `SETTINGS`, those of [receive] in `RECEIVE`.
    """
    receive = "[receive]\n" + getattr(request.module, "RECEIVE", "")
    template = tmp_path_factory.mktemp("trust") / "template"
    (template / "var").mkdir(parents=True)
    (template / "config.toml").write_text(
        CONFIG.replace("[receive]\n", receive) + getattr(request.module, "SETTINGS", "")
    )
    world = World(template / "var")
    FileClock(template / "clock").set(world.clock.now())
    begin(world)
    world.close()
    running = Running(template.parent / "running", template)
    yield running
    running.kill()
    running.buried()
