import type { Owner } from '../../shared/causes/index.ts';
import type { BlockRow, ExplainedDelay, PartRow } from './model.ts';

/** Further threads have no lane; the tables hold all. */
export const MAX_LANES = 40;

/** How a stretch looks: `waits` is blocked until another thread woke it. */
export type Look = 'ran' | 'ready' | 'blocked' | 'unknown' | 'waits';

/** The part of a lane's height that a look fills, from the bottom: so it shows without colours, too. */
export const HEIGHTS: Readonly<Record<Look, number>> = {
  ran: 1,
  ready: 0.75,
  blocked: 0.5,
  unknown: 0.5,
  waits: 0.2,
};

const LOOKS: Partial<Record<Owner, Look>> = {
  ran: 'ran',
  disk: 'blocked',
  hard_fault: 'blocked',
  file: 'blocked',
  timer: 'blocked',
  device: 'blocked',
  frozen: 'blocked',
  asleep: 'blocked',
  not_explained: 'unknown',
  not_recorded: 'unknown',
};

/** How a part looks: what is of no other look was ready. */
export function lookOf(owner: Owner): Look {
  return LOOKS[owner] ?? 'ready';
}

/** A stretch in a lane. */
export interface LaneStretch {
  readonly lane: number;
  readonly ts: number;
  readonly dur: number;
  readonly look: Look;
  readonly part: PartRow | null;
  readonly block: BlockRow | null;
}

/** A wake, from the lane of the waker. */
export interface LaneWake {
  readonly ts: number;
  readonly from: number;
  readonly to: number;
}

/** The waterfall: a lane a thread. */
export interface Waterfall {
  /** The threads of the lanes, by their numbers. */
  readonly threads: readonly number[];
  /** Blocks first, so that parts lie over them. */
  readonly stretches: readonly LaneStretch[];
  readonly wakes: readonly LaneWake[];
}

/** The lanes of a delay: of more threads than there is room for, those with most time. */
export function waterfallOf({ parts, blocks, threads }: ExplainedDelay): Waterfall {
  const time_ns = new Float64Array(threads.length);
  for (const { thread, dur } of parts) time_ns[thread] = (time_ns[thread] ?? 0) + dur;
  const shown = threads
    .map((_, thread) => thread)
    .sort((a, b) => Number(b === 0) - Number(a === 0) || (time_ns[b] ?? 0) - (time_ns[a] ?? 0))
    .slice(0, MAX_LANES)
    .sort((a, b) => a - b);
  const laneOf = new Map(shown.map((thread, lane) => [thread, lane]));
  const stretches: LaneStretch[] = [];
  const wakes: LaneWake[] = [];
  for (const block of blocks) {
    const [lane, from] = [laneOf.get(block.thread), laneOf.get(block.waker)];
    if (lane === undefined) continue;
    const { ts, dur, wake_ts } = block;
    stretches.push({ lane, ts, dur, look: 'waits', part: null, block });
    if (from !== undefined) wakes.push({ ts: Math.min(ts + dur, wake_ts), from, to: lane });
  }
  for (const part of parts) {
    const lane = laneOf.get(part.thread);
    if (lane === undefined) continue;
    stretches.push({ lane, ts: part.ts, dur: part.dur, look: lookOf(part.owner), part, block: null });
  }
  return { threads: shown, stretches, wakes };
}
