"""The root's helper fetches a release from a real https server on this machine."""

import http.server
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from admin_machine import Helper, archive_of, give_key, installed

NAME = "tabletop-0.3.0.tar.gz"
SUMS = "/release/SHA256SUMS"


class Release(http.server.BaseHTTPRequestHandler):
    """Serves what is in `files`; a text is another address."""

    files: dict[str, bytes | str]

    def do_GET(self) -> None:
        found = self.files.get(self.path)
        self.send_response(404 if found is None else 302 if isinstance(found, str) else 200)
        if isinstance(found, str):
            self.send_header("location", found)
        body = found if isinstance(found, bytes) else b""
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@contextmanager
def serving(files: dict[str, bytes | str], certificate: Path | None = None) -> Iterator[int]:
    """Serve these files, encrypted with a certificate; return the port."""
    handler = type("Served", (Release,), {"files": files})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a certificate for localhost, with its key."""
    folder = tmp_path_factory.mktemp("certificate")
    kind = ("req", "-x509", "-newkey", "ed25519", "-nodes", "-days", "2", "-subj", "/CN=localhost")
    names = ("-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key", "-out", folder / "cert")
    subprocess.run(["openssl", *kind, *names], check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text((folder / "cert").read_text() + (folder / "key").read_text())
    return both


@pytest.fixture
def helper(tmp_path: Path, certificate: Path) -> Helper:
    """Return a machine that trusts this certificate and a key."""
    helper = replace(installed(tmp_path), variables={"SSL_CERT_FILE": str(certificate)})
    give_key(helper)
    return helper


def release_of(helper: Helper) -> dict[str, bytes | str]:
    archive, signature = archive_of(helper)
    sums = f"{'0' * 64}  dice_referee-0.3.0.tar.gz\n{'0' * 64}  {NAME}\n".encode()
    return {SUMS: sums, f"/release/{NAME}": archive, f"/release/{NAME}.sig": signature.encode()}


def fetched(helper: Helper, port: int, name: str = "localhost") -> str:
    """Return with which code it was refused, "done" if it was not."""
    helper.config.with_name("release.url").write_text(f"https://{name}:{port}/release/\n")
    return str(helper.ask("update-from", place="release").get("refused", "done"))


def test_the_release_of_the_address_is_installed(helper: Helper, certificate: Path) -> None:
    """Also where the address leads on to another encrypted one, as on GitHub."""
    files = release_of(helper)
    with serving(files, certificate) as port:
        assert fetched(helper, port) == "done"
    assert (helper.home / "ran-as-root").exists()
    (helper.home / "ran-as-root").unlink()
    moved = {path.replace("release", "moved"): body for path, body in files.items()}
    with serving(moved, certificate) as port:
        moved |= {path: f"https://localhost:{port}{path.replace('release', 'moved')}" for path in files}
        assert fetched(helper, port) == "done"
    assert (helper.home / "ran-as-root").exists()


def test_what_is_not_the_owners_release_is_refused(helper: Helper, certificate: Path) -> None:
    """Another machine's certificate, a way out of the encryption, a file, nothing, too much."""
    files = release_of(helper)
    with serving(files) as plain, serving({}, certificate) as empty:
        assert fetched(helper, plain) == "unreachable"
        assert fetched(helper, empty) == "unreachable"
        for place in (f"http://localhost:{plain}{SUMS}", "file:///etc/passwd", "ftp://localhost/"):
            with serving({**files, SUMS: place}, certificate) as port:
                assert fetched(helper, port) == "unreachable"
    for spoilt, code in (
        ({SUMS: b"<html>"}, "no-archive"),
        ({f"/release/{NAME}": b"x" * 5000}, "forged"),
        ({f"/release/{NAME}": b"x" * (160 * 2**20 + 1)}, "bad-request"),
        ({f"/release/{NAME}.sig": b"x"}, "bad-request"),
    ):
        with serving({**files, **spoilt}, certificate) as port:
            assert fetched(helper, port) == code
    with serving(files, certificate) as port:
        assert fetched(helper, port, "127.0.0.1") == "unreachable"  # the certificate has another name
    assert not (helper.home / "ran-as-root").exists()
