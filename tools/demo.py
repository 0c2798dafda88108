"""Shows the main job in ten seconds: two deployments of one public model, one of which fails; both answers arrive.

.venv/bin/python tools/demo.py [--binary build/release/turnout]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from fake_upstreams import Upstreams, chat, reply  # noqa: E402

QUESTION = {"model": "demo-model", "messages": [{"role": "user", "content": "Which way does this train go?"}]}
SCRIPTS: dict[str, Any] = {
    # A JSON request meets an overloaded provider; a streamed one a connection that dies after the preamble.
    "primary": {
        "replies": [
            {"status": 503, "body": {"json": chat.error_object("The engine is overloaded", "overloaded")}},
            {"chat": ["role"], "fault": "close"},
        ],
    },
    "backup": {
        "replies": [
            reply(chat.completion("Over the turnout, to the free track."), expect={"model": "backup-model"}),
            reply(*chat.stream("Over the turnout, ", "to the track ", "is free."), expect={"model": "backup-model"}),
        ],
    },
}


def configuration(upstreams: Upstreams) -> dict[str, Any]:
    """Only deployments: all else is the gateway's default. The weights send each request to primary first."""
    return {
        "deployments": [
            {
                "label": name,
                "publicModel": "demo-model",
                "adapterKey": "openaicompatible",
                "upstreamModel": f"{name}-model",
                "credentials": {"baseUrl": upstreams[name].base_url},
                "weight": 1_000_000_000 if name == "primary" else 1,
            }
            for name in SCRIPTS
        ],
    }


def run(binary: Path, *arguments: str) -> str:
    return subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout


@contextmanager
def gateway(binary: Path, config: Path) -> Iterator[str]:
    command = [str(binary), "serve", "--config", str(config), "--port", "0", "--no-data"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise SystemExit("demo: the gateway did not start; what it said is above")
            yield line.split()[-1]
        finally:
            process.terminate()


def ask(url: str, body: Mapping[str, Any]) -> tuple[int, str]:
    where = urlsplit(url)
    connection = HTTPConnection(where.hostname or "", where.port, timeout=20)
    headers = {"content-type": "application/json", "x-unified-routing-metadata": "true"}
    connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def explain(routing: Mapping[str, Any], names: Mapping[str, str]) -> None:
    for attempt in routing["attempts"]:
        name = names[attempt["deployment"]]
        outcome = "answered" if attempt["ok"] else f"failed ({attempt['error_class']}, HTTP {attempt['http_status']})"
        print(f"  attempt {attempt['index'] + 1}: {name} {outcome} after {attempt['latency_ms']} ms")
    print(f"  served by {names[routing['served_deployment']]}, strategy {routing['routing_strategy']}")


def show_json(url: str, names: Mapping[str, str]) -> None:
    print("A JSON request, while primary answers 503:")
    status, text = ask(url, QUESTION)
    answer = json.loads(text)
    print(f"  HTTP {status}, model {answer['model']}: {answer['choices'][0]['message']['content']}")
    explain(answer["unified_routing"], names)


def show_stream(url: str, names: Mapping[str, str]) -> None:
    print("A streamed request, while primary dies after its first, empty frame:")
    status, text = ask(url, QUESTION | {"stream": True})
    frames = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    chunks = [json.loads(frame) for frame in frames if frame != "[DONE]"]
    pieces = [c["delta"]["content"] for chunk in chunks for c in chunk["choices"] if c["delta"].get("content")]
    print(f"  HTTP {status}, {len(frames)} frames: {' | '.join(pieces)}")
    explain(next(chunk["unified_routing"] for chunk in chunks if "unified_routing" in chunk), names)


def main() -> int:
    parser = argparse.ArgumentParser(description="Shows a failover and its explanation.")
    parser.add_argument("--binary", type=Path, default=ROOT / "build/release/turnout", help="the gateway's binary")
    binary = parser.parse_args().binary
    with Upstreams(SCRIPTS) as upstreams, tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "turnout.yaml"
        config.write_text(json.dumps(configuration(upstreams), indent=2))
        print("turnout validate says which deployments there are:")
        deployments = run(binary, "validate", "--config", str(config))
        print(textwrap.indent(deployments, "  "))
        names = {
            words[0]: words[2] for line in deployments.splitlines() if (words := line.split())[0].startswith("dep_")
        }
        with gateway(binary, config) as url:
            show_json(url, names)
            print()
            show_stream(url, names)
    print("\nThe gateway's own log is the lines that begin with time=; the demo is over.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
