import { toNumber, toText, type Query } from '../engine/index.ts';
import { formatCount, formatDuration } from '../model/index.ts';
import { loadHeld, signalOf, SIGNALS, type SignalId } from '../recording/index.ts';
import { dataOf } from '../tables/index.ts';
import aboutSql from './about.sql';

/** What a recording says of itself: by what it is called, in words; null where nothing is said. */
export interface Recorded {
  readonly facts: ReadonlyMap<string, string | null>;
  readonly held: ReadonlySet<SignalId>;
  /** What was done with its texts before it was given away; null for nothing. */
  readonly redacted: string | null;
  /** How much of its events is missing and nobody knows where, as a part of what was read: of buffers or of events, whichever is more. */
  readonly missing_part: number;
}

/** Something in which recordings differ. */
export interface RecordingDifference {
  readonly what: string;
  readonly a: string;
  readonly b: string;
}

/** Signals that the outline of a trace tells, and that are not about special questions. */
const ASKED = SIGNALS.filter((signal) => !('in_whole' in signal.evidence) && !('is_special' in signal)).map(
  ({ id }): SignalId => id,
);

/** Asks what a recording holds. */
export async function loadRecorded(query: Query): Promise<Recorded> {
  const [row] = (await dataOf(query).outline(aboutSql)).rows();
  const text = (name: string) => toText(row?.[name]);
  const count = (name: string, unit = '') => {
    const value = toNumber(row?.[name]);
    return value === null ? null : `${formatCount(value)}${unit}`;
  };
  const resolution_ns = toNumber(row?.timer_resolution_ns);
  const facts = new Map<string, string | null>([
    ['build of Windows', toNumber(row?.os_build)?.toString() ?? null],
    ['version of Windows', text('os_version')],
    ['CPUs', count('cpu_count')],
    ['clock rate of a CPU', count('cpu_mhz', ' MHz')],
    ['size of a pointer', count('pointer_bytes', ' bytes')],
    ['clock of the recording', text('clock')],
    ['ticks of that clock per second', count('clock_hz')],
    ['period of the clock interrupt', resolution_ns === null ? null : formatDuration(resolution_ns)],
    ['kernel event groups', text('kernel_flags')],
    ['lost events', count('events_lost')],
    ['lost buffers', count('buffers_lost')],
    ['gaps', count('gaps')],
    ['kinds of events that were converted', text('selected_kinds') ?? 'all'],
    ['redaction', text('redacted') ?? 'none'],
  ]);
  return {
    facts,
    held: await loadHeld(query, ASKED),
    redacted: text('redacted'),
    missing_part: toNumber(row?.missing_part) ?? 0,
  };
}

/** In what the recordings of two sides differ; where those of one side differ among themselves, all values are named. */
export function recordingDifferences(
  a: readonly Recorded[],
  b: readonly Recorded[],
): readonly RecordingDifference[] {
  const differences: RecordingDifference[] = [];
  const compare = (what: string, of: (recorded: Recorded) => string) => {
    const [ofA, ofB] = [a, b].map((side) => [...new Set(side.map(of))].join(', '));
    if (ofA !== undefined && ofB !== undefined && ofA !== ofB) differences.push({ what, a: ofA, b: ofB });
  };
  for (const what of a[0]?.facts.keys() ?? [])
    compare(what, ({ facts }) => facts.get(what) ?? 'not recorded');
  for (const id of ASKED)
    compare(signalOf(id).name, ({ held }) => (held.has(id) ? 'recorded' : 'none recorded'));
  return differences;
}
