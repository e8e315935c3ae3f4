"""A Postfix that asks the referee about an address before it takes a letter for it, as docs/mail.md advises."""

from __future__ import annotations

import smtplib
from pathlib import Path

import pytest

from referee.adapters.clock_and_secrets import SystemClock
from referee.adapters.incoming.mailbag import Spool
from referee.adapters.incoming.smtp_in import Listening, Receiver
from referee.adapters.store.store import Store
from tests.real import postfix

_ASKS = """\
smtpd_recipient_restrictions = reject_unverified_recipient, permit_mynetworks
unverified_recipient_reject_code = 550
address_verify_map =
"""


def test_an_address_nobody_gave_out_is_refused_at_postfixs_own_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postfix, "_MAIN", postfix._MAIN + _ASKS)
    store = Store(f"sqlite:///{tmp_path / 'referee.sqlite'}")
    spool = Spool(store)
    known = "referee+nw1.abcdefgh@games.example"
    receiver = Receiver(
        spool, lambda to: "yes" if to == known else "unknown", SystemClock(), Listening(port=0, protocol="lmtp")
    )
    spool.start()
    lmtp = receiver.start()
    with postfix.run_postfix(games_example=lmtp) as server, smtplib.SMTP("127.0.0.1", server.port) as session:
        session.ehlo()
        session.mail("anna@players.example")
        code, said = session.rcpt("referee+nw1.guessed2@games.example")
        assert code == 550 and b"No such address here" in said
        assert session.rcpt(known)[0] == 250
    receiver.stop()
    spool.stop()
    with store.look() as step:
        assert step.letters("new", 9) == []
    store.close()
