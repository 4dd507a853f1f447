import type { Query } from '../engine/index.ts';
import {
  findSignal,
  isRecorded,
  loadHeld,
  recordedBy,
  rowsInColumns,
  SIGNALS,
  type Evidence,
  type SignalId,
} from '../recording/index.ts';
import type { Header, HeaderEntry } from './header.ts';

/** What must be in the trace for a file to say anything. */
export interface Need {
  readonly evidence: Evidence;
  /** The signal whose evidence this is; absent where a table is named. */
  readonly signal?: SignalId;
  /** What records it. */
  readonly record: string;
}

const SIGNAL = /^[a-z_]+$/;
const TABLE = /^([a-z_]+)(?:\.([a-z_]+))?: (.+)$/;

/** Reads an `@needs`: a signal's id, or a table or column with what records it. */
export function readNeed(header: Header, entry: HeaderEntry): Need {
  const signal = findSignal(entry.value);
  if (signal !== null) return { evidence: signal.evidence, signal: signal.id, record: recordedBy(signal) };
  if (SIGNAL.test(entry.value)) {
    const known = SIGNALS.map(({ id }) => id).join(', ');
    throw header.refusal(entry, `names nothing that can be recorded: there are ${known}`);
  }
  const [, table, column, record] = TABLE.exec(entry.value) ?? [];
  if (table === undefined || record === undefined) {
    throw header.refusal(
      entry,
      'takes a name of docs/recording.md, such as "focus", or a table with what records it: "etw_focus: provider …"',
    );
  }
  const where = column === undefined ? {} : { where: `${column} IS NOT NULL` };
  return { evidence: { table, ...where }, record };
}

/** Those of `needs` that a trace has not. */
export async function missingNeeds(query: Query, needs: readonly Need[]): Promise<Need[]> {
  const missing: Need[] = [];
  for (const need of needs) if (!(await isThere(query, need))) missing.push(need);
  return missing;
}

async function isThere(query: Query, { signal, evidence }: Need): Promise<boolean> {
  if (signal === undefined) return (await rowsInColumns(query, evidence)) ?? isRecorded(query, evidence);
  return (await loadHeld(query, [signal])).has(signal);
}
