"""The worked examples of docs/referee.md, run as they stand."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tabletop.rules.protocol import new_match, obey

README = Path(__file__).resolve().parents[2] / "docs" / "referee.md"
TEXT = README.read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def part_of(told: Any, printed: Any) -> Any:  # noqa: ANN401 - values of JSON
    if isinstance(told, dict) and isinstance(printed, dict):
        return {key: part_of(told.get(key, "nothing"), value) for key, value in printed.items()}
    return told


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_comes_out_as_printed(session: str) -> None:
    """Each line of JSON is part of the answer to the command above it."""
    start, *lines = session.splitlines()
    words = start.removeprefix("$ tabletop referee ").split()
    match = new_match(words[0], words[2], words[4::2])
    for command, printed in zip(lines[::2], lines[1::2], strict=True):
        told = obey(match, command.removeprefix("> "))
        assert command.startswith("> ")
        assert part_of(told, json.loads(printed)) == json.loads(printed)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_runs(program: str) -> None:
    """The pieces of Python run as they stand."""
    exec(compile(program, str(README), "exec"), {})  # noqa: S102 - our own page


def test_there_are_examples() -> None:
    """A session for each kind of question, one of leaving, and one of undo and correct; two programs."""
    assert (len(SESSIONS), len(PROGRAMS)) == (7, 2)


TOLD = {"a": {"b": 1, "c": [1, 2]}}


LESS: list[dict[str, Any]] = [{}, {"a": {}}, {"a": {"b": 1}}, {"a": {"c": [1, 2]}}]
OTHER: list[dict[str, Any]] = [{"a": {"b": 2}}, {"d": 1}, {"a": {"d": None}}, {"a": {"c": [1]}}, {"a": 1}]


@pytest.mark.parametrize("printed", [*LESS, *OTHER])
def test_what_is_printed_must_be_told_and_more_may(printed: dict[str, Any]) -> None:
    """Another value, a missing key and a list that goes on are noticed; what does not matter is left out."""
    assert (part_of(TOLD, printed) == printed) is (printed in LESS)
