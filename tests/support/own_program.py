"""Programs of this folder, run in processes of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
OWN_MOUNTS = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]


def seen_by(program: str, *words: object, mounts: bool = False) -> Any:  # noqa: ANN401 - any JSON
    """Run a program of this folder, and return what it prints. mounts: with mounts of its own."""
    if mounts and subprocess.run([*OWN_MOUNTS, "true"], capture_output=True, check=False).returncode:
        assert "CI" not in os.environ  # there mounts are allowed
        pytest.skip("needs mounts of its own (unshare)")
    paths = os.pathsep.join(str(ROOT / part) for part in ("", "tests", "tests/support"))
    command = [*(OWN_MOUNTS if mounts else ()), sys.executable, Path(__file__).with_name(program), *map(str, words)]
    environ = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
