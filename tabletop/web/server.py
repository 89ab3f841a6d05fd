"""The server's thread: uvicorn over a socket that is open already."""

import logging
import threading
from typing import Any

import uvicorn

from tabletop.web.app import POSTS, Site, application
from tabletop.web.connections import MOST_CONNECTIONS, Connection
from tabletop.web.guards import LONGEST_HEAD, Guard
from tabletop.web.listening import Listening

KEEP_ALIVE_S = 5  # an idle connection is closed after this long
LAST_S = 1  # how long open streams have at the end
LOGGERS = ("asyncio", "uvicorn")
JOIN_S = 3.0  # and then the thread


class Server:
    """Serves a site until it is closed."""

    def __init__(self, site: Site, listening: Listening) -> None:
        self._site, self._socket = site, listening.socket
        inside, posts = application(site), frozenset(POSTS)
        guarded: Any = Guard(inside, listening.names, listening.port, posts, listening.origin, site.other_name)
        self._server = uvicorn.Server(
            uvicorn.Config(
                guarded,
                loop="asyncio",
                http=Connection,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                limit_concurrency=MOST_CONNECTIONS,
                backlog=MOST_CONNECTIONS,
                timeout_keep_alive=KEEP_ALIVE_S,
                timeout_graceful_shutdown=LAST_S,
                h11_max_incomplete_event_size=LONGEST_HEAD,
            )
        )
        for name in LOGGERS:  # the terminal shows the table: a stranger's broken request must not be written into it
            logging.getLogger(name).addHandler(logging.NullHandler())
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End all streams and the thread. Closing twice does nothing."""
        self._server.should_exit = True
        self._site.feed.close()
        self._site.tray.close()
        self._thread.join(JOIN_S)
        self._socket.close()

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])
