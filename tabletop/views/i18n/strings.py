"""What views say of their own accord, beside the texts of a snapshot: in one place, so that it can be translated."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strings:
    """The views' own words, English unless translated.

    What stands in braces is filled in by `str.format`. wins, win: for one and for several winners; number_win: where
    their names find no room. joined: between the last two of several names. threw: after the name of who threw. seat:
    in place of a name in letters that cannot be drawn; no_letters: below an item with such letters; stands,
    stand: why, for one and for several seats. die_of: which of
    how many is told. enlarge: on a terminal that is too small. tray_keys, keys: what the keys of the terminal do, with
    and without simulated dice, the longest line first: the first that fits is shown; two blanks between two keys.
    unknown_key: of a key that means nothing; this_key: in
    place of its name. help_keys, help_dice, help_asks: lines of the help, two blanks after
    what each is about; help_dice only with simulated dice.
    other_name: for browsers that use a name that is not the table's.
    language_code: of the language of these words (BCP 47). What begins with page_ is said by the page in a browser
    only: page_away while the table does not answer, page_full where too many look, page_late where something else was
    asked meanwhile, page_flood after too many presses, page_wrong, page_old_code and page_wait after wrong digits,
    page_later where they were asked for too often, page_waits below a throw that was entered while the table was away.
    """

    language_code: str = "en"

    moment: str = "one moment"
    paused: str = "paused"
    wins: str = "{names} wins"
    win: str = "{names} win"
    number_win: str = "{n} win"
    joined: str = "and"
    threw: str = "threw"
    seat: str = "player {n}"
    no_letters: str = "cannot show these letters"
    stands: str = "{names} stands for a name that this display cannot show"
    stand: str = "{names} stand for names that this display cannot show"
    die_of: str = "die {n} of {n2}"
    at_stake: str = "at stake {n}"
    score: str = "score"
    thrown: str = "thrown"
    reads: str = "reads {faces}"
    no_dice: str = "no dice"
    no_picture: str = "no picture"
    enlarge: str = "enlarge to {n}x{n2}"
    tray_keys: tuple[str, ...] = (
        "t throw  1-6 set aside  0 put back  n nudge  H menu  B undo  TAB sheet, display  ? help  q quit",
        "t throw  1-6 aside  0 back  n nudge  H menu  B undo  TAB sheet  ? help  q quit",
        "t throw  1-6 aside  H menu  B undo  TAB sheet  ? help  q quit",
        "t throw  1-6 aside  H menu  B undo  ? help  q quit",
        "t throw  H menu  B undo  ? help  q quit",
    )
    keys: tuple[str, ...] = (
        "H menu (long HOLD)  B undo (long BANK)  TAB sheet, display  ? help  q quit",
        "H menu  B undo  TAB sheet, display  ? help  q quit",
        "H menu  B undo  ? help  q quit",
    )
    happened: str = "what has happened"
    unknown_key: str = "{text} does nothing here; ? shows the keys"
    this_key: str = "this key"
    help_titles: tuple[str, ...] = ("Keys", "What the table asks")
    help_rules: str = "The rules: {game}"
    help_more: str = "any key: page {n} of {n2}  Esc: back to the table"
    help_end: str = "any key: back to the table"
    help_keys: tuple[str, ...] = (
        "h  HOLD, the left button",
        "b  BANK, the right button; Enter too",
        "H  long HOLD: the menu; m too",
        "B  long BANK: what to take back; u too",
        "TAB  the score sheet, the small display, the table again",
        "?  this help; F1 too",
        "q  leave; the match stays open",
    )
    help_dice: tuple[str, ...] = (
        "t  throw the dice that are due; the space bar too",
        "1-6  set a die with this face aside",
        "0  put the dice set aside back",
        "n  nudge a die that cannot be read",
    )
    help_asks: tuple[str, ...] = (
        "throw  Throw the dice: they are read when they lie still. HOLD pauses. BANK takes dice that lie there unread.",
        "keep  Set dice aside, or walk through the parts with HOLD. BANK keeps; throwing the rest keeps and rolls on.",
        "roll or bank  Throwing rolls on, and so does HOLD pressed twice. BANK takes the points and ends the turn.",
        "choose  HOLD shows the next answer, BANK takes the one shown.",
        "menu  HOLD goes to the next line, BANK takes it, long BANK goes back.",
        "?  A die that cannot be read is framed. Nudge it, or enter its face: HOLD counts up, BANK accepts.",
    )
    other_name: str = (
        "This table does not know the name in the address line. This is its address; the name itself can be allowed "
        "with a line in its configuration: host."
    )
    page_away: str = "The table is away. Trying again."
    page_full: str = "Too many are looking. Trying again."
    page_late: str = "Something else is asked now. Look again."
    page_refused: str = "That is not allowed now."
    page_flood: str = "Too fast. Wait a moment."
    page_join: str = "Play from this device"
    page_code: str = "The four digits that the table shows"
    page_enter: str = "Let me in"
    page_wrong: str = "Those are not the digits."
    page_old_code: str = "That code is old. The table shows the new one."
    page_wait: str = "Wait {n} seconds, then try again."
    page_later: str = "The table shows the digits again in {n} seconds, or now by its own menu: phones."
    page_throw: str = "Throw"
    page_undo: str = "Undo"
    page_menu: str = "Menu"
    page_back: str = "Back"
    page_keep: str = "Keep {faces}"
    page_keep_nothing: str = "Keep nothing"
    page_take_back: str = "Take back"
    page_setup: str = "Set up a match"
    page_steps: str = "Or step by step, as on the small screen:"
    page_which: str = "Which game?"
    page_search: str = "Find a game"
    page_other_game: str = "Another game"
    page_rules: str = "How it is played"
    page_who: str = "Who plays?"
    page_least: str = "Number of players: {n} or more"
    page_begins: str = "begins"
    page_up: str = "one seat forward"
    page_remove: str = "does not play"
    page_new_name: str = "New name"
    page_too_long: str = "{text} is too long: {n} letters at most"
    page_no_spaces: str = "{text}: no spaces, commas or equals signs, please"
    page_add: str = "Add"
    page_house: str = "House rules"
    page_usual: str = "as usual"
    page_start: str = "Start {game}"
    page_go_on: str = "Go on: {game}"
    page_again: str = "Again: {game}"
    page_stop: str = "Put this match aside"
    page_end: str = "End this match for good"
    page_sure: str = "Tap again: it cannot be resumed"
    page_change: str = "Change or delete"
    page_rename: str = "Rename"
    page_change_preset: str = "Change"
    page_delete: str = "Delete"
    page_delete_sure: str = "Tap again: delete"
    page_replace_sure: str = "Tap again: replace"
    page_as_preset: str = "Keep as a preset"
    page_preset_name: str = "Name of the preset"
    page_keep_preset: str = "Keep"
    page_preset_kept: str = "Kept: one tap begins it from now on."
    page_at_table: str = "Who leaves or joins?"
    page_leaves: str = "leaves"
    page_leaves_sure: str = "Tap again: {name} leaves"
    page_comes_back: str = "comes back"
    page_joins: str = "Joins"
    page_merge_names: str = "One person, two spellings"
    page_merge_note: str = "From then on one name is offered, and both count as one in the statistics."
    page_this_name: str = "this name"
    page_means: str = "means"
    page_merge: str = "Merge"
    page_part: str = "Part again"
    page_tap_keep: str = "Tap the dice that stay."
    page_tap_faces: str = "Throw your dice, then tap the faces."
    page_waits: str = "Sent as soon as the table is back."
    page_kept: str = "set aside"
    page_asked: str = "asked about"
    page_players: str = "Scores"
    page_sheet: str = "Score sheet"
    page_dice: str = "Dice"
    page_tray: str = "The tray"
    page_tray_closed: str = "Only devices that play here see the camera's picture."
    page_unread: str = "cannot be read"
    page_unread_asks: str = "This die cannot be read. What does it show?"
    page_misread: str = "Not a {n}. What does it show?"
    page_likely: str = "most likely"
    page_all: str = "Show all {n}"
    page_fewer: str = "Show fewer"
    page_device: str = "This device"
    page_sounds: str = "Sounds"
    page_speech: str = "Read aloud"
    page_no_voice: str = "This browser has no voice of its own for this language."
    page_wall: str = "Wall mode"
    page_check: str = "Check the table"
    page_arm: str = "Set up the camera"
    page_calibrate: str = "Calibrate step by step"
    page_corners_tap: str = "No markers? Lay a die into the tray, and tap the tray's four corners in the picture."
    page_corners_keys: str = "Arrow keys move the ring, with Shift by little; Enter sets a corner."
    page_corners_use: str = "Use these corners"
    page_wall_note: str = "Large type, and the screen stays on."
    page_wall_dark: str = "Large type. This browser cannot keep the screen on: set a longer screen timeout."
    page_done: str = "Done"
    page_table: str = "The table"
    page_buttons: str = "Buttons"
    page_leads: str = "leads"
    page_turn: str = "to play"


ENGLISH = Strings()
