"""Both sides think alike of the archives of matches of all games, whole ones and such as somebody laid hand on."""

from __future__ import annotations

import html
import quopri
import textwrap
from base64 import encodebytes
from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes, policy
from functools import cache
from typing import Any

import pytest

from referee.adapters.signing_key import verify as signature
from referee.core.record import Renewed, Sealed
from referee.games.empire.game import EmpireGame
from referee.games.newworld import phases
from referee.service.house.saved_letters import saved
from referee.service.house.verification import Checks, verify_archive
from referee.service.match import playing
from referee.service.match.audit import Verdict
from tests.mended import mend, upgrade
from tests.service.conftest import GINA, PLAYERS
from tests.verify.forging import Draft, Folder
from tests.verify.matches import ALL, MATCH, Archived, archived, bots, made, table, terminated
from tests.verify.node import node, verify
from tests.verify.tampered import OVER, RUNNING, tampers
from tests.verify.vectors import SECRET

pytestmark = pytest.mark.usefixtures("sealed_dice")

_TAMPERS = {what: (of, tamper) for what, of, tamper in tampers()}


@cache
def archives() -> dict[str, Archived]:
    """All matches, played once."""
    return dict(made())


def laid_hand_on(what: str) -> Archived:
    of, tamper = _TAMPERS[what]
    return tamper(Folder.of(archives()[of])).archived()


@cache
def found_in_javascript() -> dict[str, dict[str, Any]]:
    """What the verifier in JavaScript says, of all in one process."""
    given = {name: archive.given() for name, archive in archives().items()}
    given |= {what: laid_hand_on(what).given() for what in _TAMPERS}
    return dict(zip(given, verify(list(given.values())), strict=True))


def test_there_are_enough_of_them() -> None:
    node()
    assert len(archives()) >= 49 and len(_TAMPERS) >= 50


def test_whole_archives_are_sound_to_both() -> None:
    node()
    found = found_in_javascript()
    for name, archive in archives().items():
        assert archive.sound() == (True, ""), name
        assert (found[name]["sound"], found[name]["trouble"]) == (True, ""), name
        assert found[name]["seals"] and not found[name]["unsealed"], name


def test_who_knows_the_secret_rebuilds_an_archive_byte_for_byte() -> None:
    for name, archive in archives().items():
        if not name.startswith("toy"):  # where lateness is hidden nobody can, while it is played
            again = Folder.of(archive)
            assert again.rebuilt().archived().log == archive.log, name
            assert again.manifest == Folder.of(archive).manifest, name


@pytest.mark.parametrize("what", _TAMPERS)
def test_neither_takes_a_tampered_archive_for_sound(what: str) -> None:
    node()
    archive = laid_hand_on(what)
    assert archive != archives()[_TAMPERS[what][0]]
    found = found_in_javascript()[what]
    assert not found["sound"] and found["trouble"].endswith(".")
    assert not archive.sound()[0]


def test_mended_rules_that_play_a_phase_anew_have_the_same_key(monkeypatch: pytest.MonkeyPatch) -> None:
    node()
    cited = '"Event check", "nw.event.check"', '"Event check", "nw.event.privateers"'
    with table("newworld", "WITH mode two_step") as world:
        world.reply(world.on_turn(MATCH), "HIRE 1 worker\nROLL OUT")
        mend(monkeypatch, phases, "event_phase", *cited)
        upgrade(monkeypatch)
        world.reply(PLAYERS[0], "STATUS")
        archive = archived(world)
    folder = Folder.of(archive)
    assert folder.record(folder.records("sealed")[-1])["again"] == 2
    del folder.entries[next(entry["seq"] for entry in folder.entries if entry["kind"] == "renewed")]
    (whole, without) = verify([archive.given(), folder.rebuilt().archived().given()])
    assert (whole["sound"], whole["trouble"]) == (True, "") and archive.sound()[0]
    assert "used again, though something came from outside" in without["trouble"]


