import { oncePerTrace, toNumber, type Query } from '../../engine/index.ts';
import type { Held } from '../why.ts';
import affinitiesSql from './affinities.sql';
import cpusSql from './cpus.sql';
import holdsSql from './holds.sql';
import { wasSwappedOut, type Wait } from './wait.ts';

/** A stretch of trace time in ns; `te` is outside. */
interface Span {
  readonly ts: number;
  readonly te: number;
}

/** When a thread could not run, whatever the CPUs did. */
export interface Hold extends Span {
  readonly why: Held;
}

/** When a thread could run on some CPUs only. */
export interface Bound extends Span {
  readonly cpus: ReadonlySet<number>;
}

/** The CPUs of a trace, its clock, and what keeps threads from CPUs whatever runs there. */
export interface Machine {
  readonly start_ts: number;
  readonly end_ts: number;
  readonly cpu_count: number;
  /** Of each CPU, since when it is not known for the first time what it ran after a switch; infinite where that is always known. */
  readonly unknown_ts: Float64Array;
  /** A tick of the clock. */
  readonly tick_ns: number;
  /** Whether a thread may have been frozen, or bound to some CPUs, or the machine slept meanwhile. */
  isKeptBack(utid: number, ts: number, te: number): boolean;
  /** When the thread of a wait could not run at all. They may reach over the wait's ends. */
  holdsOf(wait: Wait): Hold[];
  /** When it could run on some CPUs only. They may reach over the wait's ends. */
  boundsOf(wait: Wait): Bound[];
}

/** Asks what the order of the scheduler does not tell. `outline` need not know scheduling. */
export const loadMachine = oncePerTrace(async (outline: Query): Promise<Machine> => {
  const [ofCpus, holds, affinities] = await Promise.all([
    outline(cpusSql),
    outline(holdsSql),
    outline(affinitiesSql),
  ]);
  const cpus = [...ofCpus.rows()];
  const asleep: Hold[] = [];
  const frozen = new Map<number, Hold[]>();
  for (const { why, utid, ts, te } of holds.rows()) {
    const hold = { why: why as Held, ts: Number(ts), te: Number(te) };
    if (utid === null) asleep.push(hold);
    else listOf(frozen, Number(utid)).push(hold);
  }
  const bounds = new Map<number, Bound[]>();
  const sets = new Map<string, ReadonlySet<number>>();
  for (const { utid, ts, te, cpus } of affinities.rows()) {
    const set = sets.get(String(cpus)) ?? new Set(JSON.parse(String(cpus)) as number[]);
    sets.set(String(cpus), set);
    if (utid !== null) listOf(bounds, Number(utid)).push({ ts: Number(ts), te: Number(te), cpus: set });
  }
  return {
    start_ts: toNumber(cpus[0]?.start_ts) ?? 0,
    end_ts: toNumber(cpus[0]?.end_ts) ?? 0,
    cpu_count: cpus.length,
    unknown_ts: Float64Array.from(cpus, ({ unknown_ts }) => toNumber(unknown_ts) ?? Infinity),
    tick_ns: toNumber(cpus[0]?.tick_ns) ?? 0,
    isKeptBack: (utid, ts, te) =>
      frozen.has(utid) || bounds.has(utid) || asleep.some((hold) => hold.ts < te && hold.te > ts),
    holdsOf: (wait) => [
      ...within(wait, asleep),
      ...within(wait, frozen.get(wait.utid) ?? []),
      ...swappedOut(wait),
    ],
    boundsOf: (wait) => within(wait, bounds.get(wait.utid) ?? []).filter((bound) => isTrue(bound, wait)),
  };
});

function listOf<T>(lists: Map<number, T[]>, key: number): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function within<S extends Span>({ ts, te }: Wait, spans: readonly S[]): S[] {
  return spans.filter((span) => span.ts < te && span.te > ts);
}

/** Until the last of several ready events; of one alone nothing tells until when. */
function swappedOut(wait: Wait): Hold[] {
  const { ts, last_ready_ts } = wait;
  if (last_ready_ts === null || !wasSwappedOut(wait)) return [];
  return [{ why: 'swapped_out', ts, te: last_ready_ts }];
}

/** Not where another CPU then took the thread. */
function isTrue({ te, cpus }: Bound, wait: Wait): boolean {
  return wait.cpu === null || te <= wait.te || cpus.has(wait.cpu);
}
