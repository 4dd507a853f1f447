import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../host/testing/real.ts';
import { asking, BOUNDS, contentsOf } from '../testing/contents.ts';
import { DyingStorage, Killed } from '../testing/dying-storage.ts';
import { sampleTrace, type Sample } from '../testing/rows.ts';
import { storeTrace } from './add.ts';
import { checkLake, removeAbandoned, removeDamaged } from './check.ts';
import { compactLake } from './compact.ts';
import { startDuckDB, type OpenDuckDB } from './duckdb.ts';
import { findTrace, forgetTrace } from './forget.ts';
import { Lake, manifestPath } from './lake.ts';
import { LakeReader } from './reader.ts';
import { viewsSql } from './views.ts';

const folder = temporaryFolder();
const copies = join(folder, 'copies');
let duckdb: OpenDuckDB;
beforeAll(async () => {
  duckdb = await startDuckDB({ memoryBytes: 256 << 20, threads: 1 });
});
afterAll(() => duckdb.end());

let count = 0;
const newPlace = (): string => join(folder, `lake-${count++}`);

async function store(lake: Lake, sample: Sample): Promise<string> {
  const trace = sampleTrace(sample);
  await storeTrace({ lake, duckdb, outrankVersion: '0.1.0' }, trace, await lake.list());
  return trace.id;
}

async function lakeOf(...samples: readonly Sample[]): Promise<Lake> {
  const lake = await Lake.open(newPlace(), { create: true });
  for (const sample of samples) await store(lake, sample);
  return lake;
}

const one = async (lake: Lake, sql: string) =>
  asking(lake, copies, async (ask) => [...(await ask(sql)).rows()]);

describe('a lake', () => {
  test('gives the rows of all its traces, by day', async () => {
    const lake = await lakeOf(
      { number: 1 },
      { number: 2, date: '2026-01-02', build: '2' },
      { number: 3, date: null },
    );
    const rows = await one(
      lake,
      `SELECT t.name, t."date"::VARCHAR AS day, g.value AS build, sum(w.waits) AS waits, sum(w.ready_ns) AS ready_ns
       FROM trace AS t JOIN tag AS g USING (trace_id) JOIN ready_wait AS w USING (trace_id)
       GROUP BY ALL ORDER BY t.name`,
    );
    expect(rows).toEqual([
      { name: 'trace-1.etl', day: '2026-01-01', build: '1', waits: 2, ready_ns: 5_002_000 },
      { name: 'trace-2.etl', day: '2026-01-02', build: '2', waits: 2, ready_ns: 5_003_000 },
      { name: 'trace-3.etl', day: null, build: '1', waits: 2, ready_ns: 5_004_000 },
    ]);
  });

  test('holds a trace once, and takes it anew where it is stored again', async () => {
    const lake = await lakeOf({ number: 1 }, { number: 1 }, { number: 1, build: '7' });
    expect(await one(lake, 'SELECT value, count(*) AS n FROM tag GROUP BY value')).toEqual([
      { value: '7', n: 1 },
    ]);
  });

  test('is the same after its days were packed, and packed again with more', async () => {
    const samples = [1, 2, 3, 4].map((number) => ({
      number,
      date: number < 3 ? '2026-01-01' : '2026-01-02',
    }));
    const lake = await lakeOf(...samples);
    const before = await contentsOf(lake, copies);
    expect((await compactLake({ lake, duckdb })).units).toEqual({ before: 4, after: 2 });
    expect(await contentsOf(lake, copies)).toEqual(before);
    await store(lake, { number: 5 });
    const more = await contentsOf(lake, copies);
    expect(more.trace?.length).toBe(5);
    expect((await compactLake({ lake, duckdb })).units).toEqual({ before: 3, after: 2 });
    expect(await contentsOf(lake, copies)).toEqual(more);
    expect((await checkLake(lake, duckdb)).unlisted).toEqual([]);
  });

  test('forgets a trace, by itself and in a pack, and takes it again', async () => {
    const lake = await lakeOf({ number: 1 }, { number: 2 }, { number: 3 });
    const whole = await contentsOf(lake, copies);
    const [first, second] = [1, 2].map((number) => sampleTrace({ number }).id);
    await forgetTrace({ lake, duckdb }, await findTrace(lake, first?.slice(0, 8) ?? ''));
    await compactLake({ lake, duckdb });
    await forgetTrace({ lake, duckdb }, second ?? '');
    expect(await one(lake, 'SELECT name FROM trace')).toEqual([{ name: 'trace-3.etl' }]);
    expect(JSON.stringify(await contentsOf(lake, copies))).not.toContain(second);
    await store(lake, { number: 1 });
    await store(lake, { number: 2 });
    expect(await contentsOf(lake, copies)).toEqual(whole);
    await expect(findTrace(lake, '00000000')).rejects.toThrow(/has no trace 00000000/);
  });

  test('is read by engines that see its folders alone as it is read here', async () => {
    const lake = await lakeOf({ number: 1 }, { number: 2 });
    await compactLake({ lake, duckdb });
    await store(lake, { number: 3 });
    // A killed writer left these unlisted files.
    const left = join(lake.storage.address, 'ready_wait', 'date=2026-01-01', 'trace=left');
    const [pack] = readdirSync(join(lake.storage.address, 'ready_wait', 'date=2026-01-01'));
    cpSync(join(lake.storage.address, 'ready_wait', 'date=2026-01-01', pack ?? ''), left, {
      recursive: true,
    });
    for (const statement of viewsSql(lake.storage.address, 'duckdb')) await duckdb.connection.run(statement);
    const outside = await duckdb.connection.runAndReadAll(
      'SELECT sum(waits)::INT, sum(ready_ns)::INT FROM ready_wait',
    );
    const [inside] = await one(lake, 'SELECT sum(waits) AS waits, sum(ready_ns) AS ready_ns FROM ready_wait');
    expect(outside.getRows()).toEqual([[inside?.waits, inside?.ready_ns]]);
    expect(inside?.waits).toBe(6);
  });
});

