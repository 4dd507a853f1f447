import { grown } from '../../tables/index.ts';
import { noUses, partAt, PARTS, standingNumber, STANDINGS } from '../../why-late/index.ts';
import { NO_RUN, type CpuStates } from './cpu-timeline.ts';

/** What use a CPU is to a wait: how the run on it stands, by the numbers of `STANDINGS`, or one of these. */
const [INTERRUPTED, FREE_ELSEWHERE, ELSEWHERE, MISSING, LOST, NO_USE] = [5, 6, 7, 8, 9, 10];
const USES = 11;
const [BETTER_RANK, PRIORITY, BEHIND, UNKNOWN, IDLE] = (
  ['better_rank', 'priority', 'behind', 'unknown', 'idle'] as const
).map((standing) => STANDINGS.indexOf(standing)) as [number, number, number, number, number];

const numberOf = (part: (typeof PARTS)[number]) => PARTS.indexOf(part);
export const FREE = numberOf('free');
const INTERRUPT = numberOf('interrupt');
/** The part is not known before all changes of an instant are; how a run stands, before somebody asks. */
const UNSETTLED = -1;

/** Which part passes, whatever CPU took the thread, where CPUs of some uses are there: by a bit for each use. */
const PART_OF = Int8Array.from({ length: 1 << USES }, (_, uses) => {
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
  return numberOf(partAt(null, are(LOST) === 1, counts, are(MISSING)));
});

/** Ready waits that stand alike to all CPUs: of one rank, one priority, and barred from the same CPUs. */
export interface WaitKind {
  readonly rank: number;
  readonly priority: number;
  /** The CPUs that they may not use. */
  readonly barred: readonly number[];
}

/** So many kinds of which nobody waits are followed all the same: somebody soon waits again. */
const IDLE_KINDS = 8;

/**
 * Since when which part of their time passes for all waits of a kind that a CPU took: what holds of one of them at an instant holds of
 * all. A pair of a kind and a CPU is a taker; its number is got from {@link WaitKinds.takerOf}.
 */
export class WaitKinds {
  readonly #cpus: CpuStates;
  readonly #cpuCount: number;
  /** A stretch of another part between two with a free CPU that is no longer than this does not part them. */
  readonly #gapMax_ns: number;
  // By kind.
  #count = 0;
  #rank = new Int32Array(0);
  #priority = new Int32Array(0);
  /** How many CPUs are of each use, and a bit for each use of which one is. */
  #counts = new Int32Array(0);
  #uses = new Int32Array(0);
  /** 1 where a CPU changed. */
  #hasChanged = new Uint8Array(0);
  /** Its takers of which somebody waits. */
  readonly #takers: number[][] = [];
  /** By kind and by the number of what runs: how that stands. */
  #standings = new Int8Array(0);
  #runs = 64;
  // By kind and CPU.
  /** 1 for a CPU that its threads may not use. */
  #barred = new Uint8Array(0);
  #use = new Uint8Array(0);
  /** Kinds whose CPUs are followed: those of which somebody waits, and some others. */
  readonly #followed: number[] = [];
  /** 1 for a kind that is followed. */
  #isFollowed = new Uint8Array(0);
  #idleKinds = 0;
  /** The first so many: kinds of which a CPU changed. */
  readonly #changed: number[] = [];
  #changedCount = 0;
  // By taker.
  /** How many wait. */
  #many = new Int32Array(0);
  /** The part that passes, since when, and up to when it is added to the sums. */
  #part = new Int8Array(0);
  #since = new Float64Array(0);
  #summedTo = new Float64Array(0);
  /** By part, in ns. */
  #sums = new Float64Array(0);
  /** The sum of time with a free CPU when the last stretches of it began that only short ones part. */
  #tailFrom_ns = new Float64Array(0);

  constructor(cpus: CpuStates, tick_ns: number) {
    this.#cpus = cpus;
    this.#cpuCount = cpus.run.length;
    // Times are whole ns: a tick of 279.4 ns may be one of 279.
    this.#gapMax_ns = tick_ns - 1;
  }

  /** Adds a kind. */
  add({ rank, priority, barred }: WaitKind): number {
    const kind = this.#count++;
    this.#takers.push([]);
    const size = this.#rank.length;
    if (kind >= size) this.#grow(Math.max(16, 2 * size));
    this.#rank[kind] = rank;
    this.#priority[kind] = priority;
    for (const cpu of barred) this.#barred[kind * this.#cpuCount + cpu] = 1;
    return kind;
  }

