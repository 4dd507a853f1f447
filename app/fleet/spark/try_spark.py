"""Tries the jobs on a Spark with two executors that are processes: `python3 app/fleet/spark/try_spark.py [TRACES]`.

`scripts/setup.sh --for-tests` installs Spark and Java, and builds Outrank. Makes TRACES traces of as many seeds (default: 8), fills one lake by `outrank lake add`
and one by Spark. One executor is killed once half of the traces are listed. Compares all rows, table by table, and asks both engines
each ready question, or those that `--question` names. `--speed` fills a lake with one executor and one with two instead, each
on a core of its own, kills none, and says how much faster two are.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "testing"))
from two_engines import OUTRANK, ROOT, SYNTH, compare_questions, duckdb, run, say, timed

SPARK = {
    **os.environ,
    "SPARK_HOME": str(ROOT / "vendor/spark/pyspark"),
    "PYSPARK_PYTHON": sys.executable,
    # For jobs of a minute better code does not pay.
    "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
EXECUTOR = "CoarseGrainedExecutorBackend"


def contents(lake):
    """For each table how many rows it has, and a number for these, whatever their order."""
    manifests = [json.loads(path.read_text()) for path in Path(lake, "manifests").glob("*.json")]
    tables = sorted({file["table"] for manifest in manifests for file in manifest["files"]})
    sums = " UNION ALL ".join(f"""SELECT '{table}' AS "table", count(*) AS n, sum(hash("{table}")) AS sum FROM "{table}\"""" for table in tables)
    return {row["table"]: (int(row["n"]), row["sum"]) for row in duckdb("query", lake, "--sql", sums)}


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


def pin(pids):
    """Gives each executor a core of its own, as if it were on a machine of its own."""
    for core, pid in enumerate(sorted(pids)):
        for thread in os.listdir(f"/proc/{pid}/task"):
            os.sched_setaffinity(int(thread), {core})


def fill(traces, lake, number, half=None, pinned=False):
    """Fills a lake by Spark with a number of executors, `pinned` or not; kills one once `half` traces are listed."""
    command = [*OUTRANK, "lake", "spark", lake, "--traces", traces, "--tag", "build=1", "--outrank", " ".join(OUTRANK), "--"]
    command += ["--master", f"local-cluster[{number},1,1024]", "--conf", "spark.ui.enabled=false"]
    job = subprocess.Popen([str(part) for part in command], env=SPARK, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while pinned and job.poll() is None:
        time.sleep(0.1)
        running = executors(job.pid)
        if len(running) == number:
            pin(running)
            break
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


def ask_spark(lake, question, given):
    """The rows that Spark answers to a question."""
    # A few rows need no 200 tasks, as many as Spark has by itself.
    options = ("--conf", "spark.sql.shuffle.partitions=4", "--conf", "spark.ui.enabled=false")
    printed = run(*OUTRANK, "lake", "spark", lake, "--question", question, *given, "--", *options, env=SPARK)
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def make_traces(folder, count, events):
    """Writes traces of as many seeds, and a file that is no trace."""
    folder.mkdir()
    for seed in range(count):
        run(SYNTH, "random", "--seed", seed + 1, "--events", events, "-o", folder / f"trace-{seed}.etl")
    (folder / "damaged.etl").write_bytes(b"no trace")


def compare_speed(work, traces):
    """Fills a lake with one executor and one with two; both times hold the start of Spark."""
    filled = lambda number: fill(traces, work / f"spark-{number}", number, pinned=True)
    times = [timed(f"Spark, executors: {number}", lambda: filled(number))[1] for number in (1, 2)]
    say(f"two executors are {times[0] / times[1]:.2f} times as fast as one")


def compare_lakes(work, traces, count, questions):
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
    ask = lambda *asked: ask_spark(work / "plain", *asked)
    wrong, _ = timed("questions", lambda: compare_questions(work / "plain", "Spark", ask, questions))
    return equal and wrong == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("traces", nargs="?", type=int, default=8, help="how many traces (default: 8)")
    parser.add_argument("--events", type=int, default=2000, help="how many events each has (default: 2000)")
    parser.add_argument("--speed", action="store_true", help="compare one executor with two")
    parser.add_argument("--question", action="append", help="ask this ready question, not all")
    given = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="outrank-spark-"))
    try:
        traces = work / "traces"
        timed("traces", lambda: make_traces(traces, given.traces, given.events))
        if given.speed:
            compare_speed(work, traces)
        elif not compare_lakes(work, traces, given.traces, given.question):
            sys.exit(1)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
