"""A match from Python (docs/referee.md): drafts, events, undo, correct, leave, join, replay."""

from dataclasses import replace
from types import ModuleType

import pytest

from tabletop.core.errors import InputError, RefusedError, ReplayError
from tabletop.rules import Choose, Correction, Event, Keep, Match, Request, Throw
from tabletop.rules.catalog import offering
from tabletop.rules.game import Game


def test_the_example_of_the_contract() -> None:
    """A match is made of an id, names and options, and is played by plain sequences and words."""
    match = Match("pig", ["Ann", "Ben"], target=50)
    assert match.options["target"] == 50
    assert match.request == Request("roll", "Ann", 1)
    match.throw([3])
    assert (match.request.kind, match.request.options, match.at_stake) == ("choose", ("roll", "bank"), 3)
    match.choose("bank")
    assert match.scores == {"Ann": 3, "Ben": 0}
    assert (match.winners, match.over, match.event) == ((), False, 2)
    assert [event.kind for event in match.events] == ["throw", "choose"]
    match.undo()
    assert match.at_stake == 3


def test_a_draft_changes_nothing_and_may_hold_several_answers() -> None:
    """What is drafted can be stored before it is obeyed; each event has the request that it answers."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    match.throw([1, 1, 2, 4, 5, 6])
    before = match.state()
    events = match.draft(Keep((1, 1)), Choose("roll"), Throw((1, 6, 6, 6)))
    assert (match.state(), match.event) == (before, 1)
    assert [event.request.kind if event.request else "" for event in events] == ["keep", "choose", "roll"]
    assert match.foresee(Keep((1, 1)), Choose("roll")).dice == 4
    assert match.state() == before
    match.apply(*events)
    assert (match.thrown, match.kept, match.event) == ((1, 6, 6, 6), (1, 1), 4)
    assert match.draft() == ()


def test_a_draft_is_refused_whole() -> None:
    """Where a later answer is not legal, none is taken."""
    match = Match("pig", ["Ann", "Ben"])
    with pytest.raises(RefusedError, match=r"expected Ann to choose one of: roll \| bank, got keep 3"):
        match.draft(Throw((3,)), Keep((3,)))
    with pytest.raises(ValueError, match=r"expected Ann to throw 1 die \(faces 1 to 6\), got throw 3 3"):
        match.throw([3, 3])
    assert match.log == ()


@pytest.mark.parametrize("faces", [[3.0], ["3"], 3, None, [None], {"Ann": [3]}, [3, 3], []])
def test_what_only_looks_like_a_throw_is_refused(faces: object) -> None:
    """Neither a fraction, a word, nor the faces of a joint throw is one die; nor is a boolean in an answer."""
    match = Match("pig", ["Ann", "Ben"])
    with pytest.raises(RefusedError, match="expected"):
        match.throw(faces)  # type: ignore[arg-type]  # the wrong type is the point
    with pytest.raises(RefusedError, match="expected"):
        match.draft(Throw((True,)))
    assert match.log == ()


def test_undo_takes_back_the_newest_entry_still_in_force() -> None:
    """Throws, a correction and a leave are taken back in turn; the log keeps all of it."""
    match = Match("pig", ["Ann", "Ben"])
    states = [match.state()]
    match.throw([3])
    states.append(match.state())
    match.correct(1, [5])
    states.append(match.state())
    match.leave("Ben")
    states.append(match.state())
    for state in reversed(states[:-1]):
        match.undo()
        assert match.state() == state
    assert [event.kind for event in match.log] == ["throw", "correct", "leave", "undo", "undo", "undo"]
    match.throw([3])
    assert match.event == 1


def test_undo_of_an_undone_correction_goes_on_before_it() -> None:
    """A correction that dropped events is taken back with them; the next undo takes the last of those."""
    match = Match("pig", ["Ann", "Ben"])
    match.apply(*match.draft(Throw((3,)), Choose("roll"), Throw((4,))))
    assert match.correct(1, [1]) == (2, 3)
    match.throw([6])
    assert match.at_stake == 6
    match.undo()
    match.undo()
    assert (match.at_stake, match.event) == (7, 3)
    match.undo()
    assert (match.at_stake, match.event) == (3, 2)


def test_corrections_take_the_forms_of_each_answer() -> None:
    """Faces correct a throw or a keep, a word a choice; an answer of another kind is refused."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    match.apply(*match.draft(Throw((1, 1, 2, 4, 5, 6)), Keep((1, 1)), Choose("bank")))
    assert match.correct(2, [5]) == ()
    assert match.scores["Ann"] == 50
    assert match.correct(3, "roll") == ()
    assert match.request.dice == 5
    assert match.correct(1, Throw((5, 5, 5, 5, 5, 5))) == ()
    assert match.at_stake == 50
    with pytest.raises(RefusedError, match="expected Ann to keep"):
        match.correct(2, "bank")
    with pytest.raises(RefusedError, match="expected Ann to keep"):
        match.correct(2, Throw((5,)))
    assert match.correct(1, [2, 2, 3, 3, 4, 6]) == (2, 3)
    assert match.request.player == "Ben"


