import type { Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { loadMachine } from '../why-late/columns/index.ts';
import { sweepOf } from './blame.ts';
import { loadInterrupts } from './history.ts';
import { driverBehind, TIMER } from './wake-source.ts';

/** How long others waited for a driver. */
export interface DriverBlame {
  /** The image of the driver, or {@link BY_TIMER}; null where none is known. */
  readonly driver: string | null;
  /** While what they waited for was blocked, with no thread behind, until a DPC or an interrupt of the driver. */
  readonly blocked_ns: number;
  /** How long its DPCs and interrupts took CPUs. */
  readonly ran_ns: number;
}

/** In place of a driver: the DPC of a timer. */
export const BY_TIMER = 'a timer';

/**
 * Which drivers ended the blocks behind which no thread stands, for those who waited for these, in a range. A DPC that ends a wait may
 * only pass on what a device has done: the time is that until it did.
 */
export async function loadDriverBlame(query: Query, range: Stretch): Promise<DriverBlame[]> {
  const { tables } = dataOf(query);
  const { cpu_count } = await loadMachine(tables);
  const all = await loadInterrupts(tables, range);
  const [numbers, drivers] = [new Map<string | null, number>(), new Array<string | null>()];
  const numberOf = (driver: string | null) => {
    const number = numbers.get(driver) ?? drivers.push(driver) - 1;
    numbers.set(driver, number);
    return number;
  };
  const enderOf = (wake_ts: number) => {
    const driver = driverBehind(all, cpu_count, wake_ts);
    return numberOf(driver === TIMER ? BY_TIMER : driver);
  };
  const sweep = await sweepOf(query, range, { enderOf });
  const waited = sweep.enderSums();
  const ran: number[] = [];
  const { interrupts, interruptTe } = all;
  const starts = interrupts.column('ts');
  for (let row = 0; row < interrupts.count; row++) {
    const isTimer = interrupts.text('kind', row) === 'timer_dpc';
    const driver = numberOf(isTimer ? BY_TIMER : interrupts.text('module', row));
    const ns = Math.min(interruptTe[row] ?? 0, range.end) - Math.max(starts[row] ?? 0, range.start);
    ran[driver] = (ran[driver] ?? 0) + ns;
  }
  return drivers
    .map((driver, at) => ({ driver, blocked_ns: waited[at] ?? 0, ran_ns: ran[at] ?? 0 }))
    .sort((a, b) => b.blocked_ns - a.blocked_ns || b.ran_ns - a.ran_ns);
}
