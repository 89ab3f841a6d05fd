"""`tabletop games --check FILE`: run the conformance suite on a game file, and the worked examples beside it."""

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import Random
from types import FrameType

from tabletop import rules
from tabletop.cli.replay import read_script
from tabletop.config.own_games import games_folder, id_of, module_of, write_new
from tabletop.core.errors import InputError, TabletopError
from tabletop.rules import declaration, load
from tabletop.rules.catalog import built_in_ids, is_id, offering
from tabletop.rules.conformance import CHECKS, ONCE, ConformanceError, check, source, trial
from tabletop.rules.conformance.drafts import UNCONFIRMED, drafted
from tabletop.rules.script import difference

SEEDS = 12  # random matches a check
REFEREE = str(Path(rules.__file__).parent)
AGAIN_S = 0.001  # of computing, until a game is stopped that was just in somebody else's code
MOST_SECONDS = 20  # of computing in one check of one match; the slowest of ours takes a fiftieth


def check_file(path: Path, *, as_json: bool, draft: bool = False) -> int:
    """Write a line for each check that passes; the first failure is raised, with the line in the author's file.

    draft: write a script of examples beside the file if all pass; InputError if there is one already.
    """
    path, held = found(path), list[str]()
    if draft and _script_of(path).exists():
        raise InputError(f"expected no examples yet, got {_script_of(path)}: move them away, they are not overwritten")
    try:
        for line in _held(path):
            held.append(line)
            if not as_json:
                sys.stdout.write(f"holds: {line}\n")
                sys.stdout.flush()
    except TabletopError as error:
        if as_json:
            _write_facts(path, held, str(error))
        raise
    if as_json:
        _write_facts(path, held, None)
    if draft:
        written = write_new(_script_of(path), _drafted(path))
        sys.stdout.write(f"written: {written}; compare it with the rules, nobody has confirmed it\n")
    elif warning := _warning(path):
        sys.stderr.write(f"tabletop games: warning: {warning}\n")
    return 0


def found(path: Path) -> Path:
    """Return the path of a game file: as given, else the game of this name in the folder of custom games."""
    if path.exists() or path.parent != Path():
        return path
    own = games_folder() / f"{path.stem.replace('-', '_')}.py"
    return own if own.is_file() else path


def _drafted(path: Path) -> str:
    game_id = id_of(path)
    with nullcontext() if game_id in built_in_ids() else offering(lambda: {game_id: lambda: module_of(path)}):
        return drafted(game_id, Random(game_id))  # noqa: S311 - the same again for the same game


def _warning(path: Path) -> str:
    """Return what is missing though every check holds, empty for nothing."""
    script = _script_of(path)
    if id_of(path) in built_in_ids():
        return ""
    if not script.is_file():
        return f"no worked examples yet: {script} would have them; --draft-examples writes a first draft to confirm"
    examples = read_script(script)
    drafts = [example for example in examples if example.shows.startswith(UNCONFIRMED.strip())]
    if not drafts:
        return ""
    return (
        f"{len(drafts)} of the {len(examples)} examples of {script} are not confirmed: compare {script.name}:"
        f"{drafts[0].number} with the rules, and take {UNCONFIRMED.strip()!r} off its name"
    )


def _write_facts(path: Path, held: list[str], problem: str | None) -> None:
    sys.stdout.write(json.dumps({"file": str(path), "game": id_of(path), "holds": held, "problem": problem}) + "\n")


def _held(path: Path) -> Iterator[str]:
    """Yield what holds, check by check; raises a TabletopError that begins with file and line."""
    text = _text_of(path)
    for line, complaint in source.wrong_lines(text):
        raise InputError(f"{path}:{line}: {complaint}")
    game_id = id_of(path)
    if not is_id(game_id):
        raise InputError(f"expected a file named like my_game.py (small letters, digits, underscores), got {path}")
    built_in = game_id in built_in_ids()
    if built_in and not _is_built_in(path, game_id):
        raise InputError(f"expected a name that no built-in game has, got {path}: call it otherwise")
    with nullcontext() if built_in else offering(lambda: {game_id: lambda: module_of(path)}):
        if not built_in:
            _check_declared(path, text, game_id)
        yield "it is a game file that can be loaded"
        for name in CHECKS:
            _check(name, game_id, text)
            yield name
        yield from _check_examples(path)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(
            f"expected a game file, got {path}: {getattr(error, 'strerror', None) or 'no text'}"
        ) from error


def _is_built_in(path: Path, game_id: str) -> bool:
    return path.resolve() == Path(load(game_id)[1].__code__.co_filename).resolve()


def _check_declared(path: Path, text: str, game_id: str) -> None:
    """Raise where the catalog would not take the module, at the line of GAME or play."""
    module = module_of(path)
    for wrong in declaration.wrong_facts(getattr(module, "GAME", None), getattr(module, "play", None), game_id):
        about = "play" if "play(table)" in wrong else "GAME"
        raise InputError(f"{path}:{source.line_of(text, about)}: {wrong}")


def _check(name: str, game_id: str, text: str) -> None:
    for seed in range(1 if name in ONCE else SEEDS):
        try:
            with _most_seconds(load(game_id)[1].__code__.co_filename):
                check(name, game_id, Random(f"{game_id}: {name} {seed}"))  # noqa: S311 - a match to be found again
        except ConformanceError as error:
            line = error.line or source.line_of(text, error.about)
            raise ConformanceError(error.text, error.file, line, error.about) from error


@contextmanager
def _most_seconds(game_file: str) -> Iterator[None]:
    """Raise in the midst of a game that computes without asking anything, in its own file or in the referee.

    Nowhere else: code that holds a lock, a debugger's or that of a coverage tool, would keep it for ever.
    """
    if not hasattr(signal, "setitimer"):  # Windows: there the author has to press Control-C
        yield
        return

    def stop(_number: int, frame: FrameType | None) -> None:
        file = frame.f_code.co_filename if frame is not None else ""
        if file == game_file or file.startswith(REFEREE):
            raise trial.UnmetError(
                "the next question or the end", f"{MOST_SECONDS} seconds of computing: does this loop end?"
            )
        signal.setitimer(signal.ITIMER_VIRTUAL, AGAIN_S)

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _script_of(path: Path) -> Path:
    return path.with_suffix(".txt")


def _check_examples(path: Path) -> Iterator[str]:
    script = _script_of(path)
    if not script.is_file():
        return
    examples = read_script(script)
    for example in examples:
        if (wrong := difference(example)) is not None:
            raise InputError(f"{script}:{wrong.line.number}: {wrong} (in: {example.shows})")
    yield f"the {len(examples)} worked examples of {script.name}"
