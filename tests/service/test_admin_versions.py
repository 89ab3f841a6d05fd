"""The root's helper installs what its owner signed, in a folder: the shipped installer, with stand-ins for the system.

What is inside an archive here is an installer of its own, that says a few steps.
"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from admin_machine import PROGRAM, VERSIONS, Helper, archive_of, give_key, installed

MOST_ARCHIVE = 160 * 2**20
BROKEN = 'echo "install: the new version was not ready within 60 seconds" >&2; exit 4'


@pytest.fixture
def helper(tmp_path: Path) -> Helper:
    """Return a machine that trusts a key."""
    helper = installed(tmp_path)
    give_key(helper)
    return helper


def update(helper: Helper, archive: bytes, signature: object, size: object = None) -> list[dict[str, Any]]:
    line = {"do": "update", "size": len(archive) if size is None else size, "signature": signature}
    return helper.answers(json.dumps(line).encode() + b"\n" + archive)


def has_run(helper: Helper) -> bool:
    return (helper.home / "ran-as-root").exists()


def left(helper: Helper) -> list[str]:
    return sorted(path.name for path in helper.home.iterdir() if path.name not in {"versions", "current"})


def test_an_archive_of_the_owner_is_installed_step_by_step(helper: Helper) -> None:
    """And nothing of it is left beside the versions."""
    answers = update(helper, *archive_of(helper))
    steps = [(answer["step"], answer["n"], answer["of"]) for answer in answers[:-1]]
    assert steps[-2:] == [("install", 1, 2), ("install", 2, 2)]
    assert {step[0] for step in steps[:-2]} == {"receive"}
    assert answers[-1] == {"done": {"current": "0.2", "previous": "0.1", "key": True, "release": False}}
    assert has_run(helper)
    assert left(helper) == ["admin.lock", "last.json", "ran-as-root"]
    assert helper.ask("state")["done"]["last"] == {"do": "update", **answers[-1]}


@pytest.mark.parametrize("key", ["release", "other"])
@pytest.mark.parametrize("harmed", ["archive", "signature", "nothing"])
def test_what_the_owner_did_not_sign_is_not_even_unpacked(helper: Helper, key: str, harmed: str) -> None:
    """A forged archive, a forged signature, another person's key."""
    archive, signature = archive_of(helper, key=key)
    if harmed == "archive":
        archive += b"\0"
    if harmed == "signature":
        middle = len(signature) // 2
        signature = signature[:middle] + ("A" if signature[middle] != "A" else "B") + signature[middle + 1 :]
    refused = update(helper, archive, signature)[-1]
    assert has_run(helper) == (refused.get("refused") is None) == ((key, harmed) == ("release", "nothing"))
    if not has_run(helper):
        assert refused["refused"] == "forged"
        assert left(helper) == ["admin.lock", "last.json"]


@pytest.mark.parametrize(
    ("size", "signature"),
    [
        *((size, None) for size in (0, -1, MOST_ARCHIVE + 1, 10**30, "9", 1.5, True, ["9"])),
        *((None, text) for text in ("", "x" * 9000, "a signature", 5, ["-----BEGIN SSH SIGNATURE-----"])),
        (None, "-----BEGIN SSH SIGNATURE-----\n$(reboot)\n-----END SSH SIGNATURE-----\n"),
    ],
)
def test_absurd_sizes_and_signatures_are_refused(helper: Helper, size: object, signature: object) -> None:
    """Before a byte of the archive is read."""
    archive, good = archive_of(helper)
    (answer,) = update(helper, archive, good if signature is None else signature, size)
    assert answer == {"refused": "bad-request", "about": "signature" if size is None else "size"}
    assert not has_run(helper)


@pytest.mark.parametrize("share", [0, 0.3, 0.999])
def test_an_archive_that_is_cut_is_refused(helper: Helper, share: float) -> None:
    """The client ends, or is gone, before all has come: nothing is left of it."""
    archive, signature = archive_of(helper)
    answers = update(helper, archive[: int(len(archive) * share)], signature, len(archive))
    assert answers[-1]["refused"] == "cut"
    assert left(helper) == ["admin.lock", "last.json"]


def test_a_client_that_goes_away_does_not_stop_the_installer(helper: Helper) -> None:
    """Once all has come; how it ended is there to read later."""
    archive, signature = archive_of(helper)
    with helper.connected() as connection:
        line = json.dumps({"do": "update", "size": len(archive), "signature": signature})
        connection.sendall(line.encode() + b"\n" + archive)
        connection.close()
    assert has_run(helper)
    assert "done" in helper.ask("state")["done"]["last"]


def test_a_version_that_does_not_get_ready_is_named(helper: Helper) -> None:
    """The installer's line goes with it."""
    answer = update(helper, *archive_of(helper, BROKEN))[-1]
    assert answer == {"refused": "not-ready", "about": "the new version was not ready within 60 seconds"}


@pytest.mark.parametrize(("version", "code"), [("0.10", None), ("0.2", "same"), ("0.1.9", "older"), ("", "older")])
def test_only_a_newer_version_is_installed(helper: Helper, version: str, code: str | None) -> None:
    """0.2 runs. An old release has the owner's signature for ever, and its faults are known."""
    answer = update(helper, *archive_of(helper, version=version))[-1]
    assert answer.get("refused") == code
    assert has_run(helper) == (code is None)


