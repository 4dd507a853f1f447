import { CpuEvents } from './cpu-events.ts';
import { EventWheel } from './event-wheel.ts';
import { NO_BURST, type Recorded } from './recorded.ts';

/** How long threads of one claim run in turn, in ns: two clock intervals, as on a Windows client. */
const QUANTUM_NS = 31_250_000;

/** In place of a thread. */
const NONE = -1;
const [BLOCKED, READY, RUNNING] = [0, 1, 2];

/**
 * Runs the bursts on so many CPUs; of those with equal claims the one that came first goes first. Gives by burst how long its thread was
 * ready without running, in ns; NaN for a burst that did not end.
 */
export function replay(recorded: Recorded, cpuCount: number): Float64Array {
  return new Replay(recorded, cpuCount).run();
}

/** Threads, CPUs and ready queues in columns: objects would take most of the time. */
class Replay {
  readonly #recorded: Recorded;
  readonly #ready_ns: Float64Array;
  /** When threads that sleep wake. */
  readonly #sleepers: EventWheel;
  /** The time that the replay has come to. A field, since V8 makes an object of such a number where it calls a function with it. */
  #now_ns = NaN;
  /** How many events were added: of equal times the one that was added first comes first. */
  #added = 0;
  readonly #queues: Queues;
  // By thread.
  /** The burst that it is in, or waits for. */
  readonly #burst: Int32Array;
  /** CPU time until it blocks. */
  readonly #left_ns: Float64Array;
  /** How much of that is left when it wakes another thread next; negative infinity where it wakes none any more. */
  readonly #leftAtWake_ns: Float64Array;
  /** How much of that is left when its quantum ends. */
  readonly #leftAtTurn_ns: Float64Array;
  readonly #nextWake: Uint32Array;
  /** Wakes that came before the block. */
  readonly #early: Uint32Array;
  readonly #state: Uint8Array;
  /** How long it was ready; less the time since when it is, while it is ready. */
  readonly #readyFor_ns: Float64Array;
  readonly #claim: Int32Array;
  // By CPU.
  readonly #running: Int32Array;
  /** The claim of the thread that runs, or ran last. */
  readonly #runningClaim: Int32Array;
  /** No thread that runs has a worse claim. */
  #worstClaim = -Infinity;
  /** A bit for each CPU that runs nothing, 32 in a number. */
  readonly #idle: Int32Array;
  #idleCount: number;
  readonly #since: Float64Array;
  /** When their threads do something next. */
  readonly #events: CpuEvents;

  constructor(recorded: Recorded, cpuCount: number) {
    const threads = recorded.utids.length;
    const { claims } = recorded;
    this.#recorded = recorded;
    this.#ready_ns = new Float64Array(claims.length).fill(NaN);
    const { start, end } = recorded.stretch;
    this.#now_ns = start;
    this.#sleepers = new EventWheel(Math.max(1, end - start) / Math.max(1, claims.length));
    this.#queues = new Queues(threads, claims);
    this.#burst = recorded.firsts.slice();
    this.#left_ns = new Float64Array(threads);
    this.#leftAtWake_ns = new Float64Array(threads);
    this.#leftAtTurn_ns = new Float64Array(threads);
    this.#nextWake = new Uint32Array(threads);
    this.#early = new Uint32Array(threads);
    this.#state = new Uint8Array(threads).fill(BLOCKED);
    this.#readyFor_ns = new Float64Array(threads);
    this.#claim = new Int32Array(threads);
    this.#running = new Int32Array(cpuCount).fill(NONE);
    this.#since = new Float64Array(cpuCount);
    this.#runningClaim = new Int32Array(cpuCount);
    this.#idle = new Int32Array(Math.ceil(cpuCount / 32));
    for (let cpu = 0; cpu < cpuCount; cpu++) this.#flipIdle(cpu);
    this.#idleCount = cpuCount;
    this.#events = new CpuEvents(cpuCount);
  }

