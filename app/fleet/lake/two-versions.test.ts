import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../host/testing/real.ts';
import { asking } from '../testing/contents.ts';
import { sampleTrace } from '../testing/rows.ts';
import { storeTrace } from './add.ts';
import { checkLake } from './check.ts';
import { compactLake } from './compact.ts';
import { startDuckDB, type OpenDuckDB } from './duckdb.ts';
import { Lake, manifestPath } from './lake.ts';
import { putFile } from './put-file.ts';

// The next version of the tables.
vi.mock('../tables.ts', async (load) => ({ ...(await load<object>()), LAKE_VERSION: 2 }));

const folder = temporaryFolder();
let duckdb: OpenDuckDB;
beforeAll(async () => {
  duckdb = await startDuckDB({ memoryBytes: 256 << 20, threads: 1 });
});
afterAll(() => duckdb.end());

test('a lake that two versions fill is read by the newer one whole, and by the older one but for what it does not know', async () => {
  const lake = await Lake.open(join(folder, 'lake'), { create: true });
  const about = join(lake.storage.address, 'lake.json');
  writeFileSync(about, readFileSync(about, 'utf8').replace('"version": 2', '"version": 1'));
  const listing = { traces: new Map<string, never>(), forgotten: new Set<string>() };
  for (const number of [1, 2])
    await storeTrace({ lake, duckdb, outrankVersion: '0.1.0' }, sampleTrace({ number }), listing);
  // As the older version would have written it: a column is not there.
  const unit = (await lake.list()).units.get(sampleTrace({ number: 1 }).id);
  const file = unit?.files.find(({ table }) => table === 'chain');
  if (unit === undefined || file === undefined) throw new Error('no such unit');
  const path = join(duckdb.work, 'older.parquet');
  await duckdb.connection.run(
    `COPY (SELECT * EXCLUDE (longest_tid) FROM read_parquet('${join(lake.storage.address, file.path)}')) TO '${path}' (FORMAT parquet)`,
  );
  const put = await putFile({ lake, duckdb }, { table: 'chain', unit: unit.unit, date: unit.date, path });
  await lake.publish({ ...unit, version: 1, files: unit.files.map((each) => (each === file ? put : each)) });
  await lake.storage.remove(file.path);

  const rows = () =>
    asking(lake, join(folder, 'copies'), async (ask) => [
      ...(
        await ask(
          'SELECT t.name, c.wakes, c.longest_tid IS NULL AS lacks FROM chain AS c JOIN trace AS t USING (trace_id) ORDER BY t.name',
        )
      ).rows(),
    ]);
  const expected = [
    { name: 'trace-1.etl', wakes: 3, lacks: 1 },
    { name: 'trace-2.etl', wakes: 3, lacks: 0 },
  ];
  expect(await rows()).toEqual(expected);
  expect((await checkLake(lake, duckdb)).problems).toEqual([]);

  vi.resetModules();
  vi.doUnmock('../tables.ts');
  const older = await import('./lake.ts');
  const seen = await (await older.Lake.open(lake.storage.address)).list();
  expect([...seen.traces.keys()]).toEqual([sampleTrace({ number: 1 }).id]);
  const newer = manifestPath(sampleTrace({ number: 2 }).id);
  expect(seen.problems).toEqual([
    `${join(lake.storage.address, newer)}: is of version 2, and this Outrank reads up to 1`,
  ]);

  await compactLake({ lake, duckdb });
  expect(await rows()).toEqual(expected);
});
