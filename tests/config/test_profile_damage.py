"""A profile damaged by hand: each line removed, garbled or swapped is told with its name and what to do."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.config.plane import Lens
from tabletop.config.profile import as_text, load_profile
from tabletop.core.errors import InputError
from tabletop.core.values import Profile, Quad, SetUp

TRAY = ((40.0, 60.0), (600.0, 60.0), (600.0, 440.0), (40.0, 440.0))
MATRIX = ((0.5, 0.0, -20.0), (0.0, 0.5, -30.0), (0.0, 0.0, 1.0))
PLAIN = Profile(640, 480, TRAY, (280.0, 190.0), MATRIX, 2.0, 16.0)
FULL = replace(
    PLAIN,
    rail_px=((40.0, 445.0), (600.0, 445.0), (600.0, 475.0), (40.0, 475.0)),
    setup=SetUp(120.5, 0.2, 15, 0.0667, ("white", "red"), ("dark", "")),
)
LINES = as_text(FULL).splitlines()
ENTRIES = [number for number, line in enumerate(LINES) if line and not line.startswith("#")]
CHECKS = ("tray_middle", "rail_middle", "setup_seen")
FACTS = [number for number in ENTRIES if LINES[number].partition(" = ")[0] in (*Profile.__dataclass_fields__, *CHECKS)]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
NUMBERS = [(at, found) for at in ENTRIES for found in NUMBER.finditer(LINES[at])]
ABSURD = ("-{}", "nan", "-inf", "1e300", "9" * 400, '"{}"', "[{}]", "{{}}", "true", "1979-05-27", "", "{},")
JUNK = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8)


def loaded(folder: Path, lines: list[str]) -> Profile | str:
    path = folder / "tray.toml"
    path.write_text("\n".join(lines))
    try:
        return load_profile(path)
    except InputError as error:
        return str(error)


def is_told(said: str) -> bool:
    placed = "tray.toml, line " in said or "there is none" in said
    return placed and "\n" not in said and "tray.toml" in said and "expected" in said and "`tabletop calibrate`" in said


@pytest.mark.parametrize("profile", [PLAIN, FULL], ids=["plain", "full"])
def test_undamaged_it_is_the_same(tmp_path: Path, profile: Profile) -> None:
    """The text has a comment for each group of lines, and gives the same profile to the last bit."""
    assert loaded(tmp_path, as_text(profile).splitlines()) == profile
    assert as_text(profile).count("# ") >= 5


@pytest.mark.parametrize("number", ENTRIES, ids=[LINES[number].partition(" = ")[0] for number in ENTRIES])
def test_a_line_that_is_missing_is_named(tmp_path: Path, number: int) -> None:
    """No line can go: each is missed by its name, or is what the lines below it belong to."""
    said = loaded(tmp_path, [line for at, line in enumerate(LINES) if at != number])
    assert isinstance(said, str)
    assert is_told(said)
    name = LINES[number].partition(" = ")[0]
    assert name in said or name == "[setup]"


@pytest.mark.parametrize(("one", "other"), list(combinations(FACTS, 2)))
def test_two_values_that_changed_places_are_noticed(tmp_path: Path, one: int, other: int) -> None:
    """The numbers of one line behind the name of another: none of these profiles is taken for a good one."""
    (name, first), (other_name, second) = (LINES[at].split(" = ") for at in (one, other))
    lines = LINES.copy()
    lines[one], lines[other] = f"{name} = {second}", f"{other_name} = {first}"
    said = loaded(tmp_path, lines)
    assert isinstance(said, str)
    assert is_told(said)


@pytest.mark.parametrize("line", ["width_px = 640", "height_px = 480"])
@pytest.mark.parametrize("share", [0.8, 0.99, 1.01, 2.0])
@pytest.mark.parametrize("bend", [0.0, -0.1])
def test_a_size_that_is_wrong_is_noticed(tmp_path: Path, line: str, share: float, bend: float) -> None:
    """With it every millimetre would be off by as much."""
    name, _, right = line.partition(" = ")
    text = as_text(bent(bend)).replace(line, f"{name} = {round(int(right) * share)}")
    said = loaded(tmp_path, text.splitlines())
    assert isinstance(said, str)
    assert is_told(said)


def bent(bend: float) -> Profile:
    lens = Lens(640, 480, bend)
    corners = tuple(lens.seen(corner) for corner in TRAY)
    middle = (320.0, 250.0)
    return replace(FULL, tray_px=cast("Quad", corners), lens_bend=bend, px_per_mm=2.0 / lens.stretch(lens.seen(middle)))


def test_a_tray_that_moved_in_the_picture_is_not_taken_for_a_wrong_size(tmp_path: Path) -> None:
    """One corner changed: the matrix does not fit, so its line is named, with the corner."""
    lines = [line.replace("[[40.0, 60.0]", "[[60.0, 90.0]") if "tray_px" in line else line for line in LINES]
    said = loaded(tmp_path, lines)
    assert isinstance(said, str)
    assert "expected homography to be a matrix that takes (60.0, 90.0) of tray_px to (0.0, 0.0) mm" in said


@pytest.mark.parametrize(
    ("was", "becomes", "complaint"),
    [
        ("[[40.0, 445.0], [600.0, 445.0]", "[[40.0, 100.0], [600.0, 100.0]", "a strip beside the tray"),
        ("dice = 15", "dice = 15.5", "a whole number"),
        ("light_level = ", "light_level = 0.0 # ", "light_level to be a number from 1.0 to 255.0, got 0.0"),
        ("light_level = ", "light_level = nan # ", "light_level to be a number from 1.0 to 255.0, got nan"),
        # 0.5 mm is the most that a profile is written with
        ("marker_error_mm = 0.2", "marker_error_mm = 60.2", "a number from 0.0 to 1.0, got 60.2"),
        ('die_colours = ["white"', 'die_colours = ["white", "white"', "each colour once"),
        ('die_colours = ["white"', 'die_colours = [""', "colours, "),
        ("setup_seen = true", "setup_seen = false", "expected setup_seen to be true, by the other lines"),
        ("setup_seen = true", "setup_seen = 1", "expected setup_seen to be true, by the other lines"),
        ("version = 5", "version = 6", "a newer program made this"),
        ("[setup]", "", "light_level; it belongs below the line [setup]"),
        ("die_mm = 16.0", "die_mm = 16.0\ndie_mm = 18.0", "Cannot overwrite a value"),
        ("rail_px = [[", "rail_px = [] # [[", "rail_middle to be [], by the other lines"),
        ("rail_middle = [0", "rail_middle = [] # [0", "rail_middle to be [0.5, 0.958333], by the other lines"),
        ("rail_middle = [0", "rail_middle = [3] # [0", "rail_middle to be 2 numbers in brackets"),
    ],
)
def test_lines_that_contradict_one_another_are_told(tmp_path: Path, was: str, becomes: str, complaint: str) -> None:
    """Each line alone could be right."""
    text = "\n".join(LINES)
    assert was in text
    said = loaded(tmp_path, text.replace(was, becomes).splitlines())
    assert isinstance(said, str)
    assert is_told(said)
    assert complaint in said


@given(st.floats(0, 1), st.sampled_from([PLAIN, FULL]))
def test_a_file_that_ends_too_early_is_told(
    tmp_path_factory: pytest.TempPathFactory, where: float, profile: Profile
) -> None:
    """Wherever it ends; only the last end of line can go."""
    text = as_text(profile)
    said = loaded(tmp_path_factory.getbasetemp(), [text[: round(where * (len(text) - 2))]])
    assert isinstance(said, str)
    assert is_told(said)


@given(st.sampled_from(NUMBERS), st.sampled_from(ABSURD))
def test_no_absurd_number_is_taken(
    tmp_path_factory: pytest.TempPathFactory, number: tuple[int, re.Match[str]], absurd: str
) -> None:
    """Negative, endless, huge, of another type: told, or as good as what was there."""
    at, found = number
    lines = LINES.copy()
    lines[at] = LINES[at][: found.start()] + absurd.format(found[0]) + LINES[at][found.end() :]
    said = loaded(tmp_path_factory.getbasetemp(), lines)
    if isinstance(said, str):
        assert is_told(said)
    else:
        assert absurd in ("-{}", "{},")  # -0.0; the end of a list
        assert said == FULL or "rail_px" in lines[at]


RAIL_AT = next(at for at in FACTS if LINES[at].startswith("rail_px"))


@pytest.mark.parametrize(
    "found", list(NUMBER.finditer(LINES[RAIL_AT])), ids=lambda found: f"{found[0]}_{found.start()}"
)
@pytest.mark.parametrize(
    "becomes", [lambda x: 10 * x, lambda x: -x, lambda x: x * 0, lambda x: x + 10, lambda x: x / 25.4]
)
def test_a_corner_of_the_rail_that_moved_is_noticed(
    tmp_path: Path, found: re.Match[str], becomes: Callable[[float], float]
) -> None:
    """Dice in the tray would be taken for kept ones: no number of the rail can change unseen, whatever its shape."""
    line = LINES[RAIL_AT]
    lines = LINES.copy()
    lines[RAIL_AT] = f"{line[: found.start()]}{becomes(float(found[0]))}{line[found.end() :]}"
    said = loaded(tmp_path, lines)
    assert isinstance(said, str)
    assert is_told(said)
    assert "rail_" in said


def test_files_of_earlier_versions_are_read(tmp_path: Path) -> None:
    """The second says nothing of pips, it and the third check no sizes, the fourth no rail; later lines are told."""
    fourth = [line for line in LINES if not line.startswith(("version", "rail_middle"))]
    assert loaded(tmp_path, ["version = 4", *fourth]) == FULL
    later = ("version", *CHECKS)
    third = [line for line in LINES if not line.startswith(later)]
    assert loaded(tmp_path, ["version = 3", *third]) == FULL
    old = [line for line in third if not line.startswith("die_pips")]
    assert FULL.setup is not None
    assert loaded(tmp_path, ["version = 2", *old]) == replace(FULL, setup=replace(FULL.setup, die_pips=("", "")))
    for lines in (["version = 2", *third], ["version = 3", *LINES[2:]], ["version = 4", *LINES[2:]]):
        said = loaded(tmp_path, lines)
        assert isinstance(said, str)
        assert is_told(said)


def test_the_order_of_lines_does_not_matter(tmp_path: Path) -> None:
    """Whole lines that changed places say the same as before."""
    above = [LINES[number] for number in FACTS]
    setup = LINES.index("[setup]")
    assert loaded(tmp_path, ["version = 5", *reversed(above), *LINES[setup:]]) == FULL


@given(st.sampled_from(ENTRIES), st.floats(0, 1), st.integers(0, 6), JUNK)
def test_any_garbled_line_is_read_or_told(
    tmp_path_factory: pytest.TempPathFactory, number: int, where: float, gone: int, junk: str
) -> None:
    """A piece of a line replaced by anything: a good profile, or one line with file and remedy; never a traceback."""
    line = LINES[number]
    at = round(where * len(line))
    lines = LINES.copy()
    lines[number] = line[:at] + junk + line[at + gone :]
    said = loaded(tmp_path_factory.getbasetemp(), lines)
    if isinstance(said, str):
        assert is_told(said)
    else:
        assert loaded(tmp_path_factory.getbasetemp(), as_text(said).splitlines()) == said
