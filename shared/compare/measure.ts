import type { Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { loadLosses } from '../why-late/columns/index.ts';
import { sumBlame } from './blame.ts';
import { Blocks } from './blocks.ts';
import { Cells, type Cell, type Measure } from './cells.ts';
import type { Lengths } from './lengths.ts';
import { countEpisodes, type ComparedKind } from './episodes.ts';
import { sumIo } from './io.ts';
import { countLives, type Lives } from './lives.ts';
import { sumReady } from './ready.ts';
import { loadRecorded, type Recorded } from './recorded.ts';
import { sumRuns } from './runs.ts';
import { sumSamples } from './sampled.ts';
import type { StackNode } from './stacks.ts';
import { sumOf } from './units.ts';
import { loadThings, type ProcessClass, type ThreadClass } from './things.ts';

/** What a trace holds, ready to be compared. */
export interface Measured {
  /** What the trace is called. */
  readonly name: string;
  readonly range: Stretch;
  /** The lengths in ns of its blocks that count. */
  readonly blocks: Float64Array;
  /** How much of the range is in blocks that do not count, since events are missing, in ns. */
  readonly leftOut_ns: number;
  readonly recorded: Recorded;
  readonly processes: readonly ProcessClass[];
  readonly threads: readonly ThreadClass[];
  readonly cells: readonly Cell[];
  /** The lengths of ready waits that ended, by process class. */
  readonly lengths: ReadonlyMap<number, Lengths>;
  /** How long the episodes of each kind were. */
  readonly episodes: ReadonlyMap<ComparedKind, Lengths>;
  /** Starts and exits of processes, of the process classes that have any. */
  readonly lives: readonly Lives[];
  /** The sampled stacks, by process class; none where no samples were recorded. */
  readonly stacks: ReadonlyMap<number, StackNode>;
}

/** Why a trace does not tell a measure; null where it does. */
export function notRecorded(
  { recorded: { held } }: Pick<Measured, 'recorded'>,
  measure: Measure,
): string | null {
  if (measure === 'samples')
    return held.has('sample_intervals') ? null : 'no profile samples with their interval';
  if (measure === 'disk_io') return held.has('disk_io') ? null : 'no disk transfers';
  if (measure === 'file_io') return held.has('file_io_ends') ? null : 'no ends of file operations';
  if (!held.has('switches')) return 'no context switches';
  if (measure !== 'cpu' && !held.has('ready_threads')) return 'no ready-thread events';
  if ((measure === 'blocked' || measure === 'blame') && !held.has('switch_states'))
    return 'no thread states and wait reasons';
  return null;
}

/** What of a trace is measured. */
export interface MeasureRequest {
  /** What the trace is called. */
  readonly name: string;
  readonly range: Stretch;
}

/** Measures a range of a trace. */
export async function measureTrace(query: Query, { name, range }: MeasureRequest): Promise<Measured> {
  const data = dataOf(query);
  const blocks = new Blocks(range, await loadLosses(data.tables));
  const recorded = await loadRecorded(query);
  const things = await loadThings(data.tables);
  const cells = new Cells(blocks.count);
  const isForWork = await sumRuns(data.tables, blocks, things, cells);
  let runCount = 0;
  for (const { count } of cells.all()) for (const switches of count) runCount += switches;
  const lengths = recorded.held.has('ready_waits')
    ? await sumReady(query, blocks, things, cells, runCount)
    : new Map<number, Lengths>();
  const holds = (measure: Measure) => notRecorded({ recorded }, measure) === null;
  if (holds('blame')) await sumBlame(query, blocks, things, cells, isForWork);
  const stacks = holds('samples')
    ? await sumSamples(query, blocks, things, cells)
    : new Map<number, StackNode>();
  for (const measure of ['disk_io', 'file_io'] as const)
    if (holds(measure)) await sumIo(data.tables, measure, blocks, things, cells);
  const lives = await countLives(data.tables, blocks, things);
  const whole = (values: Float64Array) => blocks.whole(values);
  const wholeLengths = <K>(of: ReadonlyMap<K, Lengths>): ReadonlyMap<K, Lengths> =>
    blocks.areAllWhole ? of : new Map([...of].map(([key, lengths]) => [key, lengths.of(whole)]));
  const episodes = await countEpisodes(query, blocks);
  const counted = whole(blocks.lengths);
  return {
    name,
    range,
    blocks: counted,
    leftOut_ns: range.end - range.start - sumOf(counted),
    recorded,
    processes: things.processes,
    threads: things.threads,
    cells: cells.all().map((cell) => ({ ...cell, ns: whole(cell.ns), count: whole(cell.count) })),
    lengths: wholeLengths(lengths),
    episodes: wholeLengths(episodes),
    lives: lives.map(({ process, starts, exits }) => ({
      process,
      starts: whole(starts),
      exits: whole(exits),
    })),
    stacks,
  };
}
