import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { Track } from './model.ts';
import type { Stretch, WokenAnswer } from './questions.ts';

/** Whether a track shows what happens now and then: threads and CPUs do something at any time. */
export function hasGaps({ kind }: Pick<Track, 'kind'>): boolean {
  return kind === 'machine' || kind === 'samples' || kind === 'items';
}

/** What a track is, and what it did in the range that tracks are ordered by. */
export function trackLines(track: Track): readonly string[] {
  const { label, process, kind, sums } = track;
  const name = nameOf(track);
  if (hasGaps(track) || kind === 'extra') return [name];
  if (kind === 'cpu') return [name, `busy for ${formatDuration(sums.running_ns)}`];
  return [
    name,
    ...(kind === 'thread' && process !== null && process !== label ? [process] : []),
    `ran for ${formatDuration(sums.running_ns)}`,
    `ready for ${formatDuration(sums.ready_ns)}`,
    `blocked for ${formatDuration(sums.blocked_ns)}`,
  ];
}

/** What a track did at a time. */
export function stretchLines({ title, ts, te, facts }: Stretch, origin_ns: number): readonly string[] {
  return [
    title,
    `${formatTime(ts, origin_ns)}, for ${formatDuration(te - ts)}`,
    ...facts.map(([name, value]) => `${name}: ${value}`),
  ];
}

/** So many pinned tracks are named. */
const MOST_NAMED = 4;

/** What the tables of a range cover, in a title and a sentence. */
export function coverWords(
  { start, end }: TimeRange,
  tracks: readonly Track[],
  origin_ns: number,
): { readonly title: string; readonly text: string } {
  const title = `From ${formatTime(start, origin_ns)} to ${formatTime(end, origin_ns)}: ${formatDuration(end - start)}`;
  const told = tracks.filter(({ is_pinned, kind }) => is_pinned && (kind === 'process' || kind === 'thread'));
  if (told.length === 0)
    return { title, text: 'The tables cover all threads. Pin threads or processes to have these alone.' };
  const named = told.slice(0, MOST_NAMED).map(nameOf);
  const more = told.length - named.length;
  const names = [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ');
  return { title, text: `The tables cover the pinned tracks alone: ${names}.` };
}

/** Whom a thread woke. */
export function wokenWords({ count, threads }: WokenAnswer): string {
  const of = threads === 1 ? 'one thread' : `${formatCount(threads)} threads`;
  return count === threads ? of : `${of}, ${formatCount(count)} times`;
}

/** The facts that tell how a thread came to be ready. */
const WAKE_FACTS: ReadonlySet<string> = new Set(['Became ready', 'Woken by', 'Ended by']);

/** Why no way leads to who woke a thread. */
export function noWakerWords({ facts }: Stretch): string {
  const fact = facts.find(([name]) => WAKE_FACTS.has(name));
  const reason = fact === undefined ? 'no wake was recorded' : `${fact[0].toLowerCase()} ${fact[1]}`;
  return `No thread to go to: ${reason}.`;
}

function nameOf({ label, aside }: Track): string {
  return aside === '' ? label : `${label}, ${aside}`;
}
