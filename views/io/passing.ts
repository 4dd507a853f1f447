import type { Query } from '../../shared/engine/index.ts';
import { dataOf, numberAt, textAt, type TableName, type Values } from '../../shared/tables/index.ts';
import { utidsMatching, type OwnedThread, type ThreadName } from '../../shared/threads/index.ts';
import type { Direction, Io, Source } from './model.ts';
import type { IoParams } from './params.ts';

/** An I/O that passes the filters. */
export interface Passing extends Omit<Io, keyof OwnedThread> {
  /** Where it has no end, its begin. */
  readonly te: number;
  readonly upid: number | null;
}

const COMMON = ['ts', 'dur', 'utid', 'upid', 'path', 'size_bytes'] as const;
/** Columns that not each of the tables has. */
type Own = 'kind' | 'disk' | 'priority' | 'done' | 'status';
const TABLES: Readonly<Record<Source, readonly [table: TableName, own: readonly Own[]]>> = {
  disk: ['etw_disk_io', ['kind', 'disk', 'priority']],
  file: ['etw_file_io', ['kind', 'done', 'status']],
  hard_fault: ['etw_hard_fault', []],
};

/** Calls `take` for each I/O of one source that passes the filters and lies in the range, if only in part. */
export async function eachPassing(
  query: Query,
  source: Source,
  params: IoParams,
  names: ReadonlyMap<number, ThreadName>,
  [range_start, range_end]: readonly [start: number, end: number],
  take: (io: Passing) => void,
): Promise<void> {
  const utids = utidsMatching(names, params);
  const threads = utids === null ? null : new Set(utids);
  const min_ns = Math.round((params.min_ms ?? 0) * 1e6);
  const path = pathFilter(params.path ?? '');
  const [table, others] = TABLES[source];
  // What takes no time is in the range where it begins at its start.
  const range = { start: range_start - 1, end: range_end };
  for await (const { rowCount, columns } of dataOf(query).tables.batches(
    table,
    [...COMMON, ...others],
    range,
  )) {
    const own: Partial<Record<Own, Values>> = columns;
    const [kinds, done, disks] = [own.kind ?? NONE, own.done ?? NONE, own.disk ?? NONE];
    const [priorities, statuses] = [own.priority ?? NONE, own.status ?? NONE];
    for (let row = 0; row < rowCount; row++) {
      const ts = columns.ts.values[row] ?? 0;
      const dur = numberAt(columns.dur, row);
      const te = ts + (dur ?? 0);
      if (ts >= range_end || te < range_start || (min_ns !== 0 && (dur ?? -1) < min_ns)) continue;
      const utid = numberAt(columns.utid, row);
      if (threads !== null && !threads.has(utid ?? NaN)) continue;
      const kind = source === 'hard_fault' ? source : (textAt(kinds, row) ?? '');
      const direction = directionOf(kind);
      if (params.direction !== 'all' && params.direction !== direction) continue;
      if (!path(columns.path, row)) continue;
      const size_bytes = numberAt(done, row) ?? numberAt(columns.size_bytes, row);
      take({
        ts,
        te,
        dur,
        kind,
        direction,
        utid,
        upid: numberAt(columns.upid, row),
        path: textAt(columns.path, row),
        // What other operations answer is no size.
        size_bytes: direction === 'other' ? null : size_bytes,
        disk: numberAt(disks, row),
        priority: textAt(priorities, row),
        status: textAt(statuses, row),
      });
    }
  }
}

/** A column that a table does not have. */
const NONE: Values = { values: new Uint8Array(0), present: null, texts: null };

function directionOf(kind: string): Direction {
  if (kind === 'hard_fault') return 'read';
  return kind === 'read' || kind === 'write' ? kind : 'other';
}

/** Whether a row has a path with a text in it, whatever its case; each path is looked at once. */
function pathFilter(wanted: string): (paths: Values, row: number) => boolean {
  if (wanted === '') return () => true;
  const lower = wanted.toLowerCase();
  let texts: readonly string[] | null = null;
  let passing: (boolean | undefined)[] = [];
  return (paths, row) => {
    const code = numberAt(paths, row);
    if (code === null) return false;
    if (paths.texts !== texts) [texts, passing] = [paths.texts, []];
    return (passing[code] ??= (texts?.[code] ?? '').toLowerCase().includes(lower));
  };
}
