"""What every registered game must do, whatever its rules: random legal matches, seeded, with random options."""

import json
from itertools import combinations_with_replacement
from random import Random

import pytest

from tabletop.errors import RefusedError
from tabletop.rules import Answer, Choose, Event, Keep, Match, Request, Throw, game_ids, load
from tabletop.rules.options import AnyOption, Choice, Flag, Value

GAMES = game_ids()
SEEDS = range(8)
LONGEST_MATCH = 4000  # events of a random match; a game that needs more has no end
WATCHED = 120  # events of a match whose every step is taken back, which costs their square
STATE_KEYS = ["event", "request", "thrown", "kept", "scores", "at_stake", "sheet", "said", "winners", "why"]
REQUEST_KEYS = ["kind", "player", "dice", "legal", "options", "gives"]


def random_options(options: tuple[AnyOption, ...], rng: Random) -> dict[str, Value]:
    """Draw a value for each option; a number up to its default, or it would be a long match."""
    drawn: dict[str, Value] = {}
    for option in options:
        match option:
            case Choice():
                drawn[option.name] = rng.choice(option.choices)
            case Flag():
                drawn[option.name] = rng.random() < 0.5
            case _:
                drawn[option.name] = rng.randint(option.at_least, max(option.at_least, option.default))
    return drawn


def random_match(game_id: str, rng: Random) -> Match:
    """Begin a match of this game with random options and as many players as it takes, four at most."""
    game, _ = load(game_id)
    players = [f"P{seat}" for seat in range(rng.randint(game.min_players, min(4, game.max_players)))]
    return Match(game_id, players, **random_options(game.all_options, rng))


def random_faces(count: int, rng: Random) -> tuple[int, ...]:
    """Throw so many dice."""
    return tuple(rng.randint(1, 6) for _ in range(count))


def random_answer(request: Request, rng: Random) -> Answer:
    """Draw a legal answer."""
    if request.kind == "keep":
        return Keep(rng.choice(request.legal))
    if request.kind == "choose":
        return Choose(rng.choice(request.options))
    if isinstance(request.dice, int):
        return Throw(random_faces(request.dice, rng))
    return Throw({name: random_faces(count, rng) for name, count in request.dice.items()})


def illegal_answers(request: Request) -> list[Answer]:
    """Every kind of answer that the request does not allow."""
    wrong: list[Answer] = [Choose("no such option"), Choose(""), Throw((7,)), Throw({"P0": (3,), "nobody": (3,)})]
    if request.kind != "keep":
        wrong += [Keep(()), Keep((1,))]
    else:
        assert isinstance(request.dice, int)
        sizes = range(request.dice + 2)
        parts = [part for size in sizes for part in combinations_with_replacement(range(1, 7), size)]
        wrong += [Keep(part) for part in parts if part not in request.legal]
    if request.kind != "choose":
        wrong += [Choose("roll"), Choose("bank")]
    if request.kind == "roll" and isinstance(request.dice, int):
        wrong += [Throw((3,) * (request.dice + 1)), Throw((3,) * (request.dice - 1)), Throw((0,) * request.dice)]
    elif request.kind != "roll":
        wrong += [Throw((3,) * count) for count in range(7)]
    return wrong


def give(match: Match, answer: Answer) -> None:
    """Give the match an answer."""
    match.apply(*match.draft(answer))


def check_question(match: Match) -> None:
    """Assert a whole question: legal answers sorted, without doubles, at least one."""
    request, state = match.request, match.state()
    assert list(state) == STATE_KEYS
    assert list(state["request"]) == REQUEST_KEYS
    assert json.loads(json.dumps(state)) == state
    assert len(set(request.legal)) == len(request.legal)
    assert all(part == tuple(sorted(part)) for part in request.legal)
    assert len(set(request.options)) == len(request.options)
    assert set(request.gives) <= set(request.options)
    assert (request.kind == "keep") == bool(request.legal)
    assert (request.kind == "choose") == bool(request.options)
    assert (request.kind == "over") == match.over == bool(match.winners) == bool(match.why)
    assert state["event"] == match.event
    assert set(state["scores"]) == set(match.players)
    assert all(set(row) == set(match.players) for row in state["sheet"].values())


