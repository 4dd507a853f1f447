import type { Query } from '../engine/index.ts';
import { formatCount, formatDuration } from '../model/index.ts';
import { loadHeld, ORDINARY_SIGNALS, readEventCounts, signalOf, type SignalId } from '../recording/index.ts';
import { loadPower } from './power.ts';
import { dataOf, traceRow, numberAt, textAt, type Tables } from '../tables/index.ts';

/** What a recording says of itself: by what it is called, in words; null where nothing is said. */
export interface Recorded {
  readonly facts: ReadonlyMap<string, string | null>;
  readonly held: ReadonlySet<SignalId>;
  /** What was done with its texts before it was given away; null for nothing. */
  readonly redacted: string | null;
  /** Providers whose events the recording has. */
  readonly providers: readonly string[];
  /** The part of its events that is missing at an unknown place: of the buffers or the events that were read, whichever is more. */
  readonly missing_part: number;
}

/** Something in which recordings differ. */
export interface RecordingDifference {
  readonly what: string;
  readonly a: string;
  readonly b: string;
}

/** What a recording says of itself and of its machine. */
const COLUMNS = [
  ...(['os_build', 'os_version', 'cpu_count', 'cpu_mhz', 'pointer_bytes', 'clock', 'clock_hz'] as const),
  ...(['timer_resolution_ns', 'kernel_flags', 'events_lost', 'buffers_lost', 'events_read'] as const),
  ...(['buffers_read', 'selected_kinds', 'redacted'] as const),
] as const;

/** What matters of samples alone, and what nothing but SQL tells. */
const OF_SAMPLES: ReadonlySet<SignalId> = new Set(['sample_intervals', 'symbols', 'kernel_functions']);

/** Asks which signals a recording holds. */
async function heldOf(query: Query): Promise<ReadonlySet<SignalId>> {
  const held = await loadHeld(
    query,
    ORDINARY_SIGNALS.filter((id) => !OF_SAMPLES.has(id)),
  );
  return held.has('samples') ? loadHeld(query, ORDINARY_SIGNALS) : held;
}

/** Asks what a recording holds. */
export async function loadRecorded(query: Query): Promise<Recorded> {
  const { tables } = dataOf(query);
  const row = await traceRow(tables, COLUMNS);
  const number = (name: (typeof COLUMNS)[number]) => {
    const value = row?.[name] ?? null;
    return value === null ? null : Number(value);
  };
  const text = (name: (typeof COLUMNS)[number]) => {
    const value = row?.[name] ?? null;
    return value === null ? null : String(value);
  };
  const count = (name: (typeof COLUMNS)[number], unit = '') => {
    const value = number(name);
    return value === null ? null : `${formatCount(value)}${unit}`;
  };
  const resolution_ns = number('timer_resolution_ns');
  const power = await loadPower(tables);
  const gaps = row === null ? null : await tables.rowCount('etw_loss');
  const facts = new Map<string, string | null>([
    ['build of Windows', number('os_build')?.toString() ?? null],
    ['version of Windows', text('os_version')],
    ['CPUs', count('cpu_count')],
    ['clock rate of a CPU', count('cpu_mhz', ' MHz')],
    ['size of a pointer', count('pointer_bytes', ' bytes')],
    ['clock of the recording', text('clock')],
    ['ticks of that clock per second', count('clock_hz')],
    ['time that a sample stands for', await sampleInterval(tables)],
    ['power source', power.source],
    ['power plan', power.plan],
    ['sleeps of the computer', power.sleeps],
    ['period of the clock interrupt', resolution_ns === null ? null : formatDuration(resolution_ns)],
    ['kernel event groups', text('kernel_flags')],
    ['lost events', count('events_lost')],
    ['lost buffers', count('buffers_lost')],
    ['gaps', gaps === null ? null : formatCount(gaps)],
    ['kinds of events that were converted', text('selected_kinds') ?? 'all'],
    ['redaction', text('redacted') ?? 'none'],
  ]);
  return {
    facts,
    held: await heldOf(query),
    redacted: text('redacted'),
    providers: [...new Set((await readEventCounts(tables)).map(({ provider }) => provider))].sort(),
    missing_part: row === null ? 0 : await missingPart(tables, number('buffers_read'), number('events_read')),
  };
}

/** The time that the first sample stands for, in words; null where no sample says it. */
async function sampleInterval(tables: Tables): Promise<string | null> {
  for await (const { rowCount, columns } of tables.batches('etw_sample', ['weight_ns'])) {
    const weight_ns = rowCount === 0 ? null : numberAt(columns.weight_ns, 0);
    return weight_ns === null ? null : formatDuration(weight_ns);
  }
  return null;
}

/** How much is missing at an unknown place, as a part of so many buffers or events. */
async function missingPart(tables: Tables, buffers: number | null, events: number | null): Promise<number> {
  let [lost_buffers, lost_events] = [0, 0];
  for await (const { rowCount, columns } of tables.batches('etw_loss', ['cpu', 'kind', 'count']))
    for (let row = 0; row < rowCount; row++) {
      // The CPU of a lost buffer is not known. Its events may be older than those of the buffers around it.
      if (numberAt(columns.cpu, row) !== null) continue;
      const [kind, count] = [textAt(columns.kind, row), numberAt(columns.count, row)];
      if (kind === 'lost_buffers' || kind === 'damaged_buffer') lost_buffers += count ?? 1;
      if (kind === 'lost_events') lost_events += count ?? 0;
    }
  return Math.max(lost_buffers / Math.max(1, buffers ?? 0), lost_events / Math.max(1, events ?? 0));
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
  const ofSides = [a, b].map((side) => new Set(side.flatMap(({ providers }) => providers)));
  const [onlyA, onlyB] = ofSides.map((own, at) =>
    [...own].filter((provider) => ofSides[1 - at]?.has(provider) !== true).join(', '),
  );
  if (onlyA !== undefined && onlyB !== undefined && onlyA + onlyB !== '')
    differences.push({ what: 'providers with events', a: alone(onlyA), b: alone(onlyB) });
  for (const id of ORDINARY_SIGNALS)
    compare(signalOf(id).name, ({ held }) => (held.has(id) ? 'recorded' : 'none recorded'));
  return differences;
}

function alone(providers: string): string {
  return providers === '' ? 'no others' : `also ${providers}`;
}
