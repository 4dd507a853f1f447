import { frameName, type Calls, type Samples } from '../../shared/samples/index.ts';
import { threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { RecurringStack, RunawayModel, ThreadLine } from './model.ts';
import { stackKeys } from './same-stack.ts';

/**
 * CPU time of threads over time as columns, rising in `te`: what each ran up to there since its row before. Rows of a thread
 * at one time are one.
 */
export interface Ran {
  readonly te: Float64Array;
  readonly utid: Int32Array;
  readonly ran_ns: Float64Array;
}

/** Threads in the model at most. */
const THREADS_MAX = 200;
/** Frames of a recurring stack at most, from the innermost on. */
const FRAMES_MAX = 64;
/** Points of a line that is made from samples at most. */
const POINTS_MAX = 512;

/** What samples say about one thread. */
interface Sampled {
  user: number;
  kernel: number;
  readonly stacks: Map<number, number>;
}

/**
 * The threads with most CPU time, and how that of the first `top` grew from `start_ns` on. `countedOf` has what hardware counters
 * counted in a thread's runs.
 */
export function sumThreads(
  ran: Ran,
  samples: Samples,
  calls: Calls,
  threads: ReadonlyMap<number, ThreadName>,
  countedOf: (utid: number) => readonly (number | null)[],
  start_ns: number,
  { process, top }: { readonly process: string; readonly top: number },
): Pick<RunawayModel, 'threads' | 'thread_count' | 'lines'> {
  const sampled = sumSamples(samples);
  const wanted = sumRan(ran)
    .filter(([utid]) => (threads.get(utid)?.process ?? '').toLowerCase().includes(process.toLowerCase()))
    .sort(([, a], [, b]) => b - a);
  const largest = wanted.slice(0, THREADS_MAX);
  const drawn = largest.slice(0, top).map(([utid]) => utid);
  return {
    thread_count: wanted.length,
    threads: largest.map(([utid, ran_ns]) => {
      const { user = 0, kernel = 0, stacks } = sampled.get(utid) ?? {};
      const count = user + kernel;
      return {
        label: threadLabel(threads.get(utid)),
        tid: threads.get(utid)?.tid ?? null,
        ran_ns,
        samples: count,
        user: count === 0 ? null : user / count,
        kernel: count === 0 ? null : kernel / count,
        stack: stacks === undefined ? null : recurring(stacks, calls),
        counted: countedOf(utid),
      };
    }),
    lines: linesOf(drawn, ran, start_ns).map((line, at) => ({
      label: threadLabel(threads.get(drawn[at] ?? 0)),
      ...line,
    })),
  };
}

/** The CPU time of each thread that has any row: in the order of their first ones, by utid at one time. */
function sumRan({ te, utid, ran_ns }: Ran): [utid: number, ran_ns: number][] {
  const sums: number[] = [];
  const firstAt = new Map<number, number>();
  for (let row = 0; row < utid.length; row++) {
    const of = utid[row] ?? 0;
    const before = sums[of];
    if (before === undefined) firstAt.set(of, te[row] ?? 0);
    sums[of] = (before ?? 0) + (ran_ns[row] ?? 0);
  }
  return [...firstAt].sort(([a, a_te], [b, b_te]) => a_te - b_te || a - b).map(([of]) => [of, sums[of] ?? 0]);
}

/** CPU time as the samples tell it, DPCs and ISRs left out. */
export function ranBySamples({ count, ts, kind, kinds }: Samples): Ran {
  const ran = { te: new Float64Array(count), utid: new Int32Array(count), ran_ns: new Float64Array(count) };
  let filled = 0;
  for (let row = 0; row < count; row++) {
    const known = kinds[kind[row] ?? 0];
    if (known?.mode !== 'user' && known?.mode !== 'kernel') continue;
    ran.te[filled] = ts[row] ?? 0;
    ran.utid[filled] = known.utid;
    ran.ran_ns[filled] = known.weight_ns;
    filled++;
  }
  return {
    te: ran.te.subarray(0, filled),
    utid: ran.utid.subarray(0, filled),
    ran_ns: ran.ran_ns.subarray(0, filled),
  };
}

function sumSamples({ count, callsite, kind, kinds }: Samples): ReadonlyMap<number, Sampled> {
  const sampled = new Map<number, Sampled>();
  for (let row = 0; row < count; row++) {
    const known = kinds[kind[row] ?? 0];
    if (known?.mode !== 'user' && known?.mode !== 'kernel') continue;
    let of = sampled.get(known.utid);
    if (of === undefined) sampled.set(known.utid, (of = { user: 0, kernel: 0, stacks: new Map() }));
    of[known.mode]++;
    const place = callsite[row] ?? 0;
    of.stacks.set(place, (of.stacks.get(place) ?? 0) + 1);
  }
  return sampled;
}

/** The stack that most samples have, place by place; its frames are those of the most frequent one there. */
function recurring(stacks: ReadonlyMap<number, number>, calls: Calls): RecurringStack | null {
  const keys = stackKeys(calls);
  const sums = new Map<number, { samples: number; callsite: number; most: number }>();
  for (const [callsite, count] of stacks) {
    const key = keys[callsite] ?? 0;
    const sum = sums.get(key);
    if (sum === undefined) {
      sums.set(key, { samples: count, callsite, most: count });
      continue;
    }
    sum.samples += count;
    if (count > sum.most) [sum.callsite, sum.most] = [callsite, count];
  }
  let best = { samples: 0, callsite: -1 };
  for (const sum of sums.values()) if (sum.samples > best.samples) best = sum;
  if (best.callsite === -1) return null;
  const frames: string[] = [];
  for (let at = best.callsite; at >= 0 && frames.length < FRAMES_MAX; at = calls.caller[at] ?? -1) {
    frames.push(frameName(calls, calls.frame[at] ?? 0));
  }
  return { samples: best.samples, frames };
}

/** How the CPU time of each of these threads grew. */
function linesOf(
  utids: readonly number[],
  ran: Ran,
  start_ns: number,
): readonly Pick<ThreadLine, 'ts' | 'ran_ns'>[] {
  const lines = utids.map(() => ({ te: new Array<number>(), ran_ns: new Array<number>() }));
  const indices: number[] = [];
  utids.forEach((utid, index) => (indices[utid] = index));
  for (let row = 0; row < ran.utid.length; row++) {
    const index = indices[ran.utid[row] ?? 0];
    const line = index === undefined ? undefined : lines[index];
    if (line === undefined) continue;
    const te = ran.te[row] ?? 0;
    const last = line.te.length - 1;
    if (line.te[last] === te) line.ran_ns[last] = (line.ran_ns[last] ?? 0) + (ran.ran_ns[row] ?? 0);
    else {
      line.te.push(te);
      line.ran_ns.push(ran.ran_ns[row] ?? 0);
    }
  }
  return lines.map((line) => thinned(line, start_ns));
}

function thinned(
  line: { readonly te: readonly number[]; readonly ran_ns: readonly number[] },
  start_ns: number,
): Pick<ThreadLine, 'ts' | 'ran_ns'> {
  const every = Math.ceil(line.te.length / POINTS_MAX);
  const [ts, ran_ns] = [[start_ns], [0]];
  let sum = 0;
  line.te.forEach((te, index) => {
    sum += line.ran_ns[index] ?? 0;
    if ((index + 1) % every !== 0 && index !== line.te.length - 1) return;
    ts.push(te);
    ran_ns.push(sum);
  });
  return { ts, ran_ns };
}
