import type { MomentColumns } from './moment-columns.ts';
import type { PassingWaits } from './passing-waits.ts';

/**
 * Cuts waits into moments. One begins where a wait ends that no moment before holds, and where a peak does: a moment which holds more than
 * any that begins less than `bucket_ns` before it, and no less than any that begins so soon after it.
 */
export function cutIntoMoments(waits: PassingWaits, bucket_ns: number, moments: MomentColumns): void {
  let begin = 0;
  for (;;) {
    begin = cutAtHand(waits, begin, bucket_ns, moments);
    if (waits.isLast) return;
    // A peak is compared with what begins less than a moment's length before it.
    let since = begin;
    while (since > 0 && (waits.next[since - 1] ?? 0) > begin) since--;
    waits.takeFrom(since);
    begin -= since;
  }
}

/** Cuts what is at hand, from where the first moment begins, as far as peaks are known; gives where the next one begins. */
function cutAtHand(waits: PassingWaits, from: number, bucket_ns: number, moments: MomentColumns): number {
  const { rows, before_ns, next } = waits;
  // A peak lies less than a moment's length behind the first, what it is compared with so much behind it, and what that holds once more.
  const decided = waits.countBefore(3 * bucket_ns);
  let begin = from;
  // Of waits that end within a moment's length only the one that holds most may be a peak, the first of equal ones.
  for (let first = 0, after: number; first < decided; first = after) {
    after = next[first] ?? 0;
    if (after <= begin) continue;
    const peak = peakAmong(waits, first, after);
    while (begin < after) {
      const end = next[begin] ?? 0;
      const isCut = begin < peak && peak < end;
      // The next peak may cut it.
      if (!isCut && end > after) break;
      const until = isCut ? peak : end;
      moments.add(rows[begin] ?? 0, isCut, (before_ns[until] ?? 0) - (before_ns[begin] ?? 0));
      begin = until;
    }
  }
  return begin;
}

/** The peak among waits that end within a moment's length; -1 where there is none. */
function peakAmong({ next, held_ns }: PassingWaits, first: number, after: number): number {
  let best = first;
  let best_ns = held_ns[first] ?? 0;
  for (let at = first + 1; at < after; at++) {
    const of_ns = held_ns[at] ?? 0;
    if (of_ns <= best_ns) continue;
    best = at;
    best_ns = of_ns;
  }
  for (let at = first - 1; at >= 0 && (next[at] ?? 0) > best; at--)
    if ((held_ns[at] ?? 0) >= best_ns) return -1;
  const reach = next[best] ?? 0;
  for (let at = after; at < reach; at++) if ((held_ns[at] ?? 0) > best_ns) return -1;
  return best;
}
