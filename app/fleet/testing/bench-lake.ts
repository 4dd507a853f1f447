/**
 * Measures questions to a lake of 10,000 traces: `node scripts/bench.mjs lake LAKE [KEPT]`, LAKE a lake of the traces that are varied. The lake
 * of 10,000 is made in KEPT and stays there, or is removed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bindSql } from '../../../shared/engine/index.ts';
import { readPanel } from '../../../shared/panel/index.ts';
import { readParams } from '../../../shared/view/index.ts';
import { lakePanels } from '../../../panels/lake/index.ts';
import { literal, startDuckDB, type OpenDuckDB } from '../lake/duckdb.ts';
import { Lake } from '../lake/lake.ts';
import type { LakeFile } from '../lake/manifest.ts';
import { PARQUET } from '../lake/parquet.ts';
import { putFile } from '../lake/put-file.ts';
import { LakeReader } from '../lake/reader.ts';
import { viewsSql } from '../lake/views.ts';
import { askLake } from '../questions/ask.ts';
import { columnsOf, LAKE_VERSION, TABLE_ORDER, type LakeTableName } from '../tables.ts';
import varySql from './vary.sql';

const TRACES = 10_000;
const DAYS = 25;
const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAY_MS = 24 * 3_600_000;
/** What the questions may take of DuckDB. */
const READER_BYTES = 3 << 29;

/** How columns differ from those of the base trace `b`, by the trace `v`; others are as they were. */
const VARIED: Readonly<Record<string, string>> = {
  trace_id: 'v.id',
  'trace.name': `'trace-' || v.number || '.etl'`,
  'trace.start_utc_ns': ':day_ns',
  'trace.machine_key': `substr(sha256('machine ' || v.number % 500), 1, 32)`,
  'trace.is_lossy': 'v.number % 50 = 7',
  'tag.value': 'CAST(v.number // 250 AS VARCHAR)',
  'ready_wait.waits': 'greatest(1, CAST(b.waits * v.factor AS BIGINT))',
  'ready_wait.ready_ns': 'CAST(b.ready_ns * v.factor AS BIGINT)',
  'run.cpu_ns': 'CAST(b.cpu_ns * v.factor AS BIGINT)',
  'chain.ready_ns': 'CAST(b.ready_ns * v.factor AS BIGINT)',
  'finding.seconds_lost': 'b.seconds_lost * v.factor',
};
/** Rows that a trace has of its base trace: seven of ten. */
const KEPT: Readonly<Partial<Record<LakeTableName, string>>> = {
  chain: 'hash(v.number, b.chain) % 10 < 7',
  finding: 'hash(v.number, b.ts) % 10 < 7',
};

/** Makes the lake, and prints what each question takes. */
export async function bench(base: string, kept?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'outrank-bench-lake-'));
  try {
    const lake = await Lake.open(kept ?? join(folder, 'lake'), { create: true });
    const begun = performance.now();
    const { bytes, sourceBytes } = await fill(lake, base);
    const share = ((100 * bytes) / sourceBytes).toFixed(2);
    console.log(
      `${TRACES} traces, ${(bytes / 1e6).toFixed(0)} MB, ${share} % of ${(sourceBytes / 1e9).toFixed(1)} GB; made in ${seconds(begun)}`,
    );
    for (const file of lakePanels) {
      const panel = readPanel(file);
      const params = panel.id === 'traces-like-this' ? { trace: await someTrace(lake, folder) } : {};
      const started = performance.now();
      const reader = await LakeReader.open(lake, { memoryBytes: READER_BYTES, threads: 2, copies: folder });
      const bounds = { seconds: 300, rows: 1e6, bytes: 1e9 };
      const { model } = await askLake(reader, panel, readParams(panel.params, params), bounds);
      await reader.end();
      console.log(`${panel.id}: ${seconds(started)}, ${model.rows.length} rows`);
    }
    console.log(`peak resident ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(2)} s`;

async function someTrace(lake: Lake, copies: string): Promise<string> {
  const reader = await LakeReader.open(lake, { memoryBytes: READER_BYTES, threads: 2, copies });
  const rows = await reader.query('SELECT min(trace_id) FROM trace', { seconds: 60, rows: 1, bytes: 1e6 });
  await reader.end();
  return String(rows.cell(0, 0));
}

/** Writes the packs of all days. */
async function fill(
  lake: Lake,
  base: string,
): Promise<{ readonly bytes: number; readonly sourceBytes: number }> {
  const duckdb = await startDuckDB({ memoryBytes: READER_BYTES, threads: 2 });
  try {
    for (const statement of viewsSql(base, 'duckdb')) await duckdb.connection.run(statement);
    let bytes = 0;
    for (let day = 0; day < DAYS; day++) bytes += await fillDay(lake, duckdb, day);
    const sources = await duckdb.connection.runAndReadAll('SELECT avg(source_bytes) FROM trace');
    return { bytes, sourceBytes: Number(sources.getRows()[0]?.[0]) * TRACES };
  } finally {
    await duckdb.end();
  }
}

async function fillDay(lake: Lake, duckdb: OpenDuckDB, day: number): Promise<number> {
  const { connection, work } = duckdb;
  const of_day = TRACES / DAYS;
  const start = new Date(FIRST_DAY + day * DAY_MS);
  const date = start.toISOString().slice(0, 10);
  await connection.run(bindSql(varySql, { first: day * of_day, last: (day + 1) * of_day }));
  const ids = await connection.runAndReadAll('SELECT id, number FROM varied ORDER BY id');
  const unit = `pack-${String(of_day).padStart(8, '0')}-${String(day).padStart(16, '0')}`;
  const files: LakeFile[] = [];
  for (const table of TABLE_ORDER) {
    const path = join(work, `${table}.parquet`);
    const columns = columnsOf(table).map(([name]) => {
      const varied = (VARIED[`${table}.${name}`] ?? VARIED[name] ?? `b."${name}"`).replace(
        ':day_ns',
        String(BigInt(start.getTime()) * 1_000_000n),
      );
      return `${varied} AS "${name}"`;
    });
    const rows = `SELECT ${columns.join(', ')} FROM varied AS v JOIN "${table}" AS b ON b.trace_id = v.base WHERE ${KEPT[table] ?? 'true'} ORDER BY v.id`;
    await connection.run(`COPY (${rows}) TO ${literal(path)} ${PARQUET}`);
    files.push(await putFile({ lake, duckdb }, { table, unit, date, path }));
    await rm(path);
  }
  await lake.publish({
    format: 'outrank-lake-manifest',
    version: LAKE_VERSION,
    outrank: 'bench',
    unit,
    date,
    traces: ids.getRows().map(([id, number]) => ({
      id: String(id),
      name: `trace-${Number(number)}.etl`,
      tags: {},
      full: false,
    })),
    files,
  });
  return files.reduce((sum, file) => sum + file.bytes, 0);
}
