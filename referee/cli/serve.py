"""referee serve: the service. Its main thread gives signs of life, reads settings anew at a reload, and ends; others work
meanwhile.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module

from referee.adapters.files import told
from referee.adapters.processes.child import Asked, keep_together, leave_within
from referee.adapters.processes.supervisor import Supervisor
from referee.adapters.service_log import write_log
from referee.bootstrap.offices import otherwise
from referee.bootstrap.service import Service
from referee.cli.dialogue import Json, Settings, say_json, say_path, settings_of
from referee.config import ConfigError, load
from referee.games import GAMES
from referee.kit.game import why_missing

_log = logging.getLogger(__name__)
_LEAVE = 15.0
"""Seconds a service that was asked to end may take: more than its desk, less than a mail server that does not answer.

All it did is committed, so that nothing is lost by going then.
"""


def serve(as_json: Json = False, config: Settings = None) -> None:
    """Run the service: take letters, play turns, keep deadlines, send letters. Ends on Ctrl-C or SIGTERM."""
    settings, supervisor = settings_of(config), Supervisor()
    write_log(settings.log.format)
    keep_together()
    # Modules loaded before a desk branches off are shared by both, games too; commands load these when a letter is read.
    for name in ("referee.desk_process", "referee.orders.lalr", "authres", "flufl.bounce", "rapidfuzz.process"):
        import_module(name)
    for why in filter(None, map(why_missing, GAMES)):
        _log.error("%s. Its matches stand still; the others go on.", why)
    with told(settings.database_url):
        service = Service(settings, branches=True)
        asked = asked_by(supervisor)
        port = service.start()
    if as_json:
        say_json({"address": settings.referee.address, "host": settings.receive.host, "port": port})
    else:
        where = f" on {settings.receive.host}:{port}" if port else ""
        say_path(f"{settings.referee.address} takes letters{where}")
    sys.stdout.flush()

    def reread() -> None:
        if said := otherwise(load(config), service.office):
            raise ConfigError(said)

    see_through(service, asked, supervisor, reread)


def asked_by(supervisor: Supervisor) -> Asked:
    """Hears the signals of this process; SIGHUP has settings read anew where somebody looks after us, else it ends us."""
    return Asked(signal.SIGHUP) if supervisor.there else Asked()


def see_through(service: Service, asked: Asked, supervisor: Supervisor, reread: Callable[[], object]) -> None:
    """Look after a service that takes letters until it has ended. `reread` raises ConfigError for settings of no use."""
    supervisor.ready()
    while (heard := asked.wait(supervisor.patience and supervisor.patience / 3)) in (0, signal.SIGHUP):
        if not heard:
            _give_sign(service, supervisor)
        elif _can_be_read(reread, supervisor):
            _begin_anew(service, supervisor)
    supervisor.stopping()
    leave_within(_LEAVE)
    service.stop()


def _give_sign(service: Service, supervisor: Supervisor) -> None:
    if service.alive():
        supervisor.alive()
    else:
        _log.error("the receiver hangs: no sign of life is given, so that the service is started again")


def _can_be_read(reread: Callable[[], object], supervisor: Supervisor) -> bool:
    """Whether the settings are of use; else it is said, and we go on with those we have."""
    try:
        reread()
    except ConfigError as problem:
        _log.error("the settings are not read anew: %s", problem)
        supervisor.reloading()
        supervisor.ready()
        supervisor.says(f"works with its old settings: {problem}")
        return False
    return True


def _begin_anew(service: Service, supervisor: Supervisor) -> None:
    """End in good order and become the same command once more, in the same process."""
    supervisor.reloading()
    leave_within(_LEAVE)
    service.stop()
    # A second one that comes before we listen again must not be our end.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    sys.stdout.flush()
    os.execv(sys.executable, sys.orig_argv)
