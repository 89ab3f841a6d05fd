"""Files of before, through today's program: stored matches, recordings, profiles, and the JSON that scripts parse."""

import json
import shutil
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabletop.cli.main import main
from tabletop.config.profile import load_profile, save_profile
from tabletop.core.values import UnsureReason
from tabletop.replay.recording import Recording, reading_from
from tabletop.rules import Event, Match
from tabletop.rules.conformance.trial import random_answer
from tabletop.store import Store, StoredMatch

HERE = Path(__file__).parent
FILES, EXPECTED = HERE / "files", HERE / "files" / "expected"
MENDED = json.loads((HERE / "mended.json").read_text(encoding="utf-8"))  # sentence of then -> sentence of today
GROWN = json.loads((HERE / "grown.json").read_text(encoding="utf-8"))  # game -> its fields and options of today
SENTENCES = ("said", "why", "help", "error")  # fields that hold a sentence for people
MOST_ANSWERS = 3000  # a match of Ten Thousand by chance needs some hundreds
PLACE_PX = 4.5  # dice of 70 px: networks that were trained again measure edges a sixteenth otherwise
CONFIDENCE = 0.05  # the same


def of_today(told: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(told, list):
        return [of_today(part) for part in told]
    if not isinstance(told, dict):
        return told
    return {
        name: MENDED.get(value, value) if name in SENTENCES and isinstance(value, str) else of_today(value)
        for name, value in told.items()
    }


def sentences(told: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(told, list):
        for part in told:
            yield from sentences(part)
    elif isinstance(told, dict):
        for name, value in told.items():
            if name in SENTENCES and isinstance(value, str):
                yield value
            else:
                yield from sentences(value)


def expected(name: str) -> Any:  # noqa: ANN401 - any JSON
    """Return what was answered then: a list of the lines of a .jsonl, else the one value."""
    text = (EXPECTED / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if name.endswith(".jsonl") else json.loads(text)


def answers(capsys: pytest.CaptureFixture[str], *words: str) -> list[Any]:
    """Run a command that must succeed; return its lines of JSON."""
    status = main(list(words))
    output = capsys.readouterr()
    assert (status, output.err) == (0, "")
    return [json.loads(line) for line in output.out.splitlines()]


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    return Path(shutil.copy(FILES / "matches.db", tmp_path / "matches.db"))


def test_every_mended_sentence_was_said_then() -> None:
    """No line of mended.json is left over or misspelt."""
    said = {sentence for file in EXPECTED.iterdir() for sentence in sentences(expected(file.name))}
    assert MENDED.keys() <= said


# The store


def test_the_stored_matches_are_listed(capsys: pytest.CaptureFixture[str], stored: Path) -> None:
    """`replay --json` lists number, game, players, options, time, ending and events."""
    assert answers(capsys, "replay", "--json", "--store", str(stored)) == expected("matches.jsonl")


@pytest.mark.parametrize("number", range(1, 9))
def test_a_stored_match_stands_as_it_did_and_is_played_on(stored: Path, number: int) -> None:
    """Request, scores, sheet and what was said are those of then; an open match is played to its end."""
    with Store(stored) as store:
        match = _replayed(store, store.match(number))
    assert match.state() == of_today(expected(f"match-{number}-state.json"))
    assert match.over == (store_ending(number) == "over")
    _play_to_the_end(match, Random(number))
    assert match.winners


def store_ending(number: int) -> str | None:
    return next(line["ending"] for line in expected("matches.jsonl") if line["number"] == number)  # type: ignore[no-any-return]  # a text or null


def _replayed(store: Store, match: StoredMatch) -> Match:
    events = [Event.from_json(event.body) for event in store.events(match.number)]
    return Match.replay(match.game, match.players, match.options, events)


def _play_to_the_end(match: Match, chance: Random) -> None:
    while not match.over:
        assert match.event < MOST_ANSWERS, match.request
        match.apply(*match.draft(random_answer(match.request, chance)))


# Recordings


@pytest.mark.parametrize("name", ["two-throws-and-undo", "leaning-die"])
def test_a_recording_is_decided_as_it_was(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """`replay --frames` finds no event that today's program would decide otherwise."""
    assert answers(capsys, "replay", "--frames", str(FILES / f"{name}.tar"), "--json") == []


def test_what_was_read_then_is_read_back() -> None:
    """Each frame's reading of then is there, with the reasons why a die was unsure, a pair of faces among them."""
    with Recording(FILES / "leaning-die.tar") as recording:
        readings = [recording.shot(line).reading for line in recording.lines if "time" in line]
    assert len(readings) == 44
    assert {len(reading.dice) for reading in readings} == {0, 1, 2}
    unsure = [die for reading in readings for die in reading.unsure]
    assert len(unsure) > 10
    assert len({die.reason for die in unsure}) == 2  # "leans" and "could be 2 or 3"


@pytest.mark.parametrize(
    ("sentence", "reason", "faces"),
    [
        ("may be no die", UnsureReason.MAY_BE_NO_DIE, ()),
        ("leans", UnsureReason.LEANS, ()),
        ("part of it is hidden", UnsureReason.PARTLY_HIDDEN, ()),
        ("part of it is outside the picture", UnsureReason.OUTSIDE_PICTURE, ()),
        ("too dark", UnsureReason.TOO_DARK, ()),
        ("glare", UnsureReason.GLARE, ()),
        ("could be 2 or 3", UnsureReason.TWO_FACES, (2, 3)),
        ("its face cannot be told", UnsureReason.UNREADABLE, ()),
        ("on the edge", UnsureReason.ON_EDGE, ()),
        ("a sentence that no version has written", UnsureReason.UNREADABLE, ()),
    ],
)
def test_a_reason_stored_as_a_sentence_is_read(sentence: str, reason: UnsureReason, faces: tuple[int, ...]) -> None:
    """Recordings of then hold the reason of an unsure die in English; the sentences are those of commit 75a375c."""
    stored = {"size": [640, 480], "dice": [], "unsure": [{"x": 1.0, "y": 2.0, "size": 50.0, "reason": sentence}]}
    (unsure,) = reading_from(stored, 0.0).unsure
    assert (unsure.reason, unsure.faces) == (reason, faces)


# Profile, configuration, photographs, games


def test_a_profile_is_loaded_and_written_alike(tmp_path: Path) -> None:
    """The facts of then; today's program writes them in its own form, and they stay the same."""
    profile = load_profile(FILES / "profile.toml")
    assert (profile.width_px, profile.height_px, profile.px_per_mm, profile.die_mm) == (640, 480, 3.5, 16.0)
    assert (profile.lens_bend, profile.setup) == (0.0, None)
    save_profile(profile, tmp_path / "profile.toml")
    assert load_profile(tmp_path / "profile.toml") == profile


@pytest.mark.parametrize(
    "words",
    [("pig", "--players", "Ann,Ben", "--set", "target=6"), ("--config", str(FILES / "tabletop.toml"))],
    ids=["command line", "configuration"],
)
def test_a_seeded_match_is_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...]) -> None:
    """`play --seed 1 --json` writes the events of then, whoever names game and players."""
    devices = ("--seed", "1", "--json", "--store", str(tmp_path / "a.db"))
    assert answers(capsys, "play", *words, *devices) == expected("play-pig.jsonl")


@pytest.mark.parametrize(
    ("name", "words"), [("read.json", ()), ("read-die-px.json", ("--die-px", "60", "--expect", "6"))]
)
def test_a_photograph_is_read_alike(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, words: tuple[str, ...]
) -> None:
    """`read --json` gives the same fields, dice and faces at the same places."""
    monkeypatch.chdir(FILES)
    (now,) = answers(capsys, "read", "photo.jpg", "--json", *words)
    then = expected(name)
    assert isinstance(now.pop("ms"), float)
    by_place = [sorted(reading.pop("dice"), key=lambda die: die["x"]) for reading in (now, then)]
    dice = zip(*by_place, strict=True)
    assert now == then
    for die, before in dice:
        assert {**die, "confidence": 0} == pytest.approx({**before, "confidence": 0}, abs=PLACE_PX)
        assert die["confidence"] == pytest.approx(before["confidence"], abs=CONFIDENCE)


def test_the_games_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """`games --json` lists the games, options, defaults, choices and presets of then, but for what grown.json names."""
    (now,) = answers(capsys, "games", "--json")
    then = of_today(expected("games.json"))
    known = {game["id"] for game in then}
    assert [_by_name(game) for game in now if game["id"] in known] == [_grown(game) for game in then]


def _by_name(game: dict[str, Any]) -> dict[str, Any]:
    return {**game, "options": {option["name"]: option for option in game["options"]}}


def _grown(game: dict[str, Any]) -> dict[str, Any]:
    grown = GROWN.get(game["id"], {})
    options = {**_by_name(game)["options"], **grown.get("options", {})}
    return {**game, **grown, "options": options}


@pytest.mark.parametrize(
    ("rules", "alike_three_ones"), [("farkle", 1000), ("pocket-farkel", 300)], ids=["farkle", "pocket-farkel"]
)
def test_a_match_under_a_preset_of_before_means_the_same(rules: str, alike_three_ones: int) -> None:
    """Stored options have every value: a preset that was renamed, or is another one now, does not change them."""
    (game,) = (game for game in expected("games.json") if game["id"] == "ten-thousand")
    of_then = {option["name"]: option["default"] for option in game["options"]}
    of_then |= {"rules": rules, **game["preset_values"][rules]}
    match = Match("ten-thousand", ["Ann", "Ben"], **of_then)
    assert {name: match.options[name] for name in of_then if name != "rules"} == {
        name: value for name, value in of_then.items() if name != "rules"
    }
    assert match.options["any_lost_turn"] is False
    match.throw([1, 1, 1, 2, 3, 4])
    match.keep([1, 1, 1])
    assert match.at_stake == alike_three_ones


@pytest.mark.parametrize("file", sorted(EXPECTED.glob("referee-*.json")), ids=lambda file: file.stem)
def test_the_referee_answers_alike(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    """Each line is answered with the same JSON, fields in the same order."""
    told = expected(file.name)
    lines = "".join(f"{pair['line']}\n" for pair in told["answers"])
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(lines.encode())))
    now = answers(capsys, "referee", file.stem.removeprefix("referee-"), *told["words"])
    then = [of_today(pair["answer"]) for pair in told["answers"]]
    assert [json.dumps(answer) for answer in now] == [json.dumps(answer) for answer in then]
