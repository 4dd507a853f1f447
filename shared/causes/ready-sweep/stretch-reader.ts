import type { Query } from '../../engine/index.ts';
import { dataOf, type Stretch } from '../../tables/index.ts';
import {
  loadCpuRecord,
  loadJudgedRanks,
  loadMachine,
  type JudgedRanks,
  type Machine,
} from '../../why-late/columns/index.ts';
import { HistoryMemory, loadHistory } from '../history.ts';
import { AROUND_NS, type JudgedBy } from '../ready-parts.ts';

/** So many runs are held at a time, about. */
const RUNS_HELD = 200_000;

/** Reads what ready waits are divided by, a stretch of time after another, so that memory does not grow with the trace. */
export interface StretchReader {
  readonly machine: Machine;
  readonly judged: JudgedRanks;
  /** In how many stretches what was asked for is to be read. */
  readonly count: number;
  /** What the waits of a stretch are divided by, until the next one is read: its memory serves again then. */
  readonly read: (stretch: Stretch) => Promise<JudgedBy>;
}

/** A reader of what has `runCount` runs, about. */
export async function stretchReader(query: Query, runCount: number): Promise<StretchReader> {
  const { tables } = dataOf(query);
  const machine = await loadMachine(tables);
  const record = await loadCpuRecord(tables);
  const memory = new HistoryMemory();
  return {
    machine,
    judged: await loadJudgedRanks(query),
    count: Math.max(1, Math.ceil(runCount / RUNS_HELD)),
    async read({ start, end }) {
      const stretch = { start: start - AROUND_NS, end: end + AROUND_NS };
      const history = await loadHistory(tables, stretch, undefined, memory);
      return { ...record, machine, history };
    },
  };
}
