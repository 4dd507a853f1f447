import { numberAt, textAt, visitRowsEnding, visitRowsFrom, type Tables } from '../../tables/index.ts';
import type { Wait } from './wait.ts';

/** A wait, and how it began. */
export interface BegunWait extends Pick<Wait, 'ts' | 'te' | 'utid' | 'cpu'> {
  /** A ready event began it; else the thread was put aside. */
  readonly is_wake: boolean;
  /** When the thread last left a CPU; null where that was not recorded. */
  readonly last_switch_out_ts: number | null;
}

/** What came before a wait, and how the CPU that took the thread stood. */
export interface BeforeWait {
  /** Why the thread last left a CPU; null where that was not recorded. */
  readonly wait_reason: string | null;
  /** Priority increment of the ready event; null for a thread that was put aside, and for a wait that did not end. */
  readonly ready_increment: number | null;
  /** The CPU that took it was idle until then. */
  readonly took_idle_cpu: boolean;
  /** C-state of the idle spell that the switch-in ended; null if there was none, or it was not recorded. */
  readonly c_state: number | null;
}

/** Why the threads of some waits last left a CPU, by the runs that end where they did; null where that was not recorded. */
export async function reasonsBefore(
  tables: Tables,
  waits: readonly Pick<BegunWait, 'utid' | 'last_switch_out_ts'>[],
): Promise<(string | null)[]> {
  const reasons = waits.map((): string | null => null);
  const byEnd = byLastSwitchOut(waits);
  const times = Float64Array.from(byEnd.keys()).sort();
  const columns = ['ts', 'utid', 'switch_out_wait_reason'] as const;
  await visitRowsEnding(tables, 'etw_run', columns, times, ({ columns: run }, row) => {
    const te = run.te.values[row] ?? 0;
    // A run of no length is none that a wait comes after.
    if (run.ts.values[row] === te) return;
    for (const index of byEnd.get(te) ?? [])
      if (waits[index]?.utid === run.utid.values[row])
        reasons[index] = textAt(run.switch_out_wait_reason, row);
  });
  return reasons;
}

/** The places of waits by when their threads last left a CPU. */
function byLastSwitchOut(
  waits: readonly Pick<BegunWait, 'last_switch_out_ts'>[],
): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>();
  waits.forEach(({ last_switch_out_ts: te }, index) => {
    if (te === null) return;
    const same = places.get(te);
    if (same === undefined) places.set(te, [index]);
    else same.push(index);
  });
  return places;
}

/**
 * The reasons that {@link reasonsBefore} may give for each of some waits, in one text, which may have more. Reads half as much, to
 * find the few of thousands of waits that are worth a look.
 */
export async function toldReasons(
  tables: Tables,
  waits: readonly Pick<BegunWait, 'utid' | 'last_switch_out_ts'>[],
): Promise<string[]> {
  const reasons = waits.map(() => '');
  const byEnd = byLastSwitchOut(waits);
  const times = Float64Array.from(byEnd.keys()).sort();
  const columns = ['utid', 'switch_out_wait_reason'] as const;
  await visitRowsEnding(tables, 'etw_run', columns, times, ({ columns: run }, row) => {
    for (const index of byEnd.get(run.te.values[row] ?? 0) ?? []) {
      if (waits[index]?.utid !== run.utid.values[row]) continue;
      const reason = textAt(run.switch_out_wait_reason, row);
      if (reason !== null) reasons[index] = `${reasons[index] ?? ''}${reason}\n`;
    }
  });
  return reasons;
}

/** What came before some waits, by the runs that end or begin where they do. */
export async function beforeWaits(tables: Tables, waits: readonly BegunWait[]): Promise<BeforeWait[]> {
  const reasons = await reasonsBefore(tables, waits);
  const found = reasons.map((wait_reason): { -readonly [K in keyof BeforeWait]: BeforeWait[K] } => ({
    wait_reason,
    ready_increment: null,
    took_idle_cpu: false,
    c_state: null,
  }));
  const ended = waits
    .flatMap((wait, index) => (wait.cpu === null ? [] : [{ wait, of: found[index] }]))
    .sort((a, b) => a.wait.te - b.wait.te);
  const times = Float64Array.from(ended, ({ wait }) => wait.te);
  const columns = ['ts', 'cpu', 'utid', 'previous_c_state', 'ready_increment'] as const;
  await visitRowsFrom(tables, 'etw_run', columns, times, (at, { columns: run }, row) => {
    const { wait, of } = ended[at] ?? {};
    if (wait === undefined || of === undefined) return false;
    const ts = run.ts.values[row] ?? 0;
    const te = run.te.values[row] ?? 0;
    if (run.cpu.values[row] !== wait.cpu || ts === te) return true;
    const utid = run.utid.values[row];
    if (te === wait.te && utid === 0) of.took_idle_cpu = true;
    // The first run of the CPU that begins then or later: before it, others end.
    if (ts < wait.te) return true;
    if (ts === wait.te && utid === wait.utid) {
      of.c_state = numberAt(run.previous_c_state, row);
      of.ready_increment = wait.is_wake ? numberAt(run.ready_increment, row) : null;
    }
    return false;
  });
  return found;
}
