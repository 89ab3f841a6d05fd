"""Build what goes onto a card so that its first start installs the table: `make card`.

    card.py --out FOLDER [--machine amd64] [--key FILE] [--public-key FILE]

Writes `vendor-data` and the folder `tabletop`, to copy onto a card that Raspberry Pi Imager wrote: no name that Imager
writes too. `without-imager` has the other files of cloud-init for a card without Imager's settings. The machine needs
no package index: the release and the wheels of the lock, their hashes checked, are plain files.
"""

import argparse
import hashlib
import re
import shutil
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from hardware.panel import packed
from tabletop.views.oled.screen import HEIGHT_PX, draw, pages
from tabletop.views.snapshot import Snapshot
from tools.release import FOR, MACHINES, PYTHON, ROOT, SUMS, WHEELS, RefusedError, fetch_wheels, release

SOURCE = ROOT / "systemd" / "card"
ON_TOP, FOLDER, WITHOUT_IMAGER = "vendor-data", "tabletop", "without-imager"
SEED = ("meta-data", "network-config", "user-data")
SWITCHED_ON = {'# listen = "lan"': 'listen = "lan"\npictures = "paired"'}  # all else is done on the phone
STEPS = 9  # of systemd/install
LANGUAGES = ("en", "de")  # from top to bottom of the display


def sentences(language: str) -> dict[str, str]:
    """Return what the display says before the program is there, by the name of the picture."""
    texts = tomllib.loads((SOURCE / f"{language}.toml").read_text(encoding="utf-8"))
    for suffix in ("", "-without"):
        template = texts.pop(f"step{suffix}")
        texts |= {f"{n}{suffix}": template.format(n=n, count=STEPS) for n in range(1, STEPS + 1)}
    return texts


def draw_sentence(*texts: str) -> NDArray[np.bool_]:
    """Return a picture with a text in each of its parts, from top to bottom. Raises RefusedError if one is too long."""
    rows = HEIGHT_PX // len(texts)
    parts = []
    for text in texts:
        pixels = draw(Snapshot(hint=text))
        if pages(Snapshot(hint=text)) != 1 or pixels[rows:].any():
            raise RefusedError(f"expected a sentence of three lines, got {text!r}: shorten it")
        parts.append(pixels[:rows])
    return np.concatenate(parts)


def draw_sentences(folder: Path) -> None:
    """Draw each sentence in all languages, and put its English text beside it, for the log."""
    folder.mkdir()
    known = [sentences(language) for language in LANGUAGES]
    for name, text in known[0].items():
        picture = draw_sentence(*(texts[name] for texts in known))
        (folder / name).write_bytes(packed(picture).tobytes())
        (folder / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")


def configuration() -> str:
    """Return the configuration of a new table, open to phones."""
    text = (ROOT / "systemd" / "tabletop.toml").read_text(encoding="utf-8")
    for before, after in SWITCHED_ON.items():
        text, found = re.subn(rf"^{re.escape(before)}$", after, text, count=1, flags=re.MULTILINE)
        if not found:
            raise RefusedError(f"expected a line {before} in systemd/tabletop.toml")
    return text


def card(out: Path, machine: str, key: Path | None, public_key: Path | None = None) -> Path:
    """Write everything into a folder, which is replaced, and return it. Raises RefusedError.

    public_key: of whom the table takes updates.
    """
    if public_key is not None and not re.match(r"(ssh|ecdsa|sk)-\S+ ", public_key.read_text(errors="replace")):
        raise RefusedError(f"expected a public key of ssh-keygen, got {public_key}: name the file that ends with .pub")
    out = out.resolve()
    folder = out / FOLDER
    with TemporaryDirectory() as made:
        archive = next(path for path in release(Path(made), key, unsigned=True) if path.name.startswith("tabletop-"))
        shutil.rmtree(out, ignore_errors=True)
        folder.mkdir(parents=True)
        for path in archive.parent.glob(f"{archive.name}*"):
            shutil.copy(path, folder)
    shutil.copy(SOURCE / ON_TOP, out)
    (out / WITHOUT_IMAGER).mkdir()
    for name in SEED:
        shutil.copy(SOURCE / name, out / WITHOUT_IMAGER)
    for path in (SOURCE / "first-start", ROOT / "systemd" / "other_python.py"):
        shutil.copy(path, folder)
    (folder / "tabletop.toml").write_text(configuration(), encoding="utf-8")
    (folder / FOR).write_text(f"{machine} {PYTHON}\n")
    if public_key is not None:
        shutil.copy(public_key, folder / "release.pub")
    draw_sentences(folder / "pictures")
    fetch_wheels(folder / WHEELS, machine)
    summed = sorted((*folder.glob("tabletop-*"), *(folder / WHEELS).iterdir()))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in summed]
    (folder / SUMS).write_text("".join(lines))
    return out


def main() -> int:
    """Return 0, or 2 after printing one line why there is nothing to copy."""
    parser = argparse.ArgumentParser(description="Build what goes onto a card.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--machine", choices=MACHINES, default="arm64")
    parser.add_argument("--key", type=Path)
    parser.add_argument("--public-key", type=Path)
    options = parser.parse_args()
    try:
        out = card(options.out, options.machine, options.key, options.public_key)
    except (RefusedError, OSError) as reason:
        sys.stderr.write(f"card: {reason}\n")
        return 2
    size_mb = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 1e6
    sys.stdout.write(f"{out}: {size_mb:.0f} MB to copy onto the card\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
