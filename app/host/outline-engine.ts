import { makeQuery, type Engine } from '../../shared/engine/index.ts';
import rankChangesSql from '../../shared/sql/rank-changes.sql';
import { etwNamesBehind, JUDGED_TABLES, RANK_CHANGE_TABLE } from '../../shared/sql/modules.ts';
import { arrowTables, rankChanges, type ReadBatch, type TableInfo } from '../../shared/tables/index.ts';
import { judgeRanks, type JudgedRank } from '../../shared/why-late/columns/index.ts';
import judgedRanksSql from './judged-ranks.sql';
import judgedWaitsSql from './judged-waits.sql';

/** Where scheduling is read beside an outline. */
export interface OutlineColumns {
  readonly infos: readonly TableInfo[];
  /** Columns of a batch, packed; rejects or throws where they cannot be read. */
  read(...which: Parameters<ReadBatch>): Uint8Array | Promise<Uint8Array>;
}

/** Where judged ranks are kept, so that another process need not judge them again. */
export interface KeptRanks {
  /** Null where none are kept. */
  get(): Promise<readonly JudgedRank[] | null>;
  /** Does not wait, and does not fail: what cannot be kept is judged again. */
  put(ranks: readonly JudgedRank[]): void;
}

/**
 * An engine that holds an outline and reads scheduling in columns. Columns do not say at which rank a thread waited whose rank changed:
 * that is judged when SQL first names ready waits. Where recorded ranks change is looked for when SQL first asks for it.
 */
export function outlineEngine(engine: Engine, columns: OutlineColumns, kept?: KeptRanks): Engine {
  const outline = makeQuery((sql) => engine.query(sql));
  const tables = () => arrowTables(columns.infos, (...which) => Promise.resolve(columns.read(...which)));

  const judged = once(async () => {
    let ranks = (await kept?.get()) ?? null;
    if (ranks === null) {
      ranks = await judgeRanks(tables());
      kept?.put(ranks);
    }
    await outline(judgedRanksSql, { judged: JSON.stringify(ranks) });
    await outline(judgedWaitsSql);
  });

  const changes = once(async () => {
    const { changes } = await rankChanges(tables());
    await outline(rankChangesSql, { changes: JSON.stringify(changes) });
  });

  async function prepare(sql: string): Promise<void> {
    const names = etwNamesBehind(sql);
    if (JUDGED_TABLES.some((name) => names.has(name))) await judged();
    if (names.has(RANK_CHANGE_TABLE)) await changes();
  }

  return {
    load: (...given) => engine.load(...given),
    async query(sql) {
      await prepare(sql);
      return engine.query(sql);
    },
    async queryInParts(sql, onPart) {
      await prepare(sql);
      await engine.queryInParts(sql, onPart);
    },
    end: () => engine.end(),
  };
}

/** Does something when it is first asked for, and again only where that failed. */
function once(make: () => Promise<void>): () => Promise<void> {
  let made: Promise<void> | null = null;
  return async () => {
    made ??= make();
    try {
      await made;
    } catch (error) {
      made = null;
      throw error;
    }
  };
}
