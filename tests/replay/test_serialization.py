"""What a recording stores of a reading is read back as it was."""

import json

import pytest

from tabletop.core.message import reason_text
from tabletop.core.values import Reading, Unsure, UnsureReason
from tabletop.replay.serialization import reading_from, reading_json


@pytest.mark.parametrize("reason", UnsureReason)
def test_the_reason_of_an_unsure_die_is_stored_by_its_name(reason: UnsureReason) -> None:
    """Each reason comes back equal, with its two faces if it has them, and no sentence for people is in the file."""
    faces = (4, 6) if reason is UnsureReason.TWO_FACES else ()
    unsure = Unsure(10.0, 20.0, 50.0, reason, faces=faces)
    stored = json.dumps(reading_json(Reading(1.5, 640, 480, unsure=(unsure,))))
    assert reason_text(unsure) not in stored
    assert reading_from(json.loads(stored), 1.5).unsure == (unsure,)
