import type { RecordingNeeds } from '../../shared/recording/index.ts';

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'switches', without: 'what threads did is not known', is_required: true },
    {
      ...{ signal: 'switch_states', part_of: 'switches' },
      without: 'a thread that was put aside looks blocked',
    },
    { signal: 'ready_threads', without: 'who ended a wait is not known' },
    { signal: 'ranks', without: 'a wait by rank is not told from one by priority', part_of: 'switch_states' },
    { signal: 'interrupts', without: 'DPCs and interrupts explain nothing' },
  ],
  uses: ['affinities', 'freezes', 'disk_io', 'file_io', 'hard_faults'],
  gaps: 'time in them is not recorded',
};
