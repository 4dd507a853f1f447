#!/usr/bin/env python3
"""Measures outrank-convert: `scripts/bench-converter.py [LOAD=COUNT | FILE.etl]…` (default: 5 million switches, and a
million generic events and samples with stacks).

A LOAD is a scenario of outrank-synth: `switches`, `generic` or `stacks`. Prints, for each, its items (context switches,
events, samples) or a file's events per second on one core and on all, peak resident memory, bytes written per item, and
the time as a multiple of what reading and checksumming (SHA-256) the same file takes in the same run. For a FILE it also
runs the Python package dissect.etl where that is installed (optional: `pip install dissect.etl==3.14` in a virtual
environment of its own), which steps through the same events, unpacked beforehand, and decodes the payloads that it knows.
"""

import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

BINARIES = Path(__file__).resolve().parent.parent / "converter" / "target" / "release"
CONVERT = os.environ.get("OUTRANK_CONVERTER", str(BINARIES / "outrank-convert"))
# A module of WebAssembly is run by the script next to it.
COMMAND = ["node", CONVERT.removesuffix(".wasm") + ".mjs"] if CONVERT.endswith(".wasm") else [CONVERT]
SYNTH = os.environ.get("OUTRANK_SYNTH", str(BINARIES / "outrank-synth"))
READ_BYTES = 1 << 20
CPUS = "16"
# From so many bytes on, the best of so many runs: short ones differ more.
RUNS = ((1 << 30, 1), (1 << 27, 3), (0, 15))
ITEMS = {"switches": "context switches", "generic": "generic events", "stacks": "samples"}


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
    # Freeing what is overwritten would be measured too.
    output.unlink(missing_ok=True)
    own_cpus = os.sched_getaffinity(0)
    # Inherited: set between fork and exec, it would need a copy of this process.
    os.sched_setaffinity(0, cpus)
    start = time.perf_counter()
    process = subprocess.Popen([*COMMAND, str(path), "-o", str(output), "--progress", "none"])
    _, status, usage = os.wait4(process.pid, 0)
    # 3: converted, with losses that are in the file.
    if os.waitstatus_to_exitcode(status) not in (0, 3):
        sys.exit(f"outrank-convert failed on {path}")
    wall = time.perf_counter() - start
    os.sched_setaffinity(0, own_cpus)
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def unpacked(path: Path) -> bytes:
    """The trace in a file: the file itself, a .gz, or the first trace in a .zip."""
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return archive.read(next(name for name in archive.namelist() if name.lower().endswith(".etl")))
    return path.read_bytes()


def step_through(path: Path) -> tuple[int, int, int, str, float, float] | None:
    """How many events dissect.etl steps through, decodes and fails at, what ended it early, and its wall and CPU seconds."""
    try:
        from dissect.etl.etl import ETL
    except ImportError:
        return None
    stepped, decoded, failed, problem = 0, 0, 0, ""
    file = io.BytesIO(unpacked(path))
    start, start_cpu = time.perf_counter(), time.process_time()
    # Whatever it fails with on an event or a file is the result.
    try:
        for record in ETL(file):
            stepped += 1
            try:
                # It has no public word on whether it knew the layout.
                decoded += record.event._struct is not None
            except Exception:
                failed += 1
    except Exception as error:
        problem = f", ended by {type(error).__name__}: {error}"
    return stepped, decoded, failed, problem, time.perf_counter() - start, time.process_time() - start_cpu


def dissect(path: Path, count: int, payloads: int, wall: float, cpu: float) -> None:
    """Prints how fast dissect.etl steps through the same file, how far it comes, and how much it decodes; and how many times
    that outrank-convert is, which took the given seconds for so many events and payloads."""
    # A process of its own: this one stays small, as its size counts as that of those that it starts.
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        result = process.submit(step_through, path).result()
    if result is None:
        print("  dissect.etl: not installed")
        return
    stepped, decoded, failed, problem, its_wall, its_cpu = result
    print(
        f"  dissect.etl: {stepped:,} events, {decoded:,} of them decoded, {failed:,} failed, {its_wall:.2f} s wall, "
        f"{its_cpu:.2f} s CPU, {stepped / its_cpu:,.0f} events a CPU second{problem}"
    )
    if decoded:
        for measured, ours_s, its_s in (("by the clock", wall, its_wall), ("of processors", cpu, its_cpu)):
            print(
                f"  outrank-convert, {measured}: {count / ours_s / (stepped / its_s):.0f} x as fast per event read, "
                f"{payloads / ours_s / (decoded / its_s):.0f} x per payload decoded"
            )


def measure(trace: Path, count: int, items: str, folder: Path) -> tuple[float, float]:
    """Prints the figures for a trace that holds `count` items; answers the least wall and CPU seconds of a conversion."""
    output = folder / "bench.pftrace"
    runs = next(runs for least_bytes, runs in RUNS if trace.stat().st_size >= least_bytes)
    reading = min(checksum_s(trace) for _ in range(runs))
    cpus = os.sched_getaffinity(0)
    print(f"{count:,} {items}, {trace.stat().st_size / 1e6:.0f} MB; checksum {reading:.2f} s", flush=True)
    least_wall, least_cpu = float("inf"), float("inf")
    for name, allowed in (("one core", {min(cpus)}), (f"{len(cpus)} cores", cpus)):
        wall, cpu, resident = min(convert(trace, output, allowed) for _ in range(runs))
        least_wall, least_cpu = min(least_wall, wall), min(least_cpu, cpu)
        print(
            f"  {name}: {wall:.2f} s wall, {cpu:.2f} s CPU, {count / wall / 1e6:.2f} M/s "
            f"({count / cpu / 1e6:.2f} M per CPU second), {wall / reading:.1f} x checksum, "
            f"{resident / 2**20:.0f} MiB resident, {output.stat().st_size / count:.0f} bytes each",
            flush=True,
        )
    return least_wall, least_cpu


def bench(argument: str, folder: Path) -> None:
    """Measures one load or file."""
    load, _, count = argument.partition("=")
    if load in ITEMS:
        trace = folder / "bench.etl"
        subprocess.run(
            [SYNTH, load, "--count", count, "--cpus", CPUS, "-o", str(trace)], check=True, stderr=subprocess.DEVNULL
        )
        measure(trace, int(count), ITEMS[load], folder)
        return
    info = subprocess.run([*COMMAND, "info", argument, "--json"], check=True, capture_output=True)
    events = json.loads(info.stdout)["events"]
    wall, cpu = measure(Path(argument), events["read"], f"events of {argument}", folder)
    dissect(Path(argument), events["read"], events["converted"] + events["generic"], wall, cpu)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        for given in sys.argv[1:] or ["switches=5000000", "generic=1000000", "stacks=1000000"]:
            bench(given, Path(temporary))
