"""The hotspot in the table's menu: what two buttons and a display show of it."""

import re
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
import zxingcpp
from glass import Glass
from numpy.typing import NDArray

from tabletop.cli.wiring.presenter import Views
from tabletop.core.ports import Press
from tabletop.dialogs.commands import CloseHotspot, Dialog, MenuAction
from tabletop.dialogs.hotspot import FAILED, WHY, Hotspot, HotspotDialog
from tabletop.dialogs.menu import devices_page
from tabletop.session.snapshotting import in_one_line
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.oled.scan import draw_scan
from tabletop.views.snapshot import Scan, Snapshot
from tabletop.web.payload import packed, page_of

HOLD, BANK = Press("hold"), Press("bank")
PAGE = Scan("http://10.42.0.1:8080/#0427", ("10.42.0.1:8080", "0427"))
OPEN = Hotspot(name="tabletop", password="gh23jk45mn")  # noqa: S106 - of a test
PIXEL_PX = 6  # of a phone's camera for one of the display
NAMES = ["tabletop", "raspberrypi", "dice-table-of-the-museum1", 'a;b:c,d"e\\f']


@dataclass(slots=True)
class Table:
    """A table whose hotspot the test opens."""

    now: Hotspot

    def dialog(self, *, in_match: bool = True) -> Dialog:
        return HotspotDialog(lambda: self.now, lambda: PAGE, in_match)


def photographs(pixels: NDArray[np.bool_]) -> list[NDArray[np.uint8]]:
    """Return a display as a phone sees it: straight, and a little turned and blurred."""
    straight = (pixels * 255).astype(np.uint8).repeat(PIXEL_PX, axis=0).repeat(PIXEL_PX, axis=1)
    around = np.pad(straight, 10 * PIXEL_PX)
    turn = cv2.getRotationMatrix2D((around.shape[1] / 2, around.shape[0] / 2), 7.0, 1.0)
    turned = cv2.GaussianBlur(cv2.warpAffine(around, turn, around.shape[::-1]), (5, 5), 1.5)
    return [straight, turned.astype(np.uint8)]


def wanted(text: str) -> dict[str, str]:
    r"""Read such a code as ZXing's wiki describes it: fields end at `;`, and `\` takes the next letter as it is."""
    assert text.startswith("WIFI:")
    assert text.endswith(";;")
    fields = re.findall(r"([A-Z]):((?:\\.|[^\\;])*);", text.removeprefix("WIFI:"))
    return {name: re.sub(r"\\(.)", r"\1", value) for name, value in fields}


@pytest.mark.parametrize("name", NAMES)
def test_a_phone_reads_network_and_password(name: str) -> None:
    """With ZXing's reader, and straight with OpenCV's, from 128 by 64 pixels, with the longest name too."""
    code = replace(OPEN, name=name).code
    pixels = draw_scan(code, "next", 128, 64)
    assert pixels is not None
    pictures = photographs(pixels)
    texts = [found.text for picture in pictures for found in zxingcpp.read_barcodes(picture)]
    texts.append(cv2.QRCodeDetector().detectAndDecode(pictures[0])[0])
    assert [wanted(text) for text in texts] == [{"T": "WPA", "S": name, "P": OPEN.password}] * 3


def test_the_way_to_the_page() -> None:
    """The network, then the page, then closing it, by HOLD; BANK goes on as well, and leaves at the end."""
    dialog: Dialog = Table(OPEN).dialog()
    scans = []
    for _ in range(4):
        scans.append(dialog.snapshot.scan)
        then = dialog.press(HOLD)
        assert isinstance(then, HotspotDialog)
        dialog = then
    assert scans == [OPEN.code, PAGE, None, None]
    second = dialog.press(BANK)
    assert isinstance(second, HotspotDialog)
    assert second.snapshot.scan == PAGE
    assert second.press(BANK) is MenuAction.BACK
    third = second.press(HOLD)
    assert isinstance(third, HotspotDialog)
    assert third.press(BANK) == CloseHotspot()
    assert Table(OPEN).dialog(in_match=False).step_to(3).press(BANK) is MenuAction.START_MENU


@pytest.mark.parametrize("why", [*WHY, "something-new"])
def test_why_it_does_not_open(why: str) -> None:
    """Each answer of the helper is a line of its own, in German too; BANK leaves."""
    table = Table(Hotspot(busy=True))
    dialog = table.dialog()
    waiting = dialog.snapshot.menu
    table.now = Hotspot(why=why)
    menu = dialog.snapshot.menu
    assert menu is not None
    assert waiting is not None
    assert menu.note == WHY.get(why, FAILED) != waiting.note
    assert load_language("de").translate(menu.note, ("notes",)) != menu.note
    assert dialog.press(BANK) is MenuAction.BACK


def test_only_the_table_itself_shows_the_password() -> None:
    """A low display and the terminal in letters; the page and the journal, which others read, not at all."""
    shown = Table(OPEN).dialog().snapshot
    high, flat = Glass(64), Glass(32)
    views = Views((high, flat), None, load_language("de"))
    views.show(shown, None, 0.0)
    assert zxingcpp.read_barcodes(photographs(high.pixels)[0])[0].text == OPEN.code.content
    letters = flat.pixels
    views.show(replace(shown, scan=replace(OPEN.code, lines=("other", "other"))), None, 0.0)
    assert (flat.pixels != letters).any()
    assert OPEN.password not in packed(page_of(1, shown)).decode()
    assert OPEN.password not in in_one_line(shown)
    assert OPEN.password not in repr(shown)


def test_only_an_installed_table_offers_it() -> None:
    """Without the helper, the menu has no such line."""

    def actions(*, hotspot: bool) -> list[object]:
        return [item.target for item in devices_page(0, hotspot=hotspot).pages[0].items]

    assert MenuAction.HOTSPOT in actions(hotspot=True)
    assert MenuAction.HOTSPOT not in actions(hotspot=False)
    assert draw_scan(OPEN.code, "next", 128, 32) is None
    assert Snapshot().scan is None
