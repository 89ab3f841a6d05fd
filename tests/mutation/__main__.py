"""Do the tests of a game notice small faults? Draws mutants of a game file and runs that game's tests on each.

    python tests/mutation pig --mutants 30 --seed 1

The mutation operators are those of cosmic-ray (`pip install cosmic-ray`); see README.md beside this file.
"""

import argparse
import ast
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from importlib.util import find_spec
from pathlib import Path
from random import Random

TRIAL = Path(__file__).with_name("trial.py")
ENOUGH = 0.95  # the share of mutants that a game's tests must notice
LEAST_CPU_S = 30  # a mutant may compute so long, or
TIMES_SLOWER = 5  # so many times as long as the game as it is; then it does not end, and is noticed


@dataclass(frozen=True)
class Mutant:
    """A changed text, and at which line it was changed by which operator."""

    text: str
    line: int
    operator: str


def mutants(text: str) -> Iterator[Mutant]:
    """Yield all mutants that are other programs: annotations, docstrings and help texts make none."""
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415 - only who runs this installs it
    from cosmic_ray.plugins import get_operator, operator_names  # noqa: PLC0415

    meaning, seen = _meaning(text), {text}
    for name in sorted(operator_names()):
        operator = get_operator(name)
        if operator.arguments():  # those that replace or insert variables by name: no slip of the hand
            continue
        occurrence = 0
        while (changed := mutate_code(text, operator(), occurrence)) is not None:
            occurrence += 1
            if changed not in seen and _meaning(changed) not in (None, meaning):
                seen.add(changed)
                yield Mutant(changed, _line(text, changed), name.removeprefix("core/"))


def _meaning(text: str) -> str | None:
    """Return the syntax tree without what is never executed; None where it is no Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def _line(was: str, now: str) -> int:
    pairs = zip(was.splitlines(), now.splitlines(), strict=False)
    return next((number for number, (old, new) in enumerate(pairs, start=1) if old != new), 1)


def drawn(text: str, count: int, chance: Random) -> list[Mutant]:
    """Draw mutants: first a line, then a kind of change, so that no operator with many forms crowds out the others."""
    by_line: dict[int, dict[str, list[Mutant]]] = {}
    for mutant in mutants(text):
        by_line.setdefault(mutant.line, {}).setdefault(mutant.operator.partition("_")[0], []).append(mutant)
    found: list[Mutant] = []
    while len(found) < count and by_line:
        line = chance.choice(sorted(by_line))
        kind = chance.choice(sorted(by_line[line]))
        left = by_line[line][kind]
        found.append(left.pop(chance.randrange(len(left))))
        if not left:
            del by_line[line][kind]
        if not by_line[line]:
            del by_line[line]
    return found


def tried(game_id: str, module: str, text: str, cpu_s: int, seeds: int) -> tuple[bool, str]:
    """Run the game's tests on this text; return whether they noticed, and by what."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(
            [sys.executable, str(TRIAL), game_id, module, file.name, str(seeds)],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5)),
        )
    last = (done.stdout.strip().splitlines() or [""])[-1]
    if done.returncode not in (0, 1):
        last = f"no end within {cpu_s} s of computing" if done.returncode < 0 else done.stderr.strip()[-200:]
    return done.returncode != 0, last


def main() -> int:
    """Draw, try and tell; status 1 where fewer are noticed than must be."""
    parser = argparse.ArgumentParser(description="Do the tests of a game notice small faults?")
    parser.add_argument("game", help="the id of a built-in game")
    parser.add_argument("--mutants", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=2, help="of the conformance suite, for each check")
    parser.add_argument("--module", help="mutate this module instead, as tabletop.rules.boston, with the game's tests")
    options = parser.parse_args()
    module = options.module or f"tabletop.games.{options.game.replace('-', '_')}"
    found = find_spec(module)
    if found is None or found.origin is None:
        parser.error(f"expected a module of ours, got {module}")
    text = Path(found.origin).read_text(encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    noticed, by = tried(options.game, module, text, 10 * 60, options.seeds)
    if noticed:
        parser.error(f"expected the tests of {options.game} to pass on the game as it is, got: {by}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = LEAST_CPU_S + TIMES_SLOWER * int(after.ru_utime - before.ru_utime)
    survivors = []
    chosen = drawn(text, options.mutants, Random(options.seed))
    for number, mutant in enumerate(chosen, start=1):
        noticed, by = tried(options.game, module, mutant.text, cpu_s, options.seeds)
        sys.stdout.write(f"{number:>3}  line {mutant.line:<4} {mutant.operator}: {by}\n")
        sys.stdout.flush()
        if not noticed:
            survivors.append(mutant)
    for mutant in survivors:
        sys.stdout.write(f"\nsurvivor, line {mutant.line}, {mutant.operator}\n")
        lines = unified_diff(text.splitlines(), mutant.text.splitlines(), lineterm="", n=0)
        sys.stdout.write("".join(f"  {line}\n" for line in list(lines)[3:]))
    share = 1 - len(survivors) / max(1, len(chosen))
    sys.stdout.write(f"\n{options.game}: {len(chosen) - len(survivors)} of {len(chosen)} noticed, {share:.0%}\n")
    return 0 if share >= ENOUGH else 1


if __name__ == "__main__":
    sys.exit(main())