describe('a writer that is killed', () => {
  /** Kills `work` after 0, `step`, 2 · `step` changes and so on, and lets it run again. Gives by how many it was killed last. */
  async function killedAnywhere(
    begun: Lake,
    step: number,
    work: (lake: Lake) => Promise<unknown>,
    check: (killed: Lake, changes: number) => Promise<void>,
  ): Promise<number> {
    for (let changes = 0; ; changes += step) {
      const place = newPlace();
      cpSync(begun.storage.address, place, { recursive: true });
      const lake = await Lake.open(place);
      const dying = await Lake.in(new DyingStorage(lake.storage, changes), { create: false });
      const end = await work(dying).catch((error: unknown) => error);
      if (!(end instanceof Killed)) return changes - step;
      await check(lake, changes);
      await work(lake);
      await check(lake, Infinity);
    }
  }

  test('leaves a lake to which the trace was added or not, and a second run ends it', async () => {
    const expected = await contentsOf(await lakeOf({ number: 1 }, { number: 2 }), copies);
    const changes = await killedAnywhere(
      await lakeOf({ number: 1 }),
      1,
      (lake) => store(lake, { number: 2 }),
      async (lake, changes) => {
        if (changes === Infinity) expect(await contentsOf(lake, copies)).toEqual(expected);
        else expect(await one(lake, 'SELECT name FROM trace')).toEqual([{ name: 'trace-1.etl' }]);
      },
    );
    expect(changes).toBe(12);
  });

  test.each([
    ['by itself', async () => lakeOf({ number: 1 }, { number: 2 })],
    [
      'in a pack',
      async () => {
        const lake = await lakeOf({ number: 1 }, { number: 2 });
        await compactLake({ lake, duckdb });
        return lake;
      },
    ],
  ])('leaves a trace that is stored anew, and was %s, as it was or as it shall be', async (_, make) => {
    const before = await contentsOf(await lakeOf({ number: 1 }, { number: 2 }), copies);
    const after = await contentsOf(await lakeOf({ number: 1, build: '7' }, { number: 2 }), copies);
    const begun = await make();
    const changes = await killedAnywhere(
      begun,
      3,
      (lake) => store(lake, { number: 1, build: '7' }),
      async (lake, changes) => {
        const found = await contentsOf(lake, copies);
        if (changes === Infinity) expect(found).toEqual(after);
        else expect([before, after]).toContainEqual(found);
        // So it is for engines that see its folders alone.
        for (const statement of viewsSql(lake.storage.address, 'duckdb'))
          await duckdb.connection.run(statement);
        const outside = await duckdb.connection.runAndReadAll(
          'SELECT (SELECT count(*) FROM trace)::INT, (SELECT sum(waits) FROM ready_wait)::INT, (SELECT count(*) FROM tag)::INT',
        );
        expect(outside.getRows()).toEqual([[2, 4, 2]]);
      },
    );
    expect(changes).toBeGreaterThan(20);
  });

  test('leaves every trace whole and counted once while days are packed', async () => {
    const samples = [{ number: 1 }, { number: 2 }];
    const expected = await contentsOf(await lakeOf(...samples), copies);
    const changes = await killedAnywhere(
      await lakeOf(...samples),
      3,
      (lake) => compactLake({ lake, duckdb }),
      async (lake, changes) => {
        expect(await contentsOf(lake, copies)).toEqual(expected);
        if (changes === Infinity) expect((await lake.list()).units.size).toBe(1);
      },
    );
    expect(changes).toBe(36);
  });

  test('shows a trace that is being forgotten no more, or as before', async () => {
    const begun = await lakeOf({ number: 1 }, { number: 2 });
    await compactLake({ lake: begun, duckdb });
    const whole = await contentsOf(begun, copies);
    const without = await contentsOf(await lakeOf({ number: 1 }), copies);
    const { id } = sampleTrace({ number: 2 });
    const changes = await killedAnywhere(
      begun,
      2,
      (lake) => forgetTrace({ lake, duckdb }, id),
      async (lake, changes) =>
        expect(await contentsOf(lake, copies)).toEqual(changes === 0 ? whole : without),
    );
    expect(changes).toBe(26);
  });
});

