import type { Tables } from '../../tables/index.ts';
import { loadMachine, type Machine } from './machine.ts';
import { rankDoubts, runDensity, type RankDoubt } from './rank-doubts.ts';

/** The waits of a trace whose rank is judged, the longest of those whose rank changed, and what they are judged by. */
export interface RankCase {
  readonly tables: Tables;
  readonly machine: Machine;
  readonly doubts: readonly RankDoubt[];
  /** How many runs begin in 10 ms. */
  readonly density: number;
}

/** Finds the waits that are judged, without a look at what ran meanwhile. */
export async function openRankCase(tables: Tables): Promise<RankCase> {
  const machine = await loadMachine(tables);
  const density = await runDensity(tables, machine);
  const doubts = await rankDoubts(tables, density);
  return { tables, machine, doubts, density };
}
