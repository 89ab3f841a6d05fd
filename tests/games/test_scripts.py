"""The worked examples of the rule texts, one script a game; `tabletop/rules/script.py` tells the notation."""

from pathlib import Path

import pytest

from tabletop.core.errors import InputError
from tabletop.rules import game_ids
from tabletop.rules.script import Example, difference, examples_of

SCRIPTS = Path(__file__).parents[1] / "scripts"
FEWEST_EXAMPLES = 3

ALL_EXAMPLES = [
    pytest.param(script.name, example, id=f"{script.stem}: {example.shows}")
    for script in sorted(SCRIPTS.glob("*.txt"))
    for example in examples_of(script.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("script", "example"), ALL_EXAMPLES)
def test_a_worked_example_comes_out_as_the_text_has_it(script: str, example: Example) -> None:
    """Every command is obeyed, every refusal changes nothing, everything seen is as the text says."""
    wrong = difference(example)
    assert wrong is None, f"{script}:{wrong.line.number}: {wrong}"


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_a_script(game_id: str) -> None:
    """A game without its script of worked examples fails, and so does one whose script plays another game."""
    script = SCRIPTS / f"{game_id}.txt"
    assert script.is_file(), f"write {script.name}"
    examples = examples_of(script.read_text(encoding="utf-8"))
    assert len(examples) >= FEWEST_EXAMPLES
    assert all(example.lines[0].text.split()[1] == game_id for example in examples)


@pytest.mark.parametrize(
    ("line", "expected", "got"),
    [
        ("see scores.Ann is 1", "1", "0"),
        ('see request.kind is "keep"', '"keep"', '"roll"'),
        ("see scores.Cid is 1", "Cid in the state", "Ann, Ben"),
        ("see scores.Ann.points is 1", "points in the state", "0"),
        ("see scores.Ann is one", "a value of JSON after `is` (a word in quotes)", "'one'"),
        ("see scores.Ann 0", "see PATH is VALUE", "'see scores.Ann 0'"),
        ("throw 7", "a command that is obeyed", "expected faces from 1 to 6 with spaces between, got '7'"),
        ("seen", "a command that is obeyed", "expected one of the commands"),
        ("refused throw 3", "an error", "the question: Ann to choose one of: roll | bank"),
        ("refused state", "an error", "the question: Ann to throw 1 die"),
    ],
)
def test_the_notation_notices(line: str, expected: str, got: str) -> None:
    """Another value, a refused command and a command wrongly said to be refused are told with their line."""
    (example,) = examples_of(f"# Pig\nexample one\nmatch pig Ann,Ben\n\n{line}\nthrow 8")
    wrong = difference(example)
    assert wrong is not None
    assert (wrong.line.number, wrong.line.text, wrong.expected) == (5, line, expected)
    assert wrong.got.startswith(got)
    assert str(wrong).startswith(f"{line}: expected {expected}, got {got}")


@pytest.mark.parametrize(
    ("match", "got"),
    [
        ("match pgi Ann,Ben", "did you mean pig"),
        ("match pig Ann,Ann", "'Ann' twice"),
        ("match pig Ann,Ben target=0", "option target: expected"),
        ("match pig Ann,Ben target", "option=value"),
        ("match pig", "'match pig'"),
        ("throw 3", "'throw 3'"),
    ],
)
def test_a_match_that_cannot_begin_is_told(match: str, got: str) -> None:
    """The line of the match is the one that does not hold."""
    wrong = difference(*examples_of(f"example one\n{match}\nthrow 3"))
    assert wrong is not None
    assert wrong.line.number == 2
    assert got in wrong.got


def test_a_script_is_parted_into_its_examples() -> None:
    """Remarks and empty lines say nothing; two examples may show the same; lines keep their numbers."""
    text = "# x\nexample one\n match pig Ann \n\n# y\n  throw 2\nexample one\nmatch pig Ann\n"
    first, second = examples_of(text)
    assert (first.shows, first.number, [line.number for line in first.lines]) == ("one", 2, [3, 6])
    assert [line.text for line in first.lines] == ["match pig Ann", "throw 2"]
    assert (second.shows, second.number) == ("one", 7)
    assert difference(first) is difference(second) is None


@pytest.mark.parametrize(
    ("text", "said"), [("", "got none"), ("# x\n", "got none"), ("\nthrow 3\nexample one\n", "line 2: expected")]
)
def test_a_script_without_examples_is_refused(text: str, said: str) -> None:
    """There is nothing to hold in it."""
    with pytest.raises(InputError, match=said):
        examples_of(text)


def test_an_example_without_a_match_does_not_hold() -> None:
    """It is told at the line that announces it."""
    wrong = difference(*examples_of("\nexample one\n"))
    assert wrong is not None
    assert (wrong.line.number, wrong.got) == (2, "nothing")
