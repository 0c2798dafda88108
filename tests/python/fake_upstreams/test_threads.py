"""The sync facade."""

from __future__ import annotations

import http.client

import pytest

from fake_upstreams import FakeUpstreamThread, UpstreamHandle, UpstreamMismatch, Upstreams, chat, reply


def post(upstream: UpstreamHandle) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", upstream.port, timeout=10)
    connection.request("POST", "/v1/chat/completions", b'{"model":"m"}')
    body = connection.getresponse().read()
    connection.close()
    return body


def test_one_upstream() -> None:
    with FakeUpstreamThread([reply(*chat.stream("hi"))]) as upstream:
        assert post(upstream).endswith(b"data: [DONE]\n\n")
        assert upstream.wait_request(1).model == "m"
        assert upstream.wait_closed(1) == "client closed"
        assert [request.path for request in upstream.requests] == ["/v1/chat/completions"]
        assert (upstream.connections, upstream.open_connections, upstream.problems) == (1, 0, [])
        assert upstream.sent(1) > 0


def test_gates_and_more_replies() -> None:
    with FakeUpstreamThread() as upstream:
        upstream.add(reply(chat.role(), {"pause": {"until": "go"}}, chat.DONE))
        connection = http.client.HTTPConnection("127.0.0.1", upstream.port, timeout=10)
        connection.request("POST", "/", b"")
        upstream.wait_gate("go")
        upstream.release("go")
        assert connection.getresponse().read().endswith(b"data: [DONE]\n\n")
        connection.close()


def test_many_upstreams() -> None:
    with Upstreams({"a": [{"completion": "from a"}], "b": [{"fault": "refuse"}, {"body": "b"}]}) as upstreams:
        assert list(upstreams) == ["a", "b"]
        assert len(upstreams) == 2
        assert b"from a" in post(upstreams["a"])
        with pytest.raises(ConnectionRefusedError):
            post(upstreams["b"])
        upstreams["b"].listen()
        assert post(upstreams["b"]) == b"b"
        third = upstreams.start("c", [{"body": "c"}])
        assert third.name == "c"
        assert post(third) == b"c"
        with pytest.raises(ValueError, match="there is an upstream 'c' already"):
            upstreams.start("c", [])
        upstreams["a"].refuse()
        with pytest.raises(ConnectionRefusedError):
            post(upstreams["a"])


def test_mismatches_of_all_upstreams_are_told_together() -> None:
    with (
        pytest.raises(UpstreamMismatch, match=r"a \(stopped\)(.|\n)*c \(stopped\)") as caught,
        Upstreams({"a": [{"body": "a"}], "b": [], "c": [{"body": "c"}]}),
    ):
        pass
    assert "b (" not in str(caught.value)


def test_one_mismatch() -> None:
    with pytest.raises(UpstreamMismatch, match=r"reply 1 was used 0 times(.|\n)*listening"), FakeUpstreamThread([{}]):
        pass


def test_verify_while_it_runs() -> None:
    with FakeUpstreamThread([{}]) as upstream:
        with pytest.raises(UpstreamMismatch):
            upstream.verify()
        post(upstream)
        upstream.verify()


def test_an_error_of_the_test_carries_the_journals() -> None:
    with pytest.raises(KeyError) as caught, Upstreams({"a": [{}], "b": []}):
        raise KeyError("mine")
    assert "a (stopped)" in caught.value.__notes__[0]
    assert "b (stopped)" in caught.value.__notes__[0]
    with pytest.raises(KeyError) as caught, FakeUpstreamThread([{}], name="x"):
        raise KeyError("mine")
    assert "x (stopped)" in caught.value.__notes__[0]
