"""The pages of the games, generated from the game files: facts, rules, pictures, options; and the list of all games.

All texts for players come from the same sources as those of the table, in its language.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tabletop.dialogs.setup_state import SetupContext
from tabletop.rules import game_ids, load
from tabletop.views.i18n.catalogue import load_language
from tabletop.web.setup import setup_of
from tools.docs.pictures import has_browser
from tools.docs.words import KINDS, WORDS

LIST_HERE = "<!-- The site lists the games here. -->"
# A paragraph of the rules begins with what it is about; a longer line before it has ended its sentence.
LABEL = re.compile(r"^([^\W\d_][^.:;()]{1,60}): ", re.MULTILINE)
SPECIAL = re.compile(r"([\\`*_<>|\[\]])")
Facts = Mapping[str, Any]  # of a game, as the page's setup form gets them


def write(folder: Path, code: str) -> None:
    """Write a page for each game, and the list of all of them to games/index.md."""
    known = SetupContext(tuple(load(game_id)[0] for game_id in game_ids()))
    games = sorted(setup_of(known, load_language(code))["games"], key=lambda game: str(game["name"]).casefold())
    for game in games:
        text = "\n".join(page(game, code))
        (folder / "games" / f"{game['id']}.md").write_text(text + "\n", encoding="utf-8")
    listed = folder / "games" / "index.md"
    text = listed.read_text(encoding="utf-8")
    listed.write_text(text.replace(LIST_HERE, "\n".join(overview(games, code))), encoding="utf-8")


def overview(games: list[Facts], code: str) -> Iterator[str]:
    """Yield the list of all games by their kind, each with a picture, its players, dice and minutes."""
    words = WORDS[code]
    for kind in KINDS:
        yield f'\n## {words[kind]}\n\n<div class="tt-games" markdown>\n'
        for game in games:
            if game["kind"] == kind:
                about = paragraphs(game["help"])[0][1]
                facts = " · ".join((_players(game, words), _dice(game, words), f"{game['minutes']} min"))
                picture = f"![{words['display'].format(name=game['name'])}](../assets/games/{game['id']}.png)"
                yield f"- [{picture}]({game['id']}.md)"
                yield f"  **[{game['name']}]({game['id']}.md)** {sentence(about)} <small>{facts}</small>"
        yield "\n</div>"


def page(game: Facts, code: str) -> Iterator[str]:
    """Yield the lines of a game's page."""
    words, name = WORDS[code], game["name"]
    yield f"# {name}\n"
    if game["others"]:
        yield f"{words['also']}: {', '.join(game['others'])}\n{{ .tt-also }}\n"
    yield '<div class="tt-facts" markdown>\n'
    minutes = words["minutes"].format(minutes=game["minutes"])
    for fact in (_players(game, words), _dice(game, words), minutes):
        yield f"- {fact}"
    yield '\n</div>\n\n<div class="tt-shown" markdown>\n'
    pictures = f"../assets/games/{game['id']}"
    yield f"![{words['display'].format(name=name)}]({pictures}-display.png)"
    if has_browser():
        for shade in ("light", "dark"):
            yield f"![{words['page'].format(name=name)}]({pictures}-{shade}.png#only-{shade})"
    yield f"\n</div>\n\n## {words['rules']}\n"
    for label, text in paragraphs(game["help"]):
        yield f"**{escaped(label)}.** {sentence(text)}\n"
    yield from _options(game, words)
    yield from _presets(game, words)


def paragraphs(rules: str) -> list[tuple[str, str]]:
    """Return the paragraphs of a rules text, each with the words before its first colon."""
    starts = [found for found in LABEL.finditer(rules) if rules[: found.start()].rstrip()[-1:] in ("", ".", "!", "?")]
    ends = [found.start() for found in starts[1:]] + [len(rules)]
    return [(found[1], " ".join(rules[found.end() : end].split())) for found, end in zip(starts, ends, strict=True)]


def escaped(text: str) -> str:
    """Escape a text's Markdown."""
    return SPECIAL.sub(r"\\\1", text)


def sentence(text: str) -> str:
    """Remove a text's markup and capitalise it."""
    return escaped(text[:1].upper() + text[1:])


def _players(game: Facts, words: Mapping[str, str]) -> str:
    return words["players" if game["least"] < game["most"] else "exactly"].format(**game)


def _dice(game: Facts, words: Mapping[str, str]) -> str:
    dice = words["one_die" if game["dice"] == 1 else "dice"].format(n=game["dice"])
    return words["each"].format(dice=dice) if load(game["id"])[0].dice_each else dice


def _options(game: Facts, words: Mapping[str, str]) -> Iterator[str]:
    options = [option for option in game["options"] if option["name"] != "rules"]
    if not options:
        return
    usual = next(iter(game["presets"].values()))
    first = options[0]["name"]
    yield f"## {words['options']}\n"
    yield words["how"].format(id=game["id"], option=first, value=_word(usual[first])) + "\n"
    yield f"| {words['option']} | {words['decides']} | {words['values']} |\n|---|---|---|"
    for option in options:
        values = "<br>".join(_values(option, usual[option["name"]], words))
        told = sentence(option["label"])
        if option["kind"] != "flag":
            told = f"**{told}**<br>{sentence(option['help'])}"
        yield f"| `{option['name']}` | {told} | {values} |"
    yield ""


def _values(option: Facts, usual: object, words: Mapping[str, str]) -> Iterator[str]:
    if option["kind"] == "number":
        yield words["range"].format(usual=usual, least=option["least"], most=option["most"])
        return
    choices = option["choices"] or [[True, words["yes"]], [False, words["no"]]]
    for value, said in choices:
        line = f"`{_word(value)}` {escaped(said)}"
        yield f"**{line}**" if value == usual else line


def _presets(game: Facts, words: Mapping[str, str]) -> Iterator[str]:
    called = next((dict(option["choices"]) for option in game["options"] if option["name"] == "rules"), {})
    if not called:
        return
    usual = next(iter(game["presets"].values()))
    yield f"## {words['presets']}\n\n{words['which']}\n"
    yield f"| `rules=` | {words['name']} | {words['sets']} |\n|---|---|---|"
    for preset, values in game["presets"].items():
        sets = [
            f"`{name}={_word(value)}`" for name, value in values.items() if name != "rules" and value != usual[name]
        ]
        yield f"| `{preset}` | {escaped(called[preset])} | {' '.join(sets) or words['nothing']} |"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
