"""Run the proofs of one game with the text of one module replaced in memory; status 0: nobody noticed.

    python tests/mutation/trial.py GAME MODULE FILE_WITH_THE_TEXT [conformance seeds]

In the order of their cost: the worked examples, the conformance suite with few seeds, the game's own tests, its odds.
The first that fails ends it, with status 1 and a line that says which.
"""

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

TESTS = Path(__file__).resolve().parents[1]
NOTICED, UNNOTICED = 1, 0


class Replaced(MetaPathFinder, Loader):
    """Finds one module with another text, under its own file name."""

    def __init__(self, module: str, text: str, file: str) -> None:
        self.module, self.text, self.file = module, text, file

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Find that module only."""
        del path, target
        return spec_from_loader(name, self, origin=self.file) if name == self.module else None

    def exec_module(self, module: ModuleType) -> None:
        """Run its text."""
        module.__file__ = self.file
        exec(compile(self.text, self.file, "exec"), module.__dict__)  # noqa: S102 - our own game, changed a little


def noticed_by(game_id: str, seeds: int) -> str:
    """Return which proof fails, empty where none does."""
    from tabletop.errors import TabletopError  # noqa: PLC0415 - only once the text is replaced
    from tabletop.rules.conformance import CHECKS, check  # noqa: PLC0415
    from tabletop.rules.script import difference, examples_of  # noqa: PLC0415

    script = TESTS / "scripts" / f"{game_id}.txt"
    for example in examples_of(script.read_text(encoding="utf-8")):
        if (wrong := difference(example)) is not None:
            return f"{script.name}:{wrong.line.number}"
    for name in CHECKS:
        for seed in range(seeds):
            try:
                check(name, game_id, Random(f"{game_id}: {name} {seed}"))
            except TabletopError as error:
                return f"conformance, {name}: {error}"
    stem = game_id.replace("-", "_")
    files = [TESTS / f"test_games_{stem}.py", TESTS / f"test_odds_{stem}.py"]
    for file in files:
        if file.is_file() and pytest.main(["-x", "-q", "-n0", "--no-header", "-m", "not slow", str(file)]):
            return file.name
    return ""


def main(words: Sequence[str]) -> int:
    """Replace the module, run the proofs, and say who noticed."""
    game_id, module, text, *seeds = words
    found = find_spec(module)
    assert found is not None
    assert found.origin is not None
    sys.meta_path.insert(0, Replaced(module, Path(text).read_text(encoding="utf-8"), found.origin))
    try:
        who = noticed_by(game_id, int(seeds[0]) if seeds else 2)
    except Exception as error:  # noqa: BLE001 - a module that cannot even be loaded is noticed as well
        who = f"an error: {error!r}"
    sys.stdout.write(f"\nnoticed by {who}\n" if who else "\nunnoticed\n")
    return NOTICED if who else UNNOTICED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
