import { EPISODE_KINDS, EPISODE_TITLES } from '../../shared/causes/index.ts';
import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { choiceParam, numberParam, rowsParam, type ParamValues } from '../../shared/view/index.ts';

const length = (label: string, help: string) => numberParam(label, help, null, { min: 0, unit: 'ms' });

/** What can be asked of episodes. */
export const params = {
  kind: choiceParam(
    'Kind',
    'What begins and ends an episode. first: the first kind that the range has.',
    ['first', ...EPISODE_KINDS],
    { first: 'the first that there is', ...EPISODE_TITLES },
  ),
  slow_from_ms: length('Slow from', 'The shortest slow episode. Left out: those above p95.'),
  slow_to_ms: length('Slow to', 'The longest slow episode.'),
  ordinary_from_ms: length('Ordinary from', 'The shortest ordinary episode. Left out: those up to p50.'),
  ordinary_to_ms: length('Ordinary to', 'The longest ordinary episode.'),
  limit: rowsParam('How many, the longest.', 100, 10_000),
};

/** Values for them. */
export type EpisodesParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'what threads did in an episode is not known' },
    { signal: 'ready_threads', part_of: 'switches', without: 'what threads waited for is not known' },
    { signal: 'switch_states', part_of: 'switches', without: 'whether threads were blocked is not known' },
    { signal: 'focus', without: 'the focus begins and ends no episode' },
    { signal: 'input', without: 'keys and buttons begin no episode' },
    { signal: 'process_lives', without: 'processes begin and end no episode' },
    {
      ...{ signal: 'image_loads', part_of: 'process_lives' },
      without: 'when processes began to load is not known',
    },
  ],
  gaps: 'an episode may be missing, or too long',
};
