import { group } from 'd3';
import { numberAt, textAt, visitRowsEnding, type Tables } from '../../tables/index.ts';
import { openRankCase, type RankCase } from './rank-case.ts';
import type { RankDoubt } from './rank-doubts.ts';
import { rankEvidence, type RankEvidence } from './rank-evidence.ts';

/** A wait before and after which different ranks were recorded, and at which one the thread waited: a row of `etw_ready_wait_rank`. */
export interface JudgedRank {
  readonly ts: number;
  readonly dur: number;
  readonly utid: number;
  readonly rank_before: number;
  readonly rank_after: number;
  /** The one that it is taken to have waited at. */
  readonly rank: number;
  /** How much of the wait is explained at `rank_before`, in ns. */
  readonly before_explains_ns: number;
  /** The same at `rank_after`. */
  readonly after_explains_ns: number;
  /** The thread put aside another at the end of the wait that went before a thread of the worse rank. */
  readonly put_aside_better: boolean;
}

/** So much more of a wait explains nothing. */
const NOTHING_MORE_NS = 100_000;

/**
 * At which rank threads waited whose rank changed, by the rule of `etw_ready_wait_rank`. Waits that nothing is known about are left out.
 */
export async function judgeWaits(found: RankCase, waits: readonly RankDoubt[]): Promise<JudgedRank[]> {
  if (waits.length === 0) return [];
  const putAside = await whoPutAsideBetter(found.tables, waits);
  const evidence = await rankEvidence(found, waits);
  const { tick_ns } = found.machine;
  return waits.flatMap((wait, number) => {
    const of = evidence[number];
    return of === undefined || of.looked_at_ns === 0 ? [] : [judged(wait, of, putAside.has(wait), tick_ns)];
  });
}

/** Judges all waits of a trace that are judged at all. */
export async function judgeRanks(tables: Tables): Promise<JudgedRank[]> {
  const found = await openRankCase(tables);
  return judgeWaits(found, found.doubts);
}

function judged(
  { ts, te, utid, rank_before, rank_after }: RankDoubt,
  evidence: RankEvidence,
  put_aside_better: boolean,
  tick_ns: number,
): JudgedRank {
  const dur = te - ts;
  const scaled = (ns: number) => Math.floor(ns * (dur / evidence.looked_at_ns));
  const [better_ns, worse_ns] = [scaled(evidence.better_ns), scaled(evidence.worse_ns)];
  const more_ns = worse_ns - better_ns;
  const wasBetter = rank_before < rank_after;
  const hasChanged = wasBetter
    ? more_ns * 2 >= Math.max(dur, tick_ns)
    : more_ns <= NOTHING_MORE_NS && put_aside_better;
  return {
    ts,
    dur,
    utid,
    rank_before,
    rank_after,
    rank: hasChanged ? rank_after : rank_before,
    before_explains_ns: wasBetter ? better_ns : worse_ns,
    after_explains_ns: wasBetter ? worse_ns : better_ns,
    put_aside_better,
  };
}

/** In which of these waits the thread put aside another, by the runs that end where the waits do. */
async function whoPutAsideBetter(
  tables: Tables,
  waits: readonly RankDoubt[],
): Promise<ReadonlySet<RankDoubt>> {
  const byEnd = group(waits, ({ te }) => te);
  const times = Float64Array.from(byEnd.keys()).sort();
  const found = new Set<RankDoubt>();
  const columns = ['ts', 'cpu', 'utid', 'rank', 'switch_out_state', 'switch_out_priority'] as const;
  await visitRowsEnding(tables, 'etw_run', columns, times, ({ columns: run }, row) => {
    const te = run.te.values[row] ?? NaN;
    const rank = numberAt(run.rank, row);
    // A run of no length kept no thread from the CPU.
    if (run.ts.values[row] === te) return;
    if (run.utid.values[row] === 0 || rank === null || textAt(run.switch_out_state, row) !== 'Ready') return;
    const priority = numberAt(run.switch_out_priority, row) ?? -1;
    for (const wait of byEnd.get(te) ?? []) {
      if (run.cpu.values[row] !== wait.cpu) continue;
      const worse = Math.max(wait.rank_before, wait.rank_after);
      if (rank < worse || (rank === worse && priority > (wait.priority ?? Infinity))) found.add(wait);
    }
  });
  return found;
}
