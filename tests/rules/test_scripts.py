"""`tabletop replay FILE`: a script of worked examples from outside, example by example."""

import json
from pathlib import Path

import pytest

from tabletop.cli.main import main

SCRIPTS = Path(__file__).parents[1] / "scripts"
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
        (b"", "expected a script with a line `example"),
        (b"\nthrow 3\n", "line 2: expected `example"),
    ],
)
def test_what_is_no_script_costs_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, said: str
) -> None:
    """No file, no text, nothing in it, or a line before the first example."""
    path = tmp_path / "x.txt"
    if content is not None:
        path.write_bytes(content)
    assert main(["replay", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert str(path) in err
    assert said in err


def test_a_folder_is_no_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither a traceback nor silence."""
    assert main(["replay", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_number_is_still_a_stored_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Digits ask the store, whatever files there are."""
    assert main(["replay", "1", "--store", str(tmp_path / "none.db")]) == 2
    assert "expected a store" in capsys.readouterr().err
