import { EPISODE_TITLES } from '../../shared/causes/index.ts';
import { SIDE_LABELS, type Contrasted } from '../../shared/contrast/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, columns, makeTable, type Column } from '../kit/index.ts';
import type { EpisodeRow, EpisodesModel, KindRow } from './load.ts';

const KIND_COLUMNS: readonly Column<KindRow>[] = [
  column('kind', 'Episodes', 'text', 'What begins and ends them.', ({ kind }) => EPISODE_TITLES[kind]),
  columns.count,
  columns.p50_ns,
  column('p95_ns', 'p95', 'duration_ns', '95 in 100 took no longer.'),
  column('longest_ns', 'Longest', 'duration_ns', 'The longest.', ({ longest }) => longest.dur),
  column('longest_ts', 'At', 'time_ns', 'When that one began.', ({ longest }) => longest.ts),
  column('thread', 'Its thread', 'text', 'The thread of that one.', ({ longest }) =>
    threadLabel(longest.thread),
  ),
];

const EPISODE_COLUMNS: readonly Column<EpisodeRow>[] = [
  column('ts', 'Began', 'time_ns', 'When it began.'),
  column('dur', 'Took', 'duration_ns', 'How long it took.'),
  column('thread', 'Thread', 'text', 'The thread that stands for it.', ({ thread }) => threadLabel(thread)),
];

const CONTRAST_COLUMNS: readonly Column<Contrasted>[] = [
  column('difference_ns', 'Difference', 'duration_ns', 'Slow less ordinary: the mean of an episode.'),
  column(
    'reach_ns',
    '±',
    'duration_ns',
    'How far the difference may be off. All intervals hold together in 95 of 100 cases. –: one episode alone.',
    ({ reach_ns }) => (Number.isFinite(reach_ns) ? Math.round(reach_ns) : null),
  ),
  column('is_sure', 'Sure', 'text', 'Whether the interval leaves out 0.', ({ is_sure }) =>
    is_sure ? 'yes' : 'no',
  ),
  column('slow_ns', 'Slow', 'duration_ns', 'The mean of a slow episode.'),
  column('ordinary_ns', 'Ordinary', 'duration_ns', 'The mean of an ordinary episode.'),
  column('slow_share', 'Slow with it', 'share', 'The part of the slow episodes that have any of it.'),
  column(
    'ordinary_share',
    'Ordinary with it',
    'share',
    'The part of the ordinary episodes that have any of it.',
  ),
  column('side', 'By', 'text', 'What kind of thing it is.', ({ side }) => SIDE_LABELS[side]),
  column('value', 'What', 'text', 'What the time went to.'),
];

/** So many differences are listed. */
export const LISTED_DIFFERENCES = 60;

/** The kinds, the longest episodes of the one that is shown, and what its slow ones have that its ordinary ones have not. */
export const episodesTables = ({ kinds, episodes, contrast }: EpisodesModel): readonly ViewTable[] => [
  makeTable('Episodes by kind', KIND_COLUMNS, kinds),
  makeTable('The longest episodes', EPISODE_COLUMNS, episodes),
  makeTable('Slow against ordinary', CONTRAST_COLUMNS, (contrast?.rows ?? []).slice(0, LISTED_DIFFERENCES)),
];
