import { longestWaits, writeHandle } from '../../../shared/causes/index.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { dataOf } from '../../../shared/tables/index.ts';
import { loadThreadNames, threadLabel } from '../../../shared/threads/index.ts';
import type { ViewTable } from '../../../shared/view/index.ts';
import { tableOf } from '../table.ts';

/** The longest ready waits of all the trace, with their handles; those in a range have none. */
export async function waitTable(query: Query, most: number): Promise<ViewTable> {
  const names = await loadThreadNames(dataOf(query).tables);
  const rows = (await longestWaits(query, most)).map(({ ts, te, utid }, at) => [
    writeHandle({ kind: 'wait', number: at + 1 }),
    te - ts,
    ts,
    te,
    names.get(utid)?.tid ?? null,
    threadLabel(names.get(utid)),
  ]);
  const columns = {
    handle: 'text',
    ready_ns: 'duration_ns',
    from_ns: 'time_ns',
    to_ns: 'time_ns',
    tid: 'number',
    thread: 'text',
  } as const;
  return tableOf('The longest ready waits', columns, rows);
}

/** What a list of waits may not be taken for. */
export const WAITS_NOT_CONCLUDED =
  'A ready wait is time without a CPU. Time blocked for a lock, a disk or a timer is none: explain divides both.';
