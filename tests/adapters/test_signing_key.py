"""Ed25519 as RFC 8032 has it, and a key that is made once, kept, and refused where it is no secret."""

from __future__ import annotations

import base64
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.adapters.files import Unusable
from referee.adapters.signing_key import SigningKey, kept_key, key_changes, rotate, verify
from referee.core.signed_note import Key, lineage
from referee.service.base.ports import Signer

RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]
"""Tests 1, 2, 3 and SHA(abc) of RFC 8032: seed, public key, message, signature."""

NAME = "referee@club.example"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "var" / "signing-key"


@pytest.mark.parametrize(("seed", "public", "message", "signature"), RFC_8032)
def test_signatures_are_those_of_rfc_8032(seed: str, public: str, message: str, signature: str) -> None:
    key: Signer = SigningKey(NAME, bytes.fromhex(seed))
    assert (key.name, key.public.hex()) == (NAME, public)
    said = bytes.fromhex(message)
    assert key.sign(said).hex() == signature
    assert verify(key.public, said, bytes.fromhex(signature))
    assert not verify(key.public, said + b"!", bytes.fromhex(signature))
    assert not verify(bytes.fromhex(RFC_8032[0][1]), b"other", bytes.fromhex(signature))


@given(st.binary(max_size=70), st.binary(max_size=10), st.binary(max_size=70))
def test_whatever_is_no_signature_is_none(public: bytes, message: bytes, signature: bytes) -> None:
    assert verify(public, message, signature) in (True, False)  # a public key that is weak may take anything
    assert not verify(bytes.fromhex(RFC_8032[0][1]), message, signature)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 63), st.integers(1, 255))
def test_a_changed_signature_is_none(public: bytes, place: int, bits: int) -> None:
    _, ours, _, signature = RFC_8032[0]
    changed = bytearray.fromhex(signature)
    changed[place] ^= bits
    assert not verify(bytes.fromhex(ours), b"", bytes(changed))
    assert not verify(public, b"", bytes.fromhex(signature))


def test_a_key_is_made_once_and_kept(path: Path) -> None:
    key = kept_key(path, NAME)
    made = path.read_bytes()
    assert len(base64.b64decode(made)) == 32 and made.endswith(b"\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = kept_key(path, "else@club.example")
    assert (again.public, again.name) == (key.public, "else@club.example")
    assert path.read_bytes() == made
    assert kept_key(path.with_name("other"), NAME).public != key.public
    assert sorted(found.name for found in path.parent.iterdir()) == ["other", "signing-key"]
    assert again.sign(b"a") == key.sign(b"a")


def test_a_key_is_closed_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        kept_key(path, NAME)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_who_comes_at_the_same_time_gets_the_same_key(path: Path) -> None:
    with ThreadPoolExecutor(8) as others:
        keys = list(others.map(lambda _: kept_key(path, NAME), range(8)))
    assert len({key.public for key in keys}) == 1
    assert [found.name for found in path.parent.iterdir()] == ["signing-key"]


def test_where_a_file_has_one_name_only_a_key_is_made_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_second_name(self: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted", str(self))

    monkeypatch.setattr(Path, "hardlink_to", no_second_name)
    assert kept_key(path, NAME).public == kept_key(path, NAME).public
    assert [found.name for found in path.parent.iterdir()] == ["signing-key"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_key_that_others_may_read_is_refused(path: Path, mode: int) -> None:
    kept_key(path, NAME)
    path.chmod(mode)
    with pytest.raises(Unusable, match=r"is open to other accounts of this machine.*chmod 600"):
        kept_key(path, NAME)
    path.chmod(0o400)
    kept_key(path, NAME)


def test_a_link_does_not_hide_that_others_may_read_it(path: Path) -> None:
    kept_key(path, NAME)
    path.chmod(0o644)
    link = path.with_name("link")
    link.symlink_to(path)
    with pytest.raises(Unusable, match="is open to other accounts"):
        kept_key(link, NAME)


@pytest.mark.parametrize("left", [b"", b"\n", b"half", b"\xff\x00", base64.b64encode(bytes(31)), b"A" * 100_000])
def test_a_damaged_key_is_refused_and_left(path: Path, left: bytes) -> None:
    kept_key(path, NAME)
    path.write_bytes(left)
    with pytest.raises(Unusable, match=r"holds no key to sign with.*restore it from your last backup"):
        kept_key(path, NAME)
    assert path.read_bytes() == left


def test_a_key_that_cannot_be_made_or_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unusable, match="cannot be used"):
        kept_key(tmp_path / "file" / "signing-key", NAME)
    with pytest.raises(Unusable, match="cannot be used"):
        kept_key(tmp_path, NAME)


def test_a_new_key_is_signed_by_the_old_one_and_both_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "signing.key"
    first = kept_key(file, "games.example")
    assert key_changes(file, first) == ()
    old, new = rotate(file, "games.example")
    second = kept_key(file, "games.example")
    assert (old.public, new.public) == (first.public, second.public)
    rotate(file, "games.example")
    third = kept_key(file, "games.example")
    keys = lineage(Key("games.example", third.public), key_changes(file, third), verify)
    assert keys is not None and [key.public for key in keys] == [first.public, second.public, third.public]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert key_changes(file, kept_key(file, "other.example")) == (), "another name is another key"


def test_a_change_that_is_cut_short_leaves_the_old_key_and_the_next_one_follows_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "signing.key"
    first = kept_key(file, "games.example")
    with monkeypatch.context() as cut:
        cut.setattr("referee.adapters.signing_key._seed_into", broken)
        with pytest.raises(RuntimeError):
            rotate(file, "games.example")
    assert (tmp_path / "signing.changes").exists()
    assert kept_key(file, "games.example").public == first.public and key_changes(file, first) == ()
    rotate(file, "games.example")
    second = kept_key(file, "games.example")
    assert len(key_changes(file, second)) == 1
    keys = lineage(Key("games.example", second.public), key_changes(file, second), verify)
    assert keys is not None and keys[0].public == first.public


def broken(*_: object) -> None:
    raise RuntimeError("the power went")


def test_what_cannot_be_rotated_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="There is no key at"):
        rotate(tmp_path / "signing.key", "games.example")
    file = tmp_path / "signing.key"
    key = kept_key(file, "games.example")
    (tmp_path / "signing.changes").write_text("nonsense")
    with pytest.raises(Unusable, match="Restore it from your last backup"):
        key_changes(file, key)
