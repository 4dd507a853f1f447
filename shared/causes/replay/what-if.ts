import type { Query } from '../../engine/index.ts';
import type { Stretch } from '../../tables/index.ts';
import { driverTime } from './driver-time.ts';
import { burstsIn, readRunsAndWaits, type Burst, type Readings, type Recorded } from './recorded.ts';
import { replay, type Claim, type Replayed } from './queues.ts';

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

/** Reads what a machine did in a stretch of time, to run its ready queues again. */
export async function readMachine(
  query: Query,
  stretch: Stretch,
  cpuCount: number,
): Promise<ReplayedMachine> {
  const read = await readRunsAndWaits(query, stretch);
  const recorded = burstsIn(read);
  const before = replay(recorded, cpuCount, (_, burst) => burst);
  const ran_ns = new Map(
    [...recorded.threads].map(([utid, bursts]) => [
      utid,
      bursts.reduce((sum, burst) => sum + burst.ran_ns, 0),
    ]),
  );
  return {
    ran_ns,
    async whatIf(change, asked) {
      const changed = await alteredBursts(query, read, change, recorded);
      const cpus = cpuCount + (change.kind === 'cpus' ? change.more : 0);
      const claimOf = (utid: number, burst: Burst): Claim => {
        if (change.kind === 'rank' && change.utids.has(utid))
          return { rank: change.rank, priority: burst.priority };
        if (change.kind === 'priority' && change.utids.has(utid))
          return { rank: burst.rank, priority: change.priority };
        return burst;
      };
      return difference(recorded, before, replay(changed, cpus, claimOf), asked);
    },
  };
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

function difference(
  recorded: Recorded,
  before: ReadonlyMap<number, Replayed>,
  after: ReadonlyMap<number, Replayed>,
  asked: ReadonlySet<number>,
): WhatIf {
  let [bursts, ran_ns, recorded_ns, replayed_ns, changed_ns, squares] = [0, 0, 0, 0, 0, 0];
  for (const utid of asked) {
    const own = recorded.threads.get(utid) ?? [];
    const [first, second] = [readyOf(before, utid), readyOf(after, utid)];
    const count = Math.min(own.length, first.length, second.length);
    for (let at = 0; at < count; at++) {
      bursts++;
      ran_ns += own[at]?.ran_ns ?? 0;
      recorded_ns += own[at]?.ready_ns ?? 0;
      replayed_ns += first[at] ?? 0;
      changed_ns += second[at] ?? 0;
      squares += (second[at] ?? 0) ** 2;
    }
  }
  const scale = replayed_ns > 0 ? recorded_ns / replayed_ns : 1;
  const off = recorded_ns > 0 ? Math.abs(replayed_ns / recorded_ns - 1) : 0;
  return {
    ...{ bursts, ran_ns, recorded_ns, replayed_ns },
    estimate_ns: changed_ns * scale,
    error_ns: off * Math.max(changed_ns * scale, recorded_ns) + CHANCE * scale * Math.sqrt(squares),
  };
}

function readyOf(replayed: ReadonlyMap<number, Replayed>, utid: number): readonly number[] {
  return replayed.get(utid)?.ready_ns ?? [];
}
