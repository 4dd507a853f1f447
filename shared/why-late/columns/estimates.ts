import { freeAtEnd, INSTANTS, whyOfParts } from '../why-late.ts';
import { isDelay, PARTS, WHYS, type MainWhy, type Part } from '../why.ts';
import { INSTANTS_OF_WAIT, lookAtWaits } from './instants.ts';
import type { Sources } from './sources.ts';
import { wasSwappedOut, type Wait } from './wait.ts';
import { WaitColumns } from './wait-columns.ts';

/** Why threads ran late: the main reason of each wait, estimated from a few instants of it. */
export async function estimateWhys(sources: Sources, waits: readonly Wait[]): Promise<MainWhy[]> {
  const numbers = await estimateWhyNumbers(sources, WaitColumns.of(waits));
  return Array.from(numbers, mainWhyOf);
}

/** The reason of a number of {@link estimateWhyNumbers}. */
export function mainWhyOf(number: number): MainWhy {
  return (WHYS[number] ?? 'not_explained') as MainWhy;
}

/** The same of very many waits; each reason as its place in `WHYS`. */
export async function estimateWhyNumbers(sources: Sources, waits: WaitColumns): Promise<Uint8Array> {
  const { parts, took_idle_cpu } = await lookAtWaits(sources, waits);
  const numbers = new Uint8Array(waits.count);
  for (let wait = 0; wait < waits.count; wait++)
    numbers[wait] = whyNumber(waits, wait, parts, took_idle_cpu[wait] === 1);
  return numbers;
}

/** What follows from the parts of a wait: few waits differ in these. */
interface SeenParts {
  readonly parts: readonly Part[];
  readonly free_at_end: number;
  /** The reason by the other facts, once it was reckoned. */
  readonly numbers: Uint8Array;
}

const NOT_KNOWN = 255;
const known = new Map<number, SeenParts>();

function whyNumber(waits: WaitColumns, wait: number, of: Uint8Array, took_idle_cpu: boolean): number {
  const first = wait * INSTANTS_OF_WAIT;
  const { parts, free_at_end, numbers } = seenParts(of, first);
  const dur = (waits.te[wait] ?? 0) - (waits.ts[wait] ?? 0);
  const ended = (waits.cpu[wait] ?? -1) >= 0;
  // Of one ready event alone nothing tells until when.
  const swapped_out =
    wasSwappedOut({ flags: waits.flags[wait] ?? 0 }) && (waits.last_ready_ts[wait] ?? -1) < 0;
  const key =
    (dur > 0 ? 1 : 0) |
    (ended ? 2 : 0) |
    (swapped_out ? 4 : 0) |
    (took_idle_cpu ? 8 : 0) |
    (isDelay((free_at_end * dur) / INSTANTS, took_idle_cpu) ? 16 : 0);
  const before = numbers[key] ?? NOT_KNOWN;
  if (before !== NOT_KNOWN) return before;
  return (numbers[key] = WHYS.indexOf(whyOfParts({ dur, ended, swapped_out, took_idle_cpu }, parts)));
}

function seenParts(of: Uint8Array, first: number): SeenParts {
  let key = 0;
  for (let at = first; at < first + INSTANTS_OF_WAIT; at++) key = key * PARTS.length + (of[at] ?? 0);
  const before = known.get(key);
  if (before !== undefined) return before;
  const parts = Array.from(
    of.subarray(first, first + INSTANTS_OF_WAIT),
    (part) => PARTS[part] ?? 'not_recorded',
  );
  const made = { parts, free_at_end: freeAtEnd(parts), numbers: new Uint8Array(32).fill(NOT_KNOWN) };
  known.set(key, made);
  return made;
}
