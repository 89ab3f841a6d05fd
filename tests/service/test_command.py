"""`tabletop` as a person calls it on a machine where the table is a service: who runs what, and whose the files are."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

COMMAND = Path(__file__).resolve().parents[2] / "systemd" / "tabletop-command"
STAGED = Path("/var/tmp")  # noqa: S108 - where the command has its folders
MAKER = 61234  # the number of a user; the service is nobody, whom every system has
# A program that says as whom and with what it runs, and then does what its second word asks for.
PROGRAM = """#!/bin/sh
echo "$(id -u) $(id -G | wc -w) $STATE_DIRECTORY $CONFIGURATION_DIRECTORY ${LD_AUDIT:-}"
case $1 in
  backup) for out in "$@"; do :; done; echo packed >"$out" ;;
  replay) cat "$2"; chmod u+w "$2"; echo changed >"$2" ;;
  restore)
    mkdir -p "$TABLETOP_HAND_OVER/games" "$TABLETOP_HAND_OVER/trays"
    cd "$TABLETOP_HAND_OVER" || exit 9
    for file in tabletop.toml trays/a.toml $ASKED $HOSTILE; do echo put >"$file"; done ;;
  stats) exit 3 ;;
esac
"""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine with the command. state: the service's. settings: root's. home: a person's, closed to others."""

    root: Path

    def __getattr__(self, name: str) -> Path:
        return self.root / name

    def run(self, *words: str, where: str = "home", sudo: bool = True, **program: str) -> tuple[int, str, str]:
        """Run the command as root, called by the maker with sudo or not. program: words of the stand-in program."""
        text = PROGRAM
        for name in ("ASKED", "HOSTILE"):
            text = text.replace(f"${name}", program.get(name, ""))
        (self.root / "program").write_text(text)
        environ = {**os.environ, "LD_AUDIT": "", "PYTHONPATH": str(self.state)}
        environ |= {"SUDO_UID": str(MAKER), "SUDO_GID": str(MAKER)} if sudo else {"SUDO_UID": "0", "SUDO_GID": "0"}
        done = subprocess.run(
            [self.root / "command", *words], cwd=self.root / where, env=environ, capture_output=True, text=True,
            check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
def machine() -> Iterator[Machine]:
    """Return a machine on which the service is nobody's."""
    if os.geteuid() != 0 and "CI" not in os.environ:  # there it is root, or the test fails
        pytest.skip("runs programs as other users: needs root")
    before = set(STAGED.iterdir())
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        for name, owner in (("state", 65534), ("settings", 0), ("home", MAKER)):
            (root / name).mkdir()
            os.chown(root / name, owner, owner)
        (root / "home").chmod(0o700)
        text = COMMAND.read_text().replace("/opt/tabletop/current/unit/start", str(root / "program"))
        text = text.replace("/var/lib/tabletop", str(root / "state")).replace("/etc/tabletop", str(root / "settings"))
        (root / "command").write_text(text.replace('"tabletop"\n', '"nobody"\n'))
        (root / "program").touch()
        for name in ("command", "program"):
            (root / name).chmod(0o755)
        yield Machine(root)
    assert set(STAGED.iterdir()) <= before


def test_it_runs_as_the_services_user(machine: Machine) -> None:
    """With the service's folders, without the caller's environment, and with the program's status."""
    assert machine.run("stats") == (3, f"65534 1 {machine.state} {machine.settings} \n", "")


@pytest.mark.parametrize("sudo", [True, False])
def test_a_backup_goes_where_the_caller_wants_it(machine: Machine, sudo: bool) -> None:
    """Into a folder that the service may not enter; it belongs to the caller, and has a name if none was given."""
    assert machine.run("backup", "evening.zip", sudo=sudo)[::2] == (0, "")
    assert machine.run("backup", "--replace", sudo=sudo)[::2] == (0, "")
    made = sorted(machine.home.iterdir())
    assert [path.read_text() for path in made] == ["packed\n"] * 2
    assert {path.stat().st_uid for path in made} == {MAKER if sudo else 0}
    assert machine.run("backup", "--replace", str(machine.home / "evening.zip"), sudo=sudo)[0] == 0


def test_a_file_of_the_caller_is_read_and_not_changed(machine: Machine) -> None:
    """One that only they may read; what the program does to its copy stays there."""
    film = machine.home / "film.avi"
    film.write_text("pictures\n")
    film.chmod(0o600)
    os.chown(film, MAKER, MAKER)
    assert machine.run("replay", "film.avi")[1].splitlines()[1:] == ["pictures"]
    assert film.read_text() == "pictures\n"
    (machine.home / "films").mkdir()
    film.rename(machine.home / "films" / "film.avi")
    assert machine.run("replay", "films/film.avi")[1].splitlines()[1:] == ["pictures"]
    (machine.home / "films" / "film.avi").rename(film)
    film.chmod(0)
    os.chown(film, 0, 0)
    assert machine.run("replay", "film.avi")[0] == 2  # root reads nothing for a caller who may not


@pytest.mark.parametrize("sudo", [True, False])
def test_root_follows_no_link_of_the_service(machine: Machine, sudo: bool) -> None:
    """A name in a folder of the service is the service's own to open, however the caller comes there."""
    (machine.root / "etc").mkdir()
    (machine.root / "etc" / "passwd").write_text("root\n")
    for name, target in (("a.zip", "etc/passwd"), ("b.zip", "etc/new")):
        (machine.state / name).symlink_to(machine.root / target)
        machine.run("backup", name, where="state", sudo=sudo)
        machine.run("backup", str(machine.state / name), sudo=sudo)
    (machine.home / "way").symlink_to(machine.state)
    (machine.home / "last.zip").symlink_to(machine.state / "b.zip")
    for name in ("way/b.zip", "way/../state/b.zip", "last.zip"):
        machine.run("backup", name, sudo=sudo)
    assert [path.read_text() for path in (machine.root / "etc").iterdir()] == ["root\n"]


def test_a_name_of_the_caller_that_is_a_link_is_kept_from_the_service(machine: Machine) -> None:
    """The file that it points to is the caller's to write, and no other's."""
    (machine.root / "etc").mkdir()
    (machine.home / "out.zip").symlink_to(machine.root / "etc" / "new")
    machine.run("backup", "out.zip")
    assert list((machine.root / "etc").iterdir()) == []


def test_what_is_restored_beside_the_configuration_is_roots(machine: Machine) -> None:
    """Only by names that belong there, games only if the caller asks for programs; the service may read all."""
    asked = "games/mine.py"
    assert machine.run("restore", "b.zip")[0] == 0
    assert machine.run("restore", "--programs", "b.zip", ASKED=asked)[0] == 0
    files = [path for path in machine.settings.rglob("*") if path.is_file()]
    assert {str(path.relative_to(machine.settings)) for path in files} == {"tabletop.toml", "trays/a.toml", asked}
    assert {(path.stat().st_uid, path.stat().st_mode & 0o777) for path in files} == {(0, 0o644)}


@pytest.mark.parametrize("hostile", ["evil", "games/.evil.py", "games/evil.so", ".evil.toml", "trays/evil.py"])
def test_other_names_are_written_nowhere(machine: Machine, hostile: str) -> None:
    """An intruder in the service chooses them."""
    status, _, err = machine.run("restore", "--programs", "b.zip", HOSTILE=hostile)
    assert (status, err.count("\n")) == (2, 1)
    assert not (machine.settings / hostile).exists()
    assert machine.run("restore", "b.zip", ASKED="games/mine.py")[0] == 2


def test_a_file_is_no_option(machine: Machine) -> None:
    """The program gets a name alone where a whole path was given."""
    (machine.home / "-r.avi").write_text("pictures\n")
    os.chown(machine.home / "-r.avi", MAKER, MAKER)
    assert machine.run("replay", str(machine.home / "-r.avi"))[1].splitlines()[1:] == ["pictures"]


RUN = """
import runpy, sys
command = runpy.run_path(sys.argv[1])
nobody = command["Somebody"](65534, 65534, {"PATH": command["PATH"]})
sys.exit(command["run"](nobody, ["backup", "x.zip"], sys.argv[2]))
"""


def test_root_enters_no_folder_for_the_service(machine: Machine) -> None:
    """Its user may put a link in the place of its folder: behind a closed one the program would read what is open."""
    machine.run("stats")
    inner = machine.home / "inner"
    inner.mkdir()
    inner.chmod(0o777)
    words = [sys.executable, "-c", RUN, str(machine.root / "command"), str(inner)]
    assert subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode != 0
    assert list(inner.iterdir()) == []
