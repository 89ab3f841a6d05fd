"""The labelled photographs and films, which lie beside the checkout and are never copied into it."""

from pathlib import Path

import pytest

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"
needs_photos = pytest.mark.skipif(not PHOTOS.is_dir(), reason="needs ../shared/photos, not beside the checkout")
