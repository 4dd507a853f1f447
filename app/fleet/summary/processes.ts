import { foldCommandLine } from '../../../shared/compare/fold.ts';
import { readRows, type TableRow, type Tables } from '../../../shared/tables/index.ts';
import type { LakeRow } from '../tables.ts';

const COLUMNS = [
  ...(['upid', 'pid', 'name', 'parent_upid', 'command_line', 'create_ts', 'exit_ts', 'exit_code'] as const),
] as const;
type ProcessRow = TableRow<(typeof COLUMNS)[number]>;

/** All processes; those that differ in their ids and times alone are one row, in the place of the first. */
export async function summariseProcesses(tables: Tables): Promise<readonly LakeRow<'process'>[]> {
  const rows = await readRows(tables, 'etw_process', COLUMNS);
  const nameOf = new Map(rows.map(({ upid, name }) => [upid, name]));
  return alikeTogether(
    [...rows]
      .sort((a, b) => Number(a.upid) - Number(b.upid))
      .map((row) => processRow(row, row.parent_upid === null ? null : (nameOf.get(row.parent_upid) ?? null))),
  );
}

function processRow(row: ProcessRow, parent: string | number | null): LakeRow<'process'> {
  const [pid, create_ts, exit_ts] = [numberOf(row.pid), numberOf(row.create_ts), numberOf(row.exit_ts)];
  const [name, command] = [textOf(row.name), textOf(row.command_line)];
  return {
    // Only its id is known of it, which tells nothing in another recording.
    process: name === null || name === `pid ${pid ?? ''}` ? 'unknown process' : name,
    pid,
    parent: textOf(parent),
    command: command === null || command === '' ? null : foldCommandLine(command),
    create_ts,
    exit_ts,
    lifetime_ns: create_ts === null || exit_ts === null ? null : exit_ts - create_ts,
    exit_code: numberOf(row.exit_code),
    processes: 1,
    longest_ns: create_ts === null || exit_ts === null ? null : exit_ts - create_ts,
  };
}

const numberOf = (cell: string | number | null) => (typeof cell === 'number' ? cell : null);
const textOf = (cell: string | number | null) => (typeof cell === 'string' ? cell : null);

function alikeTogether(rows: readonly LakeRow<'process'>[]): readonly LakeRow<'process'>[] {
  const groups = new Map<string, LakeRow<'process'>>();
  for (const row of rows) {
    const { process, parent, command, exit_code, create_ts, exit_ts } = row;
    const key = JSON.stringify([process, parent, command, exit_code, create_ts === null, exit_ts === null]);
    const before = groups.get(key);
    groups.set(key, before === undefined ? row : bothTogether(before, row));
  }
  return [...groups.values()];
}

function bothTogether(a: LakeRow<'process'>, b: LakeRow<'process'>): LakeRow<'process'> {
  const longer = Number(b.longest_ns) > Number(a.longest_ns) ? b : a;
  return {
    ...longer,
    lifetime_ns: a.lifetime_ns === null ? null : Number(a.lifetime_ns) + Number(b.lifetime_ns),
    processes: Number(a.processes) + Number(b.processes),
  };
}
