import { eachEpisode, EPISODE_KINDS, EPISODE_TITLES, type EpisodeKind } from '../causes/index.ts';
import type { Query } from '../engine/index.ts';
import { signalOf, type SignalId } from '../recording/index.ts';
import type { Blocks } from './blocks.ts';
import { classOf, Lengths } from './lengths.ts';
import type { Measured } from './measure.ts';

/** Kinds of episodes that are compared: the lengths of ready waits tell what wakes do. */
export type ComparedKind = Exclude<EpisodeKind, 'wake'>;
export const COMPARED_KINDS = EPISODE_KINDS.filter((kind): kind is ComparedKind => kind !== 'wake');

/** What a recording must hold of each kind. */
const NEEDS: Readonly<Record<ComparedKind, readonly SignalId[]>> = {
  input: ['input', 'focus', 'switch_states'],
  focus_block: ['focus', 'switch_states'],
  activity: ['generic_events'],
  process_life: ['process_lives'],
  process_to_image: ['process_lives', 'image_loads'],
  process_to_focus: ['process_lives', 'focus'],
  freeze: ['freezes'],
};

/** How long the episodes of each kind were that lie in the range, by the blocks in which they ended. */
export async function countEpisodes(
  query: Query,
  blocks: Blocks,
): Promise<ReadonlyMap<ComparedKind, Lengths>> {
  const found = new Map<ComparedKind, Lengths>();
  await eachEpisode(query, blocks.range, COMPARED_KINDS, (kind, _utid, ts, te) => {
    const block = blocks.at(te);
    if (kind === 'wake' || !blocks.isWhole(block)) return;
    const lengths = found.get(kind) ?? new Lengths(new Float64Array(blocks.count));
    found.set(kind, lengths);
    lengths.add(block, classOf(te - ts), 1);
    lengths.longest[block] = Math.max(lengths.longest[block] ?? 0, te - ts);
  });
  return found;
}

type WithEpisodes = Pick<Measured, 'name' | 'episodes' | 'recorded'>;

/** Why episodes of a kind cannot be compared, as a sentence; null where they can, or no trace has any. */
export function whyNoEpisodes(
  kind: ComparedKind,
  a: readonly WithEpisodes[],
  b: readonly WithEpisodes[],
): string | null {
  if (![...a, ...b].some(({ episodes }) => episodes.has(kind))) return null;
  const named = (side: string, traces: readonly WithEpisodes[]) => traces.map((trace) => ({ side, trace }));
  for (const { side, trace } of [...named('A', a), ...named('B', b)]) {
    if (trace.episodes.has(kind)) continue;
    const lacks = NEEDS[kind].find((id) => !trace.recorded.held.has(id));
    if (lacks !== undefined)
      return `Not compared: ${EPISODE_TITLES[kind]}. ${side} (${trace.name}) has no ${signalOf(lacks).name}.`;
  }
  return null;
}
