"""Your own games: a file dropped into the user's folder is listed, told, refereed, played and replayed."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.config.own_games import games_folder, offer_own_games
from tabletop.core.errors import InputError
from tabletop.core.values import Moment
from tabletop.dialogs.setup import MORE_GAMES, SetupDialog, setup_dialog
from tabletop.dialogs.setup_state import SetupState
from tabletop.rules import Match, game_ids, load
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store

OWN = Path(__file__).parents[1] / "own_games"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    folder = games_folder()
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def _fifty(folder: Path) -> None:
    shutil.copy(OWN / "fifty.py", folder)


def tabletop(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tabletop", *words], input=given, capture_output=True, text=True, check=False
    )


def test_the_folder_follows_the_platform_and_the_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG's data home moves it; under systemd it lies beside the configuration, which is root's."""
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert games_folder() == tmp_path / "data" / "tabletop" / "games"
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", f"{tmp_path / 'etc'}:/elsewhere")
    assert games_folder() == tmp_path / "etc" / "games"


SERVICE = 61234  # the number of a user
ASKED = """
import os, pkgutil, sys
os.setuid(int(sys.argv[1]))
sys.stdout.write(" ".join(own_games.own_games()) + "\\n" + "\\n".join(own_games.not_played()))
"""


@pytest.mark.parametrize(
    ("folder_of", "file_of", "mode", "played"),
    [(0, 0, 0o644, True), (SERVICE, 0, 0o644, False), (0, SERVICE, 0o444, False), (0, 0, 0o666, False)],
)
def test_a_service_runs_no_game_that_it_may_write(folder_of: int, file_of: int, mode: int, played: bool) -> None:
    """By owner or mode, of the file or its folder; none in its state folder: each has a line that says what to do."""
    if os.geteuid() != 0 and "CI" not in os.environ:  # there it is root, or the test fails
        pytest.skip("gives files to other users: needs root")
    with tempfile.TemporaryDirectory() as place:
        games, old = Path(place, "etc", "games"), Path(place, "state", "games")
        for folder, owner in ((games, folder_of), (old, SERVICE)):
            folder.mkdir(parents=True)
            os.chown(folder, owner, owner)
        for path, owner in ((games / "fifty.py", file_of), (old / "evil.py", SERVICE)):
            shutil.copy(OWN / "fifty.py", path)
            path.chmod(mode)
            os.chown(path, owner, owner)
        Path(place).chmod(0o755)
        environ = {**os.environ, "CONFIGURATION_DIRECTORY": str(games.parent), "STATE_DIRECTORY": str(old.parent)}
        program = "from tabletop.config import own_games" + ASKED
        found = {}
        for user in (SERVICE, 0):
            command = [sys.executable, "-c", program, str(user)]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=environ)
            found[user], *lines = done.stdout.splitlines()
            assert [str(old / "evil.py") in line for line in lines][:1] == [True]
            assert any(str(games / "fifty.py") in line for line in lines) != bool(found[user])
        assert found == {SERVICE: "fifty" if played else "", 0: ""}  # root may write everything


@pytest.mark.usefixtures("_fifty")
def test_a_dropped_file_is_listed_and_told() -> None:
    """Among the others, for people and for programs; by its id it tells its rules."""
    listed = tabletop("games")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "Fifty, 1 to 10 players, 2 dice" in listed.stdout
    games = {game["id"]: game for game in json.loads(tabletop("games", "--json").stdout)}
    assert games["fifty"]["presets"] == ["usual", "gentle"]
    assert games.keys() >= {"pig", "fifty"}
    assert "rules=gentle sets wipes=false" in tabletop("games", "fifty").stdout


@pytest.mark.usefixtures("_fifty")
def test_a_dropped_file_is_refereed_and_its_script_holds() -> None:
    """The line protocol plays it, and so does the script of its worked examples."""
    words = ("referee", "fifty", "--players", "Ann,Ben", "--set", "target=25")
    told = [json.loads(line) for line in tabletop(*words, given="throw 6 6\nthrow 1 2\n").stdout.splitlines()]
    assert told[0]["winners"] == ["Ann"]
    assert told[1]["error"].startswith("expected nothing more")
    replayed = tabletop("replay", str(OWN / "fifty.txt"))
    assert (replayed.returncode, replayed.stderr) == (0, "")
    assert replayed.stdout.count("holds: ") == len(replayed.stdout.splitlines()) == 5


@pytest.mark.slow
@pytest.mark.usefixtures("_fifty")
def test_a_dropped_file_is_played_at_the_table_and_replayed(tmp_path: Path) -> None:
    """Simulated players play it to its end; the stored match can be looked at again."""
    store = str(tmp_path / "store.db")
    words = ("play", "fifty", "--players", "Ann,Ben", "--set", "target=25", "--camera", "sim", "--seed", "1")
    played = tabletop(*words, "--json", "--screen", "none", "--buttons", "none", "--store", store)
    assert played.returncode == 0, played.stderr
    events = [json.loads(line) for line in played.stdout.splitlines()]
    assert {event["kind"] for event in events} == {"throw"}
    replayed = tabletop("replay", "1", "--store", store)
    assert (replayed.returncode, replayed.stderr) == (0, "")
    assert "wins at once" in replayed.stdout


@pytest.mark.usefixtures("_fifty")
def test_a_dropped_file_may_be_named_in_the_configuration(tmp_path: Path) -> None:
    """The appliance starts with it; its options are checked when the file is read."""
    settings = tmp_path / "tabletop.toml"
    settings.write_text('game = "fifty"\n[set]\ntarget = 0\n', encoding="utf-8")
    told = tabletop("play", "--config", str(settings), "--screen", "none", "--buttons", "none")
    assert told.returncode == 2
    assert "option target: expected a whole number from 5 to 1000, got '0'" in told.stderr


