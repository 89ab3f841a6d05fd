"""What is handed on: the wheel, the lock, the files in the repository, and how little a quick command imports."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from labelled import PHOTOS
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from project_files import ROOT, copy_project, project_files

from systemd import former_name
from tools.release import NAME, build

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK = (ROOT / "requirements.lock").read_text()
TESTS_LOCK = (ROOT / "tests" / "requirements.lock").read_text()
OTHERS_LOCK = (ROOT / "tests" / "others" / "requirements.lock").read_text()
HEAVY = ("cv2", "numpy", "PIL", "gpiozero", "luma", "blessed", "sqlite3", "hardware")
# Coverage would follow the programs started here: it imports much itself, and finds no source of what is in a wheel.
BARE = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
ALONE = {name: value for name, value in BARE.items() if name not in ("PYTHONPATH", "MYPYPATH")}  # without this checkout
PACKAGES = ("tabletop", "hardware", "calibration")
EPOCH_S = 1_764_288_000  # any time will do
BINARY = {".3mf", ".db", ".dice", ".jpg", ".npz", ".onnx", ".png", ".stl", ".tar", ".webp", ".woff2", ".zip"}
# What the page is made of; .txt are texts of the rules.
PAGE = (".png", ".html", ".css", ".js", ".svg", ".webmanifest", ".woff2")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = copy_project(tmp_path_factory.mktemp("source"))
    return build(source, tmp_path_factory.mktemp("wheel"), EPOCH_S)[1]


def install_over_the_former(wheel: Path, place: Path) -> Path:
    """Install the locked packages, our former distribution, then the wheel; return the environment's bin folder."""
    source = copy_project(place / "former")
    text = (source / "pyproject.toml").read_text()
    (source / "pyproject.toml").write_text(text.replace(f'name = "{NAME}"', f'name = "{former_name.FORMER}"'))
    programs = place / "venv" / "bin"
    subprocess.run([sys.executable, "-m", "venv", place / "venv"], check=True)
    pip: list[str | Path] = [programs / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    commands: list[list[str | Path]] = [
        [*pip, "--require-hashes", "--only-binary", ":all:", "-r", ROOT / "requirements.lock"],
        [*pip, "--no-deps", "--no-build-isolation", source],
        [programs / "python", former_name.__file__],
        [*pip, "--no-deps", wheel],
    ]
    for command in commands:
        subprocess.run(command, cwd=place, env=ALONE, check=True)
    shutil.rmtree(source)
    return programs


def played(programs: Path, place: Path) -> tuple[dict[str, int], int]:
    """Play a match of simulated players there; return how many matches ended how, and the highest score."""
    words = "play pig --players Ann,Ben --set target=5 --camera sim --buttons none --screen none --seed 1 --store"
    command: list[str | Path] = [programs / "tabletop", *words.split(), place / "a.db"]
    subprocess.run(command, cwd=place, env=ALONE, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    command = [programs / "tabletop", "stats", "--json", "--store", place / "a.db"]
    told = subprocess.run(command, cwd=place, env=ALONE, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = json.loads(told)
    return found["endings"], max(player["best"] for player in found["players"])


def registered(programs: Path, place: Path) -> tuple[list[str], list[list[str]]]:
    """Return the distributions there that have the package `tabletop`, and each entry point of ours."""
    program = (
        "import json; from importlib.metadata import distributions, packages_distributions as names; "
        "points = [point for each in distributions() for point in each.entry_points]; "
        "print(json.dumps([names()['tabletop'], [[p.group, p.name, p.value] for p in points]]))"
    )
    command: list[str | Path] = [programs / "python", "-c", program]
    said = subprocess.run(command, cwd=place, env=ALONE, stdout=subprocess.PIPE, text=True, check=True).stdout
    distributions, points = json.loads(said)
    return sorted(set(distributions)), sorted(point for point in points if point[2].startswith(PACKAGES))


def mistyped(programs: Path, place: Path) -> list[tuple[str, str]]:
    """Return the file and the kind of each mistake that `mypy --strict` finds in the programs of a folder."""
    words: list[str | Path] = ["--strict", "--config-file=", "--cache-dir=/dev/null", "--python-executable"]
    command = [sys.executable, "-m", "mypy", *words, programs / "python", "."]
    said = subprocess.run(command, cwd=place, env=ALONE, stdout=subprocess.PIPE, text=True, check=False).stdout
    return re.findall(r"^(\S+?):\d+: error: .* \[([\w-]+)\]$", said, re.MULTILINE)


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    """It works outside the repository with the locked packages only, and replaces our former distribution.

    A match is played with camera, reader, referee and store. Each entry point is registered once. The examples of
    docs/api.md pass `mypy --strict`, and one wrong line does not.
    """
    programs = install_over_the_former(wheel, tmp_path)
    endings, best = played(programs, tmp_path)
    assert (endings, best >= 5) == ({"over": 1}, True)
    asked = {"console_scripts": PROJECT["project"]["scripts"], **PROJECT["project"]["entry-points"]}
    ours = sorted([group, name, value] for group, names in asked.items() for name, value in names.items())
    assert registered(programs, tmp_path) == ([NAME], ours)
    clients = tmp_path / "clients"
    clients.mkdir()
    examples = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "api.md").read_text(), re.DOTALL)
    for number, example in enumerate(examples):
        (clients / f"example_{number}.py").write_text(example)
    (clients / "wrong.py").write_text("from tabletop import Match\n\nMatch(6, ['Ann', 'Ben'])\n")
    assert mistyped(programs, clients) == [("wrong.py", "arg-type")]


def test_the_name_is_the_same_everywhere() -> None:
    """What is installed here, and what CONTRIBUTING.md says, is called as pyproject.toml says."""
    assert set(packages_distributions()["tabletop"]) == {NAME}, "run `make setup`"
    assert re.findall(r"distribution is called `([^`]+)`", (ROOT / "CONTRIBUTING.md").read_text()) == [NAME]
    assert NAME != former_name.FORMER


def test_the_wheel_holds_the_program_and_no_tests(wheel: Path) -> None:
    """Every module, the network's weights, languages, page and licence are inside; no tests, films and photographs."""
    inside = set(zipfile.ZipFile(wheel).namelist())
    for path in project_files():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(PACKAGES) and path.suffix in (".py", ".onnx", ".toml", ".txt", ".typed", *PAGE):
            assert name in inside
    program = {name for name in inside if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in program} == set(PACKAGES)
    assert {Path(name).suffix for name in program} <= {".py", ".onnx", ".toml", ".txt", ".typed", ".md", *PAGE}
    assert any(name.endswith("/LICENSE") for name in inside)
    assert any(name.endswith("/NOTICE") for name in inside)


def test_the_wheel_runs(wheel: Path, tmp_path: Path) -> None:
    """The wheel's own copy answers, away from the checkout."""
    program = f"import sys; sys.path.insert(0, {str(wheel)!r}); import tabletop; print(tabletop.__file__)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=BARE, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(str(wheel))


@pytest.mark.parametrize("words", [["--help"], ["games", "--json"], ["referee", "pig", "--players", "Ann,Ben"]])
def test_quick_commands_import_nothing_heavy(words: list[str]) -> None:
    """Help, the list of games and the referee start without vision, devices or a terminal library."""
    program = (
        "import sys; from tabletop.cli.main import main; status = main(sys.argv[1:]); "
        f"print(*sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr); sys.exit(status)"
    )
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, env=BARE, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.stderr.split() == []
    assert done.returncode == 0


def locked(lock: str = LOCK) -> dict[str, tuple[str, list[str]]]:
    entries = re.findall(r"^([\w.-]+)==(\S+)(?: ; .+)? \\\n((?: +--hash=\S+(?: \\)?\n)+)", lock, flags=re.MULTILINE)
    return {name: (version, hashes.replace("\\", "").split()) for name, version, hashes in entries}


@pytest.mark.parametrize("lock", [LOCK, TESTS_LOCK, OTHERS_LOCK], ids=["the program", "its tests", "others' programs"])
def test_the_lock_records_no_addresses(lock: str) -> None:
    """Nothing in it says where files come from: it is names, versions, machines and hashes, and one line of comment."""
    first, *others = lock.splitlines()
    assert first.startswith("# ")
    for line in others:
        pin = r"[a-z0-9][a-z0-9.-]*==[0-9][\w.]*( ; [\w =\"]+)? \\"
        assert re.fullmatch(pin + r"|    --hash=sha256:[0-9a-f]{64}( \\)?", line), line


def test_the_lock_holds_what_the_project_asks_for() -> None:
    """Each dependency and each development tool is pinned within what pyproject.toml allows; PyTorch is not."""
    groups, extras = PROJECT["dependency-groups"], PROJECT["project"]["optional-dependencies"]
    runs = PROJECT["project"]["dependencies"] + extras["pi"] + extras["web"] + extras["mat"] + groups["lock"]
    for lock, asked in ((LOCK, runs), (TESTS_LOCK, groups["dev"])):
        pins = locked(lock)
        for requirement in map(Requirement, asked):
            version, hashes = pins[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), requirement
            assert hashes
        assert not {"torch", "onnx", "lgpio", "picamera2"} & set(pins)
        assert len(pins) == len(re.findall(r"^\S+==", lock, flags=re.MULTILINE))
    assert not set(locked(LOCK)) & set(locked(TESTS_LOCK))


def test_compiled_packages_are_locked_for_several_platforms() -> None:
    """A compiled package has the hashes of many files (systems, processors, Pythons), not of one built here."""
    pins = locked() | locked(TESTS_LOCK)
    for name in ("numpy", "pillow", "mypy", "coverage"):
        assert len(pins[name][1]) > 20, name
    assert len(pins["opencv-python-headless"][1]) >= 8
    others = locked(OTHERS_LOCK)
    assert len(others) == OTHERS_LOCK.count("==")
    assert len(others["open-spiel"][1]) >= 12  # Linux on two processors and macOS, Python 3.11 to 3.14


def test_no_copies_of_shared_photographs() -> None:
    """No file of the project is one of the photographs or films that only measure it."""
    if not PHOTOS.is_dir():
        pytest.skip("needs ../shared/photos beside the checkout")
    ours = {hashlib.sha256(path.read_bytes()).digest(): path for path in project_files()}
    for path in PHOTOS.rglob("*"):
        if path.is_file() and path.stat().st_size:
            assert hashlib.sha256(path.read_bytes()).digest() not in ours, path


def test_no_paths_of_one_machine() -> None:
    """No text of the project names its author's folders."""
    foreign = re.compile("/" + r"(?:home/\w|root/|Users/)|[A-Z]:\\Users|" + re.escape(f"{ROOT}/"))
    for path in project_files():
        if path.suffix in BINARY:
            continue
        found = foreign.search(path.read_text(encoding="utf-8"))
        assert not found, f"{path}: {found[0]}"


def test_no_module_has_a_name_that_says_nothing() -> None:
    """No `utils` and the like."""
    stems = {path.stem for path in project_files() if path.suffix == ".py"}
    assert stems.isdisjoint({"util", "utils", "helper", "helpers", "common", "misc", "manager"})


def test_continuous_integration_is_a_program() -> None:
    """`.ci/run` may be executed, bash can read it, and it calls both proofs."""
    path = ROOT / ".ci" / "run"
    assert path.stat().st_mode & 0o100
    subprocess.run(["bash", "-n", path], check=True)
    assert {"make test", "make check-all"} <= set(path.read_text().splitlines())
