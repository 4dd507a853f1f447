import type { RecordingNeeds } from '../../shared/recording/index.ts';
import { FRAMES, MODES } from '../../shared/samples/index.ts';
import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';

/** What stands below the stacks: by what samples are grouped first. */
export const GROUPINGS = ['process', 'thread', 'module', 'priority', 'rank-priority', 'none'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What can be asked of the sampled profile. */
export const params = {
  by: {
    type: 'choice',
    default: 'process',
    choices: GROUPINGS,
    titles: { 'rank-priority': 'rank and priority' },
    label: 'By',
    help: 'What samples are grouped by first. The module is that of the innermost frame.',
  },
  frames: {
    type: 'choice',
    default: 'function',
    choices: FRAMES,
    label: 'Frames',
    help: 'What frames are told apart by. Without symbols a function is not known, and its instruction stands for it.',
  },
  shape: {
    type: 'choice',
    default: 'icicle',
    choices: ['icicle', 'flame'],
    label: 'Shape',
    help: 'Whether calls go down (icicle) or up (flame).',
  },
  mode: {
    type: 'choice',
    default: 'all',
    choices: ['all', ...MODES],
    label: 'Mode',
    help: 'Shows only samples in user mode, in the kernel, in a deferred procedure call, or in an interrupt routine.',
  },
  process: {
    type: 'text',
    default: null,
    label: 'Process',
    help: 'Shows only samples of processes whose name contains this.',
  },
  tid: {
    type: 'number',
    default: null,
    min: 0,
    label: 'Thread',
    help: 'Shows only samples of the thread with this id.',
  },
  module: {
    type: 'text',
    default: null,
    label: 'Module',
    help: 'Shows only samples whose innermost frame is in a module whose name contains this.',
  },
  search: {
    type: 'text',
    default: null,
    label: 'Find',
    help: 'Highlights frames whose name contains this, and tells which part of the samples they have.',
  },
  least: {
    type: 'number',
    default: 0.1,
    min: 0.01,
    max: 50,
    unit: '%',
    label: 'From',
    help: 'Frames with a smaller share of the samples are left out of the picture; the tables count all.',
  },
  rows: {
    type: 'number',
    default: 500,
    min: 1,
    max: 100_000,
    label: 'Rows',
    help: 'How many functions, and how many callers and callees, the tables hold at most: those with most samples.',
  },
  loop_bytes: {
    type: 'number',
    default: 128,
    min: 1,
    max: 1_048_576,
    unit: 'bytes',
    label: 'Loop of',
    help: 'How many bytes of code a hot loop may take.',
  },
  loop_share: {
    type: 'number',
    default: 50,
    min: 1,
    max: 100,
    unit: '%',
    label: 'with',
    help: 'The share of the samples of its process that a hot loop has.',
  },
  function: {
    type: 'text',
    default: null,
    chosen: true,
    label: 'Function',
    help: 'The function whose callers and callees are shown, by its name in the table; else the one with most samples of its own.',
  },
  zoom: {
    type: 'number',
    default: null,
    chosen: true,
    label: 'Zoom',
    help: 'The key of the frame that the picture is zoomed into.',
  },
} as const satisfies ParamSpecs;

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
