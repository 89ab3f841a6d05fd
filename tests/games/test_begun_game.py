"""A game of your own from nothing: the file that is written to begin with, and the draft of its examples."""

import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.cli import games_check
from tabletop.cli.main import main
from tabletop.config.own_games import games_folder
from tabletop.rules import Match


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(games_check, "SEEDS", 1)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that must be refused; return the only line it says."""
    assert main(["games", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_new_game_plays_and_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """It lies where your own games lie, is found by its name, and every check holds."""
    assert main(["games", "--new", "my_game"]) == 0
    out = capsys.readouterr().out
    path = games_folder() / "my_game.py"
    assert path.is_file()
    assert str(path) in out
    match = Match("my-game", ["Ann", "Ben"], target=5)
    match.throw([5])
    match.choose("bank")
    assert match.winners == ("Ann",)
    assert main(["games", "--check", "my_game"]) == 0
    out, err = capsys.readouterr()
    assert out.count("holds: ") == 9
    assert "warning: no worked examples yet" in err


def test_a_new_game_in_another_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A path is taken as it is, and where to move the file is said."""
    path = tmp_path / "somewhere" / "hop.py"
    assert main(["games", "--new", str(path)]) == 0
    assert path.is_file()
    assert f"move it to {games_folder()}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My Game", "expected a name like my_game"),
        ("my-game", "expected a name like my_game"),
        ("2dice", "expected a name like my_game"),
        ("", "expected a name like my_game"),
        ("pig", "expected a name that no built-in game has"),
        ("ten_thousand", "expected a name that no built-in game has"),
    ],
)
def test_a_name_that_is_none(name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and nothing is written."""
    assert said in told(capsys, "--new", name)
    assert not games_folder().exists()


def test_nothing_is_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither the game nor its examples."""
    assert main(["games", "--new", "hop"]) == 0
    path = games_folder() / "hop.py"
    path.write_text("mine", encoding="utf-8")
    capsys.readouterr()
    assert "not overwritten" in told(capsys, "--new", "hop")
    assert path.read_text(encoding="utf-8") == "mine"
    path.with_suffix(".txt").write_text("mine too", encoding="utf-8")
    assert "not overwritten" in told(capsys, "--check", str(path), "--draft-examples")
    assert path.with_suffix(".txt").read_text(encoding="utf-8") == "mine too"


def test_a_draft_of_examples_is_to_be_confirmed(capsys: pytest.CaptureFixture[str]) -> None:
    """It holds as it is written, and is warned of until the author has taken the mark off every name."""
    main(["games", "--new", "hop"])
    capsys.readouterr()
    assert main(["games", "--check", "hop", "--draft-examples"]) == 0
    script = games_folder() / "hop.txt"
    assert str(script) in capsys.readouterr().out
    text = script.read_text(encoding="utf-8")
    assert "example to confirm: how a match begins\nmatch hop Ann,Ben\n" in text
    assert "target=31" in text
    assert main(["games", "--check", "hop"]) == 0
    out, err = capsys.readouterr()
    assert "holds: the 3 worked examples of hop.txt" in out
    assert "3 of the 3 examples" in err
    script.write_text(text.replace("to confirm: ", "", 1), encoding="utf-8")
    main(["games", "--check", "hop"])
    assert "2 of the 3 examples" in capsys.readouterr().err
    script.write_text(text.replace("to confirm: ", ""), encoding="utf-8")
    main(["games", "--check", "hop"])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "words",
    [("--draft-examples",), ("--new", "hop", "pig"), ("--new", "hop", "--json"), ("--new", "a", "--check", "b")],
)
def test_what_does_not_go_together(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """One line each."""
    assert "expected --" in told(capsys, *words)


def test_a_forgotten_await_is_told_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Who plays without having checked reads the line of the file, and no traceback."""
    main(["games", "--new", "hop"])
    path = games_folder() / "hop.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("(face,) = await table", "(face,) = table"), encoding="utf-8")
    number = text[: text.index("(face,) = await")].count("\n") + 1
    capsys.readouterr()
    done = subprocess.run(
        [sys.executable, "-m", "tabletop", "referee", "hop", "--players", "Ann,Ben"],
        input="throw 3\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    *_, line = done.stderr.splitlines()  # Python warns before it
    assert line.startswith(f"tabletop referee: {path}:{number}: expected no error, got TypeError: ")
    assert line.endswith("is an `await` missing?")