def check_refusals(match: Match, rng: Random) -> None:
    """Assert that what is not legal is refused in one line that says what was expected, and nothing changes."""
    before = (match.state(), match.log)
    for answer in rng.sample(wrong := illegal_answers(match.request), min(40, len(wrong))):
        with pytest.raises(RefusedError, match=r"expected .*, got ") as refusal:
            match.draft(answer)
        assert "\n" not in str(refusal.value)
    assert (match.state(), match.log) == before


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_random_match_ends_and_replays(game_id: str, seed: int) -> None:
    """It ends within bounds, takes nothing after the end, and its log and its events lead to the same state again."""
    rng = Random(f"{game_id} to the end {seed}")
    match = random_match(game_id, rng)
    while not match.over:
        give(match, random_answer(match.request, rng))
        assert match.event <= LONGEST_MATCH
    check_question(match)
    assert set(match.winners) <= set(match.present)
    check_refusals(match, rng)
    with pytest.raises(RefusedError, match="over"):
        match.leave("P0")
    stored = [json.loads(json.dumps(event.to_json())) for event in match.log]
    again = Match.replay(game_id, match.seated, match.options, map(Event.from_json, stored))
    assert (again.state(), again.log, again.events) == (match.state(), match.log, match.events)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", GAMES)
def test_every_step_is_checked_and_can_be_taken_back(game_id: str, seed: int) -> None:
    """At each step the question is whole and the illegal is refused; undo goes back through the same states."""
    rng = Random(f"{game_id} back again {seed}")
    match = random_match(game_id, rng)
    states = [match.state()]
    while not match.over and match.event < WATCHED:
        check_question(match)
        check_refusals(match, rng)
        give(match, random_answer(match.request, rng))
        states.append(match.state())
    for state in reversed(states[:-1]):
        match.undo()
        assert match.state() == state
    assert match.events == ()
    with pytest.raises(RefusedError, match="nothing has happened"):
        match.undo()


def corrected_by_hand(match: Match, number: int, answer: Answer) -> Match:
    """Play the match anew with another answer at this place, as long as the later answers fit the same questions."""
    anew = Match(match.game.id, match.seated, **match.options)
    for place, event in enumerate(match.events, start=1):
        assert event.request is not None
        if place == number:
            give(anew, answer)
        elif place < number:
            give(anew, event.answer)
        else:
            asked = anew.request
            same = (asked.kind, asked.player, asked.dice) == (event.request.kind, event.player, event.request.dice)
            try:
                if not same:
                    break
                give(anew, event.answer)
            except RefusedError:
                break
    return anew


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_correction_is_as_if_it_had_been_so_and_can_be_taken_back(game_id: str, seed: int) -> None:
    """Any event takes any legal answer; what follows is kept as far as it fits, and undo restores what it dropped."""
    rng = Random(f"{game_id} corrected {seed}")
    match = random_match(game_id, rng)
    for _ in range(WATCHED):
        if not match.over:
            give(match, random_answer(match.request, rng))
    for _ in range(20):
        number = rng.randint(1, match.event)
        asked = match.events[number - 1].request
        assert asked is not None
        answer = random_answer(asked, rng)
        expected = corrected_by_hand(match, number, answer)
        before, events, standing = match.state(), match.events, match.event
        dropped = match.correct(number, answer)
        assert match.state() == expected.state()
        assert dropped == tuple(range(expected.event + 1, standing + 1))
        again = Match.replay(game_id, match.seated, match.options, match.log)
        assert again.state() == match.state()
        assert Match.replay(game_id, match.seated, match.options, match.events).state() == match.state()
        if rng.random() < 0.7:
            match.undo()
            assert (match.state(), match.events) == (before, events)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_correction_to_the_illegal_is_refused(game_id: str) -> None:
    """Neither an illegal answer nor a number that no event has changes anything."""
    rng = Random(f"{game_id} wrongly corrected")
    match = random_match(game_id, rng)
    for _ in range(10):
        if not match.over:
            give(match, random_answer(match.request, rng))
    before = (match.state(), match.log)
    for number in range(1, match.event + 1):
        asked = match.events[number - 1].request
        assert asked is not None
        for answer in illegal_answers(asked)[:20]:
            with pytest.raises(RefusedError):
                match.correct(number, answer)
    for number in (-1, 0, match.event + 1):
        with pytest.raises(RefusedError, match="number of an event"):
            match.correct(number, Throw((3,)))
    assert (match.state(), match.log) == before


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", GAMES)
def test_who_has_left_is_not_asked_and_does_not_win(game_id: str, seed: int) -> None:
    """From any moment on a match goes to its end without the player who left; his undo brings him back."""
    rng = Random(f"{game_id} left {seed}")
    game, _ = load(game_id)
    players = [f"P{seat}" for seat in range(min(3, game.max_players))]
    match = Match(game_id, players, **random_options(game.all_options, rng))
    for _ in range(rng.randint(0, 30)):
        if not match.over:
            give(match, random_answer(match.request, rng))
    if match.over:
        match.undo()
    before, leaver = match.state(), rng.choice(players)
    match.leave(leaver)
    match.undo()
    assert match.state() == before
    match.leave(leaver)
    while not match.over:
        request = match.request
        assert request.player != leaver
        assert isinstance(request.dice, int) or leaver not in request.dice
        give(match, random_answer(request, rng))
        assert match.event <= LONGEST_MATCH
    assert leaver not in match.winners
    assert Match.replay(game_id, match.seated, match.options, match.log).state() == match.state()


