"""Stands in for the gateway's executable: runs the real one and changes what goes in and out of it.

`python -m conformance.defects.stand_in REAL CHANGE ARGUMENT...`, where CHANGE is the change's declaration as JSON.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import re
import signal
import sys
from collections.abc import Sequence
from typing import BinaryIO

from conformance.defects.change import Change, substitute
from conformance.defects.proxy import Proxy

_LISTENING = re.compile(rb"listening on http://([^:/\s]+):(\d+)")
_SET_PARENT_DEATH_SIGNAL = 1


def main(arguments: Sequence[str]) -> int:
    """Runs the real executable with the arguments after the first two; returns its exit code, changed if need be."""
    real, declaration, *rest = arguments
    change = Change.parse(json.loads(declaration))
    given = [substitute(argument.encode(), change.arguments).decode() for argument in rest]
    code = asyncio.run(_run(real, given, change))
    return code if change.exit_code is None else change.exit_code


async def _run(real: str, arguments: Sequence[str], change: Change) -> int:
    process = await asyncio.create_subprocess_exec(
        real,
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        preexec_fn=_end_with_parent,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    log = asyncio.create_task(_relay_log(process.stderr, change))
    said = await process.stdout.readline()
    address = _LISTENING.search(said)
    proxy = None
    if address is not None:
        proxy = Proxy(address.group(1).decode(), int(address.group(2)), change)
        said = said.replace(address.group(0), b"listening on " + (await proxy.listen()).encode())
    _relay_signals(process, proxy)
    _write(sys.stdout.buffer, substitute(said, change.output))
    _write(sys.stdout.buffer, await process.stdout.read())
    code = await process.wait()
    await log
    if proxy is not None:
        await proxy.finish()
    return code


def _relay_signals(process: asyncio.subprocess.Process, proxy: Proxy | None) -> None:
    """Passes the first signal on and, like the gateway, takes no other one after it."""
    stop_signals = (signal.SIGTERM, signal.SIGINT)
    loop = asyncio.get_running_loop()

    def relay(number: signal.Signals) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, stop_signals)
        if proxy is not None:
            proxy.refuse()
        if process.returncode is None:
            process.send_signal(number)

    for number in stop_signals:
        loop.add_signal_handler(number, relay, number)


async def _relay_log(stream: asyncio.StreamReader, change: Change) -> None:
    while line := await stream.readline():
        _write(sys.stderr.buffer, substitute(line, change.log))


def _write(to: BinaryIO, data: bytes) -> None:
    to.write(data)
    to.flush()


def _end_with_parent() -> None:
    """Has the kernel kill the gateway when its stand-in is killed, since nobody else would know of it."""
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
