"""What the trials of other engines share: traces, lakes, and whether DuckDB and another engine answer alike."""

import csv
import io
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OUTRANK = ["node", str(ROOT / "app/cli/outrank.mjs")]
SYNTH = ROOT / "converter/target/release/outrank-synth"


def run(*command, allowed=(0,), **options):
    """Runs a command and gives what it prints; ends where it fails: where its exit code is not allowed."""
    end = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    if end.returncode not in allowed:
        sys.exit(f"{' '.join(map(str, command))}: {end.returncode}\n{end.stderr}")
    return end.stdout


def say(text):
    """Prints a line at once, so that a log tells how far it is."""
    print(text, flush=True)


def processor_seconds():
    """What the processes took that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(what, does):
    """Does something and says how long it took."""
    begun = time.monotonic()
    before = processor_seconds()
    result = does()
    seconds = time.monotonic() - begun
    say(f"{what}: {seconds:.1f} s, {processor_seconds() - before:.1f} s of processor")
    return result, seconds


def duckdb(*command):
    """The rows that an `outrank lake` command prints as CSV."""
    return list(csv.DictReader(io.StringIO(run(*OUTRANK, "lake", *command, "--format", "csv"))))


def same(ours, theirs):
    """Whether a cell of DuckDB's CSV equals a value of another engine, numbers to nine digits."""
    if ours == "" or theirs is None:
        return ours == "" and theirs is None
    if isinstance(theirs, (int, float)):
        return abs(float(ours) - theirs) <= 1e-9 * max(1, abs(theirs))
    return ours == str(theirs)


def same_rows(ours, theirs):
    """Whether rows are equal, in their order."""
    return len(ours) == len(theirs) and all(
        a.keys() == b.keys() and all(same(a[key], b[key]) for key in a) for a, b in zip(ours, theirs)
    )


def compare_questions(lake, engine, ask, wanted=None):
    """Asks DuckDB and `ask(question, options)` each ready question, or those that are `wanted`; gives of how many the rows differ."""
    trace = duckdb("query", lake, "--sql", "SELECT max(trace_id) AS id FROM trace")[0]["id"]
    params = {"traces-like-this": {"trace": trace[:12]}, "slow-not-fast": {"at_least_z": "1"}, "model-outliers": {"at_least": "0.1"}}
    wrong = 0
    for question in sorted((ROOT / "panels/lake").glob("*.panel.sql")):
        name = question.name.removesuffix(".panel.sql")
        if wanted is not None and name not in wanted:
            continue
        given = [part for pair in params.get(name, {}).items() for part in ("--param", "=".join(pair))]
        ours, theirs = duckdb("ask", lake, name, *given), ask(name, given)
        equal = same_rows(ours, theirs)
        say(f"{name}: {len(ours)} rows, {'equal' if equal else 'DIFFERENT'}")
        if not equal:
            wrong += 1
            say(f"  DuckDB: {ours[:2]}\n  {engine}: {theirs[:2]}")
    return wrong
