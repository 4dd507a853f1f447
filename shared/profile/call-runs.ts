import type { Calls, SampleKind, Samples } from '../samples/index.ts';

/**
 * The tree of calls, shortened. A run is a chain of calls: each call makes the next one and nothing else. No sample ends before the
 * last call, so that all calls of a run have the same samples. Their callsites count up. A run comes after its caller.
 */
export interface CallRuns {
  readonly count: number;
  /** The first callsite of each run, and at the end how many callsites there are: the next run begins after the last of one. */
  readonly first: Int32Array;
  /** The run that called it, −1 for none. */
  readonly caller: Int32Array;
  /** The frame of its last call. */
  readonly frame: Int32Array;
}

/** Samples by kind, those of a kind in the order of time: what filters let through of a range are pieces of these. */
export interface KindSamples {
  readonly count: number;
  readonly ts: Float64Array;
  /** The run that each ends in. */
  readonly run: Int32Array;
  readonly kinds: readonly SampleKind[];
  /** The first sample of each kind, and at the end how many samples there are. */
  readonly first: Int32Array;
}

/** The sampled profile by runs. */
export interface Profile {
  readonly runs: CallRuns;
  readonly samples: KindSamples;
}

const kept = new WeakMap<Samples, Profile>();

/** The profile of all samples of a recording; made once for them. */
export function profileOf(samples: Samples, calls: Calls): Profile {
  const before = kept.get(samples);
  if (before !== undefined) return before;
  const { runs, runOf } = findRuns(samples, calls);
  const profile = { runs, samples: byKind(samples, runOf) };
  kept.set(samples, profile);
  return profile;
}

/** The runs, and the run of each callsite. */
function findRuns(
  { count: sampleCount, callsite }: Samples,
  { caller, frame }: Calls,
): { runs: CallRuns; runOf: Int32Array } {
  const isLast = new Uint8Array(caller.length);
  for (let row = 0; row < sampleCount; row++) isLast[callsite[row] ?? 0] = 1;
  for (let at = 0; at < caller.length; at++) {
    const from = caller[at] ?? -1;
    if (from === at - 1 && from >= 0) continue;
    if (from >= 0) isLast[from] = 1;
    if (at > 0) isLast[at - 1] = 1;
  }
  let count = Math.min(1, caller.length);
  for (let at = 1; at < caller.length; at++) count += isLast[at - 1] ?? 0;
  const [first, callerRun, lastFrame] = [
    new Int32Array(count + 1),
    new Int32Array(count),
    new Int32Array(count),
  ];
  const runOf = new Int32Array(caller.length);
  let run = -1;
  for (let at = 0; at < runOf.length; at++) {
    if (at === 0 || isLast[at - 1] === 1) {
      first[++run] = at;
      const from = caller[at] ?? -1;
      callerRun[run] = from < 0 ? -1 : (runOf[from] ?? -1);
    }
    runOf[at] = run;
  }
  first[count] = runOf.length;
  for (let at = 0; at < count; at++) lastFrame[at] = frame[(first[at + 1] ?? 0) - 1] ?? 0;
  return { runs: { count, first, caller: callerRun, frame: lastFrame }, runOf };
}

function byKind({ count, ts, callsite, kind, kinds }: Samples, runOf: Int32Array): KindSamples {
  const first = new Int32Array(kinds.length + 1);
  for (let row = 0; row < count; row++) {
    const after = ((kind[row] ?? 0) + 1) | 0;
    first[after] = (first[after] ?? 0) + 1;
  }
  for (let at = 1; at < first.length; at++) first[at] = (first[at] ?? 0) + (first[at - 1] ?? 0);
  const next = first.slice();
  const [sortedTs, run] = [new Float64Array(count), new Int32Array(count)];
  for (let row = 0; row < count; row++) {
    const of = kind[row] ?? 0;
    const to = next[of] ?? 0;
    next[of] = to + 1;
    sortedTs[to] = ts[row] ?? 0;
    run[to] = runOf[callsite[row] ?? 0] ?? 0;
  }
  return { count, ts: sortedTs, run, kinds, first };
}
