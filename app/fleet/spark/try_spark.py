"""Tries the jobs on a Spark with two executors that are processes: `python3 app/fleet/spark/try_spark.py [TRACES]`.

`scripts/setup.sh --for-tests` installs Spark and Java, and builds Outrank. Makes TRACES traces of as many seeds (default: 8), fills one lake by `outrank lake add`
and one by Spark, of which one executor is killed once half of the traces are listed. Compares all rows, table by table, and asks both engines
each ready question. `--speed` fills a lake with one executor and one with two instead, kills none, and says how much faster two are.
"""

import argparse
import csv
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OUTRANK = ["node", str(ROOT / "app/cli/outrank.mjs")]
SYNTH = ROOT / "converter/target/release/outrank-synth"
SPARK = {**os.environ, "SPARK_HOME": str(ROOT / "vendor/spark/pyspark"), "PYSPARK_PYTHON": sys.executable}
EXECUTOR = "CoarseGrainedExecutorBackend"


def run(*command, **options):
    """Runs a command and gives what it prints; ends where it fails."""
    end = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    if end.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {end.returncode}\n{end.stderr}")
    return end.stdout


def contents(lake):
    """For each table how many rows it has, and a number for these, whatever their order."""
    manifests = [json.loads(path.read_text()) for path in Path(lake, "manifests").glob("*.json")]
    tables = sorted({file["table"] for manifest in manifests for file in manifest["files"]})
    sums = " UNION ALL ".join(f"""SELECT '{table}' AS "table", count(*) AS n, sum(hash("{table}")) AS sum FROM "{table}\"""" for table in tables)
    rows = csv.DictReader(io.StringIO(run(*OUTRANK, "lake", "query", lake, "--format", "csv", "--sql", sums)))
    return {row["table"]: (int(row["n"]), row["sum"]) for row in rows}


