import type { TracePart } from '../host/api.ts';
import { requireUnit } from './time.ts';

/** The options that say what of a recording is opened, for `parseArgs`. */
export const PART_OPTIONS = {
  with: { type: 'string', multiple: true, default: [] as string[] },
  from: { type: 'string' },
  to: { type: 'string' },
  only: { type: 'string', multiple: true, default: [] as string[] },
  skip: { type: 'string', multiple: true, default: [] as string[] },
} as const;

/** How the help names them. */
export const PART_USAGE = '[--from TIME] [--to TIME] [--only KINDS] [--skip KINDS]';

/** What the help says of kinds. */
export const KINDS_DETAILS = [
  '--only, --skip K     load only, or all but, these kinds of events, separated by commas: scheduling, samples, stacks,',
  '                     images, io, interrupts, memory, network, registry, kernel, generic, or providers by name',
];

/** What the help says of all of them. */
export const PART_DETAILS = [
  '--from, --to TIME    load only this part: 30.3s, 500ms, 20us from the start, or ns on the trace clock',
  ...KINDS_DETAILS,
];

/** How the help names them, where a trace is opened. */
export const OPEN_USAGE = `[--with FILE]… ${PART_USAGE}`;

/** What the help says of other files. */
export const WITH_DETAILS = [
  '--with FILE          another file of the same recording (such as that of the user session), merged by time',
];

/** What the help says of all of them, where a trace is opened. */
export const OPEN_DETAILS = [...WITH_DETAILS, ...PART_DETAILS];

/** The part that was asked for; throws a `UsageError` for a time without a unit. */
export function readPart(values: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly only: readonly string[];
  readonly skip: readonly string[];
}): TracePart {
  const kinds = (lists: readonly string[]): string[] =>
    lists.flatMap((list) => list.split(',')).filter((kind) => kind !== '');
  const { from = null, to = null, only, skip } = values;
  if (from !== null) requireUnit('from', from);
  if (to !== null) requireUnit('to', to);
  return { from, to, only: kinds(only), skip: kinds(skip) };
}
