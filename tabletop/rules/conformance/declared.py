"""What the game declares: whole facts, presets that begin a match, options that are read."""

from inspect import iscode, isfunction

from tabletop.rules.conformance.trial import (
    LONGEST_MATCH,
    Trial,
    UnmetError,
    random_answer,
    random_options,
    unanswerable,
)
from tabletop.rules.coroutine import Run
from tabletop.rules.declaration import poor_facts, wrong_facts
from tabletop.rules.match import Match
from tabletop.rules.options import Value

MATCHES_TO_READ = 20  # random matches in which most options are read


class FactsError(UnmetError):
    """A fact of `GAME`, in the words of `facts`."""

    def __init__(self, text: str) -> None:
        Exception.__init__(self, text)
        self.about = "GAME"


def facts(trial: Trial) -> None:
    """Its id is its file's, it has a source and a help text, its presets set options that it has."""
    game = trial.game
    for wrong in (*wrong_facts(game, trial.play, game.id), *poor_facts(game)):
        raise FactsError(wrong)
    players = [f"P{seat}" for seat in range(game.min_players)]
    for preset, values in game.presets.items():
        options = Match(game.id, players, rules=preset).options
        if options["rules"] != preset or not options.items() >= values.items():
            raise UnmetError(f"rules={preset} to set {dict(values)}", options, about="GAME")


class _Watched(dict[str, Value]):
    """Options that note which of them are read."""

    def __init__(self, options: dict[str, Value], read: set[str]) -> None:
        super().__init__(options)
        self._read = read

    def __getitem__(self, name: str) -> Value:
        self._read.add(name)
        return super().__getitem__(name)


def options_are_read(trial: Trial) -> None:
    """Every option is read in some random match, or at least named in the game's code: it may be a rare case's."""
    game, read = trial.game, {"rules", *trial.game.fewest_with}
    names = {option.name for option in game.all_options}
    for _ in range(MATCHES_TO_READ):
        if read >= names:
            return
        count = trial.chance.randint(game.min_players, max(game.min_players, min(4, game.max_players)))
        options = _Watched(random_options(game.all_options, trial.chance), read)
        run = Run(game, trial.play, [f"P{seat}" for seat in range(count)], options)
        for _ in range(LONGEST_MATCH):
            if run.result is not None or read >= names or unanswerable(run.request):
                break
            run.take(random_answer(run.request, trial.chance))
    if unread := sorted(names - read - _named(trial)):
        text = f"{', '.join(unread)}, which the game never reads"
        raise UnmetError("every option to be read by table.option(...)", text, about="GAME")


def _named(trial: Trial) -> set[str]:
    """Return the names of the options whose constants stand in a function of the game's module."""
    module = trial.play.__globals__
    functions = [value.__code__ for value in module.values() if isfunction(value) and value.__globals__ is module]
    words: set[str] = set()
    while functions:
        code = functions.pop()
        words.update(code.co_names)
        functions += [inner for inner in code.co_consts if iscode(inner)]
    return {option.name for option in trial.game.options if any(module.get(word) is option for word in words)}
