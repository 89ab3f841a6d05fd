"""Connect the table to other programs: its hub of events, and the outlets that were configured."""

import argparse
from contextlib import ExitStack

from tabletop.broadcast.hub import Hub, Outlet, close_all
from tabletop.broadcast.receivers import FILE_NAME, Receivers
from tabletop.config.mqtt import NAME
from tabletop.store import Store, default_path

FLUSH_S = 5.0  # at the end, for what no receiver has yet
STOP_S = 1.0  # the same for a table with people: a service stops within two seconds


def outlets_of(options: argparse.Namespace) -> list[Outlet]:
    """Return the outlets that are configured, not yet started."""
    receivers = Receivers((options.store or default_path()).with_name(FILE_NAME))
    found = list[Outlet]()
    names = [hook.name for hook in options.hooks] + [NAME] * bool(options.broker)
    for name in receivers.failing().keys() - names:
        receivers.note(name, "")  # no longer configured, so no longer failing
    if options.broker is not None:
        from tabletop.broadcast.mqtt import Mqtt  # noqa: PLC0415 - only who asks for it needs paho-mqtt

        found.append(Mqtt(options.broker, receivers))
    if options.hooks:
        from tabletop.broadcast.hooks import Webhook  # noqa: PLC0415 - a table without hooks needs no TLS

        found += [Webhook(hook, receivers) for hook in options.hooks]
    return found


class Broadcast:
    """The hub with its outlets.

    options: of `play`, merged with the configuration. page: a page may follow as well. views: those through which the
    hub sees the table; empty without followers. flush_s: for all outlets together, at the end.
    """

    def __init__(self, options: argparse.Namespace, *, page: bool, flush_s: float = FLUSH_S) -> None:
        self._flush_s = flush_s
        self.outlets = outlets_of(options)
        self.hub = Hub(options.store or default_path())
        self.views = (self.hub,) if self.outlets or page else ()

    def start(self, store: Store, open_things: ExitStack) -> None:
        """Begin with what this store gets from now on; closes all with the other open things."""
        if not self.views:
            return
        self.hub.start(store.newest_sequence())
        for outlet in self.outlets:
            outlet.start(self.hub)
        open_things.callback(self._close)

    def _close(self) -> None:
        self.hub.close()
        close_all(self.outlets, self._flush_s)
