import type { Query } from '../engine/index.ts';
import { dataOf, traceRow, type Bounds, type Tables } from '../tables/index.ts';
import { recordingNotes, signalsOf, type RecordingNeeds, type RecordingNotes } from './needs.ts';
import { seenInColumns } from './of-columns.ts';
import recordedSql from './recorded.sql';
import type { Evidence } from './signal.ts';
import { signalOf, type SignalId } from './signals.ts';

/** What the model of a view says about the recording. */
export interface Known extends RecordingNotes {
  /** When the recording starts, in ns on the trace clock. */
  readonly origin_ns: number;
}

/** What a trace holds of what a view needs, and what the view says of the rest. */
export interface Recording extends Known {
  has(signal: SignalId): boolean;
}

/** The part of it that a model tells. */
export const knownOf = ({ origin_ns, unrecorded, notes }: Known): Known => ({ origin_ns, unrecorded, notes });

/** All of any trace. */
export const WHOLE_TRACE = { range_start: 0, range_end: Number.MAX_SAFE_INTEGER };

/** A range as SQL is asked of it: in whole ns. */
export const boundsOf = ({ start, end }: { readonly start: number; readonly end: number }) => ({
  range_start: Math.floor(start),
  range_end: Math.ceil(end),
});

/** Whether a trace holds the rows that show a signal. */
export async function isRecorded(query: Query, { table, where = '1' }: Evidence): Promise<boolean> {
  const sql = recordedSql.replace('/* table */', table).replace('/* condition */', where);
  const [row] = (await query(sql)).rows();
  return row?.recorded === 1;
}

/** Asks which of a view's needs a trace holds, and for the gaps of a range of it. */
export async function loadRecording(
  query: Query,
  needs: RecordingNeeds,
  { range_start, range_end }: Bounds,
): Promise<Recording> {
  const held = await loadHeld(query, [...needs.needs.flatMap(signalsOf), ...(needs.uses ?? [])]);
  const { tables } = dataOf(query);
  const about = await traceRow(tables, ['start_ts', 'selected_kinds']);
  const selected_kinds = typeof about?.selected_kinds === 'string' ? about.selected_kinds : null;
  const gaps = about === null ? 0 : await countGaps(tables, { range_start, range_end });
  return {
    origin_ns: Number(about?.start_ts ?? 0),
    ...recordingNotes(needs, held, selected_kinds, gaps),
    has: (id) => held.has(id),
  };
}

/** How many gaps a range has. */
export async function countGaps(tables: Tables, { range_start, range_end }: Bounds): Promise<number> {
  let gaps = 0;
  for await (const { rowCount, columns } of tables.batches('etw_loss', ['ts', 'te']))
    for (let row = 0; row < rowCount; row++)
      if ((columns.ts.values[row] ?? 0) < range_end && (columns.te.values[row] ?? 0) >= range_start) gaps++;
  return gaps;
}

/** Asks which of some signals a trace holds. */
export async function loadHeld(query: Query, ids: readonly SignalId[]): Promise<ReadonlySet<SignalId>> {
  const held = new Set<SignalId>();
  for (const id of ids) if (await holds(query, id)) held.add(id);
  return held;
}

/** Answers that were asked for, of each loaded trace. */
const asked = new WeakMap<Query, Map<SignalId, Promise<boolean>>>();

/** What a trace holds does not change. What fails, as where the asker gave up, is asked again. */
function holds(query: Query, id: SignalId): Promise<boolean> {
  const answers = asked.get(query) ?? new Map<SignalId, Promise<boolean>>();
  asked.set(query, answers);
  const before = answers.get(id);
  if (before !== undefined) return before.catch(() => holds(query, id));
  const { evidence } = signalOf(id);
  const answer = seenInColumns(query, id) ?? isRecorded(dataOf(query).outline, evidence);
  answers.set(id, answer);
  answer.catch(() => {
    if (answers.get(id) === answer) answers.delete(id);
  });
  return answer;
}
