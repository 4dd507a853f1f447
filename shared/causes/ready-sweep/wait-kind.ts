import { grown } from '../../tables/index.ts';
import { noUses, partAt, standingNumber, STANDINGS, WHYS } from '../../why-late/index.ts';
import { LOST_STATE, MISSING_STATE, type CpuTimeline } from './cpu-timeline.ts';
import type { Presence } from './presence.ts';

/** What use a CPU is to a wait: how the run on it stands, by the numbers of `STANDINGS`, or one of these. */
const [INTERRUPTED, FREE_ELSEWHERE, ELSEWHERE, MISSING, LOST] = [5, 6, 7, 8, 9];
const USES = 10;
const [BETTER_RANK, PRIORITY, BEHIND, UNKNOWN, IDLE] = (
  ['better_rank', 'priority', 'behind', 'unknown', 'idle'] as const
).map((standing) => STANDINGS.indexOf(standing)) as [number, number, number, number, number];

/** A free CPU explains nothing by itself. */
export const FREE = WHYS.indexOf('not_explained');
const INTERRUPT = WHYS.indexOf('interrupt');

/** Why a thread waits, by its number in `WHYS`, whatever CPU took it, where CPUs of some uses are there: by a bit for each use. */
const WHY_OF = Int8Array.from({ length: 1 << USES }, (_, uses) => {
  const are = (use: number) => (uses >> use) & 1;
  const counts = {
    ...noUses(),
    better_rank: are(BETTER_RANK),
    priority: are(PRIORITY),
    behind: are(BEHIND),
    unknown: are(UNKNOWN),
    idle: are(IDLE),
    interrupt: are(INTERRUPTED),
    free_elsewhere: are(FREE_ELSEWHERE),
    elsewhere: are(ELSEWHERE),
  };
  const part = partAt(null, are(LOST) === 1, counts, are(MISSING));
  return part === 'free' ? FREE : WHYS.indexOf(part);
});

/** The sums of so many stretches that follow one another are kept: a long wait adds these. */
const PAGE_BITS = 6;
const PAGE = 1 << PAGE_BITS;

/** Ready waits that stand alike to all CPUs: of one rank, one priority, and barred from the same CPUs. */
export class WaitKind {
  readonly presence: Presence;
  readonly #cpus: CpuTimeline;
  readonly #rank: number;
  readonly #priority: number;
  /** By bit of a state: the bit of its use; 0 for one that is of no use, and -1 before somebody asks. */
  #uses = new Int32Array(0);
  /** The ns of pages by reason; and 1 for a page that was summed. */
  #sums = new Float64Array(0);
  #isSummed = new Uint8Array(0);

  constructor(cpus: CpuTimeline, presence: Presence, rank: number, priority: number) {
    [this.#cpus, this.presence, this.#rank, this.#priority] = [cpus, presence, rank, priority];
  }

  /** Why they wait in a stretch, by its number in `WHYS`, whatever CPU takes the thread. */
  whyIn(stretch: number): number {
    return WHY_OF[this.#usesIn(stretch)] ?? FREE;
  }

  /** The same of a thread that a CPU takes which is in a state then. */
  whyTaken(stretch: number, cpu: number, state: number): number {
    const uses = this.#usesIn(stretch);
    const isTaking = this.#useOf(this.presence.bitOf(cpu, state)) === 1 << INTERRUPTED;
    return isTaking && (uses & (1 << LOST)) === 0 ? INTERRUPT : (WHY_OF[uses] ?? FREE);
  }

  /** Adds what passes from one time to another to the ns of each reason, whatever CPU takes the thread. */
  addWhys(from: number, to: number, into: Float64Array): void {
    const { ts, count } = this.presence;
    let stretch = this.presence.before(to);
    for (let end = to; end > from; stretch--) {
      const page = stretch >> PAGE_BITS;
      const first = page << PAGE_BITS;
      const isPageEnd = stretch === first + PAGE - 1 && stretch + 1 < count;
      if (isPageEnd && end === ts[stretch + 1] && (ts[first] ?? 0) >= from) {
        this.#addPage(page, into);
        stretch = first;
        end = ts[first] ?? 0;
        continue;
      }
      const start = Math.max(from, ts[stretch] ?? 0);
      const why = this.whyIn(stretch);
      into[why] = (into[why] ?? 0) + end - start;
      end = start;
    }
  }

  #addPage(page: number, into: Float64Array): void {
    if (page >= this.#isSummed.length || this.#isSummed[page] !== 1) this.#sumPage(page);
    const first = page * WHYS.length;
    for (let why = 0; why < WHYS.length; why++) into[why] = (into[why] ?? 0) + (this.#sums[first + why] ?? 0);
  }

  #sumPage(page: number): void {
    if (page >= this.#isSummed.length) {
      this.#isSummed = grown(this.#isSummed, new Uint8Array(2 * page + 1));
      this.#sums = grown(this.#sums, new Float64Array(this.#isSummed.length * WHYS.length));
    }
    this.#isSummed[page] = 1;
    const { ts } = this.presence;
    for (let stretch = page * PAGE; stretch < (page + 1) * PAGE; stretch++) {
      const at = page * WHYS.length + this.whyIn(stretch);
      this.#sums[at] = (this.#sums[at] ?? 0) + (ts[stretch + 1] ?? 0) - (ts[stretch] ?? 0);
    }
  }

  #usesIn(stretch: number): number {
    const { bits, words } = this.presence;
    let uses = 0;
    for (let word = 0; word < words; word++)
      for (let rest = bits[stretch * words + word] ?? 0; rest !== 0; rest &= rest - 1)
        uses |= this.#useOf(32 * word + 31 - Math.clz32(rest & -rest));
    return uses;
  }

  /** The use of a CPU in the state of a bit, as a bit. */
  #useOf(bit: number): number {
    const known = bit < this.#uses.length ? (this.#uses[bit] ?? -1) : -1;
    if (known >= 0) return known;
    if (bit >= this.#uses.length)
      this.#uses = grown(this.#uses, new Int32Array(Math.max(32, 2 * bit)).fill(-1, this.#uses.length));
    return (this.#uses[bit] = this.#workedOut(bit));
  }

  #workedOut(bit: number): number {
    const { state, isBarred } = this.presence.ofBit(bit);
    if (state === MISSING_STATE) return isBarred ? 0 : 1 << MISSING;
    if (state === LOST_STATE) return isBarred ? 0 : 1 << LOST;
    const { utid, rank, priority, isInterrupted } = this.#cpus.stateOf(state);
    const standing = standingNumber(utid, rank, priority, this.#rank, this.#priority);
    const isFree = standing === IDLE || standing === BEHIND;
    if (isBarred) return 1 << (isFree && !isInterrupted ? FREE_ELSEWHERE : ELSEWHERE);
    return 1 << (isInterrupted && isFree ? INTERRUPTED : standing);
  }
}
