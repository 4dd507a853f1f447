import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeQueryResult } from '../../shared/engine/index.ts';
import { openArrowFolder } from '../../shared/tables/arrow-folder.ts';
import type { JudgedRank } from '../../shared/why-late/columns/index.ts';
import { outlineEngine, type KeptRanks, type OutlineColumns } from './outline-engine.ts';
import { writeColumns } from './testing/columns.ts';
import { atEnd, describeReal, startEngine, temporaryFolder, writeTrace } from './testing/real.ts';

const JUDGED = 'SELECT ts, utid, rank, rank_source FROM etw_ready_wait ORDER BY ts, utid';

describeReal('an engine that holds an outline', () => {
  const folder = temporaryFolder();
  const columns = join(folder, 'columns');
  const outline = writeColumns(writeTrace(join(folder, 'verdicts.etl'), 'verdicts'), columns);
  const tables = openArrowFolder(columns);
  atEnd(() => tables.close());

  async function judgedBy(read: OutlineColumns['read'], kept: KeptRanks): Promise<unknown[]> {
    const engine = outlineEngine(await startEngine(), { infos: tables.infos, read }, { kept });
    await engine.load(outline, () => undefined, tables.files);
    const rows = [...decodeQueryResult(await engine.query(JUDGED)).rows()];
    await engine.end();
    return rows;
  }

  test('keeps the ranks that it judged, and reads no columns where they are kept', async () => {
    let kept: readonly JudgedRank[] | null = null;
    const judged = await judgedBy((...which) => tables.read(...which), {
      get: () => Promise.resolve(null),
      put: (ranks) => (kept = ranks),
    });
    expect(judged).toContainEqual(expect.objectContaining({ rank_source: 'judged' }));
    const again = await judgedBy(() => Promise.reject(new Error('columns were read')), {
      get: () => Promise.resolve(kept),
      put: () => expect.unreachable(),
    });
    expect(again).toEqual(judged);
  });

  test('works out why threads waited, once, or is told by who helps it', async () => {
    const sql = 'SELECT main_reason FROM etw_ready_wait_reason';
    const reasonsBy = async (reasons?: () => Promise<Uint8Array>): Promise<unknown[]> => {
      const read: OutlineColumns['read'] = (...which) => tables.read(...which);
      const engine = outlineEngine(await startEngine(), { infos: tables.infos, read }, { reasons });
      await engine.load(outline, () => undefined, tables.files);
      await engine.query(sql);
      const rows = [...decodeQueryResult(await engine.query(sql)).rows()];
      await engine.end();
      return rows.map(({ main_reason }) => main_reason);
    };
    const own = await reasonsBy();
    expect(new Set(own).size).toBeGreaterThan(3);
    let calls = 0;
    const told = await reasonsBy(() => {
      calls++;
      return Promise.resolve(new Uint8Array(own.length).fill(3));
    });
    expect({ calls, told }).toEqual({ calls: 1, told: own.map(() => 'interrupt') });
  });
});
