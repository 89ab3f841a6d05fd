"""Languages: files in which anybody can write what the table says in another one.

A file has a section for each kind of text, and in it a line for each English text: `"throw {n} dice" = "{n} Würfel
werfen"`. The English side is the id of a message (`core.message`), or a word of the rules, such as a box of the sheet:
it is looked up, nothing is matched. A text that the file does not have stays English: a game of one's own is played in
its author's words.

    language = load_language("de")           # or a file: load_language("my/fr.toml")
    language.translate(say("one die is missing"), ("hints",))

python -m tabletop.views.i18n.lint fr.toml    # what is missing, wrong or too long
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from string import Formatter
from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.message import Joined, Message
from tabletop.core.toml_file import TomlFile, read_toml

# The placeholders, each with the sections in which a plain word that fills it is looked up, if any. A second one of its
# kind has a number behind its name: {n}, {n2}.
KINDS: Mapping[str, tuple[str, ...]] = {
    "n": (),
    "faces": ("sheet",),  # or "nothing"
    "name": (),
    "names": (),
    "text": (),
    "box": ("choices", "sheet"),
    "boxes": ("choices", "sheet"),
    "settings": ("options",),
    "game": ("games",),
    "games": ("games",),
    "option": ("options",),
    "value": ("options",),
    "place": ("doubts",),
    "reason": ("doubts",),
    "why": ("endings",),
    "entry": ("log", "choices", "sheet"),
    "then": ("log",),
}


def kind(placeholder: str) -> str:
    """Return the kind of a placeholder: "n" of "n2"."""
    return placeholder.rstrip("0123456789")


def placeholders(text: str) -> tuple[str, ...]:
    """Return the names in braces, in order; ValueError for a brace that does not enclose one."""
    return tuple(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def line_fault(text: str, translation: str) -> str:
    """Return what is wrong with the braces of a line, empty if all is well; no translation is not wrong."""
    for side in (text, translation):
        try:
            names = placeholders(side)
        except ValueError:
            return f"braces only around a word, as in {{n}}, got {side!r}"
        unknown = [name for name in names if kind(name) not in KINDS]
        if unknown:
            return f"in braces one of {', '.join(KINDS)}, got {{{unknown[0]}}}"
    if translation and sorted(placeholders(text)) != sorted(placeholders(translation)):
        wanted = " ".join(f"{{{name}}}" for name in placeholders(text)) or "no braces"
        return f"{wanted} on both sides, got {translation!r}"
    return ""


FOLDER = Path(__file__).with_name("words")
SUFFIX = ".toml"
SOURCE = "en"  # the language of the program itself, and the file that lists all texts
NAME = "language"  # the line of a file that says how its language calls itself
SECTIONS = (
    *("buttons", "asks", "offers", "choices", "sheet", "hints", "doubts", "said", "endings"),
    *("titles", "menus", "notes", "log", "games", "options", "help", "mat", "screen"),
)
WORDS = ("choices", "sheet", "doubts", "games", "options", "help")  # plain strings are looked up only here
AND = " and "  # between the last two of several names
LONGEST_WORD = 60  # characters of a wrong language that are compared; a longer one is no slip of the finger
# A line of en.toml whose two sides differ.
_REWORDED = re.compile(r'^"(?P<id>(?:[^"\\]|\\.)*)" = (?!"(?P=id)"$)', re.MULTILINE)
_NAME_LINE = re.compile(rf'^{NAME} *= *"(.+)"', re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Language:
    """What the table says in one language.

    code: "de", or where a file of one's own is. name: as its speakers call it. sections: section -> English text ->
    translation, empty if there is none yet.
    """

    code: str = SOURCE
    name: str = "English"
    sections: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    _merged: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict, repr=False)

    def translate(self, text: str, sections: tuple[str, ...]) -> str:
        """Return a text in this language. sections: where its context is looked up first.

        A plain string is taken for a word of the rules; what is none of these sections' words is returned as it is.
        """
        if isinstance(text, Joined):
            between = f" {self.template('and', ('screen',))} " if text.between == AND else text.between
            return between.join(self.translate(part, sections) for part in text.parts)
        if isinstance(text, Message):
            line = self._line(text, (*sections, *SECTIONS))
            return line.format_map(self._filled(text.arguments)) if text.arguments else line
        if not text:
            return text
        return self.template(text, tuple(name for name in sections if name in WORDS))

    def template(self, text: str, sections: tuple[str, ...]) -> str:
        """Return what the first of these sections that has this text makes of it, the text itself if none has it."""
        return self._lines(sections).get(text, text)

    def _line(self, message: Message, sections: tuple[str, ...]) -> str:
        """Return the line for a message; one with the figure 1 in place of {n} is for a single point, token, ..."""
        lines = self._lines(sections)
        line = lines.get(message.id, message.id)
        return lines.get(message.id.replace("{n}", "1"), line) if message.arguments.get("n") == 1 else line

    def _lines(self, sections: tuple[str, ...]) -> Mapping[str, str]:
        """Return the lines of these sections, the first section's for a text that several have."""
        if sections not in self._merged:
            there = [self.sections.get(name, {}) for name in reversed(sections)]
            self._merged[sections] = {text: line for lines in there for text, line in lines.items() if line}
        return self._merged[sections]

    def _filled(self, arguments: Mapping[str, str | int]) -> Mapping[str, str | int]:
        return {
            name: self.translate(value, KINDS.get(kind(name), ())) if isinstance(value, str) else value
            for name, value in arguments.items()
        }


