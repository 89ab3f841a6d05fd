"""The files of examples/ do what they say: each is run as a reader would run it."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from page_program import page_of
from page_visitor import Visitor

from examples.follow_events import events
from examples.follow_match import apply, follow
from examples.photos_to_csv import COLUMNS
from examples.under_and_over_seven import EXACTLY, OVER, UNDER, outcome
from tabletop.broadcast.history import History, Place
from tabletop.broadcast.hub import Hub
from tabletop.cameras.opening import open_camera
from tabletop.cli.main import main
from tabletop.config.own_games import games_folder
from tabletop.core.errors import DeviceError
from tabletop.core.values import Moment
from tabletop.rules import Match, Throw
from tabletop.session.match_library import MatchLibrary
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, lying
from tabletop.store import Store
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tools.room.chance import felt

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
FILES = sorted(path.name for path in EXAMPLES.iterdir() if path.is_file())
MODULES = [EXAMPLES / name for name in FILES if name.endswith(".py")]
LONGEST = 60  # lines: what a reader takes in at once
PROJECT = tomllib.loads((EXAMPLES / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PIG = ["play", "pig", "--players", "Ann,Ben"]


def draw(path: Path, *faces: int) -> None:
    """Draw dice with these faces in a row, well apart; in each file they lie elsewhere, as after a throw."""
    chance = np.random.default_rng(list(path.name.encode()))
    y_px = chance.uniform(100, 380)
    dice = [
        PosedDie(90 + 120.0 * number, y_px, 60.0, lying(face, chance.uniform(0, 90), Look()), Look())
        for number, face in enumerate(faces)
    ]
    assert cv2.imwrite(str(path), compose(felt(480, 640, (60, 110, 50), chance), dice))


def write_facts(folder: Path) -> None:
    """Write what an installation writes of a package, from the pyproject.toml of the examples."""
    facts = folder / "tabletop_examples-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {PROJECT['name']}\nVersion: 1\n", encoding="utf-8")
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in offered.items())
        for group, offered in PROJECT["entry-points"].items()
    )
    (facts / "entry_points.txt").write_text(points, encoding="utf-8")


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the table find the camera and the view, as after an installation."""
    write_facts(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(EXAMPLES)
    yield
    for module in MODULES:
        sys.modules.pop(module.stem, None)


def result_of(store: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the last line of `tabletop replay`: the scores, and who won."""
    capsys.readouterr()
    assert main(["replay", "1", "--store", str(store)]) == 0
    return capsys.readouterr().out.splitlines()[-1]


def test_they_are_short_and_listed() -> None:
    """No module is longer than a screen, and the README has a row for every file."""
    assert {path.name: length for path in MODULES if (length := len(path.read_text().splitlines())) > LONGEST} == {}
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [name for name in FILES if name != "README.md" and f"`{name}`" not in readme] == []


def test_the_game_passes_its_check(capsys: pytest.CaptureFixture[str]) -> None:
    """`tabletop games --check` finds no fault and plays the worked examples."""
    assert main(["games", "--check", str(EXAMPLES / "under_and_over_seven.py")]) == 0
    told = capsys.readouterr()
    assert "under_and_over_seven.txt" in told.out
    assert told.err == ""


def test_the_game_has_the_odds_of_two_dice() -> None:
    """Of the 36 throws 15 are below seven, 6 are seven and 15 above it: a triangle, counted by hand."""
    assert Counter(outcome(a + b) for a, b in product(range(1, 7), repeat=2)) == {UNDER: 15, EXACTLY: 6, OVER: 15}


def test_the_game_is_played_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Copied into the folder of own games, it is played to its end; the score follows from guesses and faces."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    games_folder().mkdir(parents=True)
    shutil.copy(EXAMPLES / "under_and_over_seven.py", games_folder())
    words = ["under-and-over-seven", "--players", "Ann,Ben", "--set", "rounds=2", "--seed", "5", "--json"]
    store = tmp_path / "a.db"
    assert main(["play", *words, "--store", str(store)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["kind"] for event in events] == ["choose", "throw"] * 4
    score = Counter[str]()
    for guess, throw in zip(events[::2], events[1::2], strict=True):
        total = sum(throw["faces"])
        right = {"under seven": total < 7, "seven": total == 7, "over seven": total > 7}[guess["choice"]]
        score[throw["player"]] += right * (4 if guess["choice"] == "seven" else 1)
    assert result_of(store, capsys).startswith(f"Ann {score['Ann']}, Ben {score['Ben']}; ")


@pytest.mark.usefixtures("_installed")
def test_the_camera_shows_photographs_in_the_order_of_their_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Opened by its entry point: three photographs of a die, the newest first by name, are three throws of Pig."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for name, face, time_s in (("c.png", 4, 10), ("b.jpg", 2, 20), ("a.png", 6, 30)):
        draw(folder / name, face)
        os.utime(folder / name, (time_s, time_s))
    (folder / "notes.txt").write_text("no picture")
    words = [*PIG, "--camera", f"newest-last:{folder}", "--json", "--store", str(tmp_path / "a.db")]
    assert main([*words, "--buttons", "none", "--screen", "none"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["faces"] for event in events if event["kind"] == "throw"] == [[4], [2], [6]]


@pytest.mark.usefixtures("_installed")
def test_the_camera_skips_a_file_that_is_no_picture(tmp_path: Path) -> None:
    """It says which one, and the next call goes on; without a folder it says what it needs."""
    (tmp_path / "broken.png").write_bytes(b"no picture")
    os.utime(tmp_path / "broken.png", (10, 10))
    draw(tmp_path / "one.png", 1)
    camera = open_camera(f"newest-last:{tmp_path}")
    with pytest.raises(DeviceError, match=r"broken\.png"):
        camera.read()
    frame = camera.read()
    assert frame is not None
    assert frame.pixels.shape == (480, 640, 3)
    assert camera.read() is None
    with pytest.raises(DeviceError, match="newest-last:FOLDER"):
        open_camera("newest-last:nowhere")


def test_a_client_and_a_view_follow_the_same_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The match of the client, what it printed last and the file of the view end as `tabletop replay` tells."""
    write_facts(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (tmp_path, EXAMPLES, ROOT))))
    store, shown = tmp_path / "a.db", tmp_path / "scores.txt"
    words = ["pig", "--set", "target=10", "--seed", "1", "--store", str(store), "--view", f"score-file:{shown}"]
    mirror = follow(words)
    printed = capsys.readouterr().out.splitlines()
    result = result_of(store, capsys)
    scores, _, ending = result.partition("; ")
    assert mirror.over
    assert f"{', '.join(f'{name} {score}' for name, score in mirror.scores.items())}" == scores
    assert printed[-1] == str(mirror.scores)
    assert ending.startswith(f"{mirror.winners[0]} won")
    *lines, ended = shown.read_text(encoding="utf-8").splitlines()
    assert ", ".join(line.strip("> ") for line in lines) == scores
    assert ended.split()[0] == mirror.winners[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["ten-thousand --set target=500 --set entry=0", "roll-your-luck --set rounds=1", "mia --set lives=1"]
)
def test_a_client_follows_every_kind_of_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    """Dice kept, throws of all players at once and dice under a cup: its match ends as `tabletop replay` tells."""
    store = tmp_path / "a.db"
    mirror = follow([*words.split(), "--seed", "1", "--store", str(store)])
    result = result_of(store, capsys)
    assert mirror.over
    assert result.startswith(", ".join(f"{name} {score}" for name, score in mirror.scores.items()) + "; ")
    assert result.partition("; ")[2].startswith(mirror.winners[0])


