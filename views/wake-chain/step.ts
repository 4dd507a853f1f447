import type { Selection, TimeRange } from '../../shared/view/index.ts';
import type { ChainLink, ChainThread, WakeChainModel } from './model.ts';
import { longestRelease } from './released.ts';

/** Params that choose a link of the chain in sight, or a run that a new chain starts from. */
export interface Step {
  readonly params: {
    readonly ts: number;
    readonly tid: number;
    readonly link: number;
    readonly past_dpc_ms?: number;
  };
  readonly selection: Selection;
}

/** Chooses a link of the chain. The chain itself stays that of the first link. */
export function stepToLink({ links }: WakeChainModel, link: number): Step | null {
  const [first] = links;
  const target = links[link];
  if (first === undefined || target === undefined) return null;
  const span = { start: target.ready_ts ?? target.switch_in_ts, end: target.until_ts };
  return { params: { ...startOf(first), link }, selection: selectionOf(target, span) };
}

/** Starts a new chain at a released thread, by its place; null if it did not run. */
export function stepToRelease({ released }: WakeChainModel, place: number): Step | null {
  const release = released[place];
  if (release === undefined || release.switch_in_ts === null) return null;
  const { tid, ready_ts, switch_in_ts, block_ts } = release;
  const span = { start: ready_ts, end: block_ts ?? switch_in_ts };
  return { params: { ts: switch_in_ts, tid, link: 0 }, selection: selectionOf(release, span) };
}

/** The least that DPCs are gone past with: what I/O takes. */
const LEAST_PAST_DPC_MS = 20;

/** What goes on past the DPC that ends the chain, to the link before it; null where no DPC does, or nothing is before it. */
export function goPastDpc({ links, stop }: WakeChainModel): Step | null {
  const [first] = links;
  const last = links.at(-1);
  if (stop?.reason !== 'dpc' || first === undefined) return null;
  if (last === undefined || last.ready_ts === null || last.blocked_ns === null) return null;
  if (last.blocked_since_start) return null;
  const past_dpc_ms = Math.max(LEAST_PAST_DPC_MS, Math.ceil(last.blocked_ns / 1e6));
  const wait = { start: last.ready_ts - last.blocked_ns, end: last.ready_ts };
  return {
    params: { ...startOf(first), link: links.length, past_dpc_ms },
    selection: selectionOf(last, wait),
  };
}

/** Starts the chain forward at a link, with what that one set free. */
export function startForward({ links }: WakeChainModel, link: number) {
  const from = links[link];
  return from === undefined ? null : { ...startOf(from), link: 0, direction: 'forward' as const };
}

/** One link back, to the waker. */
export function stepBack(model: WakeChainModel, link: number): Step | null {
  return stepToLink(model, link + 1);
}

/** One link forward again; from the chosen run on, to the release that ended most waiting. */
export function stepForward(model: WakeChainModel, link: number): Step | null {
  if (link > 0) return stepToLink(model, Math.min(link, model.links.length) - 1);
  return stepToRelease(model, longestRelease(model.released));
}

/** A time within a link's last run, so that the same chain is found again. */
function startOf({ until_ts, tid }: ChainLink): { readonly ts: number; readonly tid: number } {
  return { ts: until_ts - 1, tid };
}

function selectionOf({ tid, pid }: ChainThread, span: TimeRange): Selection {
  return { span, thread: { tid, ts: span.start }, pid };
}
