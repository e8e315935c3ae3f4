"""Who wrote a letter when its address does not say: keys, which only their hash is kept of, and further addresses."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import msgspec

from referee.mail import Letter, token_digest
from referee.mail import read as read_letter
from referee.mail.reading.keys import LEAST, Keys, hash_key, is_key, take_keys
from referee.service import notes
from referee.service.letters import RefusalLetter
from referee.service.match.result import Denied
from referee.service.office import Office
from referee.service.outgoing.budgets import Answering
from referee.service.outgoing.post import About, Mail, Reply, post
from referee.service.ports import LetterIn, MatchRow, Player, Step, Token
from referee.service.remembered import Tries, WantedAddress

KeyFound = Literal["right", "wrong", "guessed"]

_GUESSES_A_DAY = 20
_LOOKS_A_DAY = 2_000
_ADDRESS = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+")


def open_letter(row: LetterIn) -> tuple[Letter, Keys]:
    """The letter as everything else may read it, without the keys in it, and the keys."""
    return _opened(row.raw, row.sender)


@lru_cache(maxsize=1)  # a letter to many recipients comes once for each, one after the other
def _opened(raw: bytes, sender: str) -> tuple[Letter, Keys]:
    letter = read_letter(raw, sender)
    keys = take_keys(letter.text)
    return msgspec.structs.replace(letter, text=keys.text), keys


def is_from(letter: Letter, player: Player) -> bool:
    """Whether the one mailbox in From is an address of this player. Anybody can write that."""
    return letter.from_count == 1 and letter.sender in {address.lower() for address in player.addresses}


# ---------------------------------------------------------------- keys


def set_key(office: Office, step: Step, player: Player, key: str) -> str:
    """Keep the hash of a player's new key in place of the old one; what is wrong with the key, "" for nothing."""
    if len(key) < LEAST:
        return f"A key needs at least {LEAST} characters; write SET key and a longer word."
    notes.KEY.of(player.id).keep(step, hash_key(key, office.secrets.secret()[:16]))
    return ""


def judge_key(office: Office, step: Step, player: Player, key: str) -> KeyFound:
    """Whether this is the player's key.

    A right one is always found to be his, however many wrong ones a forger wrote in his name; but after many of them that
    day it may have been guessed, and he is asked.
    """
    kept = notes.KEY.of(player.id).read(step)
    if kept is None or len(key) < LEAST or not _may_look(office, step):
        return "wrong"
    today, tries = office.clock.now().date(), notes.KEY_GUESSES.of(player.id).read(step)
    guesses = tries.on(today) if tries else 0
    if not is_key(key, kept):
        notes.KEY_GUESSES.of(player.id).keep(step, Tries(today, guesses + 1))
        return "wrong"
    return "right" if guesses < _GUESSES_A_DAY else "guessed"


def _may_look(office: Office, step: Step) -> bool:
    """Whether there is time for one more key today: each costs some hundredths of a second, whoever writes it."""
    today, tries = office.clock.now().date(), notes.KEYS_TRIED.of().read(step)
    looks = tries.on(today) if tries else 0
    if looks < _LOOKS_A_DAY:
        notes.KEYS_TRIED.of().keep(step, Tries(today, looks + 1))
    return looks < _LOOKS_A_DAY


# ---------------------------------------------------------------- addresses


def ask_address(office: Office, step: Step, row: MatchRow, player: Player, written: str, unique: str) -> Denied | None:
    """Write to a new address of a player and ask it to answer; or what is wrong with it.

    Its token opens nothing but this: whoever reads there by mistake cannot write orders.
    """
    new = written.strip().strip("<>").lower()
    if not is_address(new):
        return Denied(f"{written or 'That'} is no address I can write to; write SET address anna@example.org.")
    if step.player_at(new) is not None:
        return Denied(f"{new} is known to me already, and an address belongs to one person.")
    token = office.secrets.token()
    step.save_token(Token(token_digest(token), row.name, 0, "", row.turn))
    notes.NEW_ADDRESS.of(row.name, token_digest(token)).keep(step, WantedAddress(player.id, new))
    sentence = f"{player.name}, who plays by mail here, says that {new} is an address of his too."
    instead = (
        "Reply with just YES, from this address, if that is so; letters from it are then known as yours.",
        "If you know nothing of it, do nothing: nobody is entered, and nobody writes to you again.",
    )
    body = RefusalLetter("Is this address yours?", sentence, instead, None, row.name, player.name)
    there = Player(0, player.name, (new,), player.zone)
    answering = Answering(int(unique) if unique.isdecimal() else 0, "stranger")
    subject = "is this address yours?"
    post(
        office,
        step,
        there,
        Mail("refusal", subject, body, unique),
        About(row, token=token),
        Reply(answering=answering),
    )
    return None


def is_address(written: str) -> bool:
    """Whether a letter can be sent there."""
    return _ADDRESS.fullmatch(written.lower()) is not None


def wanted_address(step: Step, token: Token) -> WantedAddress | None:
    """Which player wants which address known, if this token was made to confirm one and still waits."""
    return notes.NEW_ADDRESS.of(token.match, token.digest).read(step)


def give_address(office: Office, step: Step, token: Token, unique: str) -> None:
    """Enter a confirmed address as a player's, and tell him at the address he is written to."""
    wanted = wanted_address(step, token)
    player = step.player(wanted.player) if wanted else None
    notes.NEW_ADDRESS.of(token.match, token.digest).forget(step)
    if wanted is None or player is None or step.player_at(wanted.address) is not None:
        return
    player = step.save_player(msgspec.structs.replace(player, addresses=(*player.addresses, wanted.address)))
    sentence = (
        f"{wanted.address} is known as an address of yours now; letters to you still go to {player.addresses[0]}."
    )
    instead = ("If you did not ask for that, tell your game master at once.",)
    body = RefusalLetter("An address of yours was added", sentence, instead, None, token.match, player.name)
    post(office, step, player, Mail("added", "an address of yours was added", body, unique))
