"""What the operation log keeps of streams that were complete and odd."""

from __future__ import annotations

import pytest

from conformance.checks import Check
from conformance.deployments import in_order
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.operation_log import last
from conformance.session import CHAT
from conformance.streaming import STREAMING, carrying_all
from fake_upstreams import Event, Step, chat, faults

BEGUN = [chat.role(), chat.content("a")]
ODD_COMMENT = Event(": keepalive")

CASES: dict[str, tuple[str, list[Step], int, list[str]]] = {
    "whole": ("STR-ANOM-008", [*BEGUN, chat.finish(), chat.DONE], 1, []),
    "no end marker": ("STR-ANOM-001", [*BEGUN, chat.finish()], 1, ["missing_done"]),
    "no finish": ("STR-ANOM-002", [*BEGUN, chat.DONE], 1, ["missing_finish_reason"]),
    "no output": ("STR-ANOM-003", [chat.role(), chat.finish(), chat.DONE], 1, ["empty_output"]),
    "broken": ("STR-ANOM-004", [*BEGUN, chat.finish(), faults.Close()], 1, ["missing_done", "unclean_close"]),
    "one choice of two": ("STR-ANOM-005", [*BEGUN, chat.finish(), chat.DONE], 2, ["unmet_n"]),
    "error at the end": (
        "STR-ANOM-006",
        [*BEGUN, chat.finish(), chat.error("late"), chat.DONE],
        1,
        ["error_after_finish"],
    ),
    "odd comment": ("STR-ANOM-007", [BEGUN[0], ODD_COMMENT, BEGUN[1], chat.finish(), chat.DONE], 1,
                    ["malformed_keepalive"]),
    "JSON": ("STR-ANOM-009", [chat.completion("a")], 1, ["non_stream_answer"]),
}  # fmt: skip


@pytest.mark.rule(*(f"STR-ANOM-00{number}" for number in range(1, 10)))
def test_the_log_names_what_was_odd(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    for case, (rule, steps, choices, anomalies) in CASES.items():
        first, second = upstream(steps), upstream()
        gw = gateway(*in_order(first, second))
        assert gw.chat(stream=True, n=choices).status == 200, case
        row = last(gw)
        with check(rule):
            assert row["outcome"] == "success", case
            assert sorted(row["attempts"][0]["anomalies"]) == anomalies, case
            assert second.requests == [], case


@pytest.mark.rule("STR-ANOM-007", "STR-ANOM-008")
def test_odd_comments_are_noted_on_every_contract(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    for contract in STREAMING.values():
        up = upstream(contract.whole, [*contract.begin, ODD_COMMENT, contract.shown, *contract.end])
        gw = gateway(*carrying_all(up))
        for rule, anomalies in (("STR-ANOM-008", []), ("STR-ANOM-007", ["malformed_keepalive"])):
            assert contract.text_of(contract.ask(gw)) == "a", contract.path
            with check(rule):
                assert last(gw)["attempts"][0]["anomalies"] == anomalies, contract.path


@pytest.mark.rule("STR-DONE-014")
def test_fewer_choices_that_break_off_are_a_failure(
    check: Check, upstream: UpstreamFactory, gateway: GatewayFactory
) -> None:
    gw = gateway(upstream([*BEGUN, chat.finish(), faults.Close()]))
    answer = gw.call("POST", CHAT, b'{"model":"gpt","messages":[{"role":"user","content":"hi"}],"n":2,"stream":true}')
    with check("STR-DONE-014"):
        assert answer.events[-1].json()["error"]["code"] == "upstream_stream_truncated"
        assert last(gw)["attempts"][0]["failureKind"] == "transient"
