import { filled, grown, orderOf } from '../../shared/tables/index.ts';
import type { DurationsInBin } from '../kit/index.ts';
import type { IoDepth, IoLine } from './model.ts';
import type { Passing } from './passing.ts';

/** What has no path, or no process, or no disk. */
type Key = string | number | null;

/** Sums over the I/O of a process, of a path, or of a disk and kind. */
export interface GroupSums {
  readonly key: Key;
  readonly disk: number | null;
  readonly kind: string;
  /** The least key of its threads. */
  utid: number | null;
  count: number;
  read_bytes: number;
  written_bytes: number;
  /** How many have an end. */
  ended: number;
  sum_ns: number;
  /** The longest of the half that is shortest, and so on (nearest rank); 0 where none has an end. */
  p50_ns: number;
  p90_ns: number;
  p99_ns: number;
  max_ns: number;
}

/** Groups, and which of them each I/O is of. */
class Groups {
  readonly all: GroupSums[] = [];
  readonly #numbers = new Map<Key, number>();
  #of = new Uint32Array(1024);

  /** `place`: how many I/Os came before. */
  add(key: Key, { dur, direction, size_bytes, utid, disk, kind }: Passing, place: number): void {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.all.length;
      this.#numbers.set(key, number);
      const zeros = { count: 0, read_bytes: 0, written_bytes: 0, ended: 0, sum_ns: 0 };
      this.all.push({ key, disk, kind, utid, ...zeros, p50_ns: 0, p90_ns: 0, p99_ns: 0, max_ns: 0 });
    }
    if (place === this.#of.length) this.#of = grown(this.#of, new Uint32Array(2 * place));
    this.#of[place] = number;
    const group = this.all[number];
    if (group === undefined) return;
    group.count++;
    if (direction === 'read') group.read_bytes += size_bytes ?? 0;
    if (direction === 'write') group.written_bytes += size_bytes ?? 0;
    if (utid !== null && (group.utid === null || utid < group.utid)) group.utid = utid;
    if (dur === null) return;
    group.ended++;
    group.sum_ns += dur;
  }

  /** Works percentiles out. `order`: the places of I/Os in the order of their lengths, of those that have one. */
  measure(order: Uint32Array, durs: Float64Array): void {
    const seen = new Uint32Array(this.all.length);
    for (const place of order) {
      const number = this.#of[place] ?? 0;
      const group = this.all[number];
      if (group === undefined) continue;
      const rank = (seen[number] ?? 0) + 1;
      seen[number] = rank;
      const dur = durs[place] ?? 0;
      const isWithin = (percent: number) => rank <= Math.floor((group.ended * percent + 99) / 100);
      if (isWithin(50)) group.p50_ns = dur;
      if (isWithin(90)) group.p90_ns = dur;
      if (isWithin(99)) group.p99_ns = dur;
      group.max_ns = dur;
    }
  }

  /** The longest together first. */
  sorted(): readonly GroupSums[] {
    return this.all.sort((a, b) => b.sum_ns - a.sum_ns || b.count - a.count || compareKeys(a.key, b.key));
  }
}

function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

/** How many took how long, and how long together. */
export type Bin = DurationsInBin & { readonly sum_ns: number };

/** Sums over all I/O that passes, in buckets of time and in groups. */
export class IoSums {
  readonly #start: number;
  readonly #end: number;
  readonly #bucket_ns: number;
  readonly #buckets: number;
  readonly #lines = new Map<string, IoLine & { readonly order: readonly Key[] } & Counted>();
  readonly #depths = new Map<number | null, { readonly steps: number[]; readonly depth_ns: number[] }>();
  readonly #bins = new Map<number, { count: number; sum_ns: number; max_ns: number }>();
  readonly #byProcess = new Groups();
  readonly #byPath = new Groups();
  readonly #byKind = new Groups();
  /** NaN where no end was recorded. */
  #durs = new Float64Array(1024);
  #count = 0;