def test_the_client_understands_every_kind_of_event() -> None:
    """What undo, corrections and players who leave, return and give up write leads it to the same state."""
    played, mirror = Match("pig", ["Ann", "Ben", "Cem"]), Match("pig", ["Ann", "Ben", "Cem"])
    played.throw([3])
    played.choose("bank")
    played.throw([5])
    played.undo()
    played.correct(1, [6])
    played.leave("Cem")
    played.join("Cem")
    played.leave("Ben")
    played.abandon()
    for event in played.log:
        apply(json.loads(json.dumps(event.to_json())), mirror)
    assert {event.kind for event in played.log} == {"throw", "choose", "undo", "correct", "leave", "join", "abandon"}
    assert mirror.state() == played.state()


def owner_of(address: str, digits: str) -> tuple[Visitor, str]:
    owner = Visitor(address)
    assert owner.post("/pair", {"digits": digits}).status == 204
    return owner, json.loads(owner.post("/tokens/change", {"name": "example"}).body)["token"]


def test_a_client_follows_a_table_over_the_network(tmp_path: Path) -> None:
    """It prints the stored events, resumes after a given event, and reports a wrong token."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--camera", "none") as (address, digits):
        owner, token = owner_of(address, digits)
        moment = owner.state()["asking"]["moment"]
        assert owner.post("/api/v1/command", {"do": "enter", "faces": [4], "moment": moment}).status == 204
        told = [event["kind"] for event in History(tmp_path / "a.db").of_match(1)]
        assert told == ["match_started", "turn", "throw"]
        command = [sys.executable, str(EXAMPLES / "follow_events.py"), f"http://{address}/"]
        environment = os.environ | {"TABLETOP_TOKEN": token}
        last = "0.0"
        for kinds in (told, told[1:]):
            with subprocess.Popen([*command, last], env=environment, stdout=subprocess.PIPE, text=True) as client:
                assert client.stdout is not None
                lines = [client.stdout.readline() for _ in kinds]
                client.terminate()
            assert [line.split(" ")[0] for line in lines] == kinds
            last = json.loads(lines[0].partition(" ")[2])["id"]
        refused = subprocess.run(
            command, env=environment | {"TABLETOP_TOKEN": "x"}, capture_output=True, text=True, check=False
        )
        assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)


def test_a_client_goes_on_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is away for a while: each event comes once, in order."""
    monkeypatch.setattr("examples.follow_events.AGAIN_S", 0.05)
    found, port, token = list[str](), 0, ""
    follower: Iterator[dict[str, Any]] = iter(())
    with Store(tmp_path / "a.db") as store:
        for _ in range(3):
            hub = Hub(store.path)
            page = Page(listen("local", port), time.monotonic, tmp_path / DEVICES, hub=hub)
            hub.start(store.newest_sequence())
            library = MatchLibrary(store, lambda: Moment("2026-11-28T18:00:00.000Z"), hub.stored)
            if not token:
                port, token = int(page.address.rpartition(":")[2]), owner_of(page.address, page.pairing.digits)[1]
                follower = events(f"http://{page.address}", token, "0.0")
            session = library.begin(Match("pig", ["Ann", "Ben"]))
            session.give(Throw((4,)))
            found += [next(follower)["id"] for _ in range(3)]
            hub.close()
            page.close()
        told = [str(one.place) for one in History(store.path).after(Place(0))]
    assert found == told
    assert len(told) == 9