  run(): Float64Array {
    const { stretch, utids } = this.#recorded;
    for (let thread = 0; thread < utids.length; thread++)
      this.#sleep(thread, this.#recorded.asleepFirst_ns[thread] ?? NaN);
    for (;;) {
      const ts = this.#events.next_ts;
      const wake_ts = this.#sleepers.next_ts;
      const isWake = wake_ts < ts || (wake_ts === ts && this.#sleepers.next_order < this.#events.next_order);
      this.#now_ns = isWake ? wake_ts : ts;
      if (this.#now_ns >= stretch.end) return this.#ready_ns;
      if (isWake) this.#wake(this.#sleepers.take());
      else this.#goOn(this.#events.take());
    }
  }

  /** Lets the thread sleep so long; not where another thread's wake begins its next burst. */
  #sleep(thread: number, asleep_ns: number): void {
    if (!Number.isNaN(asleep_ns)) this.#sleepers.add(this.#now_ns + asleep_ns, this.#added++, thread);
  }

  #hasBurst(thread: number): boolean {
    return this.#burst[thread] !== NO_BURST;
  }

  #wake(thread: number): void {
    if (this.#state[thread] !== BLOCKED) {
      this.#early[thread] = (this.#early[thread] ?? 0) + 1;
      return;
    }
    if (!this.#hasBurst(thread)) return;
    const burst = this.#burst[thread] ?? 0;
    const ran_ns = this.#recorded.ran_ns[burst] ?? 0;
    this.#left_ns[thread] = ran_ns;
    this.#leftAtTurn_ns[thread] = ran_ns - QUANTUM_NS;
    this.#nextWake[thread] = this.#recorded.wakes[burst] ?? 0;
    this.#aim(thread, burst);
    this.#readyFor_ns[thread] = 0;
    this.#claim[thread] = this.#recorded.claims[burst] ?? 0;
    this.#makeReady(thread, false);
  }

