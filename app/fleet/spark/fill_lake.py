"""Fills a lake on a Spark cluster: `spark-submit fill_lake.py --traces FOLDER --lake LAKE`.

Lists the traces of a folder or a bucket, and lets the executors add them by `outrank lake add`: the rows are those that it
writes on one machine. A task that is lost is run again by Spark, which changes nothing of what is listed already.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from urllib.parse import unquote, urlparse

from pyspark.sql import SparkSession

# What `outrank lake add` says of traces that it added, as they are or damaged; and of what is no trace.
ADDED, LEFT_OUT, DAMAGED = 0, 2, 3
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


def add(path, lake, outrank, tags, retries, seconds):
    """Adds a trace; gives what became of it: `added`, `damaged`, `left out` or `failed`, and why."""
    command = [*shlex.split(outrank), "lake", "add", lake, path]
    for tag in tags:
        command += ["--tag", tag]
    why = ""
    for attempt in range(retries + 1):
        if attempt > 0:
            time.sleep(2**attempt)
        try:
            end = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            why = f"took longer than {seconds} s"
            continue
        why = " ".join(end.stderr.strip().splitlines()[-1:])
        if end.returncode in (ADDED, DAMAGED, LEFT_OUT):
            return {ADDED: "added", DAMAGED: "damaged", LEFT_OUT: "left out"}[end.returncode], why
    return "failed", why


def add_local(address, options):
    """Adds a trace that lies where every executor sees it."""
    return (address, *add(unquote(urlparse(address).path), *options))


def add_content(address, content, options):
    """Adds a trace of a bucket by its bytes, under its own name."""
    with tempfile.TemporaryDirectory(prefix="outrank-spark-") as folder:
        path = os.path.join(folder, unquote(address).rsplit("/", 1)[-1])
        with open(path, "wb") as file:
            file.write(content)
        return (address, *add(path, *options))


def main():
    given = read_arguments()
    spark = SparkSession.builder.appName("outrank lake").getOrCreate()
    options = (given.lake, given.outrank, given.tag, given.retries, given.seconds)
    traces = list_traces(spark, given.traces)
    if not traces:
        sys.exit(f"{given.traces}: no traces: none ends in {', '.join(ENDINGS)}")
    addresses = [address for address, _ in traces]
    # A task a trace, so that a lost executor loses little.
    if all(urlparse(address).scheme in ("", "file") for address in addresses):
        tasks = spark.sparkContext.parallelize(addresses, len(addresses))
        ends = tasks.map(lambda address: add_local(address, options)).collect()
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