  /** Buckets of one length but for the last, by their bounds. */
  constructor(edges: readonly number[]) {
    const [start = 0, next = 0] = edges;
    [this.#start, this.#end] = [start, edges.at(-1) ?? 0];
    [this.#bucket_ns, this.#buckets] = [next - start, edges.length - 1];
  }

  add(io: Passing): void {
    const place = this.#count++;
    if (place === this.#durs.length) this.#durs = grown(this.#durs, new Float64Array(2 * place));
    this.#durs[place] = io.dur ?? NaN;
    this.#byProcess.add(io.upid, io, place);
    this.#byPath.add(io.path, io, place);
    this.#byKind.add(`${io.disk ?? ''} ${io.kind}`, io, place);
    if (io.te >= this.#start && io.te < this.#end) this.#addToLine(io);
    if (io.dur === null) return;
    this.#addToDepth(io.disk, Math.max(io.ts, this.#start), 1);
    if (io.te < this.#end) this.#addToDepth(io.disk, io.te, -1);
    const number = Math.floor(Math.log(Math.max(io.dur, 100)) * HUNDREDTHS_OF_DECADES + 1e-9);
    const bin = this.#bins.get(number) ?? { count: 0, sum_ns: 0, max_ns: 0 };
    this.#bins.set(number, bin);
    bin.count++;
    bin.sum_ns += io.dur;
    bin.max_ns = Math.max(bin.max_ns, io.dur);
  }

  #addToLine({ te, disk, direction, size_bytes }: Passing): void {
    const label = `${disk === null ? '' : `disk ${disk} `}${direction}`;
    let line = this.#lines.get(label);
    if (line === undefined) {
      const order = [disk, direction === 'other' ? 1 : 0, direction];
      line = { label, order, counts: this.#zeros(), size_bytes: this.#zeros() };
      this.#lines.set(label, line);
    }
    const bucket = Math.floor((te - this.#start) / this.#bucket_ns);
    line.counts[bucket] = (line.counts[bucket] ?? 0) + 1;
    line.size_bytes[bucket] = (line.size_bytes[bucket] ?? 0) + (size_bytes ?? 0);
  }

  #addToDepth(disk: number | null, ts: number, step: number): void {
    let depth = this.#depths.get(disk);
    if (depth === undefined) {
      depth = { steps: this.#zeros(), depth_ns: this.#zeros() };
      this.#depths.set(disk, depth);
    }
    const since = ts - this.#start;
    const bucket = Math.floor(since / this.#bucket_ns);
    depth.steps[bucket] = (depth.steps[bucket] ?? 0) + step;
    const rest_ns = this.#bucket_ns - (since % this.#bucket_ns);
    depth.depth_ns[bucket] = (depth.depth_ns[bucket] ?? 0) + step * rest_ns;
  }

  #zeros(): number[] {
    return new Array<number>(this.#buckets).fill(0);
  }

  /** What ended in each bucket, by disk and direction. */
  lines(): readonly IoLine[] {
    return [...this.#lines.values()]
      .sort((a, b) => a.order.reduce((by: number, key, at) => by || compareKeys(key, b.order[at] ?? null), 0))
      .map(({ label, counts, size_bytes }) => ({ label, counts, size_bytes }));
  }

  /** How many were under way, by disk: the mean of each bucket, from how the number changes in it. */
  depths(): readonly IoDepth[] {
    const disks = [...this.#depths].sort(([a], [b]) => compareKeys(a, b));
    return disks.map(([disk, { steps, depth_ns }]) => {
      let under_way = 0;
      const values = steps.map((step, bucket) => {
        const mean = under_way + (depth_ns[bucket] ?? 0) / this.#bucket_ns;
        under_way += step;
        return mean;
      });
      return { label: disk === null ? 'under way' : `disk ${disk}`, values };
    });
  }

  /** The shortest first. */
  bins(): readonly Bin[] {
    return [...this.#bins].sort(([a], [b]) => a - b).map(([bin, sums]) => ({ bin, ...sums }));
  }

  /** Each the longest together first. */
  groups() {
    const durs = this.#durs.subarray(0, this.#count);
    const places = filled(new Uint32Array(durs.length), (place) => place);
    const ended = places.filter((place) => !Number.isNaN(durs[place]));
    const lengths = filled(new Float64Array(ended.length), (at) => durs[ended[at] ?? 0] ?? 0);
    const order = orderOf(lengths).map((at) => ended[at] ?? 0);
    const all = [this.#byProcess, this.#byPath, this.#byKind] as const;
    for (const groups of all) groups.measure(order, durs);
    const [processes, paths, kinds] = [all[0].sorted(), all[1].sorted(), all[2].sorted()];
    return { processes, paths, kinds };
  }
}

interface Counted {
  readonly counts: number[];
  readonly size_bytes: number[];
}

const HUNDREDTHS_OF_DECADES = 100 / Math.LN10;
