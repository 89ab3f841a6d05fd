"""A recording: bounded, readable when torn off, and what it shows is decided again as it was."""

import json
import resource
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from random import Random

import numpy as np
import pytest
from recorded_evening import Evening, differences

from tabletop.cli.main import main
from tabletop.core.errors import InputError
from tabletop.core.message import reason_text
from tabletop.core.ports import Frame, Press
from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tabletop.dialogs.commands import ACCEPTED, GiveAnswers, TakeLine
from tabletop.perception import tracks
from tabletop.replay import recorder
from tabletop.replay.recorder import MIB, Recorder
from tabletop.replay.recording import Recording, TarWriter, cut, reading_from, reading_json
from tabletop.rules import Choose, Match, Throw
from tabletop.session.observer import TurnRecorder
from tools.scenarios.mix import SCENARIOS

FPS = 30.0
DIE = Die(3, 100.0, 100.0, 50.0, 0.0, "white", 0.99)
FULL = "recording full: new pictures are left out"


def picture(chance: np.random.Generator, noise: float = 2.0, base: int = 90) -> np.ndarray:
    return np.clip(chance.normal(base, noise, (120, 160, 3)), 0, 255).astype(np.uint8)


def test_a_still_tray_costs_next_to_nothing(tmp_path: Path) -> None:
    """Half a minute in which nothing moves, with the sensor's noise: one picture, and a line for each frame."""
    chance = np.random.default_rng(1)
    pictures = [picture(chance) for _ in range(7)]
    kept = Recorder(tmp_path / "a.tar")
    for n in range(900):
        frame = Frame(pictures[n % 7], n / FPS)
        kept.add_frame(frame, Reading(n / FPS, 160, 120, (DIE,)))
    kept.close()
    assert kept.kept == 1
    assert (tmp_path / "a.tar").stat().st_size < 100 * 900


@pytest.mark.parametrize(
    ("frames", "side", "notice"),
    [(1, 300, ""), (60, 300, FULL), (30_000, 1, "recording ended: it is full")],
    ids=["small", "pictures", "lines"],
)
def test_a_recording_never_exceeds_its_limit(tmp_path: Path, frames: int, side: int, notice: str) -> None:
    """Noise without end leaves room for the lines of all frames; lines without end end it. Both can be read."""
    chance, file = np.random.default_rng(2), tmp_path / "a.tar"
    kept = Recorder(file, limit=MIB)
    pixels = chance.integers(0, 255, (side, side, 3), np.uint8)
    for n in range(frames):
        kept.add_frame(Frame(np.roll(pixels, n, axis=0), n / FPS), Reading(n / FPS, side, side, (DIE,) * (n % 2)))
    kept.close()
    assert kept.current_notice == notice
    assert TurnRecorder(kept).news() == notice
    assert file.stat().st_size <= MIB
    with Recording(file) as played:
        assert played.pictures == kept.kept > 0
        assert (len(played.lines) == frames) == (notice in ("", FULL))


def test_a_slow_card_costs_pictures_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no room to wait in, the picture is lost, the line with its reading stays, and nobody waited."""
    monkeypatch.setattr(recorder, "QUEUE_BYTES", 0)
    kept = Recorder(tmp_path / "a.tar")
    kept.add_frame(Frame(picture(np.random.default_rng(1)), 1.0), Reading(1.0, 160, 120, (DIE,)))
    kept.close()
    assert kept.closing_notice.startswith("1 pictures lost")
    with Recording(tmp_path / "a.tar") as played:
        shot = played.shot(played.lines[0])
    assert shot.pixels is None
    assert shot.reading == Reading(1.0, 160, 120, (DIE,))


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    evening = Evening(tmp_path_factory.mktemp("evening"), Random(4), Match("pig", ["Ann", "Ben"]), known=True)
    evening.play("quick_hands")
    evening.press("bank", long=True)
    evening.press("bank")
    evening.close()
    kinds = [event.kind for event in evening.match.log]
    assert kinds[:3] == ["throw", "choose", "throw"]
    assert "undo" in kinds
    return evening


def test_the_same_code_decides_the_same(evening: Evening) -> None:
    assert not differences(evening.file)


def test_a_fault_is_named_by_its_event(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that waits for a minute of rest misses the throws, and the undo of the press is as it was."""
    _rest_must_last(60.0, monkeypatch)
    found = differences(evening.file)
    assert [(difference.number, difference.then, difference.now) for difference in found] == [
        (1, evening.match.log[0], None),
        (2, evening.match.log[1], None),
    ]


