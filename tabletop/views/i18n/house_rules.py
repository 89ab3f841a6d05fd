"""House rules as sentences: the meaning of each option value, and the names of presets. Pure.

The texts of the built-in games are in `house_rules.toml`. A custom game is described by the help of its options.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tabletop.core.message import say
from tabletop.rules import RULES, AnyOption, Game, Value

ANY_GAME, ANY_NUMBER, STANDARD = "any", "n", "standard"  # the last is the title of a game's first preset


@cache
def _texts() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    return tomllib.loads(Path(__file__).with_name("house_rules.toml").read_text(encoding="utf-8"))


def told(game: Game, option: AnyOption) -> Mapping[str, str]:
    """Return value -> English sentence, for values that have one; `n` for any other number, as {n}."""
    texts = _texts()
    return {**texts[ANY_GAME].get(option.name, {}), **texts.get(game.id, {}).get(option.name, {})}


def sentence(game: Game, option: AnyOption, value: Value) -> str:
    """Return the meaning of this option value; for a preset, its name."""
    texts = told(game, option)
    word = str(value).lower() if isinstance(value, bool) else str(value)
    if option.name == RULES and value == option.default:
        word = STANDARD
    if word in texts:
        return say(texts[word])
    if ANY_NUMBER in texts:
        return say(texts[ANY_NUMBER], n=int(value))
    if option.name == RULES:
        return word.replace("-", " ").capitalize()
    if value is True:
        return option.help
    return say("{text}: {value}", text=option.help, value=say("no") if value is False else word.replace("-", " "))
