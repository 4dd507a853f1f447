import type { MomentColumns } from './moment-columns.ts';
import type { WaitsAtHand } from './waits-at-hand.ts';

/**
 * Cuts waits into moments. One begins where a wait ends that no moment before holds, and where a peak does: a moment which holds more than
 * any that begins less than `bucket_ns` before it, and no less than any that begins so soon after it.
 */
export function cutIntoMoments(waits: WaitsAtHand, bucket_ns: number, moments: MomentColumns): void {
  for (let begin = waits.row; ;) {
    begin = cutAtHand(waits, begin, bucket_ns, moments);
    if (waits.isLast) return;
    // A peak is compared with what begins less than a moment's length before it.
    let since = begin;
    while (since > waits.row && waits.nextOf(since - 1) > begin) since--;
    waits.takeFrom(since);
  }
}

/** Cuts what is at hand, from where the first moment begins, as far as peaks are known; gives where the next one begins, or later. */
function cutAtHand(waits: WaitsAtHand, from: number, bucket_ns: number, moments: MomentColumns): number {
  const { row, before_ns } = waits;
  // A peak lies less than a moment's length behind the first, what it is compared with so much behind it, and what that holds once more.
  const decided = waits.firstWithin(3 * bucket_ns);
  let begin = waits.firstPassing(from);
  let before = -1;
  // Of waits that end within a moment's length only the one that holds most may be a peak, the first of equal ones.
  for (
    let first = waits.firstPassing(row), after: number;
    first < decided;
    first = waits.firstPassing(after)
  ) {
    after = waits.nextOf(first);
    if (after <= begin) continue;
    const best = bestAmong(waits, first, after);
    const peak = isPeak(waits, best, first, after, before) ? best : -1;
    before = best;
    while (begin < after) {
      const end = waits.nextOf(begin);
      const isCut = begin < peak && peak < end;
      // The next peak may cut it.
      if (!isCut && end > after) break;
      const until = isCut ? peak : end;
      moments.add(begin, isCut, (before_ns[until - row] ?? 0) - (before_ns[begin - row] ?? 0));
      begin = waits.firstPassing(until);
    }
  }
  return begin;
}

/** The wait that begins the moment which holds most, of those that end within a moment's length of the first, which passes: the first of equal ones. */
function bestAmong(waits: WaitsAtHand, first: number, after: number): number {
  const { row, held_ns } = waits;
  let best = first;
  let best_ns = held_ns[first - row] ?? 0;
  for (let at = first + 1; at < after; at++) {
    const of_ns = held_ns[at - row] ?? 0;
    if (of_ns <= best_ns || !waits.passes(at)) continue;
    best = at;
    best_ns = of_ns;
  }
  return best;
}

/** Whether the best of some waits is a peak. `before` is the best of those before them, -1 where it is not known. */
function isPeak(waits: WaitsAtHand, best: number, first: number, after: number, before: number): boolean {
  const { row, held_ns } = waits;
  const best_ns = held_ns[best - row] ?? 0;
  // Where the best before holds less, so do all that are near enough.
  if (before < 0 || (held_ns[before - row] ?? 0) >= best_ns) {
    if (before >= 0 && waits.nextOf(before) > best) return false;
    for (let at = first - 1; at >= row && waits.nextOf(at) > best; at--)
      if ((held_ns[at - row] ?? 0) >= best_ns && waits.passes(at)) return false;
  }
  const reach = waits.nextOf(best);
  for (let at = after; at < reach; at++)
    if ((held_ns[at - row] ?? 0) > best_ns && waits.passes(at)) return false;
  return true;
}