ENGLISH = Language()


def languages() -> dict[str, str]:
    """Return the languages that come with the program: code -> name as its speakers call it; English first."""
    codes = sorted((path.stem for path in FOLDER.glob(f"*{SUFFIX}")), key=lambda code: (code != SOURCE, code))
    texts = {code: (FOLDER / f"{code}{SUFFIX}").read_text(encoding="utf-8") for code in codes}
    return {code: found[1] if (found := _NAME_LINE.search(text)) else code for code, text in texts.items()}


def load_language(word: str) -> Language:
    """Return the language of this code, or of a file that ends in .toml. English is what en.toml makes of the ids.

    Raises InputError if there is none, and naming file and line of the first mistake.
    """
    if word == SOURCE:
        path = FOLDER / f"{SOURCE}{SUFFIX}"  # reading it takes 3 ms, parsing it 20
        return of_file(read_toml(path)) if _REWORDED.search(path.read_text(encoding="utf-8")) else ENGLISH
    if word.endswith(SUFFIX):
        return replace(of_file(read_toml(Path(word))), code=str(Path(word).resolve()))
    path = FOLDER / f"{word}{SUFFIX}"
    if not word.isalnum() or not path.is_file():
        known = ", ".join(f'"{code}" for {name}' for code, name in sorted(languages().items()))
        raise InputError(f"expected a language ({known}) or a file that ends in {SUFFIX}, got {word!r}{_nearest(word)}")
    return of_file(read_toml(path))


def _nearest(word: str) -> str:
    """Return which language was probably meant by a locale or a name; empty if none is like it."""
    meant = {code: code for code in languages()} | {name.lower(): code for code, name in languages().items()}
    near = get_close_matches(_code_of(word[:LONGEST_WORD]), meant, n=1)
    return f'; nearest: "{meant[near[0]]}"' if near else ""


def _code_of(locale: str) -> str:
    """Return the language's code of a locale as POSIX has it: "de_DE.UTF-8" is "de"."""
    return re.split(r"[_.@-]", locale)[0].lower()


def of_file(file: TomlFile) -> Language:
    """Check a file as read; raises InputError naming the line of the first mistake."""
    file.check_names((NAME, *SECTIONS))
    sections: dict[str, Mapping[str, str]] = {}
    for section in SECTIONS:
        lines = file.table(section)
        for text, translation in lines.items():
            wrong = (
                line_fault(text, translation)
                if isinstance(translation, str)
                else f'words in "quotes", got {translation}'
            )
            if wrong:
                raise InputError(f"{file.place(f'{section}.{text}')}: expected {wrong}")
        sections[section] = lines
    return Language(file.path.stem, _name(file), sections)


def of_environment(environ: Mapping[str, str]) -> str:
    """Return the code of the language that the environment asks for, English where it asks for none that is there.

    As POSIX has it, the first of LC_ALL, LC_MESSAGES and LANG that is set counts: "de_DE.UTF-8" is "de".
    """
    word = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), SOURCE)
    code = _code_of(word)
    return code if code.isalnum() and (FOLDER / f"{code}{SUFFIX}").is_file() else SOURCE


def _name(file: TomlFile) -> str:
    name: Any = file.values.get(NAME, file.path.stem)
    if not isinstance(name, str) or not name:
        raise file.wrong(NAME, 'the name of the language in "quotes"', name)
    return name


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


ENGLISH_PHRASES = Strings()
