import { numberAt, textAt, type TableName, type Tables } from '../tables/index.ts';
import type { Blocks } from './blocks.ts';
import { keepMost, type Cells, type IoDetail } from './cells.ts';
import { countLength } from './lengths.ts';
import type { Things } from './things.ts';

const TABLES = { disk_io: 'etw_disk_io', file_io: 'etw_file_io' } as const satisfies Record<
  IoDetail['measure'],
  TableName
>;
const COLUMNS = ['ts', 'dur', 'kind', 'utid'] as const;
/** No thread has this key: whose I/O it is, is not known. */
const NOBODY = -1;

/** Sums how long I/O took, of what ended in the range, by kind. */
export async function sumIo(
  tables: Tables,
  measure: IoDetail['measure'],
  blocks: Blocks,
  things: Things,
  cells: Cells,
): Promise<void> {
  const { range } = blocks;
  for await (const { rowCount, columns } of tables.batches(TABLES[measure], COLUMNS, range, 'once'))
    for (let row = 0; row < rowCount; row++) {
      const [ts = 0, ns] = [columns.ts.values[row], numberAt(columns.dur, row)];
      if (ns === null || ts + ns < range.start || ts + ns >= range.end) continue;
      const block = blocks.at(ts + ns);
      if (!blocks.isWhole(block)) continue;
      const utid = numberAt(columns.utid, row) ?? NOBODY;
      const kind = textAt(columns.kind, row) ?? '';
      const cell = cells.of(things.threadOf(utid), { measure, kind });
      cell.ns[block] = (cell.ns[block] ?? 0) + ns;
      cell.count[block] = (cell.count[block] ?? 0) + 1;
      countLength(cell.lengths, ns);
      keepMost(cell, ns, () => ({ ts, te: ts + ns, tid: things.tidOf(utid) }));
    }
}
