"""Each throw that the camera read keeps its picture. What it must show is the simulated tray's own truth."""

import base64
import errno
import json
import os
import pickle
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from math import hypot
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from page_program import page_of
from page_visitor import Visitor, let_in
from world_table import WorldTable

from tabletop.config.file import load_configuration
from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.core.ports import Frame
from tabletop.core.values import Die, Moment, Reading, Unsure, UnsureReason
from tabletop.dialogs.commands import Correct
from tabletop.dialogs.setup_state import SetupContext
from tabletop.perception.pipeline import FrameResult
from tabletop.rules import Event, Match, Throw
from tabletop.session.match_library import MatchLibrary
from tabletop.session.snapshotting import of_stored
from tabletop.session.throw_pictures import ThrowKeeper, kept_throw
from tabletop.simulator.tray import SIZE_PX, Tray, profile_of
from tabletop.store import Store
from tabletop.store.throws import (
    MOST_PICTURES,
    OLDEST_S,
    WAITING,
    KeptThrow,
    ThrowPictures,
    Write,
    delete_pictures,
    events_with_picture,
    folder_of,
    load_throw,
    write_private,
)
from tabletop.views.photo import BLUE
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.tray_picture import Crop, crop_of
from tabletop.web.commands import command_of
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

MOST_BYTES = 300_000  # as issue 52 has it
EDGES = 0.15  # an outline this near to a die lies on it
NOTHING = Reading(0.0, 8, 8)
READ_FOUR = say("read: {text}", text="4")
FOUR = Event("throw", "Ann", (4,))


@dataclass
class Kept:
    """A simulated table whose throws are kept. store: its file."""

    store: Path
    tray: Tray
    table: WorldTable
    pictures: ThrowPictures
    crop: Crop
    keeper: ThrowKeeper

    def throw(self, *faces: int) -> None:
        self.tray.throw(len(faces), faces=faces)
        self.table.run()

    @property
    def log(self) -> tuple[Event, ...]:
        return self.table.session.match.log


def kept_at(folder: Path, store: Store, game: str, write: Write = write_private) -> Kept:
    dice = Match(game, ["Ann", "Ben"]).game.dice
    tray = Tray(dice, chance=Random(52))
    matches = MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None)
    table = WorldTable(tray, matches.begin(Match(game, ["Ann", "Ben"])))
    pictures, crop = ThrowPictures(folder / "tabletop.db", write), crop_of(profile_of(tray))
    keeper = ThrowKeeper(pictures, table.camera_thread, lambda: crop)
    matches.threw = keeper.threw
    return Kept(folder / "tabletop.db", tray, table, pictures, crop, keeper)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "tabletop.db") as opened:
        yield opened


def decoded(picture: bytes) -> np.ndarray:
    found = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    return np.asarray(found)


def test_the_kept_reading_is_the_truth_of_the_tray(tmp_path: Path, store: Store) -> None:
    """Faces are those of the event, places those of the dice, and the picture is the tray at rest."""
    kept = kept_at(tmp_path, store, "yahtzee")
    kept.throw(1, 3, 4, 6, 6)
    truth, tray = kept.tray.truth(), kept.tray.show(kept.tray.now_s)
    kept.pictures.close()
    (event,) = (n for n, event in enumerate(kept.log, start=1) if event.kind == "throw")
    assert events_with_picture(kept.store, 1) == {event}
    throw = load_throw(kept.store, 1, event)
    assert throw is not None
    assert throw.reading.faces == kept.log[event - 1].value == (1, 3, 4, 6, 6)
    assert throw.event == {"kind": "throw", "player": "Ann", "faces": [1, 3, 4, 6, 6]}
    assert all(0.5 < die.confidence <= 1.0 for die in throw.reading.dice)
    left, top = int(kept.crop.left * tray.shape[1]), int(kept.crop.top * tray.shape[0])
    for die in throw.reading.dice:
        near = min(truth.dice, key=lambda one: hypot(one.x - left - die.x, one.y - top - die.y))
        assert near.face == die.face
        assert hypot(near.x - left - die.x, near.y - top - die.y) < EDGES * SIZE_PX
    picture = decoded(throw.picture)
    assert picture.shape[:2] == (throw.reading.height, throw.reading.width)
    of_tray = tray[top : top + picture.shape[0], left : left + picture.shape[1]]
    assert np.abs(picture.astype(int) - of_tray).mean() < 4.0  # grey levels, of a JPEG; an empty tray differs more
    assert len(throw.picture) < MOST_BYTES