def test_a_phase_that_began_under_the_key_of_the_one_before_has_it_when_it_is_played_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    node()
    with table("empire") as world:
        bots(world, 1)
        monkeypatch.setattr(EmpireGame, "build", "mended")
        playing._CACHE.clear()
        world.reply(GINA, "STATUS")
        assert [seal.again for seal in world.log(Sealed, MATCH)] == [0, 1, 1] and len(world.log(Renewed, MATCH)) == 1
        both = (archived(world), terminated(world))
    for archive, found in zip(both, verify([archive.given() for archive in both]), strict=True):
        assert (found["sound"], found["trouble"]) == (True, "")
        assert archive.sound() == (True, "")


EVENT = "T2/England/Event check"


def begun(draft: Draft, number: int = 0) -> Draft:
    """A phase begins with dice of a new key, or of that of a seal."""
    draft.begin("T2/England")
    draft.again(number) if number else draft.seal()
    draft.roll(EVENT, 1, 6)
    return draft


def drafted(number: int = 0) -> Draft:
    """Up to an entry that comes from outside: a phase and its dice, and another with dice of a new key, or of that of a seal."""
    draft = Draft("v1", "2026-11-21T12:00:00.000000+00:00", SECRET)
    draft.begin("T1/Spain")
    draft.seal()
    draft.roll("T1/Spain/Event check", 1, 6)
    begun(draft, number).add("filed", seat="Spain", drawer="standing", sheet=[])
    return draft


FIRST_PHASE = 4
"""The entry with which the first phase of a draft ends."""


def renewed(draft: Draft, to: int, number: int) -> Draft:
    draft.renew(to)
    return begun(draft, number)


def rewound(draft: Draft) -> Draft:
    """The second phase is begun again with another chain of secrets."""
    draft.add("rewound", to=FIRST_PHASE, by="Gil", reason="")
    draft.pledge()
    return begun(draft)


KEYS_AGAIN: dict[str, tuple[Callable[[], Draft], bool]] = {
    "of a seal in the phase": (lambda: renewed(drafted(), FIRST_PHASE, 2), True),
    "of the phase before, taken over": (lambda: renewed(drafted(1), FIRST_PHASE, 1), True),
    "for the third time": (lambda: renewed(renewed(drafted(1), FIRST_PHASE, 1), FIRST_PHASE, 1), True),
    "of the phase before, not taken over": (lambda: renewed(drafted(), FIRST_PHASE, 1), False),
    "of a seal that is not played anew": (lambda: renewed(drafted(), FIRST_PHASE + 3, 2), False),
    "of a phase that was rewound": (lambda: renewed(rewound(drafted()), FIRST_PHASE, 2), False),
    "of no phase": (lambda: begun(drafted(), 2), False),
}


@pytest.mark.parametrize("key", KEYS_AGAIN)
def test_mended_rules_have_no_key_but_those_of_the_phase_that_they_play_anew(key: str) -> None:
    node()
    made, good = KEYS_AGAIN[key]
    archive = made().folder().archived()
    (found,) = verify([archive.given()])
    assert (found["sound"], archive.sound()[0]) == (good, good), (found["trouble"], archive.sound())
    if not good:
        assert "used again, though something came from outside" in found["trouble"]
        assert "has the key of a seal that is broken" in archive.sound()[1]


def forwarded(purpose: str, first: int) -> Archived:
    """Three dice of a phase that is rewound and rolled forward again, and then another die."""
    draft = Draft("v1", "2026-11-21T12:00:00.000000+00:00", SECRET)
    draft.begin("T2/England")
    draft.seal()
    draft.roll(EVENT, 3, 6)
    rewind = len(draft.entries)
    draft.add("rewound", to=1, by="Gil", reason="")
    draft.pledge()
    draft.begin("T1/Spain")
    draft.add("forwarded", undoes=rewind, by="Gil", reason="")
    draft.pledge()
    draft.seal()
    draft.roll(purpose, 1, 6, first)
    return draft.folder().archived()


