"""What views say of their own accord, beside the texts of a snapshot: in one place, so that it can be translated."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strings:
    """The views' own words, English unless translated.

    What stands in braces is filled in by `str.format`. wins, win: for one and for several winners; number_win: where
    their names find no room. joined: between the last two of several names. threw: after the name of who threw. seat:
    in place of a name in letters that cannot be drawn; no_letters: below an item with such letters. die_of: which of
    how many is told. enlarge: on a terminal that is too small. tray_keys, keys: what the keys of the terminal do, with
    and without simulated dice, the longest line first: the first that fits is shown.
    """

    moment: str = "one moment"
    paused: str = "paused"
    wins: str = "{names} wins"
    win: str = "{names} win"
    number_win: str = "{n} win"
    joined: str = "and"
    threw: str = "threw"
    seat: str = "player {n}"
    no_letters: str = "this screen cannot show this alphabet"
    die_of: str = "die {n} of {n2}"
    at_stake: str = "at stake {n}"
    score: str = "score"
    thrown: str = "thrown"
    reads: str = "reads {faces}"
    no_dice: str = "no dice"
    no_picture: str = "no picture"
    enlarge: str = "enlarge to {n}x{n2}"
    tray_keys: tuple[str, ...] = (
        "t throw  b BANK  h HOLD  B undo  H menu  1-6 set aside  0 back  n nudge  TAB other picture  q quit",
        "t throw  b BANK  h HOLD  B undo  H menu  1-6 set aside  n nudge  TAB  q quit",
        "t throw b BANK h HOLD B undo H menu 1-6 aside n nudge TAB q quit",
        "t throw b BANK h HOLD B undo H menu 1-6 n TAB q quit",
        "t b BANK h HOLD B undo H menu 1-6 n TAB q",
        "t b BANK h HOLD B undo H menu TAB q",
    )
    keys: tuple[str, ...] = (
        "b BANK  h HOLD  B undo (long BANK)  H menu (long HOLD)  TAB other picture  q quit",
        "b BANK  h HOLD  B undo  H menu  TAB other picture  q quit",
        "b BANK h HOLD B undo H menu TAB q",
    )


ENGLISH = Strings()
