"""What a snapshot says has happened, and the rules it carries."""

from people import People

from tabletop.rules import Match, load


def test_events_stand_in_their_order_and_go_when_they_are_taken_back(people: People) -> None:
    """Throws and choices as they were made, newest last; after an undo without what was taken back."""
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"])))
    people.throw(4)
    people.throw(2)
    shown = people.press("bank")
    assert shown.happened == ("Ann: throw 4", "Ann: roll", "Ann: throw 2", "Ann: bank 6")
    people.press("long bank")
    shown = people.press("bank")
    assert shown.happened == ("Ann: throw 4", "Ann: roll", "Ann: throw 2")


def test_answers_that_nobody_gave_are_left_out(people: People) -> None:
    """A single 5 among dice that score nothing is kept by itself: nobody needs to read that."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    match.throw((2, 2, 3, 4, 5, 6))
    match.keep((5,))
    people.table.begin(people.matches.begin(match))
    assert people.table.tick(people.now_s).happened == ("Ann: throw 2 2 3 4 5 6",)


def test_a_throw_under_the_cup_is_told_without_its_faces(people: People) -> None:
    """What only one player has seen is a throw for everybody else; of several who throw at once, theirs."""
    for game, who in (("mia", "Ann"), ("liars-dice", "all")):
        match = Match(game, ["Ann", "Ben"])
        match.choose("hidden")
        people.table.begin(people.matches.begin(match))
        assert people.table.tick(people.now_s).happened == (f"{who}: throw under the cup",)


def test_a_long_match_is_cut_at_its_beginning(people: People) -> None:
    """The newest two dozen events are enough for any terminal; the newest is among them."""
    match = Match("pig", ["Ann", "Ben"], target=100)
    for _ in range(20):
        match.throw((2,))
        match.choose("bank")
    people.table.begin(people.matches.begin(match))
    shown = people.table.tick(people.now_s)
    assert len(shown.happened) == 24
    assert shown.happened[-1] == "Ben: bank 2"


def test_the_rules_are_those_of_the_game(people: People) -> None:
    """The rule text that `tabletop games` shows comes with the match, and with no menu."""
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"])))
    assert people.table.tick(people.now_s).rules == load("pig")[0].help
