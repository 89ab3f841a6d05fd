"""A card that the system has locked against writing: what is on it can still be copied."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.store import Store
from tabletop.store.copies import checked_store

OWN_MOUNTS = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
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
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert checked_store(tmp_path / "b.db") == 1
    assert {path.name: path.read_bytes() for path in (tmp_path / "card").iterdir()} == before
