"""Files of certificates and keys that a configuration names."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from conformance.checks import Check
from conformance.targets import Target
from fake_upstreams import certificates

pytestmark = pytest.mark.needs("validate")


GOOD = {
    "publicModel": "gpt",
    "adapterKey": "openaicompatible",
    "upstreamModel": "m",
    "credentials": {"baseUrl": "http://127.0.0.1:9/v1"},
}


def settings(**sections: Any) -> dict[str, Any]:
    return {"deployments": [GOOD], **sections}


def encrypted(key: Path, into: Path) -> Path:
    command = ["openssl", "pkcs8", "-topk8", "-in", str(key), "-out", str(into), "-passout", "pass:secret"]
    subprocess.run(command, check=True, capture_output=True)
    return into


@pytest.mark.rule("CFG-TLS-001", "CFG-TLS-002")
def test_a_certificate_and_its_key_have_to_serve(check: Check, target: Target, tmp_path: Path) -> None:
    shown, other = certificates.issue(), certificates.authority()
    empty = tmp_path / "empty.pem"
    empty.touch()
    locked = encrypted(shown.key, tmp_path / "locked.pem")
    content = shown.key.read_text()
    absent = tmp_path / "absent.pem"
    cases: list[tuple[str, Any, Any, str]] = [
        ("certificateFile", absent, shown.key, "cannot be read"),
        ("certificateFile", tmp_path, shown.key, "cannot be read"),
        ("certificateFile", empty, shown.key, "a certificate in PEM"),
        ("certificateFile", shown.key, shown.key, "a certificate in PEM"),
        ("keyFile", shown.certificate, absent, "cannot be read"),
        ("keyFile", shown.certificate, shown.certificate, "a private key in PEM"),
        ("keyFile", shown.certificate, locked, "without a passphrase"),
        ("keyFile", shown.certificate, other.key, "of the first certificate in certificateFile"),
        ("keyFile", shown.certificate, content, ""),
        ("keyFile", shown.certificate, content.replace("\n", " "), "the path of a file"),
    ]
    with check("CFG-TLS-001"):
        right = {"certificateFile": str(shown.certificate), "keyFile": str(shown.key)}
        assert target.problems(settings(server={"tls": right}), tmp_path) == []
    for member, certificate, key, wanted in cases:
        tls = {"certificateFile": str(certificate), "keyFile": str(key)}
        problems = target.problems(settings(server={"tls": tls}), tmp_path)
        with check("CFG-TLS-001"):
            assert len(problems) == 1, problems
            assert problems[0].startswith(f"server.tls.{member}: "), problems
            assert wanted in problems[0], problems
        with check("CFG-TLS-002"):
            assert "PRIVATE" not in problems[0]
            assert content.splitlines()[1] not in problems[0]


@pytest.mark.rule("CFG-TLS-004")
def test_both_files_may_be_wrong(check: Check, target: Target, tmp_path: Path) -> None:
    absent = {"certificateFile": str(tmp_path / "none.pem"), "keyFile": str(tmp_path / "no-key.pem")}
    problems = target.problems(settings(server={"tls": absent}), tmp_path)
    with check("CFG-TLS-004"):
        told = [f"server.tls.{member}: cannot be read: {file}" for member, file in absent.items()]
        assert [problem.rpartition(": ")[0] for problem in problems] == told


@pytest.mark.rule("CFG-NETWORK-005")
def test_authorities_have_to_be_readable(check: Check, target: Target, tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.touch()
    with check("CFG-NETWORK-005"):
        right = settings(network={"caFile": str(certificates.authority().certificate)})
        assert target.problems(right, tmp_path) == []
        for file in (tmp_path / "absent.pem", tmp_path, empty, certificates.authority().key):
            problems = target.problems(settings(network={"caFile": str(file)}), tmp_path)
            assert len(problems) == 1, problems
            assert problems[0].startswith("network.caFile: "), problems
            assert str(file) in problems[0], problems
