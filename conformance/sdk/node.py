"""The official OpenAI SDK for Node, one process per call."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.session import MESSAGES, Session
from conformance.targets.base import TargetError
from fake_upstreams import certificates

FOLDER = Path(__file__).resolve().parent / "node"
GUARD_SECONDS = 60.0
"""Real time after which a call counts as hung."""

_MACHINES = {"x86_64": "x64", "aarch64": "arm64"}


@dataclass(frozen=True)
class Outcome:
    """What came of a call."""

    result: Any
    """The completion or response, of `create`, `helper`, `retrieve` and `cancel`; what `delete` says."""
    chunks: list[Any]
    """What was iterated over, of `stream`, `models` and `inputItems.list`; also before an error."""
    error: Mapping[str, Any] | None
    """`name` of its class, status, code, type, param, message, request_id."""

    @property
    def content(self) -> str:
        """The content of the first choice."""
        if self.result is not None:
            return str(self.result["choices"][0]["message"]["content"])
        return "".join(choice["delta"].get("content") or "" for chunk in self.chunks for choice in chunk["choices"])


class NodeSdk:
    """Calls through the SDK with its retries off, unless `client` says otherwise."""

    def __init__(self, gateway: Session, key: str = "none", **client: Any) -> None:
        self._client = {"baseURL": gateway.url + "/v1", "apiKey": key, "maxRetries": 0, **client}

    def call(self, kind: str, leave_after: int | None = None, **body: Any) -> Outcome:
        """`create`, `stream`, `helper` or `models`; `leave_after` so many chunks the stream is left.

        The first three with `responses.` before them are calls of the Responses protocol; `responses.socket` sends
        each of `turns` over one WebSocket, when the one before has ended.
        """
        asked = {"input": "hi"} if kind.startswith("responses.") else {"messages": MESSAGES}
        wish = {
            "client": self._client,
            "call": kind,
            "leave_after": leave_after,
            "body": {**asked, **body},
        }
        return _outcome(wish)

    def stored(self, kind: str, response_id: str) -> Outcome:
        """`retrieve`, `cancel`, `delete` or `inputItems.list` of one response; the items are `chunks`."""
        return _outcome({"client": self._client, "call": f"responses.{kind}", "id": response_id})


def _outcome(wish: Mapping[str, Any]) -> Outcome:
    outcome = run("run.mjs", wish)
    return Outcome(outcome.get("result"), outcome["chunks"], outcome.get("error"))


def run(script: str, wish: Mapping[str, Any]) -> dict[str, Any]:
    """What a script of `node/` makes of a wish. AssertionError if it ends badly."""
    done = subprocess.run(
        [str(executable()), str(FOLDER / script)],
        input=json.dumps(wish), capture_output=True, text=True, timeout=GUARD_SECONDS, check=False,
        env={**os.environ, "NODE_EXTRA_CA_CERTS": str(certificates.issue().certificate)},
    )  # fmt: skip
    if done.returncode != 0:
        raise AssertionError(f"the SDK ended with code {done.returncode}: {done.stderr}")
    outcome: dict[str, Any] = json.loads(done.stdout)
    return outcome


def executable() -> Path:
    """The pinned Node. TargetError if it is not installed."""
    package = f"node-linux-{_MACHINES.get(platform.machine(), platform.machine())}"
    node = FOLDER / "node_modules" / package / "bin" / "node"
    if not os.access(node, os.X_OK):
        raise TargetError(f"the scenarios of the SDKs for Node need {node}, which tools/bootstrap installs")
    return node
