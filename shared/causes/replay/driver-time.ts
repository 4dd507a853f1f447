import type { Query } from '../../engine/index.ts';
import { fileName } from '../../model/index.ts';
import { dataOf, type Stretch } from '../../tables/index.ts';
import { loadInterrupts } from '../history.ts';

/** An image is named by its file name, whatever the case. */
const nameOf = (path: string) => fileName(path).toLowerCase();

/** How long DPCs and interrupts of a driver took a CPU between two times, in ns. Those within each other count once. */
export async function driverTime(
  query: Query,
  stretch: Stretch,
  driver: string,
): Promise<(cpu: number, ts: number, te: number) => number> {
  const { interrupts, interruptTe, interruptsIn } = await loadInterrupts(dataOf(query).tables, stretch);
  const starts = interrupts.column('ts');
  const wanted = nameOf(driver);
  return (cpu, ts, te) => {
    let [sum_ns, until] = [0, te];
    // By their ends, the last first: one that another holds ends before it.
    for (const row of interruptsIn(cpu, { ts, te }).slice().reverse()) {
      if (nameOf(interrupts.text('module', row) ?? '') !== wanted) continue;
      const end = Math.min(until, interruptTe[row] ?? 0);
      const start = Math.max(ts, starts[row] ?? 0);
      sum_ns += Math.max(0, end - start);
      until = Math.min(until, start);
    }
    return sum_ns;
  };
}

/** How long DPCs and interrupts of each driver took CPUs in a stretch, in ns, the busiest first. Drivers are named by their files. */
export async function busyDrivers(query: Query, stretch: Stretch): Promise<ReadonlyMap<string, number>> {
  const { interrupts, interruptTe } = await loadInterrupts(dataOf(query).tables, stretch);
  const starts = interrupts.column('ts');
  const sums = new Map<string, number>();
  for (let row = 0; row < interrupts.count; row++) {
    const module = interrupts.text('module', row);
    if (module === null) continue;
    const driver = nameOf(module);
    sums.set(driver, (sums.get(driver) ?? 0) + (interruptTe[row] ?? 0) - (starts[row] ?? 0));
  }
  return new Map([...sums].sort(([, a], [, b]) => b - a));
}
