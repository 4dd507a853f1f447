import { numberAt, textAt, type Tables } from '../../tables/index.ts';
import { NOT_THERE } from '../standing.ts';
import { INSTANTS } from '../why-late.ts';
import { CpuBits } from './cpu-bits.ts';
import { cpuNumber, ELSEWHERE, HELD, partNumberAt, PLAIN_USE_BITS, USE_BITS } from './instant-parts.ts';
import { loadMachine, type Bound, type Hold, type Machine } from './machine.ts';
import { instantsOf, visitInstants, type Spans } from './overlaps.ts';
import { loadCpuRecord } from './record.ts';
import { UnrecordedCpus } from './unrecorded.ts';
import { wasSwappedOut } from './wait.ts';
import type { WaitColumns } from './wait-columns.ts';
import { WaitKinds } from './wait-kinds.ts';

/** The instants of a wait: the middles of its parts, and the last one before the switch-in. */
export const INSTANTS_OF_WAIT = INSTANTS + 1;

/** One CPU that is counted, above the bits of uses. */
const COUNTED = 1 << 16;

/** How the CPUs stood to waits at their instants. */
export interface SeenWaits {
  /** The part that each instant belongs to, wait by wait, as its place in `PARTS`. */
  readonly parts: Uint8Array;
  /** 1 where the CPU that took the thread was idle until then. */
  readonly took_idle_cpu: Uint8Array;
}

/** Looks at a few instants of each wait. CPUs whose events are missing are not counted. */
export async function lookAtWaits(tables: Tables, waits: WaitColumns): Promise<SeenWaits> {
  const machine = await loadMachine(tables);
  const { cpu_count } = machine;
  const record = await loadCpuRecord(tables);
  const { spans, order } = instantsOf(timesOf(waits));
  const waitOf = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) waitOf[place] = (order[place] ?? 0) / INSTANTS_OF_WAIT;
  const { held, usable } = limitsOf(machine, waits, spans.start, waitOf);
  const interrupted = await interruptedCpus(tables, spans, cpu_count);
  const ran = new CpuBits(order.length, cpu_count);
  // The bits of the uses, and above them how many CPUs are counted.
  const uses = new Uint32Array(order.length);
  const kinds = new WaitKinds(waits);
  const kindAt = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) kindAt[place] = kinds.of[waitOf[place] ?? 0] ?? 0;
  const takes = (place: number, cpu: number) => waits.cpu[waitOf[place] ?? 0] === cpu;
  const took_idle_cpu = new Uint8Array(waits.count);
  const columns = ['cpu', 'utid', 'rank', 'priority'] as const;
  await visitInstants(tables, 'etw_run', columns, spans, (first, last, te, row, run) => {
    const cpu = run.cpu.values[row] ?? 0;
    const utid = run.utid.values[row] ?? 0;
    const rank = numberAt(run.rank, row) ?? NOT_THERE;
    const standings = kinds.standingsOf(utid, rank, run.priority.values[row] ?? 0);
    ran.addTo(first, last, cpu);
    if (usable === null && interrupted === null) {
      // Nearly all: without a branch, since which way it goes looks like chance.
      for (let place = first; place < last; place++)
        uses[place] =
          ((uses[place] ?? 0) | (PLAIN_USE_BITS[standings[kindAt[place] ?? 0] ?? 0] ?? 0)) + COUNTED;
    } else {
      for (let place = first; place < last; place++) {
        const isUsable = usable === null || usable.has(place, cpu);
        const isInterrupted = interrupted?.has(place, cpu) === true;
        const standing = standings[kindAt[place] ?? 0] ?? 0;
        const use = USE_BITS[cpuNumber(standing, isUsable, isInterrupted, takes(place, cpu))] ?? 0;
        uses[place] = ((uses[place] ?? 0) | use) + ((use & ELSEWHERE) === 0 ? COUNTED : 0);
      }
    }
    if (utid !== 0) return;
    for (let place = first; place < last; place++) {
      const wait = waitOf[place] ?? 0;
      if (te === waits.te[wait] && takes(place, cpu)) took_idle_cpu[wait] = 1;
    }
  });
  const unrecorded = new UnrecordedCpus(record);
  const parts = new Uint8Array(order.length);
  for (let place = 0; place < order.length; place++) {
    unrecorded.goTo(spans.start[place] ?? 0);
    const cpus = usable?.at(place) ?? null;
    parts[order[place] ?? 0] = partNumberAt(
      held[place] ?? 0,
      (uses[place] ?? 0) % COUNTED,
      unrecorded.isMissing(ran, place, cpus?.bits ?? null),
      (uses[place] ?? 0) < (cpus?.size ?? cpu_count) * COUNTED,
    );
  }
  return { parts, took_idle_cpu };
}

