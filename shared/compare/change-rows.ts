import { OWNER_LABELS } from '../causes/index.ts';
import type { Why } from '../why-late/index.ts';
import { WAITS } from './cells.ts';
import { numbersOf } from './certainty.ts';
import type { Change, DifferencePart, SideProof } from './comparison.ts';
import type { Difference, Differences } from './difference.ts';
import type { Gathered, Subject } from './gather.ts';
import type { Matched, SideName } from './match.ts';
import { lengthSide, NO_LENGTHS, type LengthSide, type UnitLengths } from './quantiles.ts';
import { scaleOf, sumOf } from './units.ts';

/** A difference of less is one of rounding. */
export const NOTHING_NS = 0.5;

/** How what was gathered differs. */
export function differenceOf(differences: Differences, { subject, a, b }: Gathered): Difference {
  return WAITS.has(subject.measure) ? differences.ofWaits(a, b) : differences.ofSums(a.ns, b.ns);
}

/** What a row is, in words, without its process. */
export function wordsOf({ measure, why, waker }: Subject, processes: readonly Matched[]): string {
  if (measure === 'cpu') return 'CPU time';
  if (measure === 'blame') return 'others waited for it';
  if (measure === 'ready') return readyWords(why as Why);
  if (measure === 'samples') return `sampled in ${why ?? ''}`;
  if (measure !== 'blocked') return `${measure === 'disk_io' ? 'disk' : 'file'}: ${why ?? ''}`;
  const by = waker === null ? 'a DPC' : (processes[waker]?.name ?? 'an unknown process');
  return `blocked: ${why ?? ''}, woken by ${by}`;
}

/** A cause of ready time, in words. */
export function readyWords(why: Why): string {
  const label = OWNER_LABELS[why];
  return label.startsWith('ready: ') ? label : `ready: ${label}`;
}

/** The numbers of a row, one of so many, with its threads and parts. */
export function changeOf(
  { subject, a, b }: Gathered,
  of: Difference,
  many: number,
  { a: unitsA, b: unitsB }: Differences,
): Omit<Change, 'what' | 'proof'> {
  const scale = scaleOf(unitsA, unitsB);
  const parts = (key: 'threads' | 'parts'): DifferencePart[] =>
    [...new Set([...a[key].keys(), ...b[key].keys()])]
      .map((name) => {
        const [a_ns, b_ns] = [(a[key].get(name) ?? 0) * scale.a, (b[key].get(name) ?? 0) * scale.b];
        return { name, a_ns, b_ns, delta_ns: b_ns - a_ns };
      })
      .filter(({ delta_ns }) => Math.abs(delta_ns) > NOTHING_NS)
      .sort((x, y) => Math.abs(y.delta_ns) - Math.abs(x.delta_ns));
  return { ...subject, ...numbersOf(of, many), threads: parts('threads'), parts: parts('parts') };
}

/** So many places of a row are told on each side. */
const PLACES = 5;

/** What shows a row on a side. */
export function proofOf(
  gathered: Gathered,
  side: SideName,
  ofReady: ReadonlyMap<number, UnitLengths>,
): SideProof {
  const { measure, process } = gathered.subject;
  const { ns, count, lengths, places } = gathered[side];
  const byLength = [...places].sort((x, y) => y.counted_ns - x.counted_ns);
  const longest_ns = byLength.reduce((most, { ts, te }) => Math.max(most, te - ts), 0);
  const lengthsOf = (): LengthSide => {
    if (measure === 'ready') return ofReady.get(process)?.side ?? NO_LENGTHS;
    // A sample has no length.
    if (measure === 'samples') return { ...NO_LENGTHS, n: sumOf(count) };
    return lengthSide(lengths, longest_ns);
  };
  return {
    lengths: lengthsOf(),
    places: byLength.slice(0, PLACES),
    blocks_ns: [...ns],
  };
}