def test_an_archive_that_the_card_cannot_hold_is_refused(helper: Helper) -> None:
    """Before a byte of it is written: on a disk of 8 MiB, with words that any user may say (unshare(1))."""
    line = json.dumps({"do": "update", "size": 9, "signature": archive_of(helper)[1]})
    script = 'cd "$1/root" && /usr/bin/mount -t tmpfs -o size=8m x opt && mkdir opt/tabletop && exec "$2" -I "$3"'
    words = ("unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", str(helper.root.parent))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(60)
        ours.sendall(line.encode() + b"\n")
        done = subprocess.run(
            [*words, sys.executable, str(PROGRAM)],
            stdin=theirs.fileno(),
            env=helper.environ(),
            capture_output=True,
            check=False,
        )
        if b"unshare" in done.stderr:
            pytest.skip(f"no user namespaces: {done.stderr!r}")
        assert json.loads(ours.makefile("rb").readline())["refused"] == "no-room"


def test_without_a_key_nothing_can_be_updated(helper: Helper) -> None:
    """The refusal names the file that is missing."""
    archive, signature = archive_of(helper)
    key = helper.config.with_name("release.pub")
    key.unlink()
    assert update(helper, archive, signature) == [{"refused": "no-key", "about": str(key)}]
    assert helper.ask("update-from", place="stick")["refused"] == "no-key"


def test_the_newest_archive_of_a_stick_is_installed(helper: Helper) -> None:
    """Of those with a signature; what is mounted may hold no program and no device."""
    assert helper.ask("update-from", place="stick")["refused"] == "no-archive"
    archive, signature = archive_of(helper)
    sticks = helper.root / "dev/disk/by-id"
    for name, files in {
        "usb-empty": {},
        "usb-full": {
            "tabletop-0.9.0.tar.gz": b"old",
            "tabletop-0.9.0.tar.gz.sig": b"old",
            "tabletop-0.10.0.tar.gz": archive,
            "tabletop-0.10.0.tar.gz.sig": signature.encode(),
            "tabletop-0.11.0.tar.gz": b"without a signature",
            "tabletop-$(reboot).tar.gz": b"",
        },
    }.items():
        (sticks / name).mkdir(parents=True)
        for file, data in files.items():
            (sticks / name / file).write_bytes(data)
    secret = sticks / "usb-full" / "tabletop-9.9.9.tar.gz"
    secret.symlink_to("/etc/passwd")
    os.mkfifo(sticks / "usb-full" / "tabletop-8.8.8.tar.gz")
    for path in (secret, secret.with_name("tabletop-8.8.8.tar.gz")):
        path.with_name(f"{path.name}.sig").write_text("x")
    helper.calls()
    (helper.stand_ins / "mount").write_text((helper.stand_ins / "mount").read_text().replace("cp -R", "cp -a"))
    assert "done" in helper.ask("update-from", place="stick")
    assert has_run(helper)
    mounts = [call for call in helper.calls() if call.startswith("mount ")]
    assert mounts
    assert all(" -o ro,nosuid,nodev,noexec " in call for call in mounts)
    assert not list((helper.root / "mnt").glob("*"))


def test_a_stick_that_a_desktop_has_mounted_is_read_there(helper: Helper) -> None:
    """It cannot be mounted once more. Letters of its name may be written as octal numbers."""
    archive, signature = archive_of(helper)
    device, place = helper.root / "dev/sda1", helper.root / "media/MY STICK"
    for folder in (device.parent / "disk/by-id", place):
        folder.mkdir(parents=True)
    device.touch()
    (device.parent / "disk/by-id/usb-full-part1").symlink_to("../../sda1")
    (place / "tabletop-1.0.0.tar.gz").write_bytes(archive)
    (place / "tabletop-1.0.0.tar.gz.sig").write_text(signature)
    (helper.root / "proc/self/mounts").write_text(f"none /run x x 0 0\n{device} /media/MY\\040STICK vfat rw 0 0\n")
    assert "done" in helper.ask("update-from", place="stick")
    assert has_run(helper)
    assert not [call for call in helper.calls() if call.startswith(("mount", "umount"))]


@pytest.mark.parametrize("place", ["", "/dev/sda1", "stick\n", "http", 1, None])
def test_a_place_is_one_of_two_words(helper: Helper, place: object) -> None:
    """The page names no device and no address."""
    assert helper.ask("update-from", place=place) == {"refused": "bad-request", "about": "place"}


@pytest.mark.parametrize(
    ("address", "code"),
    [
        (None, "no-address"),
        ("http://127.0.0.1/", "no-address"),
        ("file:///etc", "no-address"),
        ("https://127.0.0.1:1/ --help", "no-address"),
        ("https://127.0.0.1:1/releases", "unreachable"),
    ],
)
def test_only_an_encrypted_address_of_roots_file_is_asked(helper: Helper, address: str | None, code: str) -> None:
    """One that nothing listens at is unreachable."""
    if address is not None:
        helper.config.with_name("release.url").write_text(address)
    assert helper.ask("update-from", place="release")["refused"] == code


def test_the_version_before_comes_back_by_hand(helper: Helper) -> None:
    """And again; each time on trial, with its own unit. The other one stays."""
    for name in VERSIONS:
        assert "done" in helper.ask("previous")
        assert (helper.home / "current").readlink().name == name
        assert not (helper.home / "trial").is_symlink()
    assert sorted(path.name for path in (helper.home / "versions").iterdir()) == list(VERSIONS)
    (helper.home / "versions" / VERSIONS[0] / "ran").unlink()
    assert helper.ask("previous")["refused"] == "no-version"


def test_a_version_before_that_does_not_start_gives_way(helper: Helper) -> None:
    """It stays for another try; the one of now runs again."""
    helper.fails("systemctl restart")
    assert helper.ask("previous")["refused"] == "not-ready"
    assert (helper.home / "current").readlink().name == VERSIONS[1]
    assert sorted(path.name for path in (helper.home / "versions").iterdir()) == list(VERSIONS)
    assert not (helper.home / "trial").is_symlink()
