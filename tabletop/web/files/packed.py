"""What answers with the files of the page, as they were at the start: no path of a request ever reaches the disk."""

import gzip
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

STATIC = Path(__file__).parents[1] / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
SCRIPT = "text/javascript; charset=utf-8"
PACKED = ("image/png",)  # kinds that gzip makes no smaller

Answer = Callable[[Request], Awaitable[Response]]


def answers() -> dict[str, Answer]:
    """Return what answers with each file, by its address."""
    found = [path for path in STATIC.rglob("*") if path.is_file()]
    kinds = {path: TYPES.get(path.suffix, SCRIPT) for path in found}
    files = {f"/{path.relative_to(STATIC).as_posix()}": (path.read_bytes(), kinds[path]) for path in found}
    files["/"], files["/arm"] = files.pop("/index.html"), files["/arm/arm.html"]
    return {name: _answer(*content) for name, content in files.items()}


def _answer(content: bytes, kind: str) -> Answer:
    """Return what answers with a file, packed for whoever takes it so."""
    headers = {"content-type": kind, "cache-control": "no-cache", "vary": "accept-encoding"}
    plain = content, {**headers, "etag": _tag(content)}
    packed = plain
    if kind not in PACKED:
        body = gzip.compress(content, mtime=0)
        packed = body, {**headers, "etag": _tag(body), "content-encoding": "gzip"}

    async def answer(request: Request) -> Response:
        body, headers = packed if _takes_gzip(request.headers.get("accept-encoding", "")) else plain
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers)

    return answer


def _takes_gzip(accepted: str) -> bool:
    """Return whether a browser takes gzip; a weight of 0 refuses it (RFC 9110, 12.5.3)."""
    words = [word.replace(" ", "").lower().partition(";q=") for word in accepted.split(",")]
    return any(name == "gzip" and (not weight or weight.strip("0.")) for name, _, weight in words)


def _tag(body: bytes) -> str:
    return f'"{sha256(body).hexdigest()[:16]}"'
