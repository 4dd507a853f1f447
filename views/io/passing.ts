import type { Query } from '../../shared/engine/index.ts';
import { dataOf, numberAt, textAt, type TableName, type Values } from '../../shared/tables/index.ts';
import { utidsMatching, type ThreadName } from '../../shared/threads/index.ts';
import type { Direction, Source } from './model.ts';
import type { IoParams } from './params.ts';

/** An I/O that passes the filters. */
export interface Passing {
  readonly ts: number;
  /** Where it has no end, its begin. */
  readonly te: number;
  readonly dur: number | null;
  readonly kind: string;
  readonly direction: Direction;
  readonly utid: number | null;
  readonly upid: number | null;
  readonly path: string | null;
  /** What other operations answer is no size. */
  readonly size_bytes: number | null;
  readonly disk: number | null;
  readonly priority: string | null;
  readonly status: string | null;
}

const COMMON = ['ts', 'dur', 'utid', 'upid', 'path', 'size_bytes'] as const;
const TABLES: Readonly<Record<Source, readonly [table: TableName, own: readonly string[]]>> = {
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
  const [table, own] = TABLES[source];
  // What takes no time is in the range where it begins at its start.
  const range = { start: range_start - 1, end: range_end };
  for await (const { rowCount, columns } of dataOf(query).tables.batches(table, [...COMMON, ...own], range)) {
    const of: Readonly<Record<string, Values | undefined>> = columns;
    const number = (name: string, row: number) => (of[name] ? numberAt(of[name], row) : null);
    const text = (name: string, row: number) => (of[name] ? textAt(of[name], row) : null);
    for (let row = 0; row < rowCount; row++) {
      const ts = number('ts', row) ?? 0;
      const dur = number('dur', row);
      const te = ts + (dur ?? 0);
      if (ts >= range_end || te < range_start || (min_ns !== 0 && (dur ?? -1) < min_ns)) continue;
      const utid = number('utid', row);
      if (threads !== null && !threads.has(utid ?? NaN)) continue;
      const kind = source === 'hard_fault' ? source : (text('kind', row) ?? '');
      const direction = directionOf(kind);
      if (params.direction !== 'all' && params.direction !== direction) continue;
      if (!path(of.path, row)) continue;
      take({
        ...{ ts, te, dur, kind, direction, utid },
        upid: number('upid', row),
        path: text('path', row),
        size_bytes: direction === 'other' ? null : (number('done', row) ?? number('size_bytes', row)),
        disk: number('disk', row),
        priority: text('priority', row),
        status: text('status', row),
      });
    }
  }
}

function directionOf(kind: string): Direction {
  if (kind === 'hard_fault') return 'read';
  return kind === 'read' || kind === 'write' ? kind : 'other';
}

/** Whether a row has a path with a text in it, whatever its case; each path is looked at once. */
function pathFilter(wanted: string): (paths: Values | undefined, row: number) => boolean {
  if (wanted === '') return () => true;
  const lower = wanted.toLowerCase();
  let texts: readonly string[] | null = null;
  let passing: (boolean | undefined)[] = [];
  return (paths, row) => {
    const code = paths === undefined ? null : numberAt(paths, row);
    if (paths === undefined || code === null) return false;
    if (paths.texts !== texts) [texts, passing] = [paths.texts, []];
    return (passing[code] ??= (texts?.[code] ?? '').toLowerCase().includes(lower));
  };
}
