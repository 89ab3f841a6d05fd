"""NOTICE names what is installed with a table, with its licence: against the installer's lists."""

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from tools import notice

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "NOTICE").read_text()
INSTALLER = (ROOT / "systemd" / "install").read_text()
ON_A_TABLE = re.findall(r"^(\S+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
FROM_THE_SYSTEM = " ".join(re.findall(r'^(?:PI_)?NEEDED="(.*)"', INSTALLER, re.MULTILINE)).split()


def entry(name: str) -> tuple[str, str]:
    named = rf"^  (?:[\w-]+, )?{name}(?:, [\w-]+)* +(\S.*?)  (https?://\S+)$"
    ((stated, page),) = re.findall(named, TEXT, re.MULTILINE)
    return stated, page


@pytest.mark.parametrize("name", [*ON_A_TABLE, *FROM_THE_SYSTEM])
def test_each_installed_package_has_a_licence_without_a_duty_to_open_this_program(name: str) -> None:
    """One line each, with a home page; a GPL only where another licence or an exception stands beside it."""
    stated, page = entry(name)
    assert re.match(r"https?://[\w.-]+\.\w+", page)
    for choice in re.split(r" AND ", stated):
        assert not re.search(r"\bA?GPL", choice) or re.search(r" OR | WITH ", choice), stated


def is_here(name: str) -> bool:
    """Return whether this package is installed: one for another machine is not."""
    try:
        return bool(distribution(name))
    except PackageNotFoundError:
        return False


def test_the_list_is_what_the_packages_say_now() -> None:
    """`make notice` would change nothing."""
    written = re.findall(r"^  ([\w-]+)", TEXT.partition("writes this list:\n\n")[2].partition("\n\n")[0], re.MULTILINE)
    assert set(ON_A_TABLE) <= set(written)
    assert all(notice.line(name) in TEXT for name in written if is_here(name))
    assert written == notice.locked()