def test_who_leaves_while_asked_ends_his_turn() -> None:
    """His stake is lost, his score stays to be seen, and the next one is asked."""
    match = Match("ten-thousand", ["Ann", "Ben", "Cid"])
    match.apply(*match.draft(Throw((1, 1, 2, 4, 5, 6)), Keep((1, 1)), Choose("roll")))
    match.leave("Ann")
    assert (match.request.player, match.at_stake, match.kept) == ("Ben", 0, ())
    assert (match.players, match.present) == (("Ann", "Ben", "Cid"), ("Ben", "Cid"))
    assert "Ann has left" in match.said


def test_the_sheet_tells_who_has_left() -> None:
    """The last row, there only while somebody has left, at the end of the match too; the others stay in order."""
    match = Match("pig", ["Ann", "Ben", "Cid"], target=2)
    before = match.state()
    assert list(before["sheet"]) == ["turns"]
    match.leave("Ben")
    assert list(match.sheet) == ["turns", "has left"]
    assert match.sheet["has left"] == {"Ann": None, "Ben": "yes", "Cid": None}
    assert list(match.scores) == ["Ann", "Ben", "Cid"]
    match.undo()
    assert match.state() == before
    match.leave("Cid")
    match.throw([2])
    match.choose("bank")
    assert match.over
    assert match.sheet["has left"]["Cid"] == "yes"


def test_a_leader_who_leaves_before_the_replies_are_over_does_not_win() -> None:
    """The next best who reached the goal wins, or the race goes on."""
    match = Match("pig", ["Ann", "Ben", "Cid"], target=5, rules="dice-play")
    match.apply(*match.draft(Throw((6,)), Choose("bank")))
    match.leave("Ann")
    match.apply(*match.draft(Throw((4,)), Choose("bank"), Throw((4,)), Choose("bank")))
    assert not match.over
    match.apply(*match.draft(Throw((4,)), Choose("bank"), Throw((1,))))
    assert match.winners == ("Ben",)


def test_somebody_new_sits_down_last_where_the_game_allows_it() -> None:
    """In Pig he begins with nothing; in Yahtzee only who has left may come back."""
    match = Match("pig", ["Ann", "Ben"])
    match.join("Cid")
    match.apply(*match.draft(Throw((1,)), Throw((1,))))
    assert (match.request.player, match.scores) == ("Cid", {"Ann": 0, "Ben": 0, "Cid": 0})
    with pytest.raises(RefusedError, match="at most 12 letters"):
        match.join("Bartholomew-X")
    full = Match("pig", [f"P{seat}" for seat in range(10)])
    with pytest.raises(RefusedError, match="at most 10 players"):
        full.join("Cid")
    closed = Match("yahtzee", ["Ann", "Ben"])
    with pytest.raises(RefusedError, match="takes no new players"):
        closed.join("Cid")
    closed.leave("Ben")
    closed.join("Ben")
    assert closed.present == ("Ann", "Ben")


def test_the_last_one_may_leave_and_the_match_is_abandoned() -> None:
    """It is over without a winner, says so, and an undo brings the last one back."""
    match = Match("pig", ["Ann", "Ben"])
    match.throw([3])
    match.leave("Ann")
    before = match.state()
    match.leave("Ben")
    assert (match.over, match.abandoned, match.winners) == (True, True, ())
    assert match.why == "everybody has left: the match is abandoned"
    assert (match.request.kind, match.present, match.at_stake) == ("over", (), 0)
    with pytest.raises(RefusedError, match="the match is over, got join Ann"):
        match.join("Ann")
    again = Match.replay("pig", ["Ann", "Ben"], {}, [Event.from_json(event.to_json()) for event in match.log])
    assert again.state() == match.state()
    match.undo()
    assert (match.state(), match.abandoned) == (before, False)


def test_a_match_is_given_up() -> None:
    """Nobody wins, not even the leader; an undo goes on with it, and what is over cannot be given up."""
    match = Match("yahtzee", ["Ann", "Ben"])
    match.apply(*match.draft(Throw((1, 1, 1, 1, 1)), Keep((1, 1, 1, 1, 1)), Choose("ones")))
    before = match.state()
    match.abandon()
    assert (match.over, match.abandoned, match.winners) == (True, True, ())
    assert (match.why, match.scores) == ("the match is abandoned", {"Ann": 5, "Ben": 0})
    with pytest.raises(RefusedError, match="expected nothing more, the match is over, got abandon"):
        match.abandon()
    stored = [Event.from_json(event.to_json()) for event in match.log]
    assert Match.replay("yahtzee", ["Ann", "Ben"], {}, stored).state() == match.state()
    match.correct(1, [1, 1, 1, 1, 2])
    assert (match.abandoned, match.scores["Ann"]) == (True, 4)
    match.undo()
    match.undo()
    assert (match.state(), match.abandoned) == (before, False)


