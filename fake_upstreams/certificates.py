"""Certificates made at run time with the openssl command, so that no key is kept in a repository."""

from __future__ import annotations

import atexit
import shutil
import ssl
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LOCAL = "IP:127.0.0.1,DNS:localhost"
"""The subjectAltNames under which upstreams of this package are reached."""


@dataclass(frozen=True)
class Certificate:
    certificate: Path
    """PEM; signed by itself, so it is also what a client must trust."""
    key: Path


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="fake-upstreams-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def issue(names: str = LOCAL) -> Certificate:
    """A new certificate for these subjectAltNames, one per process and names. Raises OSError without openssl."""
    place = Path(tempfile.mkdtemp(dir=_folder()))
    made = Certificate(place / "certificate.pem", place / "key.pem")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-keyout", str(made.key), "-out", str(made.certificate), "-days", "2"]
    command += ["-subj", "/CN=fake upstream", "-addext", f"subjectAltName={names}"]
    subprocess.run(command, check=True, capture_output=True)
    return made


def server_context(certificate: Certificate) -> ssl.SSLContext:
    """What a server needs to speak TLS with this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.certificate, certificate.key)
    return context