def random_entry(match: Match, rng: Random) -> tuple[Event, ...]:
    """Draft an answer, a correction, a leave or a join; empty where the one drawn is not possible now."""
    drawn = rng.choice(["answer"] * 6 + ["correct", "correct", "leave", "join"])
    try:
        if drawn == "answer":
            return match.draft(random_answer(match.request, rng)) if not match.over else ()
        if drawn == "leave":
            return match.draft_leave(rng.choice(match.players))
        if drawn == "join":
            return match.draft_join(rng.choice([*match.players, "New"]))
        number = rng.randint(1, max(1, match.event))
        asked = [event.request for event in match.events if event.request is not None]
        return match.draft_correct(number, random_answer(asked[number - 1], rng)) if asked else ()
    except RefusedError:
        return ()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", GAMES)
def test_any_mix_of_entries_can_be_taken_back_and_replayed(game_id: str, seed: int) -> None:
    """Answers, corrections, leaves and joins in any order: undo leads back entry by entry, replay leads here."""
    rng = Random(f"{game_id} mixed {seed}")
    match = random_match(game_id, rng)
    in_force = [match.state()]
    for _ in range(150):
        if rng.random() < 0.25 and len(in_force) > 1:
            match.undo()
            in_force.pop()
            assert match.state() == in_force[-1]
        elif entry := random_entry(match, rng):
            match.apply(*entry)
            in_force.append(match.state())
        check_question(match)
    stored = [json.loads(json.dumps(event.to_json(), sort_keys=True)) for event in match.log]
    again = Match.replay(game_id, match.seated, match.options, map(Event.from_json, stored))
    assert (again.state(), again.log, again.present) == (match.state(), match.log, match.present)
    assert Match.replay(game_id, match.seated, match.options, match.events).state() == match.state()
    while len(in_force) > 1:
        again.undo()
        in_force.pop()
        assert again.state() == in_force[-1]


@pytest.mark.parametrize("game_id", GAMES)
def test_the_facts_of_a_game_are_whole(game_id: str) -> None:
    """Its id is its file's, it has a source and a help text, its presets set options that it has."""
    game, _ = load(game_id)
    assert game.id == game_id
    assert game.name
    assert game.source
    assert 1 <= game.min_players <= game.max_players <= 10
    assert game.dice >= 1
    assert len(game.help.splitlines()) >= 4
    assert all(len(line) <= 120 for line in game.help.splitlines())
    names = [option.name for option in game.all_options]
    assert names[0] == "rules"
    assert len(set(names)) == len(names)
    for preset in game.presets:
        values = Match(game_id, [f"P{seat}" for seat in range(game.min_players)], rules=preset).options
        assert values == {"rules": preset, **{k: v for k, v in values.items() if k != "rules"}}
        assert set(values) == set(names)
        assert values.items() >= game.presets[preset].items()
    for option in game.all_options:
        assert option.read(option.default) == option.default
        assert option.read(str(option.default).lower()) == option.default
