"""The doctor: looks at everything the service needs and says in plain words what to mend. Sends no letter, asks no DNS."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import text

from referee.adapters.files import Unusable, exposed, told
from referee.adapters.outgoing.postman import NotLetIn, OutOfReach, TryLater
from referee.adapters.processes.supervisor import at_hand
from referee.adapters.store.guard import AtDesk, at_desk, broken_parts
from referee.adapters.store.store import Store
from referee.adapters.store.upgrade import Older, why_older
from referee.bootstrap.data_folder import MEND_DAMAGE, database_files, made, running_service, sqlite_file
from referee.bootstrap.offices import clock_of, opened, otherwise, signing_key, store_of
from referee.config import Chance, Config, ConfigError
from referee.games import GAMES, rules_in_force
from referee.kit.game import why_missing
from referee.kit.wording import counted, in_a_row
from referee.service.base import notes
from referee.service.base.note_values import BackedUp, Loss, this_program
from referee.service.base.ports import NotNow
from referee.service.intake.forgotten_letters import set_back_since
from referee.service.intake.keepers_digest import BACKUP_OLD, last_backup
from referee.service.match.suspension import losses

if TYPE_CHECKING:
    from referee.adapters.beacon.rounds import Chain

_LITTLE = 200 * 1024 * 1024
_LONG_IN_HAND = 10.0
_LONG_WAIT = timedelta(minutes=5)
_APART = timedelta(minutes=5)


class Finding(msgspec.Struct, frozen=True):
    """A finding: its subject, whether it will do, and the state of things or the mend."""

    what: str
    well: bool
    sentence: str


def examine(config: Config) -> tuple[Finding, ...]:
    """Everything, in the order in which it is needed."""
    return tuple(dict.fromkeys(finding for look in (*_KEPT, *_OUTSIDE) for finding in _safely(look, config)))


def _safely(look: Callable[[Config], Iterator[Finding]], config: Config) -> list[Finding]:
    name = look.__name__.strip("_").replace("_", " ")
    try:
        with told(config.database_url) if look in _KEPT else nullcontext():
            return list(look(config))
    except Older as problem:  # of many that look into it, the first says so
        return [Finding("database", False, str(problem))]
    except (ConfigError, Unusable) as problem:
        return [Finding(name, False, str(problem))]
    except (OSError, NotNow, TryLater, ValueError) as problem:
        return [Finding(name, False, f"It cannot be used: {problem}.")]


def _folder(config: Config) -> Iterator[Finding]:
    folder = made(config)
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        file.write(b"x")
        file.flush()
        os.fsync(file.fileno())
    yield Finding("data folder", True, f"{folder} can be written.")


def _rights(config: Config) -> Iterator[Finding]:
    """Files that accounts of this machine other than ours may read: tokens, dice and passwords must not be among them."""
    ours = (config.data_folder, *database_files(config))
    files = [path for path in (*ours, *config.secret_files) if exposed(path)]
    names = " ".join(shlex.quote(str(path)) for path in files)
    if files:
        yield Finding(
            "rights", False, f"Other accounts of this machine may look into them; close them: chmod go= {names}"
        )
    else:
        yield Finding("rights", True, "No other account of this machine may look into database, keys or passwords.")
    if config.archive.folder and not config.archive_is_public:
        sentence = f"{config.archive_folder} lies in the data folder, where no web server may read it; give it a place outside."
        yield Finding("archive", False, sentence)


def _soundness(config: Config) -> Iterator[Finding]:
    for file in (path for path in _sqlite_files(config) if path.exists()):
        broken = broken_parts(file)
        said = f"is damaged: {'; '.join(broken)}. {MEND_DAMAGE}" if broken else "is whole."
        yield Finding("soundness", not broken, f"{file} {said}")


def _sqlite_files(config: Config) -> tuple[Path, ...]:
    file = sqlite_file(config)
    return (file, Path(f"{file}-mailbag")) if file is not None else ()


def _service(config: Config) -> Iterator[Finding]:
    if sqlite_file(config) is not None:
        running = running_service(config)
        said = f"referee serve runs (process {running})." if running else "referee serve does not run just now."
        yield Finding("service", True, said)


def _disk(config: Config) -> Iterator[Finding]:
    free = shutil.disk_usage(config.data_folder).free
    megabytes = free // (1024 * 1024)
    reserve = config.limits.reserve_mb
    enough = free >= max(_LITTLE, 2 * reserve * 1024 * 1024)
    mend = "" if enough else f" Make room: with less than {reserve} MB ([limits] reserve_mb) letters are put off."
    yield Finding("disk", enough, f"{megabytes} MB are free under {config.data_folder}.{mend}")


def _backup(config: Config) -> Iterator[Finding]:
    """When the last good backup was made, and whether there is room for the next one."""
    now, folder, store = clock_of(config).now(), config.backup_folder, store_of(config)
    try:
        with store.look() as step:
            kept = notes.BACKED_UP.of().read(step) or BackedUp()
            plays = any(row.status != "forming" for row in step.matches())
    finally:
        store.close()
    late = plays if kept.at is None else now - kept.at > BACKUP_OLD
    if folder is None:
        said = "[backup] folder has one made every night (docs/backup.md)."
        yield Finding("backup", not late, f"{last_backup(kept)} {said}")
        return
    failed = f" It failed on {kept.failed:%Y-%m-%d %H:%M} UTC: {kept.why}" if kept.failed else ""
    yield Finding("backup", not late and not failed, f"{last_backup(kept)}{failed}")
    there = next(path for path in (folder, *folder.absolute().parents) if path.is_dir())
    free, beside = shutil.disk_usage(there).free, there.stat().st_dev == config.data_folder.stat().st_dev
    if free < kept.size:
        said = f"{free // 1_000_000} MB are free under {folder}, and a backup takes {kept.size // 1_000_000} MB"
        yield Finding("backup", False, f"{said}: make room, or keep fewer ([backup] keep).")
    if beside:
        said = f"{folder} is on the disk of the data folder, and is lost with it: copy backups to another machine."
        yield Finding("backup", True, said)


def _clock(config: Config) -> Iterator[Finding]:
    if config.clock_file:
        yield Finding(
            "clock", False, f"[clock] file = {config.clock_file} makes time stand still; empty it for real play."
        )
        return
    with tempfile.NamedTemporaryFile(dir=config.data_folder) as file:
        written = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)
    apart = abs(datetime.now(UTC) - written)
    year = datetime.now(UTC).year
    sane = apart < _APART and year >= 2025
    mend = "" if sane else " Set the machine's clock (chrony or ntpd); deadlines are kept by it."
    yield Finding("clock", sane, f"It says {datetime.now(UTC):%Y-%m-%d %H:%M} UTC.{mend}")


def _desk(config: Config) -> Iterator[Finding]:
    """Before the database is written: a desk that hangs may keep it."""
    limit = config.limits.letter_seconds
    for at in map(at_hand, config.hand_files):
        if at is not None and at.seconds > _LONG_IN_HAND:
            sentence = (
                f"Letter {at.letter} has been in hand for {at.seconds:.0f} seconds. After {limit:g} seconds of computing the "
                f"desk is ended and the letter laid aside; referee desk show {at.letter} prints it, desk discard drops it."
            )
            yield Finding("desk", False, sentence)
    now, store = clock_of(config).now(), store_of(config)
    try:
        with store.look() as step:
            late = [row for row in step.pending() if row.status == "new" and now - row.received_at > _LONG_WAIT]
    finally:
        store.close()
    mend = " Does referee serve run? referee desk list names them." if late else ""
    yield Finding("inbox", not late, f"{len(late)} letters have waited for the desk for more than five minutes.{mend}")


def _database(config: Config) -> Iterator[Finding]:
    store = store_of(config)
    try:
        with store.engine.connect() as db:
            older = why_older(db, this_program(rules_in_force()))
        if not older:  # whoever writes signs, and an older service that runs would write no more
            with store.step() as step:
                notes.DOCTOR.of().keep(step, "was here")
                notes.DOCTOR.of().forget(step)
        yield Finding("database", not older, older or "It is up to date and can be written.")
        yield from _durability(store)
        with store.look() as step:
            shunted = len(step.letters("shunted"))
            cut_off, back = losses(step), set_back_since(step, datetime.now(UTC))
            old = notes.LAID_ASIDE.of().read(step)
        hint = " Look at them with: referee desk list." if shunted else ""
        yield Finding("letters", not shunted, f"{shunted} letters wait for a person.{hint}")
        if old:
            said = f"{counted(old, 'letters')} of the mailbox came before the first start and proved nothing; none is answered."
            yield Finding("letters", True, said)
        yield from (_contact(loss, config) for loss in cut_off.values())
        yield from (_set_back(match, at) for match, at in back.items())
    finally:
        store.close()


def _contact(loss: Loss, config: Config) -> Finding:
    """The running service's note on a server that it does not reach."""
    briefly = datetime.now(UTC) - loss.since < timedelta(minutes=config.clock.downtime_minutes)
    waits = "wait for it no longer" if loss.given_up else "wait for it"
    said = f"The service has not reached {loss.server} since {loss.since:%Y-%m-%d %H:%M} UTC; deadlines {waits}."
    return Finding("contact", briefly, f"{said} {loss.why}".strip())


