"""What is handed on: the wheel, the lock, the files in the repository, and how little a quick command imports."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from labelled import PHOTOS
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK = (ROOT / "requirements.lock").read_text()
TESTS_LOCK = (ROOT / "tests" / "requirements.lock").read_text()
OTHERS_LOCK = (ROOT / "tests" / "others" / "requirements.lock").read_text()
HEAVY = ("cv2", "numpy", "PIL", "gpiozero", "luma", "blessed", "sqlite3", "hardware")
# Coverage would follow the programs started here: it imports much itself, and finds no source of what is in a wheel.
BARE = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
# What the page is made of; .txt are texts of the rules.
PAGE = (".png", ".html", ".css", ".js", ".svg", ".webmanifest", ".woff2")


def files_of_the_project() -> list[Path]:
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(asked, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for path in files_of_the_project():
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", out, source], check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_the_program_and_no_tests(wheel: Path) -> None:
    """Every module, the network's weights, languages, page and licence are inside; no tests, films and photographs."""
    inside = set(zipfile.ZipFile(wheel).namelist())
    packages = ("tabletop", "hardware", "calibration")
    for path in files_of_the_project():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(packages) and path.suffix in (".py", ".onnx", ".toml", ".txt", ".typed", *PAGE):
            assert name in inside
    program = {name for name in inside if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in program} == set(packages)
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
    ours = {hashlib.sha256(path.read_bytes()).digest(): path for path in files_of_the_project()}
    for path in PHOTOS.rglob("*"):
        if path.is_file() and path.stat().st_size:
            assert hashlib.sha256(path.read_bytes()).digest() not in ours, path


def test_no_paths_of_one_machine() -> None:
    """No text of the project names its author's folders."""
    foreign = re.compile("/" + r"(?:home/\w|root/|Users/)|[A-Z]:\\Users|" + re.escape(f"{ROOT}/"))
    for path in files_of_the_project():
        if path.suffix in (".onnx", ".png", ".webp", ".npz", ".db", ".woff2", ".tar", ".jpg", ".dice", ".zip"):
            continue
        found = foreign.search(path.read_text(encoding="utf-8"))
        assert not found, f"{path}: {found[0]}"


def test_no_module_has_a_name_that_says_nothing() -> None:
    """No `utils` and the like."""
    stems = {path.stem for path in files_of_the_project() if path.suffix == ".py"}
    assert stems.isdisjoint({"util", "utils", "helper", "helpers", "common", "misc", "manager"})


def test_continuous_integration_is_a_program() -> None:
    """`.ci/run` may be executed, bash can read it, and it calls both proofs."""
    path = ROOT / ".ci" / "run"
    assert path.stat().st_mode & 0o100
    subprocess.run(["bash", "-n", path], check=True)
    assert {"make test", "make check-all"} <= set(path.read_text().splitlines())
