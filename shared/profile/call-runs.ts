import type { Calls, SampleKind, Samples } from '../samples/index.ts';

/**
 * The tree of calls, shortened: a run is calls of which each makes the next and nothing else, and in which no sample ends before
 * the last, so that all of them have the same samples. Their callsites count up. A run comes after its caller.
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

/** Samples in the order of the runs that they end in, so that whoever sums them goes through memory in its order. */
export interface RunSamples {
  readonly count: number;
  readonly ts: Float64Array;
  readonly run: Int32Array;
  /** An index of `kinds`. */
  readonly kind: Int32Array;
  readonly kinds: readonly SampleKind[];
}

/** The sampled profile by runs. */
export interface Profile {
  readonly runs: CallRuns;
  readonly samples: RunSamples;
}

const kept = new WeakMap<Samples, Profile>();

/** The profile of all samples of a recording; made once for them. */
export function profileOf(samples: Samples, calls: Calls): Profile {
  const before = kept.get(samples);
  if (before !== undefined) return before;
  const { runs, runOf } = findRuns(samples, calls);
  const profile = { runs, samples: inRunOrder(samples, runs.count, runOf) };
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
    lastFrame[run] = frame[at] ?? 0;
  }
  first[count] = runOf.length;
  return { runs: { count, first, caller: callerRun, frame: lastFrame }, runOf };
}

function inRunOrder(samples: Samples, runs: number, runOf: Int32Array): RunSamples {
  const { count, kinds } = samples;
  const next = new Int32Array(runs + 1);
  for (let row = 0; row < count; row++) {
    const after = (runOf[samples.callsite[row] ?? 0] ?? 0) + 1;
    next[after] = (next[after] ?? 0) + 1;
  }
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0);
  const [ts, run, kind] = [new Float64Array(count), new Int32Array(count), new Int32Array(count)];
  for (let row = 0; row < count; row++) {
    const of = runOf[samples.callsite[row] ?? 0] ?? 0;
    const to = next[of] ?? 0;
    next[of] = to + 1;
    ts[to] = samples.ts[row] ?? 0;
    run[to] = of;
    kind[to] = samples.kind[row] ?? 0;
  }
  return { count, ts, run, kind, kinds };
}