def test_every_throw_of_a_turn_has_its_own(tmp_path: Path, store: Store) -> None:
    """By the rules of Pig Ann throws until she banks or sees a one."""
    kept = kept_at(tmp_path, store, "pig")
    for face in (4, 5, 1):
        kept.throw(face)
    kept.pictures.close()
    throws = {n: event.value for n, event in enumerate(kept.log, start=1) if event.kind == "throw"}
    assert [*throws.values()] == [(4,), (5,), (1,)]
    found = {n: load_throw(kept.store, 1, n) for n in events_with_picture(kept.store, 1)}
    assert {n: throw.reading.faces for n, throw in found.items() if throw} == throws


def test_only_this_user_may_read_them(tmp_path: Path, store: Store) -> None:
    kept = kept_at(tmp_path, store, "pig")
    kept.throw(4)
    kept.pictures.close()
    folder = folder_of(kept.store)
    files = sorted(folder.iterdir())
    assert [file.suffix for file in files] == [".jpg", ".json"]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in (folder, folder.parent)} == {0o700}
    assert folder.parent == tmp_path / "throws"


def full(path: Path, data: bytes) -> None:
    write_private(path, data[:100])
    raise OSError(errno.ENOSPC, "No space left on device")


def read_only(path: Path, data: bytes) -> None:
    raise OSError(errno.EROFS, f"{path} {len(data)}")


@pytest.mark.parametrize("write", [full, read_only])
def test_a_card_that_takes_nothing_loses_pictures_only(tmp_path: Path, store: Store, write: Write) -> None:
    kept = kept_at(tmp_path, store, "pig", write)
    for face in (4, 5, 1):
        kept.throw(face)
    kept.pictures.close()
    assert kept.table.throws == [(4,), (5,), (1,)]
    assert len(store.events(1)) == len(kept.log)
    assert events_with_picture(kept.store, 1) == set()


def test_a_picture_is_written_after_its_event(tmp_path: Path, store: Store) -> None:
    """Another program that reads the store finds the event as soon as the picture is begun."""
    events = list[int]()

    def counts(path: Path, data: bytes) -> None:
        with closing(sqlite3.connect(tmp_path / "tabletop.db")) as reader:
            events.extend(reader.execute("SELECT count(*) FROM event").fetchone())
        write_private(path, data)

    kept = kept_at(tmp_path, store, "pig", counts)
    kept.throw(4)
    kept.pictures.close()
    assert len(events) == 2  # the picture, then its reading
    assert min(events) >= max(events_with_picture(kept.store, 1)) == 1


def test_a_file_where_the_folder_should_be_loses_pictures_only(tmp_path: Path, store: Store) -> None:
    (tmp_path / "throws").touch()
    kept = kept_at(tmp_path, store, "pig")
    kept.throw(4)
    kept.pictures.close()
    assert kept.table.throws == [(4,)]
    assert events_with_picture(kept.store, 1) == set()


def test_a_card_that_hangs_delays_no_event(tmp_path: Path, store: Store) -> None:
    """While the first picture is written for ever, the table takes throw after throw; only few pictures wait."""
    begun, goes_on, writers = threading.Event(), threading.Event(), set[int]()

    def hangs(path: Path, data: bytes) -> None:
        writers.add(threading.get_ident())
        begun.set()
        assert goes_on.wait(60)
        write_private(path, data)

    kept = kept_at(tmp_path, store, "pig", hangs)
    kept.throw(2)
    assert begun.wait(60)
    for face in (3, 4, 5, 6, 2, 3):
        kept.throw(face)
    assert kept.table.throws == [(2,), (3,), (4,), (5,), (6,), (2,), (3,)]
    assert len(store.events(1)) == len(kept.log)
    goes_on.set()
    kept.pictures.close()
    assert threading.get_ident() not in writers
    assert len(events_with_picture(kept.store, 1)) == 1 + WAITING


def one(event: int, folder: Path, store: Path) -> None:
    """Leave what a table left that wrote this event's picture `event` seconds after 1970."""
    for suffix in (".jpg", ".json"):
        path = folder_of(store) / f"1-{event}{suffix}"
        write_private(path, b"{}")
        os.utime(path, (event, event))
    assert folder.is_dir()


