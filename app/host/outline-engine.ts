import { reasonsByRow } from '../../shared/causes/index.ts';
import { makeQuery, type Engine } from '../../shared/engine/index.ts';
import judgedWaitsSql from '../../shared/sql/judged-waits.sql';
import rankChangesSql from '../../shared/sql/rank-changes.sql';
import {
  etwNamesBehind,
  JUDGED_TABLES,
  RANK_CHANGE_TABLE,
  REASON_CODE_TABLE,
} from '../../shared/sql/modules.ts';
import {
  arrowTables,
  rankChanges,
  traceQuery,
  type ReadBatch,
  type TableInfo,
} from '../../shared/tables/index.ts';
import { judgeRanks, type JudgedRank } from '../../shared/why-late/columns/index.ts';
import judgedRanksSql from './judged-ranks.sql';

/** Where scheduling is read. An outline does not hold it. */
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

/** Who does for an outline's engine what takes long; absent: the engine's own process does it each time. */
export interface OutlineHelp {
  readonly kept?: KeptRanks | undefined;
  /** Tells the codes of the main reasons of all ready waits, by row. */
  readonly reasons?: (() => Promise<Uint8Array>) | undefined;
}

/**
 * An engine that holds an outline and reads scheduling in columns. Columns do not say at which rank a thread waited whose rank changed:
 * that is judged when SQL first names ready waits. Where recorded ranks change is looked for when SQL first asks for it, and why threads
 * waited too.
 */
export function outlineEngine(
  engine: Engine,
  columns: OutlineColumns,
  { kept, reasons }: OutlineHelp = {},
): Engine {
  const outline = makeQuery((sql) => engine.query(sql));
  const readTable: ReadBatch = (...which) => Promise.resolve(columns.read(...which));
  const tables = () => arrowTables(columns.infos, readTable);

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

  const reasoned = once(async () => {
    const asker = { sql: (_: unknown, sql: string) => engine.query(sql), readTable };
    const all = reasons ?? (() => reasonsByRow(traceQuery(asker, columns.infos), aMoment));
    await engine.giveReasons(await all());
  });

  async function prepare(sql: string): Promise<void> {
    const names = etwNamesBehind(sql);
    if (JUDGED_TABLES.some((name) => names.has(name))) await judged();
    if (names.has(RANK_CHANGE_TABLE)) await changes();
    if (names.has(REASON_CODE_TABLE)) await reasoned();
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
    giveReasons: (codes) => engine.giveReasons(codes),
    end: () => engine.end(),
  };
}

/** Lets others have their turn: what takes long would hold up a page, or all who use a server. */
function aMoment(): Promise<void> {
  return new Promise((go) => setTimeout(go, 0));
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