def test_a_won_match_is_not_abandoned() -> None:
    """Who stays alone in a game for two has won; so has who, as a correction shows, had won before it was given up."""
    match = Match("aces", ["Ann", "Ben"])
    match.leave("Ann")
    assert (match.winners, match.abandoned) == (("Ben",), False)
    short = Match("pig", ["Ann", "Ben"], target=5)
    short.apply(*short.draft(Throw((4,)), Choose("bank")))
    short.abandon()
    short.correct(1, [6])
    assert (short.winners, short.abandoned) == (("Ann",), False)


def test_an_event_that_answers_another_question_is_named_with_both() -> None:
    """After a change of the rules the match stays readable up to there, and the error names both questions."""
    match = Match("pig", ["Ann", "Ben"])
    match.apply(*match.draft(Throw((3,)), Choose("bank"), Throw((4,)), Choose("roll"), Throw((2,))))
    events = list(match.events)
    events[2] = replace(events[2], request=Request("roll", "Ben", 2))
    with pytest.raises(ReplayError, match=r"event 3 of Pig.*Ben to throw 2 dice.*Ben to throw 1 die$") as mismatch:
        Match.replay("pig", match.seated, match.options, events)
    readable = mismatch.value.match
    assert isinstance(readable, Match)
    assert (readable.events, readable.scores) == (tuple(events[:2]), {"Ann": 3, "Ben": 0})


def test_a_change_of_what_an_option_gives_is_noticed() -> None:
    """A stored choice that would now score otherwise is a mismatch, though the question reads the same."""
    match = Match("pig", ["Ann", "Ben"])
    match.apply(*match.draft(Throw((3,)), Choose("bank")))
    throw, bank = match.events
    assert bank.request is not None
    other = replace(bank, request=replace(bank.request, gives={"bank": 4}))
    with pytest.raises(ReplayError, match=r"gives was \{'bank': 4\}, is \{'bank': 3\}"):
        Match.replay("pig", match.seated, match.options, [throw, other])


def test_a_broken_log_is_told() -> None:
    """Undo without an entry, a correction of nothing, an unknown leaver: the match up to there, and one line."""
    match = Match("pig", ["Ann", "Ben"])
    match.throw([3])
    (throw,) = match.events
    correction = match.draft_correct(1, Throw((4,)))
    for broken in (
        [throw, Event("undo"), Event("undo")],
        [throw, *correction, Event("undo"), Event("undo"), *correction],
        [throw, Event("leave", "Zoe")],
        [throw, throw],
        [throw, Event("keep", "Ann", "no faces", throw.request)],
    ):
        with pytest.raises(ReplayError) as told:
            Match.replay("pig", match.seated, match.options, broken)
        assert isinstance(told.value.match, Match)
        assert "\n" not in str(told.value)


def test_applying_what_was_not_drafted_here_changes_nothing() -> None:
    """An event of another moment is refused with both questions."""
    match = Match("pig", ["Ann", "Ben"])
    (throw,) = match.draft(Throw((3,)))
    match.apply(throw)
    before = match.state()
    with pytest.raises(ReplayError, match=r"Ann to throw 1 die.*Ann to choose"):
        match.apply(throw)
    longer = Match("pig", ["Ann", "Ben"])
    longer.apply(*longer.draft(Throw((3,)), Choose("bank"), Throw((4,))))
    with pytest.raises(ReplayError):
        match.apply(*longer.draft_correct(3, Throw((5,))))
    with pytest.raises(ReplayError):
        longer.apply(Event("correct", "Ann", Correction(1, Throw((1,)))))
    assert longer.scores == {"Ann": 3, "Ben": 0}
    assert len(longer.log) == 3
    with pytest.raises(ReplayError):
        match.apply(replace(match.draft(Choose("bank"))[0], player="Ben"))
    assert match.state() == before


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"kind": "dance"},
        {"kind": "throw", "player": "Ann"},
        {"kind": "throw", "player": "Ann", "faces": 3, "request": None},
        {"kind": "choose", "player": "Ann", "choice": "bank", "request": {"kind": "choose"}},
        {"kind": "correct", "player": "Ann", "faces": [3]},
    ],
)
def test_what_is_no_event_cannot_be_read_as_one(told: dict[str, object]) -> None:
    """A stored line that is not ours is a ReplayError in one line."""
    with pytest.raises(ReplayError, match="expected"):
        Event.from_json(told)


