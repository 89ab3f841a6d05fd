"""The documentation site: built without a warning, complete, and readable without a network."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from browser import Browser, is_there

import tabletop
from tabletop.rules import game_ids, load
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import rules_text
from tools.docs import games, pages, promised

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "docs" / "site"
LANGUAGES = {"en": SITE, "de": SITE / "de"}
NOT_FOUND = "404.html"  # its addresses are those of a server
FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}
QUESTIONS = (  # of a player, of a builder, of somebody who extends the table: words that one answer has
    ("forgot", "bank"),
    ("display", "dark", "wire"),
    ("entry", "point", "tabletop.cameras"),
)


class Parts(HTMLParser):
    """What a page links to, what it fetches, and what can be linked to in it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.fetched: set[str] = set()
        self.ids: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        if tag in FETCHED and FETCHED[tag] in found:
            self.fetched.add(found[FETCHED[tag]])


def is_elsewhere(address: str) -> bool:
    return re.match(r"(?:[a-z]+:)?//|mailto:|data:", address) is not None


def dead_links(site: Path) -> Iterator[str]:
    """Yield each link, picture, script and style whose file or anchor is not there."""
    read = {page: Parts(page) for page in site.rglob("*.html") if page.name != NOT_FOUND}
    assert len(read) > 2 * len(game_ids())
    for page, parts in read.items():
        for address in sorted(parts.links | parts.fetched):
            path, anchor = urldefrag(address)
            target = (page.parent / unquote(path)).resolve() if path else page
            if is_elsewhere(address):
                continue
            if not target.is_file():
                yield f"{page.relative_to(site)}: {address}"
            elif anchor and target in read and unquote(anchor) not in read[target].ids | {"__skip"}:
                yield f"{page.relative_to(site)}: {address} (no such anchor)"


def from_elsewhere(site: Path) -> Iterator[str]:
    """Yield what a browser would fetch over the network."""
    for page in site.rglob("*.html"):
        yield from (
            f"{page.name}: {address}" for address in Parts(page).fetched if re.match(r"(?:[a-z]+:)?//", address)
        )
    for sheet in site.rglob("*.css"):
        yield from re.findall(r"(?:url\(|@import )\s*[\"']?(?:https?:)?//[^)\"']+", sheet.read_text(encoding="utf-8"))


def search_texts(site: Path) -> list[str]:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    return [f"{entry['title']} {entry['text']}".casefold() for entry in index["docs"]]


