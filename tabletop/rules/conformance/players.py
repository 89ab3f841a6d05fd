"""Players who leave, come back or sit down, mixed with all else that may happen at a table."""

from tabletop.core.errors import RefusedError
from tabletop.rules.conformance.history import replayed, same
from tabletop.rules.conformance.questions import check_question, is_asked
from tabletop.rules.conformance.trial import LONGEST_MATCH, Trial, UnmetError, difference, random_answer
from tabletop.rules.events import Event
from tabletop.rules.game import MOST_PLAYERS
from tabletop.rules.match import Match

BEFORE_LEAVING = 30  # answers at most before somebody leaves
ENTRIES = 100
UNDONE = 0.25  # the share of entries that are taken back


def _under_way(trial: Trial) -> Match:
    """Begin a match and play some answers, but not to its end."""
    match = trial.begin(least=3)
    for _ in range(trial.chance.randint(0, BEFORE_LEAVING)):
        if not match.over:
            trial.answer(match)
    if match.over:
        match.undo()
    return match


def leaves(trial: Trial) -> None:
    """From any moment on a match goes to its end without the player who left; he is not asked and does not win."""
    match = _under_way(trial)
    before, leaver = match.state(), match.request.player
    if leaver is None or trial.chance.random() < 0.5:  # noqa: PLR2004 - half of them leave in the midst of their turn
        leaver = trial.chance.choice(match.players)
    match.leave(leaver)
    match.undo()
    if match.state() != before:
        raise UnmetError("the undo of a leave to bring everything back", difference(before, match.state()))
    match.leave(leaver)
    while not match.over:
        if is_asked(match, leaver):
            raise UnmetError(f"nobody to ask {leaver}, who has left", match.request)
        if match.event >= LONGEST_MATCH:
            raise UnmetError(f"an end within {LONGEST_MATCH} answers after {leaver} has left", match.request)
        trial.answer(match)
    check_question(match)
    same(match, replayed(match), "a replay of a match that somebody left to lead to it")


def returns(trial: Trial) -> None:
    """Let a player who left come back, and a new one join if the game allows it; the match still ends."""
    match = _under_way(trial)
    newcomers = ["New"] if trial.game.joining and len(match.players) < trial.game.max_players else []
    leaver = trial.chance.choice(match.players)
    if len(match.present) > max(1, trial.game.min_players):
        match.leave(leaver)
        for _ in range(trial.chance.randint(0, 3)):
            if not match.over:
                trial.answer(match)
        newcomers.append(leaver)
    for name in newcomers:
        if not match.over:
            match.join(name)
            check_question(match)
    trial.finish(match)
    check_question(match)
    same(match, replayed(match), "a replay of a match that somebody joined to lead to it")


def mixed(trial: Trial) -> None:
    """Answers, corrections, leaves and joins in any order: undo leads back entry by entry, replay leads here."""
    match = trial.begin(most=MOST_PLAYERS)
    in_force = [match.state()]
    for _ in range(ENTRIES):
        if trial.chance.random() < UNDONE and len(in_force) > 1:
            match.undo()
            in_force.pop()
            _expect_back(match, in_force[-1])
        elif entry := _random_entry(trial, match):
            match.apply(*entry)
            in_force.append(match.state())
        check_question(match)
    again = replayed(match)
    same(match, again, "a replay of a log with corrections, leaves and joins to lead to it")
    while len(in_force) > 1:
        again.undo()
        in_force.pop()
        _expect_back(again, in_force[-1])


def _expect_back(match: Match, state: dict[str, object]) -> None:
    if match.state() != state:
        raise UnmetError("undo to lead back to the state before", difference(state, match.state()))


def _random_entry(trial: Trial, match: Match) -> tuple[Event, ...]:
    """Draft an answer, a correction, a leave or a join; empty if the one drawn is not possible now."""
    chance = trial.chance
    drawn = chance.choice(["answer"] * 6 + ["correct", "correct", "leave", "join"])
    try:
        if drawn == "answer":
            trial.last = None if match.over else random_answer(match.request, chance)
            return () if trial.last is None else match.draft(trial.last)
        if drawn == "leave":
            return match.draft_leave(chance.choice(match.players))
        if drawn == "join":
            return match.draft_join(chance.choice([*match.players, "New"]))
        number = chance.randint(1, max(1, match.event))
        asked = [event.request for event in match.events if event.request is not None]
        return match.draft_correct(number, random_answer(asked[number - 1], chance)) if asked else ()
    except RefusedError:
        return ()
