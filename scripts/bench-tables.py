#!/usr/bin/env python3
"""Measures columns, and what is drawn and asked of them, against SQL on the trace: `scripts/bench-tables.py [COUNT]` (default: 5 million switches).

Each command runs as a whole process, the best of three; the load of the trace in the engine once. Records the rows in
docs/measurements.json, of which docs/performance.md is made.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARIES = ROOT / "converter" / "target" / "release"
OUTRANK = ["node", str(ROOT / "app" / "cli" / "outrank.mjs")]
LONGEST = "SELECT * FROM etw_ready_wait ORDER BY dur DESC LIMIT 50"
VIEWS = ["ready-latency"]
SUMMED = "SELECT cpu, sum(dur) FROM etw_run WHERE utid != 0 GROUP BY cpu"


def seconds(command: list[str], cache: Path, runs: int = 3) -> float:
    """The least wall time of some runs."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, env={**os.environ, "OUTRANK_CACHE": str(cache)})
        taken.append(time.perf_counter() - start)
        if done.returncode != 0:
            sys.exit(done.stderr.decode())
    return min(taken)


def first_and_again(view: str, trace: Path, cache: Path) -> tuple[float, float]:
    """What it takes to print a view of a trace with nothing cached, and once more."""
    command = [*OUTRANK, "view", view, str(trace)]
    return seconds(command, cache, runs=1), seconds(command, cache)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trace, tables, cache = folder / "load.etl", folder / "tables", folder / "cache"
        subprocess.run([BINARIES / "outrank-synth", "switches", "--count", str(count), "-o", trace], check=True, stdout=subprocess.DEVNULL)
        converter = str(BINARIES / "outrank-convert")
        plain = seconds([converter, str(trace), "-o", str(folder / "load.pftrace"), "--progress", "none"], cache)
        columns = seconds([converter, "columns", str(trace), "-o", str(tables), "--progress", "none"], cache)
        longest, summed = (seconds([*OUTRANK, "query", str(tables), "--sql", sql], cache) for sql in (LONGEST, SUMMED))
        whole = seconds([*OUTRANK, "query", str(trace), "--sql", LONGEST], cache, runs=1)
        again = seconds([*OUTRANK, "query", str(trace), "--sql", LONGEST], cache, runs=1)
        beside = [converter, str(trace), "-o", str(folder / "outline.pftrace"), "--columns", str(folder / "beside"), "--progress", "none"]
        apart = seconds(beside, cache)
        views = {view: first_and_again(view, trace, folder / view) for view in VIEWS}
        by_sql = {view: seconds([*OUTRANK, "view", view, str(folder / "load.pftrace")], cache, runs=1) for view in VIEWS}
        size = sum(file.stat().st_size for file in tables.iterdir()) / trace.stat().st_size
        kept = [folder / "outline.pftrace", *(folder / "beside").iterdir()]
        kept_size = sum(file.stat().st_size for file in kept) / trace.stat().st_size
    rows = [
        ("tables as Arrow, from the .etl", columns, f"{columns / plain:.2f} × its conversion ({plain:.2f} s)"),
        ("the 50 longest ready waits, of the tables", longest, f"{longest / plain:.2f} × its conversion"),
        ("CPU time by CPU, of the tables", summed, f"{summed / plain:.2f} × its conversion"),
        ("both steps: from the .etl to the 50 longest", columns + longest, f"{(columns + longest) / plain:.2f} × its conversion"),
        ("the same of the trace, nothing cached", whole, f"{whole / (columns + longest):.1f} × both steps"),
        ("the same of the trace, converted before", again, f"{again / longest:.1f} × the tables"),
    ]
    rows.append(("outline and columns, from the .etl", apart, f"{apart / plain:.2f} × its conversion"))
    for view, (first, again) in views.items():
        rows.append((f"outrank view {view}, nothing cached", first, f"{first / plain:.2f} × its conversion; the target is 1.5 × and 0.5 s"))
        rows.append((f"outrank view {view}, converted before", again, "the target is 0.7 s"))
        rows.append((f"outrank view {view} by SQL, of the converted trace", by_sql[view], f"{by_sql[view] / again:.1f} × from columns"))
    load = f"{count / 1e6:g} M context switches"
    measured = [(what, f"{taken:.2f} s ({ratio})") for what, taken, ratio in rows]
    measured.append(("bytes of the tables", f"{size:.2f} × the .etl"))
    measured.append(("bytes of the cache, outline and columns", f"{kept_size:.2f} × the .etl (the target is 1.5 ×)"))
    common = {"area": "SQL on exported tables", "load": load, "command": "scripts/bench-tables.py"}
    recorded = json.dumps([{**common, "measure": what, "value": value} for what, value in measured])
    record = ["node", str(ROOT / "scripts" / "performance-docs.mjs"), "--record"]
    subprocess.run(record, input=recorded, text=True, check=True)
    print("\n".join(f"{what}: {value}" for what, value in measured))



main()
