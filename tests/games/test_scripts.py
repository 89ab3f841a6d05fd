"""Scripts of worked examples: one a game, the notation of `tabletop/rules/script.py`, and `tabletop replay FILE`."""

import json
from pathlib import Path

import pytest

from tabletop.cli.main import main
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


def test_an_example_without_a_match_does_not_hold() -> None:
    """It is told at the line that announces it."""
    wrong = difference(*examples_of("\nexample one\n"))
    assert wrong is not None
    assert (wrong.line.number, wrong.got) == (2, "nothing")


TWO = """\
# of a test
example a stake is banked
match pig Ann,Ben
throw 6
choose bank
see scores.Ann is 6

example a stake that was not banked
match pig Ann,Ben
throw 6
see scores.Ann is 6
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "two.txt"
    path.write_text(TWO, encoding="utf-8")
    return path


def test_a_script_is_played_example_by_example(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line each; the line that does not hold with file and number, expected and got; status 2."""
    assert main(["replay", str(script)]) == 2
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "holds: a stake is banked",
        f"{script}:11: see scores.Ann is 6: expected 6, got 0 (in: a stake that was not banked)",
    ]
    assert err == f"tabletop replay: expected 2 examples of {script} to hold, got 1 that do not\n"


def test_the_same_for_programs(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object of JSON an example, the same keys in each."""
    assert main(["replay", str(script), "--json"]) == 2
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first.keys() == second.keys()
    assert (first["example"], first["line"], first["holds"], first["got"]) == ("a stake is banked", 2, True, None)
    assert (second["line"], second["holds"], second["command"]) == (11, False, "see scores.Ann is 6")
    assert (second["expected"], second["got"]) == ("6", "0")


def test_a_script_that_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """Each example of ours holds; status 0 and nothing on standard error."""
    assert main(["replay", str(SCRIPTS / "pig.txt")]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert all(line.startswith("holds: ") for line in out.splitlines())
    assert len(out.splitlines()) == (SCRIPTS / "pig.txt").read_text(encoding="utf-8").count("\nexample ")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "expected the number of a stored match or the file of a script"),
        (b"\xff\xfe", "no text"),
        (b"# x\n", "expected a script with a line `example"),
        (b"\nthrow 3\nexample one\n", "line 2: expected `example"),
    ],
)
def test_what_is_no_script_costs_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, said: str
) -> None:
    """No file, no text, nothing in it, or a line before the first example; a folder neither."""
    path = tmp_path / "x.txt"
    if content is not None:
        path.write_bytes(content)
    assert main(["replay", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert str(path) in err
    assert said in err
    assert main(["replay", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_number_is_still_a_stored_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Digits ask the store, whatever files there are."""
    assert main(["replay", "1", "--store", str(tmp_path / "none.db")]) == 2
    assert "expected a store" in capsys.readouterr().err