def test_the_oldest_go_first(tmp_path: Path) -> None:
    """There are never more than so many, those of earlier evenings counted."""
    store = tmp_path / "tabletop.db"
    for event in range(1, MOST_PICTURES + 1):
        one(event, tmp_path, store)
    pictures = ThrowPictures(store, clock=lambda: MOST_PICTURES + 1.0)
    pictures.put(2, 1, lambda: KeptThrow(b"new", NOTHING, {}))
    pictures.close()
    assert events_with_picture(store, 1) == {*range(2, MOST_PICTURES + 1)}
    assert events_with_picture(store, 2) == {1}
    assert len([*folder_of(store).iterdir()]) == 2 * MOST_PICTURES


def test_none_is_older_than_a_season(tmp_path: Path) -> None:
    store = tmp_path / "tabletop.db"
    for event in (100, 200):
        one(event, tmp_path, store)
    ThrowPictures(store, clock=lambda: OLDEST_S + 150.0).close()
    assert events_with_picture(store, 1) == {200}


def test_a_deleted_match_leaves_no_picture(tmp_path: Path) -> None:
    """Those of a match whose number begins alike stay."""
    store = tmp_path / "tabletop.db"
    pictures = ThrowPictures(store)
    for match in (1, 11):
        pictures.put(match, 3, lambda: KeptThrow(b"", NOTHING, {}))
    pictures.close()
    delete_pictures(store, 1)
    assert sorted(path.name for path in folder_of(store).iterdir()) == ["11-3.jpg", "11-3.json"]
    delete_pictures(tmp_path / "other.db", 1)  # where nothing was ever kept


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"reading": {"dice": [{}]}}', b"\xff", b"[" * 100_000])
def test_a_damaged_file_is_no_picture(tmp_path: Path, content: bytes) -> None:
    store = tmp_path / "tabletop.db"
    write_private(folder_of(store) / "1-1.jpg", b"picture")
    write_private(folder_of(store) / "1-1.json", content)
    assert load_throw(store, 1, 1) is None


def seen(pixels: np.ndarray, *dice: Die, unsure: tuple[Unsure, ...] = ()) -> FrameResult:
    reading = Reading(1.0, pixels.shape[1], pixels.shape[0], dice, unsure)
    return FrameResult(Frame(np.asarray(pixels, np.uint8), 1.0), reading, reading, None)


def test_no_picture_is_large() -> None:
    """Noise is the worst that a JPEG can be given, and no camera of ours has more pixels."""
    noise = np.random.default_rng(1).integers(0, 256, (2160, 3840, 3), np.uint8)
    die, doubt = Die(4, 1920.0, 1080.0, 300.0, 10.0, "red", 0.9), Unsure(96.0, 1080.0, 60.0, UnsureReason.GLARE)
    throw = kept_throw(FOUR, seen(noise, die, unsure=(doubt,)), Crop(0.25, 0.25, 0.75, 0.75))
    assert len(throw.picture) < MOST_BYTES
    height, width = decoded(throw.picture).shape[:2]
    assert (throw.reading.width, throw.reading.height) == (width, height)
    (placed,) = throw.reading.dice  # in the middle, as large a part of the picture as before
    assert (placed.x + 0.5) / width == pytest.approx(0.5, abs=0.01)
    assert placed.size / width == pytest.approx(300.0 / (3840 / 2))
    assert throw.reading.unsure == ()  # beside the tray


# On the page


@pytest.fixture
def shown(tmp_path: Path, store: Store) -> Iterator[tuple[Kept, Page]]:
    """Serve a match of Pig whose first throw is a four."""
    kept = kept_at(tmp_path, store, "pig")
    kept.throw(4)
    kept.pictures.close()
    page = Page(listen("local", 0), lambda: 1.0, tmp_path / DEVICES, private=True)
    page.offer(lambda _: SetupContext((), 0), lambda: None, tuple, kept.store, kept.keeper.held, of_stored)
    page.show(kept.table.shown, None, 1.0)
    yield kept, page
    page.close()


def asked(visitor: Visitor, path: str) -> Any:  # noqa: ANN401 - values of JSON
    return json.loads(visitor.get(path).body)


