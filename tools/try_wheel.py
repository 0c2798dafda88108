"""Uses an installed turnout as a user would, with nothing else: run it in a venv that has only the wheel."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import turnout

ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "upstream-model",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}],
}


class Upstream(BaseHTTPRequestHandler):
    """Answers every request with the same completion."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        body = json.dumps(ANSWER).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name is the base class's)
        """Says nothing."""


def ask(gateway_url: str) -> dict[str, Any]:
    """One chat completion; the decoded answer."""
    request = urllib.request.Request(
        f"{gateway_url}/v1/chat/completions",
        data=json.dumps({"model": "gpt", "messages": [{"role": "user", "content": "hi"}]}).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as reply:
        answer: dict[str, Any] = json.load(reply)
    return answer


def check_answer(answer: dict[str, Any], where: str) -> None:
    """Exits with a sentence if it is not the upstream's answer under the public model's name."""
    if answer["choices"] != ANSWER["choices"] or answer["model"] != "gpt":
        sys.exit(f"try_wheel: unexpected answer from {where}: {answer}")
    print(f"try_wheel: {where} answers")


def try_command(config: dict[str, Any]) -> None:
    """`turnout validate`, then `turnout serve` until it has answered once, then SIGTERM."""
    command = str(Path(sys.executable).parent / "turnout")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "turnout.json"
        file.write_text(json.dumps(config), encoding="utf-8")
        subprocess.run([command, "validate", "--config", str(file)], check=True)
        serve = [command, "serve", "--config", str(file), "--port", "0", "--no-data"]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                check_answer(ask(server.stdout.readline().split()[-1]), "the command")
            finally:
                server.terminate()
            if server.wait(timeout=20) != 0:
                sys.exit(f"try_wheel: the command ended with status {server.returncode} on SIGTERM")


def main() -> None:
    """Both ways in, one after the other."""
    upstream = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    config = {
        "deployments": [
            {
                "publicModel": "gpt",
                "adapterKey": "openaicompatible",
                "upstreamModel": "upstream-model",
                "credentials": {"baseUrl": f"http://127.0.0.1:{upstream.server_port}/v1"},
            }
        ]
    }
    print(f"try_wheel: turnout from {Path(turnout.__file__).parent}")
    with turnout.Gateway(config) as gateway:
        check_answer(ask(gateway.url), "the module")
    try_command(config)
    upstream.shutdown()


if __name__ == "__main__":
    main()
