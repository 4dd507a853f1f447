import type { Query } from '../engine/index.ts';
import { dataOf, numberAt, textAt, type ReadHow, type Stretch, type Tables } from '../tables/index.ts';
import {
  loadCpuRecord,
  judgedRanksOf,
  loadMachine,
  NONE_JUDGED,
  type CpuRecord,
  type JudgedRanks,
  type Machine,
} from '../why-late/columns/index.ts';
import type { Delay, Part, Partition } from './delay.ts';
import { loadHistory, loadInterrupts, waitAt, type History } from './history.ts';
import type { Owner } from './owner.ts';
import { AROUND_NS, splitReady, type JudgedBy } from './ready-parts.ts';
import { firstWhere } from './rows.ts';
import { merged, type Span } from './stretches.ts';
import { loadIos, wakeSource, type Ios, type WakeSource } from './wake-source.ts';
import { walkBack, type Step, type Surroundings, type Wake } from './walk.ts';

/**
 * Divides a delay: each ns of it has one owner. Throws a `RangeError` for a delay that does not lie in the recording or ends before
 * it begins.
 */
export async function partition(query: Query, delay: Delay): Promise<Partition> {
  const window = windowOf(delay);
  const machine = await machineOf(query, [delay]);
  const history = await readHistory(query, window);
  return divide(await read(query, machine, history, () => readIos(query, window)), delay);
}

/** Divides delays as {@link partition} does, in their order. What several of them need is read once. */
export async function partitions(query: Query, delays: readonly Delay[]): Promise<Partition[]> {
  const machine = await machineOf(query, delays);
  const divided = new Map<Delay, Partition>();
  const windows = merged(delays.map(windowOf));
  const historyOf = (window: Span | undefined) => window && beforehand(readHistory(query, window, 'part'));
  let next = historyOf(windows[0]);
  for (const [number, window] of windows.entries()) {
    const history = await (next ?? readHistory(query, window, 'part'));
    next = historyOf(windows[number + 1]);
    const reading = await read(query, machine, history, () => readIos(query, window));
    for (const delay of delays)
      if (delay.ts >= window.ts && delay.te <= window.te) divided.set(delay, await divide(reading, delay));
  }
  return delays.flatMap((delay) => divided.get(delay) ?? []);
}

/** What is read to divide the delays of a stretch of time. */
interface Reading {
  readonly query: Query;
  readonly machine: Machine;
  readonly history: History;
  readonly record: CpuRecord;
  readonly around: Surroundings;
  /** Asks for the I/O of threads. */
  readonly loadIos: () => Promise<Ios>;
}

async function machineOf(query: Query, delays: readonly Delay[]): Promise<Machine> {
  const machine = await loadMachine(dataOf(query).tables);
  for (const { ts, te } of delays) {
    if (!(ts < te)) throw new RangeError('a delay ends after it begins');
    if (ts < machine.start_ts || te > machine.end_ts)
      throw new RangeError('a delay lies within the recording: it begins or ends outside');
  }
  return machine;
}

function windowOf({ ts, te }: Delay): Span {
  return { ts: ts - AROUND_NS, te: te + AROUND_NS };
}

function readHistory(query: Query, { ts, te }: Span, how?: ReadHow): Promise<History> {
  return loadHistory(dataOf(query).tables, { start: ts, end: te }, how);
}

function readIos(query: Query, { ts, te }: Span): Promise<Ios> {
  return loadIos(query, { start: ts, end: te });
}

/** What is read while something else is waited for or done. */
function beforehand<T>(reading: Promise<T>): Promise<T> {
  // The result is looked at in its turn. Until then a failure has no other handler.
  reading.catch(() => undefined);
  return reading;
}

async function read(
  query: Query,
  machine: Machine,
  history: History,
  loadIos: Reading['loadIos'],
): Promise<Reading> {
  const { tables } = dataOf(query);
  const record = await loadCpuRecord(tables);
  const around = surroundings(tables, machine, record.losses, history.stretch);
  return { query, machine, history, record, around, loadIos };
}

async function divide(reading: Reading, delay: Delay): Promise<Partition> {
  const { query, machine, history, record, around } = reading;
  const { steps, blocks } = await walkBack(history, around, delay);
  const by: JudgedBy = { history, machine, losses: record.losses, first_run_ts: record.first_run_ts };
  const judged = await judgedFor(query, history, steps);
  const sources = await wakeSources(reading, steps);
  const parts = [...steps].reverse().flatMap((step) => {
    const { what, ...of } = step;
    const whole = (owner: Owner, detail: string | null = null, cpu: number | null = null): Part[] => [
      { ...of, owner, detail, cpu },
    ];
    switch (what.kind) {
      case 'ran':
        return whole('ran', null, history.runs.number('cpu', what.run));
      case 'ready':
        return splitReady(by, waitAt(history, what.wait, judged), of).map(({ ts, te, why }): Part => ({
          ...of,
          ts,
          te,
          owner: why,
          detail: null,
          cpu: null,
        }));
      case 'woken': {
        const source = sources.get(step);
        return source === undefined ? [] : whole(source.owner, source.detail);
      }
      case 'frozen':
      case 'asleep':
        return whole(what.kind);
      case 'not_explained':
      case 'not_recorded':
        return whole(what.kind, what.detail);
    }
  });
  return { delay, parts: joined(parts), blocks };
}

