import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { loadLosses } from '../why-late/columns/index.ts';
import { sumBlame } from './blame.ts';
import { Blocks } from './blocks.ts';
import { Cells, type Cell, type Measure } from './cells.ts';
import type { Flags } from '../causes/index.ts';
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
import { loadThings, type ProcessClass, type ThreadClass, type Things } from './things.ts';

/** What a trace holds, ready to be compared. */
export interface Measured {
  /** What the trace is called. */
  readonly name: string;
  readonly range: Stretch;
  /** False while ready time, blame and episodes are still to be measured. */
  readonly isWhole: boolean;
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

/** What is measured first, and what the rest goes on from. */
interface Begun {
  readonly blocks: Blocks;
  readonly things: Things;
  /** The rows of `etw_ready_wait` whose threads had blocked for work. */
  readonly isForWork: Flags;
  readonly runCount: number;
  readonly measured: Measured;
}

/** Who measures all of a range goes on from what was measured of it first. */
const keepBegun = keepLast<Begun>();

function begin(query: Query, { name, range }: MeasureRequest): Promise<Begun> {
  return keepBegun(query, `${range.start} ${range.end}`, async () => {
    const { tables } = dataOf(query);
    const blocks = new Blocks(range, await loadLosses(tables));
    const recorded = await loadRecorded(query);
    const things = await loadThings(tables);
    const cells = new Cells(blocks.count);
    const isForWork = await sumRuns(tables, blocks, things, cells);
    let runCount = 0;
    for (const { count } of cells.all()) for (const switches of count) runCount += switches;
    const holds = (measure: Measure) => notRecorded({ recorded }, measure) === null;
    const stacks = holds('samples')
      ? await sumSamples(query, blocks, things, cells)
      : new Map<number, StackNode>();
    for (const measure of ['disk_io', 'file_io'] as const)
      if (holds(measure)) await sumIo(tables, measure, blocks, things, cells);
    const lives = await countLives(tables, blocks, things);
    const whole = (values: Float64Array) => blocks.whole(values);
    const counted = whole(blocks.lengths);
    const measured = {
      name,
      range,
      isWhole: false,
      blocks: counted,
      leftOut_ns: range.end - range.start - sumOf(counted),
      recorded,
      processes: things.processes,
      threads: things.threads,
      cells: wholeCells(cells, blocks),
      lengths: new Map<number, Lengths>(),
      episodes: new Map<ComparedKind, Lengths>(),
      lives: lives.map(({ process, starts, exits }) => ({
        process,
        starts: whole(starts),
        exits: whole(exits),
      })),
      stacks,
    };
    return { blocks, things, isForWork, runCount, measured };
  });
}

/** Measures of a range what takes a fifth of the time of all: all but ready time, blame and episodes. */
export async function measureFirst(query: Query, request: MeasureRequest): Promise<Measured> {
  return { ...(await begin(query, request)).measured, name: request.name };
}

/** Measures a range of a trace. */
export async function measureTrace(query: Query, request: MeasureRequest): Promise<Measured> {
  const { blocks, things, isForWork, runCount, measured } = await begin(query, request);
  const cells = new Cells(blocks.count);
  const lengths = measured.recorded.held.has('ready_waits')
    ? await sumReady(query, blocks, things, cells, runCount)
    : new Map<number, Lengths>();
  if (notRecorded(measured, 'blame') === null) await sumBlame(query, blocks, things, cells, isForWork);
  const wholeLengths = <K>(of: ReadonlyMap<K, Lengths>): ReadonlyMap<K, Lengths> =>
    blocks.areAllWhole
      ? of
      : new Map([...of].map(([key, lengths]) => [key, lengths.of((values) => blocks.whole(values))]));
  return {
    ...measured,
    name: request.name,
    isWhole: true,
    cells: [...measured.cells, ...wholeCells(cells, blocks)],
    lengths: wholeLengths(lengths),
    episodes: wholeLengths(await countEpisodes(query, blocks)),
  };
}

/** Cells without the blocks that do not count. */
function wholeCells(cells: Cells, blocks: Blocks): readonly Cell[] {
  return cells.all().map((cell) => ({ ...cell, ns: blocks.whole(cell.ns), count: blocks.whole(cell.count) }));
}
