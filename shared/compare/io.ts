import { toNumber, type Query } from '../engine/index.ts';
import type { Blocks } from './blocks.ts';
import { keepMost, type Cells, type IoDetail } from './cells.ts';
import diskSql from './disk-transfers.sql';
import fileSql from './file-operations.sql';
import { countLength } from './lengths.ts';
import type { Things } from './things.ts';

const SQL: Readonly<Record<IoDetail['measure'], string>> = { disk_io: diskSql, file_io: fileSql };
/** No thread has this key: whose I/O it is, is not known. */
const NOBODY = -1;

/** Sums how long I/O took, of what ended in the range, by kind. */
export async function sumIo(
  outline: Query,
  measure: IoDetail['measure'],
  blocks: Blocks,
  things: Things,
  cells: Cells,
): Promise<void> {
  const { start: range_start, end: range_end } = blocks.range;
  const rows = await outline(SQL[measure], { range_start, range_end });
  for (const row of rows.rows()) {
    const [ts, ns, utid] = [Number(row.ts), Number(row.dur), toNumber(row.utid) ?? NOBODY];
    const block = blocks.at(ts + ns);
    if (!blocks.isWhole(block)) continue;
    const cell = cells.of(things.threadOf(utid), { measure, kind: String(row.kind) });
    cell.ns[block] = (cell.ns[block] ?? 0) + ns;
    cell.count[block] = (cell.count[block] ?? 0) + 1;
    countLength(cell.lengths, ns);
    keepMost(cell, ns, () => ({ ts, te: ts + ns, tid: things.tidOf(utid) }));
  }
}
