import type { Partition } from './delay.ts';
import type { Owner } from './owner.ts';

/** The time of a delay that one thread owns in one way. */
export interface OwnerSum {
  readonly owner: Owner;
  readonly utid: number;
  readonly sum_ns: number;
  /** Of how many parts, and the longest of them. */
  readonly parts: number;
  readonly longest_ns: number;
  /** When the longest one begins. */
  readonly longest_ts: number;
  /** The file, the driver, or what else is known of the longest one. */
  readonly detail: string | null;
}

/** The parts of a delay by thread and owner, most time first. The sums add up to the delay. */
export function sumUp({ parts }: Pick<Partition, 'parts'>): OwnerSum[] {
  const sums = new Map<string, OwnerSum>();
  for (const { owner, utid, ts, te, detail } of parts) {
    const key = `${utid} ${owner}`;
    const before = sums.get(key);
    const ns = te - ts;
    const isLongest = before === undefined || ns > before.longest_ns;
    sums.set(key, {
      owner,
      utid,
      sum_ns: (before?.sum_ns ?? 0) + ns,
      parts: (before?.parts ?? 0) + 1,
      longest_ns: isLongest ? ns : before.longest_ns,
      longest_ts: isLongest ? ts : before.longest_ts,
      detail: isLongest ? detail : before.detail,
    });
  }
  return [...sums.values()].sort((a, b) => b.sum_ns - a.sum_ns || a.longest_ts - b.longest_ts);
}