@pytest.mark.slow
def test_whose_die_is_whose_is_recorded(tmp_path: Path) -> None:
    """Two lay a die each and throw at once: the whole is decided again alike, and so is a part without the laying."""
    evening = Evening(tmp_path, Random(4), Match("roll-your-luck", ["Ann", "Ben"]), known=True, lays=True)
    for laid in ({"Ann": 1}, {"Ben": 6}):
        evening.throw_own(**laid)
    evening.run(0.5)
    laid_s = evening.world.now_s
    evening.throw_own(Ann=5, Ben=2)
    evening.close()
    assert [event.answer for event in evening.match.events] == [Throw({"Ann": (5,), "Ben": (2,)})]
    assert not differences(evening.file)
    with Recording(evening.file) as played:
        assert cut(played, laid_s - 0.05 - played.span_s[0], 100.0, tmp_path / "part.tar")
    assert not differences(tmp_path / "part.tar")
    with Recording(tmp_path / "part.tar") as part:
        assert next(line for line in part.lines if "match" in line)["laying"]["colours"] == {
            "Ann": "white",
            "Ben": "red",
        }
        old = [{name: told for name, told in line.items() if name != "laying"} for line in (part.head, *part.lines)]
    tar = TarWriter(tmp_path / "old.tar", MIB)
    tar.add("lines/000000.jsonl", "".join(f"{json.dumps(line)}\n" for line in old).encode())
    tar.close()
    assert [difference.now for difference in differences(tmp_path / "old.tar")] == [None], (
        "an old recording does not know whose"
    )


@pytest.mark.slow
def test_what_was_decided_on_the_page_is_recorded(tmp_path: Path) -> None:
    """An answer is noted with how the match stands then; taps are, and lead to the same undo again."""
    evening = Evening(tmp_path, Random(4), Match("pig", ["Ann", "Ben"]), known=True)
    evening.play("quick_hands")
    result = evening.inbox.put(GiveAnswers((Choose("bank"),)))
    evening.run(0.5)
    assert result.result(0) == ACCEPTED
    banked = evening.match.scores["Ann"]
    for tap in (Press("bank", long=True), TakeLine(0)):
        evening.inbox.put(tap)
        evening.run(0.5)
    evening.close()
    assert (banked > 0, evening.match.scores["Ann"]) == (True, 0)
    assert not differences(evening.file)


def test_a_file_that_cannot_grow_is_told_while_the_match_goes_on(tmp_path: Path) -> None:
    """Nothing more can be written: that is the next line on the screen, once; what was written before can be read."""
    evening = Evening(tmp_path, Random(4), Match("pig", ["Ann", "Ben"]), known=True)
    noise = np.random.default_rng(2).integers(0, 255, (600, 800, 3), np.uint8)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 * MIB, before[1]))
    try:
        for n in range(10):
            evening.recorder.add_frame(Frame(np.roll(noise, n, axis=1), float(n)), Reading(float(n), 800, 600))
        evening.recorder.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    shown = [evening.table.tick(20.0 + n).hint for n in range(8)]
    assert shown[0] == "recording ended: the card is full"
    assert not shown[-1]
    assert evening.recorder.closing_notice.startswith("recording ended: the card is full (")
    evening.recorder.add_frame(Frame(noise, 99.0), Reading(99.0, 800, 600))
    assert not evening.recorder.lost, "what is not recorded any more is not lost by a slow card"
    evening.store.close()
    with Recording(evening.file) as played:
        assert played.pictures


def test_room_is_left_for_the_matches(tmp_path: Path) -> None:
    """A nearly full card is left alone, and the end is not waited for in vain: a lost match would be the worse loss."""
    card = shutil.disk_usage(tmp_path).total
    kept = Recorder(tmp_path / "a.tar", spare=2 * card)
    kept.turned(1.0, None, (), {"hint": "such"})
    kept.close()
    assert kept.current_notice == "recording ended: the card is full"
    assert "are left to the matches" in kept.closing_notice
    assert (tmp_path / "a.tar").stat().st_size < MIB


def test_what_was_written_a_second_ago_survives_a_kill(tmp_path: Path) -> None:
    """A process that is killed while it records leaves a file that can be read, without its end."""
    script = f"""
import time, numpy as np
from tabletop.core.ports import Frame
from tabletop.core.values import Reading
from pathlib import Path
from tabletop.replay.recorder import Recorder
kept = Recorder(Path({str(tmp_path / "a.tar")!r}))
for n in range(100):
    kept.add_frame(Frame(np.full((60, 80, 3), n, np.uint8), float(n)), Reading(float(n), 80, 60))
file = Path({str(tmp_path / "a.tar")!r})
while b'"frame": 99' not in file.read_bytes():
    time.sleep(0.05)
print(flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    with Recording(tmp_path / "a.tar") as played:
        assert (len(played.lines), played.pictures > 10) == (100, True)


def test_a_recording_torn_off_is_read_up_to_there(evening: Evening, tmp_path: Path) -> None:
    """The plug was pulled anywhere: what stands before can be read, more the later, and all of it agrees."""
    whole = evening.file.read_bytes()
    with Recording(evening.file) as played:
        lines, pictures = played.lines, played.pictures
    counts = []
    chance = Random(2)
    for at in [*sorted(chance.sample(range(len(whole) // 10, len(whole)), 12)), len(whole)]:
        (tmp_path / "torn.tar").write_bytes(whole[:at])
        with Recording(tmp_path / "torn.tar") as torn:
            assert torn.lines == lines[: len(torn.lines)]
            assert torn.pictures <= pictures
            counts.append(len(torn.lines))
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_a_part_is_a_recording_of_its_own(evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut around the second throw: smaller, the same decisions, and the match stands there as it stood."""
    with Recording(evening.file) as played:
        second = [line["turn"] for line in played.lines if line.get("events")][1] - played.span_s[0]
        cut(played, second - 1.5, second + 0.5, tmp_path / "part.tar")
        with pytest.raises(InputError, match="FROM and TO"):
            cut(played, 1e6, 2e6, tmp_path / "none.tar")
    assert (tmp_path / "part.tar").stat().st_size < evening.file.stat().st_size
    assert not differences(tmp_path / "part.tar")
    _rest_must_last(3.0, monkeypatch)
    (missed,) = differences(tmp_path / "part.tar")
    assert (missed.number, missed.then) == (2, evening.match.log[1])  # rolled on, by throwing