@pytest.mark.slow
@pytest.mark.longest
def test_the_site_is_built_and_complete() -> None:
    """`make docs` gives no warning; every link leads somewhere, search answers, and nothing comes from elsewhere."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    done = subprocess.run(["make", "docs"], cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout + done.stderr
    assert said.count("Documentation built") == len(LANGUAGES), "a quiet MkDocs counts no warnings"
    assert re.findall(r"^WARNING +- .*", said, re.MULTILINE) == []  # of MkDocs; pip has its own
    assert list(dead_links(SITE)) == []
    assert list(from_elsewhere(SITE)) == []
    for words in QUESTIONS:
        assert any(all(word in text for word in words) for text in search_texts(SITE)), words
    for code, site in LANGUAGES.items():
        language, found = load_language(code), " ".join(search_texts(site))
        for game_id in game_ids():
            game = load(game_id)[0]
            page = (site / "games" / f"{game_id}.html").read_text(encoding="utf-8")
            assert language.translate(game.name, ("games",)).casefold() in found
            assert f"{game_id}-display.png" in page
            assert (f"{game_id}-dark.png" in page) is is_there()
    for file, page in (("events-v1.json", "events.html"), ("api-v1.json", "http-api.html")):
        assert (SITE / file).read_bytes() == (ROOT / "docs" / file).read_bytes()
        assert (SITE / page).is_file()
    named = re.findall(r'class="doc doc-heading">\s*(\w+)', (SITE / "reference.html").read_text(encoding="utf-8"))
    assert set(tabletop.__all__) - {"__version__"} <= set(named)
    if is_there():
        reads_from_disk()


def reads_from_disk() -> None:
    """Open the home page as a file, and find a game by one of its names."""
    with Browser(1280, 800) as browser:
        browser.open((SITE / "index.html").as_uri())
        browser.tap(".md-search__input")
        browser.write(".md-search__input", "Farkle")
        browser.until("document.querySelectorAll('.md-search-result__link').length > 0")
        found = browser.all_of(".md-search-result__link", "pathname")
        assert any(path.endswith("/games/ten-thousand.html") for path in found)
        assert browser.value("performance.getEntriesByType('resource').every(r => r.name.startsWith('file:'))")


def test_every_promised_event_and_address_has_its_place(tmp_path: Path) -> None:
    """Each kind and each address has a heading, each field a row below it: all that the two files describe."""
    promised.write(tmp_path)
    schema = json.loads((ROOT / "docs" / "events-v1.json").read_text(encoding="utf-8"))
    kinds, fields = sections(tmp_path / "events.md"), {"faces", "notation", "scores"}
    for kind, about in schema["$defs"].items():
        if kind not in fields:
            assert about["description"] in kinds[kind], kind
            assert set(re.findall(r"^\| `(\w+)`", kinds[kind], re.MULTILINE)) == {*about["properties"]} - {"kind"}
    api = json.loads((ROOT / "docs" / "api-v1.json").read_text(encoding="utf-8"))
    addresses = sections(tmp_path / "http-api.md")
    for path, methods in api["paths"].items():
        for method, about in methods.items():
            found = addresses[f"{method.upper()} {path}"]
            assert {*re.findall(r"^\| (\d{3}) ", found, re.MULTILINE)} == {*about["responses"]}
            assert all(f"| `{given['name']}` |" in found for given in about.get("parameters", ()))


def sections(page: Path) -> dict[str, str]:
    """Return the text below each heading of the second level."""
    _, *parts = re.split(r"^## (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_word_of_the_rules_is_lost(code: str) -> None:
    """The paragraphs of each game's page, put together, are the rules text of the table."""
    for game_id in game_ids():
        game = load(game_id)[0]
        text = rules_text(code, game.name, game.help)
        found = games.paragraphs(text)
        assert len(found) >= 3, game_id
        assert " ".join(f"{label}: {words}" for label, words in found).split() == text.split(), game_id


def test_links_lead_to_the_site_or_to_the_repository(tmp_path: Path) -> None:
    """Pages and pictures are linked on the site; other files in the repository; code is left alone."""
    source = ROOT / "docs" / "building.md"
    text = (
        "[a](wiring.md#presses) [b](../hardware/README.md) [c](../hardware) [d](../README.md) [e](games.md)\n"
        "![f](drawings/stand.svg) [g](../pyproject.toml) [h](https://example.org) [i](nowhere.md)\n"
        "A list:\n- one\n\n```\n[a](../README.md)\nno list:\n- one\n```\n"
    )
    assert pages.for_site(text, source, pages.places("en"), tmp_path) == (
        "[a](wiring.md#presses) [b](hardware/README.md) [c](hardware/README.md) [d](index.md) [e](games/index.md)\n"
        f"![f](drawings/stand.svg) [g]({pages.address()}/blob/main/pyproject.toml) [h](https://example.org) "
        "[i](nowhere.md)\nA list:\n\n- one\n\n```\n[a](../README.md)\nno list:\n- one\n```\n"
    )
    assert (tmp_path / "drawings" / "stand.svg").is_file()


def test_what_the_german_pages_quote_is_on_the_table() -> None:
    """Every „quoted" button, menu line and answer is what the table says in German."""
    said = {line for section in load_language("de").sections.values() for line in section.values()}
    for page in sorted((ROOT / "docs" / "de").glob("*.md")):
        for quoted in re.findall("„([^“]+)“", page.read_text(encoding="utf-8")):
            assert " ".join(quoted.split()) in said, f"{page.name}: {quoted}"
