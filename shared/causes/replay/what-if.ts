import { keepLast, type Query } from '../../engine/index.ts';
import type { Stretch } from '../../tables/index.ts';
import { withPriority, withRank } from './claim.ts';
import { driverTime } from './driver-time.ts';
import { burstsIn, burstsOf, NO_BURST, readRunsAndWaits, type Readings, type Recorded } from './recorded.ts';
import { replay } from './queues.ts';

/** One change of a machine. */
export type Change =
  | { readonly kind: 'rank'; readonly utids: ReadonlySet<number>; readonly rank: number }
  | { readonly kind: 'priority'; readonly utids: ReadonlySet<number>; readonly priority: number }
  | { readonly kind: 'cpus'; readonly more: number }
  | { readonly kind: 'gone'; readonly utids: ReadonlySet<number> }
  /** DPCs and interrupts of an image take this part of their time. */
  | { readonly kind: 'driver'; readonly driver: string; readonly part: number };

/** How long threads would have been ready without running. Times in ns, of the same bursts each. */
export interface WhatIf {
  readonly bursts: number;
  /** CPU time of these bursts. */
  readonly ran_ns: number;
  readonly recorded_ns: number;
  /** What the replay gives without a change: how far it reproduces the recording. */
  readonly replayed_ns: number;
  readonly estimate_ns: number;
  /** The estimate is off by about so much. */
  readonly error_ns: number;
}

/** Deviations of a sum of independent waits that the error allows for. */
const CHANCE = 2;

/** What the replay takes for granted. */
export const ASSUMPTIONS: readonly string[] = [
  'Each thread runs for as long as it ran, wakes the same threads after the same CPU time, and sleeps or waits for devices as long.',
  'Threads may use every CPU; caches, affinities, and changes of priority within a burst are left out. Interrupts are part of the run that they interrupt.',
  'Threads of one rank and priority take turns of 31.25 ms.',
];

/** Runs the ready queues of a stretch of time again with a change, and says how long the threads would have been ready. */
export async function whatIf(
  query: Query,
  stretch: Stretch,
  cpuCount: number,
  change: Change,
  asked: ReadonlySet<number>,
): Promise<WhatIf> {
  return (await readMachine(query, stretch, cpuCount)).whatIf(change, asked);
}

/** A machine whose ready queues can be run again, each time with another change. */
export interface ReplayedMachine {
  /** The CPU time of each thread. */
  readonly ran_ns: ReadonlyMap<number, number>;
  /** How long threads would have been ready with a change. */
  whatIf(change: Change, asked: ReadonlySet<number>): Promise<WhatIf>;
}

const keepMachine = keepLast<ReplayedMachine>();

/** Reads what a machine did in a stretch of time, to run its ready queues again; that of the last stretch is kept. */
export function readMachine(query: Query, stretch: Stretch, cpuCount: number): Promise<ReplayedMachine> {
  const key = `${stretch.start} ${stretch.end} ${cpuCount}`;
  return keepMachine(query, key, () => makeMachine(query, stretch, cpuCount));
}

async function makeMachine(query: Query, stretch: Stretch, cpuCount: number): Promise<ReplayedMachine> {
  const read = await readRunsAndWaits(query, stretch);
  const recorded = burstsIn(read);
  const before = replay(recorded, cpuCount);
  const ran_ns = new Map(recorded.utids.map((utid, thread) => [utid, recorded.all_ns[thread] ?? 0]));
  return {
    ran_ns,
    async whatIf(change, asked) {
      const changed = await alteredBursts(query, read, change, recorded);
      const cpus = cpuCount + (change.kind === 'cpus' ? change.more : 0);
      const after = replay({ ...changed, claims: changedClaims(changed, change) }, cpus);
      return difference({ recorded, ready_ns: before }, { recorded: changed, ready_ns: after }, asked);
    },
  };
}

/** The claims of the bursts with a change of the rank or priority of threads: there are millions of bursts, and a change is of few threads. */
function changedClaims(recorded: Recorded, change: Change): Int32Array {
  if (change.kind !== 'rank' && change.kind !== 'priority') return recorded.claims;
  const claims = recorded.claims.slice();
  recorded.utids.forEach((utid, thread) => {
    if (!change.utids.has(utid)) return;
    for (const burst of burstsOf(recorded, thread)) {
      const claim = claims[burst] ?? 0;
      claims[burst] =
        change.kind === 'rank' ? withRank(claim, change.rank) : withPriority(claim, change.priority);
    }
  });
  return claims;
}

/** The bursts with a change that alters these. */
async function alteredBursts(
  query: Query,
  read: Readings,
  change: Change,
  recorded: Recorded,
): Promise<Recorded> {
  if (change.kind === 'gone') return burstsIn(read, { gone: change.utids });
  if (change.kind !== 'driver') return recorded;
  const timeOf = await driverTime(query, read.stretch, change.driver);
  return burstsIn(read, { lessIn: (cpu, ts, te) => (1 - change.part) * timeOf(cpu, ts, te) });
}

/** A replay: by burst how long its thread was ready. */
interface Replayed {
  readonly recorded: Recorded;
  readonly ready_ns: Float64Array;
}

function difference(before: Replayed, after: Replayed, asked: ReadonlySet<number>): WhatIf {
  const { recorded } = before;
  const changedThreads = new Map(after.recorded.utids.map((utid, thread) => [utid, thread]));
  let [bursts, ran_ns, recorded_ns, replayed_ns, changed_ns, squares] = [0, 0, 0, 0, 0, 0];
  recorded.utids.forEach((utid, thread) => {
    const changed = changedThreads.get(utid);
    if (!asked.has(utid) || changed === undefined) return;
    let other = after.recorded.firsts[changed] ?? NO_BURST;
    for (const burst of burstsOf(recorded, thread)) {
      const first_ns = before.ready_ns[burst] ?? NaN;
      const second_ns = after.ready_ns[other] ?? NaN;
      other = after.recorded.nexts[other] ?? NO_BURST;
      // Bursts end in their order: none after it did.
      if (Number.isNaN(first_ns) || Number.isNaN(second_ns)) break;
      bursts++;
      ran_ns += recorded.ran_ns[burst] ?? 0;
      recorded_ns += recorded.ready_ns[burst] ?? 0;
      replayed_ns += first_ns;
      changed_ns += second_ns;
      // A wait that the change leaves as it is is as long as it was recorded, not by chance.
      squares += Math.min(second_ns, Math.abs(second_ns - first_ns)) ** 2;
    }
  });
  const scale = replayed_ns > 0 ? recorded_ns / replayed_ns : 1;
  const off = recorded_ns > 0 ? Math.abs(replayed_ns / recorded_ns - 1) : 0;
  return {
    ...{ bursts, ran_ns, recorded_ns, replayed_ns },
    estimate_ns: changed_ns * scale,
    error_ns: off * Math.max(changed_ns * scale, recorded_ns) + CHANCE * scale * Math.sqrt(squares),
  };
}
