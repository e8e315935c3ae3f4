"""News that does not wait for the report."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.core.event import Event
from referee.core.game import Announces
from referee.kit.wording import counted
from referee.service.clock.suspending import Suspension
from referee.service.letters import Notice
from referee.service.match.hand import BareHand
from referee.service.match.hidden_lateness import masters_of, may_know
from referee.service.match.members import everybody
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post


def announce(hand: BareHand, events: Sequence[Event]) -> None:
    """Everybody is told at once what the game says shall not wait for the report."""
    game = hand.playing.game
    sentences = tuple(filter(None, map(game.at_once, events))) if events and isinstance(game, Announces) else ()
    if not sentences:
        return
    # What the first of the news says before its first stop: `Spain posted petition 1 (clarification)`.
    first = re.split(r"[.:](?: |$)", sentences[0], maxsplit=1)[0]
    title = f"{first} and {counted(len(sentences) - 1, 'more things')}" if len(sentences) > 1 else first
    for member, player in everybody(hand.step, hand.match):
        framed = frame(hand, member, player)
        letter = Notice(framed, title, sentences)
        post(hand, player, Mail("notice", title, letter, f"{hand.playing.head.seq}.news"), About(hand.playing, member))


def tell_suspension(hand: BareHand, pushed: Suspension) -> None:
    """Everybody learns for how long the clock was suspended, and every deadline that this moved."""
    title, masters = "the deadlines are suspended", masters_of(hand.step, hand.match)
    for member, player in everybody(hand.step, hand.match):
        framed = frame(hand, member, player)
        said = pushed.sentences(player.zone, may_know(hand.playing, masters, member, player, ""))
        letter = Notice(framed, title, said)
        post(
            hand,
            player,
            Mail("notice", title, letter, f"{hand.playing.head.seq}.suspended"),
            About(hand.playing, member),
        )
