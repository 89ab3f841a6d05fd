"""The worked examples of the referee's README, run as they stand."""

import json
import re
from pathlib import Path

import pytest

from tabletop.rules.protocol import new_match, obey

README = Path(__file__).resolve().parents[1] / "tabletop" / "rules" / "README.md"
TEXT = README.read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_comes_out_as_printed(session: str) -> None:
    """Each line of JSON is part of the answer to the command above it."""
    start, *lines = session.splitlines()
    words = start.removeprefix("$ tabletop referee ").split()
    match = new_match(words[0], words[2], words[4::2])
    for command, printed in zip(lines[::2], lines[1::2], strict=True):
        told = obey(match, command.removeprefix("> "))
        assert command.startswith("> ")
        assert {key: told.get(key) for key in json.loads(printed)} == json.loads(printed)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_runs(program: str) -> None:
    """The pieces of Python run as they stand."""
    exec(compile(program, str(README), "exec"), {})  # noqa: S102 - our own README


def test_there_are_examples() -> None:
    """One session for each kind of game and one of undo and correct; two programs."""
    assert (len(SESSIONS), len(PROGRAMS)) == (4, 2)
