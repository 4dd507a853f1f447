"""Tries the jobs on a Spark with two executors that are processes: `VENV/bin/python app/fleet/spark/try_spark.py [TRACES]`.

Needs pyspark 4.3.0 in VENV and Java 17; Outrank is built. Makes TRACES traces of as many seeds (default: 8), fills one lake by `outrank lake add`
and one by Spark, of which one executor is killed once half of the traces are listed. Compares all rows, table by table, and asks both engines
each ready question.
"""

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
HERE = Path(__file__).resolve().parent
OUTRANK = ["node", str(ROOT / "app/cli/outrank.mjs")]
SYNTH = ROOT / "converter/target/release/outrank-synth"
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


def fill(traces, lake, half):
    """Fills a lake by Spark; kills an executor once so many traces are listed."""
    command = [sys.executable, HERE / "fill_lake.py", "--traces", traces, "--lake", lake, "--tag", "build=1", "--outrank", " ".join(OUTRANK)]
    master = "--master local-cluster[2,1,1024] --conf spark.ui.enabled=false pyspark-shell"
    environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": master, "PYSPARK_PYTHON": sys.executable}
    job = subprocess.Popen([str(part) for part in command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    killed = None
    while killed is None and job.poll() is None:
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
    if killed is None:
        sys.exit("the job ended before an executor could be killed: give more TRACES")
    print(f"executor {killed} was killed when {listed} traces were listed; {printed.strip().splitlines()[-1]}")


def same(ours, theirs):
    """Whether two cells are equal, numbers to nine digits."""
    if ours == "" or theirs is None:
        return ours == "" and theirs is None
    if isinstance(theirs, (int, float)):
        return abs(float(ours) - theirs) <= 1e-9 * max(1, abs(theirs))
    return ours == str(theirs)


def compare_questions(work, lake):
    """Asks both engines each ready question, and compares the rows."""
    views = work / "views.sql"
    views.write_text(run(*OUTRANK, "lake", "views", lake, "--engine", "spark"))
    trace = next(Path(lake, "manifests").glob("[0-9a-f]*.json")).stem
    params = {"traces-like-this": {"trace": trace[:12]}, "slow-not-fast": {"at_least_z": "1"}, "model-outliers": {"at_least": "0.1"}}
    wrong = 0
    for question in sorted((ROOT / "panels/lake").glob("*.panel.sql")):
        name = question.name.removesuffix(".panel.sql")
        given = [part for pair in params.get(name, {}).items() for part in ("--param", "=".join(pair))]
        ours = list(csv.DictReader(io.StringIO(run(*OUTRANK, "lake", "ask", lake, name, "--format", "csv", *given))))
        printed = run(sys.executable, HERE / "ask_lake.py", "--views", views, "--question", question, *given)
        theirs = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
        equal = len(ours) == len(theirs) and all(
            a.keys() == b.keys() and all(same(a[key], b[key]) for key in a) for a, b in zip(ours, theirs)
        )
        print(f"{name}: {len(ours)} rows, {'equal' if equal else 'DIFFERENT'}")
        if not equal:
            wrong += 1
            print(f"  DuckDB: {ours[:2]}\n  Spark:  {theirs[:2]}")
    return wrong


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    work = Path(tempfile.mkdtemp(prefix="outrank-spark-"))
    try:
        traces = work / "traces"
        traces.mkdir()
        for seed in range(count):
            run(SYNTH, "random", "--seed", seed + 1, "--events", 2000, "-o", traces / f"trace-{seed}.etl")
        (traces / "damaged.etl").write_bytes(b"no trace")
        begun = time.monotonic()
        before = processor_seconds()
        subprocess.run([*OUTRANK, "lake", "add", str(work / "plain"), *map(str, sorted(traces.iterdir())), "--tag", "build=1"], check=False, capture_output=True)
        print(f"outrank lake add: {time.monotonic() - begun:.1f} s, {processor_seconds() - before:.1f} s of processor")
        # The same key of machines, so that all rows can be equal.
        (work / "spark").mkdir()
        shutil.copy(work / "plain/lake.json", work / "spark/lake.json")
        begun = time.monotonic()
        fill(traces, work / "spark", max(1, count // 2))
        print(f"Spark: {time.monotonic() - begun:.1f} s")
        plain, spark = contents(work / "plain"), contents(work / "spark")
        equal = plain == spark
        for table in sorted({*plain, *spark}):
            if plain.get(table) != spark.get(table):
                print(f"  {table}: {plain.get(table)} by outrank lake add, {spark.get(table)} by Spark")
        rows = sum(n for n, _ in plain.values())
        print(f"{rows} rows of {plain['trace'][0]} traces: {'equal' if equal else 'DIFFERENT'}")
        wrong = compare_questions(work, work / "plain")
        sys.exit(0 if equal and wrong == 0 else 1)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