describe('many writers', () => {
  test('add the same and other traces at once', async () => {
    const place = newPlace();
    const writers = [
      [1, 2, 3],
      [3, 2, 1],
      [4, 1],
    ].map(async (numbers) => {
      const own = await startDuckDB({ memoryBytes: 128 << 20, threads: 1 });
      const lake = await Lake.open(place, { create: true });
      for (const number of numbers) {
        const listing = { traces: new Map<string, never>(), forgotten: new Set<string>() };
        await storeTrace({ lake, duckdb: own, outrankVersion: '0.1.0' }, sampleTrace({ number }), listing);
      }
      await own.end();
    });
    await Promise.all(writers);
    const expected = await lakeOf({ number: 1 }, { number: 2 }, { number: 3 }, { number: 4 });
    expect(await contentsOf(await Lake.open(place), copies)).toEqual(await contentsOf(expected, copies));
  });
});

describe('bad input', () => {
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : error),
    );

  test('a folder of another tool is no lake', async () => {
    const place = newPlace();
    mkdirSync(place);
    writeFileSync(join(place, 'table.parquet'), 'PAR1');
    expect(await refusal(Lake.open(place, { create: true }))).toBe(
      `${place}: is no lake of Outrank: it has no lake.json, but table.parquet; a lake begins in an empty place`,
    );
    expect(readdirSync(place)).toEqual(['table.parquet']);
    expect(await refusal(Lake.open(newPlace()))).toMatch(/there is no lake: outrank lake add makes one$/);
    expect(await refusal(Lake.open('gs://bucket/lake'))).toBe(
      'LAKE is a folder, or s3://BUCKET/PREFIX, not "gs://bucket/lake"',
    );
  });

  test('a lake of a newer version is refused, and a manifest of one is left out in words', async () => {
    const lake = await lakeOf({ number: 1 }, { number: 2 });
    const path = join(lake.storage.address, manifestPath(sampleTrace({ number: 2 }).id));
    writeFileSync(path, readFileSync(path, 'utf8').replace('"version":1', '"version":99'));
    expect((await lake.list()).problems).toEqual([
      `${path}: is of version 99, and this Outrank reads up to 1`,
    ]);
    expect(await one(lake, 'SELECT name FROM trace')).toEqual([{ name: 'trace-1.etl' }]);
    const about = join(lake.storage.address, 'lake.json');
    writeFileSync(about, readFileSync(about, 'utf8').replace('"version": 1', '"version": 2'));
    expect(await refusal(Lake.open(lake.storage.address))).toBe(
      `${about}: is of version 2, and this Outrank reads up to 1: update Outrank`,
    );
  });

  test('half a file is told by its name, and its trace can be added again', async () => {
    const lake = await lakeOf({ number: 1 }, { number: 2 });
    const expected = await contentsOf(lake, copies);
    const { units } = await lake.list();
    const { id } = sampleTrace({ number: 2 });
    const file = units.get(id)?.files.find(({ table }) => table === 'run');
    const path = join(lake.storage.address, file?.path ?? '');
    truncateSync(path, 100);
    expect(await refusal(one(lake, 'SELECT * FROM run'))).toMatch(
      /part-.*parquet.*outrank lake check says what is damaged$/s,
    );
    expect(await refusal(compactLake({ lake, duckdb }))).toMatch(/a file of the table run cannot be read/);
    const report = await checkLake(lake, duckdb);
    expect(report.problems).toEqual([`${path}: has 100 bytes, and was written with ${file?.bytes}`]);
    expect(await removeDamaged(lake, report)).toEqual([id]);
    await store(lake, { number: 2 });
    expect(await contentsOf(lake, copies)).toEqual(expected);
    const missing = await lakeOf({ number: 1 });
    rmSync(join(missing.storage.address, 'run'), { recursive: true });
    expect(await refusal(one(missing, 'SELECT * FROM run'))).toMatch(
      /is listed and not there: outrank lake check$/,
    );
  });

  test('a file that leads out of the lake is not read', async () => {
    const lake = await lakeOf({ number: 1 });
    const file = [...(await lake.list()).units.values()][0]?.files.find(({ table }) => table === 'run');
    const path = join(lake.storage.address, file?.path ?? '');
    const outside = join(folder, 'outside.parquet');
    cpSync(path, outside);
    rmSync(path);
    symlinkSync(outside, path);
    expect(await refusal(one(lake, 'SELECT * FROM run'))).toMatch(/Permission Error: Cannot access file/);
  });

  test('half a manifest is left out in words', async () => {
    const lake = await lakeOf({ number: 1 });
    const path = join(lake.storage.address, manifestPath(sampleTrace({ number: 1 }).id));
    truncateSync(path, 30);
    expect((await lake.list()).problems).toEqual([`${path}: is no JSON: it is damaged`]);
    await store(lake, { number: 1 });
    expect((await lake.list()).problems).toEqual([]);
  });

  test('clocks that differ: a recording of the future is told, and young files of writers stay', async () => {
    const lake = await lakeOf({ number: 1, date: '2200-01-01' });
    writeFileSync(join(lake.storage.address, 'run', 'part-of-a-writer.parquet'), '');
    const report = await checkLake(lake, duckdb);
    expect(report.ahead).toEqual(['2200-01-01']);
    expect(report.unlisted).toEqual([{ path: 'run/part-of-a-writer.parquet', bytes: 0, isAbandoned: false }]);
    expect(await removeAbandoned(lake, report)).toEqual([]);
  });

  test('SQL reads the lake, and nothing else', async () => {
    const lake = await lakeOf({ number: 1 });
    const why = (sql: string, bounds = BOUNDS) =>
      asking(lake, copies, async () => {
        const reader = await LakeReader.open(lake, { memoryBytes: 128 << 20, threads: 1, copies });
        const message = await refusal(reader.query(sql, bounds));
        await reader.end();
        return message;
      });
    const readsAlone = 'SQL on a lake is a SELECT: it reads, and changes nothing';
    expect(await why(`COPY trace TO '${join(lake.storage.address, 'run', 'x.parquet')}'`)).toBe(readsAlone);
    expect(await why(`SET memory_limit = '64GB'`)).toBe(readsAlone);
    expect(await why('CREATE TABLE mine (a INT)')).toBe(readsAlone);
    // It would run what it explains.
    const evil = join(lake.storage.address, 'run', 'evil.csv');
    expect(await why(`EXPLAIN ANALYZE COPY (SELECT 1) TO '${evil}'`)).toBe(readsAlone);
    expect(existsSync(evil)).toBe(false);
    expect(await why('SELECT 1; SELECT 2')).toBe('one statement is taken, not 2');
    expect(await why(`SELECT * FROM read_text('/etc/hostname')`)).toMatch(
      /Permission Error: Cannot access file/,
    );
    // It holds the key by which names of machines are hashed.
    expect(await why(`SELECT * FROM read_text('${join(lake.storage.address, 'lake.json')}')`)).toMatch(
      /Permission Error: Cannot access file/,
    );
    expect(await why('SELECT * FROM nowhere')).toMatch(/Table with name nowhere does not exist/);
    expect(await why('SELECT * FROM range(1000)', { ...BOUNDS, rows: 10 })).toMatch(/more than 10 rows/);
    expect(
      await why('SELECT count(*) FROM range(10000000) a, range(10000) b', { ...BOUNDS, seconds: 0.2 }),
    ).toBe('the query ran for longer than 0.2 s and was ended');
  });
});
