"""An installed version is made smaller: equal files are one on disk, and nothing that runs is missing."""

from pathlib import Path

import pytest

from systemd import smaller

PACKAGES = "lib/python3.13/site-packages"
LONG = "x = 1\n" * 200


def version(folder: Path, name: str, program: str) -> Path:
    """Make a version as the installer leaves it."""
    made = folder / name
    for path, text in {
        f"{PACKAGES}/tabletop/a.py": program,
        "source/tabletop/a.py": program,
        f"{PACKAGES}/numpy/core.py": LONG,
        f"{PACKAGES}/numpy/core.pyi": LONG,
        f"{PACKAGES}/numpy/lib/tests/test_a.py": LONG,
        f"{PACKAGES}/pip/main.py": LONG,
        f"{PACKAGES}/short.py": "y = 2\n",
        "source/dice_referee.egg-info/PKG-INFO": LONG,
    }.items():
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_text(text)
    (made / "bin").mkdir()
    (made / "bin/python3").symlink_to("/usr/bin/python3")
    return made


def texts(made: Path) -> dict[str, str]:
    return {str(path.relative_to(made)): path.read_text() for path in smaller.files(made)}


def test_what_never_runs_goes_and_the_rest_is_as_it_was(tmp_path: Path) -> None:
    """The program lies there twice, and takes the room of one."""
    made = version(tmp_path, "new", LONG)
    before = texts(made)
    smaller.main(made)
    after = texts(made)
    assert set(before) - set(after) == {
        f"{PACKAGES}/numpy/core.pyi",
        f"{PACKAGES}/numpy/lib/tests/test_a.py",
        f"{PACKAGES}/pip/main.py",
        "source/dice_referee.egg-info/PKG-INFO",
    }
    assert after == {name: before[name] for name in after}
    assert (made / "source/tabletop/a.py").samefile(made / PACKAGES / "tabletop/a.py")


@pytest.mark.parametrize("program", [LONG, LONG + "z = 3\n", LONG.replace("1", "2")])
def test_only_equal_files_are_shared_with_the_version_before(tmp_path: Path, program: str) -> None:
    """Whatever happens to the old version later, the new one is whole. Files of different rights stay apart."""
    old, new = version(tmp_path, "old", LONG), version(tmp_path, "new", program)
    tool = f"{PACKAGES}/numpy/tool"
    for made, mode in ((old, 0o644), (new, 0o755)):
        (made / tool).write_text(LONG)
        (made / tool).chmod(mode)
    smaller.main(new, old)
    assert (new / PACKAGES / "numpy/core.py").samefile(old / PACKAGES / "numpy/core.py")
    assert (new / "source/tabletop/a.py").samefile(old / "source/tabletop/a.py") == (program == LONG)
    assert (new / tool).stat().st_mode != (old / tool).stat().st_mode
    before = texts(new)
    for path in smaller.files(old):
        path.unlink()
    assert texts(new) == before
    assert (new / PACKAGES / "tabletop/a.py").read_text() == program
