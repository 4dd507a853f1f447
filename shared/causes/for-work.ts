import { grown, type Batch, type Stretch, type Tables } from '../tables/index.ts';
import { walkBack, type WalksBack } from './walk-back.ts';

/** The wait reasons of threads that wait for work: no work is late while they wait. */
export const FOR_WORK: ReadonlySet<string> = new Set(['WrQueue', 'WrLpcReceive']);

/** No group. */
const NONE = -1;

/** Numbers the waits of threads on a walk back: those of a thread between two of its runs have one number. */
export class WaitGroups {
  /** The group of each thread that waits. */
  #of = new Int32Array(1 << 10).fill(NONE);
  #count = 0;

  /** The group of the waits that a thread is in. */
  of(utid: number): number {
    if (utid >= this.#of.length) this.#of = grown(this.#of, new Int32Array(2 * utid).fill(NONE));
    const known = this.#of[utid] ?? NONE;
    if (known !== NONE) return known;
    this.#of[utid] = this.#count;
    return this.#count++;
  }

  /** A run of a thread was before: its group, or -1. */
  end(utid: number): number {
    const group = this.#of[utid] ?? NONE;
    if (group !== NONE) this.#of[utid] = NONE;
    return group;
  }
}

/** A set of small whole numbers, a bit each. */
export class Flags {
  #bits = new Uint8Array(1 << 10);

  add(number: number): void {
    const byte = number >>> 3;
    if (byte >= this.#bits.length) this.#bits = grown(this.#bits, new Uint8Array(2 * byte));
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (number & 7));
  }

  has(number: number): boolean {
    return ((this.#bits[number >>> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }
}

/** Which groups of wakes of a range were for work, by what the thread had blocked for last. */
export async function waitsForWork(tables: Tables, range: Stretch): Promise<Flags> {
  const found = new ForWork();
  const runs = ['switch_out_wait_reason'] as const;
  await walkBack(tables, { range, cause: 'wake', runs, waits: [] }, found);
  return found.flags;
}

class ForWork implements WalksBack<'switch_out_wait_reason', never> {
  readonly flags = new Flags();
  readonly #groups = new WaitGroups();
  /** By the number of a wait reason: 1 if it is for work. */
  #texts: readonly string[] | null = null;
  #isWork: Uint8Array = new Uint8Array(0);

  run(
    { utid, switch_out_wait_reason: reason }: Batch<'utid' | 'switch_out_wait_reason'>['columns'],
    row: number,
  ): void {
    const group = this.#groups.end(utid.values[row] ?? 0);
    if (group === NONE) return;
    if (reason.texts !== this.#texts) {
      this.#texts = reason.texts;
      this.#isWork = Uint8Array.from(reason.texts ?? [], (text) => Number(FOR_WORK.has(text)));
    }
    if (reason.present?.[row] !== 0 && this.#isWork[reason.values[row] ?? 0] === 1) this.flags.add(group);
  }

  wait({ utid }: Readonly<Record<'utid', Float64Array>>, wait: number): void {
    this.#groups.of(utid[wait] ?? 0);
  }
}
