"""A desk in a process of its own: letters are handled and deadlines kept here, beside the receiver and not in its way.

Run as `python -m referee.desk_process` by the service, which hands it the settings and its number, rings it when letters came,
and hears "open", "helps", "looks", "came", "done N", "ran MATCH" and "torn" from it. It ends when the service hangs up or dies,
after the work under way; in time even then, so that no service leaves a desk behind.
"""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from io import BufferedReader

from referee.adapters.files import Unusable
from referee.adapters.incoming.mailbag import Mailbag
from referee.adapters.processes.child import Bell, Worker, keep_together, leave_within, say
from referee.adapters.processes.supervisor import NotedHand
from referee.adapters.service_log import write_log
from referee.adapters.store.guard import Place
from referee.adapters.store.store import alone
from referee.bootstrap.offices import mailbag, opened, place_of
from referee.config import Config
from referee.kit.game import why_missing
from referee.kit.rulebook import fingerprint
from referee.service.base import notes
from referee.service.base.note_values import Failing
from referee.service.base.office import Duties, Office, Share, fault_kind
from referee.service.base.ports import NotNow, Torn
from referee.service.house.retention import drop_bytes
from referee.service.intake.deadlines import ring_due, scan
from referee.service.intake.downtime import beat, is_measured, leaps, look_after_all, tell_of_restore
from referee.service.intake.inbox import handle_new

_log = logging.getLogger(__name__)


def work_at(
    office: Office, duties: Duties, bag: Mailbag | None = None, measures: bool = True, keeps_house: bool = True
) -> int:
    """Letters first: one that came before a deadline counts before it. How many of either were done.

    The desk that keeps house does before both what is done once for all desks: time in which the service was down is given back,
    where it `measures` it, letters are taken out of the mailbag, and a program that is new here looks after every match.
    """
    try:
        done = (_kept if keeps_house else _helped)(office, duties, bag, measures)
    except Torn:
        say("torn")
        raise
    if done:
        say(f"done {done}")
    else:
        office.store.tidy()
        if bag is not None and keeps_house:
            bag.tidy()
    return done


def _kept(office: Office, duties: Duties, bag: Mailbag | None, measures: bool) -> int:
    # These two stop all else when they fail: no deadline may ring before lost time is given back, or letters that came are in.
    if tell_of_restore(office) or (measures and beat(office)):
        say("done 1")
    if measures and leaps(office):
        return 0
    if bag is not None and bag.empty_into(office.store):
        say("came")
    return (
        duties.do("upgrade", lambda: look_after_all(office))
        or duties.do("letters", lambda: handle_new(office))
        or scan(office, duty=duties.do)
        or duties.do("old letters", lambda: drop_bytes(office))
    )


def _tell_of(office: Office, name: str, problem: Exception | None) -> None:
    """Keep what a desk cannot do for health and the keeper, until it can."""
    with office.store.step() as step:
        known = notes.FAILING.of().read(step) or {}
        others = {duty: failing for duty, failing in known.items() if duty != name}
        now = office.clock.now()
        if problem is not None:
            notes.FAILING.of().keep(step, {**others, name: known.get(name) or Failing(now, fault_kind(problem))})
        elif name in known:
            notes.FAILING.of().keep(step, others)


def _helped(office: Office, duties: Duties, bag: Mailbag | None, measures: bool) -> int:
    """Letters and deadlines alone, as long as somebody keeps house.

    Letters that lie in the mailbag are taken out here too: who keeps house may be busy, or just be started again.
    """
    if measures and not is_measured(office):
        return 0
    with office.store.look() as step:
        all_came = bag is None or bag.is_known_to(step)
    if bag is not None and not all_came and bag.empty_into(office.store):
        say("came")
    return duties.do("letters", lambda: handle_new(office)) or duties.do("deadlines", lambda: ring_due(office))


_LEAVE = 10.0
"""Seconds for the work under way once the service is gone; what is not committed by then is done at the next start."""


def main(pipe: BufferedReader) -> None:
    """Work until the parent hangs up."""
    keep_together()
    bell = Bell(pipe)
    try:
        config, number = _told(bell)
    except EOFError:
        return  # the service died before it could say anything
    write_log(config.log.format)
    try:
        with ExitStack() as kept:
            lock = config.desk_file(number, "lock")
            # After a sudden death of the service its desk may still be at its last letter when the next one starts.
            if bell.outlasts(lambda: kept.enter_context(alone(lock))):
                _open(bell, config, number, kept)
    except (Unusable, NotNow) as problem:
        _log.error("%s", problem)


def _told(bell: Bell) -> tuple[Config, int]:
    """The settings, and which of the desks of the service this is."""
    told: tuple[Config, int] = bell.told()
    return told


def _open(bell: Bell, config: Config, number: int, kept: ExitStack) -> None:
    place = place_of(config) if number == 0 else None
    if place is not None:
        kept.callback(place.close)
    heard = _Heard()
    several = config.desk.processes > 1
    office = kept.enter_context(opened(config, lambda match: say(f"ran {match}"), place, heard, several, upgrades=True))
    _attend(bell, config, number, office, place, heard)


class _Looks:
    """Tells the service that this desk looks for work, once a second at most."""

    def __init__(self) -> None:
        self._said = float("-inf")

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self._said >= _SECOND:
            self._said = now
            say("looks")


_SECOND = 1.0


class _Heard:
    """Called when a round of the beacon was found: it wakes the desk, once there is one."""

    def __init__(self) -> None:
        self.wake: Callable[[], None] = lambda: None

    def __call__(self) -> None:
        self.wake()


def _attend(bell: Bell, config: Config, number: int, office: Office, place: Place | None, heard: _Heard) -> None:
    """Work whenever it is rung, until the parent hangs up.

    The first desk of a service keeps house, where several share a database only in its `place`; the others help.
    """
    bag = mailbag(config)
    # Games, templates and grammars stay until the end: to look for rubbish among them costs a sixth of the work.
    gc.collect()
    gc.freeze()
    measures = config.clock_file is None  # a clock that is turned by hand stands still for hours and then leaps
    hand = NotedHand(config.desk_file(number, "hand"), config.limits.letter_seconds)
    share = Share(number, config.desk.processes)
    # With the games that it could not load it is another program.
    missing = (name for name, game in office.games.items() if why_missing(game))
    office = replace(office, in_hand=hand, build=" ".join((fingerprint("referee"), *missing)), share=share)
    duties = Duties(_log, partial(_tell_of, office), office.limits.attempts)
    if bag is not None and number == 0:
        bag.take_back()
    looks = _Looks()

    def work() -> int:
        looks()
        return work_at(office, duties, bag, measures, number == 0 and (place is None or place.is_mine))

    def changed(keeps_house: bool) -> None:
        say("open" if keeps_house else "helps")
        desk.wake()

    desk = Worker("desk", work, config.clock.scan_seconds)
    heard.wake = desk.wake
    desk.start()
    if place is None:
        changed(number == 0)
    else:
        place.start(changed)
    bell.listen(desk.wake)
    leave_within(_LEAVE)
    desk.stop()
    hand.close()
    if bag is not None:
        bag.close()


if __name__ == "__main__":
    with open(0, "rb", closefd=False) as standard_input:
        main(standard_input)
