"""The port of an outlet: whatever carries events out of the table, such as MQTT or webhooks."""

from typing import Protocol

from tabletop.broadcast.hub import Hub


class Outlet(Protocol):
    """Carries events to others in separate threads. A slow or broken receiver never delays the table."""

    def start(self, hub: Hub) -> None:
        """Begin to follow the hub; returns at once."""

    def close(self, within_s: float) -> None:
        """Send what is left, for at most this long, then stop. Called once, after the hub was closed."""
