import { loadBlamed, type Blamed, type BlamedBy } from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording, type Known } from '../../shared/recording/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { neededBy, params as specs, type BlameParams } from './params.ts';

/** What others waited for, and for how long. */
export interface BlameRow extends Blamed {
  /** How long others waited, whatever it did meanwhile. */
  readonly waits_ns: number;
}

/** All that the view draws. */
export interface BlameModel extends Known {
  readonly by: BlamedBy;
  /** First those for which others waited longest while they ran or were ready. */
  readonly rows: readonly BlameRow[];
  /** How many there are in all. */
  readonly all: number;
  /** How long others waited, all of them together. */
  readonly active_ns: number;
  readonly blocked_ns: number;
}

/** Asks for all that the view shows of `range`. */
export async function loadBlameView(
  query: Query,
  { by, limit }: BlameParams,
  range: TimeRange,
): Promise<BlameModel> {
  const bounds = boundsOf(range);
  const known = { ...knownOf(await loadRecording(query, neededBy(by), bounds)), by };
  if (known.unrecorded !== null) return { ...known, rows: [], all: 0, active_ns: 0, blocked_ns: 0 };
  const blamed = await loadBlamed(query, { start: bounds.range_start, end: bounds.range_end }, by);
  const rows = blamed
    .map((row): BlameRow => ({ ...row, waits_ns: row.active_ns + row.blocked_ns }))
    .sort((a, b) => b.active_ns - a.active_ns || b.waits_ns - a.waits_ns || b.ran_ns - a.ran_ns);
  const sum = (of: (row: BlameRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    ...known,
    rows: rows.slice(0, Math.round(limit ?? specs.limit.default)),
    all: rows.length,
    active_ns: sum(({ active_ns }) => active_ns),
    blocked_ns: sum(({ blocked_ns }) => blocked_ns),
  };
}
