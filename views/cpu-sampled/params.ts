import { GROUPINGS } from '../../shared/profile/index.ts';
import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { FRAMES, MODES } from '../../shared/samples/index.ts';
import { choiceParam, numberParam, rowsParam, textParam, type ParamValues } from '../../shared/view/index.ts';

/** What can be asked of the sampled profile. */
export const params = {
  by: choiceParam(
    'By',
    'What samples are grouped by first. The module is that of the innermost frame.',
    GROUPINGS,
    { 'rank-priority': 'rank and priority' },
  ),
  frames: choiceParam(
    'Frames',
    'What frames are told apart by. Without symbols a function is not known, and its instruction stands for it.',
    FRAMES,
  ),
  shape: choiceParam('Shape', 'Whether calls go down (icicle) or up (flame).', ['icicle', 'flame']),
  mode: choiceParam(
    'Mode',
    'Shows only samples in user mode, in the kernel, in a deferred procedure call, or in an interrupt routine.',
    ['all', ...MODES],
  ),
  process: textParam('Process', 'Shows only samples of processes whose name contains this.'),
  tid: numberParam('Thread', 'Shows only samples of the thread with this id.', null, { min: 0 }),
  module: textParam(
    'Module',
    'Shows only samples whose innermost frame is in a module whose name contains this.',
  ),
  search: textParam(
    'Find',
    'Highlights frames whose name contains this, and tells which part of the samples they have.',
  ),
  least: numberParam(
    'From',
    'Frames with a smaller share of the samples are left out of the picture; the tables count all.',
    0.1,
    { min: 0.01, max: 50, unit: '%' },
  ),
  rows: rowsParam(
    'How many functions, and how many callers and callees, the tables hold at most: those with most samples.',
    500,
    100_000,
  ),
  loop_bytes: numberParam('Loop of', 'How many bytes of code a hot loop may take.', 128, {
    min: 1,
    max: 1_048_576,
    unit: 'bytes',
  }),
  loop_share: numberParam('with', 'The share of the samples of its process that a hot loop has.', 50, {
    min: 1,
    max: 100,
    unit: '%',
  }),
  function: textParam(
    'Function',
    'The function whose callers and callees are shown, by its name in the table; else the one with most samples of its own.',
    { chosen: true },
  ),
  zoom: numberParam('Zoom', 'The key of the frame that the picture is zoomed into.', null, { chosen: true }),
};

/** Values for them. */
export type CpuSampledParams = ParamValues<typeof params>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [
    { signal: 'samples', without: 'which code ran is not known', is_required: true },
    { signal: 'stacks', without: 'callers are not known' },
    { signal: 'symbols', without: 'native code is named by its module and the address in it' },
  ],
  gaps: 'samples there are missing',
};