def test_what_is_no_recording_is_told(tmp_path: Path) -> None:
    (tmp_path / "text.tar").write_text("hello")
    with tarfile.open(tmp_path / "other.tar", "w") as other:
        other.add(tmp_path / "text.tar", "text")
    for name in ("text.tar", "other.tar", "missing.tar"):
        with pytest.raises(InputError, match="expected a recording"):
            Recording(tmp_path / name)


PIG = ["pig", "--players", "Ann,Ben", "--set", "target=2", "--seed", "2"]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("game") / "game.tar"
    assert main(["play", *PIG, "--store", str(file.with_name("a.db")), "--record", str(file)]) == 0
    return file


def test_the_command_line_plays_it_again(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status 0 if all is decided the same, 1 with a line for each difference, 2 for what cannot be played."""
    file, words = str(game), [*PIG, "--store", str(tmp_path / "a.db")]
    capsys.readouterr()
    assert main(["replay", "--frames", file]) == 0
    assert "all decided the same" in capsys.readouterr().out
    monkeypatch.setattr(tracks, "REST_FRAMES", 1000)
    assert main(["replay", "--frames", file, "--json"]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (found[0]["event"], found[0]["then"]["kind"], found[0]["now"]) == (1, "throw", None)
    assert main(["replay", "--frames", file, "--cut", "0", "2", "--out", str(tmp_path / "part.tar")]) == 0
    for wrong in (["--frames", file, "--cut", "0", "1"], ["--cut", "0", "1"], ["3", "--frames", file]):
        assert main(["replay", *wrong]) == 2
    assert main(["play", *words, "--record", file]) == 2, "it exists"
    assert main(["play", *words, "--record", str(tmp_path / "b.tar"), "--record-mib", "0"]) == 2


def test_why_tells_of_each_frame(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each frame: what was read and, without a rest, which die moves or has only just come to lie."""
    capsys.readouterr()
    assert main(["replay", "--frames", str(game), "--why", "--json"]) == 0
    frames = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any(frame["rest"] for frame in frames)
    assert {"moves", "too short"} <= {die["cause"] for frame in frames for die in frame["held_back_by"]}
    assert not any(frame["rest"] and frame["held_back_by"] for frame in frames)
    assert main(["replay", "--frames", str(game), "--why"]) == 0
    assert "edges" in capsys.readouterr().out
    for wrong in (["--why"], ["--frames", str(tmp_path / "none.mp4"), "--why"], ["--frames", str(game), "--dice", "2"]):
        assert main(["replay", *wrong]) == 2


@pytest.mark.parametrize("reason", UnsureReason)
def test_the_reason_of_an_unsure_die_is_stored_by_its_name(reason: UnsureReason) -> None:
    """Each reason comes back equal, with its two faces if it has them, and no sentence for people is in the file."""
    unsure = Unsure(10.0, 20.0, 50.0, reason, faces=(4, 6) if reason is UnsureReason.TWO_FACES else ())
    stored = json.dumps(reading_json(Reading(1.5, 640, 480, unsure=(unsure,))))
    assert reason_text(unsure) not in stored
    assert reading_from(json.loads(stored), 1.5).unsure == (unsure,)


@pytest.mark.slow
def test_a_living_room_is_decided_the_same(tmp_path: Path) -> None:
    """Hands, lamps, accidents, undos. Pictures lose a little: a die that can just be read may be read otherwise."""
    evening = Evening(tmp_path, Random(11), Match("sequences", ["Ann", "Ben"], target=5000), known=True)
    names, scenes = list(SCENARIOS), 0
    while evening.world.now_s < 15.0:
        evening.play(evening.chance.choice(names))
        scenes += 1
        if scenes % 5 == 2:
            evening.press("bank", long=True)
            evening.press("bank", long=True)
            evening.press("bank")
        elif scenes % 5 == 4:
            evening.press("hold")
            evening.press("hold")
    evening.close()
    assert len(evening.match.log) >= 2
    assert not evening.recorder.closing_notice
    assert len(differences(evening.file)) <= 1


def _rest_must_last(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracks, "REST_S", seconds)
    monkeypatch.setattr(tracks, "LEAST_SEEN_S", seconds)
