"""The READMEs and docs are true: every command in them runs, in their order, as a reader would type it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from mat_camera import MatCamera, printed
from PIL import Image

from tabletop.config.mat import mat_of
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, lying
from tools.room.chance import felt

ROOT = Path(__file__).resolve().parents[2]
NEEDS = {"a camera", "a Raspberry Pi", "a browser"}  # what "# needs ..." may name: what no test machine has
BY_HAND = {"make play", "make test"}  # proved by running them; from within the tests they would never end
# Takes long, and test_bench.py runs just this; asks before it deletes, and test_erasing.py has the answers.
ELSEWHERE = {'make bench ARGS="--quick --json"', "tabletop delete 12", "tabletop delete --player Ann"}
ELSEWHERE |= {"tabletop delete --player Ann --rename Anna"}
FACES = (5, 2, 6, 1, 3)
PICTURES_BYTES = 2_000_000  # of the README, together
FILM_S = (12, 18)  # long enough for a turn, short enough to be watched
README_WORDS = 550


def blocks(readme: Path, language: str) -> Iterator[str]:
    yield from re.findall(rf"^```{language}\n(.*?)^```$", readme.read_text(), flags=re.MULTILINE | re.DOTALL)


def commands(readme: Path) -> list[str]:
    found = []
    for line in "\n".join(blocks(readme, "sh")).splitlines():
        command, _, needed = line.partition("  # needs ")
        if needed:
            assert needed in NEEDS, line
        elif command.strip() and command not in BY_HAND | ELSEWHERE:
            found.append(command)
    return found


def draw(path: Path, faces: tuple[int, ...], seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = [(300 + 170 * n, 300 + 90 * (n % 3)) for n in range(len(faces))]
    dice = [
        PosedDie(float(x), float(y), 70.0, lying(face, float(rng.uniform(0, 90)), Look()))
        for (x, y), face in zip(places, faces, strict=True)
    ]
    cv2.imwrite(str(path), compose(felt(960, 1280, (70, 100, 40), rng), dice))


def draw_mat(path: Path) -> None:
    mat = np.full((880, 1280), 255, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, (x, y) in enumerate(((40, 40), (1120, 40), (1120, 720), (40, 720))):
        mat[y : y + 120, x : x + 120] = cv2.aruco.generateImageMarker(dictionary, number, 120)
    cv2.imwrite(str(path), mat)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the pictures that the READMEs speak of."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "photos").mkdir()
    for name in ("tray.jpg", "tray.png", "photos/one.png", "photos/two.png"):
        draw(folder / name, FACES, seed=len(name))
    draw_mat(folder / "mat.png")
    mat = mat_of("A4", "left")
    cv2.imwrite(
        str(folder / "photographed-mat.png"), MatCamera((mat.width_mm, mat.height_mm)).photograph(printed(mat, 100))
    )
    return folder


def run(command: list[str], place: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "XDG_STATE_HOME": str(place / "state"),
        "XDG_CONFIG_HOME": str(place / "config"),
    }
    return subprocess.run(
        command, cwd=place, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "readme",
    [
        "README.md",
        pytest.param("docs/commands.md", marks=pytest.mark.slow),  # some forty programs
        "calibration/README.md",
        "docs/wiring.md",
    ],
)
def test_every_command_runs(place: Path, readme: str) -> None:
    """Each command, one after the other in one folder, ends with status 0 and no error in its output."""
    for command in commands(ROOT / readme):
        done = run(["bash", "-euo", "pipefail", "-c", command], place)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert '"error"' not in done.stdout, command
        assert "Traceback" not in done.stderr, command


def test_every_command_of_the_program_is_told() -> None:
    """No command of `tabletop --help` is missing in the README and in the docs, and no option of `play`."""
    text = (ROOT / "docs" / "commands.md").read_text()
    overview_text = (ROOT / "README.md").read_text()
    program = [sys.executable, "-m", "tabletop"]
    overview = subprocess.run([*program, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  (\w+)  ", overview, flags=re.MULTILINE)
    assert len(names) >= 7
    for name in names:
        assert f"## `tabletop {name}`" in text, name
        assert f"`tabletop {name}`" in overview_text, name
    usage = subprocess.run([*program, "play", "--help"], capture_output=True, text=True, check=True).stdout
    for option in set(re.findall(r"--[a-z-]+", usage)) - {"--help"}:
        assert option in text, option


def test_what_is_named_exists() -> None:
    """Files that the README and the docs name in backquotes, and files that they link to, are there."""
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = page.read_text()
        for name in re.findall(
            r"`((?:tabletop|tests|tools|training|hardware|calibration|systemd|docs)/[\w./-]*)`", text
        ):
            assert (ROOT / name).exists(), f"{page.name}: {name}"
        for link in re.findall(r"\]\((?!http)([^)#]+)\)", text):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_pictures_are_there_and_small() -> None:
    """README and docs show every picture of the folder and no other; the README loads fast; the film shows a turn."""
    folder = ROOT / "docs" / "pictures"
    readme = {ROOT / name for name in re.findall(r"docs/pictures/[a-z.-]+", (ROOT / "README.md").read_text())}
    docs = {
        ROOT / "docs" / name
        for page in (ROOT / "docs").glob("*.md")
        for name in re.findall(r"(?<![\w/])pictures/[a-z-]+\.(?:png|webp)", page.read_text())
    }
    assert readme | docs == set(folder.iterdir())
    assert sum(file.stat().st_size for file in readme) < PICTURES_BYTES
    with Image.open(folder / "turn.webp") as film:
        seconds = 0.0
        for number in range(getattr(film, "n_frames", 1)):
            film.seek(number)
            film.load()  # its duration is known only then
            seconds += film.info["duration"] / 1000
    assert FILM_S[0] <= seconds <= FILM_S[1]


def test_the_readme_is_short() -> None:
    """Its words, without addresses and pictures, fit one screen or two."""
    text = re.sub(r"<img [^>]*>|!?\[([^]]*)\]\([^)]*\)", r"\1", (ROOT / "README.md").read_text())
    assert len(re.findall(r"\w[\w'.,-]*", text)) <= README_WORDS


@pytest.mark.slow
def test_the_display_of_the_readme_is_what_the_command_draws(tmp_path: Path) -> None:
    """After a wanted change: `make pictures`, and look at them."""
    command = [sys.executable, "-m", "tools.pictures.readme", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": "tests/support"}, check=True)
    with Image.open(tmp_path / "display.png") as drawn, Image.open(ROOT / "docs" / "pictures" / "display.png") as kept:
        assert np.array_equal(np.asarray(drawn), np.asarray(kept))
