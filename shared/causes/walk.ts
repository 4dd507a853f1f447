import type { Block, Delay } from './delay.ts';
import type { History } from './history.ts';
import { lastBefore, type Span } from './stretches.ts';
import { stateBefore, type ThreadState } from './thread-state.ts';

/** A wake that ended a block. */
export interface Wake {
  readonly ts: number;
  /** Null for a wake that no thread stands behind. */
  readonly waker_utid: number | null;
  /** When the thread had been switched out before, be it by a run that is not recorded; null where that is not known. */
  readonly switch_out_ts: number | null;
}

/** What is known besides the history. */
export interface Surroundings {
  /** When the machine slept, in the order of time. */
  readonly asleep: readonly Span[];
  /** When events of some CPU are missing: a blocked thread may have run there. In the order of time. */
  readonly lost: readonly Span[];
  /** When the process of a thread was frozen, in the order of time. */
  frozenOf(utid: number): readonly Span[];
  /** The first wake of a thread after the history; null if none follows. */
  wakeAfter(utid: number): Promise<Wake | null>;
  /** Why a thread was switched out at a time before the history; null where that is not known. */
  reasonBefore(utid: number, switch_out_ts: number): Promise<string | null>;
}

/** A stretch of a delay with one thread and one state: a part whose owner may still have to be found. */
export interface Step extends Delay {
  readonly depth: number;
  readonly what:
    | { readonly kind: 'ran'; readonly run: number }
    | { readonly kind: 'ready'; readonly wait: number }
    | {
        readonly kind: 'woken';
        readonly wake_ts: number;
        readonly wait_reason: string | null;
        readonly block_ts: number;
      }
    | { readonly kind: 'frozen' | 'asleep' }
    | { readonly kind: 'not_explained' | 'not_recorded'; readonly detail: string };
}

/** A thread that is walked back, and how far. */
interface Frame {
  readonly utid: number;
  readonly low: number;
}

/** Why Windows blocks threads of a process that it freezes. */
const SUSPENDED = new Set(['Suspended', 'WrSuspended']);

/** The steps of a delay, the last first, and the blocks whose time went to the threads that ended them. */
export interface Walk {
  readonly steps: readonly Step[];
  readonly blocks: readonly Block[];
}

/**
 * Walks back through a delay: along the thread, and where it was blocked along the thread that ended the block, down to where it
 * blocked. A stack instead of recursion: chains of wakes can be as long as a trace has threads.
 */
export async function walkBack(history: History, around: Surroundings, delay: Delay): Promise<Walk> {
  const steps: Step[] = [];
  const blocks: Block[] = [];
  const stack: Frame[] = [{ utid: delay.utid, low: delay.ts }];
  // Threads that were gone to at one instant: of equal times two threads could have woken each other.
  const met = new Set<number>();
  let at = delay.te;
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const { utid, low } = frame;
    if (at <= low) {
      stack.pop();
      continue;
    }
    const depth = stack.length - 1;
    const step = (from: number, what: Step['what']) => {
      const ts = Math.max(from, low);
      steps.push({ utid, depth, ts, te: at, what });
      if (ts < at) met.clear();
      at = ts;
    };
    const asleep = lastBefore(around.asleep, at);
    if (asleep !== undefined && asleep.te >= at) {
      step(asleep.ts, { kind: 'asleep' });
      continue;
    }
    const state = stateBefore(history, utid, at);
    const from = Math.max(state.from, low, asleep?.te ?? -Infinity);
    switch (state.kind) {
      case 'ran':
        step(from, { kind: 'ran', run: state.run });
        break;
      case 'ready':
        // A ready thread is judged as a whole, sleep among the reasons.
        step(Math.max(state.from, low), { kind: 'ready', wait: state.wait });
        break;
      case 'lost':
        step(from, { kind: 'not_recorded', detail: 'what the thread did' });
        break;
      case 'ended':
        step(from, { kind: 'not_explained', detail: 'the thread had ended' });
        break;
      case 'blocked': {
        const wake = await wakeOf(history, around, state, utid);
        const out_ts = wake?.switch_out_ts ?? -Infinity;
        if (out_ts >= at) {
          step(from, { kind: 'not_recorded', detail: 'what the thread did' });
          break;
        }
        const begun = Math.max(from, out_ts);
        const lost = lastBefore(around.lost, at);
        if (lost !== undefined && lost.te >= at && lost.te > begun) {
          step(Math.max(begun, lost.ts), { kind: 'not_recorded', detail: 'lost events' });
          break;
        }
        const isOlder = state.from === -Infinity && out_ts !== -Infinity;
        const reason = isOlder ? await around.reasonBefore(utid, out_ts) : state.reason;
        const frozen = lastBefore(around.frozenOf(utid), at);
        const isSuspended = SUSPENDED.has(reason ?? '');
        if (isSuspended && frozen !== undefined && frozen.te >= at && frozen.te > begun) {
          step(Math.max(begun, frozen.ts), { kind: 'frozen' });
          break;
        }
        const bottom = Math.max(begun, lost?.te ?? begun, isSuspended ? (frozen?.te ?? begun) : begun);
        if (wake === null) step(bottom, { kind: 'not_recorded', detail: 'who woke the thread' });
        else if (wake.waker_utid === null)
          step(bottom, {
            kind: 'woken',
            wake_ts: wake.ts,
            wait_reason: reason,
            block_ts: Math.max(state.from, out_ts),
          });
        else if (wake.waker_utid === utid || met.has(wake.waker_utid))
          step(bottom, { kind: 'not_explained', detail: 'threads woke each other at one time' });
        else {
          const { waker_utid, ts: wake_ts } = wake;
          blocks.push({ utid, depth, ts: bottom, te: at, waker_utid, wake_ts, wait_reason: reason });
          stack.push({ utid: waker_utid, low: bottom });
          met.add(utid).add(waker_utid);
        }
      }
    }
  }
  return { steps, blocks };
}

async function wakeOf(
  { waits, stretch }: History,
  around: Surroundings,
  { wake }: ThreadState & { readonly kind: 'blocked' },
  utid: number,
): Promise<Wake | null> {
  if (wake === null) return null;
  if (wake === 'later') return around.wakeAfter(utid);
  const waker = waits.number('waker_utid', wake) ?? 0;
  return {
    ts: waits.number('ts', wake) ?? stretch.end,
    waker_utid: waker > 0 ? waker : null,
    switch_out_ts: waits.number('last_switch_out_ts', wake),
  };
}
