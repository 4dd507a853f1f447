"""Asks a lake on a Spark cluster: `spark-submit ask_lake.py --views VIEWS.sql --question FILE.panel.sql`.

VIEWS.sql is what `outrank lake views LAKE --engine spark` prints. The question is the file that DuckDB runs too; the rows go to
standard output, one JSON object a line.
"""

import argparse
import json
import re
import sys

from pyspark.sql import SparkSession

# What in SQL is no parameter, whatever it holds; and a parameter.
TOKEN = re.compile(r"'(?:[^']|'')*'|--[^\n]*|:([A-Za-z_]\w*)")
PARAM = re.compile(r"^-- @param ([a-z][a-z0-9_]*) (number|text)(?: (\S+))? = (.+?): ")


def read_question(text, given):
    """The SELECT of a question, and the values of its parameters."""
    values = {}
    for line in text.splitlines():
        match = PARAM.match(line)
        if match is None:
            continue
        name, kind, unit, preset = match.groups()
        value = given.pop(name, preset)
        if value == "none":
            values[name] = None
        else:
            values[name] = float(value) / (100 if unit == "%" else 1) if kind == "number" else value
    if given:
        sys.exit(f"the question has no parameter {', '.join(given)}: there are {', '.join(values)}")
    return text.rstrip().rstrip(";"), values


def literal(value):
    """A value as Spark SQL writes it."""
    if value is None:
        return "CAST(NULL AS STRING)"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return str(int(value)) if value == int(value) else f"{value!r}D"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--views", required=True)
    parser.add_argument("--question", required=True, action="append")
    parser.add_argument("--param", action="append", default=[], help="NAME=VALUE")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("outrank lake").getOrCreate()
    with open(options.views, encoding="utf-8") as file:
        for statement in file.read().split(";\n"):
            if statement.strip():
                spark.sql(statement)
    for question in options.question:
        with open(question, encoding="utf-8") as file:
            select, values = read_question(file.read(), dict(param.split("=", 1) for param in options.param))
        sql = TOKEN.sub(lambda token: literal(values[token[1]]) if token[1] else token[0], select)
        for row in spark.sql(sql).collect():
            print(json.dumps(row.asDict(), default=str))
    spark.stop()


if __name__ == "__main__":
    main()
