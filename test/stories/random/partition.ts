import { merged } from '../../../shared/causes/stretches.ts';
import { START, type RandomTruth, type WaitTruth } from './truth.ts';

/** A stretch of time with what a delay owes it to. Of a block that no thread ended the owner is `no_thread`. */
export interface KnownPart {
  readonly tid: number;
  readonly start: number;
  readonly end: number;
  readonly owner: string;
}

interface State {
  readonly start: number;
  readonly end: number;
  readonly owner: string;
  /** Of a block: what ended it. */
  readonly wake: WaitTruth | null;
}

type Thread = RandomTruth['threads'][number];

/** Where a delay of a thread went, from what the machine knows of itself: its states in order, forward. */
export class KnownPartition {
  readonly #truth: RandomTruth;
  readonly #states = new Map<Thread, State[]>();

  constructor(truth: RandomTruth) {
    this.#truth = truth;
  }

  /** The parts of the time from `start` up to `end`, in which somebody waits for a thread that lives at its end. */
  of(tid: number, start: number, end: number): KnownPart[] {
    const parts: KnownPart[] = [];
    this.#divide(tid, start, end, end, parts);
    return parts;
  }

  #divide(tid: number, start: number, end: number, alive: number, parts: KnownPart[]): void {
    const thread = this.#truth.threads.find((one) => one.tid === tid && livesAt(one, alive));
    if (thread === undefined) {
      if (end > start) parts.push({ tid, start, end, owner: 'not_recorded' });
      return;
    }
    for (const state of this.#statesOf(thread)) {
      const [from, to] = [Math.max(start, state.start), Math.min(end, state.end)];
      if (to <= from) continue;
      const waker = state.wake?.waker_tid ?? null;
      if (state.owner !== 'blocked') parts.push({ tid, start: from, end: to, owner: state.owner });
      else if (waker === null) parts.push({ tid, start: from, end: to, owner: 'no_thread' });
      else this.#divide(waker, from, to, state.wake?.ready_ns ?? to, parts);
    }
  }

  #statesOf(thread: Thread): State[] {
    const known = this.#states.get(thread) ?? this.#look(thread);
    this.#states.set(thread, known);
    return known;
  }

  #look(thread: Thread): State[] {
    const { runs, runs_before, waits, end_ns, sleeps } = this.#truth;
    const isOwn = (one: { readonly tid: number; readonly pid: number | null }, at: number) =>
      one.tid === thread.tid && one.pid === thread.pid && livesAt(thread, at);
    const states: State[] = runs
      .filter((run) => isOwn(run, run.start_ns))
      .map((run) => ({ start: run.start_ns, end: run.end_ns ?? end_ns, owner: 'ran', wake: null }));
    for (const run of runs_before.filter((one) => isOwn(one, one.end_ns)))
      states.push({ start: -Infinity, end: run.end_ns, owner: 'not_recorded', wake: null });
    const own = waits.filter((wait) => isOwn(wait, wait.ready_ns)).sort((a, b) => a.ready_ns - b.ready_ns);
    for (const { stretches } of own)
      for (const { why, start_ns, end_ns: to } of stretches)
        states.push({ start: start_ns, end: to, owner: why, wake: null });
    for (const wait of own.filter(({ preempted }) => !preempted)) {
      const before = states
        // What begins at the same tick comes after the wake.
        .filter(({ start, end }) => start < wait.ready_ns && end <= wait.ready_ns)
        .map(({ end }) => end);
      states.push({
        start: Math.max(-Infinity, ...before),
        end: wait.ready_ns,
        owner: 'blocked',
        wake: wait,
      });
    }
    const last = Math.max(-Infinity, ...states.map(({ end }) => end));
    const hasEnded = runs.some((run) => run.old_state === 'Terminated' && isOwn(run, run.start_ns));
    states.push({
      start: last,
      end: Infinity,
      owner: hasEnded ? 'not_explained' : 'not_recorded',
      wake: null,
    });
    const slept = merged(
      sleeps.map(({ start_ns, end_ns: to }) => ({ ts: start_ns ?? START, te: to ?? end_ns })),
    );
    return slept
      .reduce((cut, { ts, te }) => cut.flatMap((state) => without(state, ts, te)), states)
      .sort((a, b) => a.start - b.start);
  }
}

/** A state, with the machine asleep in the part of it that lies from `ts` up to `te`. */
function without(state: State, ts: number, te: number): State[] {
  const [from, to] = [Math.max(state.start, ts), Math.min(state.end, te)];
  if (to <= from) return [state];
  return [
    { ...state, end: from },
    { start: from, end: to, owner: 'asleep', wake: null },
    { ...state, start: to },
  ].filter(({ start, end }) => end > start);
}

function livesAt({ life: { start_ns, end_ns } }: Thread, at: number): boolean {
  return (start_ns ?? 0) <= at && at <= (end_ns ?? Infinity);
}
