import type { Cell } from '../../shared/engine/index.ts';
import { programLabel } from '../../shared/threads/index.ts';
import { column, type Column } from './make-table.ts';

/** Ids are names: a sum of them means nothing. */
const idText = (id: number | null): Cell => (id === null ? null : String(id));

/** A row about a program: a thread has the service that it works for, a process those that it hosts. */
type OfProgram = { readonly process: string | null } & (
  { readonly service: string | null } | { readonly services: string | null }
);

function programText(row: OfProgram): Cell {
  const service = 'service' in row ? row.service : row.services;
  return row.process === null ? null : programLabel({ process: row.process, service });
}

/**
 * Columns that tables of several views have: name, title, unit and help in one place. A table that means something narrower by one
 * says so: `{ ...columns.process, help: 'The frozen process.' }`.
 */
export const columns = {
  process: column('process', 'Process', 'text', 'The process, and its service. –: not known.', programText),
  pid: column('pid', 'Process id', 'text', 'Its process id.', ({ pid }: { readonly pid: number | null }) =>
    idText(pid),
  ),
  tid: column('tid', 'Thread', 'text', 'The id of the thread.', ({ tid }: { readonly tid: number | null }) =>
    idText(tid),
  ),
  thread: column('thread', 'Thread name', 'text', 'The name the thread was given, if any.'),
  cpu: column('cpu', 'CPU', 'count', 'The CPU.'),
  rank: column(
    'rank',
    'Rank',
    'count',
    'Its scheduler rank. A thread runs only when no thread of a lower rank number wants to, whatever the priorities.',
  ),
  priority: column('priority', 'Priority', 'count', 'The priority (0 to 31).'),
  ran_ns: column('ran_ns', 'CPU time', 'duration_ns', 'How long it ran.'),
  count: column('count', 'Count', 'count', 'How many.'),
  sum_ns: column('sum_ns', 'Sum', 'duration_ns', 'Their durations together.'),
  p50_ns: column('p50_ns', 'p50', 'duration_ns', 'Half took no longer.'),
  p90_ns: column('p90_ns', 'p90', 'duration_ns', 'Nine in ten took no longer.'),
  p99_ns: column('p99_ns', 'p99', 'duration_ns', '99 in 100 took no longer.'),
  max_ns: column('max_ns', 'Longest', 'duration_ns', 'The longest.'),
  from_ns: column('from_ns', 'From', 'duration_ns', 'The shortest of the bar.'),
  to_ns: column('to_ns', 'To', 'duration_ns', 'All of the bar are shorter.'),
} as const;

/** A column for each hardware counter, of rows that tell what it counted. */
export function countedColumns<Row extends { readonly counted: readonly (number | null)[] }>(
  counters: readonly string[],
): readonly Column<Row>[] {
  return counters.map((name, place) =>
    column(
      `counter_${place + 1}`,
      name,
      'count',
      'What this hardware counter counted in the runs that ended within the range. –: not recorded.',
      ({ counted }) => counted[place] ?? null,
    ),
  );
}
