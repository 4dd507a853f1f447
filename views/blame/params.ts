import { BLAMED_BY } from '../../shared/causes/index.ts';
import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { choiceParam, rowsParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of blame. */
export const params = {
  by: choiceParam(
    'By',
    'What others waited for: threads, processes, services, drivers, modules (by samples), or knots of threads that wait only for each other.',
    BLAMED_BY,
  ),
  limit: rowsParam('How many: those for which others waited longest while they were active.', 200, 10_000),
};

/** Values for them. */
export type BlameParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'who was blocked is not known', is_required: true },
    { signal: 'ready_threads', without: 'who ended a wait is not known', is_required: true },
    { signal: 'switch_states', part_of: 'switches', without: 'waits for work count too' },
  ],
  gaps: 'a wait may be missing',
};

/** What it needs besides, by what others waited for. */
const ALSO: Partial<Record<BlameParams['by'], RecordingNeeds['needs'][number]>> = {
  service: { signal: 'services', without: 'threads of services are not told apart' },
  driver: { signal: 'interrupts', without: 'drivers are not known', is_required: true },
  module: { signal: 'samples', without: 'which code ran is not known', is_required: true },
};

/** What of a recording tells how long others waited for threads, drivers and so on. */
export function neededBy(by: BlameParams['by']): RecordingNeeds {
  const also = ALSO[by];
  return also === undefined ? recording : { ...recording, needs: [...recording.needs, also] };
}
