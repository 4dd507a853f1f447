import { numberAt, textAt, type Tables } from '../../tables/index.ts';
import { instantsOf, visitOverlaps } from './overlaps.ts';
import type { Wait } from './wait.ts';

/** A wait, and how it began. */
export interface BegunWait extends Pick<Wait, 'ts' | 'te' | 'utid' | 'cpu'> {
  /** A ready event began it; else the thread was put aside. */
  readonly is_wake: boolean;
}

/** What came before a wait, and how the CPU that took the thread stood. */
export interface BeforeWait {
  /** When the thread last left a CPU; null where that was not recorded. */
  readonly last_switch_out_ts: number | null;
  /** How long it was blocked since, in ns; 0 for a thread that was put aside. */
  readonly blocked_ns: number | null;
  /** Why it left; null where that was not recorded. */
  readonly wait_reason: string | null;
  /** Priority increment of the ready event; null for a thread that was put aside, and for a wait that did not end. */
  readonly ready_increment: number | null;
  /** The CPU that took it was idle until then. */
  readonly took_idle_cpu: boolean;
  /** C-state of the idle spell that the switch-in ended; null if there was none, or it was not recorded. */
  readonly c_state: number | null;
}

/** What came before some waits. Reads when threads left CPUs from the beginning up to the last of the waits. */
export async function beforeWaits(tables: Tables, waits: readonly BegunWait[]): Promise<BeforeWait[]> {
  const left = await lastSwitchOuts(tables, waits);
  const ends = await switchIns(tables, waits);
  return waits.map(({ ts, is_wake }, index) => {
    const { te = null, wait_reason = null } = left[index] ?? {};
    const { took_idle_cpu = false, c_state = null, ready_increment = null } = ends[index] ?? {};
    const last_switch_out_ts = is_wake ? te : ts;
    return {
      last_switch_out_ts,
      blocked_ns: last_switch_out_ts === null ? null : ts - last_switch_out_ts,
      wait_reason,
      ready_increment: is_wake ? ready_increment : null,
      took_idle_cpu,
      c_state,
    };
  });
}

/** The end of a run. */
interface SwitchOut {
  readonly te: number;
  readonly wait_reason: string | null;
}

/** The ends of the runs before waits, where the thread then waited or it is not recorded what it did. */
async function lastSwitchOuts(
  tables: Tables,
  waits: readonly BegunWait[],
): Promise<(SwitchOut | undefined)[]> {
  const found = new Array<SwitchOut | undefined>(waits.length);
  const { next, ofThread } = byThread(waits);
  const end = waits.reduce((last, { ts }) => Math.max(last, ts), 0) + 1;
  const names = ['te', 'utid', 'ended', 'switch_out_state', 'switch_out_wait_reason'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_run', names, { start: 0, end })) {
    const [tes, utids] = [columns.te.values, columns.utid.values];
    for (let row = 0; row < rowCount; row++) {
      let wait = ofThread[utids[row] ?? 0] ?? NONE;
      if (wait === NONE) continue;
      const te = tes[row] ?? 0;
      // Rows come in the order of their ends, as do the waits of a thread.
      while (wait !== NONE && (waits[wait]?.ts ?? 0) < te) wait = next[wait] ?? NONE;
      ofThread[utids[row] ?? 0] = wait;
      const of = waits[wait];
      if (of === undefined) continue;
      const state = textAt(columns.switch_out_state, row);
      const hasWaited = state === null ? columns.ended.values[row] === 1 : state === 'Waiting';
      const wait_reason = textAt(columns.switch_out_wait_reason, row);
      found[wait] = (of.is_wake ? hasWaited : te === of.ts) ? { te, wait_reason } : undefined;
    }
  }
  return found;
}

const NONE = -1;

/** The first wait of each thread, and after each wait the next one of its thread. */
function byThread(waits: readonly BegunWait[]): { readonly ofThread: Int32Array; readonly next: Int32Array } {
  const last = waits.reduce((most, { utid }) => Math.max(most, utid), 0);
  const ofThread = new Int32Array(last + 1).fill(NONE);
  const next = new Int32Array(waits.length).fill(NONE);
  const latestFirst = waits.map(({ ts }, index) => ({ ts, index })).sort((a, b) => b.ts - a.ts);
  for (const { index } of latestFirst) {
    const utid = waits[index]?.utid ?? 0;
    next[index] = ofThread[utid] ?? NONE;
    ofThread[utid] = index;
  }
  return { ofThread, next };
}

type SwitchIn = Pick<BeforeWait, 'took_idle_cpu' | 'c_state' | 'ready_increment'>;

/** What the runs tell that end or begin where waits end. */
async function switchIns(tables: Tables, waits: readonly BegunWait[]): Promise<SwitchIn[]> {
  const { spans, order } = instantsOf(
    Float64Array.from([...waits.map(({ te }) => te - 1), ...waits.map(({ te }) => te)]),
  );
  const found = waits.map(() => ({
    took_idle_cpu: false,
    c_state: null as number | null,
    ready_increment: null as number | null,
  }));
  const columns = ['cpu', 'utid', 'previous_c_state', 'ready_increment'] as const;
  await visitOverlaps(tables, 'etw_run', columns, spans, (span, ts, te, row, run) => {
    const index = (order[span] ?? 0) % waits.length;
    const [wait, of] = [waits[index], found[index]];
    if (wait === undefined || of === undefined || run.cpu.values[row] !== wait.cpu) return;
    const utid = run.utid.values[row];
    if (utid === 0 && te === wait.te) of.took_idle_cpu = true;
    if (utid !== wait.utid || ts !== wait.te) return;
    of.c_state = numberAt(run.previous_c_state, row);
    of.ready_increment = numberAt(run.ready_increment, row);
  });
  return found;
}
