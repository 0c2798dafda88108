"""What counts as following the script, and what a test is told when it was not followed."""

from __future__ import annotations

from typing import Any

import pytest

from fake_upstreams import FakeUpstream, ScriptError, UpstreamMismatch, chat, reply
from tests.python.fake_upstreams.raw_client import BODY, KEEP, LAST, connect, exchange

pytestmark = pytest.mark.asyncio


@pytest.mark.rule("FAKE-STRICT-001", "FAKE-STRICT-003")
async def test_unexpected_request_gets_500_and_fails_with_the_journal() -> None:
    upstream = await FakeUpstream([], name="primary").start()
    seen, how = await exchange(upstream, KEEP)
    await upstream.stop()
    assert seen.startswith(b"HTTP/1.1 500 Fake Upstream Mismatch\r\nConnection: close\r\n")
    assert how == "closed"
    with pytest.raises(UpstreamMismatch) as caught:
        upstream.verify()
    text = str(caught.value)
    assert "primary" in text
    assert "request 1 is unexpected, no reply is left: POST /v1/chat/completions" in text
    assert "connection 1:" in text
    assert " ms  accepted" in text


@pytest.mark.rule("FAKE-STRICT-002")
async def test_unused_reply_fails() -> None:
    with pytest.raises(UpstreamMismatch, match="reply 2 was used 0 times, expected 1 times"):
        async with FakeUpstream([{"body": "a"}, {"body": "b"}]) as upstream:
            await exchange(upstream)


async def test_refusal_that_was_never_reached_fails() -> None:
    with pytest.raises(UpstreamMismatch, match="reply 2 was used 0 times"):
        async with FakeUpstream([{"body": "a"}, {"fault": "refuse"}]):
            pass


async def test_times_repeat_and_optional() -> None:
    script: list[Any] = [{"body": "a", "times": 2}, {"body": "b", "times": 2, "optional": True}]
    async with FakeUpstream(script) as upstream:
        answers = [(await exchange(upstream))[0][-1:] for _ in range(3)]
    assert answers == [b"a", b"a", b"b"]
    with pytest.raises(UpstreamMismatch, match="reply 1 was used 1 times, expected 2 times"):
        async with FakeUpstream(script) as upstream:
            await exchange(upstream)
    async with FakeUpstream([{"body": "a", "repeat": True}]) as upstream:
        for _ in range(3):
            await exchange(upstream)
    with pytest.raises(UpstreamMismatch, match="reply 1 was used 0 times, expected at least once"):
        async with FakeUpstream([{"body": "a", "repeat": True}]):
            pass


async def test_not_strict_keeps_problems_to_itself() -> None:
    async with FakeUpstream({"strict": False, "replies": [{"body": "a", "expect": {"path": "/x"}}]}) as upstream:
        await exchange(upstream)
    assert upstream.problems == ["request 1 for reply 1: path is /v1/chat/completions, expected /x"]


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ({"method": "GET"}, "method is POST, expected GET"),
        ({"path": "/v1/models"}, "path is /v1/chat/completions, expected /v1/models"),
        ({"path": "/v1/chat/completions?a=1"}, "path is /v1/chat/completions, expected /v1/chat/completions?a=1"),
        ({"headers": {"Authorization": "Bearer k"}}, "header Authorization is None, expected 'Bearer k'"),
        ({"headers": {"HOST": None}}, "header HOST is 'x', expected None"),
        ({"model": "n"}, "model is 'm', expected 'n'"),
        ({"json": {"stream": False}}, "json.stream is True, expected False"),
        ({"json": {"stream": 1}}, "json.stream is True, expected 1"),
        ({"json": {"n": 1}}, "json.n is missing"),
        ({"json": {"model": ["m"]}}, "json.model is 'm', expected ['m']"),
        ({"body": "{}"}, f"body is {BODY!r}, expected b'{{}}'"),
    ],
)
async def test_expect_reports_each_difference(expect: dict[str, Any], problem: str) -> None:
    with pytest.raises(UpstreamMismatch) as caught:
        async with FakeUpstream([{"expect": expect}]) as upstream:
            assert b" 500 " in (await exchange(upstream))[0]
    assert f"request 1 for reply 1: {problem}\n" in str(caught.value)


