import type { ChainLink, LongestLink, StopReason } from './model.ts';

/** The link with which most time went by: the one that held up all that came after it. */
export function longestLink(links: readonly ChainLink[], stop: StopReason | null): LongestLink | null {
  let longest: LongestLink | null = null;
  for (const [link, { ready_ts, switch_in_ts, until_ts, before_dpc }] of links.entries()) {
    const since_ts = ready_ts ?? switch_in_ts;
    const te = before_dpc ? (links[link - 1]?.ready_ts ?? until_ts) : until_ts;
    const took_ns = (link === 0 ? switch_in_ts : te) - since_ts;
    const at_least = link > 0 && ready_ts === null && stop === 'trace_start';
    if (longest === null || took_ns > longest.took_ns) longest = { link, took_ns, at_least };
  }
  return longest;
}
