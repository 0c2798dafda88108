"""One gateway with a deployment per fault, and the rounds of requests that are driven through it."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.client import Connection, encode_request
from conformance.deployments import UPSTREAM_KEY, policies
from conformance.http_bytes import Response
from conformance.session import CHAT, MESSAGES
from conformance.targets.binary import BinaryGateway, BinaryTarget, write_configuration
from fake_upstreams import UpstreamHandle, Upstreams, chat, reply
from tests.bench.load import PUBLIC_MODEL, UPSTREAM_MODEL, Clients, Upstream, answer, question
from tests.soak.faults import CASES, SPARE, Case
from tests.soak.majority import STREAM_MODEL, StreamClients, stream_answer, stream_question
from tests.soak.process import GUARD_SECONDS

CONNECTIONS = 16
STEP_MS = 1001
"""Virtual time that is let pass while faults are waited for: a deadline and the first wait are below it."""
_KINDS = ("response", "idle", "wait", "grace", "drain")
_LIMITS = {"responseMs": 1000, "totalMs": 60_000, "maxAttempts": 2}

_ALONE = sum(case.alone == 502 for case in CASES)
_STILL: tuple[dict[str, int], ...] = (
    # Silence; streams that stall before and after they began; the waits of those that failed at once and are alone.
    # Then those that ran into a deadline and are alone wait, and run into it again.
    {"response": 2, "idle": 4, "wait": _ALONE, "grace": 0, "drain": 0},
    {"response": 0, "idle": 0, "wait": 2, "grace": 0, "drain": 0},
    {"response": 1, "idle": 1, "wait": 0, "grace": 0, "drain": 0},
)


@dataclass
class Soak:
    """A running gateway with everything around it."""

    gateway: BinaryGateway
    faulty: dict[str, UpstreamHandle]
    told: Counter[str] = field(default_factory=Counter)  # requests by model

    def run_round(self, plain: int, streams: int) -> None:
        """Every fault once alone and once with a spare, while plain requests are served. Raises AssertionError."""
        port = int(self.gateway.url.rpartition(":")[2])
        with ExitStack() as stack:
            asked = [
                (case, model, stack.enter_context(Connection(self.gateway.url)))
                for case in CASES
                for model in (case.name, case.name + SPARE)
            ]
            for case, model, connection in asked:
                body = json.dumps({"model": model, "messages": MESSAGES, "stream": case.stream}).encode()
                connection.send(encode_request("POST", CHAT, body, ()))
            for clients, request, count, model in (
                (Clients(port, CONNECTIONS), question(), plain, PUBLIC_MODEL),
                (StreamClients(port, CONNECTIONS), stream_question(), streams, STREAM_MODEL),
            ):
                clients.ask(request, count)
                clients.close()
                self.told[model] += count
            self._pass_time()
            for case, model, connection in asked:
                check(case, model, connection.response())
                self.told[model] += 1

    def _pass_time(self) -> None:
        """Lets deadlines and waits pass, each time once nothing but them is going on."""
        for still in _STILL:
            self._await(still)
            self.gateway.advance(STEP_MS, None)
        self._await(dict.fromkeys(_KINDS, 0))

    def _await(self, armed: dict[str, int]) -> None:
        end = time.monotonic() + GUARD_SECONDS
        while (there := self._armed()) != armed:
            assert time.monotonic() < end, f"armed are {there}, and not {armed}"

    def _armed(self) -> dict[str, int]:
        timers = self.gateway.timers()
        return {kind: len(timers.of(kind)) for kind in _KINDS}

    def in_flight(self) -> int:
        """Attempts under way, over all deployments."""
        total = 0
        with Connection(self.gateway.url) as connection:
            for model in self.told:
                view = connection.request("GET", f"/v1/models/{model}/deployments").json()
                total += sum(deployment["metrics"]["inflight"] for deployment in view["data"])
        return total

    def fired(self) -> Counter[str]:
        """How often each fault struck, by its name. A refused connection is one that nobody saw but its client."""
        count: Counter[str] = Counter()
        for case in CASES:
            seen = self.faulty[case.name]
            struck = len(seen.requests) if seen.requests else seen.connections or self.told[case.name]
            count[case.fault.name] += struck
        return count


def check(case: Case, model: str, response: Response) -> None:
    """Whether a client was told what the fault calls for."""
    spared = model.endswith(SPARE) and not case.in_band
    wanted = 200 if spared else case.alone
    assert response.status == wanted, f"{model}: {response.status} {response.body!r}, and not {wanted}"
    if response.status != 200:
        assert isinstance(response.json()["error"]["message"], str), model
    elif not case.stream:
        assert response.json()["model"] == model
    else:
        *frames, last = [event.data for event in response.events]
        for frame in frames:
            assert json.loads(frame)["model"] == model
        if case.in_band:
            assert json.loads(last)["error"]["message"], f"{model}: {last!r} is no error"
        else:
            assert last == "[DONE]", f"{model}: ends with {last!r}"


def _deployment(model: str, label: str, base_url: str, **settings: Any) -> dict[str, Any]:
    return {
        "label": label,
        "publicModel": model,
        "adapterKey": "openaicompatible",
        "upstreamModel": UPSTREAM_MODEL,
        "credentials": {"apiKey": UPSTREAM_KEY, "baseUrl": base_url},
        **settings,
    }


@contextmanager
def soaking(binary: Path, directory: Path, log: Sequence[str] = ()) -> Iterator[Soak]:
    """Starts upstreams and a gateway with two workers whose log is on disk; the upstreams are told to end first."""
    scripts: dict[str, Any] = {case.name: {"replies": [case.answer], "strict": False} for case in CASES}
    spare = {"replies": [reply(chat.completion("spare"), times=None)], "strict": False}
    spare_stream = {"replies": [reply(chat.stream("spare"), times=None)], "strict": False}
    with ExitStack() as stack:
        running = stack.enter_context(Upstreams({**scripts, "spare": spare, "spare_stream": spare_stream}))
        plain = stack.enter_context(Upstream(answer()))
        stream = stack.enter_context(Upstream(stream_answer()))
        deployments = [
            _deployment(PUBLIC_MODEL, "plain", f"http://127.0.0.1:{plain.port}/v1"),
            _deployment(STREAM_MODEL, "stream", f"http://127.0.0.1:{stream.port}/v1"),
        ]
        for case in CASES:
            faulty = running[case.name]
            url = faulty.tls_url + "/v1" if case.over_tls else faulty.base_url
            other = running["spare_stream" if case.stream else "spare"].base_url
            deployments += [
                _deployment(case.name, case.name, url),
                _deployment(case.name + SPARE, case.name + " first", url, weight=1_000_000_000),
                _deployment(case.name + SPARE, case.name + " spare", other, weight=1),
            ]
        settings = policies(json=_LIMITS, stream={**_LIMITS, "idleMs": 1000})
        configuration = {
            "server": {"workers": 2},
            "deployments": deployments,
            "routerSettings": {**settings, "cooldownSeconds": 0},
        }
        file = write_configuration(configuration, directory)
        arguments = ("--config", str(file), "--port", "0", "--test-control", "--seed", "1")
        gateway = BinaryTarget(binary).serve(*arguments, *(log or ("--data", str(directory / "data"))))
        try:
            yield Soak(gateway, {case.name: running[case.name] for case in CASES})
        finally:
            gateway.stop()
