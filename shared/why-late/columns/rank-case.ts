import { readTraceFacts, type Tables } from '../../tables/index.ts';
import { loadMachine, type Machine } from './machine.ts';
import { rankDoubts, runDensity, type RankDoubt } from './rank-doubts.ts';
import { rankWindows, type RankWindows } from './rank-windows.ts';
import type { Sources } from './sources.ts';

/** The waits of a trace whose rank is judged, the longest of those whose rank changed, and what they are judged by. */
export interface RankCase {
  readonly tables: Tables;
  readonly cpu_count: number;
  /** SQL tells it, which may wait for an engine: what tables tell is read meanwhile. */
  readonly machine: Promise<Machine>;
  readonly doubts: readonly RankDoubt[];
  readonly windows: RankWindows;
}

/** Finds the waits that are judged, without a look at what ran meanwhile. */
export async function openRankCase({ outline, tables }: Sources): Promise<RankCase> {
  const machine = loadMachine(outline);
  // Looked at only by who judges: until then a failure has nobody else to hear it.
  machine.catch(() => undefined);
  const { cpu_count, ...span } = (await readTraceFacts(tables)) ?? (await machine);
  const density = await runDensity(tables, span);
  const doubts = await rankDoubts(tables, density);
  return { tables, cpu_count, machine, doubts, windows: rankWindows(doubts, density) };
}