  /** The number of a kind and the CPU that took its waits; null for waits that no CPU took. */
  takerOf(kind: number, cpu: number | null): number {
    return kind * (this.#cpuCount + 1) + (cpu ?? this.#cpuCount);
  }

  /** A wait of a taker begins. */
  begin(taker: number, ts: number): void {
    const many = this.#many[taker] ?? 0;
    this.#many[taker] = many + 1;
    if (many > 0) return;
    const kind = this.#kindOf(taker);
    const takers = this.#takers[kind] ?? [];
    if (this.#isFollowed[kind] !== 1) this.#follow(kind);
    else if (takers.length === 0) this.#idleKinds--;
    takers.push(taker);
    this.#noteChange(kind);
    this.#part[taker] = UNSETTLED;
    this.#since[taker] = ts;
    this.#summedTo[taker] = ts;
    this.#tailFrom_ns[taker] = this.#sums[taker * PARTS.length + FREE] ?? 0;
  }

  /** A wait of a taker ends. */
  end(taker: number): void {
    const many = (this.#many[taker] ?? 0) - 1;
    this.#many[taker] = many;
    if (many > 0) return;
    const kind = this.#kindOf(taker);
    const takers = this.#takers[kind] ?? [];
    remove(takers, taker);
    if (takers.length > 0) return;
    if (this.#idleKinds < IDLE_KINDS) {
      this.#idleKinds++;
      return;
    }
    remove(this.#followed, kind);
    this.#isFollowed[kind] = 0;
  }

  /** Something changed on a CPU. */
  change(cpu: number): void {
    for (const kind of this.#followed) {
      const at = kind * this.#cpuCount + cpu;
      const before = this.#use[at] ?? NO_USE;
      const after = this.#useOf(kind, cpu);
      if (before === after) continue;
      this.#use[at] = after;
      this.#countOne(kind, before, -1);
      this.#countOne(kind, after, 1);
      this.#noteChange(kind);
    }
  }

  /** All changes of an instant are told: from now on another part may pass. */
  settle(ts: number): void {
    for (; this.#changedCount > 0; this.#changedCount--) {
      const kind = this.#changed[this.#changedCount - 1] ?? 0;
      this.#hasChanged[kind] = 0;
      const uses = this.#uses[kind] ?? 0;
      const part = PART_OF[uses] ?? 0;
      const mayTake = (uses & (1 << INTERRUPTED)) !== 0 && (uses & (1 << LOST)) === 0;
      for (const taker of this.#takers[kind] ?? []) {
        const isTaking = mayTake && this.#isInterrupted(kind, taker);
        this.#pass(taker, isTaking ? INTERRUPT : part, ts);
      }
    }
  }

  /** Copies the sums of all parts that passed up to a time, in ns, into `into` from a place on. */
  copySums(taker: number, ts: number, into: Float64Array, place: number): void {
    this.#sum(taker, ts);
    const from = taker * PARTS.length;
    for (let part = 0; part < PARTS.length; part++) into[place + part] = this.#sums[from + part] ?? 0;
  }

  /** The sum of a part up to a time, in ns. */
  sumOf(taker: number, ts: number, part: number): number {
    this.#sum(taker, ts);
    return this.#sums[taker * PARTS.length + part] ?? 0;
  }

  /**
   * The sum of time with a free CPU when that time began which lasts up to `ts`, but for short stretches; null if it does not last
   * up to then. `wait_ts`: the start of the wait.
   */
  tailFrom(taker: number, wait_ts: number, ts: number): number | null {
    const of_ns = ts - Math.max(wait_ts, this.#since[taker] ?? 0);
    if (this.#part[taker] !== FREE && of_ns > this.#gapMax_ns) return null;
    return this.#tailFrom_ns[taker] ?? 0;
  }

  #pass(taker: number, part: number, ts: number): void {
    const before = this.#part[taker] ?? UNSETTLED;
    if (before === part) return;
    this.#sum(taker, ts);
    if (before !== FREE && ts - (this.#since[taker] ?? 0) > this.#gapMax_ns)
      this.#tailFrom_ns[taker] = this.#sums[taker * PARTS.length + FREE] ?? 0;
    this.#part[taker] = part;
    this.#since[taker] = ts;
  }

  #sum(taker: number, ts: number): void {
    const passed_ns = ts - (this.#summedTo[taker] ?? 0);
    if (passed_ns <= 0) return;
    const at = taker * PARTS.length + (this.#part[taker] ?? 0);
    this.#sums[at] = (this.#sums[at] ?? 0) + passed_ns;
    this.#summedTo[taker] = ts;
  }

  #follow(kind: number): void {
    this.#followed.push(kind);
    this.#isFollowed[kind] = 1;
    this.#counts.fill(0, kind * USES, (kind + 1) * USES);
    this.#uses[kind] = 0;
    for (let cpu = 0; cpu < this.#cpuCount; cpu++) {
      const use = this.#useOf(kind, cpu);
      this.#use[kind * this.#cpuCount + cpu] = use;
      this.#countOne(kind, use, 1);
    }
  }

  #countOne(kind: number, use: number, by: 1 | -1): void {
    const at = kind * USES + use;
    const count = (this.#counts[at] ?? 0) + by;
    this.#counts[at] = count;
    const uses = this.#uses[kind] ?? 0;
    this.#uses[kind] = count === 0 ? uses & ~(1 << use) : uses | (1 << use);
  }

  #noteChange(kind: number): void {
    if (this.#hasChanged[kind] === 1) return;
    this.#hasChanged[kind] = 1;
    this.#changed[this.#changedCount++] = kind;
  }

  #kindOf(taker: number): number {
    return Math.floor(taker / (this.#cpuCount + 1));
  }

  /** Whether an interrupt keeps the CPU of a taker. */
  #isInterrupted(kind: number, taker: number): boolean {
    const cpu = taker - kind * (this.#cpuCount + 1);
    return cpu < this.#cpuCount && this.#use[kind * this.#cpuCount + cpu] === INTERRUPTED;
  }

  /** How the runs of a number stand to waits of a kind; told once. */
  #standingOf(kind: number, run: number): number {
    if (run >= this.#runs) {
      this.#runs = 2 * run;
      this.#standings = new Int8Array(this.#rank.length * this.#runs).fill(UNSETTLED);
    }
    const at = kind * this.#runs + run;
    const known = this.#standings[at] ?? UNSETTLED;
    if (known !== UNSETTLED) return known;
    const { utid, rank, priority } = this.#cpus.runKinds[run] ?? { utid: 0, rank: 0, priority: 0 };
    const standing = standingNumber(utid, rank, priority, this.#rank[kind] ?? 0, this.#priority[kind] ?? 0);
    this.#standings[at] = standing;
    return standing;
  }

  #useOf(kind: number, cpu: number): number {
    const { run, losses, hasBegun, interrupts } = this.#cpus;
    const isBarred = this.#barred[kind * this.#cpuCount + cpu] === 1;
    if ((losses[cpu] ?? 0) > 0) return isBarred ? NO_USE : LOST;
    const at = run[cpu] ?? NO_RUN;
    // A CPU without a run is one of which events are missing, once it had runs.
    if (at === NO_RUN) return isBarred ? NO_USE : hasBegun[cpu] === 1 ? LOST : MISSING;
    const standing = this.#standingOf(kind, at);
    const isFree = standing === IDLE || standing === BEHIND;
    const isInterrupted = (interrupts[cpu] ?? 0) > 0;
    if (isBarred) return isFree && !isInterrupted ? FREE_ELSEWHERE : ELSEWHERE;
    return isInterrupted && isFree ? INTERRUPTED : standing;
  }

  #grow(kinds: number): void {
    this.#rank = grown(this.#rank, new Int32Array(kinds));
    this.#priority = grown(this.#priority, new Int32Array(kinds));
    this.#counts = grown(this.#counts, new Int32Array(kinds * USES));
    this.#uses = grown(this.#uses, new Int32Array(kinds));
    this.#hasChanged = grown(this.#hasChanged, new Uint8Array(kinds));
    this.#isFollowed = grown(this.#isFollowed, new Uint8Array(kinds));
    this.#barred = grown(this.#barred, new Uint8Array(kinds * this.#cpuCount));
    this.#use = grown(this.#use, new Uint8Array(kinds * this.#cpuCount));
    const known = this.#standings;
    this.#standings = new Int8Array(kinds * this.#runs).fill(UNSETTLED);
    this.#standings.set(known);
    const takers = kinds * (this.#cpuCount + 1);
    this.#many = grown(this.#many, new Int32Array(takers));
    this.#part = grown(this.#part, new Int8Array(takers));
    this.#since = grown(this.#since, new Float64Array(takers));
    this.#summedTo = grown(this.#summedTo, new Float64Array(takers));
    this.#sums = grown(this.#sums, new Float64Array(takers * PARTS.length));
    this.#tailFrom_ns = grown(this.#tailFrom_ns, new Float64Array(takers));
  }
}

/** Takes a number out of some in any order. */
function remove(numbers: number[], number: number): void {
  const last = numbers.pop();
  if (last === undefined || last === number) return;
  numbers[numbers.indexOf(number)] = last;
}