/** What ended the blocks behind which no thread stands, by their steps. */
async function wakeSources(reading: Reading, steps: readonly Step[]): Promise<ReadonlyMap<Step, WakeSource>> {
  const { query, machine, history } = reading;
  const { stretch } = history;
  const { tables } = dataOf(query);
  const sources = new Map<Step, WakeSource>();
  let ios: Ios | null = null;
  for (const step of steps) {
    if (step.what.kind !== 'woken') continue;
    const { wake_ts } = step.what;
    ios ??= await reading.loadIos();
    const interrupts =
      wake_ts < stretch.end
        ? history
        : await loadInterrupts(tables, { start: wake_ts - 1, end: wake_ts + 1 });
    sources.set(step, wakeSource(interrupts, machine.cpu_count, ios, { ...step.what, utid: step.utid }));
  }
  return sources;
}

/** Parts that follow one another and say the same, as one. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    const isSame =
      last?.utid === part.utid &&
      last.depth === part.depth &&
      last.owner === part.owner &&
      last.cpu === part.cpu &&
      last.detail === part.detail;
    if (isSame) all[all.length - 1] = { ...last, te: part.te };
    else all.push(part);
  }
  return all;
}

function surroundings(
  tables: Tables,
  machine: Machine,
  losses: readonly { readonly ts: number; readonly te: number }[],
  stretch: Stretch,
): Surroundings {
  const holdsOf = (utid: number) => machine.stoodStill(utid, stretch.start, stretch.end);
  const frozen = new Map<number, ReturnType<typeof merged>>();
  return {
    asleep: merged(holdsOf(0).filter(({ why }) => why === 'asleep')),
    lost: merged(losses),
    frozenOf(utid) {
      const spans = frozen.get(utid) ?? merged(holdsOf(utid).filter(({ why }) => why === 'frozen'));
      frozen.set(utid, spans);
      return spans;
    },
    wakeAfter: laterWakes(tables, { start: stretch.end, end: machine.end_ts + 1 }),
    reasonBefore: (utid, ts) => switchOutReason(tables, utid, ts),
  };
}

async function switchOutReason(tables: Tables, utid: number, ts: number): Promise<string | null> {
  const columns = ['te', 'utid', 'switch_out_wait_reason'] as const;
  for await (const batch of tables.batches('etw_run', columns, { start: ts - 1, end: ts + 1 })) {
    const { te, utid: threads, switch_out_wait_reason: reason } = batch.columns;
    // Rows are in the order of their ends.
    let row = firstWhere(batch.rowCount, (at) => (te.values[at] ?? 0) >= ts);
    for (; te.values[row] === ts; row++) if (threads.values[row] === utid) return textAt(reason, row);
  }
  return null;
}

const LATER_COLUMNS = ['ts', 'utid', 'cause', 'waker_utid', 'last_switch_out_ts'] as const;

/** The first wakes after a history, read no further than to the one that is asked for. */
function laterWakes(tables: Tables, after: Stretch): Surroundings['wakeAfter'] {
  const batches = tables.batches('etw_ready_wait', LATER_COLUMNS, after)[Symbol.asyncIterator]();
  const first = new Map<number, Wake | null>();
  let isAtEnd = after.start >= after.end;
  return async (utid) => {
    while (!first.has(utid) && !isAtEnd) {
      const next = await batches.next();
      isAtEnd = next.done === true;
      if (next.done === true) break;
      const { rowCount, columns } = next.value;
      for (let row = 0; row < rowCount; row++) {
        const of = columns.utid.values[row] ?? 0;
        const ts = columns.ts.values[row] ?? 0;
        if (ts < after.start || first.has(of)) continue;
        const waker = numberAt(columns.waker_utid, row);
        const switch_out_ts = numberAt(columns.last_switch_out_ts, row);
        const wake = { ts, waker_utid: waker === 0 ? null : waker, switch_out_ts };
        first.set(of, textAt(columns.cause, row) === 'wake' ? wake : null);
      }
    }
    return first.get(utid) ?? null;
  };
}

/** The judged ranks of the waits of steps whose rank changed. */
async function judgedFor(query: Query, { waits }: History, steps: readonly Step[]): Promise<JudgedRanks> {
  const inDoubt = new Set<string>();
  for (const { what } of steps) {
    if (what.kind !== 'ready') continue;
    const [before, after] = [waits.number('rank_before', what.wait), waits.number('rank_after', what.wait)];
    if (before === null || after === null || before === after) continue;
    inDoubt.add(`${waits.number('utid', what.wait)} ${waits.number('ts', what.wait)}`);
  }
  return inDoubt.size === 0
    ? NONE_JUDGED
    : judgedRanksOf(query, ({ utid, ts }) => inDoubt.has(`${utid} ${ts}`));
}
