"""Signed notes: as C2SP and Go write them, and as mail programs leave them; a signature stands for every byte of the text."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.adapters.signing_key import SigningKey, verify
from referee.core.signed_note import (
    COSIGNATURE,
    Checkpoint,
    Key,
    Note,
    Signature,
    cosigned,
    cosigned_at,
    forks,
    is_name,
    is_signed,
    note,
    read_checkpoint,
    read_key,
    read_note,
    read_notes,
    signed,
)

EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
EXAMPLE = (
    "This is an example message.\n\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
"""The example of C2SP's signed-note."""

PETER_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
ENOCH_KEY = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
PETER_SEED = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
SAYING = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
ENOCHS = "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n"
"""The keys, the note and the second signature of the tests of Go's sumdb/note."""

REMORA_KEY = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
COSIGNED = (
    "arche2025h1.staging.ct.transparency.dev\n1432088532\nU7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=\n\n"
    "— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIg"
    "IpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=\n"
    "— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4Ascyl"
    "P3v7sEodkRAErumC2q44vdgJY096st5BQ==\n"
    "— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0Dr"
    "AWfBw==\n"
)
"""A head of a public log with three of its signatures, and the key of a witness that signed it."""

SOFA = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE"
    "+xeMcTOAYQ8=\n"
    "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe"
    "+mbIUBkBIfZ+qnA==\n"
)
"""The example of C2SP's tlog-cosignature."""

POEM = (
    "Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n"
    "— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3"
    "ZekRwNtIc=\n"
)

OURS = SigningKey("referee@club.example", bytes(range(32)))
OUR_KEY = Key(OURS.name, OURS.public)
HEAD = Checkpoint("referee@club.example/nw1", 74, bytes(range(100, 132)))
WITNESS = SigningKey("anna@example.org", bytes(range(1, 33)))
WITNESS_KEY = Key(WITNESS.name, WITNESS.public, COSIGNATURE)
NOTE = Note(
    HEAD.text(),
    (signed(HEAD.text(), OUR_KEY, OURS.sign), signed(HEAD.text(), WITNESS_KEY, WITNESS.sign, 1_800_000_000)),
)
WRITTEN = note(NOTE.text, NOTE.signatures)


def key(text: str) -> Key:
    found = read_key(text)
    assert found is not None
    return found


def the_note(text: str) -> Note:
    found = read_note(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("written", "by"),
    [(EXAMPLE, EXAMPLE_KEY), (SAYING, PETER_KEY), (SAYING + ENOCHS, ENOCH_KEY), (COSIGNED, REMORA_KEY)],
)
def test_notes_of_others_are_signed_by_whom_they_say(written: str, by: str) -> None:
    assert is_signed(the_note(written), key(by), verify)
    assert read_notes(written) == (the_note(written),)


def test_a_note_is_written_as_others_write_it() -> None:
    text = the_note(SAYING).text
    peter = SigningKey("PeterNeumann", PETER_SEED)
    assert peter.public == key(PETER_KEY).public
    assert note(text, [signed(text, key(PETER_KEY), peter.sign)]) == SAYING
    for written in (EXAMPLE, SAYING + ENOCHS, COSIGNED, SOFA, POEM, WRITTEN):
        read = the_note(written)
        assert note(read.text, read.signatures) == written


def test_the_text_of_a_note_ends_at_its_last_blank_line() -> None:
    assert the_note(POEM).text == POEM[: POEM.index("\n— ")]
    assert the_note(POEM).checkpoint() is None


@pytest.mark.parametrize("text", [EXAMPLE_KEY, PETER_KEY, ENOCH_KEY, REMORA_KEY, OUR_KEY.text(), WITNESS_KEY.text()])
def test_a_key_is_written_as_it_is_read(text: str) -> None:
    assert key(text).text() == text


def test_every_piece_and_every_change_of_a_key_is_none() -> None:
    for begin in range(len(PETER_KEY)):
        for end in range(begin + 1, len(PETER_KEY) + 1):
            assert (read_key(PETER_KEY[begin:end]) is None) == ((begin, end) != (0, len(PETER_KEY)))
    for place, char in enumerate(PETER_KEY):
        assert read_key(PETER_KEY[:place] + chr(ord(char) + 1) + PETER_KEY[place + 1 :]) is None


@pytest.mark.parametrize(
    "text",
    [
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "rekor.sigstore.dev+12345678+THIS_IS_NOT_BASE64!",
        EXAMPLE_KEY.upper(),
        EXAMPLE_KEY.replace("example.com/foo", "example com"),
        "\ud800" + EXAMPLE_KEY,
        "",
        "++",
    ],
)
def test_what_is_no_key_is_none(text: str) -> None:
    assert read_key(text) is None


