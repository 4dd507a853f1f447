import { OWNER_LABELS, type Partition } from '../causes/index.ts';

/** What an episode is told by. */
export type Side = 'cause' | 'process' | 'thread' | 'waker' | 'detail' | 'cpu';

/** What the sides are called. */
export const SIDE_LABELS: Readonly<Record<Side, string>> = {
  cause: 'cause',
  process: 'process',
  thread: 'thread',
  waker: 'waker',
  detail: 'driver or file',
  cpu: 'CPU',
};

/** What a thread is called, and the program of its process: many processes may run one. */
export interface Names {
  readonly threadOf: (utid: number) => string;
  readonly programOf: (utid: number) => string;
}

/** How much of an episode goes to each value of each side, in ns, by `side` and value. */
export type SideSums = ReadonlyMap<
  string,
  { readonly side: Side; readonly value: string; readonly ns: number }
>;

/**
 * What a divided episode is told by: causes; the threads that own its time, and their programs; who ended the blocks of its own thread;
 * drivers and files; the CPUs on which its time ran.
 */
export function sidesOf(
  { delay: { utid, ts, te }, parts, blocks }: Partition,
  cpu: number | null,
  { threadOf, programOf }: Names,
): SideSums {
  const sums = new Map<string, { side: Side; value: string; ns: number }>();
  const add = (side: Side, value: string, ns: number) => {
    const key = `${side} ${value}`;
    const sum = sums.get(key) ?? { side, value, ns: 0 };
    sums.set(key, sum);
    sum.ns += ns;
  };
  for (const part of parts) {
    const ns = part.te - part.ts;
    const isOwn = part.utid === utid;
    add('cause', `${OWNER_LABELS[part.owner]}${isOwn ? '' : ', another thread'}`, ns);
    add('process', isOwn ? 'its own thread' : programOf(part.utid), ns);
    add('thread', isOwn ? 'its own thread' : threadOf(part.utid), ns);
    if (part.detail !== null) add('detail', part.detail, ns);
    if (part.cpu !== null) add('cpu', String(part.cpu), ns);
  }
  for (const block of blocks)
    if (block.depth === 0) add('waker', threadOf(block.waker_utid), block.te - block.ts);
  // A wake is one part, in which nothing ran: its CPU is the one that it waited for.
  if (cpu !== null) add('cpu', String(cpu), te - ts);
  return sums;
}
