import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { expect, test } from 'vitest';
import { decodeQueryResult } from '../../shared/engine/index.ts';
import { describeReal, places, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

type Row = Readonly<Record<string, unknown>>;

/** The tables that are written as columns, and what their rows are sorted by. */
const TABLES = {
  etw_process: 'upid',
  etw_thread: 'utid',
  etw_run: 'ts, cpu',
  etw_ready_wait: 'ts, utid',
  etw_interrupt: 'ts + dur, cpu',
  etw_loss: 'ts, message',
} as const;

/** Seeds of the random machines: `OUTRANK_SEEDS=31-90 npx vitest run app/host/columns.test.ts` tries others. */
const [first = 1, last = first] = (process.env.OUTRANK_SEEDS ?? '1-12').split('-').map(Number);
const FORMS = [[], ['--lose-buffers'], ['--compact'], ['--disorder']] as const;

const SCENARIOS: readonly (readonly string[])[] = [
  ...['minimal', 'verdicts', 'counters', 'attention', 'many-processors', 'lock-screen'].map((name) => [name]),
  ...Array.from({ length: last - first + 1 }, (_, index) => first + index).map((seed) => [
    'random',
    '--seed',
    String(seed),
    ...(FORMS[seed % FORMS.length] ?? []),
  ]),
];

/** A converter's exit code of 3 only tells that the trace lacks something. */
function writeColumns(trace: string, folder: string): void {
  const options: ExecFileSyncOptions = { stdio: 'pipe' };
  try {
    execFileSync(places.converter, ['columns', trace, '-o', folder], options);
  } catch (error) {
    if ((error as { status?: unknown }).status !== 3) throw error;
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return Number(value);
  return value ?? null;
}

/** The names of a file's columns, and its rows. */
function readColumns(path: string): { readonly names: string[]; readonly rows: Row[] } {
  const table = tableFromIPC(readFileSync(path));
  const names = table.schema.fields.map((field) => field.name);
  const columns = names.map((name) => table.getChild(name));
  const row = (at: number): Row =>
    Object.fromEntries(names.map((name, column) => [name, plain(columns[column]?.get(at))]));
  return { names, rows: Array.from({ length: table.numRows }, (_, at) => row(at)) };
}

/** Which rank a thread waited at where it changed is judged by SQL alone: columns have the one from before. */
function beforeJudging(row: Row): Row {
  if (row.rank_source !== 'judged') return row;
  return { ...row, rank: row.rank_before, rank_source: 'before' };
}

describeReal('columns and SQL have the same rows', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each(SCENARIOS.map((scenario) => [scenario.join(' '), scenario] as const))(
    'of %s',
    async (name, scenario) => {
      const trace = writeTrace(join(folder, `${name}.etl`), ...scenario);
      const columns = join(folder, name);
      writeColumns(trace, columns);
      const { id } = await host.open(trace, {});
      try {
        for (const [table, order] of Object.entries(TABLES)) {
          const { names, rows } = readColumns(join(columns, `${table}.arrow`));
          const sql = `SELECT ${names.join(', ')} FROM ${table} ORDER BY ${order}`;
          const result = decodeQueryResult(await host.query(id, sql));
          const expected = [...result.rows()].map(beforeJudging);
          const key = (row: Row) => JSON.stringify(row);
          expect(new Set(rows.map(key)), table).toEqual(new Set(expected.map(key)));
          expect(rows.length, table).toBe(expected.length);
        }
      } finally {
        await host.close(id);
      }
    },
  );
});
