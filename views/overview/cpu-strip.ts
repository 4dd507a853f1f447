import { bisectRight, sum } from 'd3';
import type { NamedProcess } from '../../shared/threads/index.ts';
import type { BusyOf } from './cpu-time.ts';
import type { CpuStrip, ProcessCpu } from './model.ts';

/** A stretch in which events of a CPU are missing. */
export interface Lost {
  readonly cpu: number;
  readonly ts: number;
  readonly te: number;
}

/** How many processes are drawn by themselves. */
const DRAWN = 3;

/** Sums CPU time by process, most first, and over time: in buckets from edge to edge. `has_ns` is all the CPU time that there is. */
export function sumCpu(
  busyOf: BusyOf,
  { edges, source }: Pick<CpuStrip, 'edges' | 'source'>,
  names: ReadonlyMap<number, NamedProcess>,
  has_ns: number,
  lost: readonly Lost[],
): { readonly cpu: CpuStrip; readonly processes: readonly ProcessCpu[] } {
  const empty = () => new Array<number>(edges.length - 1).fill(0);
  const ranked = [...busyOf]
    .map(([upid, busy]) => ({ ...nameOf(upid, names), busy_ns: [...busy], ran_ns: sum(busy) }))
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
      edges,
      source,
      series: [...drawn, ...others],
      lost_ns: source === 'samples' ? empty() : lostByBucket(lost, edges),
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

/** How much of each bucket is lost, all CPUs together. Stretches of one CPU may overlap. */
export function lostByBucket(lost: readonly Lost[], edges: readonly number[]): number[] {
  const lost_ns = new Array<number>(edges.length - 1).fill(0);
  const [start = 0] = edges;
  const until = new Map<number, number>();
  for (const { cpu, ts, te } of [...lost].sort((a, b) => a.ts - b.ts)) {
    const from = Math.max(ts, until.get(cpu) ?? start);
    until.set(cpu, Math.max(from, te));
    for (let bucket = bisectRight(edges, from) - 1; bucket < lost_ns.length; bucket++) {
      const [begin = Infinity, end = Infinity] = edges.slice(bucket, bucket + 2);
      if (begin >= te) break;
      lost_ns[bucket] = (lost_ns[bucket] ?? 0) + Math.max(0, Math.min(te, end) - Math.max(from, begin));
    }
  }
  return lost_ns;
}

function nameOf(upid: number, names: ReadonlyMap<number, NamedProcess>): NamedProcess {
  return names.get(upid) ?? { process: null, pid: null, services: null };
}
