"""Fills a lake on a Spark cluster: `spark-submit fill_lake.py --traces FOLDER --lake LAKE`.

Lists the traces of a folder or a bucket, and lets the executors add them by `outrank lake add`: the rows are those that it
writes on one machine. A task that is lost is run again by Spark, which changes nothing of what is listed already.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from urllib.parse import unquote, urlparse

from pyspark.sql import SparkSession

# So many traces are added by one process, while they are no more bytes together: to start one takes longer than a small trace.
MOST_AT_ONCE, BYTES_AT_ONCE = 16, 64 << 20
ENDINGS = (".etl", ".etl.gz", ".zip", ".cab", ".diagsession", ".outrank")


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--traces", required=True, help="folder of traces: a path that all executors see, s3a://…, abfss://…")
    parser.add_argument("--lake", required=True, help="a folder that all executors see, or s3://BUCKET/PREFIX")
    parser.add_argument("--outrank", default="outrank", help="how executors call outrank")
    parser.add_argument("--tag", action="append", default=[], help="NAME=VALUE, as outrank lake add takes it")
    parser.add_argument("--retries", type=int, default=2, help="how often a trace is tried again (default: 2)")
    parser.add_argument("--seconds", type=int, default=3600, help="the longest that one trace may take (default: 3600)")
    return parser.parse_args()


def list_traces(spark, folder):
    """The addresses and sizes of all traces below a folder, by any file system that Hadoop knows; largest first."""
    hadoop = spark.sparkContext._jvm.org.apache.hadoop.fs
    path = hadoop.Path(folder)
    files = path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).listFiles(path, True)
    found = []
    while files.hasNext():
        file = files.next()
        address = file.getPath().toUri().toString()
        if address.lower().endswith(ENDINGS):
            found.append((address, file.getLen()))
    return sorted(found, key=lambda each: (-each[1], each[0]))


def groups(traces):
    """Puts small traces together; a larger one is by itself."""
    found, size = [], 0
    for address, length in traces:
        if not found or len(found[-1]) == MOST_AT_ONCE or size + length > BYTES_AT_ONCE:
            found.append([])
            size = 0
        found[-1].append(address)
        size += length
    return found


def add_at_once(paths, lake, outrank, tags, seconds, cores):
    """Adds traces by one process, on so many cores. Gives what became of each that it came to, and why it went no further."""
    command = [*shlex.split(outrank), "lake", "add", lake, *paths, "--jobs", "1", "--format", "json"]
    for tag in tags:
        command += ["--tag", tag]
    try:
        end = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=seconds * len(paths),
            check=False,
            # Executors of one machine would slow one another down: the converter takes all cores by itself.
            env={**os.environ, "RAYON_NUM_THREADS": str(cores)},
        )
        printed, why = end.stdout, " ".join(end.stderr.strip().splitlines()[-1:])
    except subprocess.TimeoutExpired as late:
        printed, why = (late.stdout or b"").decode(), f"took longer than {seconds} s"
    ends = {}
    for line in printed.splitlines(keepends=True):
        # A process that was killed may have printed a part of its last line.
        if line.endswith("\n"):
            told = json.loads(line)
            ends[told["path"]] = outcome_of(told)
    return ends, why


def outcome_of(told):
    """`added`, `damaged` or `left out`, and why."""
    if told["outcome"] == "left_out":
        return "left out", told["why"]
    return ("damaged", told["warnings"][-1]) if told["warnings"] else ("added", "")


def add(paths, lake, outrank, tags, retries, seconds, cores):
    """Adds traces; gives what became of each: `added`, `damaged`, `left out` or `failed`, and why."""
    ends, why = add_at_once(paths, lake, outrank, tags, seconds, cores)
    for path in [path for path in paths if path not in ends]:
        for attempt in range(1, retries + 1):
            time.sleep(2**attempt)
            found, why = add_at_once([path], lake, outrank, tags, seconds, cores)
            ends |= found
            if path in ends:
                break
        else:
            ends[path] = ("failed", why)
    return ends


def add_local(addresses, options):
    """Adds traces that lie where every executor sees them."""
    paths = {unquote(urlparse(address).path): address for address in addresses}
    return [(paths[path], *end) for path, end in add(list(paths), *options).items()]


def add_content(address, content, options):
    """Adds a trace of a bucket by its bytes, under its own name."""
    with tempfile.TemporaryDirectory(prefix="outrank-spark-") as folder:
        path = os.path.join(folder, unquote(address).rsplit("/", 1)[-1])
        with open(path, "wb") as file:
            file.write(content)
        return (address, *add([path], *options)[path])


def main():
    given = read_arguments()
    spark = SparkSession.builder.appName("outrank lake").getOrCreate()
    cores = int(spark.sparkContext.getConf().get("spark.task.cpus", "1"))
    options = (given.lake, given.outrank, given.tag, given.retries, given.seconds, cores)
    traces = list_traces(spark, given.traces)
    if not traces:
        sys.exit(f"{given.traces}: no traces: none ends in {', '.join(ENDINGS)}")
    addresses = [address for address, _ in traces]
    # Small tasks, so that a lost executor loses little.
    if all(urlparse(address).scheme in ("", "file") for address in addresses):
        together = groups(traces)
        tasks = spark.sparkContext.parallelize(together, len(together))
        ends = tasks.flatMap(lambda group: add_local(group, options)).collect()
    else:
        rows = spark.read.format("binaryFile").load(addresses).select("path", "content").rdd
        ends = rows.repartition(len(addresses)).map(lambda row: add_content(row.path, bytes(row.content), options)).collect()
    for address, outcome, why in sorted(ends):
        if outcome != "added":
            print(f"{outcome}: {address}: {why}", file=sys.stderr)
    counts = {outcome: sum(1 for end in ends if end[1] == outcome) for outcome in ("added", "damaged", "left out", "failed")}
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    spark.stop()
    sys.exit(1 if counts["failed"] > 0 else 0)


if __name__ == "__main__":
    main()
