"""Runs the upstreams of a file alone: `python -m fake_upstreams script.yaml`.

Prints `NAME URL` for each once all are up, and runs until SIGINT or SIGTERM. Exit code 0, 1 when a strict script was
not followed (the reports go to stderr), 2 when the script cannot be read or a port cannot be had.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from .errors import ScriptError
from .parse import load_file
from .reply import Script
from .upstream import FakeUpstream


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        return asyncio.run(_run(load_file(options.script), options.port_file, options.journal))
    except (ScriptError, OSError) as problem:
        print(f"fake_upstreams: {problem}", file=sys.stderr)
        return 2


async def _run(scripts: dict[str, Script], port_file: Path | None, journal: bool) -> int:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    upstreams = [FakeUpstream(script, name=name) for name, script in scripts.items()]
    try:
        for upstream in upstreams:
            await upstream.start()
        lines = "".join(f"{upstream.name} {upstream.url}\n" for upstream in upstreams)
        if port_file is not None:
            _write_whole(port_file, lines)
        print(lines, end="", flush=True)
        await stopped.wait()
    finally:
        for upstream in upstreams:
            await upstream.stop()
    failed = [upstream for upstream in upstreams if upstream.script.strict and upstream.problems]
    for upstream in upstreams if journal else failed:
        print(upstream.report(), file=sys.stderr)
    return 1 if failed else 0


def _write_whole(path: Path, text: str) -> None:
    """Lets a reader who waits for the file see either nothing or all of it."""
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fake_upstreams", description="Runs scripted upstreams.")
    parser.add_argument(
        "script", type=Path, help="YAML: a mapping from names to upstreams, see fake_upstreams/README.md"
    )
    parser.add_argument("--port-file", type=Path, metavar="F", help="also write the lines with the urls to this file")
    parser.add_argument("--journal", action="store_true", help="print every journal at the end, not only on mismatch")
    return parser


if __name__ == "__main__":
    sys.exit(main())
