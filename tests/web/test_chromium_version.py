"""The section "Version" in a real Chromium: files from the phone, and the version before, with taps."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from admin_machine import Helper, archive_of, give_key, installed
from admin_socket import serving
from browser import PHONE, Browser

from tabletop.dialogs.update import WHY
from tabletop.service import admin
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import NOTE, translated
from tabletop.web.admin import WORDS
from tabletop.web.page import Page

pytestmark = pytest.mark.slow

LAPTOP = (1280, 800)
PLACE = "[data-section=version]"
WIDER = "document.documentElement.scrollWidth"
FIELDS = f"[...document.querySelectorAll('{PLACE} :is(button, input)')]"
SMALL = f"{FIELDS}.filter(e => e.checkVisibility() && e.offsetHeight < 24)"
SAID = f"document.querySelector('{PLACE} [role=status]')?.textContent"


@pytest.fixture
def helper(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Helper]:
    """Install the table of the page with a version before, and give it a key."""
    found = installed(tmp_path)
    give_key(found)
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "socket"))
    page._site.config = found.config  # noqa: SLF001 - as `tabletop play --config` has it
    with serving(found, tmp_path / "socket"):
        yield found


def opened(phone: Browser, page: Page) -> None:
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until_seen("#device-open")
    phone.open(f"http://{page.address}/settings/settings.html")
    phone.until_seen(f"{PLACE} h2")


def choose(phone: Browser, *files: Path) -> None:
    """Give these files to the page, as the phone's own dialog does."""
    document = phone.cdp("DOM.getDocument", {})["root"]["nodeId"]
    place = phone.cdp("DOM.querySelector", {"nodeId": document, "selector": "#version-files"})["nodeId"]
    phone.cdp("DOM.setFileInputFiles", {"nodeId": place, "files": [str(file) for file in files]})


@pytest.mark.parametrize("language", ["en", "de"])
def test_files_are_installed_and_the_version_before_comes_back(
    phone: Browser, page: Page, helper: Helper, language: str, tmp_path: Path
) -> None:
    """Each end is a sentence; nothing is wider than the screen, and nothing to tap is smaller than 24 px."""
    known = load_language(language)
    page.show(translated(page.shown, known), None, time.monotonic())
    words, why = ({name: known.template(text, NOTE) for name, text in part.items()} for part in (WORDS, WHY))
    opened(phone, page)
    for size in (LAPTOP, PHONE):
        phone.resize(*size)
        assert (phone.value(WIDER), phone.value(f"{SMALL}.length")) == (size[0], 0)
    assert words["running"].replace("{text}", "0.2") in phone.text(PLACE)
    archive, signature = tmp_path / "tabletop-9.tar.gz", tmp_path / "tabletop-9.tar.gz.sig"
    packed, signed = archive_of(helper)
    archive.write_bytes(packed)
    signature.write_text(signed)
    choose(phone, archive)
    phone.until(f"{SAID} === {json.dumps(words['two_files'])}")
    archive.write_bytes(packed + b"\0")
    choose(phone, archive, signature)
    phone.until(f"{SAID}?.startsWith({json.dumps(why['forged'])})")
    assert not (helper.home / "ran-as-root").exists()
    archive.write_bytes(packed)
    choose(phone, archive, signature)
    phone.until(f"{SAID} === {json.dumps(words['done'].replace('{text}', '0.2'))}")
    assert (helper.home / "ran-as-root").exists()
    back = words["previous"].replace("{text}", "0.1")
    phone.run(f"[...document.querySelectorAll('{PLACE} button')].find(e => e.textContent === {back!r}).click()")
    phone.until(f"{SAID} === {json.dumps(words['done'].replace('{text}', '0.1'))}")
    assert helper.ask("state")["done"]["versions"]["current"] == "0.1"


def test_a_table_without_a_key_says_what_to_do(phone: Browser, page: Page, helper: Helper) -> None:
    """It offers no update, but the version before."""
    helper.config.with_name("release.pub").unlink()
    opened(phone, page)
    assert WHY["no-key"] in phone.text(PLACE)
    assert phone.value(f"document.querySelectorAll('{PLACE} button').length") == 1
    assert phone.value(f"document.querySelectorAll('{PLACE} input').length") == 0
