"""A profile damaged by hand: each line removed, garbled or swapped is told with its name and what to do."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.config.profile import as_text, load_profile
from tabletop.core.errors import InputError
from tabletop.core.values import Profile, SetUp

TRAY = ((40.0, 60.0), (600.0, 60.0), (600.0, 440.0), (40.0, 440.0))
MATRIX = ((0.5, 0.0, -20.0), (0.0, 0.5, -30.0), (0.0, 0.0, 1.0))
PLAIN = Profile(640, 480, TRAY, (280.0, 190.0), MATRIX, 2.0, 16.0)
FULL = replace(
    PLAIN,
    rail_px=((40.0, 445.0), (600.0, 445.0), (600.0, 475.0), (40.0, 475.0)),
    setup=SetUp(120.5, 0.2, 15, 0.04, ("white", "red"), ("dark", "")),
)
LINES = as_text(FULL).splitlines()
ENTRIES = [number for number, line in enumerate(LINES) if line and not line.startswith("#")]
FACTS = [number for number in ENTRIES if LINES[number].partition(" = ")[0] in Profile.__dataclass_fields__]
JUNK = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8)


def loaded(folder: Path, lines: list[str]) -> Profile | str:
    """Return the profile of these lines, or what is said about them."""
    path = folder / "tray.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        return load_profile(path)
    except InputError as error:
        return str(error)


def is_told(said: str) -> bool:
    """Return whether one line names the file, the line unless that is missing, what was expected, and the remedy."""
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


def test_a_file_of_the_second_version_is_read(tmp_path: Path) -> None:
    """It says nothing of pips; a line about them in such a file is one too many."""
    old = [line for line in LINES if not line.startswith(("version", "die_pips"))]
    assert FULL.setup is not None
    assert loaded(tmp_path, ["version = 2", *old]) == replace(FULL, setup=replace(FULL.setup, die_pips=("", "")))
    said = loaded(tmp_path, ["version = 2", *(line for line in LINES if not line.startswith("version"))])
    assert isinstance(said, str)
    assert is_told(said)


def test_the_order_of_lines_does_not_matter(tmp_path: Path) -> None:
    """Whole lines that changed places say the same as before."""
    above = [LINES[number] for number in FACTS]
    setup = LINES.index("[setup]")
    assert loaded(tmp_path, ["version = 3", *reversed(above), *LINES[setup:]]) == FULL


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
