"""What a gateway and the process around it owe each other."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

import turnout

ROOT = Path(__file__).resolve().parent.parent.parent
GUARD_SECONDS = 30

CONFIG = """
import turnout
config = {"deployments": [{"publicModel": "gpt", "adapterKey": "openaicompatible", "upstreamModel": "up",
                           "credentials": {"baseUrl": "http://127.0.0.1:9/v1"}}]}
"""

# Asks the gateway, whose upstream lives here, while the process of the gateway holds its interpreter lock.
CLIENT = """
import sys
from conformance.client import call
from fake_upstreams import FakeUpstreamThread, chat, reply

with FakeUpstreamThread([reply(chat.completion("hello"), times=20)]) as upstream:
    print(upstream.base_url, flush=True)
    url = sys.stdin.readline().strip()
    for _ in range(20):
        answer = call(url, "POST", "/v1/chat/completions", {"model": "gpt", "messages": []})
        assert answer.status == 200, answer
sys.stdout.write("served\\n")
sys.stdout.flush()
"""


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CONFIG + script],
        cwd=ROOT / "python",
        capture_output=True,
        text=True,
        timeout=GUARD_SECONDS,
        check=False,
    )


@pytest.mark.rule("PY-GATEWAY-007")
def test_serves_while_python_holds_the_interpreter_lock() -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    with client:
        assert client.stdin is not None
        assert client.stdout is not None
        base_url = client.stdout.readline().decode().strip()
        deployment = {
            "publicModel": "gpt",
            "adapterKey": "openaicompatible",
            "upstreamModel": "up",
            "credentials": {"baseUrl": base_url},
        }
        with turnout.Gateway({"deployments": [deployment]}) as gateway:
            client.stdin.write(gateway.url.encode() + b"\n")
            # A PyDLL keeps the lock during the call, and the call ends when the client has been served or has given up.
            said = ctypes.create_string_buffer(16)
            ctypes.PyDLL(None).read(client.stdout.fileno(), said, len(said))
            assert said.value == b"served\n"
    assert client.returncode == 0


def test_one_that_still_runs_is_stopped_at_the_end_of_the_process() -> None:
    done = run("gateway = turnout.Gateway(config)\ngateway.start()\nprint(gateway.url)")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("http://127.0.0.1:")
    assert done.stderr == ""


def test_one_that_nobody_holds_is_stopped() -> None:
    done = run("""
import socket
gateway = turnout.Gateway(config)
gateway.start()
port = int(gateway.url.rpartition(":")[2])
del gateway
assert socket.socket().connect_ex(("127.0.0.1", port)) != 0
""")
    assert done.returncode == 0, done.stderr


def test_a_forked_child_has_no_gateway() -> None:
    done = run("""
import os, socket, sys
with turnout.Gateway(config) as gateway:
    port = int(gateway.url.rpartition(":")[2])
    if (child := os.fork()) == 0:
        gateway.stop()
        try:
            gateway.url
        except RuntimeError:
            sys.exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert socket.socket().connect_ex(("127.0.0.1", port)) == 0
""")
    assert done.returncode == 0, done.stderr
