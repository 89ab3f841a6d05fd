"""The page on a home screen: its manifest, and icons as large as it says."""

import json
import time
from pathlib import Path

import cv2
import numpy as np
from page_visitor import Visitor

from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page


def test_it_can_be_put_on_the_home_screen(tmp_path: Path) -> None:
    """The manifest names icons that are there, as large as it says."""
    page = Page(listen("local", 0), time.monotonic, tmp_path / DEVICES)
    visitor = Visitor(page.address)
    answer = visitor.get("/look/app.webmanifest")
    manifest = json.loads(answer.body)
    assert answer.headers["content-type"] == "application/manifest+json"
    for icon in manifest["icons"]:
        picture = visitor.get(icon["src"])
        assert (picture.status, picture.headers["content-type"]) == (200, icon["type"])
        if icon["type"] == "image/png":
            pixels = cv2.imdecode(np.frombuffer(picture.body, np.uint8), cv2.IMREAD_COLOR)
            assert pixels is not None
            assert icon["sizes"] == f"{pixels.shape[1]}x{pixels.shape[0]}"
    assert visitor.get(manifest["start_url"]).status == 200
    page.close()