@pytest.mark.usefixtures("_fifty")
def test_only_the_game_that_is_played_is_loaded() -> None:
    """Neither a match of a built-in game nor the list of ids runs a file of the folder."""
    program = (
        "import sys; from tabletop.cli.main import main; from tabletop.rules import game_ids;"
        "main(['referee', 'pig', '--players', 'Ann']); game_ids();"
        "print(*(name for name in sys.modules if name.startswith(('own_game_', 'tabletop.games.'))))"
    )
    done = subprocess.run([sys.executable, "-c", program], input=b"", capture_output=True, check=True)
    assert done.stdout.decode().split() == ["tabletop.games.pig"]


@pytest.mark.usefixtures("_fifty")
def test_a_changed_file_is_another_game(folder: Path) -> None:
    """From Python: offered once, the folder is read again for each match."""
    offer_own_games()
    assert load("fifty")[0].dice == 2
    match = Match("fifty", ["Ann", "Ben"])
    match.throw([6, 6])
    assert match.scores == {"Ann": 25, "Ben": 0}
    file = folder / "fifty.py"
    file.write_text(file.read_text(encoding="utf-8").replace("25, 6", "24, 6"), encoding="utf-8")
    os.utime(file, ns=(1, 1))  # whatever the clock of this machine can tell apart
    match = Match("fifty", ["Ann", "Ben"])
    match.throw([6, 6])
    assert match.scores == {"Ann": 24, "Ben": 0}
    file.unlink()
    assert "fifty" not in game_ids()
    with pytest.raises(InputError, match="expected a game, got 'fifty'"):
        Match("fifty", ["Ann", "Ben"])


BROKEN = {
    "wrong_python.py": ("def f(:\n", ":1: expected Python, got "),
    "no_game.py": ("X = 1\n", "to declare GAME and play(table)"),
    "raising.py": ("X = 1\nY = X / 0\n", ":2: expected a game, got ZeroDivisionError"),
    "ending.py": ("raise SystemExit(0)\n", ":1: expected a game, got SystemExit"),
    "My Game.py": ("", "expected a file named like my_game.py"),
    "pig.py": ("", "pig is the built-in game; rename the file"),
}


@pytest.fixture
def _broken(folder: Path) -> None:
    for name, (text, _) in BROKEN.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "_notes.py").write_text("1 / 0", encoding="utf-8")
    (folder / "remarks.txt").write_text("no game", encoding="utf-8")
    (folder / "not_a_file.py").mkdir()
    (folder / "other_id.py").write_text((OWN / "fifty.py").read_text(encoding="utf-8"), encoding="utf-8")


@pytest.mark.usefixtures("_fifty", "_broken")
def test_broken_files_break_no_other_game(capsys: pytest.CaptureFixture[str]) -> None:
    """The list has all that can be played, standard error a line for each file that cannot, and the status is 2."""
    assert main(["games"]) == 2
    out, err = capsys.readouterr()
    assert "Fifty, 1 to 10 players" in out
    assert "Pig, 1 to 10 players" in out
    lines = err.splitlines()
    assert len(lines) == len(BROKEN) + 2
    for name, (_, said) in BROKEN.items():
        assert any(name in line and said in line for line in lines), name
    assert any("expected id='other-id', as the file is called, got 'fifty'" in line for line in lines)
    assert "_notes" not in err
    assert "remarks" not in err
    assert Match("pig", ["Ann", "Ben"]).game.source == "rollin-bones.txt, dice-play.txt"
    assert main(["referee", "raising", "--players", "Ann"]) == 2
    assert "raising.py:2: expected a game, got ZeroDivisionError: division by zero" in capsys.readouterr().err


@pytest.mark.usefixtures("_fifty", "_broken")
def test_the_start_menu_offers_what_can_be_played(tmp_path: Path) -> None:
    """A broken file is left out of it; asked for by its name it says why."""
    offer_own_games()
    with Store(tmp_path / "store.db") as store:
        matches = MatchLibrary(store, lambda: Moment("1970-01-01T00:00:00Z"), lambda _: None)
        assert "fifty" in repr(matches.menu())
        assert "raising" not in repr(matches.menu())
        with pytest.raises(InputError, match=r"raising\.py:2"):
            matches.menu(only="raising")


def test_the_start_menu_offers_what_was_played_last_first(tmp_path: Path) -> None:
    """Pig comes first in a new store, then what was played, the newest first; every game stands there once."""
    with Store(tmp_path / "store.db") as store:
        matches = MatchLibrary(store, lambda: Moment("1970-01-01T00:00:00Z"), lambda _: None)

        def lines(menu: SetupDialog) -> dict[str, SetupDialog]:
            assert menu.question is not None
            return {
                line.label: setup_dialog(line.target)
                for line in menu.question.lines
                if isinstance(line.target, SetupState) and line.target.step.asked != "off?"
            }

        more, popular = MORE_GAMES, ("Yahtzee", "Farkle", "Liar's Dice", "Shut the Box", "Yatzy", "Mexico")
        assert list(lines(matches.menu()))[:7] == ["Pig", *popular]
        for game in ("yahtzee", "lcr", "yahtzee"):
            matches.begin(Match(game, ["Ann", "Ben", "Cid"]))
        first = lines(matches.menu())
        assert list(first)[:5] == ["Yahtzee", "LCR", "Farkle", "Pig", "Liar's Dice"]
        kinds = lines(first[more])
        assert list(lines(kinds["Luck"]))[:2] == ["LCR", "Aces"]
        everything = [name for kind in kinds.values() for name in lines(kind)]
        assert len(everything) == len(set(everything)) == len(game_ids())