def _set_back(match: str, at: datetime) -> Finding:
    said = f"On {at:%Y-%m-%d %H:%M} UTC a player of {match} answered a letter that the database knows nothing of."
    return Finding(
        "restored", False, f"{said} It was restored from a backup: tell the game master. This is said for a fortnight."
    )


def _house(config: Config) -> Iterator[Finding]:
    """Whether this machine comes with the address and the keys that the database knows."""
    if not signing_key(config)[0].exists():
        return
    with opened(config) as office:
        said = otherwise(config, office)
    yield Finding("house", not said, said or "Address and keys are those that the database knows this house by.")


def _durability(store: Store) -> Iterator[Finding]:
    if store.engine.dialect.name != "sqlite":
        yield from _server(store)
        return
    with store.engine.connect() as db:
        mode = str(db.execute(text("PRAGMA journal_mode")).scalar())
        synchronous = int(db.execute(text("PRAGMA synchronous")).scalar() or 0)
    safe = mode == "wal" and synchronous >= 2
    mend = "" if safe else " It should be wal and 2; is the folder on a network disk?"
    yield Finding("durability", safe, f"SQLite writes with journal_mode {mode}, synchronous {synchronous}.{mend}")


_MUST_BE_ON = ("fsync", "full_page_writes", "synchronous_commit")
_TIMEOUTS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")


