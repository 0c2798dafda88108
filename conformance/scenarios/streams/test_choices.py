"""Streams with several choices."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.session import contents, deltas, finish_reasons, payloads
from fake_upstreams import Event, chat


@pytest.mark.rule("STR-DONE-007", "STR-ERROR-003")
def test_one_unfinished_choice_makes_a_stream_truncated(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    both = [chat.role(0), chat.role(1), chat.content("a", 0), chat.content("b", 1), chat.finish(index=0)]
    answer = gateway(upstream(both)).chat(stream=True, n=2)
    with check("STR-DONE-007"):
        assert contents(answer, 0) == "a"
        assert contents(answer, 1) == "b"
        assert not answer.events[-1].is_done
    with check("STR-ERROR-003"):
        assert payloads(answer)[-1]["error"]["code"] == "upstream_stream_truncated"


@pytest.mark.rule("STR-DONE-008")
def test_interleaved_choices_that_all_finished_are_complete(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    first = [chat.role(0), chat.role(1), chat.content("a", 0), chat.content("b", 1), chat.finish("stop", 1)]
    answer = gateway(upstream([*first, chat.content("c", 0), chat.finish("length", 0)])).chat(stream=True, n=2)
    with check("STR-DONE-008"):
        assert [contents(answer, 0), contents(answer, 1)] == ["ac", "b"]
        assert [finish_reasons(answer, 0), finish_reasons(answer, 1)] == [["length"], ["stop"]]
        assert answer.events[-1].is_done


@pytest.mark.rule("STR-DONE-009")
@pytest.mark.parametrize("end", [[chat.DONE], []], ids=["with end marker", "without end marker"])
def test_fewer_choices_than_asked_for_are_complete(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory, end: list[Event]
) -> None:
    answer = gateway(upstream([chat.role(), chat.content("a"), chat.finish(), *end])).chat(stream=True, n=2)
    with check("STR-DONE-009"):
        assert contents(answer, 0) == "a"
        assert deltas(answer, 1) == []
        assert b'"error"' not in answer.body
        assert answer.events[-1].is_done


@pytest.mark.rule("STR-DONE-003", "STR-DONE-012")
def test_each_choice_gets_what_it_lacks(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    steps = [chat.content("a", 0), chat.tool_call("f", "{}", index=1), chat.DONE]
    answer = gateway(upstream(steps)).chat(stream=True, n=2)
    with check("STR-DONE-012"):
        assert [deltas(answer, index)[0]["role"] for index in (0, 1)] == ["assistant", "assistant"]
    with check("STR-DONE-003"):
        assert [finish_reasons(answer, 0), finish_reasons(answer, 1)] == [["stop"], ["tool_calls"]]
