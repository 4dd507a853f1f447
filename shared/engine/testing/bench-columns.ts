/** Measures SQL over lent columns: `node scripts/bench.mjs columns FOLDER [ROWS]`; writes what it reads into the folder. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Dictionary,
  Field,
  Int16,
  Int32,
  Int64,
  Int8,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
  type Data,
  type DataType,
} from 'apache-arrow';
import { KEY_METADATA, openArrowTable } from '../../columns/index.ts';
import { openFileSource } from '../../columns/file-source.ts';
import { sqliteDatabase } from '../../columns/sqlite-pages/index.ts';
import { rowsOf, startProcessor } from './start.ts';

const BATCH_ROWS = 65_536;
const RANGE_ROWS = 160_000;

/** Prints the processor time of each step in ms, the pages that were made for it, and the engine's memory after it. */
export async function bench(folder: string, rowsText = '5000000'): Promise<void> {
  const rowCount = Number(rowsText);
  const path = join(folder, `runs-${rowCount}.arrow`);
  if (!existsSync(path)) writeFileSync(path, runs(rowCount));
  const processor = await startProcessor();
  processor.finalize();
  let pages = 0;
  const measure = (name: string, step: () => unknown) => {
    pages = 0;
    const before = process.cpuUsage();
    const begin = performance.now();
    step();
    const wall_ms = performance.now() - begin;
    const { user, system } = process.cpuUsage(before);
    const heapMib = (processor.heapBytes / 2 ** 20).toFixed(0);
    const cpu_ms = ((user + system) / 1000).toFixed(1);
    console.log(
      `${cpu_ms.padStart(9)} ms (${wall_ms.toFixed(0)} by the clock) ${String(pages).padStart(6)} pages ${heapMib.padStart(5)} MiB  ${name}`,
    );
  };
  for (const indexes of [[], ['utid']]) {
    console.log(indexes.length === 0 ? 'no indexes' : `indexes on ${indexes.join(', ')}`);
    const source = openFileSource(path);
    measure('open and attach', () => {
      const database = sqliteDatabase('facts', [{ name: 'runs', table: openArrowTable(source), indexes }]);
      processor.lend({
        ...database,
        read: (into, at) => {
          pages++;
          return database.read(into, at);
        },
      });
    });
    const middle = Math.floor(rowCount / 2) * 1000;
    const queries = [
      'SELECT count(*) FROM runs',
      'SELECT sum(dur) FROM runs',
      'SELECT sum(dur) FROM runs',
      'SELECT * FROM runs ORDER BY dur DESC LIMIT 50',
      'SELECT * FROM runs ORDER BY dur DESC LIMIT 50',
      `SELECT count(*), sum(dur) FROM runs WHERE ts >= ${middle} AND ts < ${middle + RANGE_ROWS * 1000}`,
      `SELECT * FROM runs WHERE ts >= ${middle} AND ts < ${middle + RANGE_ROWS * 1000}`,
      'SELECT * FROM runs WHERE utid = 77',
      'SELECT utid, sum(dur) FROM runs GROUP BY utid',
      "SELECT count(*) FROM runs WHERE state = 'waits'",
    ];
    for (const sql of queries) measure(sql, () => rowsOf(processor, sql));
    source.close();
  }
}

/** An Arrow file of runs of threads, of 12 columns. */
function runs(rowCount: number): Uint8Array {
  const texts = <T extends Int8 | Int16>(count: number, codes: T, text: (i: number) => string) => {
    const entries = Array.from({ length: count }, (_, i) => text(i));
    return { type: new Dictionary(new Utf8(), codes), dictionary: vectorFromArray(entries, new Utf8()) };
  };
  const state = texts(3, new Int8(), (i) => ['runs', 'waits', 'is ready'][i] ?? '');
  const reason = texts(38, new Int8(), (i) => `WrReason${i}`);
  const process = texts(400, new Int16(), (i) => `process number ${i}.exe`);
  const random = randomWords();
  const columns: Record<string, { type: DataType; data: (first: number, length: number) => Data }> = {};
  const number = (
    name: string,
    type: DataType,
    width: 8 | 16 | 32 | 64,
    value: (row: number) => number | null,
    dictionary?: unknown,
  ) => {
    columns[name] = {
      type,
      data(first, length) {
        const data =
          width === 64
            ? new BigInt64Array(length)
            : width === 32
              ? new Int32Array(length)
              : width === 16
                ? new Int16Array(length)
                : new Int8Array(length);
        const nullBitmap = new Uint8Array(Math.ceil(length / 8));
        let nullCount = 0;
        for (let i = 0; i < length; i++) {
          const found = value(first + i);
          if (found === null) nullCount++;
          else {
            nullBitmap[i >> 3] = (nullBitmap[i >> 3] ?? 0) | (1 << (i & 7));
            data[i] = width === 64 ? BigInt(found) : found;
          }
        }
        return makeData({
          type,
          length,
          nullCount,
          nullBitmap: nullCount === 0 ? undefined : nullBitmap,
          data,
          dictionary,
        } as never);
      },
    };
  };
  number('ts', new Int64(), 64, (row) => row * 1000);
  number('dur', new Int64(), 64, () => random() % 1_000_000);
  number('te', new Int64(), 64, (row) => row * 1000 + 500);
  number('utid', new Int32(), 32, () => random() % 3000);
  number('cpu', new Int8(), 8, () => random() % 16);
  number('priority', new Int8(), 8, () => random() % 32);
  number('rank', new Int8(), 8, () => (random() % 4 === 0 ? null : random() % 8));
  number('waker_utid', new Int32(), 32, () => (random() % 3 === 0 ? null : random() % 3000));
  number('ready_ts', new Int64(), 64, (row) => (random() % 3 === 0 ? null : row * 1000 - 77));
  number('state', state.type, 8, () => random() % 3, state.dictionary);
  number('reason', reason.type, 8, () => random() % 38, reason.dictionary);
  number('process', process.type, 16, () => random() % 400, process.dictionary);

  const fields = Object.entries(columns).map(([name, { type }]) => Field.new({ name, type, nullable: true }));
  const schema = new Schema(fields, new Map([[KEY_METADATA, 'ts']]));
  const writer = new RecordBatchFileWriter();
  writer.reset(undefined, schema);
  for (let first = 0; first < rowCount; first += BATCH_ROWS) {
    const length = Math.min(BATCH_ROWS, rowCount - first);
    const children = Object.values(columns).map(({ data }) => data(first, length));
    writer.write(new RecordBatch(schema, makeData({ type: new Struct(fields), length, children })));
  }
  writer.finish();
  return writer.toUint8Array(true);
}

/** The same numbers each time (xorshift). */
function randomWords(): () => number {
  let word = 88_675_123;
  return () => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return word >>> 0;
  };
}
