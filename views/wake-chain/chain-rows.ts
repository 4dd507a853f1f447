import type { Row } from '../../shared/engine/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';

/** A time within a run, and the id of its thread. */
export interface RunAt {
  readonly ts: number;
  readonly tid: number;
}

/** What releases are looked for. */
export interface ReleasesAsked {
  readonly utid: number;
  readonly switch_in_ts: number;
  readonly depth: number;
  readonly max_rows: number;
  readonly past_dpc_ns: number;
}

/** The rows that chains are made of, wherever they come from. */
export interface ChainRows {
  /** The switch-in that ended the longest ready wait in a range; null where none ended in it. */
  longest(range: TimeRange): Promise<RunAt | null>;
  /** The run that goes on at a time, or else the first one after it: `utid`, `ts`, `te`. */
  run(at: RunAt): Promise<Row | undefined>;
  /** What a thread did up to a time, and who had woken it for that: a row of `link.sql`. */
  link(utid: number, until_ts: number): Promise<Row | undefined>;
  /** What a run released, by depth, then by time: rows of `released.sql`. */
  released(asked: ReleasesAsked): Promise<readonly Row[]>;
}
