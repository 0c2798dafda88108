"""Certificates made at run time with the openssl command, so that no key is kept in a repository."""

from __future__ import annotations

import atexit
import shutil
import ssl
import subprocess
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

LOCAL = "IP:127.0.0.1,DNS:localhost"
"""The subjectAltNames under which upstreams of this package are reached."""

HOUR = timedelta(hours=1)
_NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


@dataclass(frozen=True)
class Certificate:
    certificate: Path
    """PEM; what a client must trust if it is signed by itself."""
    key: Path


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="fake-upstreams-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def issue(names: str = LOCAL) -> Certificate:
    """A new certificate for these subjectAltNames, signed by itself; one per process and names.

    This and the others raise OSError without openssl.
    """
    return _signed_by_itself("fake upstream", f"subjectAltName={names}")


@cache
def authority(name: str = "fake authority") -> Certificate:
    """A certificate that vouches for others, one per process and name."""
    made = _signed_by_itself(name, "keyUsage=critical,keyCertSign,cRLSign")
    (made.certificate.parent / "index.txt").touch()
    return made


@cache
def issue_by(
    signer: Certificate, names: str = LOCAL, since: timedelta = -HOUR, until: timedelta = 48 * HOUR
) -> Certificate:
    """A new certificate for these subjectAltNames, signed by an authority; one per process and arguments.

    It is valid from `since` to `until`, as seen from now.
    """
    place = Path(tempfile.mkdtemp(dir=_folder()))
    made = Certificate(place / "certificate.pem", place / "key.pem")
    asked = place / "request.pem"
    _openssl("req", "-new", *_NEW_KEY, "-keyout", made.key, "-out", asked, "-subj", "/CN=fake upstream")
    settings = place / "ca.conf"
    settings.write_text(
        f"[ca]\ndefault_ca=a\n[a]\ndatabase={signer.certificate.parent}/index.txt\nrand_serial=yes\ndefault_md=sha256\n"
        f"new_certs_dir={place}\nunique_subject=no\npolicy=p\nx509_extensions=x\n[p]\ncommonName=supplied\n"
        f"[x]\nsubjectAltName={names}\n"
    )
    valid = ["-startdate", _asn1(since), "-enddate", _asn1(until)]
    _openssl(
        "ca", "-batch", "-notext", "-config", settings, "-cert", signer.certificate, "-keyfile", signer.key,
        *valid, "-in", asked, "-out", made.certificate,
    )  # fmt: skip
    return made


def server_context(certificate: Certificate) -> ssl.SSLContext:
    """What a server needs to speak TLS with this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.certificate, certificate.key)
    return context


def _signed_by_itself(name: str, extension: str) -> Certificate:
    place = Path(tempfile.mkdtemp(dir=_folder()))
    made = Certificate(place / "certificate.pem", place / "key.pem")
    named = ["-subj", f"/CN={name}", "-addext", extension]
    _openssl("req", "-x509", *_NEW_KEY, "-keyout", made.key, "-out", made.certificate, "-days", "2", *named)
    return made


def _openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def _asn1(after: timedelta) -> str:
    return (datetime.now(UTC) + after).strftime("%Y%m%d%H%M%SZ")
