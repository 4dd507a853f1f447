#!/usr/bin/env python3
"""Measures outrank-convert on synthetic traces: `scripts/bench-converter.py [SWITCHES…]` (default 5000000).

Prints, for each length, context switches per second on one core and on all, peak resident memory, bytes written per
switch, and the time as a multiple of what reading and checksumming (SHA-256) the same file takes in the same run.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BINARIES = Path(__file__).resolve().parent.parent / "converter" / "target" / "release"
CONVERT = os.environ.get("OUTRANK_CONVERTER", str(BINARIES / "outrank-convert"))
SYNTH = os.environ.get("OUTRANK_SYNTH", str(BINARIES / "outrank-synth"))
READ_BYTES = 1 << 20


def checksum_s(path: Path) -> float:
    """Seconds to read a file and compute its SHA-256."""
    digest = hashlib.sha256()
    start = time.perf_counter()
    with path.open("rb") as file:
        while chunk := file.read(READ_BYTES):
            digest.update(chunk)
    return time.perf_counter() - start


def convert(path: Path, output: Path, cpus: set[int]) -> tuple[float, float, int]:
    """Wall seconds, CPU seconds and peak resident bytes of one conversion on the given CPUs."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [CONVERT, str(path), "-o", str(output), "--progress", "none"],
        preexec_fn=lambda: os.sched_setaffinity(0, cpus),
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"outrank-convert failed on {path}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def bench(switches: int, folder: Path) -> None:
    """Prints the figures for a trace of `switches` context switches."""
    trace, output = folder / "bench.etl", folder / "bench.pftrace"
    subprocess.run(
        [SYNTH, "switches", "--count", str(switches), "--cpus", "16", "-o", str(trace)],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    reading = min(checksum_s(trace) for _ in range(3))
    cpus = os.sched_getaffinity(0)
    print(f"{switches:,} context switches, {trace.stat().st_size / 1e6:.0f} MB; checksum {reading:.2f} s")
    for name, allowed in (("one core", {min(cpus)}), (f"{len(cpus)} cores", cpus)):
        wall, cpu, resident = min(convert(trace, output, allowed) for _ in range(3))
        print(
            f"  {name}: {wall:.2f} s wall, {cpu:.2f} s CPU, {switches / wall / 1e6:.2f} M switches/s, "
            f"{wall / reading:.1f} x checksum, {resident / 2**20:.0f} MiB resident, "
            f"{output.stat().st_size / switches:.0f} bytes per switch"
        )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        for argument in sys.argv[1:] or ["5000000"]:
            bench(int(argument), Path(temporary))