def _server(store: Store) -> Iterator[Finding]:
    """How PostgreSQL writes, and how long it lets our connections wait."""
    with store.engine.connect() as db:
        kept = {
            name: str(db.execute(text(f"SHOW {name}")).scalar())
            for name in ("server_version", *_MUST_BE_ON, *_TIMEOUTS)
        }
    off = [name for name in _MUST_BE_ON if kept[name] == "off"]
    mend = f" Set {', '.join(off)} to on: letters that were acknowledged may be lost in a power cut." if off else ""
    said = ", ".join(f"{name} {kept[name]}" for name in (*_MUST_BE_ON, *_TIMEOUTS))
    yield Finding("durability", not off, f"PostgreSQL {kept['server_version']} works with {said}.{mend}")
    yield Finding("desk", True, _whose_desk(at_desk(store.engine)))


def _whose_desk(here: AtDesk | None) -> str:
    """The desk that does the work, of the machines that share the database."""
    if here is None:
        return "Nobody keeps house in this database; a service started here does."
    where = "this machine" if here.host == socket.gethostname() else f"the machine {here.host}"
    said = f"Process {here.pid} of {where} keeps house since {here.since:%Y-%m-%d %H:%M} UTC"
    return f"{said}; the desks of every other service work beside it."


def _address(config: Config) -> Iterator[Finding]:
    local = config.host in ("localhost", "localhost.localdomain")
    mend = (
        " Players elsewhere cannot answer it; set [referee] address to one your mail server delivers." if local else ""
    )
    yield Finding("address", not local, f"The referee writes as {config.referee.address}.{mend}")
    trusts = sorted({name for names in config.trusted.values() for name in names})
    said = f"results of {', '.join(trusts)} are trusted" if trusts else "no mail server's checks of senders are trusted"
    yield Finding("identity", True, f"Reply addresses prove who writes; {said}.")


def _dkim(config: Config) -> Iterator[Finding]:
    """The key that signs letters, and the record to make in DNS."""
    if not config.dkim.selector:
        return
    from referee.adapters.dkim import dkim_keys

    keys = dkim_keys(config)
    if keys is None:
        return
    now = datetime.now(UTC)
    may_go = [selector for selector, until in keys.old().items() if until < now]
    waits = " A newer key waits for its DNS record: referee keys show prints it." if keys.waiting() else ""
    gone = f" The DNS record of {in_a_row(may_go)} may go." if may_go else ""
    yield Finding("dkim", True, f"Letters are signed by {keys.signer().selector} of {keys.domain}.{waits}{gone}")


def _port(config: Config) -> Iterator[Finding]:
    host, port = config.receive.host, config.port
    if port is None:
        yield Finding("receiver", True, "No port is open for letters; they come as the settings say ([receive] port).")
        return
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.settimeout(3)
        taken = probe.connect_ex((host, port)) == 0 if port else False
    said = "something listens there already, the running service, it is hoped" if taken else "it is free"
    yield Finding("receiver", True, f"Letters are taken on {host}:{port}; {said}.")


def _relay(config: Config) -> Iterator[Finding]:
    send = config.send
    if send.method == "maildir":
        yield Finding(
            "sending", True, f'Letters are laid into {config.mail_folder}; [send] method = "smtp" mails them.'
        )
        return
    from referee.bootstrap.mail_ways import relay_sender

    sender = relay_sender(config, min(send.timeout_seconds, 20))
    try:
        sender.knock()
    except NotLetIn as refused:
        mend = "Mend user and password (or token_command) under [send]; letters wait until then, and none is given up."
        yield Finding("relay", False, f"{refused}. {mend}")
    except OutOfReach as away:
        mend = "Mend host, port and security under [send], or the network; letters wait until then."
        yield Finding("relay", False, f"It cannot be reached: {away}. {mend}")
    else:
        yield Finding("relay", True, f"{send.host}:{send.port} answers{' and lets us in' if send.user else ''}.")
    finally:
        sender.close()


