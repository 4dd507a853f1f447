#!/usr/bin/env python3
"""Measures columns, and what is drawn and asked of them, against SQL on the trace: `scripts/bench-tables.py [COUNT]` (default: 5 million switches).

Each command runs as a whole process, the best of three; the load of the trace in the engine once. Writes the table into
docs/performance.md, between the marks that name this script.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARIES = ROOT / "converter" / "target" / "release"
OUTRANK = ["node", str(ROOT / "app" / "cli" / "outrank.mjs")]
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- bench-tables.py -->", "<!-- /bench-tables.py -->"
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
    rows = [
        ("tables as Arrow, from the .etl", columns, f"{columns / plain:.2f} × its conversion ({plain:.2f} s)"),
        ("the 50 longest ready waits, of the tables", longest, f"{longest / plain:.2f} × its conversion"),
        ("CPU time by CPU, of the tables", summed, f"{summed / plain:.2f} × its conversion"),
        ("both steps: from the .etl to the 50 longest", columns + longest, f"{(columns + longest) / plain:.2f} × its conversion; the target is 4 × and 1 s"),
        ("the same of the trace, nothing cached", whole, f"{whole / (columns + longest):.1f} × both steps"),
        ("the same of the trace, converted before", again, f"{again / longest:.1f} × the tables"),
    ]
    rows.append(("outline and columns, from the .etl", apart, f"{apart / plain:.2f} × its conversion"))
    for view, (first, again) in views.items():
        rows.append((f"`outrank view {view}`, nothing cached", first, f"{first / plain:.2f} × its conversion; the target is 1.5 × and 0.5 s"))
        rows.append((f"`outrank view {view}`, converted before", again, "the target is 0.7 s"))
        rows.append((f"`outrank view {view}` by SQL, of the converted trace", by_sql[view], f"{by_sql[view] / again:.1f} × from columns"))
    lines = [f"| {count:,} context switches | seconds | ratio |", "|---|---|---|"]
    lines += [f"| {what} | {taken:.2f} | {ratio} |" for what, taken, ratio in rows]
    lines += ["", f"The tables take {size:.2f} × the bytes of the .etl."]
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{rest.split(END)[1]}")
    print("\n".join(lines))


main()