function timesOf(waits: WaitColumns): Float64Array {
  const times = new Float64Array(waits.count * INSTANTS_OF_WAIT);
  for (let wait = 0; wait < waits.count; wait++) {
    const ts = waits.ts[wait] ?? 0;
    const te = waits.te[wait] ?? 0;
    const first = wait * INSTANTS_OF_WAIT;
    for (let number = 0; number < INSTANTS; number++)
      times[first + number] = ts + Math.floor(((te - ts) * (2 * number + 1)) / (2 * INSTANTS));
    times[first + INSTANTS] = te - 1;
  }
  return times;
}

/** What but other threads keeps threads from CPUs at instants. */
interface Limits {
  /** What holds the thread back, as its place in `HELD`; the length of that for nothing. */
  readonly held: Uint8Array;
  /** Null where every thread may use all CPUs. */
  readonly usable: UsableCpus | null;
}

function limitsOf(machine: Machine, waits: WaitColumns, at: Float64Array, waitOf: Uint32Array): Limits {
  const held = new Uint8Array(at.length).fill(HELD.length);
  const usable = new UsableCpus(machine.cpu_count);
  const keptBack = new Map<number, { readonly holds: readonly Hold[]; readonly bounds: readonly Bound[] }>();
  for (let number = 0; number < waits.count; number++) {
    const ts = waits.ts[number] ?? 0;
    const te = waits.te[number] ?? 0;
    const utid = waits.utid[number] ?? 0;
    if (!machine.isKeptBack(utid, ts, te) && !wasSwappedOut({ flags: waits.flags[number] ?? 0 })) continue;
    const wait = waits.at(number);
    keptBack.set(number, { holds: machine.holdsOf(wait), bounds: machine.boundsOf(wait) });
  }
  if (keptBack.size === 0) return { held, usable: null };
  waitOf.forEach((wait, place) => {
    const restrictions = keptBack.get(wait);
    if (restrictions === undefined) return;
    const ts = at[place] ?? 0;
    const isThen = (span: { readonly ts: number; readonly te: number }) => span.ts <= ts && span.te > ts;
    const holds = restrictions.holds.filter(isThen);
    const first = HELD.findIndex((why) => holds.some((hold) => hold.why === why));
    if (first >= 0) held[place] = first;
    const bound = restrictions.bounds.find(isThen);
    if (bound !== undefined) usable.put(place, bound.cpus);
  });
  return { held, usable: usable.isEmpty ? null : usable };
}

/** The CPUs that threads may use at instants; all but where others were put. */
class UsableCpus {
  readonly #cpuCount: number;
  readonly #sets = new Map<ReadonlySet<number>, { readonly size: number; readonly bits: Uint32Array }>();
  readonly #at = new Map<number, { readonly size: number; readonly bits: Uint32Array }>();

  constructor(cpuCount: number) {
    this.#cpuCount = cpuCount;
  }

  get isEmpty(): boolean {
    return this.#at.size === 0;
  }

  put(place: number, cpus: ReadonlySet<number>): void {
    let set = this.#sets.get(cpus);
    if (set === undefined) {
      const only = new CpuBits(1, this.#cpuCount);
      for (const cpu of cpus) only.add(0, cpu);
      set = { size: cpus.size, bits: only.bits };
    }
    this.#sets.set(cpus, set);
    this.#at.set(place, set);
  }

  /** Null for all CPUs. */
  at(place: number): { readonly size: number; readonly bits: Uint32Array } | null {
    return this.#at.get(place) ?? null;
  }

  has(place: number, cpu: number): boolean {
    const set = this.#at.get(place);
    return set === undefined || (((set.bits[cpu >> 5] ?? 0) >>> (cpu & 31)) & 1) === 1;
  }
}

/** The CPUs that were in a DPC or an ISR, instant by instant; null if none ever was. A threaded DPC is a thread's work. */
async function interruptedCpus(tables: Tables, instants: Spans, cpuCount: number): Promise<CpuBits | null> {
  let interrupted: CpuBits | null = null;
  const columns = ['cpu', 'kind'] as const;
  await visitInstants(tables, 'etw_interrupt', columns, instants, (first, last, _, row, { cpu, kind }) => {
    if (textAt(kind, row) === 'threaded_dpc') return;
    interrupted ??= new CpuBits(instants.start.length, cpuCount);
    for (let place = first; place < last; place++) interrupted.add(place, cpu.values[row] ?? 0);
  });
  return interrupted;
}
