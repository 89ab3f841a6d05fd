"""What a table of commit 162beb41 keeps: today's program opens it all and answers as that one did."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tabletop.cli.main import main
from tabletop.config.file import load_configuration
from tabletop.config.own_dice import load_own_dice
from tabletop.config.own_games import own_games
from tabletop.config.profile import load_profile, place, save_profile
from tabletop.core.values import Die, Moment, Profile, Reading
from tabletop.replay.recording import Recording
from tabletop.rules import Event, Match
from tabletop.rules.catalog import offering
from tabletop.rules.conformance.trial import random_answer
from tabletop.rules.game import Game
from tabletop.rules.options import Choice, Flag, Whole
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store

FILES = Path(__file__).parent / "files-162beb41"
FOLDERS = {"XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "data"}
NO_DEVICES = ("--buttons", "none", "--screen", "none")
SETUPS = ("corners", "guided", "lens", "mat", "stickers")
MATCHES = range(1, 7)
PLACED_MM, PLACED_DEG = 0.01, 0.01  # rounding; a calibration is good to 0.1 mm
MOST_ANSWERS = 4000  # a game by chance needs some hundreds
SECTIONS = dict(
    re.findall(
        r"^## (tabletop\S+)\n.*?^```python\n(.*?)^```$",
        (FILES / "game-modules.md.txt").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
)


def expected(name: str) -> Any:  # noqa: ANN401 - any JSON
    """Return what 162beb41 answered."""
    return json.loads((FILES / "expected" / f"{name}.json").read_text(encoding="utf-8"))


def plain(value: object) -> Any:  # noqa: ANN401 - any JSON
    """Return a value as the expected files hold it: tuples as lists, paths as text."""
    return json.loads(json.dumps(value, default=str))


def answers(capsys: pytest.CaptureFixture[str], *words: str) -> list[Any]:
    """Run a command that must succeed; return its lines of JSON."""
    status = main(list(words))
    output = capsys.readouterr()
    assert (status, output.err) == (0, "")
    return [json.loads(line) for line in output.out.splitlines()]


def move_to(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the table keep its things in this folder; return the folder."""
    for name in ("STATE_DIRECTORY", "CONFIGURATION_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    for name, folder in FOLDERS.items():
        monkeypatch.setenv(name, str(home / folder))
    return home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Update an installed table: its folders are as 162beb41 left them."""
    return move_to(Path(shutil.copytree(FILES / "home", tmp_path / "home")), monkeypatch)


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    """Open the store of that table; games of its folder can be played."""
    with offering(own_games), Store(home / "state" / "tabletop" / "tabletop.db") as opened_store:
        yield opened_store


def replayed(store: Store, number: int) -> Match:
    stored = store.match(number)
    events = [Event.from_json(event.body) for event in store.events(number)]
    return Match.replay(stored.game, stored.players, stored.options, events)


def play_on(match: Match, chance: Random) -> None:
    while not match.over:
        assert match.event < MOST_ANSWERS
        match.apply(*match.draft(random_answer(match.request, chance)))
    assert match.winners


# The store


@pytest.mark.parametrize("number", MATCHES)
def test_a_match_stands_as_it_did_and_is_played_on(store: Store, number: int) -> None:
    """Request, scores and sheet are the same after undo and corrections, in an author's game too."""
    match = replayed(store, number)
    assert plain(match.state()) == expected("states")[str(number)]
    play_on(match, Random(number))


@pytest.mark.parametrize("number", MATCHES[1:])
def test_an_open_match_is_resumed(store: Store, number: int) -> None:
    """The table resumes it and stores the next event after the last one."""
    before = store.match(number).events
    session = MatchLibrary(store, lambda: Moment("2026-12-01"), lambda _: None).resume(number)
    assert plain(session.match.state()) == expected("states")[str(number)]
    session.leave("Ben")
    assert store.match(number).events == before + 1
    assert replayed(store, number).state() == session.match.state()


def test_presets_and_names_are_kept(store: Store) -> None:
    """Presets stand in their order; merged, remembered and forgotten names stay so."""
    assert [plain(asdict(preset)) for preset in store.presets.all()] == expected("presets")
    names = {"same": dict(store.same_names.all()), "names": store.names()}
    assert plain(names) == expected("names")


def test_presets_and_names_can_be_changed(store: Store) -> None:
    """Keeping, renaming, forgetting and parting write to tables that 162beb41 made."""
    store.presets.rename("Ours", "Yours")
    store.presets.forget("Friday")
    store.presets.keep("New", "pig", ["Ann"], {})
    store.same_names.merge("Anna", "Anna")
    assert [preset.name for preset in store.presets.all()] == ["New", "Yours", "Zum Aufwärmen"]
    assert dict(store.same_names.all()) == {}


# An update from an installed table


def without_chance(stats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in one.items() if key != "chance_of_fair"} for one in stats]


