"""Frames: how messages may be cut, and what closes the socket."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode

from conformance.checks import Check
from conformance.fixtures import GatewayFactory, UpstreamFactory
from conformance.responses import speaking
from conformance.websocket import WebSocket, output, turn_body
from fake_upstreams import Pause, responses


@pytest.mark.rule("WS-FRAME-001")
def test_messages_in_pieces(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """Cut within a character, with a ping between, and all of it byte by byte."""
    up = upstream(responses.stream("a"), responses.stream("b"))
    ws = WebSocket(gateway(*speaking(up)))
    message = turn_body(input="h\u00e9").replace(b"\\u00e9", "\u00e9".encode())
    cut = message.index("\u00e9".encode()) + 1
    ws.send(message[:cut], fin=False)
    ws.send("are you there", opcode=Opcode.PING)
    pong = ws.frame()
    ws.send(message[cut:-1], fin=False, opcode=Opcode.CONT)
    ws.send(message[-1:], opcode=Opcode.CONT)
    with check("WS-FRAME-001"):
        assert (pong.opcode, bytes(pong.data)) == (Opcode.PONG, b"are you there")
        assert output(ws.events()) == "a"
        assert up.requests[0].json["input"] == "h\u00e9"
    for byte in Frame(Opcode.TEXT, message).serialize(mask=True):
        ws.connection.send(bytes([byte]))
    with check("WS-FRAME-001"):
        assert output(ws.events()) == "b"
    ws.send("", opcode=Opcode.PONG)
    with check("WS-FRAME-001"):
        ws.leave()
        assert ws.frame().opcode == Opcode.CLOSE


@pytest.mark.rule("WS-FRAME-002", "WS-FRAME-003")
def test_what_closes_the_socket(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(*speaking(upstream()))
    message = turn_body()
    masked = Frame(Opcode.TEXT, message).serialize(mask=True)
    cases = {
        "not masked": (1002, Frame(Opcode.TEXT, message).serialize(mask=False)),
        "compressed": (1002, bytes([masked[0] | 0x40]) + masked[1:]),
        "an unknown opcode": (1002, bytes([0x83]) + masked[1:]),
        "continues nothing": (1002, Frame(Opcode.CONT, b"x").serialize(mask=True)),
        "a ping in pieces": (1002, bytes([0x09]) + Frame(Opcode.PING, b"x").serialize(mask=True)[1:]),
        "a ping of 126 bytes": (1002, bytes([0x89, 0xFE, 0, 126, 0, 0, 0, 0]) + b"x" * 126),
        "a close frame of one byte": (1002, bytes([0x88, 0x81, 0, 0, 0, 0, 3])),
        "a size written too long": (1002, bytes([0x81, 0xFE, 0, 125, 0, 0, 0, 0]) + b"x" * 125),
        "binary": (1003, Frame(Opcode.BINARY, message).serialize(mask=True)),
        "not UTF-8": (1007, Frame(Opcode.TEXT, b'{"type":"\xff"}').serialize(mask=True)),
    }
    for case, (code, sent) in cases.items():
        ws = WebSocket(gw)
        ws.connection.send(sent)
        with check("WS-FRAME-002" if code == 1002 else "WS-FRAME-003"):
            assert ws.closed().code == code, case


@pytest.mark.rule("WS-FRAME-003")
def test_a_turn_ends_with_its_socket(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream([*responses.stream("a")[:5], Pause(until="never")])
    ws = WebSocket(gateway(*speaking(up)))
    ws.begin()
    up.wait_gate("never")
    seen = [ws.event()["type"] for _ in range(5)]
    ws.send(b"\x00", opcode=Opcode.BINARY)
    with check("WS-FRAME-003"):
        assert seen[-1] == "response.output_text.delta"
        assert ws.closed().code == 1003
        assert up.wait_closed() in ("client closed", "client reset")


LIMIT = 4096
MEMORY = 1 << 20


def sized(size: int) -> bytes:
    """A message of so many bytes."""
    return turn_body(x="x" * (size - len(turn_body(x=""))))


@pytest.mark.rule("WS-FRAME-004")
def test_the_size_of_a_message(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    up = upstream(responses.stream("a"), responses.stream("b"))
    gw = gateway(*speaking(up), server={"requestBodyBytes": LIMIT})
    ws = WebSocket(gw)
    ws.send(sized(LIMIT))
    with check("WS-FRAME-004"):
        assert output(ws.events()) == "a"
    ws.send(sized(LIMIT)[:2000], fin=False)
    ws.send(sized(LIMIT)[2000:], opcode=Opcode.CONT)
    with check("WS-FRAME-004"):
        assert output(ws.events()) == "b"
    pieces = WebSocket(gw)
    pieces.send(sized(LIMIT + 1)[:2000], fin=False)
    pieces.send(sized(LIMIT + 1)[2000:], opcode=Opcode.CONT)
    ws.send(sized(LIMIT + 1))
    for case in (ws, pieces):
        with check("WS-FRAME-004"):
            error = case.error()
            assert (error["status"], error["code"]) == (413, "request_body_too_large")
            assert str(LIMIT) in error["message"]
            assert case.closed().code == 1009


@pytest.mark.rule("WS-FRAME-005")
def test_messages_count_as_request_memory(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    """What waits for its turn holds memory, what has committed does not."""
    up = upstream([*responses.stream("a")[:5], Pause(until="go"), *responses.stream("a")[5:]], responses.stream("b"),
                  responses.stream("c"))  # fmt: skip
    gw = gateway(*speaking(up), server={"requestBodyBytes": MEMORY, "requestMemoryBytes": MEMORY})
    ws = WebSocket(gw)
    ws.send(sized(MEMORY - 1_000))
    up.wait_gate("go")
    ws.send(sized(MEMORY - 1_000))  # the first has committed
    ws.send(sized(2_000))  # and the second waits
    seen = [ws.event() for _ in range(5)]
    error = ws.error()
    with check("WS-FRAME-005"):
        assert output(seen) == "a"
        assert (error["status"], error["code"]) == (503, "request_memory_exhausted")
    up.release("go")
    with check("WS-FRAME-005"):
        assert ws.events()[-1]["type"] == "response.completed"
        assert output(ws.events()) == "b"
    ws.send(sized(MEMORY))
    with check("WS-FRAME-005"):
        assert output(ws.events()) == "c"


@pytest.mark.rule("WS-CLOSE-001")
def test_a_close_frame_is_answered(check: Check, upstream: UpstreamFactory, gateway: GatewayFactory) -> None:
    gw = gateway(*speaking(upstream()))
    for code in (1000, 1001, 3000, 4999):
        ws = WebSocket(gw)
        ws.leave(code, "bye")
        frame = ws.frame()
        with check("WS-CLOSE-001"):
            assert frame.opcode == Opcode.CLOSE
            assert int.from_bytes(frame.data[:2], "big") == code
            assert ws.connection.is_closed()