def test_names_have_no_blank_and_no_plus() -> None:
    assert all(map(is_name, ("referee@club.example", "example.com/log42", "a", "Zürich")))
    assert not any(map(is_name, ("", " ", "a b", "a\xa0b", "a+b", "a\n", " a", "a\x00b", "\ud800")))


def test_the_id_of_a_key_is_another_for_each_kind() -> None:
    assert key(EXAMPLE_KEY).id().hex() == "530d903a"
    assert Key("a", bytes(32)).id() != Key("a", bytes(32), COSIGNATURE).id()


def test_a_checkpoint_is_the_text_of_a_note() -> None:
    assert the_note(SOFA).checkpoint() == Checkpoint(
        "example.com/behind-the-sofa", 20852163, base64.b64decode("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=")
    )
    assert read_checkpoint(HEAD.text()) == HEAD
    more = Checkpoint("Moon Log", 0, bytes(32), ("6086d1a9", "Waxing gibbous"))
    assert more.text() == f"Moon Log\n0\n{'A' * 43}=\n6086d1a9\nWaxing gibbous\n"
    assert read_checkpoint(more.text()) == more


ROOT = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="


@pytest.mark.parametrize(
    "text",
    [
        "",
        "log\n1\n",
        f"\n1\n{ROOT}\n",
        f"log\n1\n{ROOT}",
        f"log\n1\n{ROOT}\n\n",
        f"log\n1\n{ROOT}\n\nmore\n",
        f"log\nbananas\n{ROOT}\n",
        f"log\n-1\n{ROOT}\n",
        f"log\n01\n{ROOT}\n",
        f"log\n+1\n{ROOT}\n",
        f"log\n1_0\n{ROOT}\n",
        f"log\n٣\n{ROOT}\n",
        f"log\n{1 << 63}\n{ROOT}\n",
        f"log\n3438945738945739845734895735\n{ROOT}\n",
        "log\n1\n" + "9" * 10_000 + "\n",
        f"log\n1\n{ROOT[:-1]}\n",
        f"log\n1\n{ROOT[:-2]}J=\n",
        "log\n1\nYmFuYW5hcw==\n",
        f"log\r\n1\r\n{ROOT}\r\n",
        f"lo\x00g\n1\n{ROOT}\n",
        f"lo\ud800g\n1\n{ROOT}\n",
    ],
)
def test_what_is_no_checkpoint_is_none(text: str) -> None:
    assert read_checkpoint(text) is None


SIGNED_BY_PETER = SAYING.split("\n\n")[1]


@pytest.mark.parametrize(
    "written",
    [
        "",
        "\n",
        "text\n",
        "text\n\n",
        SAYING[:-1],
        "\x01" + SAYING,
        "\ud800" + SAYING,
        SAYING.replace("\n", "\r\n"),
        SAYING + "Unexpected line.\n",
        SAYING.replace("PeterNeumann", "Bad Name"),
        SAYING.replace("PeterNeumann", "Bad+Name"),
        SAYING.replace("— ", "-- "),
        SAYING.replace("nAM=", "nAM"),
        "text\n\n— name AAAAAA==\n",
        "text\n\n" + SIGNED_BY_PETER * 101,
    ],
)
def test_what_is_no_note_is_none(written: str) -> None:
    assert read_note(written) is None


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        ("no end", NOTE.signatures),
        ("a\n", ()),
        ("a\r\n", NOTE.signatures),
        ("a\n", (Signature("a b", b"1234", b"x"),)),
        ("a\n", (Signature("a", b"123", b""),)),
    ],
)
def test_what_could_not_be_read_again_is_not_written(text: str, signatures: tuple[Signature, ...]) -> None:
    with pytest.raises(ValueError, match="a note needs"):
        note(text, signatures)


