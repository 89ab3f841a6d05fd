"""What a file of another language still lacks."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.views.i18n.catalogue import FOLDER
from tools.words import main


def test_the_check_lists_what_is_left_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing, empty, too long, other braces, not shown anywhere: each is one line, with its place."""
    text = (FOLDER / "en.toml").read_text(encoding="utf-8")
    for left, line in {
        '"pause"': "",
        '"skip"': '"skip" = "le suivant"\n',
        '"all throw"': '"all throw" = ""\n',
        '"{name} banks {n}"': '"{name} banks {n}" = "{name} pour {n2}"\n',
        '"glare"': '"glair" = "glare"\n',
    }.items():
        text, changed = re.subn(rf"^{re.escape(left)} = .*\n", line, text, flags=re.MULTILINE)
        assert changed == 1
    path = tmp_path / "fr.toml"
    path.write_text(text, encoding="utf-8")
    assert main([str(path)]) == 1
    found = capsys.readouterr().out.splitlines()
    expected = [
        '[buttons]: "pause"', "'le suivant' with 10", '[asks]: "all throw"', '"glare"', '"glair"', "{name} {n} on",
    ]  # fmt: skip
    assert len(found) == len(expected)
    assert all(any(part in line for line in found) for part in expected)
    assert all(str(path) in line for line in found)


def test_the_check_says_when_all_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    """The languages that come with the program pass, by the command that the README names; a missing file is told."""
    command = [sys.executable, "-m", "tools.words", *map(str, sorted(FOLDER.glob("*.toml")))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "all texts are there\n", "")
    assert main([]) == main(["no/such.toml"]) == 2
    assert capsys.readouterr().err.count("\n") == 2