async def test_expect_that_is_met() -> None:
    expect = {
        "method": "POST",
        "path": "/v1/chat/completions",
        "headers": {"HOST": "x", "Authorization": None},
        "model": "m",
        "json": {"stream": True},
        "body": BODY.decode(),
    }
    async with FakeUpstream([reply(*chat.stream("hi"), expect=expect)]) as upstream:
        assert b'"content":"hi"' in (await exchange(upstream))[0]


async def test_json_lists_are_compared_element_by_element() -> None:
    body = b'{"messages":[{"role":"user","content":"a"}]}'
    request = b"POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    async with FakeUpstream([{"expect": {"json": {"messages": [{"role": "user"}]}}}]) as upstream:
        await exchange(upstream, request)
    with pytest.raises(UpstreamMismatch, match=r"json.messages has 1 elements, expected 0"):
        async with FakeUpstream([{"expect": {"json": {"messages": []}}}]) as upstream:
            await exchange(upstream, request)


async def test_unordered_replies_go_to_the_requests_that_they_expect() -> None:
    script = {
        "ordered": False,
        "replies": [{"expect": {"path": "/b"}, "body": "b"}, {"expect": {"path": "/a"}, "body": "a"}],
    }
    async with FakeUpstream(script) as upstream:
        for name in (b"a", b"b"):
            assert (await exchange(upstream, LAST.replace(b"/v1/chat/completions", b"/" + name)))[0].endswith(name)


async def test_what_is_no_http_is_a_problem() -> None:
    for sent, problem in [
        (b"hello\r\n\r\n", "no request line"),
        (b"GET / HTTP/1.1\r\nbad line\r\n\r\n", "no field line"),
        (b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "content-length is 'x'"),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "no chunk size"),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", "a chunk does not end where its size says"),
    ]:
        with pytest.raises(UpstreamMismatch, match=problem):
            async with FakeUpstream([]) as upstream:
                await exchange(upstream, sent)


async def test_added_replies_follow_and_are_owed() -> None:
    async with FakeUpstream() as upstream:
        upstream.add({"body": "a"})
        assert (await exchange(upstream))[0].endswith(b"a")
    with pytest.raises(UpstreamMismatch, match="reply 1"):
        async with FakeUpstream() as upstream:
            upstream.add(chat.stream("a"))
    with pytest.raises(ScriptError, match=r"call refuse\(\)"):
        FakeUpstream().add({"fault": "refuse"})


async def test_a_failing_test_keeps_its_own_error_and_is_told_the_journal() -> None:
    with pytest.raises(KeyError) as caught:
        async with FakeUpstream([{"body": "a"}], name="primary"):
            raise KeyError("mine")
    assert any("primary" in note and "listening" in note for note in caught.value.__notes__)


async def test_a_client_that_leaves_early_is_no_mismatch_but_is_seen() -> None:
    for leave, how in [("close", "client closed"), ("reset", "client reset")]:
        steps = [{"chat": "role"}, {"pause": {"until": "never"}}, {"chat": "done"}]
        async with FakeUpstream([steps]) as upstream, await connect(upstream) as client:
            await client.send(KEEP)
            await upstream.wait_gate("never")
            if leave == "reset":
                client.reset()
            await client.close()
            assert await upstream.wait_closed(1) == how
            assert upstream.open_connections == 0


async def test_waits_give_up_with_the_journal() -> None:
    async with FakeUpstream() as upstream:
        with pytest.raises(TimeoutError, match=r"request 1 arrives(.|\n)*listening"):
            await upstream.wait_request(1, timeout=0.01)
        with pytest.raises(TimeoutError, match="connection 1 is accepted"):
            await upstream.wait_closed(1, timeout=0.01)
        with pytest.raises(TimeoutError, match="gate 'x'"):
            await upstream.wait_gate("x", timeout=0.01)
