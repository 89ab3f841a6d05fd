"""The words behind `usb:`: sizes, rates and controls, and a line for each that means nothing."""

import pytest

from tabletop.cameras.words import CameraWords, camera_words
from tabletop.core.errors import InputError


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "expected a number after usb:"),
        ("0,size=big", "expected usb:size= width x height in pixels, such as 1280x720, got 'big'"),
        ("0,size=640*480", "got '640*480'"),
        ("0,fps=300", "1 to 240, got '300'"),
        ("0,fsp=15", "got 'fsp=15'; nearest: fps=15"),
        ("0,zoom=2", "expected usb:N,name=value"),
        ("0,fps=5,fps=6", "at most once, got 'fps=6'"),
        ("0,exposure=nan", "expected usb:exposure= lock, auto or milliseconds, got 'nan'"),
        ("0,gain=lokc", "lock, auto or a number, got 'lokc'"),
        ("0,format=h264", "expected usb:format= mjpg or yuyv or any"),
    ],
)
def test_words_without_meaning_are_refused(text: str, said: str) -> None:
    """In one line that says what belongs there."""
    with pytest.raises(InputError) as told:
        camera_words("usb", text)
    assert said in str(told.value)
    assert "\n" not in str(told.value)


def test_words_may_leave_all_but_one_out() -> None:
    """The number, or anything else."""
    assert camera_words("usb", "") == CameraWords()
    assert camera_words("usb", "2").number == 2
    assert camera_words("usb", "fps=15,gain=auto") == CameraWords(fps=15, gain="auto")
