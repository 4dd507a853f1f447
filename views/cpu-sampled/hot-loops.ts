import { addressName, type Calls, type SampleColumns } from '../../shared/samples/index.ts';
import { type ThreadName } from '../../shared/threads/index.ts';
import type { HotLoop } from './model.ts';
import type { PickedGroup } from './pick.ts';

/** A process with fewer samples has no loop that a share of them would show. */
const SAMPLES_MIN = 200;
const ADDRESSES_MAX = 16;
/** At either end of a loop instructions with a smaller part of its samples are not of it. */
const EDGE_SHARE = 0.01;
/** Counters of stretches of code; a power of two. */
const SLOTS = 2 ** 12;

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
 * needs no symbols. SampleColumns in DPCs and ISRs count for no process.
 */
export function findHotLoops(
  groups: readonly PickedGroup[],
  samples: SampleColumns,
  calls: Calls,
  threads: ReadonlyMap<number, ThreadName>,
  { bytes, share }: HotLoopBounds,
): HotLoop[] {
  const { callsite } = samples;
  const slotOf = slotsOf(calls, bytes);
  const counts = new Int32Array(calls.image.length);
  const loops: HotLoop[] = [];
  for (const rows of rowsByProcess(groups, samples, threads)) {
    if (rows.length < SAMPLES_MIN) continue;
    const frames = crowdedFrames(rows, callsite, calls, slotOf, share * rows.length, counts);
    const window = hottestWindow(frames, counts, calls, bytes);
    if (window.samples > 0 && window.samples >= share * rows.length) {
      const inside = new Set(window.frames);
      const utids = new Set<number>();
      for (const row of rows) {
        const utid = samples.kinds[samples.kind[row] ?? 0]?.utid ?? 0;
        if (inside.has(calls.frame[callsite[row] ?? 0] ?? 0)) utids.add(utid);
      }
      loops.push(describe(window, rows.length, counts, utids, calls, threads));
    }
    for (const frame of frames) counts[frame] = 0;
  }
  return loops.sort((a, b) => b.samples - a.samples);
}

/** The samples of each process that were taken outside of DPCs and ISRs, by row. */
function rowsByProcess(
  groups: readonly PickedGroup[],
  { kind, kinds }: SampleColumns,
  threads: ReadonlyMap<number, ThreadName>,
): readonly Int32Array[] {
  const indices = new Map<number, number>();
  const processOf = Int32Array.from(kinds, ({ utid, mode }) => {
    if (mode === 'dpc' || mode === 'isr') return -1;
    const upid = threads.get(utid)?.upid ?? -1;
    const index = indices.get(upid) ?? indices.size;
    indices.set(upid, index);
    return index;
  });
  const counts = new Int32Array(indices.size);
  for (const { rows } of groups) {
    for (const row of rows) {
      const process = processOf[kind[row] ?? 0] ?? -1;
      if (process >= 0) counts[process] = (counts[process] ?? 0) + 1;
    }
  }
  const found = Array.from(counts, (count) => new Int32Array(count));
  const filled = counts.fill(0);
  for (const { rows } of groups) {
    for (const row of rows) {
      const process = processOf[kind[row] ?? 0] ?? -1;
      const into = found[process];
      if (into === undefined) continue;
      const next = filled[process] ?? 0;
      into[next] = row;
      filled[process] = next + 1;
    }
  }
  return found;
}

interface KeptSlots {
  readonly bytes: number;
  readonly slots: Uint16Array;
}

const kept = new WeakMap<Calls, KeptSlots>();

/** For each callsite the counter of the stretch of `bytes` that its instruction is in; stretches may share one. */
function slotsOf(calls: Calls, bytes: number): Uint16Array {
  const before = kept.get(calls);
  if (before?.bytes === bytes) return before.slots;
  const { frame, image, rva } = calls;
  const slots = new Uint16Array(frame.length);
  for (let at = 0; at < slots.length; at++) {
    const of = frame[at] ?? 0;
    const stretch = Math.floor((rva[of] ?? 0) / bytes) % SLOTS;
    slots[at] = (Math.imul(image[of] ?? 0, 0x9e3779b1) + stretch) & (SLOTS - 1);
  }
  kept.set(calls, { bytes, slots });
  return slots;
}

/**
 * The frames that may be in a window with so many samples, and in `counts` the samples of each: such a window is within two
 * neighbouring stretches of its length. Stretches that share a slot by chance only make for more frames.
 */
function crowdedFrames(
  rows: Int32Array,
  callsite: Int32Array,
  { frame }: Calls,
  slotOf: Uint16Array,
  least: number,
  counts: Int32Array,
): readonly number[] {
  const slots = new Int32Array(SLOTS);
  for (const row of rows) {
    const slot = slotOf[callsite[row] ?? 0] ?? 0;
    slots[slot] = (slots[slot] ?? 0) + 1;
  }
  const isCrowded = new Uint8Array(SLOTS);
  for (let slot = 0; slot < SLOTS; slot++) {
    const next = (slot + 1) & (SLOTS - 1);
    if ((slots[slot] ?? 0) + (slots[next] ?? 0) >= least) isCrowded[slot] = isCrowded[next] = 1;
  }
  const frames: number[] = [];
  if (!isCrowded.includes(1)) return frames;
  for (const row of rows) {
    const place = callsite[row] ?? 0;
    if (isCrowded[slotOf[place] ?? 0] === 0) continue;
    const of = frame[place] ?? 0;
    if (counts[of] === 0) frames.push(of);
    counts[of] = (counts[of] ?? 0) + 1;
  }
  return frames;
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