def processor_seconds():
    """What the processes took that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def executors(of):
    """The process ids of the executors below a process."""
    below, found = {of}, []
    for line in run("ps", "-eo", "pid,ppid,args").splitlines()[1:]:
        pid, parent, args = line.split(None, 2)
        if int(parent) in below:
            below.add(int(pid))
            if EXECUTOR in args and "java" in args:
                found.append(int(pid))
    return found


def say(text):
    """Prints a line at once, so that a log tells how far it is."""
    print(text, flush=True)


def fill(traces, lake, number, half=None):
    """Fills a lake by Spark with a number of executors; kills one once `half` traces are listed."""
    command = [*OUTRANK, "lake", "spark", lake, "--traces", traces, "--tag", "build=1", "--outrank", " ".join(OUTRANK), "--"]
    command += ["--master", f"local-cluster[{number},1,1024]", "--conf", "spark.ui.enabled=false"]
    job = subprocess.Popen([str(part) for part in command], env=SPARK, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    killed = None
    while half is not None and killed is None and job.poll() is None:
        time.sleep(0.2)
        listed = len(list(Path(lake, "manifests").glob("*.json")))
        if listed >= half:
            running = executors(job.pid)
            if running:
                killed = running[0]
                os.kill(killed, signal.SIGKILL)
    printed, said = job.communicate()
    if job.returncode != 0:
        sys.exit(f"the job failed: {job.returncode}\n{said}")
    ended = printed.strip().splitlines()[-1]
    if half is None:
        say(ended)
    elif killed is None:
        sys.exit("the job ended before an executor could be killed: give more TRACES")
    else:
        say(f"executor {killed} was killed when {listed} traces were listed; {ended}")


def same(ours, theirs):
    """Whether two cells are equal, numbers to nine digits."""
    if ours == "" or theirs is None:
        return ours == "" and theirs is None
    if isinstance(theirs, (int, float)):
        return abs(float(ours) - theirs) <= 1e-9 * max(1, abs(theirs))
    return ours == str(theirs)


def compare_questions(lake):
    """Asks both engines each ready question, and compares the rows."""
    trace = next(Path(lake, "manifests").glob("[0-9a-f]*.json")).stem
    params = {"traces-like-this": {"trace": trace[:12]}, "slow-not-fast": {"at_least_z": "1"}, "model-outliers": {"at_least": "0.1"}}
    wrong = 0
    for question in sorted((ROOT / "panels/lake").glob("*.panel.sql")):
        name = question.name.removesuffix(".panel.sql")
        given = [part for pair in params.get(name, {}).items() for part in ("--param", "=".join(pair))]
        ours = list(csv.DictReader(io.StringIO(run(*OUTRANK, "lake", "ask", lake, name, "--format", "csv", *given))))
        # A few rows need no 200 tasks, as many as Spark has by itself.
        options = ("--conf", "spark.sql.shuffle.partitions=4", "--conf", "spark.ui.enabled=false")
        printed = run(*OUTRANK, "lake", "spark", lake, "--question", name, *given, "--", *options, env=SPARK)
        theirs = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
        equal = len(ours) == len(theirs) and all(
            a.keys() == b.keys() and all(same(a[key], b[key]) for key in a) for a, b in zip(ours, theirs)
        )
        say(f"{name}: {len(ours)} rows, {'equal' if equal else 'DIFFERENT'}")
        if not equal:
            wrong += 1
            say(f"  DuckDB: {ours[:2]}\n  Spark:  {theirs[:2]}")
    return wrong


def make_traces(folder, count):
    """Writes traces of as many seeds, and a file that is no trace."""
    folder.mkdir()
    for seed in range(count):
        run(SYNTH, "random", "--seed", seed + 1, "--events", 2000, "-o", folder / f"trace-{seed}.etl")
    (folder / "damaged.etl").write_bytes(b"no trace")


def timed(what, does):
    """Does something and says how long it took."""
    begun = time.monotonic()
    before = processor_seconds()
    result = does()
    seconds = time.monotonic() - begun
    say(f"{what}: {seconds:.1f} s, {processor_seconds() - before:.1f} s of processor")
    return result, seconds


def compare_speed(work, traces):
    """Fills a lake with one executor and one with two; both times hold the start of Spark."""
    times = [timed(f"Spark, executors: {number}", lambda: fill(traces, work / f"spark-{number}", number))[1] for number in (1, 2)]
    say(f"two executors are {times[0] / times[1]:.2f} times as fast as one")


def compare_lakes(work, traces, count):
    """Fills a lake by `outrank lake add` and one by Spark with an executor killed; gives whether all is equal."""
    add = [*OUTRANK, "lake", "add", str(work / "plain"), *map(str, sorted(traces.iterdir())), "--tag", "build=1"]
    timed("outrank lake add", lambda: subprocess.run(add, check=False, capture_output=True))
    # The same key of machines, so that all rows can be equal.
    (work / "spark").mkdir()
    shutil.copy(work / "plain/lake.json", work / "spark/lake.json")
    timed("Spark, executors: 2", lambda: fill(traces, work / "spark", 2, max(1, count // 2)))
    plain, spark = contents(work / "plain"), contents(work / "spark")
    equal = plain == spark and plain["trace"][0] == count
    for table in sorted({*plain, *spark}):
        if plain.get(table) != spark.get(table):
            say(f"  {table}: {plain.get(table)} by outrank lake add, {spark.get(table)} by Spark")
    rows = sum(n for n, _ in plain.values())
    say(f"{rows} rows in {len(plain)} tables of {plain['trace'][0]} traces: {'equal' if equal else 'DIFFERENT'}")
    wrong, _ = timed("questions", lambda: compare_questions(work / "plain"))
    return equal and wrong == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("traces", nargs="?", type=int, default=8, help="how many traces (default: 8)")
    parser.add_argument("--speed", action="store_true", help="compare one executor with two")
    given = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="outrank-spark-"))
    try:
        traces = work / "traces"
        timed("traces", lambda: make_traces(traces, given.traces))
        if given.speed:
            compare_speed(work, traces)
        elif not compare_lakes(work, traces, given.traces):
            sys.exit(1)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
