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
    const engine = outlineEngine(await startEngine(), { infos: tables.infos, read }, kept);
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
});