  /** Says when the thread wakes another one next. */
  #aim(thread: number, burst: number): void {
    const next = this.#nextWake[thread] ?? 0;
    const { ran_ns, wakes, after_ns } = this.#recorded;
    this.#leftAtWake_ns[thread] =
      next < (wakes[burst + 1] ?? 0) ? (ran_ns[burst] ?? 0) - (after_ns[next] ?? 0) : -Infinity;
  }

  #makeReady(thread: number, isFirst: boolean): void {
    this.#state[thread] = READY;
    this.#readyFor_ns[thread] = (this.#readyFor_ns[thread] ?? 0) - this.#now_ns;
    if (this.#idleCount > 0) {
      const cpu = this.#firstIdle();
      this.#flipIdle(cpu);
      this.#idleCount--;
      this.#start(cpu, thread);
      return;
    }
    const claim = this.#claim[thread] ?? 0;
    const worst = claim < this.#worstClaim ? this.#worstCpu() : NONE;
    if (worst === NONE || (this.#runningClaim[worst] ?? 0) <= claim) {
      this.#queues.add(thread, claim, isFirst);
      return;
    }
    const victim = this.#running[worst] ?? NONE;
    this.#events.remove(worst);
    this.#charge(worst);
    this.#start(worst, thread);
    this.#makeReady(victim, true);
  }

  #firstIdle(): number {
    let word = 0;
    while (this.#idle[word] === 0) word++;
    const bits = this.#idle[word] ?? 0;
    return 32 * word + 31 - Math.clz32(bits & -bits);
  }

  #flipIdle(cpu: number): void {
    this.#idle[cpu >> 5] = (this.#idle[cpu >> 5] ?? 0) ^ (1 << (cpu & 31));
  }

  /** The CPU whose thread has the worst claim. */
  #worstCpu(): number {
    const claims = this.#runningClaim;
    let worst = 0;
    for (let cpu = 1; cpu < claims.length; cpu++) if ((claims[cpu] ?? 0) > (claims[worst] ?? 0)) worst = cpu;
    this.#worstClaim = claims[worst] ?? 0;
    return worst;
  }

  #start(cpu: number, thread: number): void {
    this.#running[cpu] = thread;
    this.#since[cpu] = this.#now_ns;
    if (thread === NONE) {
      this.#flipIdle(cpu);
      this.#idleCount++;
      return;
    }
    const claim = this.#claim[thread] ?? 0;
    this.#runningClaim[cpu] = claim;
    if (claim > this.#worstClaim) this.#worstClaim = claim;
    this.#readyFor_ns[thread] = (this.#readyFor_ns[thread] ?? 0) + this.#now_ns;
    this.#state[thread] = RUNNING;
    this.#schedule(cpu, thread);
  }

  /** Lets the next event of the run come: a wake that the thread does, its block, or the end of its quantum. */
  #schedule(cpu: number, thread: number): void {
    const leftThen_ns = Math.max(0, this.#leftAtWake_ns[thread] ?? 0, this.#leftAtTurn_ns[thread] ?? 0);
    const next_ns = Math.max(0, (this.#left_ns[thread] ?? 0) - leftThen_ns);
    this.#events.add(cpu, this.#now_ns + next_ns, this.#added++);
  }

  #charge(cpu: number): void {
    const thread = this.#running[cpu] ?? NONE;
    const ran_ns = this.#now_ns - (this.#since[cpu] ?? 0);
    this.#since[cpu] = this.#now_ns;
    if (thread === NONE) return;
    this.#left_ns[thread] = (this.#left_ns[thread] ?? 0) - ran_ns;
  }

  /** What the thread of a CPU does next. */
  #goOn(cpu: number): void {
    this.#charge(cpu);
    const thread = this.#running[cpu] ?? NONE;
    if (thread === NONE) return;
    const left_ns = this.#left_ns[thread] ?? 0;
    while ((this.#leftAtWake_ns[thread] ?? 0) >= left_ns) {
      const next = this.#nextWake[thread] ?? 0;
      this.#nextWake[thread] = next + 1;
      this.#aim(thread, this.#burst[thread] ?? 0);
      this.#wake(this.#recorded.woken[next] ?? 0);
      // Whom it woke may have taken its CPU.
      if (this.#running[cpu] !== thread) return;
    }
    if (left_ns <= 0) {
      this.#start(cpu, this.#queues.take());
      this.#block(thread);
      return;
    }
    if ((this.#leftAtTurn_ns[thread] ?? 0) >= left_ns) {
      this.#leftAtTurn_ns[thread] = left_ns - QUANTUM_NS;
      if (this.#queues.best <= (this.#claim[thread] ?? 0)) {
        this.#start(cpu, this.#queues.take());
        this.#makeReady(thread, false);
        return;
      }
    }
    this.#schedule(cpu, thread);
  }

  #block(thread: number): void {
    const burst = this.#burst[thread] ?? 0;
    this.#ready_ns[burst] = this.#readyFor_ns[thread] ?? 0;
    this.#state[thread] = BLOCKED;
    this.#burst[thread] = this.#recorded.nexts[burst] ?? NO_BURST;
    const asleep_ns = this.#recorded.asleepAfter_ns[burst] ?? NaN;
    this.#sleep(thread, asleep_ns);
    const early = this.#early[thread] ?? 0;
    if (early === 0 || !Number.isNaN(asleep_ns)) return;
    this.#early[thread] = early - 1;
    this.#wake(thread);
  }
}

/** Ready threads by claim: those of one claim in the order in which they came. */
class Queues {
  /** The claim that goes before all others. */
  readonly #leastClaim: number;
  // By claim, from that on.
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  /** By thread: who comes after it. */
  readonly #next: Int32Array;
  #count = 0;
  /** None of a lower claim is ready, if any is. */
  #best = 0;

  constructor(threads: number, claims: Int32Array) {
    let least = 0;
    let most = 0;
    for (let burst = 0; burst < claims.length; burst++) {
      const claim = claims[burst] ?? 0;
      if (claim < least) least = claim;
      if (claim > most) most = claim;
    }
    this.#leastClaim = least;
    this.#first = new Int32Array(most - least + 1).fill(NONE);
    this.#last = this.#first.slice();
    this.#next = new Int32Array(threads);
  }

  /** The claim of the thread that goes first; infinite where none is ready. */
  get best(): number {
    if (this.#count === 0) return Infinity;
    while (this.#first[this.#best] === NONE) this.#best++;
    return this.#best + this.#leastClaim;
  }

  add(thread: number, claim: number, isFirst: boolean): void {
    const place = claim - this.#leastClaim;
    const first = this.#first[place] ?? NONE;
    const last = this.#last[place] ?? NONE;
    if (this.#count++ === 0 || place < this.#best) this.#best = place;
    this.#next[thread] = isFirst ? first : NONE;
    if (!isFirst && last !== NONE) this.#next[last] = thread;
    if (isFirst || first === NONE) this.#first[place] = thread;
    if (!isFirst || last === NONE) this.#last[place] = thread;
  }

  /** Takes the thread that goes first; `NONE` where none is ready. */
  take(): number {
    if (this.best === Infinity) return NONE;
    this.#count--;
    const thread = this.#first[this.#best] ?? NONE;
    const next = this.#next[thread] ?? NONE;
    this.#first[this.#best] = next;
    if (next === NONE) this.#last[this.#best] = NONE;
    return thread;
  }
}
