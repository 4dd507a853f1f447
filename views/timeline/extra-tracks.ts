import type { ExtraTrack, TrackItem } from '../../shared/view/index.ts';
import { formatDuration } from '../../shared/model/index.ts';
import type { Track } from './model.ts';
import type { Fact, Stretch } from './questions.ts';
import { FLAG_PX } from './extra-flags.ts';
import { firstAfter } from './extra-items.ts';

/** The key of an extra track: no other begins so. */
const KEY = 'x';
const NO_SUMS = { running_ns: 0, ready_ns: 0, blocked_ns: 0, runs: 0, wakes: 0 };
/** So many other items that hold at the same time are named. */
const MOST_OTHERS = 5;

/** The key of an extra track, by which its pixels are known. */
export function extraKey({ name }: Pick<ExtraTrack, 'name'>): string {
  return `${KEY}${name}`;
}

/** The tracks of a view with extra ones among them: pinned ones on top, others above those of the machine. */
export function withExtras(
  tracks: readonly Track[],
  extras: readonly ExtraTrack[],
  { pinned, filter }: { readonly pinned: string | null; readonly filter: string | null },
): readonly Track[] {
  const names = new Set(pinned?.split(' ') ?? []);
  const wanted = filter?.trim().toLowerCase() ?? '';
  const trackOf = (extra: ExtraTrack, is_pinned: boolean): Track => ({
    key: extraKey(extra),
    name: extra.name,
    kind: 'extra',
    label: extra.label,
    aside: extra.aside,
    tid: null,
    pid: null,
    process: null,
    sums: NO_SUMS,
    first_ts: null,
    is_pinned,
    is_open: false,
    is_inner: false,
  });
  const top = extras.filter(({ name }) => names.has(name)).map((extra) => trackOf(extra, true));
  const others = extras
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map((extra) => trackOf(extra, false));
  const pinnedCount = tracks.filter(({ is_pinned }) => is_pinned).length;
  return [...top, ...tracks.slice(0, pinnedCount), ...others, ...tracks.slice(pinnedCount)];
}

/** The place of the item under a pointer, -1 for none: of a flag it flies in so many ns per px, of spans the one that is shown there. */
export function itemAt(
  { items, draw }: Pick<ExtraTrack, 'items' | 'draw'>,
  at: number,
  px_ns: number,
): number {
  const last = firstAfter(items, at);
  if (draw === 'flags')
    for (let item = last - 1; item >= 0; item--)
      if (at - (items[item]?.ts ?? 0) <= FLAG_PX * px_ns) return item;
  // What lasts no pixel is found in its pixel.
  const least_ns = draw === 'values' ? 0 : px_ns;
  for (let item = last - 1; item >= 0; item--) {
    const { ts = 0, te = 0 } = items[item] ?? {};
    if (Math.max(te, ts + least_ns) > at) return item;
  }
  const { ts = Infinity } = items[last] ?? {};
  return draw !== 'values' && ts - at <= px_ns ? last : -1;
}

/** What an item is, in the form of what other tracks show. */
export function stretchOf(extra: ExtraTrack, item: number): Stretch | null {
  const shown = extra.items[item];
  if (shown === undefined) return null;
  const { ts, te, name } = shown;
  const facts = [...extra.about(item).facts, ...othersAt(extra.items, shown)];
  const none = { also: [], thread: null, pid: null, wake: null };
  return { track: extraKey(extra), ts, te, title: name, facts, ...none };
}

/** What holds too where an item begins, as a fact; none where nothing does. */
export function othersAt(items: readonly TrackItem[], shown: TrackItem): readonly Fact[] {
  const others = items.filter((each) => each !== shown && each.ts <= shown.ts && each.te > shown.ts);
  if (others.length === 0) return [];
  const named = others
    .slice(0, MOST_OTHERS)
    .map((other) => `${other.name}, ${formatDuration(other.te - other.ts)}`);
  const more = others.length - named.length;
  return [['Holds then too', [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ')]];
}
