"""The examples of the README are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fake_upstreams
from fake_upstreams import FakeUpstream, faults, load_file
from tests.python.fake_upstreams.raw_client import KEEP, LAST, exchange

FOLDER = Path(fake_upstreams.__file__).parent
README = (FOLDER / "README.md").read_text()


def block(language: str, number: int) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return str(found[number])


@pytest.mark.asyncio
async def test_the_first_script(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text(block("yaml", 0))
    scripts = load_file(path)
    async with FakeUpstream(scripts["primary"]) as primary, FakeUpstream(scripts["backup"]) as backup:
        assert (await exchange(primary))[0].startswith(b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 2\r\n")
        seen, how = await exchange(primary, KEEP)
        assert b'"content":"Hel"' in seen
        assert seen.endswith(b'"cont\r\n')
        assert how == "closed"
        request = LAST.replace(b'"m"', b'"gpt-4o"').replace(b"Length: 27", b"Length: 32")
        assert (await exchange(backup, request))[0].endswith(b"data: [DONE]\n\n\r\n0\r\n\r\n")


def test_the_smallest_fault_is_shown_as_it_is() -> None:
    assert block("python", 1) in (FOLDER / "faults" / "close_before_reply.py").read_text()


def test_every_fault_is_named() -> None:
    table = README.partition("## Faults")[2].partition("### Add")[0]
    assert {name for name in faults.FAULTS if f"`{name}`" not in table} == set()
