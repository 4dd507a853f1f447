import { sum } from 'd3';
import type { CpuStrip, ProcessCpu, ProcessName } from './model.ts';

/** CPU time of one process in one step of time. */
export interface CpuPart {
  readonly number: number;
  readonly upid: number | null;
  readonly ran_ns: number;
}

/** How CPU time was asked for: steps of so many ns, of each of which one part in `one_in` was looked at. */
export interface CpuSteps {
  readonly buckets: number;
  readonly bucket_ns: number;
  readonly one_in: number;
  readonly source: CpuStrip['source'];
}

type Named = ProcessName & { readonly services: string | null };

/** How many processes are drawn by themselves. */
const DRAWN = 3;

/** Sums CPU time by process, most first, and over time. `has_ns` is all the CPU time that there is. */
export function sumCpu(
  parts: readonly CpuPart[],
  steps: CpuSteps,
  names: ReadonlyMap<number, Named>,
  has_ns: number,
): { readonly cpu: CpuStrip; readonly processes: readonly ProcessCpu[] } {
  const { buckets, bucket_ns, one_in, source } = steps;
  const empty = () => new Array<number>(buckets).fill(0);
  const byProcess = new Map<number | null, number[]>();
  for (const { number, upid, ran_ns } of parts) {
    const busy_ns = byProcess.get(upid) ?? empty();
    byProcess.set(upid, busy_ns);
    if (number >= 0 && number < buckets) busy_ns[number] = (busy_ns[number] ?? 0) + ran_ns * one_in;
  }
  const ranked = [...byProcess]
    .map(([upid, busy_ns]) => ({ ...nameOf(upid, names), busy_ns, ran_ns: sum(busy_ns) }))
    .sort((a, b) => b.ran_ns - a.ran_ns);
  const rest = empty();
  for (const { busy_ns } of ranked.slice(DRAWN)) {
    busy_ns.forEach((ns, number) => (rest[number] = (rest[number] ?? 0) + ns));
  }
  const drawn = ranked.slice(0, DRAWN).map(({ process, pid, busy_ns }) => ({ process, pid, busy_ns }));
  const others = ranked.length > DRAWN ? [{ process: 'others', pid: null, busy_ns: rest }] : [];
  return {
    cpu: { bucket_ns, source, one_in, series: [...drawn, ...others] },
    processes: ranked.map(({ process, pid, services, ran_ns }) => ({
      process,
      pid,
      services,
      ran_ns,
      share: ran_ns / Math.max(1, has_ns),
    })),
  };
}

function nameOf(upid: number | null, names: ReadonlyMap<number, Named>): Named {
  return (upid === null ? undefined : names.get(upid)) ?? { process: null, pid: null, services: null };
}
