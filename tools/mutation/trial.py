"""Run the tests of one game with the text of a module replaced in memory, each in a forked process.

Expensive steps happen once: this process imports pytest, the rules and the other games, and tests the unchanged game. A
trial is a fork of it in which the module has another text. In order of cost: the worked examples, the conformance suite
with few seeds, the game's own tests and odds, then the tests of all games that concern this one. The first failure ends
a trial.
"""

import gc
import importlib
import inspect
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

TESTS = Path(__file__).resolve().parents[2] / "tests"
SHARED_PATTERNS = ("games/test_*.py", "rules/test_*.py", "simulator/test_players.py")
# The notation's own examples are run without pytest, and what holds for any game's text mutates none of them.
NOT_SHARED = ("test_scripts.py", "test_check.py", "test_conformance.py")
LEAST_S, TIMES_SLOWER = 2, 5  # limits of a mutant's computing time for a check: absolute, and relative to the original
UNMEASURED_S = 120  # or so long, where that was not measured
FIRST_PROOFS = 2  # the worked examples and the conformance suite: they end most of what has no end
MOST_BYTES = 3 << 30  # memory limit
QUIET = (
    "-q", "-x", "--no-header", "-o", "addopts=", "--import-mode=importlib", "-p", "no:cacheprovider", "-p", "no:xdist",
    "--hypothesis-profile=mutation", "--assert=plain",
)  # fmt: skip
PRELOADED = (
    "hypothesis", "numpy", "tabletop.simulator.tray",
    "tabletop.session.snapshotting", "tabletop.rules.conformance.trial", "tabletop.rules.script",
    "tabletop.simulator.players",
    "tabletop.views.oled.screen",
)  # fmt: skip


