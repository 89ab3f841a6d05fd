"""Set-ups by name: found, replaced, and never lost."""

from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.cli.wiring.args import profile_file
from tabletop.config.file import load_configuration
from tabletop.config.profile import (
    load_profile,
    names,
    path_to_write,
    previous,
    profile_path,
    replace_profile,
    save_profile,
)
from tabletop.core.errors import InputError
from tabletop.core.values import Profile, SetUp

TRAY = ((100.0, 100.0), (500.0, 100.0), (500.0, 300.0), (100.0, 300.0))
PLAIN = Profile(640, 480, TRAY, (200.0, 100.0), ((0.5, 0, -50.0), (0, 0.5, -50.0), (0, 0, 1.0)), 2.0, 16.0)
FIRST, SECOND = (replace(PLAIN, setup=SetUp(level, 0.2, 15, 0.0)) for level in (90.0, 120.0))


def test_a_name_is_a_set_up_and_a_file_is_a_file(tmp_path: Path) -> None:
    """A file goes before a name; what is neither says which set-ups there are and how to make one."""
    save_profile(PLAIN, tmp_path / "club.toml")
    save_profile(PLAIN, tmp_path / "club.previous.toml")
    assert names(tmp_path) == ["club"]
    assert names(tmp_path / "none") == []
    assert profile_path(Path("club"), tmp_path) == tmp_path / "club.toml"
    assert profile_path(Path("club.toml"), tmp_path) == Path("club.toml")
    with pytest.raises(
        InputError, match=r"the name of a set-up \(club\), got home; `tabletop calibrate --profile home`"
    ):
        profile_path(Path("home"), tmp_path)
    with pytest.raises(InputError, match="letters, digits and hyphens"):
        path_to_write("../etc", tmp_path)


def test_the_profile_before_is_kept(tmp_path: Path) -> None:
    """As `previous`, or as `unreadable` if it cannot be read, which leaves `previous` as it is."""
    path = path_to_write("home", tmp_path / "setups")
    for profile in (FIRST, SECOND):
        replace_profile(profile, path)
    assert (load_profile(path), load_profile(previous(path))) == (SECOND, FIRST)
    path.write_text("version = ")
    replace_profile(PLAIN, path)
    assert (load_profile(path), load_profile(previous(path))) == (PLAIN, FIRST)
    assert (path.parent / "home.unreadable.toml").read_text() == "version = "
    assert len(list(path.parent.iterdir())) == 3
    assert names(path.parent) == ["home"]


def test_where_nothing_can_be_written_the_old_profile_stays(tmp_path: Path) -> None:
    """A folder that is a file, a path that is a folder: one line, nothing half-written."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="expected a folder for set-ups"):
        replace_profile(PLAIN, tmp_path / "file" / "home.toml")
    (tmp_path / "home.toml").mkdir()
    with pytest.raises(InputError, match="expected a place to write the profile to"):
        replace_profile(PLAIN, tmp_path / "home.toml")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "home.toml"]


def test_a_set_up_is_named_at_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--profile club` reads the set-up of that name, from the folder beside the matches; the configuration may too."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    replace_profile(PLAIN, path_to_write("club", tmp_path / "setups"))
    assert profile_file(Path("club")) == tmp_path / "setups" / "club.toml"
    assert main(["read", "none.png", "--profile", "home"]) == 2
    assert r"the name of a set-up (club), got home" in capsys.readouterr().err
    (tmp_path / "tabletop.toml").write_text('profile = "club"\n')
    assert load_configuration(tmp_path / "tabletop.toml").profile == Path("club")