def test_the_commands_of_the_documentation_reach_the_table(tmp_path: Path) -> None:
    """What a reader copies from docs/connecting.md, in their shell."""
    text = (ROOT / "docs" / "connecting.md").read_text(encoding="utf-8")
    block = text.partition("## The API")[2].partition("```sh\n")[2].partition("```")[0]
    state, stream, command = re.findall(r"^curl (?:.*\\\n)?.*$", block, re.MULTILINE)
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--camera", "none") as (address, digits):
        owner, token = owner_of(address, digits)
        environment = os.environ | {"TOKEN": token, "TABLE": f"http://{address}"}

        def shell(line: str, *more: str) -> str:
            words = ["sh", "-c", " ".join((line, "-sS", *more))]
            return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout

        now = json.loads(shell(state))
        assert now["moment"] == owner.state()["asking"]["moment"]
        assert shell(command.replace("[12, 0]", json.dumps(now["moment"]))) == ""
        assert json.loads(shell(state))["thrown"] == [4]
        lines = shell(stream, "| sed '/^event: throw/q'").splitlines()
        assert [line for line in lines if line.startswith("event: ")] == [
            "event: match_started",
            "event: turn",
            "event: throw",
        ]


def test_the_reader_writes_what_was_drawn(tmp_path: Path) -> None:
    """The rows of the CSV are the faces that the renderer drew; a file that is no picture is named and left out."""
    drawn = {"a.png": (5, 2, 2), "b.png": (1, 6, 3, 4), "empty.png": ()}
    for name, faces in drawn.items():
        draw(tmp_path / name, *faces)
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    (tmp_path / "notes.txt").write_text("no picture")
    command = [sys.executable, str(EXAMPLES / "photos_to_csv.py"), str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    head, *read = csv.reader(io.StringIO(done.stdout))
    assert tuple(head) == COLUMNS
    assert read == [[name, " ".join(map(str, sorted(faces))), "0"] for name, faces in drawn.items()]
    assert "broken.jpg" in done.stderr


@pytest.mark.slow
def test_pip_installs_the_camera_and_the_view(tmp_path: Path) -> None:
    """`pip install ./examples` is enough for the table to find both."""
    shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index", "--no-deps"]
    to = tmp_path / "installed"
    subprocess.run([*pip, "--no-build-isolation", "--target", to, tmp_path / "examples"], check=True)
    (tmp_path / "photos").mkdir()
    draw(tmp_path / "photos" / "one.png", 3)
    words = ["--camera", f"newest-last:{tmp_path / 'photos'}", "--view", f"score-file:{tmp_path / 'scores.txt'}"]
    quiet = ["--buttons", "none", "--screen", "none", "--store", str(tmp_path / "a.db")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(to), str(ROOT)))}
    command = [sys.executable, "-m", "tabletop", *PIG, *words, *quiet]
    subprocess.run(command, cwd=tmp_path, check=True, env=environment)
    assert (tmp_path / "scores.txt").read_text(encoding="utf-8").split() == [">", "Ann", "0", "Ben", "0"]