def _mailbox(config: Config) -> Iterator[Finding]:
    if not config.imap.host:
        return
    from imapclient.exceptions import IMAPClientError

    try:
        yield _boxed(config)
    except IMAPClientError as problem:
        yield Finding("mailbox", False, f"It cannot be used: {problem}.")


def _boxed(config: Config) -> Finding:
    from referee.adapters.incoming.imap import Refused, connect, take_leave
    from referee.bootstrap.mail_ways import imap_account

    try:
        client = connect(imap_account(config))
    except Refused as refused:
        mend = "Mend user, password or token_command under [imap]; letters wait in the mailbox until then."
        return Finding("mailbox", False, f"{config.imap.host} does not let {config.imap.user} in: {refused}. {mend}")
    try:
        found = client.select_folder(config.imap.folder, readonly=True)
        count = found[b"EXISTS"]
        return Finding(
            "mailbox", True, f"{config.imap.user} at {config.imap.host} lets us in; {count} letters are in it."
        )
    finally:
        take_leave(client)


def _watched_folder(config: Config) -> Iterator[Finding]:
    if not config.maildir.path:
        return
    box = config.home / config.maildir.path
    there = (box / "new").is_dir() and os.access(box / "new", os.R_OK | os.W_OK)
    parts = shlex.join(str(box / name) for name in ("new", "cur", "tmp"))
    mend = "" if there else f" Make it as this user: install -d -m 700 {parts}"
    yield Finding("maildir", there, f"{box} is watched for letters.{mend}")


def _table(config: Config) -> Iterator[Finding]:
    """Whether this installation carries the rules for the page on which one plays."""
    if not config.archive.url:
        return
    from referee.adapters.pages.archive_folder import ENGINE
    from referee.adapters.pages.render import engine_folder

    there = engine_folder().joinpath(ENGINE).is_file()
    mend = " make wheel makes a wheel that has them (docs/hosting.md)."
    said = (
        "This installation carries the rules for the page." if there else f"The rules for the page are missing.{mend}"
    )
    yield Finding("table", there, said)


def _games(config: Config) -> Iterator[Finding]:
    """The games that can be played here."""
    broken = [why for game in GAMES if (why := why_missing(game))]
    yield Finding("games", not broken, f"{'. '.join(broken) or f'All {len(GAMES)} games can be loaded'}.")


def _beacon(config: Config) -> Iterator[Finding]:
    """The beacon's extra, and whether its relays give a round of a minute ago, rightly signed."""
    if config.chance.beacon == "letters":
        return
    from referee.adapters.beacon.drand import chain_of, verifier

    chain, signed = chain_of(config.chance), verifier(config.chance)
    round = max(1, chain.round_after(clock_of(config).now() - _A_ROUND_AGO) - 1)
    silent = [why for url in config.chance.relays if (why := _why_silent(url, chain, round, signed))]
    well, of = len(silent) < len(config.chance.relays), counted(len(config.chance.relays), "relays")
    answer = f"{len(config.chance.relays) - len(silent)} of {of} gave round {round} of {chain.name}, rightly signed."
    mend = "" if well else " Turns wait for it in vain; mend the network, or [chance] relays."
    yield Finding("beacon", well, " ".join((answer, *silent)) + mend)


def reaches_beacon() -> bool:
    """Whether this machine has what verifies rounds of the usual beacon, and a relay gives it a true one now."""
    chance = Chance(beacon="drand")
    with suppress(Unusable):
        from referee.adapters.beacon.drand import chain_of, verifier

        chain, signed = chain_of(chance), verifier(chance)
        round = max(1, chain.round_after(datetime.now(UTC) - _A_ROUND_AGO) - 1)
        return any(not _why_silent(url, chain, round, signed) for url in chance.relays)
    return False


def _why_silent(url: str, chain: Chain, round: int, signed: Callable[[int, bytes], bool]) -> str:
    """Why a relay is of no use now, a sentence; "" where it gave a round rightly."""
    from referee.adapters.beacon.rounds import NoAnswer, Relay

    try:
        claim = Relay(url).ask(chain.hash, round)
    except NoAnswer as problem:
        return f"{url}: {problem}."
    return "" if claim.round == round and signed(round, claim.signature) else f"{url}: its answer is not true."


_A_ROUND_AGO = timedelta(minutes=1)


_KEPT = (_folder, _rights, _disk, _soundness, _desk, _database, _house, _backup, _service)
"""Checks of our own folder and database, whose refusals have sentences of their own."""

_OUTSIDE = (_clock, _address, _dkim, _port, _relay, _mailbox, _watched_folder, _games, _table, _beacon)
