"""Mutation testing: draw mutants of a game file and run that game's tests on each.

    python -m tools.mutation pig --mutants 30 --seed 1

Without a game's id all are tested, one after the other. README.md beside this file has the details.
"""

import argparse
import sys
from pathlib import Path
from random import Random

from tabletop.rules import game_ids
from tools.mutation.drawing import Mutant, drawn
from tools.mutation.known import REPORT, Row, is_known, modules_of, report
from tools.mutation.trial import Bench

ENOUGH = 0.95  # the share of mutants that are faults which a game's tests must notice


def main() -> int:
    """Draw and test mutants, and print the results; status 1 if too few are detected."""
    parser = argparse.ArgumentParser(description="Do the tests of a game notice small faults?")
    parser.add_argument("games", nargs="*", metavar="GAME", help="the ids of built-in games (usual: all of them)")
    parser.add_argument("--mutants", type=int, default=30, help="how many a game (usual: 30)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=2, help="of the conformance suite, for each check (usual: 2)")
    parser.add_argument("--own", action="store_true", help="draw by our own forms, without a mutation tool")
    parser.add_argument("--slow", action="store_true", help="let the game's slow tests try the survivors too")
    parser.add_argument("--brief", action="store_true", help="take it that the tests pass on the games as they are")
    parser.add_argument(
        "--module", help="mutate this module instead, as tabletop.rules.families.boston, with the game's tests"
    )
    parser.add_argument("--text", type=Path, nargs="+", help="try these texts in the place of the module's")
    parser.add_argument("--write", action="store_true", help="write what was found to SURVIVORS.md")
    options = parser.parse_args()
    rows = []
    for game in options.games or game_ids():
        row = Row(game, 0, 0, 0, 0)
        for module in [options.module] if options.module else modules_of(game):
            if row.drawn == options.mutants:
                break
            try:
                bench = Bench(game, module, seeds=options.seeds, slow=options.slow, brief=options.brief)
            except ValueError as error:
                parser.error(str(error))
            if options.text:
                return tried(bench, options.text)
            chosen = drawn(bench.text, options.mutants - row.drawn, Random(options.seed), own=options.own)
            row += judged(game, bench, chosen)
        told(f"\n{game}: {row.noticed} of {row.drawn} noticed, {row.equivalent} equivalent, {row.gaps} gaps\n")
        rows.append(row)
    if options.write:
        before = REPORT.read_text(encoding="utf-8") if REPORT.is_file() else ""
        command = f"python -m tools.mutation --mutants {options.mutants} --seed {options.seed} --write"
        REPORT.write_text(report(rows, command, before), encoding="utf-8")
    noticed, gaps = (sum(getattr(row, name) for row in rows) for name in ("noticed", "gaps"))
    if len(rows) > 1:
        told(f"{noticed} noticed, {sum(row.equivalent for row in rows)} equivalent, {gaps} gaps")
    return 0 if all(row.noticed >= ENOUGH * (row.noticed + row.gaps) for row in rows) else 1


def tried(bench: Bench, paths: list[Path]) -> int:
    """Test these texts, and print what detected each; status 1 if one is not detected."""
    found = [bench.tried(path.read_text(encoding="utf-8")).by for path in paths]
    told("\n".join(f"noticed by {by}" if by else "unnoticed" for by in found))
    return 0 if all(found) else 1


def judged(game: str, bench: Bench, mutants: list[Mutant]) -> Row:
    """Test the mutants of one game; print what detected each, and the differences of the survivors."""
    survivors = []
    for number, mutant in enumerate(mutants, start=1):
        by = bench.tried(mutant.text).by
        told(f"{number:>3}  line {mutant.line:<4} {mutant.way}: {f'noticed by {by}' if by else 'unnoticed'}")
        if not by:
            survivors.append(mutant)
    known = [mutant for mutant in survivors if is_known(game, bench.text, mutant)]
    for mutant in survivors:
        was, now = mutant.difference(bench.text)
        told(f"\n{'equivalent' if mutant in known else 'survivor'}, line {mutant.line}, {mutant.way}")
        told("\n".join([*(f"  -{line}" for line in was), *(f"  +{line}" for line in now)]))
    return Row(game, len(mutants), len(mutants) - len(survivors), len(known), len(survivors) - len(known))


def told(line: str) -> None:
    """Write a line at once: a run takes minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
