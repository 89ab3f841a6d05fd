"""A camera's view from each height: fields of view of common cameras, and the size of dice in their pictures.

Straight down, without lens distortion. Sources: the fields of the camera modules are from Raspberry Pi's documentation
("Camera hardware specification"); webcams specify the diagonal, 78 degrees (Logitech C920) or 60 degrees (C270), of a
16:9 picture, from which the others follow.
"""

from dataclasses import dataclass
from math import atan, degrees, hypot, radians, tan

DIE_MM = 16.0  # the edge of the usual die
TRAY_MM = (300.0, 200.0)  # inside, of the tray that the stand is drawn for
MARGIN_MM = 20.0  # round the tray, for a rail or a camera that hangs askew
WIDE_PICTURE = (16, 9)


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera's lens. horizontal_deg, vertical_deg: field of view of the whole picture."""

    name: str
    horizontal_deg: float
    vertical_deg: float

    def seen_mm(self, height_mm: float, above_mm: float = DIE_MM) -> tuple[float, float]:
        """Return the visible width and depth from this height, in the plane `above_mm` above the tray's floor.

        Dice are read on their top faces, so those must be in the picture.
        """
        distance = height_mm - above_mm
        return (
            2 * distance * tan(radians(self.horizontal_deg) / 2),
            2 * distance * tan(radians(self.vertical_deg) / 2),
        )

    def lowest_mm(self, tray_mm: tuple[float, float] = TRAY_MM, margin_mm: float = MARGIN_MM) -> float:
        """Return the lowest height of the lens from which a tray with its margin is visible, longer side across."""
        wanted = (tray_mm[0] + 2 * margin_mm, tray_mm[1] + 2 * margin_mm)
        seen = self.seen_mm(1.0, above_mm=0.0)
        return DIE_MM + max(wanted[0] / seen[0], wanted[1] / seen[1])

    def die_px(self, height_mm: float, width_px: int, die_mm: float = DIE_MM) -> float:
        """Return the width of a die's top face in a picture of this width that shows the whole field."""
        return width_px * die_mm / self.seen_mm(height_mm, above_mm=die_mm)[0]


def webcam(name: str, diagonal_deg: float) -> Camera:
    """Return a camera of which only the diagonal is specified."""
    half = tan(radians(diagonal_deg) / 2) / hypot(*WIDE_PICTURE)
    across, along = (2 * degrees(atan(side * half)) for side in WIDE_PICTURE)
    return Camera(name, across, along)


CAMERAS = (
    Camera("Camera Module 2", 62.2, 48.8),
    Camera("Camera Module 3", 66.0, 41.0),
    Camera("Camera Module 3 Wide", 102.0, 67.0),
    webcam("USB camera, 78 degrees", 78.0),
    webcam("USB camera, 60 degrees", 60.0),
)


def height_table(height_mm: float) -> list[str]:
    """Return the rows of the docs' table, in Markdown: each camera's view from this height."""
    rows = []
    for camera in CAMERAS:
        width, depth = camera.seen_mm(height_mm)
        field = f"{camera.horizontal_deg:.0f} x {camera.vertical_deg:.0f}"
        sizes = f"{camera.die_px(height_mm, 640):.0f} | {camera.die_px(height_mm, 1280):.0f}"
        rows.append(f"| {camera.name} | {field} | {camera.lowest_mm():.0f} | {width:.0f} x {depth:.0f} | {sizes} |")
    return rows