class Replaced(MetaPathFinder, Loader):
    """An importer that finds one module with another text, under its own file name."""

    def __init__(self, module: str, text: str, file: str) -> None:
        self.module, self.text, self.file = module, text, file

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Find only that module."""
        del path, target
        return spec_from_loader(name, self, origin=self.file) if name == self.module else None

    def exec_module(self, module: ModuleType) -> None:
        """Execute the replaced text."""
        module.__file__ = self.file
        exec(compile(self.text, self.file, "exec"), module.__dict__)  # noqa: S102 - our own game, changed a little


class OfTheGame:
    """A pytest plugin that selects, among the tests of all games, those that name this one; remembers failures."""

    def __init__(self, game_id: str, shared: Iterable[str]) -> None:
        from tabletop.rules import game_ids  # noqa: PLC0415 - once the text is replaced

        self.game_id, self.shared, self.ids, self.failed = game_id, frozenset(shared), frozenset(game_ids()), ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect the other tests."""
        items[:] = [item for item in items if item.path.name not in self.shared or self._concerned(item)]

    def _concerned(self, item: pytest.Item) -> bool:
        """Whether a parameter is the game's id, or none is an id and the test's own lines name it or all games."""
        if not isinstance(item, pytest.Function):
            return False
        callspec = getattr(item, "callspec", None)
        given = set() if callspec is None else {value for value in callspec.params.values() if isinstance(value, str)}
        if named := given & self.ids:
            return self.game_id in named
        return any(name in inspect.getsource(item.function) for name in (f'"{self.game_id}"', "game_ids()"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a failure."""
        if report.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remember a collection error."""
        if report.failed:
            self.failed = report.nodeid


@dataclass
class Outcome:
    """The outcome of a trial. by: what detected it, empty if nothing did. used_s: user time of each check, in order."""

    by: str = ""
    used_s: dict[str, float] = field(default_factory=dict)


class Bench:
    """Tests the texts of one module.

    It first tests the unchanged game, and raises ValueError if that fails. brief: only the first checks, if the others
    are known to pass.
    """

    def __init__(self, game_id: str, module: str, *, seeds: int = 2, slow: bool = False, brief: bool = False) -> None:
        found = find_spec(module)
        assert found is not None
        assert found.origin is not None
        self.game_id, self.module, self.file, self.seeds, self.slow = game_id, module, found.origin, seeds, slow
        self.text = Path(found.origin).read_text(encoding="utf-8")
        from tabletop.rules import game_ids  # noqa: PLC0415 - only who tries needs them

        for name in (*PRELOADED, *(f"tabletop.games.{game.replace('-', '_')}" for game in game_ids())):
            importlib.import_module(name)
        gc.freeze()
        self.limits_s: Mapping[str, float] = {}
        usual = self.tried(self.text, proofs=FIRST_PROOFS if brief else None)
        if usual.by:
            raise ValueError(f"expected the tests of {game_id} to pass on the game as it is, got: {usual.by}")
        self.limits_s = {proof: LEAST_S + TIMES_SLOWER * used for proof, used in usual.used_s.items()}

    def tried(self, text: str, proofs: int | None = None) -> Outcome:
        """Run all checks, or the given number of them, on this text, in a separate process."""
        sys.stdout.flush()
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.close(reading)
                self._run(text, writing, proofs)
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as told:
            lines = [json.loads(line) for line in told if line.endswith("\n")]
        _, status = os.waitpid(child, 0)
        outcome = Outcome(used_s={line["proof"]: line["used_s"] for line in lines if "used_s" in line})
        ended = [line["by"] for line in lines if "by" in line]
        proof = lines[-1]["proof"] if lines and "proof" in lines[-1] else "nothing"
        if ended:
            outcome.by = ended[0]
        elif os.WIFSIGNALED(status):
            outcome.by = f"no end of {proof}"
        else:
            outcome.by = f"the end of the program in {proof}"
        return outcome

    def _run(self, text: str, writing: int, proofs: int | None) -> None:
        """Be the forked process: say on `writing` which proof begins and what it took, at the end who noticed."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nowhere, number)
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))

        def tell(**what: object) -> None:
            os.write(writing, (json.dumps(what) + "\n").encode())

        by = ""
        try:
            _forget(self.module)
            sys.meta_path.insert(0, Replaced(self.module, text, self.file))
            for proof, noticed in islice(self._proofs(), proofs):
                tell(proof=proof)
                signal.setitimer(signal.ITIMER_VIRTUAL, self.limits_s.get(proof, UNMEASURED_S))
                began = time.process_time()
                by = noticed()
                tell(proof=proof, used_s=time.process_time() - began)
                if by:
                    break
        except BaseException as error:  # noqa: BLE001 - a module that cannot even be loaded is noticed as well
            by = f"an error: {type(error).__name__}: {str(error)[:200]}"
        tell(by=by)

    def _proofs(self) -> Iterator[tuple[str, Callable[[], str]]]:
        yield "the worked examples", lambda: _worked_examples(self.game_id)
        yield "the conformance suite", lambda: _conformance(self.game_id, self.seeds)
        own, shared = own_tests(self.game_id), shared_tests()
        if own:
            yield "its own tests", lambda: self._tests(own, [], "not slow and not soak")
        yield "the tests of all games", lambda: self._tests(shared, shared, "not slow and not soak")
        if self.slow and own:
            yield "its own slow tests", lambda: self._tests(own, [], "slow")

    def _tests(self, files: Sequence[Path], shared: Iterable[Path], marks: str) -> str:
        plugin = OfTheGame(self.game_id, [path.name for path in shared])
        known = ["-o", "markers=slow\nsoak"]
        words = [*QUIET, *known, "-m", marks, "--rootdir", str(TESTS.parent), *map(str, files)]
        status = pytest.main(words, plugins=[plugin])
        if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return ""
        return plugin.failed or f"pytest, status {int(status)}"


def _forget(module: str) -> None:
    """Let a module be reloaded; one that games share, with all that may have taken something from it."""
    ours = module.startswith("tabletop.games.")
    for name in [name for name in sys.modules if name == module or (name.startswith("tabletop") and not ours)]:
        del sys.modules[name]


def _worked_examples(game_id: str) -> str:
    from tabletop.rules.script import difference, examples_of  # noqa: PLC0415 - once the text is replaced

    script = TESTS / "scripts" / f"{game_id}.txt"
    for example in examples_of(script.read_text(encoding="utf-8")):
        if (wrong := difference(example)) is not None:
            return f"{script.name}:{wrong.line.number}"
    return ""


def _conformance(game_id: str, seeds: int) -> str:
    from tabletop.core.errors import TabletopError  # noqa: PLC0415 - once the text is replaced
    from tabletop.rules.conformance import CHECKS, check  # noqa: PLC0415

    for name in CHECKS:
        for seed in range(seeds):
            try:
                check(name, game_id, Random(f"{game_id}: {name} {seed}"))
            except TabletopError as error:
                return f"conformance, {name}: {str(error)[:200]}"
    return ""


def own_tests(game_id: str) -> list[Path]:
    """Return the test files named after the game, and not after a game with a longer name."""
    from tabletop.rules import game_ids  # noqa: PLC0415 - once the text is replaced

    names = [other.replace("-", "_") for other in game_ids()]
    stem = game_id.replace("-", "_")
    found = []
    for path in sorted([*TESTS.glob(f"games/test_{stem}*.py"), *TESTS.glob(f"games/odds/test_odds_{stem}*.py")]):
        name = path.stem.removeprefix("test_").removeprefix("odds_")
        if max((other for other in names if f"{name}_".startswith(f"{other}_")), key=len) == stem:
            found.append(path)
    return found


def shared_tests() -> list[Path]:
    """Return the test files that concern all or several games."""
    from tabletop.rules import game_ids  # noqa: PLC0415 - once the text is replaced

    owned = {path for game_id in game_ids() for path in own_tests(game_id)}
    found = {path for pattern in SHARED_PATTERNS for path in TESTS.glob(pattern)}
    return sorted(path for path in found - owned if path.name not in NOT_SHARED)


with suppress(ImportError):
    from hypothesis import HealthCheck, Phase, settings

    # The same verdict each time, and no search for a smaller example of what fails.
    settings.register_profile(
        "mutation", deadline=None, database=None, derandomize=True, phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