def test_the_page_shows_how_a_throw_was_read(shown: tuple[Kept, Page]) -> None:
    """The outline is drawn around the die; what was corrected stands beside what was read."""
    kept, page = shown
    friend = let_in(page)
    (entry,) = (event for event in asked(friend, "/history")["events"] if event["kind"] == "throw")
    found = asked(friend, "/throws")
    assert (found["match"], found["throws"]) == (1, [entry["number"]])
    address = f"/throw?match=1&event={entry['number']}"
    answer = asked(friend, address)
    assert answer["lines"] == [READ_FOUR]
    picture = decoded(base64.b64decode(answer["picture"]))
    throw = load_throw(kept.store, 1, *events_with_picture(kept.store, 1))
    assert throw is not None
    zoom = picture.shape[1] / throw.reading.width
    (die,) = kept.tray.truth().dice
    frame = kept.tray.show(kept.tray.now_s)
    x, y = die.x - int(kept.crop.left * frame.shape[1]), die.y - int(kept.crop.top * frame.shape[0])
    rows, columns = np.nonzero(np.abs(picture.astype(int) - BLUE).sum(axis=2) < 60)
    around = np.hypot(columns / zoom - x, rows / zoom - y) < 0.85 * SIZE_PX  # half a diagonal and a line
    assert around.sum() > 4 * SIZE_PX * zoom * 0.5  # most of four sides
    kept.table.session.correct(entry["number"], Throw((6,)), kept.tray.now_s)
    page.show(kept.table.run(1.0), None, 2.0)
    assert asked(friend, address)["lines"] == [READ_FOUR, say("corrected to: {text}", text="6")]


def test_a_device_that_may_not_see_the_camera_sees_no_throw(shown: tuple[Kept, Page]) -> None:
    _, page = shown
    stranger = Visitor(page.address)
    assert {stranger.get(path).status for path in ("/throws", "/throw?match=1&event=1", "/throw?match=x")} == {403}


@pytest.mark.parametrize(
    "question",
    [
        "",
        "match=1",
        "match=1&event=../1",
        "match=..%2F1&event=1",
        "match=1&event=%D9%A1",
        "match=1&event=" + "9" * 4000,
    ],
)
def test_only_numbers_name_a_picture(shown: tuple[Kept, Page], question: str) -> None:
    assert let_in(shown[1]).get(f"/throw?{question}").status == 400


def test_a_picture_of_another_match_or_store_is_not_shown(shown: tuple[Kept, Page]) -> None:
    """A store that was deleted leaves its pictures; match 1 of the next one is another match."""
    kept, page = shown
    friend = let_in(page)
    assert asked(friend, "/throw?match=1&event=1") is not None
    for match, number in ((2, 1), (1, 2), (1, 10**17)):
        assert asked(friend, f"/throw?match={match}&event={number}") is None
    (event,) = events_with_picture(kept.store, 1)
    file = folder_of(kept.store) / f"1-{event}.json"
    facts = json.loads(file.read_bytes())
    file.write_text(json.dumps(facts | {"event": facts["event"] | {"player": "Eva"}}))
    assert asked(friend, "/throw?match=1&event=1") is None


# Looking again

SEEN_FOUR, COUNTS = say("seen now: {text}", text="4"), say("that is how the throw counts")
NOT_SURE, HIDDEN = say("no correction is certain enough"), say("part of it is hidden")


def test_a_second_look_that_agrees_corrects_nothing(shown: tuple[Kept, Page]) -> None:
    answer = let_in(shown[1]).post("/look", {"match": 1, "event": 1})
    found = json.loads(answer.body)
    assert found["lines"] == [SEEN_FOUR, COUNTS]
    assert (found["fix"], found["changes"]) == ("", [])
    assert decoded(base64.b64decode(found["picture"])).shape[2] == 3


def test_what_was_read_can_be_read_on_a_phone(shown: tuple[Kept, Page]) -> None:
    """The picture is 320 px wide there, and letters of 11 px can be read: so high at least is the plain background."""
    found = json.loads(let_in(shown[1]).get("/throw?match=1&event=1").body)
    picture = decoded(base64.b64decode(found["picture"]))
    near = np.abs(picture.astype(int) - BLUE).max(axis=2) < 40
    solid = cv2.erode(near.astype(np.uint8), np.ones((7, 7), np.uint8))  # no outline
    _, _, patches, _ = cv2.connectedComponentsWithStats(solid)
    height = patches[1:, cv2.CC_STAT_HEIGHT].max(initial=0) + 6
    assert height * 320 / picture.shape[1] >= 11


def values(kept: Kept) -> list[object]:
    record = kept.table.run(0.1).record
    assert record is not None
    return [event.value for event in record.standing if event.kind == "throw"]


