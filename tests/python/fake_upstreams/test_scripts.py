"""Scripts as data: what is read, what is refused and where, and that the JSON Schema says the same."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import fake_upstreams
from fake_upstreams import Body, Event, Headers, Repeated, ScriptError, Status, chat, faults, load_file, parse_script
from fake_upstreams.parse import EXPECT_KEYS, REPLY_KEYS, SCRIPT_KEYS
from fake_upstreams.parse_steps import STEPS

SCHEMA = json.loads(Path(fake_upstreams.__file__).with_name("script.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

GOOD: list[Any] = [
    [],
    {"port": 0, "strict": False, "ordered": True, "tls": False, "replies": [[]]},
    [{"status": 429, "headers": {"retry-after": 2, "x": ["a", "b"]}, "body": {"json": None}}],
    [{"steps": [{"body": "a", "times": 2}, {"body": {"base64": "AA=="}}, {"body": {"text": "x"}}]}],
    [[{"event": "x"}, {"event": {"data": [1], "name": "n", "id": "1", "comment": "c"}}, {"event": {"raw": "x"}}]],
    [{"expect": {"method": "GET", "headers": {"a": None}, "json": [1], "body": {"base64": "AA=="}}, "repeat": True}],
    [{"times": 3, "optional": True, "framing": "close", "sse": {"bom": True, "newline": "cr", "space": False}}],
    [[{"pause": 1.5}, {"pause": {"until": "x"}}, {"bytes": "x"}, {"status": {"code": 200, "reason": ""}}]],
    [{"chat": ["role", {"content": "a"}, {"reasoning": "b", "index": 1}, {"delta": {}}, {"refusal": "no"}, "finish"]}],
    [{"chat": [{"tool_call": {"name": "f"}}, {"tool_call": {"arguments": "{}"}}, {"usage": {"prompt": 1}}, "usage"]}],
    [{"chat": [{"error": "x"}, {"error": {"code": 1}}, {"comment": "x"}, {"chunk": {}}, {"finish": "stop"}, "done"]}],
    [{"chat": {"role": "assistant", "extra": {"model": "m"}}}, {"stream": ["a"]}, {"completion": "hi"}],
    [{"completion": {"content": None, "tool_calls": [{}], "finish_reason": "x", "usage": {}, "extra": {}}}],
    [{"coding": "br", "completion": "hi"}, {"coding": "raw-deflate", "stream": ["a"]}],
    [{"fault": name} for name in faults.FAULTS],
    [{"fault": {"split_at": [1]}}, {"fault": {"split_at": {"every": 1}}}, {"fault": {"slow_bytes": {"until": "x"}}}],
]
BAD: list[tuple[Any, str, str]] = [
    ("x", "u", "must be a list, not text"),
    (None, "u", "must be a list, not nothing"),
    ({"reply": []}, "u.reply", "is not known here; known: host, ordered, port, replies, strict, tls"),
    ({"port": -1}, "u.port", "must be an integer from 0, not -1"),
    ({"replies": {}}, "u.replies", "must be a list, not a mapping"),
    ({"strict": 1}, "u.strict", "must be true or false, not a number"),
    ([{"stats": 200}], "u[0].stats", "is not known here"),
    ([{"status": "200"}], "u[0].status", "must be an integer from 200, not '200'"),
    ([{"status": True}], "u[0].status", "must be an integer from 200, not True"),
    ([{"status": 1000}], "u[0].status", "must be at most 999, not 1000"),
    ([{"status": {"reason": "x"}}], "u[0].status", "must have code"),
    ([{"headers": {"a": None}}], "u[0].headers.a", "must be text, not nothing"),
    ([{"body": {"text": "x", "json": 1}}], "u[0].body", "must have exactly one of: base64, json, text"),
    ([{"body": 5}], "u[0].body", "must be a mapping, not a number"),
    ([{"event": {}}], "u[0].event", "must have one of: comment, data, id, name, raw"),
    ([{"event": {"raw": "x", "name": "y"}}], "u[0].event", "raw must stand alone"),
    ([[{"pause": {}}]], "u[0][0].pause", "must have milliseconds, until, or both"),
    ([[{"pause": -1}]], "u[0][0].pause", "must be a number from 0, not -1"),
    ([[{"pause": {"untill": "x"}}]], "u[0][0].pause.untill", "is not known here; known: milliseconds, until"),
    ({"replies": [{"steps": [{}]}]}, "u.replies[0].steps[0]", "must have exactly one of: body, bytes"),
    ([[{"body": "x", "status": 200}]], "u[0][0]", "must have exactly one of: body, bytes"),
    ([[{"body": "x", "times": 0}]], "u[0][0].times", "must be an integer from 1, not 0"),
    ([{"times": 2, "repeat": True}], "u[0].repeat", "cannot stand beside times"),
    ([{"framing": "none"}], "u[0].framing", "must be one of chunked, length, close, not 'none'"),
    ([{"coding": "zstd"}], "u[0].coding", "must be one of gzip, x-gzip, deflate, raw-deflate, br, not 'zstd'"),
    ([{"expect": {"host": "x"}}], "u[0].expect.host", "is not known here"),
    ([{"sse": {"newline": "\n"}}], "u[0].sse.newline", "must be one of lf, crlf, cr"),
    ([{"chat": "end"}], "u[0].chat", "must be one of comment, done, finish, role, usage, not 'end'"),
    ([{"chat": ["role", {"content": 1}]}], "u[0].chat[1].content", "must be text, not a number"),
    ([{"chat": {"content": "a", "finish": "b"}}], "u[0].chat", "must have exactly one of: chunk, comment"),
    ([{"chat": {"comment": "a", "index": 1}}], "u[0].chat", "index and extra do not go with comment"),
    ([{"fault": "explode"}], "u[0].fault", "must be one of accept_then_silence"),
    ([{"fault": {"reset": 5}}], "u[0].fault.reset", "reset takes no arguments"),
    ([{"fault": {"split_at": "x"}}], "u[0].fault.split_at", "must be a list, not text"),
    ([{"fault": {"split_at": {"at": 1}}}], "u[0].fault.split_at.at", "is not known here; known: every, offsets, until"),
    ([{"fault": {"tls_failure": "old"}}], "u[0].fault.tls_failure", "must be one of self_signed, wrong_name"),
]


@pytest.mark.parametrize("script", GOOD)
def test_good_scripts(script: Any) -> None:
    parse_script(script, "u")
    VALIDATOR.validate({"u": script})


@pytest.mark.rule("FAKE-SCRIPT-003")
@pytest.mark.parametrize(("script", "path", "message"), BAD)
def test_bad_scripts_are_refused_with_their_place(script: Any, path: str, message: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script(script, "u")
    assert caught.value.path == path
    assert caught.value.message.startswith(message)
    assert not VALIDATOR.is_valid({"u": script})


def test_bad_base64_is_refused() -> None:
    with pytest.raises(ScriptError, match=r"u\[0\].body.base64: is no base64"):
        parse_script([{"body": {"base64": "?"}}], "u")


def test_the_schema_knows_the_same_names() -> None:
    definitions = SCHEMA["$defs"]
    assert set(definitions["upstream"]["anyOf"][1]["properties"]) == set(SCRIPT_KEYS)
    assert set(definitions["reply"]["anyOf"][1]["properties"]) == {*REPLY_KEYS, *STEPS}
    assert set(definitions["expect"]["properties"]) == set(EXPECT_KEYS)
    assert set(definitions["step"]["properties"]) == {*STEPS, "times"}
    words, mapping = definitions["fault"]["anyOf"]
    assert set(words["enum"]) == set(mapping["properties"]) == set(faults.FAULTS)
    for name, kind in faults.FAULTS.items():
        described = mapping["properties"][name]
        arguments = described["anyOf"][0] if "anyOf" in described else described
        assert set(arguments["properties"]) == {field.name for field in dataclasses.fields(kind)}


def test_shorthands_make_the_steps_that_python_makes() -> None:
    script = parse_script(
        [
            {"chat": ["role", {"content": "a", "index": 1}, {"finish": "length"}, "usage", "done"]},
            {"stream": ["a", "b"]},
            {"completion": "hi", "status": 201},
            [{"body": "x", "times": 2}, Body(b"y")],
            chat.failure(429, "slow down", code="rate_limit_exceeded", kind="requests"),
            chat.DONE,
            {"fault": {"garbage": "x"}},
        ]
    )
    steps = [reply.steps for reply in script.replies]
    assert steps[0] == (chat.role(), chat.content("a", 1), chat.finish("length"), chat.usage(), chat.DONE)
    assert steps[1] == tuple(chat.stream("a", "b"))
    assert steps[2] == (chat.completion("hi"), Status(201))
    assert steps[3] == (Repeated(Body.text("x"), 2), Body(b"y"))
    assert steps[4][0] == Status(429)
    assert json.loads(steps[4][1].data)["error"] == {  # type: ignore[attr-defined]  # the second step is a body
        "message": "slow down",
        "type": "requests",
        "param": None,
        "code": "rate_limit_exceeded",
    }
    assert steps[5] == (Event("[DONE]"),)
    assert steps[6] == (faults.Garbage(b"x"),)


def test_a_file_names_its_upstreams(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text("a:\n  replies:\n    - headers: {x: y}\nb: []\n")
    scripts = load_file(path)
    assert list(scripts) == ["a", "b"]
    assert scripts["a"].replies[0].steps == (Headers({"x": "y"}),)


@pytest.mark.parametrize("text", ["", "- a", "{}", "a: [", "a: {replies: [{fault: none}]}"])
def test_bad_files(tmp_path: Path, text: str) -> None:
    path = tmp_path / "script.yaml"
    path.write_text(text)
    with pytest.raises(ScriptError):
        load_file(path)
