import type { History } from './history.ts';
import { countBelow } from './rows.ts';

/** A stretch of time that ends no sooner than the instant that was asked for. */
interface Since {
  readonly from: number;
}

/**
 * What a thread did just before an instant.
 * `blocked`: `wake` is the row of the ready wait that ended it; `later` where it can only be after the history, null where the
 * thread ran again and no ready event was recorded;
 * `lost`: up to `to` it is not known.
 */
export type ThreadState =
  | (Since & { readonly kind: 'ran'; readonly run: number })
  | (Since & { readonly kind: 'ready'; readonly wait: number })
  | (Since & {
      readonly kind: 'blocked';
      readonly wake: number | 'later' | null;
      readonly reason: string | null;
    })
  | (Since & { readonly kind: 'lost'; readonly to: number })
  | (Since & { readonly kind: 'ended' });

/** States in which a thread that was switched out can run at once. */
const RUNNABLE = new Set(['Ready', 'Standby', 'DeferredReady']);
/** Its CPU is not known any more. */
const NONE = -1;

/** What a thread did just before `at`, by what the history has of it. */
export function stateBefore(history: History, utid: number, at: number): ThreadState {
  const { runs, waits } = history;
  const [ownRuns, ownWaits] = [history.runsOf(utid), history.waitsOf(utid)];
  const [runTs, waitTs] = [runs.column('ts'), waits.column('ts')];
  const runsBefore = countBelow(ownRuns, runTs, at);
  const waitsBefore = countBelow(ownWaits, waitTs, at);
  const run = ownRuns[runsBefore - 1] ?? NONE;
  const wait = ownWaits[waitsBefore - 1] ?? NONE;
  const runEnd = runs.column('te')[run] ?? -Infinity;
  const waitEnd = waits.column('te')[wait] ?? -Infinity;
  if (runEnd >= at) return { kind: 'ran', from: runTs[run] ?? 0, run };
  if (waitEnd >= at) return { kind: 'ready', from: waitTs[wait] ?? 0, wait };
  const from = Math.max(runEnd, waitEnd);
  const nextRun = ownRuns[runsBefore] ?? NONE;
  const nextWait = ownWaits[waitsBefore] ?? NONE;
  const next = { run: runTs[nextRun] ?? Infinity, wait: waitTs[nextWait] ?? Infinity };
  const isWoken = next.wait < next.run && waits.text('cause', nextWait) === 'wake';
  const isLast = nextWait === NONE && nextRun === NONE;
  if (from === -Infinity) {
    if (isLast) return { kind: 'blocked', from, wake: 'later', reason: null };
    if (!isWoken) return { kind: 'lost', from, to: Math.min(next.run, next.wait) };
    return { kind: 'blocked', from, wake: nextWait, reason: null };
  }
  const isSeenToEnd = runEnd > waitEnd && runs.number('ended', run) === 1;
  const state = isSeenToEnd ? runs.text('switch_out_state', run) : null;
  if (state === 'Terminated') return { kind: 'ended', from };
  if (!isSeenToEnd || RUNNABLE.has(state ?? '')) {
    // It was lost sight of, and was blocked at some time since where a wake follows.
    const to = isWoken ? lostUntil(history, run, from) : Math.min(next.run, next.wait);
    if (at > to) return { kind: 'blocked', from: to, wake: nextWait, reason: null };
    return { kind: 'lost', from, to };
  }
  const reason = runs.text('switch_out_wait_reason', run);
  return { kind: 'blocked', from, wake: isWoken ? nextWait : isLast ? 'later' : null, reason };
}

/** Until when a CPU is not recorded on which a thread was lost sight of: until its next run. */
function lostUntil(history: History, run: number, from: number): number {
  const { runs } = history;
  const ts = runs.column('ts');
  const own = history.runsOn(runs.number('cpu', run) ?? NONE);
  return ts[own[countBelow(own, ts, from)] ?? NONE] ?? from;
}
