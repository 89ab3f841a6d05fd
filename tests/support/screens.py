"""The screens on which the page has to fit, and what finds faults in it by the places of its parts."""

from pathlib import Path

SIZES = ((360, 740), (390, 844), (768, 1024), (844, 390), (1280, 800), (1440, 900))  # CSS pixels
FAULTS = Path(__file__).with_name("layout_faults.js").read_text(encoding="utf-8")  # run in the page, returns sentences
