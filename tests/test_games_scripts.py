"""The worked examples of the rule texts, one script a game, in one plain notation.

A script holds examples; each begins a match of its own. A line is one of
    # a remark
    example WHAT IT SHOWS
    match GAME PLAYERS [option=value]...
    a command of the line protocol, which must be obeyed
    refused COMMAND, which must give an error and change nothing
    see PATH is VALUE: PATH leads into the state by keys with dots between, VALUE is JSON
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletop.cli.referee import new_match
from tabletop.rules import Match, game_ids
from tabletop.rules.protocol import obey

SCRIPTS = Path(__file__).parent / "scripts"
FEWEST_EXAMPLES = 3


def examples(text: str) -> dict[str, list[str]]:
    """Part a script into its examples: what each shows, and its lines."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in map(str.strip, text.splitlines()):
        if line.startswith("example "):
            lines = found[line.removeprefix("example ")] = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return found


def play_example(lines: list[str]) -> Match:
    """Play one example; AssertionError names the line that does not hold."""
    word, game, players, *settings = lines[0].split()
    assert word == "match"
    match = new_match(game, players, settings)
    state = obey(match, "state")
    for line in lines[1:]:
        command, _, rest = line.partition(" ")
        if command == "see":
            path, _, value = rest.partition(" is ")
            assert look(state, path) == json.loads(value), line
        elif command == "refused":
            before = (obey(match, "state"), match.log)
            assert list(obey(match, rest)) == ["error"], line
            assert (obey(match, "state"), match.log) == before, line
        else:
            state = obey(match, line)
            assert "error" not in state, f"{line}: {state}"
    return match


def look(state: dict[str, Any], path: str) -> Any:  # noqa: ANN401 - a value of JSON
    """Follow a path of keys with dots between."""
    found: Any = state
    for key in path.split("."):
        found = found[key]
    return found


ALL_EXAMPLES = [
    pytest.param(lines, id=f"{script.stem}: {shows}")
    for script in sorted(SCRIPTS.glob("*.txt"))
    for shows, lines in examples(script.read_text(encoding="utf-8")).items()
]


@pytest.mark.parametrize("lines", ALL_EXAMPLES)
def test_a_worked_example_comes_out_as_the_text_has_it(lines: list[str]) -> None:
    """Every command is obeyed, every refusal changes nothing, everything seen is as the text says."""
    play_example(lines)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_a_script(game_id: str) -> None:
    """A game without its script of worked examples fails."""
    script = SCRIPTS / f"{game_id}.txt"
    assert script.is_file(), f"write {script.name}"
    assert len(examples(script.read_text(encoding="utf-8"))) >= FEWEST_EXAMPLES


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("see scores.Ann is 1", "see scores.Ann is 1"),
        ("throw 7", "expected faces"),
        ("refused throw 3", "refused throw 3"),
        ("refused state", "refused state"),
    ],
)
def test_the_notation_notices(line: str, problem: str) -> None:
    """A wrong value, a refused command and a command that is wrongly said to be refused fail an example."""
    with pytest.raises(AssertionError, match=problem):
        play_example(["match pig Ann,Ben", line])
