"""`--profile FILE`, for the commands that have it."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabletop.core.values import Profile


def named_profile(path: Path | None) -> "Profile | None":
    """Return the profile of this file, None where none is named. Errors are those of `load_profile`."""
    if path is None:
        return None
    from tabletop.config.profile import load_profile  # noqa: PLC0415 - NumPy behind it costs a tenth of a second

    return load_profile(path)
