"""Tries a lake with Trino, one server of its own: `scripts/fetch-trino.sh && python3 app/fleet/trino/try_trino.py`.

Fills a lake by `outrank lake add`, hands Trino what `outrank lake views` prints, compares all rows of all tables with those of DuckDB, and
asks both engines each ready question. Then adds, forgets and packs traces, runs the statements again, and compares again. `--bucket` keeps
the lake in a bucket of `vendor/s3-server`. Java 24 or later is that of `JAVA_HOME`, or the newest below /usr/lib/jvm.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "testing"))
from two_engines import OUTRANK, ROOT, SYNTH, compare_questions, duckdb, run, same_rows, say, timed

TRINO = ROOT / "vendor/trino"
S3_SERVER = ROOT / "vendor/s3-server/bin/s3s-fs"
SCENARIOS = ("lock-screen", "wmi", "exit-storm", "hot-loop", "thread-growth", "user-lock", "dotnet", "symbols", "minimal")
TABLES = "trace tag ready_wait run chain release hot_function process finding rule loss recorded".split()
# The name and the secret of the bucket's only user.
AWS = {"AWS_ACCESS_KEY_ID": "trial", "AWS_SECRET_ACCESS_KEY": "of-trino", "AWS_REGION": "us-east-1"}


def free_port():
    """A free port of this machine."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def java_home():
    """Where a Java is that this Trino runs on."""
    homes = [Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else sorted(Path("/usr/lib/jvm").glob("*"))
    for home in homes:
        if (home / "bin/java").exists():
            version = subprocess.run([home / "bin/java", "-version"], capture_output=True, text=True, check=True).stderr
            if int(version.split('"')[1].split(".")[0]) >= 24:
                return home
    return sys.exit("Trino wants Java 24 or later: set JAVA_HOME")


class Trino:
    """A server of one node, with one catalog of the Hive connector."""

    def __init__(self, work, catalog):
        self.port = free_port()
        etc, data = work / "etc", work / "data"
        (etc / "catalog").mkdir(parents=True)
        (etc / "config.properties").write_text(
            f"coordinator=true\nnode-scheduler.include-coordinator=true\nhttp-server.http.port={self.port}\n"
            f"discovery.uri=http://127.0.0.1:{self.port}\nnode.internal-address=127.0.0.1\nweb-ui.enabled=false\n"
        )
        (etc / "node.properties").write_text(f"node.environment=trial\nnode.data-dir={data}\n")
        # What Trino's own packages set, but for the memory.
        (etc / "jvm.config").write_text(
            "-server\n-Xmx2G\n-XX:+UseG1GC\n-Djdk.attach.allowAttachSelf=true\n"
            "--enable-native-access=ALL-UNNAMED\n--sun-misc-unsafe-memory-access=allow\n"
        )
        (etc / "catalog/hive.properties").write_text(
            f"connector.name=hive\nhive.metastore=file\nhive.metastore.catalog.dir=file://{work}/metastore\n{catalog}"
        )
        home = java_home()
        environment = {**os.environ, "JAVA_HOME": str(home), "PATH": f"{home}/bin:{os.environ['PATH']}"}
        self.log = work / "trino.log"
        with self.log.open("w") as log:
            # A group of its own, since the launcher may leave its Java behind.
            self.process = subprocess.Popen(
                [TRINO / "bin/launcher", "run", f"--etc-dir={etc}"], env=environment, stdout=log, stderr=log, start_new_session=True
            )
        self.wait()

    def wait(self):
        """Waits until the server takes statements."""
        for _ in range(600):
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/v1/info") as answer:
                    if not json.load(answer)["starting"]:
                        return
            except (urllib.error.URLError, ConnectionError):
                pass
            time.sleep(0.5)
        self.end()
        sys.exit(f"Trino did not start:\n{self.log.read_text()[-3000:]}")

    def ask(self, sql):
        """Runs a statement and gives its rows; ends where it fails."""
        headers = {"X-Trino-User": "trial", "X-Trino-Catalog": "hive", "X-Trino-Schema": "outrank"}
        next_page = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/statement", data=sql.encode(), headers=headers)
        rows = []
        while next_page is not None:
            with urllib.request.urlopen(next_page) as answer:
                page = json.load(answer)
            if "error" in page:
                sys.exit(f"Trino: {page['error']['message']}\n{sql}")
            names = [column["name"] for column in page.get("columns", [])]
            rows += [dict(zip(names, row)) for row in page.get("data", [])]
            next_page = page.get("nextUri")
        return rows

    def end(self):
        """Ends the server."""
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()


def statements(printed):
    """The statements that a command prints."""
    return [statement.strip() for statement in printed.split(";\n") if statement.strip()]


def compare_lake(trino, lake):
    """Makes the lake known to Trino, and compares its tables and the answers to the questions; gives how many differ."""
    for statement in statements(run(*OUTRANK, "lake", "views", lake, "--engine", "trino")):
        trino.ask(statement)
    wrong = 0
    for table in TABLES:
        ours, theirs = duckdb("query", lake, "--sql", f'SELECT * FROM "{table}"', "--max-rows", "1000000"), trino.ask(f'SELECT * FROM "{table}"')
        equal = same_rows(in_order(ours), in_order(theirs))
        say(f"{table}: {len(ours)} rows, {'equal' if equal else 'DIFFERENT'}")
        if not equal:
            wrong += 1
            say(f"  DuckDB: {in_order(ours)[:2]}\n  Trino:  {in_order(theirs)[:2]}")
    return wrong + compare_questions(lake, "Trino", lambda name, given: ask_question(trino, lake, name, given))


def in_order(rows):
    """Rows in an order that does not hang on how an engine writes its values."""
    return sorted(rows, key=lambda row: [comparable(row[name]) for name in sorted(row)])


def comparable(value):
    """A value as text, alike for DuckDB's CSV and Trino's JSON."""
    if value is None:
        return ""
    try:
        return f"{float(value):.6f}"
    except ValueError:
        return value


def ask_question(trino, lake, name, given):
    """The rows that Trino answers to a question."""
    [select] = statements(run(*OUTRANK, "lake", "ask", lake, name, "--format", "sql", *given))
    return trino.ask(select)


def make_traces(folder):
    """Writes traces of several scenarios, and of several seeds of one."""
    folder.mkdir()
    for scenario in SCENARIOS:
        run(SYNTH, scenario, "-o", folder / f"{scenario}.etl")
    for seed in range(1, 9):
        run(SYNTH, "routine", "--seed", seed, "-o", folder / f"routine-{seed}.etl")


def start_bucket(work):
    """A server with an empty bucket, and the variables and the catalog by which Outrank and Trino reach it."""
    port = free_port()
    (work / "buckets/lakes").mkdir(parents=True)
    server = subprocess.Popen(
        [S3_SERVER, "--host", "127.0.0.1", "--port", str(port), "--access-key", AWS["AWS_ACCESS_KEY_ID"]]
        + ["--secret-key", AWS["AWS_SECRET_ACCESS_KEY"], work / "buckets"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    endpoint = f"http://127.0.0.1:{port}"
    os.environ.update(AWS, AWS_ENDPOINT_URL_S3=endpoint)
    catalog = (
        f"fs.native-s3.enabled=true\ns3.endpoint={endpoint}\ns3.region={AWS['AWS_REGION']}\ns3.path-style-access=true\n"
        f"s3.aws-access-key={AWS['AWS_ACCESS_KEY_ID']}\ns3.aws-secret-key={AWS['AWS_SECRET_ACCESS_KEY']}\nfs.hadoop.enabled=true\n"
    )
    return server, catalog


def add(lake, files, tag):
    """Adds traces; of one the events of .NET are damaged, which 3 says."""
    run(*OUTRANK, "lake", "add", lake, "--no-paths", *files, "--tag", tag, allowed=(0, 3))


def try_lake(work, lake, catalog):
    """Fills a lake, and compares as it grows and is cared for; gives how many tables and questions differ."""
    traces = work / "traces"
    timed("traces", lambda: make_traces(traces))
    files = sorted(traces.iterdir())
    timed("outrank lake add", lambda: add(lake, files[::2], "build=9"))
    trino, _ = timed("Trino starts", lambda: Trino(work, catalog))
    try:
        trino.ask("CREATE SCHEMA outrank")
        wrong, _ = timed("a lake", lambda: compare_lake(trino, lake))
        add(lake, files[1::2], "build=10")
        forgotten = duckdb("query", lake, "--sql", "SELECT min(trace_id) AS id FROM trace")[0]["id"]
        run(*OUTRANK, "lake", "compact", lake)
        run(*OUTRANK, "lake", "forget", lake, forgotten)
        again, _ = timed("the lake with more traces, packed, one forgotten", lambda: compare_lake(trino, lake))
        return wrong + again
    finally:
        trino.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bucket", action="store_true", help="keep the lake in a bucket")
    given = parser.parse_args()
    if not (TRINO / ".installed").exists():
        sys.exit("there is no Trino: run scripts/fetch-trino.sh")
    work = Path(tempfile.mkdtemp(prefix="outrank-trino-"))
    server = None
    try:
        if given.bucket:
            server, catalog = start_bucket(work)
            wrong = try_lake(work, "s3://lakes/trial", catalog)
        else:
            wrong = try_lake(work, str(work / "lake"), "fs.hadoop.enabled=true\n")
        say("all equal" if wrong == 0 else f"{wrong} DIFFERENT")
        if wrong > 0:
            sys.exit(1)
    finally:
        if server is not None:
            server.terminate()
            server.wait()
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