def test_a_cosignature_covers_its_moment_and_the_whole_text() -> None:
    assert cosigned(the_note(SOFA).text, 1679315147) == (
        b"cosignature/v1\ntime 1679315147\nexample.com/behind-the-sofa\n20852163\n"
        b"CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    )
    assert [cosigned_at(line) for line in the_note(SOFA).signatures] == [None, 1679315147]
    ours, theirs = NOTE.signatures
    assert (cosigned_at(ours), cosigned_at(theirs)) == (None, 1_800_000_000)
    assert len(theirs.value) == 72 and is_signed(NOTE, WITNESS_KEY, verify)
    later = Signature(theirs.name, theirs.id, theirs.value[:7] + b"\x01" + theirs.value[8:])
    assert not is_signed(Note(NOTE.text, (ours, later)), WITNESS_KEY, verify)
    extended = Note(NOTE.text + "more\n", NOTE.signatures)
    assert extended.checkpoint() is not None and not is_signed(extended, WITNESS_KEY, verify)
    assert cosigned_at(Signature("a", b"1234", b"\x80" + bytes(71))) is None


def test_only_signatures_of_the_key_that_is_asked_for_matter() -> None:
    ours, theirs = NOTE.signatures
    false = Signature(ours.name, ours.id, bytes(64))
    assert is_signed(NOTE, OUR_KEY, verify)
    assert is_signed(Note(NOTE.text, (Signature("x", b"1234", b"?"), ours)), OUR_KEY, verify)
    assert is_signed(Note(NOTE.text, (Signature(ours.name, b"1234", b"?"), ours)), OUR_KEY, verify)
    assert not is_signed(Note(NOTE.text, (theirs,)), OUR_KEY, verify)
    assert not is_signed(Note(NOTE.text, ()), OUR_KEY, verify)
    assert not is_signed(Note(NOTE.text, (ours, false)), OUR_KEY, verify)
    assert not is_signed(NOTE, Key("else@club.example", OURS.public), verify)
    assert not is_signed(NOTE, Key(OURS.name, OURS.public, COSIGNATURE), verify)


@given(st.integers(0, len(WRITTEN.encode()) - 1), st.integers(1, 255))
def test_whatever_byte_of_a_note_is_changed_the_change_shows(place: int, bits: int) -> None:
    data = WRITTEN.encode()
    changed = (data[:place] + bytes([data[place] ^ bits]) + data[place + 1 :]).decode("utf-8", "surrogateescape")
    found = read_note(changed)
    assert found is None or not (is_signed(found, OUR_KEY, verify) and is_signed(found, WITNESS_KEY, verify))


def quoted(letter: str) -> str:
    return "".join(f"> {line}\n" for line in letter.splitlines())


def wrapped(width: int) -> Callable[[str], str]:
    """Lines cut at so many characters, as some mail programs do."""

    def wrap(letter: str) -> str:
        cut = (line[at : at + width] for line in letter.splitlines() for at in range(0, max(len(line), 1), width))
        return "".join(f"{line}\n" for line in cut)

    return wrap


def wrapped_at_blanks(letter: str) -> str:
    return letter.replace("example ", "example\n").replace("example.org ", "example.org\n")


LINK = "referee@club.example<mailto:referee@club.example>"
LETTERS: dict[str, Callable[[str], str]] = {
    "as it is": lambda letter: letter,
    "lines ended by CRLF": lambda letter: letter.replace("\n", "\r\n"),
    "lines ended by CR": lambda letter: letter.replace("\n", "\r"),
    "trailing blanks": lambda letter: letter.replace("\n", " \t\xa0\n"),
    "indented": lambda letter: "".join(f"    {line}\n" for line in letter.splitlines()),
    "quoted": quoted,
    "quoted three times": lambda letter: quoted(quoted(quoted(letter))),
    "quoted without blanks": lambda letter: quoted(quoted(letter)).replace("> ", ">"),
    "quoted, wrapped, quoted": lambda letter: quoted(wrapped(60)(quoted(letter))),
    "wrapped at 64": wrapped(64),
    "wrapped at 76": wrapped(76),
    "wrapped after the names": wrapped_at_blanks,
    "wrapped after the names, then at 50": lambda letter: wrapped(50)(wrapped_at_blanks(letter)),
    "wrapped and the rest not quoted": lambda letter: quoted(letter).replace("Dlcyl", "Dlcyl\n"),
    "double spaced": lambda letter: letter.replace("\n", "\n\n"),
    "without the blank line": lambda letter: letter.replace("\n\n", "\n"),
    "hard blanks": lambda letter: letter.replace(" ", "\xa0"),
    "a hyphen": lambda letter: letter.replace("—", "-"),
    "two hyphens": lambda letter: letter.replace("—", "--"),
    "an en dash": lambda letter: letter.replace("—", "\u2013"),
    "named": lambda letter: letter.replace("—", "&mdash;"),
    "by number": lambda letter: letter.replace("—", "&#8212;"),
    "misread": lambda letter: letter.replace("—", "\xe2\u20ac\u201d"),
    "lost": lambda letter: letter.replace("—", "?"),
    "two blanks": lambda letter: letter.replace(" ", "  "),
    "addresses made links": lambda letter: letter.replace("referee@club.example", LINK),
    "dashes escaped by PGP": lambda letter: letter.replace("—", "- --"),
}


@pytest.mark.parametrize("way", LETTERS)
def test_a_head_is_read_out_of_what_mail_programs_leave_of_it(way: str) -> None:
    letter = f"Turn 3 was played.\n\nSigned head:\n{WRITTEN}\nRegards\nThe referee\n"
    (found,) = read_notes(LETTERS[way](letter))
    assert found == NOTE
    assert is_signed(found, OUR_KEY, verify) and is_signed(found, WITNESS_KEY, verify)
    assert NOTE in read_notes(LETTERS[way](WRITTEN))


def test_a_letter_in_the_shape_of_a_note_is_read_for_its_head() -> None:
    letter = f"Hello,\n\nhere it is:\n{WRITTEN}"
    assert read_note(letter) is not None
    assert read_notes(letter) == (NOTE,)


def test_a_bare_head_is_read_as_it_is_and_as_it_may_have_been() -> None:
    text = Checkpoint("<https://club.example>", 1, bytes(32), ("— a AAAAAAA=",)).text()
    bare = Note(text, (signed(text, OUR_KEY, OURS.sign),))
    assert read_notes(note(text, bare.signatures))[0] == bare
    assert read_notes(SOFA) == (the_note(SOFA),)


def test_words_right_below_a_signature_are_no_part_of_it() -> None:
    assert read_notes(f"{WRITTEN}Regards\nAnna\n") == (NOTE,)


def test_every_head_in_a_letter_is_found_once() -> None:
    other = Checkpoint("referee@club.example/nw2", 0, bytes(32), ("one line more", "and another"))
    one = Note(other.text(), (signed(other.text(), OUR_KEY, OURS.sign),))
    letter = f"{note(one.text, one.signatures)}\n\nand then\n{quoted(WRITTEN)}\n{WRITTEN}{quoted(SOFA)}\n{EXAMPLE}"
    assert read_notes(letter) == (one, NOTE, the_note(SOFA))


def test_a_head_among_the_lines_of_another_is_no_head_of_its_own() -> None:
    inner = Checkpoint("referee@club.example/nw3", 7, bytes(32)).text().splitlines()
    outer = Checkpoint("referee@club.example/nw2", 0, bytes(32), tuple(inner)).text()
    one = Note(outer, (signed(outer, OUR_KEY, OURS.sign),))
    assert read_notes(note(one.text, one.signatures)) == (one,)


def test_a_line_that_is_no_signature_costs_only_itself() -> None:
    text = WRITTEN.replace("— anna@example.org ", "— anna@example.org A")
    assert read_notes(text) == (Note(NOTE.text, NOTE.signatures[:1]),)
    assert read_notes(HEAD.text() + "\n— referee@club.example A\n") == ()


def test_a_head_without_signatures_is_none() -> None:
    assert read_notes(f"{HEAD.text()}\nSee you.\n") == ()


LINES = st.sampled_from(
    [
        *WRITTEN.split("\n"),
        *quoted(WRITTEN).split("\n"),
        "",
        "1",
        "—",
        "-- ",
        "— a",
        "— a A",
        "=",
        "==",
        "Regards",
        "\x00",
    ]
)


@given(st.text() | st.lists(LINES | st.text(max_size=5), max_size=40).map("\n".join))
@example("\ud800\n1\n" + ROOT + "\n\n— a AAAAAAA=")
def test_whatever_stands_in_a_letter_is_read(letter: str) -> None:
    for found in read_notes(letter):
        is_signed(found, OUR_KEY, verify)
        assert found.signatures and note(found.text, found.signatures)
    read_key(letter)


WEARY = {
    "heads": f"1\n{ROOT}\n",
    "heads with lines": f"1\n{ROOT}\nmore\n",
    "signatures": f"log\n1\n{ROOT}\n— a AAAA\n",
    "pieces": "AAAA\n",
    "dashes": "— \n",
    "marks": "> ",
    "links": "<https:",
    "one line": "— a A",
    "padding": "=\n",
    "blanks": " \n",
    "notes": f"{SOFA}\n",
}


@pytest.mark.parametrize("way", WEARY)
def test_a_long_letter_takes_time_by_its_length(way: str) -> None:
    head = f"log\n1\n{ROOT}\n— a A\n"

    def spent(size: int) -> float:
        letter = head + WEARY[way] * (size // len(WEARY[way]))
        return min(_timed(letter) for _ in range(3))

    assert spent(400_000) < 12 * spent(100_000) + 0.05


def _timed(letter: str) -> float:
    began = time.process_time()
    read_notes(letter)
    return time.process_time() - began


def test_two_roots_for_one_size_are_a_fork() -> None:
    def head(size: int, root: int, origin: str = "log") -> Note:
        text = Checkpoint(origin, size, bytes([root]) * 32).text()
        return Note(text, (signed(text, OUR_KEY, OURS.sign),))

    assert forks([head(1, 1), head(2, 2), head(3, 3), head(1, 1), head(1, 2, "other"), the_note(EXAMPLE)]) == ()
    assert forks([head(1, 1), head(2, 1), head(2, 2), head(1, 1)]) == ((head(2, 1), head(2, 2)),)
    assert forks([head(1, 1), head(1, 2), head(1, 3), head(1, 2)]) == (
        (head(1, 1), head(1, 2)),
        (head(1, 1), head(1, 3)),
    )
