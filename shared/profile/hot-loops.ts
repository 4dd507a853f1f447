import { addressName, type Calls } from '../samples/index.ts';
import type { NamedProcess, ThreadName } from '../threads/index.ts';
import type { CallRuns, KindSamples, Profile } from './call-runs.ts';
import type { CallSamples } from './calls-around.ts';
import type { Piece } from './pick.ts';

/** A process with fewer samples has no loop that a share of them would show. */
const SAMPLES_MIN = 200;
const ADDRESSES_MAX = 16;
/** At either end of a loop instructions with a smaller part of its samples are not of it. */
const EDGE_SHARE = 0.01;
/** Counters of stretches of code; a power of two. */
const SLOTS = 2 ** 12;

/** A few bytes of code in which a process spent a large part of its samples. */
export interface HotLoop extends NamedProcess {
  /** Where the samples of the loop begin and end, as `module+0xrva`; the end is an instruction of it. */
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  /** Different instructions that were sampled. */
  readonly addresses: number;
  readonly threads: number;
  readonly samples: number;
  /** Part of the samples of its process, without those in DPCs and ISRs. */
  readonly share: number;
  /** The instructions, most samples first. */
  readonly hottest: readonly CallSamples[];
}

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
 * needs no symbols. Samples in DPCs and ISRs count for no process. `pieces` are the samples that count.
 */
export function findHotLoops(
  pieces: readonly Piece[],
  { runs, samples }: Profile,
  calls: Calls,
  threads: ReadonlyMap<number, ThreadName>,
  { bytes, share }: HotLoopBounds,
): HotLoop[] {
  const slotOf = slotsOf(runs, calls, bytes);
  const loops: HotLoop[] = [];
  for (const own of piecesByProcess(pieces, samples, threads)) {
    const count = own.reduce((sum, piece) => sum + piece.runs.length, 0);
    if (count < SAMPLES_MIN) continue;
    const counts = countCrowded(own, runs, slotOf, share * count);
    const window = hottestWindow(counts, calls, bytes);
    if (window.samples === 0 || window.samples < share * count) continue;
    const inside = new Set(window.frames);
    const utids = new Set<number>();
    for (const { kind, runs: ends } of own) {
      if (ends.some((run) => inside.has(runs.frame[run] ?? 0))) utids.add(samples.kinds[kind]?.utid ?? 0);
    }
    loops.push(describe(window, count, counts, utids, calls, threads));
  }
  return loops.sort((a, b) => b.samples - a.samples);
}

/** The samples of each process that were taken outside of DPCs and ISRs. */
function piecesByProcess(
  pieces: readonly Piece[],
  { kinds }: KindSamples,
  threads: ReadonlyMap<number, ThreadName>,
): readonly (readonly Piece[])[] {
  const indices = new Map<number, number>();
  const processOf = kinds.map(({ utid, mode }) => {
    if (mode === 'dpc' || mode === 'isr') return -1;
    const upid = threads.get(utid)?.upid ?? -1;
    const index = indices.get(upid) ?? indices.size;
    indices.set(upid, index);
    return index;
  });
  const found = Array.from(indices, (): Piece[] => []);
  for (const piece of pieces) found[processOf[piece.kind] ?? -1]?.push(piece);
  return found;
}

interface KeptSlots {
  readonly bytes: number;
  readonly slots: Uint16Array;
}

const kept = new WeakMap<CallRuns, KeptSlots>();

/** For each run the counter of the stretch of `bytes` that its last instruction is in; stretches may share one. */
function slotsOf(runs: CallRuns, { image, rva }: Calls, bytes: number): Uint16Array {
  const before = kept.get(runs);
  if (before?.bytes === bytes) return before.slots;
  const slots = new Uint16Array(runs.count);
  for (let run = 0; run < slots.length; run++) {
    const of = runs.frame[run] ?? 0;
    const stretch = Math.floor((rva[of] ?? 0) / bytes) % SLOTS;
    slots[run] = (Math.imul(image[of] ?? 0, 0x9e3779b1) + stretch) & (SLOTS - 1);
  }
  kept.set(runs, { bytes, slots });
  return slots;
}

/**
 * The samples of the frames that may be in a window with so many: such a window is within two neighbouring stretches of its
 * length. Stretches that share a slot by chance only make for more frames.
 */
function countCrowded(
  pieces: readonly Piece[],
  { frame }: CallRuns,
  slotOf: Uint16Array,
  least: number,
): ReadonlyMap<number, number> {
  const slots = new Int32Array(SLOTS);
  for (const { runs } of pieces) countSlots(runs, slotOf, slots);
  const isCrowded = new Uint8Array(SLOTS);
  for (let slot = 0; slot < SLOTS; slot++) {
    const next = (slot + 1) & (SLOTS - 1);
    if ((slots[slot] ?? 0) + (slots[next] ?? 0) >= least) isCrowded[slot] = isCrowded[next] = 1;
  }
  const counts = new Map<number, number>();
  if (!isCrowded.includes(1)) return counts;
  for (const { runs } of pieces) {
    for (const run of runs) {
      if (isCrowded[slotOf[run] ?? 0] === 0) continue;
      const at = frame[run] ?? 0;
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
  }
  return counts;
}

function countSlots(runs: Int32Array, slotOf: Uint16Array, slots: Int32Array): void {
  for (let at = 0; at < runs.length; at++) {
    const slot = slotOf[runs[at] ?? 0] ?? 0;
    slots[slot] = (slots[slot] ?? 0) + 1;
  }
}

/** The frames whose instructions start within `bytes` of each other and have the most samples together. */
function hottestWindow(counts: ReadonlyMap<number, number>, calls: Calls, bytes: number): Window {
  const image = (frame: number) => calls.image[frame] ?? 0;
  const rva = (frame: number) => calls.rva[frame] ?? 0;
  const count = (frame: number) => counts.get(frame) ?? 0;
  const frames = [...counts.keys()].sort((a, b) => image(a) - image(b) || rva(a) - rva(b));
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
  counts: ReadonlyMap<number, number>,
  utids: ReadonlySet<number>,
  calls: Calls,
  threads: ReadonlyMap<number, ThreadName>,
): HotLoop {
  const [first = 0] = frames;
  const last = frames.at(-1) ?? first;
  const [utid = 0] = utids;
  const { process = null, pid = null, services = null } = threads.get(utid) ?? {};
  const hottest = frames
    .map((frame) => ({ label: addressName(calls, frame), samples: counts.get(frame) ?? 0 }))
    .sort((a, b) => b.samples - a.samples)
    .slice(0, ADDRESSES_MAX);
  return {
    ...{ process, pid, services },
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