def test_a_wrong_throw_is_put_right_by_a_tap(shown: tuple[Kept, Page]) -> None:
    """The correction is the page's own command for a die; until somebody sends it the score stays."""
    kept, page = shown
    session = kept.table.session
    session.correct(1, Throw((6,)), kept.tray.now_s)
    page.show(kept.table.run(1.0), None, 2.0)
    found = json.loads(let_in(page).post("/look", {"match": 1, "event": 1}).body)
    assert found["changes"] == [{"throw": 1, "who": "", "was": 6, "face": 4}]
    assert found["fix"] == say("correct to {text}", text="4")
    assert values(kept) == [(6,)]
    read = command_of({"do": "correct", **found["changes"][0]}, page.shown)
    assert isinstance(read, tuple)
    assert isinstance(read[0], Correct)
    session.correct(read[0].number, read[0].answer, kept.tray.now_s)
    assert values(kept) == [(4,)]


def test_a_past_match_shows_its_throws_and_corrects_none(shown: tuple[Kept, Page]) -> None:
    """Once another match is on the table: to devices that are let in, with what a second look sees."""
    kept, page = shown
    kept.table.session.correct(1, Throw((6,)), kept.tray.now_s)
    page.show(Snapshot(number=2), None, 2.0)
    stranger, friend = Visitor(page.address), let_in(page)
    assert asked(friend, "/throws?match=1")["throws"] == [1]
    lines = asked(friend, "/throw?match=1&event=1")["lines"]
    assert lines == [READ_FOUR, say("corrected to: {text}", text="6")]
    found = json.loads(friend.post("/look", {"match": 1, "event": 1}).body)
    assert found["lines"] == [SEEN_FOUR, say("only throws of the match on the table can be corrected")]
    assert (found["fix"], found["changes"]) == ("", [])
    assert [line["number"] for line in asked(friend, "/played/1")["lines"]] == [1, 0]
    assert {stranger.get(path).status for path in ("/throws?match=1", "/throw?match=1&event=1")} == {403}
    assert asked(friend, "/throws?match=7") is None
    assert friend.get("/throws?match=0").status == 400


def test_what_nobody_can_see_is_not_corrected(shown: tuple[Kept, Page]) -> None:
    """The kept picture is painted over where the die lies, and an older throw has no other."""
    kept, page = shown
    file = folder_of(kept.store) / "1-1.jpg"
    picture, (die,) = decoded(file.read_bytes()), kept.tray.truth().dice
    left, top = int(kept.crop.left * 640), int(kept.crop.top * 480)
    cv2.circle(picture, (round(die.x) - left, round(die.y) - top), round(SIZE_PX), (90, 120, 170), -1)
    file.write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    kept.throw(5)
    kept.pictures.close()
    page.show(kept.table.shown, None, 2.0)
    found = json.loads(let_in(page).post("/look", {"match": 1, "event": 1}).body)
    assert (found["lines"][-1], found["changes"]) == (NOT_SURE, [])


def test_the_newest_throw_is_looked_at_in_all_its_frames(tmp_path: Path, store: Store) -> None:
    kept = kept_at(tmp_path, store, "pig")
    kept.throw(4)
    frames = kept.keeper.held(1, 1)
    assert len(frames) > 1
    assert {frame.shape for frame in frames} == {frames[0].shape}
    kept.throw(5)
    (_, newest) = (n for n, event in enumerate(kept.log, start=1) if event.kind == "throw")
    assert kept.keeper.held(1, 1) == ()
    assert len(kept.keeper.held(1, newest)) > 1
    kept.pictures.close()


def test_only_those_who_play_may_ask_and_switch(shown: tuple[Kept, Page]) -> None:
    _, page = shown
    stranger, friend = Visitor(page.address), let_in(page)
    assert stranger.post("/look", {"match": 1, "event": 1}).status == 403
    assert stranger.post("/pictures", {"keep": False}).status == 403
    wrong: list[object] = [{}, {"match": "1", "event": 1}, {"match": True, "event": 1}, {"match": 1, "event": 1.5}]
    assert {friend.post("/look", wish).status for wish in wrong} == {400}
    assert friend.post("/pictures", {"keep": 0}).status == 400
    assert json.loads(friend.post("/look", {"match": 2, "event": 1}).body) is None


def test_one_look_at_a_time(shown: tuple[Kept, Page]) -> None:
    """Four devices ask in the same moment: one is answered, the others are refused."""
    _, page = shown
    friends, together = [let_in(page) for _ in range(4)], threading.Barrier(4)

    def asks(friend: Visitor) -> int:
        together.wait(60)
        return friend.post("/look", {"match": 1, "event": 1}).status

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(asks, friends)) == [200, 429, 429, 429]
    assert friends[0].post("/look", {"match": 1, "event": 1}).status == 200


