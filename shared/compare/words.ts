import { formatCount, formatDuration } from '../model/index.ts';
import { sideOf, type FindingChange, type FindingSide } from './compare-findings.ts';
import type { Certainty } from './certainty.ts';
import type { Change, Comparison } from './comparison.ts';
import type { Matched } from './match.ts';

/** By what processes were matched. */
export const STEP_WORDS: Readonly<Record<Matched['step'], string>> = {
  tied: 'hand: tied by the user',
  command_and_parent: 'image, command line and parent',
  command: 'image and command line',
  image: 'image alone',
  only: 'nothing: on one side alone',
};

/** Whether a note of a comparison says what is not compared. */
export function isLacking(note: string): boolean {
  return note.startsWith('Not compared:');
}

/** Whether a note of a comparison says what is still measured. */
function isLate(note: string): boolean {
  return note.startsWith('Not compared yet:');
}

/** What a change of findings is called. */
export const CHANGE_WORDS: Readonly<Record<FindingChange['change'], string>> = {
  new: 'new',
  gone: 'gone',
  more: 'costs more',
  less: 'costs less',
};

/** Whom a finding is about, in names that hold for any recording. */
export function foundWhere({ process, thread }: Pick<FindingChange, 'process' | 'thread'>): string {
  return process === null ? 'the machine' : process + (thread === null ? '' : `: ${thread}`);
}

/** The seconds that a side lost by a finding, and of several traces in how many it is. */
export function lostWords({ traces, seconds_lost }: FindingSide, ofTraces: number): string {
  if (traces === 0) return '–';
  const of = ofTraces === 1 ? '' : `, in ${formatCount(traces)} of ${formatCount(ofTraces)}`;
  return formatDuration(seconds_lost * 1e9) + of;
}

/** What a changed finding says: on the side that lost more by it. */
export function findingWords(change: FindingChange): string {
  const { explains } = change;
  const sentence = change[sideOf(change)].worst?.sentence ?? '';
  const more = explains === 0 ? '' : ` It explains ${formatCount(explains)} more of these.`;
  return sentence + more;
}

/** A comparison in one sentence, and what became of its bounds in another. */
export function verdict({ changes, processes, bounds, lengths, totals, notes }: Comparison): string {
  const broken = bounds.filter(({ result }) => result === 'broken').length;
  const ofBounds =
    broken === 0 ? '' : ` ${broken === 1 ? 'A bound is' : `${broken} bounds are`} broken for sure.`;
  const soFar = notes.some(isLate) ? ' so far' : '';
  if (totals.length === 0 && notes.some(isLacking))
    return `Nothing can be compared: what it takes is not recorded on both sides.${ofBounds}`;
  if (changes.length === 0 && lengths.length === 0)
    return `A and B do not differ in what is compared${soFar}.${ofBounds}`;
  const [first] = changes;
  if (first?.is_sure !== true) return `Nothing changed for sure${soFar}.${ofBounds}`;
  const { name } = processes[first.process] ?? { name: '' };
  const sure = changes.filter(({ is_sure }) => is_sure).length;
  const rest = sure === 1 ? '' : ` ${formatCount(sure)} differences are sure in all.`;
  return `Most changed${soFar} ${name}, ${first.what}: ${signedDuration(first.delta_ns)}.${rest}${ofBounds}`;
}

/** What has the most of a difference: a thread, and a rank and priority or a function. */
export function mostOf({ threads, parts, measure, delta_ns }: Change): string {
  const most = [threads[0], ['cpu', 'samples'].includes(measure) ? parts[0] : undefined].filter(
    (part) => part !== undefined && part.delta_ns * delta_ns > 0,
  );
  return most.map((part) => part?.name ?? '').join('; ');
}

/** The interval of a difference of times, or that nothing can be told. */
export function intervalWords({ is_sure, low, high, n }: Certainty): string {
  return is_sure ? `${signedDuration(low)} to ${signedDuration(high)}` : `cannot tell, n = ${n}`;
}

/** The interval of a difference of counts, likewise. */
export function countIntervalWords({ is_sure, low, high, n }: Certainty): string {
  return is_sure ? `${signedCount(low)} to ${signedCount(high)}` : `cannot tell, n = ${n}`;
}

/** A count, which may be a mean of several traces or be scaled to another length. */
export function countWords(value: number): string {
  const rounded = Math.round(value);
  return Math.abs(value - rounded) < 0.005 || value >= 1000 ? formatCount(rounded) : value.toFixed(1);
}

/** A difference of counts with its sign. */
export function signedCount(value: number): string {
  return value < 0 ? `−${countWords(-value)}` : `+${countWords(value)}`;
}

/** A difference of times with its sign. */
export function signedDuration(ns: number): string {
  if (!Number.isFinite(ns)) return ns < 0 ? '−∞' : '∞';
  return ns < 0 ? `−${formatDuration(-ns)}` : `+${formatDuration(ns)}`;
}
