"""A card without room, or locked against writing: throws wait, none is lost, and what is there can be copied."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from own_program import OWN_MOUNTS, ROOT, seen_by

from tabletop.core.errors import StoreError
from tabletop.store import Store
from tabletop.store.copies import checked_store
from tabletop.store.opening import store_trouble


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Play on a card of 24 MiB, in a process with mounts of its own: not even root writes where there is no room."""
    found: dict[str, Any] = seen_by("full_card.py", tmp_path_factory.mktemp("card"), mounts=True)
    return found


@pytest.mark.slow
def test_a_service_that_starts_on_a_full_card_says_so_and_begins_when_there_is_room(tmp_path: Path) -> None:
    """The service manager and the page hear how much is needed; the same program, not another one, then plays."""
    seen = seen_by("full_start.py", tmp_path, mounts=True)
    said = "no room to store: throws wait. Free 9 MB"  # 8,192,000 bytes, and not one of them is there
    assert (seen["status"], seen["page"], seen["ready"]) == (f"STATUS={said}", said, "READY=1")
    assert seen["status then"].startswith("STATUS=Pig: Ann, ")
    assert seen["page then"]
    assert (seen["end"], seen["said"]) == (0, f"tabletop play: {said}\n")


def test_without_room_the_table_says_so_and_takes_nothing(seen: dict[str, Any]) -> None:
    """Before the next throw: it and BANK are not taken, and what was stored before stays as it was."""
    assert re.fullmatch(r"no room to store: throws wait\. Free [23] MB", seen["full"])
    assert seen["begun"] == seen["full throw"] == seen["full bank"] == 1


def test_with_room_again_the_throw_that_lies_there_counts(seen: dict[str, Any]) -> None:
    """Automatically, once, with the decision to roll on before it: three and four are seven."""
    assert seen["room"] == [3, [4], "", 7]


def test_a_card_that_can_only_be_read_is_the_same(seen: dict[str, Any]) -> None:
    """Said, waited for, and made up for when it can be written again."""
    assert seen["read-only"] == [3, "read-only: nothing is stored. Throws wait; make it writable"]
    assert seen["writable"] == [5, [5], 12]


def test_a_write_that_fails_all_the_same_loses_nothing(seen: dict[str, Any]) -> None:
    """A limit that nobody can ask for (a quota): the throw is refused, and taken when the limit is gone."""
    assert seen["refused"][0] == 5
    assert "cannot be written" in seen["refused"][1]
    assert seen["granted"] == [7, [6], 18]
    assert seen["banked"] == {"Ann": 18, "Ben": 0}


def test_a_store_with_room_has_no_trouble(tmp_path: Path) -> None:
    """Before it is made, and open."""
    assert store_trouble(tmp_path / "a.db") == ""
    with Store(tmp_path / "a.db") as store:
        assert store.trouble == ""


def test_a_folder_that_is_gone_can_only_be_read(tmp_path: Path) -> None:
    assert "read-only" in store_trouble(tmp_path / "gone" / "a.db")
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="folder"):
        Store(tmp_path / "file" / "a.db")


LOCKED = "mount --bind card card && mount -o remount,ro,bind card && ! touch card/x 2> /dev/null && exec "
COPY = "from pathlib import Path; from tabletop.store.copies import copy_store as c; c(Path('card/a.db'), Path('b.db'))"


@pytest.mark.parametrize("pulled", [False, True], ids=["switched off", "plug pulled"])
def test_a_locked_card_can_be_copied(tmp_path: Path, *, pulled: bool) -> None:
    """Also the match that SQLite still had beside the store when the plug was pulled."""
    if subprocess.run([*OWN_MOUNTS, "true"], capture_output=True, check=False).returncode and "CI" not in os.environ:
        pytest.skip("needs mounts of its own (unshare)")
    (tmp_path / "card").mkdir()
    with Store(tmp_path / "a.db") as store:
        store.begin("pig", ["Ann"], {}, "2026-01-01T00:00:00Z")
        for file in tmp_path.glob("a.db*") if pulled else ():
            shutil.copy(file, tmp_path / "card")
    if not pulled:
        shutil.copy(tmp_path / "a.db", tmp_path / "card")
    (tmp_path / "card" / "a.db-shm").unlink(missing_ok=True)
    before = {path.name: path.read_bytes() for path in (tmp_path / "card").iterdir()}
    assert ("a.db-wal" in before) == pulled
    command = [*OWN_MOUNTS, "sh", "-c", f'{LOCKED}"$@"', "sh", sys.executable, "-c", COPY]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert checked_store(tmp_path / "b.db") == 1
    assert {path.name: path.read_bytes() for path in (tmp_path / "card").iterdir()} == before