def test_a_second_look_takes_the_lowest_priority() -> None:
    """It is a program of its own, so that no throw waits for it, and the first to be killed if memory runs out.

    nice(1): 19 is the lowest; proc_pid_oom_score_adj(5): 1000 is the highest.
    """
    code = "import os, runpy, sys; runpy.run_module(sys.argv[1], run_name='__main__'); "
    code += "sys.stderr.write(str(os.nice(0)) + ' ' + open('/proc/self/oom_score_adj').read())"
    picture = np.zeros((64, 64, 3), np.uint8)
    asked = pickle.dumps(([picture], 1, 20.0))
    done = subprocess.run(
        [sys.executable, "-c", code, "tabletop.vision.second_look"], input=asked, capture_output=True, check=True
    )
    assert done.stderr.split()[-2:] == [b"19", b"1000"]
    assert pickle.loads(done.stdout).dice == ()  # noqa: S301 - our own program wrote it


def test_a_throw_costs_the_loop_nothing(tmp_path: Path) -> None:
    """A hundred throws with the largest frames of a camera, and a card that hangs, take less than 100 ms."""
    pixels = np.random.default_rng(1).integers(0, 256, (2160, 3840, 3), np.uint8)
    goes_on = threading.Event()

    def hangs(path: Path, data: bytes) -> None:
        assert goes_on.wait(60), (path, len(data))

    pictures = ThrowPictures(tmp_path / "tabletop.db", hangs)
    begun_s = time.thread_time()
    for number in range(100):
        pictures.put(1, number, partial(kept_throw, FOUR, seen(pixels), Crop()))
    assert time.thread_time() - begun_s < 0.1
    goes_on.set()
    pictures.close()


# Switched off


def test_one_tap_switches_them_off_for_good(shown: tuple[Kept, Page]) -> None:
    """No picture is kept from then on, nor after the table starts again, until somebody switches them on."""
    kept, page = shown
    friend = let_in(page)
    assert asked(friend, "/throws")["keeps"] is True
    assert friend.post("/pictures", {"keep": False}).status == 204
    assert asked(friend, "/throws")["keeps"] is False
    for keep, there in ((False, {1}), (True, {1, 3})):
        assert friend.post("/pictures", {"keep": keep}).status == 204
        pictures = ThrowPictures(kept.store)
        pictures.put(1, 3, lambda: KeptThrow(b"", NOTHING, {}))
        pictures.close()
        assert events_with_picture(kept.store, 1) == there


def test_a_table_without_pictures_offers_no_switch(tmp_path: Path) -> None:
    page = Page(listen("local", 0), lambda: 1.0, tmp_path / DEVICES)
    page.offer(lambda _: SetupContext((), 0), lambda: None, tuple, tmp_path / "tabletop.db")
    page.show(Snapshot(), None, 1.0)
    friend = let_in(page)
    assert asked(friend, "/throws")["keeps"] is None
    assert json.loads(friend.post("/look", {"match": 1, "event": 1}).body) is None
    page.close()


def test_one_line_switches_them_off(tmp_path: Path) -> None:
    file = tmp_path / "tabletop.toml"
    file.write_text("")
    assert load_configuration(file).throw_pictures
    file.write_text("throw_pictures = false\n")
    assert not load_configuration(file).throw_pictures
    file.write_text('\nthrow_pictures = "off"\n')
    with pytest.raises(InputError, match=r"line 2: expected throw_pictures to be true or false, got 'off'"):
        load_configuration(file)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "kept"), [("", True), ("throw_pictures = false", False)])
def test_a_table_keeps_them_unless_it_is_told_not_to(tmp_path: Path, line: str, kept: object) -> None:
    """Of `tabletop play` itself, with simulated dice; what waits is written at the end."""
    (tmp_path / "tabletop").mkdir()
    (tmp_path / "tabletop" / "tabletop.toml").write_text(line)
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--camera", "sim") as (address, digits):
        ann = Visitor(address)
        assert ann.post("/pair", {"digits": digits}).status == 204
        assert ann.act("throw", ann.state()["asks"]) == 204
        with ann.events("/events") as events:
            shown = (data["history"]["events"] for name, data in events if name == "message")
            assert any(event["kind"] == "throw" for entries in shown for event in entries)
    assert (events_with_picture(tmp_path / "a.db", 1) == {1}) is kept
    assert (tmp_path / "throws").exists() is kept
