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
/** Counters of stretches of code; a power of two. */
const SLOTS = 2 ** 16;

/** What makes a loop hot. */
export interface HotLoopBounds {
  /** All its instructions start within so many bytes. */
  readonly bytes: number;
  /** Part of the samples of its process. */
  readonly share: number;
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
  const processes = new Map<number, number[]>();
  for (const { rows } of groups) {
    for (const row of rows) {
      const mode = modeOf(samples, row);
      if (mode === 'dpc' || mode === 'isr') continue;
      const upid = threads.get(samples.utid[row] ?? 0)?.upid ?? -1;
      const of = processes.get(upid);
      if (of === undefined) processes.set(upid, [row]);
      else of.push(row);
    }
  }
  const frameOf = (row: number) => calls.frame[samples.callsite[row] ?? 0] ?? 0;
  const counts = new Int32Array(calls.image.length);
  const loops: HotLoop[] = [];
  for (const rows of processes.values()) {
    if (rows.length < SAMPLES_MIN) continue;
    const touched: number[] = [];
    for (const row of rows) {
      const frame = frameOf(row);
      if (counts[frame] === 0) touched.push(frame);
      counts[frame] = (counts[frame] ?? 0) + 1;
    }
    const likely = crowdedFrames(touched, counts, calls, bytes, share * rows.length);
    const window = hottestWindow(likely, counts, calls, bytes);
    if (window.samples > 0 && window.samples >= share * rows.length) {
      const inside = new Set(window.frames);
      const utids = new Set(
        rows.filter((row) => inside.has(frameOf(row))).map((row) => samples.utid[row] ?? 0),
      );
      loops.push(describe(window, rows.length, counts, utids, calls, threads));
    }
    for (const frame of touched) counts[frame] = 0;
  }
  return loops.sort((a, b) => b.samples - a.samples).slice(0, LOOPS_MAX);
}

/**
 * The frames that may be in a window of `bytes` with so many samples: such a window is within two neighbouring stretches of
 * that length. Stretches that share a slot by chance only make for more frames.
 */
function crowdedFrames(
  frames: readonly number[],
  counts: Int32Array,
  { image, rva }: Calls,
  bytes: number,
  least: number,
): readonly number[] {
  const slots = new Int32Array(SLOTS);
  const slotOf = (frame: number) =>
    (Math.imul(image[frame] ?? 0, 0x9e3779b1) + Math.floor((rva[frame] ?? 0) / bytes)) & (SLOTS - 1);
  const at = (slot: number) => slots[slot & (SLOTS - 1)] ?? 0;
  for (const frame of frames) {
    const slot = slotOf(frame);
    slots[slot] = at(slot) + (counts[frame] ?? 0);
  }
  return frames.filter((frame) => {
    const slot = slotOf(frame);
    return at(slot) + Math.max(at(slot - 1), at(slot + 1)) >= least;
  });
}

/** The frames whose instructions start within `bytes` of each other and have the most samples together. */
function hottestWindow(found: readonly number[], counts: Int32Array, calls: Calls, bytes: number): Window {
  const image = (frame: number) => calls.image[frame] ?? 0;
  const rva = (frame: number) => calls.rva[frame] ?? 0;
  const count = (frame: number) => counts[frame] ?? 0;
  const frames = [...found].sort((a, b) => image(a) - image(b) || rva(a) - rva(b));
  let best = { from: 0, to: 0, samples: 0 };
  let from = 0;
  let sum = 0;
  frames.forEach((frame, at) => {
    sum += count(frame);
    for (;;) {
      const first = frames[from] ?? frame;
      if (image(first) === image(frame) && rva(frame) - rva(first) < bytes) break;
      sum -= count(first);
      from++;
    }
    if (sum > best.samples) best = { from, to: at + 1, samples: sum };
  });
  const inside = frames.slice(best.from, best.to);
  const isOf = (frame: number) => count(frame) >= EDGE_SHARE * best.samples;
  const first = Math.max(0, inside.findIndex(isOf));
  const kept = inside.slice(first, inside.length - Math.max(0, [...inside].reverse().findIndex(isOf)));
  return { frames: kept, samples: kept.reduce((total, frame) => total + count(frame), 0) };
}

function describe(
  { frames, samples }: Window,
  total: number,
  counts: Int32Array,
  utids: ReadonlySet<number>,
  calls: Calls,
  threads: ReadonlyMap<number, ThreadName>,
): HotLoop {
  const [first = 0] = frames;
  const last = frames.at(-1) ?? first;
  const [utid = 0] = utids;
  const hottest = frames
    .map((frame) => ({ label: addressName(calls, frame), samples: counts[frame] ?? 0 }))
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
    samples,
    share: samples / total,
    hottest,
  };
}
