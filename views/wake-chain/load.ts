import type { Query } from '../../shared/engine/index.ts';
import { knownOf, loadRecording, WHOLE_TRACE } from '../../shared/recording/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { ChainRows, type ChainRun } from './chain-rows.ts';
import { backwardLanes, forwardLanes } from './lanes.ts';
import type { ChainLink, Release, StopReason, WakeChainModel, LongestLink } from './model.ts';
import { type WakeChainParams, recording as needs } from './params.ts';
import { sumByProcess } from './released.ts';
import { stopSentence } from './stop.ts';

/** Asks for the chains of the chosen run, or of the one that ended the longest ready wait in `range`. */
export async function loadWakeChain(
  query: Query,
  params: WakeChainParams,
  range: TimeRange,
): Promise<WakeChainModel> {
  // A chain leads out of the range.
  const recording = await loadRecording(query, needs, WHOLE_TRACE);
  const rows = await ChainRows.of(query);
  const run = await findRun(rows, params, range);
  const depth = Math.round(params.depth ?? 50);
  const past_dpc_ns = Math.round((params.past_dpc_ms ?? 0) * 1e6);
  const { links, reason } =
    run === null ? { links: [], reason: null } : await follow(rows, run, depth, past_dpc_ns);
  const limit = Math.round(params.limit ?? 1000);
  const { released, cut } =
    run === null
      ? { released: [], cut: false }
      : await findReleased(rows, run, { depth, limit, past_dpc_ns });
  return {
    ...knownOf(recording),
    links,
    longest: longestLink(links, reason),
    stop: reason === null ? null : { reason, sentence: stopSentence(reason, links.at(-1)) },
    released,
    released_cut: cut,
    by_process: sumByProcess(released),
    backward: backwardLanes(links),
    forward: forwardLanes(links[0], released),
  };
}

async function findRun(
  rows: ChainRows,
  { ts, tid }: WakeChainParams,
  range: TimeRange,
): Promise<ChainRun | null> {
  const at =
    ts === null || tid === null ? await rows.longest(range) : { ts: Math.round(ts), tid: Math.round(tid) };
  return at && rows.run(at);
}

/** Follows wakes backward from a run. Each link lies before the one it woke, so that this ends. */
async function follow(
  rows: ChainRows,
  run: ChainRun,
  depth: number,
  past_dpc_ns: number,
): Promise<{ readonly links: ChainLink[]; readonly reason: StopReason | null }> {
  const links: ChainLink[] = [];
  let utid = run.utid;
  let until_ts = run.te;
  let before_dpc = false;
  for (;;) {
    const found = await rows.link(utid, until_ts, before_dpc);
    // The waker's own run may be missing where events were lost.
    if (found === null) return { links, reason: 'lost_events' };
    const { link, waker_utid, block_ts, reason } = found;
    links.push(link);
    const { ready_ts } = link;
    if (ready_ts === null) return { links, reason };
    before_dpc = reason === 'dpc' && block_ts !== null && ready_ts - block_ts <= past_dpc_ns;
    if (reason !== null && !before_dpc) return { links, reason };
    if (links.length > depth) return { links, reason: 'depth' };
    if (before_dpc) until_ts = block_ts ?? 0;
    else [utid, until_ts] = [waker_utid ?? 0, ready_ts];
  }
}

async function findReleased(
  rows: ChainRows,
  { utid, ts }: ChainRun,
  {
    depth,
    limit,
    past_dpc_ns,
  }: { readonly depth: number; readonly limit: number; readonly past_dpc_ns: number },
): Promise<{ readonly released: readonly Release[]; readonly cut: boolean }> {
  // One level and one row more than asked for tell whether there are more.
  const asked = { utid, switch_in_ts: ts, depth: depth + 1, most: limit + 1, past_dpc_ns };
  const found = await rows.released(asked);
  const released = found.filter((release) => release.depth <= depth).slice(0, limit);
  return { released, cut: released.length < found.length };
}

/** The link with which most time went by: the one that held up all that came after it. */
function longestLink(links: readonly ChainLink[], stop: StopReason | null): LongestLink | null {
  let longest = stop === 'dpc' ? blockedLink(links) : null;
  for (const [link, { ready_ts, switch_in_ts, until_ts, before_dpc }] of links.entries()) {
    const since_ts = ready_ts ?? switch_in_ts;
    const te = before_dpc ? (links[link - 1]?.ready_ts ?? until_ts) : until_ts;
    const took_ns = (link === 0 ? switch_in_ts : te) - since_ts;
    const at_least = link > 0 && ready_ts === null && stop === 'trace_start';
    if (longest === null || took_ns > longest.took_ns)
      longest = { link, took_ns, at_least, was_blocked: false };
  }
  return longest;
}

/** The last link, as long as it was blocked while the first one was: what ended that is no thread's work. */
function blockedLink(links: readonly ChainLink[]): LongestLink | null {
  const [first, last] = [links[0], links.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [since_ts, first_since_ts] = [blockedSince(last), blockedSince(first)];
  if (since_ts === null || first_since_ts === null || last.ready_ts === null) return null;
  const took_ns = last.ready_ts - Math.max(since_ts, first_since_ts);
  const at_least = last.blocked_since_start && since_ts >= first_since_ts;
  return { link: links.length - 1, took_ns, at_least, was_blocked: true };
}

function blockedSince({ ready_ts, blocked_ns }: ChainLink): number | null {
  return ready_ts === null || blocked_ns === null ? null : ready_ts - blocked_ns;
}
