"""`turnout.Gateway` and its operation log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import turnout
from conformance.client import call
from conformance.deployments import MODEL, deployment
from fake_upstreams import FakeUpstreamThread, UpstreamHandle, chat, reply

ASK = {"model": MODEL, "messages": [{"role": "user", "content": "hi"}]}


def config(upstream: UpstreamHandle) -> dict[str, Any]:
    return {"deployments": [deployment(upstream)]}


def rows(gateway: turnout.Gateway) -> list[Any]:
    listed: list[Any] = call(gateway.url, "GET", "/admin/logs").json()["data"]
    return listed


def serve_once(upstream: UpstreamHandle, data: Path | str | None) -> int:
    """How many rows there are after one more request."""
    with turnout.Gateway(config(upstream), data=data) as gateway:
        assert call(gateway.url, "POST", "/v1/chat/completions", ASK).status == 200
        return len(rows(gateway))


@pytest.mark.rule("LOG-KEEP-008")
def test_the_log_stays_where_data_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with FakeUpstreamThread([reply(chat.completion("a"), times=5)]) as upstream:
        assert [serve_once(upstream, None) for _ in range(2)] == [1, 1]
        assert list(tmp_path.iterdir()) == []
        assert [serve_once(upstream, tmp_path / "data"), serve_once(upstream, "data")] == [1, 2]
        assert serve_once(upstream, tmp_path / "other") == 1
    assert (tmp_path / "data" / "log.db").is_file()


def test_a_log_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with FakeUpstreamThread([]) as upstream:
        gateway = turnout.Gateway(config(upstream), data=tmp_path / "file")
        with pytest.raises(RuntimeError, match=r"file/log\.db"):
            gateway.start()
