"""A line of a file of words: what its braces mean, what is wrong with it, and which texts it tells. Pure."""

import re
from collections.abc import Callable, Mapping

_PLAYER = r"[^\s,=]+"  # as `tabletop.rules.names` allows them
_PHRASE = r".+?"
KNOWN = "<known>"  # stands for all lines of the sections, the longest first
# What can stand for a placeholder: a pattern; and the sections in which what stood there is looked up itself, if any.
KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "n": (r"[-+]?\d+", ()),
    "faces": (r"\d+(?: \d+)*", ()),
    "name": (_PLAYER, ()),
    "names": (rf"{_PLAYER}(?:(?:, | and ){_PLAYER})*", ()),
    "text": (_PHRASE, ()),
    "box": (_PHRASE, ("choices", "sheet")),
    "boxes": (_PHRASE, ("choices", "sheet")),  # with commas between
    "settings": (_PHRASE, ("options",)),  # with commas between
    "game": (KNOWN + "|" + _PHRASE, ("games",)),
    "games": (_PHRASE, ("games",)),  # with commas between
    "option": (KNOWN, ("options",)),
    "value": (KNOWN, ("options",)),
    "place": (_PHRASE, ("doubts",)),
    "reason": (_PHRASE, ("doubts",)),
    "why": (_PHRASE, ("endings",)),
    "entry": (_PHRASE, ("log", "choices", "sheet")),
    "then": (_PHRASE, ("log",)),
}
LISTS = ("boxes", "games", "settings")
PLACEHOLDER = re.compile(r"\{([a-z]+)(\d*)\}")
_BRACED = re.compile(r"\{.*?\}")
_BRACE = re.compile(r"[{}]")


def placeholders(text: str) -> tuple[str, ...]:
    """Return the names in braces, in order, "n2" for a second one of its kind."""
    return tuple(kind + number for kind, number in PLACEHOLDER.findall(text))


def line_fault(text: str, translation: str) -> str:
    """Return what is wrong with the braces of a line, empty where all is well; no translation is not wrong."""
    if not _BRACE.search(text + translation):  # most lines
        return ""
    for one in (text, translation):
        if _BRACE.search(PLACEHOLDER.sub("", one)):
            return f"braces only around a word, as in {{n}}, got {one!r}"
        unknown = [name for name in placeholders(one) if name.rstrip("0123456789") not in KINDS]
        if unknown:
            return f"in braces one of {', '.join(KINDS)}, got {{{unknown[0]}}}"
    if translation and sorted(placeholders(text)) != sorted(placeholders(translation)):
        wanted = " ".join(f"{{{name}}}" for name in placeholders(text)) or "no braces"
        return f"{wanted} on both sides, got {translation!r}"
    return ""


class Template:
    """A line with braces: its English side as a pattern, the other as text to fill in; the same where there is none."""

    def __init__(self, text: str, translation: str, pattern_of: Callable[[str], str]) -> None:
        self.text, self.translation = text, translation or text
        self.own = [part for part in _BRACED.split(text) if part]  # its letters, without what stands in braces
        self.letters = sum(map(len, self.own))
        self._pattern_of = pattern_of
        self._pattern: re.Pattern[str] | None = None

    def parts(self, text: str) -> dict[str, str] | None:
        """Return what stands for each placeholder, None where the text is another one."""
        if not all(own in text for own in self.own):  # most texts: a pattern takes a hundred times as long to make
            return None
        if self._pattern is None:
            escaped = re.sub(r"[^{}\w\s]", r"\\\g<0>", self.text)
            groups = PLACEHOLDER.sub(lambda place: f"(?P<{place[1]}{place[2]}>{self._pattern_of(place[1])})", escaped)
            self._pattern = re.compile(groups)
        found = self._pattern.fullmatch(text)
        return found.groupdict() if found else None