def test_the_lists_and_counts_are_the_same(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`replay --json`, each match's events, and `stats --json`, whose chance for few throws is an exact one now."""
    assert home.is_dir()
    assert answers(capsys, "replay", "--json") == expected("matches")
    assert {str(number): answers(capsys, "replay", str(number), "--json") for number in MATCHES} == expected("events")
    assert without_chance(answers(capsys, "stats", "--json")) == without_chance(expected("stats"))


def test_doctor_finds_every_part_as_it_was(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every line of then is there with the same verdict; the lines of the profile have the same figures."""
    (found,) = answers(capsys, "doctor", "--camera", "none", *NO_DEVICES, "--json")
    now = {(line["part"], line["check"]): line for line in found}
    for line in expected("doctor"):
        today = now[line["part"], line["check"]]
        assert (today["found"], today["right"]) == (line["found"], line["right"])
        if line["part"] == "profile":
            assert today["figure"] == line["figure"].replace("HOME", str(home))
    assert all(line["right"] is not False for line in found)


def test_an_open_match_is_played_to_its_end(home: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`play --resume` continues the newest match, and the store holds old and new events."""
    (tmp_path / "no.toml").touch()  # the table's own configuration keeps a page open
    words = ("--resume", "6", "--camera", "sim", *NO_DEVICES, "--seed", "2", "--config", str(tmp_path / "no.toml"))
    events = answers(capsys, "play", *words, "--json")
    assert [event["n"] for event in events] == list(range(2, 2 + len(events)))
    assert answers(capsys, "replay", "6", "--json") == [*expected("events")["6"], *events]
    with Store(home / "state" / "tabletop" / "tabletop.db", looking=True) as store:
        assert store.match(6).ending == "over"


# Archive


def files_of(home: Path) -> dict[str, bytes]:
    paths = (path for path in home.rglob("*") if path.is_file() and not path.name.startswith("tabletop.db"))
    return {str(path.relative_to(home)): path.read_bytes() for path in paths}


def test_an_archive_is_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Into empty folders: each file byte for byte, and the same matches. Games wait for --programs, as announced."""
    archive, then = str(FILES / "backup.zip"), files_of(FILES / "home")
    home = move_to(tmp_path / "new", monkeypatch)
    assert main(["restore", archive]) == 0
    assert files_of(home) == {name: kept for name, kept in then.items() if not name.startswith("data/")}
    assert main(["restore", archive, "--programs", "--replace"]) == 0
    assert files_of(home) == then
    capsys.readouterr()
    assert answers(capsys, "replay", "--json") == expected("matches")
    assert without_chance(answers(capsys, "stats", "--json")) == without_chance(expected("stats"))


# Profiles, dice, configuration, recording


@pytest.mark.parametrize("name", SETUPS)
def test_a_profile_has_its_values_and_places(name: str, tmp_path: Path) -> None:
    """Made by mat, corners, stickers, guided or through a lens: same values, same millimetres, written alike."""
    then = expected("profiles")[name]
    made = FILES / "home" / "state" / "tabletop" / "setups" / f"{name}.toml"
    profile = load_profile(made)
    now = plain(asdict(profile))
    assert {key: now[key] for key in then["profile"]} == then["profile"]
    save_profile(profile, tmp_path / "tray.toml")
    assert (tmp_path / "tray.toml").read_bytes() == made.read_bytes()  # an older program reads it
    for die, placed in zip(_placed(profile), then["placed"], strict=True):
        assert (die.x, die.y, die.size) == pytest.approx([placed[key] for key in ("x", "y", "size")], abs=PLACED_MM)
        assert die.angle == pytest.approx(placed["angle"], abs=PLACED_DEG)
        assert die.where == placed["where"]


def _placed(profile: Profile) -> tuple[Die, ...]:
    """Place the nine dice for which 162beb41 wrote the millimetres."""
    spots = [(x * profile.width_px, y * profile.height_px) for x in (0.3, 0.5, 0.7) for y in (0.3, 0.5, 0.7)]
    dice = tuple(Die(n % 6 + 1, x, y, 40.0, 10.0 * n, "red", 1.0) for n, (x, y) in enumerate(spots))
    return place(Reading(0.0, profile.width_px, profile.height_px, dice), profile).dice


@pytest.mark.parametrize("name", ["own.dice", "setups/guided.dice"])
def test_taught_dice_are_listed_alike(home: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Looks that were taught keep their faces; dice learnt in play are ignored without an error."""
    path = home / "state" / "tabletop" / name
    taught = [look for look in expected("dice")[path.name] if look["taught"]]
    now = answers(capsys, "dice", "list", "--json", "--dice", str(path))
    assert now == [{key: look[key] for key in ("look", "dice", "faces", "taught")} for look in taught]
    assert len(load_own_dice(path)) == sum(look["dice"] for look in taught)


def test_every_key_of_a_configuration_is_understood() -> None:
    """All keys, tables and pins that 162beb41 knew give the same values; `learn` is taken, and has no effect."""
    now = plain(asdict(load_configuration(FILES / "every-key.toml")))
    then = {key: value for key, value in expected("every-key").items() if key != "learn"}
    for key, value in then.items():
        if key == "learn":  # it is read, and has no effect any more
            continue
        assert now[key] == (value.replace("OUT", str(FILES)) if isinstance(value, str) else value), key


def test_a_recording_is_read_and_decided_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    """With a profile: the readings of then come back, and today's program decides the same from its pictures."""
    with Recording(FILES / "throws.tar") as recording:
        shots = [(line["time"], recording.shot(line).reading) for line in recording.lines if "time" in line]
    readings = [
        {
            "time": time,
            "dice": [(die.face, round(die.x, 1), round(die.y, 1)) for die in reading.dice],
            "unsure": [(die.reason, die.faces) for die in reading.unsure],
        }
        for time, reading in shots
    ]
    assert plain(readings) == expected("readings")
    assert answers(capsys, "replay", "--frames", str(FILES / "throws.tar"), "--json") == []


# What authors of games import


@pytest.mark.parametrize("module", SECTIONS)
def test_an_example_of_then_runs_and_plays_to_its_end(module: str) -> None:
    """The examples of docs/game-modules.md as it was: asserts hold, games end."""
    made = ModuleType("example")
    made.__file__ = module
    exec(compile(SECTIONS[module], module, "exec"), made.__dict__)  # noqa: S102 - our own page
    if not hasattr(made, "play"):
        return
    options = tuple(value for value in vars(made).values() if isinstance(value, Whole | Flag | Choice))
    made.__dict__["GAME"] = Game("example", "Example", "this page", 6, {"usual": {}}, "an example", options)
    with offering(lambda: {"example": lambda: made}):
        play_on(Match("example", ["Ann", "Ben", "Cid"]), Random(1))