@pytest.mark.parametrize(
    ("purpose", "first", "good"),
    [(EVENT, 3, True), (EVENT, 0, False), (EVENT, 4, False), ("T1/Spain/Event check", 0, False)],
)
def test_no_die_of_a_phase_is_thrown_twice_or_for_another_one(purpose: str, first: int, good: bool) -> None:
    """Whatever it shows: who may choose among dice of one key has the face that he wants."""
    node()
    archive = forwarded(purpose, first)
    (found,) = verify([archive.given()])
    assert (found["sound"], archive.sound()[0]) == (good, good), (found["trouble"], archive.sound())


# ---------------------------------------------------------------- with letters


@cache
def text_of(letter: bytes) -> str:
    part = message_from_bytes(letter, policy=policy.default).get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def _quoted(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def _wrapped(text: str) -> str:
    """Broken anew at 60 characters, words too."""
    return "\n".join("\n".join(textwrap.wrap(line, 60)) for line in text.splitlines())


def _saved(kind: str, encoding: str, body: str, newline: str = "\n") -> str:
    head = f"Subject: [t1] saved\nMIME-Version: 1.0\nContent-Type: {kind}; charset=utf-8\n"
    return f"{head}Content-Transfer-Encoding: {encoding}\n\n{body}".replace("\n", newline)


FORMS: dict[str, Callable[[str], str]] = {
    "pasted": lambda text: text,
    "with line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "quoted": _quoted,
    "quoted twice": lambda text: "Anna wrote:\n" + _quoted(_quoted(text, ">")),
    "forwarded": lambda text: "-------- Forwarded Message --------\nSubject: [t1] Turn 1\n\n" + text,
    "quoted and broken": lambda text: _quoted(_wrapped(text)),
    "without the blanks at line ends": lambda text: "\n".join(line.rstrip() for line in text.splitlines()),
    "without empty lines": lambda text: "\n".join(line for line in text.splitlines() if line.strip(" |")),
    "with a short dash": lambda text: text.replace("\N{EM DASH}", "-"),
    "quoted-printable": lambda text: _saved(
        "text/plain", "quoted-printable", quopri.encodestring(text.encode()).decode(), "\r\n"
    ),
    "base64": lambda text: _saved("text/plain", "base64", encodebytes(text.encode()).decode()),
    "HTML alone": lambda text: _saved(
        "text/html", "8bit", f"<html><body>{html.escape(text).replace(chr(10), '<br>')}</body></html>"
    ),
    "HTML in paragraphs": lambda text: "".join(
        f"<p class=MsoNormal>{html.escape(line) or '&nbsp;'}</p>" for line in text.splitlines()
    ),
}
"""How a letter looks that was saved, quoted, forwarded or copied."""


def test_letters_fit_the_archive_of_their_match() -> None:
    node()
    with_letters = {name: archive for name, archive in archives().items() if archive.letters}
    found = verify([archive.given(letters=True) for archive in with_letters.values()])
    for (name, archive), one in zip(with_letters.items(), found, strict=True):
        assert (one["sound"], one["trouble"]) == (True, ""), name
        told = {check["what"]: check["found"] for check in one["checks"]}
        assert "facts of the first letter" in told["Letters"] and "secrets of the dice" in told["Letters"]
        assert archive.sound(letters=True) == (True, ""), name
    assert "signed heads" in next(c["found"] for c in found[0]["checks"] if c["what"] == "Letters")


def test_letters_tell_a_log_that_was_written_anew() -> None:
    """All of it fits, dice and signature: only who has letters sees that it is another one."""
    node()
    folder = Folder.of(archives()[RUNNING])
    folder.entries[20]["cause"] = "somebody else"
    fork = folder.rebuilt().archived()
    alone, compared = verify([fork.given(), fork.given(letters=True)])
    assert alone["sound"] and fork.sound()[0]
    assert not compared["sound"] and "it has another hash than in letter" in compared["trouble"]
    assert not fork.sound(letters=True)[0]


def test_both_sides_find_other_dice_in_a_letter_beside_its_true_head() -> None:
    """Those of another turn too: a letter that reports one turn tells of its dice."""
    node()
    whole = archives()[RUNNING]
    reports = [text for letter in whole.letters if "Event check: 1d6 = " in (text := text_of(letter))]
    face = reports[0].partition("Event check: 1d6 = ")[2][0]
    said = [reports[0].replace(f"1d6 = {face}", f"1d6 = {other}", 1) for other in range(1, 7)]
    given = [{**whole.given(), "letters": [text]} for text in said]
    found = verify(given)
    assert [one["sound"] for one in found] == [str(other) == face for other in range(1, 7)]
    assert "”, and the log has " in found[int(face) % 6]["trouble"]
    letters = [replace(whole, letters=(text.encode(),)).sound(letters=True) for text in said]
    assert [sound for sound, _ in letters] == [one["sound"] for one in found]


def test_a_throw_that_everybody_was_told_and_the_log_withholds_is_told_of() -> None:
    node()
    whole = archives()[RUNNING]
    letters = tuple(letter for letter in whole.letters if "Event check: 1d6 = " in text_of(letter))[:1]
    folder = Folder.of(whole)
    thrown = folder.events("Rolled")
    first = next(at for at in thrown if folder.record(at)["event"]["why"] == "Event check")
    folder.entries[first]["payload"] = None
    del folder.entries[first]["salt"]
    withheld = replace(folder.archived(), letters=letters)
    (found,) = verify([withheld.given(letters=True)])
    assert (found["verdict"], found["trouble"]) == (3, "") and "1 line of dice" in str(found["unchecked"])
    checks = Checks(signature=signature, letters=tuple(map(saved, letters)))
    said = verify_archive(ALL, withheld.manifest, withheld.log, withheld.reports, checks=checks)
    assert said.verdict is Verdict.PARTLY and "1 lines of dice in a letter" in said.unchecked[0]


@pytest.mark.parametrize("form", FORMS)
def test_a_letter_is_read_however_mail_programs_leave_it(form: str) -> None:
    node()
    whole = archives()[OVER]
    folder = Folder.of(archives()[RUNNING])
    folder.entries[6]["cause"] = "somebody else"
    fork = folder.rebuilt().archived()
    letters = [FORMS[form](text_of(letter)) for letter in whole.letters if b".started-" in letter][:4]
    found, other = verify([{**archive.given(), "letters": letters} for archive in (whole, fork)])
    assert (found["sound"], found["trouble"]) == (True, "")
    (told,) = (check["found"] for check in found["checks"] if check["what"] == "Letters")
    assert (
        told
        == "they fit: 12 facts of the first letter, 4 signed heads, 4 hashes of entries, 4 secrets of the dice, 16 lines of dice"
    )
    assert not other["sound"]


def test_what_players_write_behind_bars_is_not_taken_for_the_referees_word() -> None:
    node()
    lie = f"Anna writes:\n\n  | Fingerprint:\n  |     {'0' * 64}\n  | Secret 1 of chain 0: {'1' * 64}\n"
    found, other = verify([{**archives()[OVER].given(), "letters": [text]} for text in (lie, lie.replace("|", ""))])
    assert found["sound"] and not other["sound"]


def test_letters_tell_a_folder_that_ends_too_early() -> None:
    node()
    older, newer = archives()["newworld, 2 turns"], archives()[OVER]
    (found,) = verify([older.given() | {"letters": [letter.decode() for letter in newer.letters]}])
    assert found["verdict"] == 4 and "Fetch it anew" in found["trouble"]


def test_letters_of_another_match_are_left_out() -> None:
    node()
    own, other = archives()[OVER], archives()["toy, over"]
    letters = [letter.decode().replace(f"[{MATCH}]", "[t2]") for letter in other.letters if b"[t1]" in letter]
    (found,) = verify([own.given() | {"letters": letters}])
    assert found["sound"] and "of other matches" in found["note"]
