import type { ChainLink, ChainThread, Release } from './model.ts';

/** What a thread was doing; blocked or ready spans lead to a wake or a switch-in. */
export type ThreadState = 'blocked' | 'ready' | 'running';

/** A span of one state in a thread's lane. */
export interface StateSpan {
  readonly lane: number;
  readonly ts: number;
  readonly dur: number;
  readonly state: ThreadState;
  /** Index of the link or release that it belongs to; null for the chosen run that releases start from. */
  readonly of: number | null;
}

/** A wake: an arrow from the waker's lane to that of the woken thread. */
export interface Wake {
  readonly ts: number;
  /** The waker's lane; null for a wake from outside any thread. */
  readonly from: number | null;
  readonly to: number;
}

/** Threads in time, one below the other. */
export interface Lanes {
  readonly threads: readonly ChainThread[];
  readonly spans: readonly StateSpan[];
  readonly wakes: readonly Wake[];
}

/** More lanes than this are not drawn; the table holds all. */
export const MAX_LANES = 60;

/** Hands out a lane to each thread, in the order in which they come. */
class LaneList {
  readonly threads: ChainThread[] = [];
  readonly #lanes = new Map<string, number>();

  /** The thread's lane, or null where there is no room for another. */
  of({ tid, thread, pid, process, service }: ChainThread): number | null {
    const key = JSON.stringify([tid, thread, pid, process]);
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    const lane = this.threads.length;
    if (lane === MAX_LANES) return null;
    this.#lanes.set(key, lane);
    this.threads.push({ tid, thread, pid, process, service });
    return lane;
  }
}

function spansOf(
  lane: number,
  of: number | null,
  times: readonly (readonly [ThreadState, number, number])[],
) {
  return times
    .filter(([, ts, te]) => te > ts)
    .map(([state, ts, te]): StateSpan => ({ lane, ts, dur: te - ts, state, of }));
}

/** The links of a chain, the chosen thread on top. */
export function backwardLanes(links: readonly ChainLink[]): Lanes {
  const list = new LaneList();
  const spans: StateSpan[] = [];
  const wakes: Wake[] = [];
  links.forEach((link, of) => {
    const lane = list.of(link);
    if (lane === null) return;
    const { ready_ts, blocked_ns, switch_in_ts, until_ts } = link;
    if (ready_ts !== null) {
      spans.push(...spansOf(lane, of, [['blocked', ready_ts - (blocked_ns ?? 0), ready_ts]]));
      spans.push(...spansOf(lane, of, [['ready', ready_ts, switch_in_ts]]));
      const waker = links[of + 1];
      const from = waker === undefined || waker.before_dpc ? null : list.of(waker);
      wakes.push({ ts: ready_ts, from, to: lane });
    }
    spans.push(...spansOf(lane, of, [['running', switch_in_ts, until_ts]]));
  });
  return { threads: list.threads, spans, wakes };
}

/** The chosen run on top, and what it released below. */
export function forwardLanes(chosen: ChainLink | undefined, released: readonly Release[]): Lanes {
  const list = new LaneList();
  if (chosen === undefined) return { threads: [], spans: [], wakes: [] };
  const top = list.of(chosen) ?? 0;
  const spans = spansOf(top, null, [['running', chosen.switch_in_ts, chosen.until_ts]]);
  const wakes: Wake[] = [];
  released.forEach((release, of) => {
    const lane = list.of(release);
    if (lane === null) return;
    const { ready_ts, ready_ns, waited_ns, switch_in_ts, block_ts } = release;
    const ran_ts = ready_ts + ready_ns;
    spans.push(
      ...spansOf(lane, of, [
        ['blocked', ran_ts - waited_ns, ready_ts],
        ['ready', ready_ts, ran_ts],
        ['running', switch_in_ts ?? ran_ts, block_ts ?? ran_ts],
      ]),
    );
    const waker = release.parent === null ? chosen : released[release.parent];
    wakes.push({ ts: ready_ts, from: waker === undefined ? null : list.of(waker), to: lane });
  });
  return { threads: list.threads, spans, wakes };
}
