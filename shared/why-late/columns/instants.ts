import { numberAt, textAt, type Tables } from '../../tables/index.ts';
import { standingOf } from '../standing.ts';
import { noUses, useOf, type CpuUse } from '../use.ts';
import { INSTANTS, type Instant } from '../why-late.ts';
import type { Held } from '../why.ts';
import { loadMachine } from './machine.ts';
import { instantsOf, visitOverlaps, type Spans } from './overlaps.ts';
import { loadCpuRecord, type CpuRecord } from './record.ts';
import type { Sources } from './sources.ts';
import type { Wait } from './wait.ts';

/** How the CPUs stood to a wait at its instants. */
export interface SeenWait {
  readonly instants: readonly Instant[];
  /** The CPU that took the thread was idle until then. */
  readonly took_idle_cpu: boolean;
}

/** The instants of a wait: the middles of its parts, and the last one before the switch-in. */
const INSTANTS_OF_WAIT = INSTANTS + 1;
/** Of several the first one counts. */
const HELD: readonly Held[] = ['asleep', 'frozen', 'swapped_out'];

/** Looks at a few instants of each wait. CPUs of which events are missing are not counted. */
export async function lookAtWaits({ outline, tables }: Sources, waits: readonly Wait[]): Promise<SeenWait[]> {
  const machine = await loadMachine(outline);
  const { cpu_count } = machine;
  const record = await loadCpuRecord(tables, machine);
  const { spans, order } = instantsOf(timesOf(waits));
  const looks = Array.from(order, (index, place): Look => {
    const wait = waits[Math.floor(index / INSTANTS_OF_WAIT)];
    if (wait === undefined) throw new RangeError(`no wait has instant ${index}`);
    const ts = spans.start[place] ?? 0;
    const isThen = (span: { readonly ts: number; readonly te: number }) => span.ts <= ts && span.te > ts;
    const holds = machine.holdsOf(wait).filter(isThen);
    return {
      index,
      ts,
      wait,
      held: HELD.find((held) => holds.some(({ why }) => why === held)) ?? null,
      usable: machine.boundsOf(wait).find(isThen)?.cpus ?? null,
      counts: noUses(),
    };
  });
  const interrupted = await interruptedCpus(tables, spans, cpu_count);
  const seen = waits.map(() => ({ instants: new Array<Instant>(INSTANTS_OF_WAIT), took_idle_cpu: false }));
  const hasRun = new Uint8Array(looks.length * cpu_count);
  const columns = ['cpu', 'utid', 'rank', 'priority'] as const;
  await visitOverlaps(tables, 'etw_run', columns, spans, (span, _, te, row, run) => {
    const look = looks[span];
    if (look === undefined) return;
    const { index, wait, usable, counts } = look;
    const cpu = run.cpu.values[row] ?? 0;
    const utid = run.utid.values[row] ?? 0;
    const priority = run.priority.values[row] ?? 0;
    hasRun[span * cpu_count + cpu] = 1;
    const use = useOf({
      standing: standingOf(utid, numberAt(run.rank, row), priority, wait.rank, wait.priority),
      is_usable: usable?.has(cpu) ?? true,
      is_interrupted: interrupted[span * cpu_count + cpu] === 1,
      takes_it: cpu === wait.cpu,
    });
    counts[use]++;
    const of = seen[Math.floor(index / INSTANTS_OF_WAIT)];
    if (of !== undefined && utid === 0 && cpu === wait.cpu && te === wait.te) of.took_idle_cpu = true;
  });
  looks.forEach(({ index, ts, held, usable, counts }, span) => {
    const ran = hasRun.subarray(span * cpu_count, (span + 1) * cpu_count);
    const may_have_run = missingCpus(record, ts, ran).some((cpu) => usable?.has(cpu) ?? true);
    const counted = cpuSum(counts) - counts.free_elsewhere - counts.elsewhere;
    const missing = Math.max(0, (usable?.size ?? cpu_count) - counted);
    const number = index % INSTANTS_OF_WAIT;
    const of = seen[Math.floor(index / INSTANTS_OF_WAIT)];
    if (of !== undefined) of.instants[number] = { number, held, may_have_run, missing, counts };
  });
  return seen;
}

/** An instant of a wait. */
interface Look {
  /** The number of its wait, and within that its own. */
  readonly index: number;
  readonly ts: number;
  readonly wait: Wait;
  readonly held: Held | null;
  /** The CPUs that the thread may use; null for all. */
  readonly usable: ReadonlySet<number> | null;
  readonly counts: Record<CpuUse, number>;
}

function timesOf(waits: readonly Wait[]): Float64Array {
  return Float64Array.from({ length: waits.length * INSTANTS_OF_WAIT }, (_, index) => {
    const wait = waits[Math.floor(index / INSTANTS_OF_WAIT)];
    const number = index % INSTANTS_OF_WAIT;
    const { ts, te } = wait ?? { ts: 0, te: 0 };
    return number === INSTANTS ? te - 1 : ts + Math.floor(((te - ts) * (2 * number + 1)) / (2 * INSTANTS));
  });
}

function cpuSum(counts: Readonly<Record<CpuUse, number>>): number {
  return Object.values(counts).reduce((sum, cpus) => sum + cpus, 0);
}

/** 1 for each CPU that was in a DPC or an ISR, instant by instant. A threaded DPC is a thread's work. */
async function interruptedCpus(tables: Tables, instants: Spans, cpuCount: number): Promise<Uint8Array> {
  const interrupted = new Uint8Array(instants.start.length * cpuCount);
  await visitOverlaps(
    tables,
    'etw_interrupt',
    ['cpu', 'kind'],
    instants,
    (instant, _, __, row, { cpu, kind }) => {
      if (textAt(kind, row) !== 'threaded_dpc') interrupted[instant * cpuCount + (cpu.values[row] ?? 0)] = 1;
    },
  );
  return interrupted;
}

/** The CPUs of which events are missing at an instant: those without a run that had runs before, and those with a loss. */
function missingCpus({ first_run_ts, losses }: CpuRecord, at: number, ran: Uint8Array): number[] {
  const lost = losses.filter(({ ts, te }) => ts <= at && te > at).map(({ cpu }) => cpu);
  ran.forEach((has, cpu) => {
    if (has === 0 && at >= (first_run_ts[cpu] ?? Infinity)) lost.push(cpu);
  });
  return lost;
}
