import { sum } from 'd3';
import type { NamedProcess } from '../../shared/threads/index.ts';
import type { CpuStrip, ProcessCpu } from './model.ts';

/** CPU time of one process in one step of time. */
export interface CpuPart {
  readonly number: number;
  readonly upid: number | null;
  readonly ran_ns: number;
}

/** How CPU time is summed: in steps of so many ns. */
export interface CpuSteps {
  readonly buckets: number;
  readonly bucket_ns: number;
  readonly source: CpuStrip['source'];
}

/** A stretch in which events of a CPU are missing. */
export interface Lost {
  readonly cpu: number;
  readonly ts: number;
  readonly te: number;
}

/** How many processes are drawn by themselves. */
const DRAWN = 3;

/**
 * Sums CPU time by process, most first, and over time. `has_ns` is all the CPU time that there is; the steps begin at `start`.
 */
export function sumCpu(
  parts: readonly CpuPart[],
  steps: CpuSteps,
  names: ReadonlyMap<number, NamedProcess>,
  has_ns: number,
  start: number,
  lost: readonly Lost[],
): { readonly cpu: CpuStrip; readonly processes: readonly ProcessCpu[] } {
  const { buckets, bucket_ns, source } = steps;
  const empty = () => new Array<number>(buckets).fill(0);
  const byProcess = new Map<number | null, number[]>();
  for (const { number, upid, ran_ns } of parts) {
    const busy_ns = byProcess.get(upid) ?? empty();
    byProcess.set(upid, busy_ns);
    if (number >= 0 && number < buckets) busy_ns[number] = (busy_ns[number] ?? 0) + ran_ns;
  }
  const ranked = [...byProcess]
    .map(([upid, busy_ns]) => ({ ...nameOf(upid, names), busy_ns, ran_ns: sum(busy_ns) }))
    .sort((a, b) => b.ran_ns - a.ran_ns);
  const rest = empty();
  for (const { busy_ns } of ranked.slice(DRAWN)) {
    busy_ns.forEach((ns, number) => (rest[number] = (rest[number] ?? 0) + ns));
  }
  const drawn = ranked
    .slice(0, DRAWN)
    .map(({ process, pid, services, busy_ns }) => ({ process, pid, services, busy_ns }));
  const others =
    ranked.length > DRAWN ? [{ process: 'others', pid: null, services: null, busy_ns: rest }] : [];
  return {
    cpu: {
      bucket_ns,
      source,
      series: [...drawn, ...others],
      lost_ns: source === 'samples' ? empty() : lostBySteps(lost, start, steps),
    },
    processes: ranked.map(({ process, pid, services, ran_ns }) => ({
      process,
      pid,
      services,
      ran_ns,
      share: ran_ns / Math.max(1, has_ns),
    })),
  };
}

/** How much of each step is lost, all CPUs together. Stretches of one CPU may overlap. */
export function lostBySteps(
  lost: readonly Lost[],
  start: number,
  { buckets, bucket_ns }: Pick<CpuSteps, 'buckets' | 'bucket_ns'>,
): number[] {
  const lost_ns = new Array<number>(buckets).fill(0);
  const until = new Map<number, number>();
  for (const { cpu, ts, te } of [...lost].sort((a, b) => a.ts - b.ts)) {
    const from = Math.max(ts, until.get(cpu) ?? start);
    const to = Math.min(te, start + buckets * bucket_ns);
    until.set(cpu, Math.max(from, te));
    for (let step = Math.floor((from - start) / bucket_ns); start + step * bucket_ns < to; step++) {
      const begin = start + step * bucket_ns;
      lost_ns[step] = (lost_ns[step] ?? 0) + Math.min(to, begin + bucket_ns) - Math.max(from, begin);
    }
  }
  return lost_ns;
}

function nameOf(upid: number | null, names: ReadonlyMap<number, NamedProcess>): NamedProcess {
  return (upid === null ? undefined : names.get(upid)) ?? { process: null, pid: null, services: null };
}
