"""`tabletop referee` and `tabletop games` from outside: one JSON line a command, whatever comes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tabletop.cli.main import main
from tabletop.rules import game_ids

FIFTY = Path(__file__).parents[1] / "own_games" / "fifty.py"
STATE_KEYS = {"event", "request", "thrown", "kept", "scores", "at_stake", "sheet", "said", "winners", "why"}


def tabletop(*words: str, given_lines: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "tabletop", *words], input=given_lines, capture_output=True, check=False
    )


def refereed(given_lines: bytes, *words: str) -> list[dict[str, Any]]:
    """Run the referee on these bytes; return its lines."""
    done = tabletop("referee", *words, given_lines=given_lines)
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_one_json_line_after_each_command() -> None:
    """Garbage, empty lines, CRLF, bytes that are no UTF-8 and a last line without an end each have their answer."""
    lines = b"state\r\n\n   \ndance\nthrow 5\r\nthrow\n\xff\xfe\nthrow 5 \x00\nchoose  bank\nundo now\nundo"
    told = refereed(lines, "pig", "--players", "Ann,Ben")
    assert ["error" in line for line in told] == [False, True, True, True, False, True, True, True, False, True, False]
    assert all(line["error"].startswith("expected ") and ", got " in line["error"] for line in told if "error" in line)
    assert all(set(line) == STATE_KEYS for line in told if "error" not in line)
    assert told[8]["scores"] == {"Ann": 5, "Ben": 0}
    assert (told[10]["event"], told[10]["at_stake"]) == (1, 5)


def test_a_program_can_play_in_step() -> None:
    """Each answer comes before the next command is given: nothing waits in a buffer."""
    command = [
        sys.executable,
        *["-m", "tabletop", "referee", "ten-thousand", "--players", "Ann,Ben", "--set", "target=50"],
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as referee:
        assert referee.stdin
        assert referee.stdout
        told: dict[str, Any] = {}
        for line in (b"throw 5 2 2 3 3 6\n", b"keep 5\n", b"choose bank\n", b"throw 2 3 4 6 2 3\n"):
            referee.stdin.write(line)
            told = json.loads(referee.stdout.readline())
        assert told["winners"] == ["Ann"]
        assert told["request"]["kind"] == "over"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["pigg", "--players", "Ann"], "did you mean pig"),
        (["pgi", "--players", "Ann"], "did you mean pig"),
        (["pig"], "--players"),
        ([], "`tabletop games` lists them"),
        (["pig", "--players", "Ann,,Ben"], "empty"),
        (["pig", "--players", "Ann,Ann"], "twice"),
        (["pig", "--players", "Ann", "--set", "target"], "option=value"),
        (["pig", "--players", "Ann", "--set", "target=x"], "whole number"),
        (["pig", "--players", "Ann", "--set", "goal=5"], "rules, target"),
        (["yahtzee", "--players", "Ann", "--set", "joker=perhaps"], "true or false"),
    ],
)
def test_a_wrong_start_is_one_line_and_status_2(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing on standard output, one line on standard error."""
    assert main(["referee", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), problem in err) == ("", 1, True)


def test_the_referee_loads_the_game_that_is_played_alone() -> None:
    """What else it leaves out is proved for all quick commands in tests/repository."""
    program = (
        "import sys; from tabletop.cli.main import main; main(sys.argv[1:]);"
        "print(*(name for name in sys.modules if name.startswith('tabletop.games.')), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, "referee", "pig", "--players", "Ann"]
    done = subprocess.run(command, input=b"", capture_output=True, check=True)
    assert done.stderr.split() == [b"tabletop.games.pig"]


def games_told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["games", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_the_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Contract 2: an array on one line, every key there, the facts of the three games from the inventory."""
    told = games_told(capsys, "--json")
    assert told.count("\n") == 1
    games = {game["id"]: game for game in json.loads(told)}
    keys = {"id", "name", "other_names", "players", "dice", "options", "presets", "source"}
    assert all(keys <= set(game) for game in games.values())
    for game in games.values():
        assert all({"name", "type", "default", "choices", "help"} <= set(option) for option in game["options"])
        assert game["options"][0]["name"] == "rules"
        assert game["options"][0]["choices"] == game["presets"]
    assert {"Farkle", "Dix Mille"} <= set(games["ten-thousand"]["other_names"])
    farkle = ["farkle", "farkle-piggyback", "farkle-house-rules"]
    assert games["ten-thousand"]["presets"] == ["dice-play", *farkle, "zilch", "greed", "zonk"]
    assert [games[name]["dice"] for name in ("pig", "ten-thousand", "yahtzee")] == [1, 6, 5]
    assert games["pig"]["players"] == {"min": 1, "max": 10}
    assert games["pig"]["options"][0]["default"] == "rollin-bones"


def test_the_games_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """A line a game; a game by its id tells how it is played and which options it has."""
    listing = games_told(capsys)
    assert all(game_id in listing for game_id in game_ids())
    told = games_told(capsys, "pig")
    assert "target=100" in told
    assert "rules=dice-play sets reached=over, replies=equal" in told


def test_a_preset_by_its_name_is_shown_with_what_it_sets(capsys: pytest.CaptureFixture[str]) -> None:
    """The first line says which game it is and what is set; the referee plays it so."""
    told = games_told(capsys, "Farkle")
    assert told.startswith("farkle is Ten Thousand with rules=farkle, which sets entry=500, run=1500, ")
    assert "What it is about: be the first with 10,000 points." in told
    (state,) = refereed(b"state", "farkle", "--players", "Ann,Ben")[-1:]
    assert state["sheet"]["entered"] == {"Ann": "no", "Ben": "no"}


@pytest.mark.parametrize(("command", "name"), [(("games",), "sixty"), (("referee", "--players", "Ann"), "Sixty")])
def test_the_nearest_game_is_said_to_be_another(
    command: tuple[str, ...], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line on standard error; standard output is the game's. Here an own game, Fifty, is nearest to Sixty."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    folder = tmp_path / "tabletop" / "games"
    folder.mkdir(parents=True)
    text = FIFTY.read_text(encoding="utf-8").replace('id="fifty",', 'id="fifty",\n    nearest_to=("Sixty",),')
    (folder / "fifty.py").write_text(text, encoding="utf-8")
    done = tabletop(command[0], name, *command[1:], given_lines=b"state\n")
    assert done.returncode == 0
    note = "Sixty cannot be played yet: this is Fifty, which is nearest"
    assert done.stderr.decode() == f"tabletop {command[0]}: {note}\n"
    assert done.stdout
