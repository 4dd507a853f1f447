import type { Query } from '../../engine/index.ts';
import type { Tables } from '../../tables/index.ts';

/** Where the facts of a trace come from: scheduling in columns, all else by SQL. */
export interface Sources {
  /** Need not know scheduling. */
  readonly outline: Query;
  readonly tables: Tables;
}