def test_a_correction_carries_the_right_face_into_the_keeps_after_it() -> None:
    """The event tells which keeps it changed, and leads to the same match from its JSON; an undo brings all back."""
    match = Match("yahtzee", ["Ann"])
    match.apply(*match.draft(Throw((5, 2, 2, 3, 4)), Keep((2, 2, 5)), Throw((6, 6)), Keep((2, 2, 5, 6))))
    before = match.state()
    match.apply(*match.draft_correct(1, Throw((1, 2, 2, 3, 4))))
    assert [event.value for event in match.events] == [(1, 2, 2, 3, 4), (1, 2, 2), (6, 6), (1, 2, 2, 6)]
    assert match.kept == (1, 2, 2, 6)
    stored = [event.to_json() for event in match.log]
    assert stored[-1]["carried"] == [[2, [1, 2, 2]], [4, [1, 2, 2, 6]]]
    again = Match.replay("yahtzee", ["Ann"], {}, map(Event.from_json, stored))
    assert (again.state(), again.events) == (match.state(), match.events)
    match.undo()
    assert match.state() == before


def test_a_stored_correction_that_carries_nothing_is_obeyed_as_it_was() -> None:
    """Logs of before name no keeps: what they dropped stays dropped."""
    match = Match("ten-thousand", ["Ann"])
    match.apply(*match.draft(Throw((5, 2, 2, 3, 4, 6)), Keep((5,)), Choose("bank")))
    old = Event("correct", "Ann", Correction(1, Throw((1, 2, 2, 3, 4, 6)), dropped=(2, 3)))
    assert "carried" not in old.to_json()
    match.apply(Event.from_json(old.to_json()))
    assert (match.event, match.request.legal) == (1, ((1,),))


def test_a_correction_that_carries_into_what_is_no_keep_is_refused() -> None:
    """A log that cannot have been written here leaves the match as it was."""
    match = Match("ten-thousand", ["Ann"])
    match.apply(*match.draft(Throw((5, 2, 2, 3, 4, 6)), Keep((5,)), Choose("bank")))
    before = match.state()
    for number in (1, 3, 4):
        with pytest.raises(ReplayError, match="expected a keep after event 1"):
            match.apply(Event("correct", "Ann", Correction(1, Throw((5, 2, 2, 3, 6, 6)), (), ((number, (5,)),))))
    assert match.state() == before


def test_a_stored_question_that_lists_its_answers_in_another_order_is_the_same() -> None:
    """What stands first is advice: a match stored before goes on; other answers are another question."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    match.throw([1, 1, 2, 4, 5, 6])
    match.keep([1, 1])
    match.choose("roll")
    thrown, kept, chosen = match.log
    assert kept.request is not None
    assert chosen.request is not None
    turned = replace(kept, request=replace(kept.request, legal=kept.request.legal[::-1]))
    moved = replace(chosen, request=replace(chosen.request, options=chosen.request.options[::-1]))
    again = Match.replay("ten-thousand", match.seated, match.options, (thrown, turned, moved))
    assert again.state() == match.state()
    fewer = replace(kept, request=replace(kept.request, legal=kept.request.legal[1:]))
    with pytest.raises(ReplayError, match="stored with the question"):
        Match.replay("ten-thousand", match.seated, match.options, (thrown, fewer))


def test_an_event_that_cannot_be_corrected_is_told_with_the_range() -> None:
    """Events are counted from 1; before the first there is none."""
    match = Match("pig", ["Ann"])
    with pytest.raises(RefusedError, match=r"nothing has happened yet.*got 0"):
        match.correct(0, [3])
    match.throw([3])
    match.choose("bank")
    for number in (0, 3):
        with pytest.raises(RefusedError, match=rf"from 1 \(the first\) to 2, got {number}"):
            match.correct(number, [3])


def test_a_game_that_fails_is_told_at_its_line() -> None:
    """The player learns file, line and error in one line; no frame of the referee is shown."""
    module = ModuleType("broken")
    module.__file__ = "broken.py"
    text = "async def play(table):\n    await table.roll(0, 1)\n    table.say('{nmae}', name='x')\n"
    exec(compile(text, "broken.py", "exec"), module.__dict__)  # noqa: S102 - our own text
    module.__dict__["GAME"] = Game("broken", "Broken", "this page", 1, {"usual": {}}, "help")
    with offering(lambda: {"broken": lambda: module}):
        match = Match("broken", ["Ann", "Ben"])
        with pytest.raises(InputError, match=r"^broken\.py:3: expected no error, got KeyError: 'nmae'$"):
            match.throw([3])
