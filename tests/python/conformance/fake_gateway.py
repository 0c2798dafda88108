#!/usr/bin/env python3
"""A gateway in miniature: starts, stands in virtual time, and stops, as the targets expect of a real one."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class State:
    """The virtual clock, the seed and the configuration."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.now_ms = 0
        self.seed: int | None = None


class Handler(BaseHTTPRequestHandler):
    """Answers the test routes, and echoes what the configuration says anywhere else."""

    protocol_version = "HTTP/1.1"
    state: State

    def do_GET(self) -> None:
        if self.path == "/test/timers":
            now = self.state.now_ms
            timer = {"kind": "response", "request": "r1", "due_ms": now + 600_000}
            self._answer({"now_ms": now, "timers": [timer]})
        else:
            self._answer({"echo": self.state.settings.get("echo"), "seed": self.state.seed})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/test/advance":
            self.state.now_ms += body["ms"]
            self._answer({"now_ms": self.state.now_ms})
        elif self.path == "/test/seed":
            self.state.seed = body["seed"]
            self._answer({})
        elif self.path == "/configure":
            self.state.settings = body
            self._answer({})
        else:
            self.send_error(404)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        sys.stderr.write(f"{self.requestline} {code}\n")
        sys.stderr.flush()

    def _answer(self, document: dict[str, Any]) -> None:
        payload = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


def make_server(state: State) -> ThreadingHTTPServer:
    """A server on any free port of the loopback."""
    handler = type("BoundHandler", (Handler,), {"state": state})
    return ThreadingHTTPServer(("127.0.0.1", 0), handler)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["serve", "validate"])
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--port", type=int)
    parser.add_argument("--test-control", action="store_true")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--no-data", action="store_true")
    options = parser.parse_args()
    settings = json.loads(options.config.read_text(encoding="utf-8"))
    if "problem" in settings:
        sys.stderr.write(f"{settings['problem']}\n")
        return 2
    if options.command == "validate":
        return 0
    state = State(settings)
    state.seed = options.seed
    server = make_server(state)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    sys.stdout.write(f"turnout: listening on http://127.0.0.1:{server.server_address[1]}\n")
    sys.stdout.flush()
    server.serve_forever(0.01)
    return int(settings.get("exit_code", 0))


if __name__ == "__main__":
    sys.exit(main())
