import { EventHeap } from './event-heap.ts';
import type { Burst, Recorded } from './recorded.ts';

/** How long threads of one claim run in turn, in ns: two clock intervals, as on a Windows client. */
const QUANTUM_NS = 31_250_000;

/** Who goes first: by rank, lower ones first, then by priority, higher ones first. */
export interface Claim {
  readonly rank: number;
  readonly priority: number;
}

/** What became of a thread in a replay. */
export interface Replayed {
  /** Of each burst that ended how long the thread was ready in it, in ns. */
  readonly ready_ns: readonly number[];
}

interface Thread {
  readonly utid: number;
  readonly bursts: readonly Burst[];
  readonly ended: number[];
  /** The burst that it is in, or waits for. */
  at: number;
  left_ns: number;
  nextWake: number;
  /** Wakes that came before the block. */
  tokens: number;
  state: 'blocked' | 'ready' | 'running';
  ready_since: number;
  ready_ns: number;
  claim: number;
  quantum_ns: number;
}

interface Cpu {
  running: Thread | null;
  since: number;
  /** The number of the run, which events of it carry. */
  run: number;
}

type Event =
  | { readonly kind: 'wake'; readonly thread: Thread }
  | { readonly kind: 'run'; readonly cpu: Cpu; readonly run: number };

/** Runs the bursts on so many processors. `claimOf` says with which claim a thread waits in a burst. */
export function replay(
  { stretch, threads }: Recorded,
  cpuCount: number,
  claimOf: (utid: number, burst: Burst) => Claim,
): ReadonlyMap<number, Replayed> {
  const heap = new EventHeap<Event>();
  const all = new Map<number, Thread>();
  for (const [utid, bursts] of threads) {
    const fresh = { at: 0, left_ns: 0, nextWake: 0, tokens: 0, ready_since: 0, ready_ns: 0, claim: 0 };
    const thread: Thread = { utid, bursts, ended: [], ...fresh, quantum_ns: QUANTUM_NS, state: 'blocked' };
    all.set(utid, thread);
    const first = bursts[0];
    if (first !== undefined && first.wake !== 'thread')
      heap.add(stretch.start + first.wake, { kind: 'wake', thread });
  }
  const cpus = Array.from({ length: cpuCount }, (): Cpu => ({ running: null, since: 0, run: 0 }));
  /** By claim. None below the least has a thread. */
  const queues: Thread[][] = [];
  let least = 0;

  /** The claim of the thread that goes first; infinite where none is ready. */
  const best = (): number => {
    while (least < queues.length && (queues[least]?.length ?? 0) === 0) least++;
    return least < queues.length ? least : Infinity;
  };
  const schedule = (cpu: Cpu, now: number) => {
    const thread = cpu.running;
    if (thread === null) return;
    const burst = thread.bursts[thread.at];
    const ran_ns = (burst?.ran_ns ?? 0) - thread.left_ns;
    const wake_ns = (burst?.wakes[thread.nextWake]?.after_ns ?? Infinity) - ran_ns;
    const next = Math.max(0, Math.min(wake_ns, thread.left_ns, thread.quantum_ns));
    heap.add(now + next, { kind: 'run', cpu, run: cpu.run });
  };
  const start = (cpu: Cpu, thread: Thread | null, now: number) => {
    cpu.running = thread;
    cpu.since = now;
    cpu.run++;
    if (thread === null) return;
    thread.ready_ns += now - thread.ready_since;
    thread.state = 'running';
    schedule(cpu, now);
  };
  const charge = (cpu: Cpu, now: number) => {
    if (cpu.running !== null) {
      cpu.running.left_ns -= now - cpu.since;
      cpu.running.quantum_ns -= now - cpu.since;
    }
    cpu.since = now;
  };
  const enqueue = (thread: Thread, isFirst: boolean) => {
    const queue = (queues[thread.claim] ??= []);
    least = Math.min(least, thread.claim);
    if (isFirst) queue.unshift(thread);
    else queue.push(thread);
  };
  const pop = (): Thread | null => queues[best()]?.shift() ?? null;
  const makeReady = (thread: Thread, now: number, isFirst = false) => {
    thread.state = 'ready';
    thread.ready_since = now;
    const idle = cpus.find(({ running }) => running === null);
    if (idle !== undefined) {
      start(idle, thread, now);
      return;
    }
    const worst = cpus.reduce((a, b) => ((b.running?.claim ?? 0) > (a.running?.claim ?? 0) ? b : a));
    const victim = worst.running;
    if (victim === null || victim.claim <= thread.claim) {
      enqueue(thread, isFirst);
      return;
    }
    charge(worst, now);
    start(worst, thread, now);
    makeReady(victim, now, true);
  };
  const wake = (thread: Thread, now: number) => {
    if (thread.state !== 'blocked') {
      thread.tokens++;
      return;
    }
    const burst = thread.bursts[thread.at];
    if (burst === undefined) return;
    thread.left_ns = burst.ran_ns;
    thread.nextWake = 0;
    thread.ready_ns = 0;
    thread.quantum_ns = QUANTUM_NS;
    const { rank, priority } = claimOf(thread.utid, burst);
    thread.claim = rank * 64 + 63 - priority;
    makeReady(thread, now);
  };
  const block = (thread: Thread, now: number) => {
    thread.ended.push(thread.ready_ns);
    thread.state = 'blocked';
    thread.at++;
    const next = thread.bursts[thread.at];
    if (next === undefined) return;
    if (next.wake !== 'thread') heap.add(now + next.wake, { kind: 'wake', thread });
    else if (thread.tokens > 0) {
      thread.tokens--;
      wake(thread, now);
    }
  };
  const runOn = (cpu: Cpu, now: number) => {
    charge(cpu, now);
    const thread = cpu.running;
    if (thread === null) return;
    const burst = thread.bursts[thread.at];
    const ran_ns = (burst?.ran_ns ?? 0) - thread.left_ns;
    for (let next = burst?.wakes[thread.nextWake]; next !== undefined; next = burst?.wakes[thread.nextWake]) {
      if (next.after_ns > ran_ns) break;
      thread.nextWake++;
      const woken = all.get(next.utid);
      if (woken !== undefined) wake(woken, now);
      // Whom it woke may have taken its CPU.
      if (cpu.running !== thread) return;
    }
    if (thread.left_ns <= 0) {
      start(cpu, pop(), now);
      block(thread, now);
    } else if (thread.quantum_ns <= 0) {
      thread.quantum_ns = QUANTUM_NS;
      if (best() <= thread.claim) {
        start(cpu, pop(), now);
        makeReady(thread, now);
      } else schedule(cpu, now);
    } else schedule(cpu, now);
  };
  for (let event = heap.take(); event !== undefined && event.at < stretch.end; event = heap.take()) {
    const { at, what } = event;
    if (what.kind === 'wake') wake(what.thread, at);
    else if (what.run === what.cpu.run) runOn(what.cpu, at);
  }
  return new Map([...all].map(([utid, { ended }]) => [utid, { ready_ns: ended }]));
}
