import { addressName, modeOf, type Calls, type Samples } from '../../shared/samples/index.ts';
import { type ThreadName } from '../../shared/threads/index.ts';
import type { HotLoop } from './model.ts';
import type { PickedGroup } from './pick.ts';

/** A process with fewer samples has no loop that a share of them would show. */
const SAMPLES_MIN = 200;
const LOOPS_MAX = 50;
const ADDRESSES_MAX = 16;
/** At either end of a loop instructions with a smaller part of its samples are not of it. */
const EDGE_SHARE = 0.01;

/** What makes a loop hot. */
export interface HotLoopBounds {
  /** All its instructions start within so many bytes. */
  readonly bytes: number;
  /** Part of the samples of its process. */
  readonly share: number;
}

interface Leaves {
  total: number;
  /** Rows of samples by the frame that they are in. */
  readonly rows: Map<number, number[]>;
}

interface Window {
  readonly frames: readonly number[];
  readonly samples: number;
}

/**
 * For each process the stretch of code of at most so many bytes that has the most samples, if it has such a share of them. It
 * needs no symbols. Samples in DPCs and ISRs count for no process.
 */
export function findHotLoops(
  groups: readonly PickedGroup[],
  samples: Samples,
  calls: Calls,
  threads: ReadonlyMap<number, ThreadName>,
  { bytes, share }: HotLoopBounds,
): HotLoop[] {
  const processes = new Map<number, Leaves>();
  for (const { rows } of groups) {
    for (const row of rows) {
      const mode = modeOf(samples, row);
      if (mode === 'dpc' || mode === 'isr') continue;
      const upid = threads.get(samples.utid[row] ?? 0)?.upid ?? -1;
      let leaves = processes.get(upid);
      if (leaves === undefined) processes.set(upid, (leaves = { total: 0, rows: new Map() }));
      leaves.total++;
      const frame = calls.frame[samples.callsite[row] ?? 0] ?? 0;
      const of = leaves.rows.get(frame);
      if (of === undefined) leaves.rows.set(frame, [row]);
      else of.push(row);
    }
  }
  return [...processes.values()]
    .filter(({ total }) => total >= SAMPLES_MIN)
    .map((leaves) => ({ leaves, window: hottestWindow(leaves.rows, calls, bytes) }))
    .filter(({ leaves, window }) => window.samples >= share * leaves.total)
    .map(({ leaves, window }) => describe(leaves, window, samples, calls, threads))
    .sort((a, b) => b.samples - a.samples)
    .slice(0, LOOPS_MAX);
}

/** The frames whose instructions start within `bytes` of each other and have the most samples together. */
function hottestWindow(rows: ReadonlyMap<number, readonly number[]>, calls: Calls, bytes: number): Window {
  const image = (frame: number) => calls.image[frame] ?? 0;
  const rva = (frame: number) => calls.rva[frame] ?? 0;
  const frames = [...rows.keys()].sort((a, b) => image(a) - image(b) || rva(a) - rva(b));
  let best = { from: 0, to: 0, samples: 0 };
  let from = 0;
  let sum = 0;
  frames.forEach((frame, at) => {
    sum += rows.get(frame)?.length ?? 0;
    for (;;) {
      const first = frames[from] ?? frame;
      if (image(first) === image(frame) && rva(frame) - rva(first) < bytes) break;
      sum -= rows.get(first)?.length ?? 0;
      from++;
    }
    if (sum > best.samples) best = { from, to: at + 1, samples: sum };
  });
  const count = (frame: number) => rows.get(frame)?.length ?? 0;
  const inside = frames.slice(best.from, best.to);
  const isOf = (frame: number) => count(frame) >= EDGE_SHARE * best.samples;
  const first = Math.max(0, inside.findIndex(isOf));
  const kept = inside.slice(first, inside.length - Math.max(0, [...inside].reverse().findIndex(isOf)));
  return { frames: kept, samples: kept.reduce((total, frame) => total + count(frame), 0) };
}

function describe(
  { total, rows }: Leaves,
  { frames, samples: count }: Window,
  samples: Samples,
  calls: Calls,
  threads: ReadonlyMap<number, ThreadName>,
): HotLoop {
  const [first = 0] = frames;
  const last = frames.at(-1) ?? first;
  const utids = new Set(frames.flatMap((frame) => rows.get(frame) ?? []).map((row) => samples.utid[row]));
  const [utid = 0] = utids;
  const hottest = frames
    .map((frame) => ({ label: addressName(calls, frame), samples: rows.get(frame)?.length ?? 0 }))
    .sort((a, b) => b.samples - a.samples)
    .slice(0, ADDRESSES_MAX);
  return {
    process: threads.get(utid)?.process ?? 'unknown process',
    pid: threads.get(utid)?.pid ?? null,
    from: addressName(calls, first),
    to: addressName(calls, last),
    bytes: (calls.rva[last] ?? 0) - (calls.rva[first] ?? 0),
    addresses: frames.length,
    threads: utids.size,
    samples: count,
    share: count / total,
    hottest,
  };
}
