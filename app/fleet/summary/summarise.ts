import { foldCommandLine } from '../../../shared/compare/fold.ts';
import { loadThings } from '../../../shared/compare/things.ts';
import { toNumber, toText, type Cell, type Query, type Row } from '../../../shared/engine/index.ts';
import { runRules, shippedRules } from '../../../shared/findings/index.ts';
import { loadHeld, ORDINARY_SIGNALS } from '../../../shared/recording/index.ts';
import { loadMoments } from '../../../shared/releases/index.ts';
import { dataOf } from '../../../shared/tables/index.ts';
import { LAKE_VERSION, type LakeRow, type LakeRows } from '../tables.ts';
import hotFunctionsSql from './hot-functions.sql';
import lossesSql from './losses.sql';
import processesSql from './processes.sql';
import { summariseReadyWaits } from './ready-waits.ts';
import { summariseRuns } from './runs.ts';
import threadsSql from './threads.sql';
import traceSql from './trace.sql';

/** Release moments that are kept of a trace. */
const MOMENTS = 50;
/** Places of samples that are kept of a trace. */
const PLACES = 200;
/** Even a trace of one event has a range. */
const SHORTEST_NS = 1000;

/** What is known of a trace from outside. */
export interface Summarised {
  readonly name: string;
  readonly sourceBytes: number;
  readonly outrankVersion: string;
  /** What was said of it when it was added. */
  readonly tags: ReadonlyMap<string, string>;
  /** The key of a machine, by its name. */
  readonly machineKey: (computer: string) => string;
}

/** Sums up a trace for a lake; null for a trace that was not converted from an `.etl`. */
export async function summarise(query: Query, about: Summarised): Promise<LakeRows | null> {
  const { outline, tables } = dataOf(query);
  const [row] = (await outline(traceSql)).rows();
  if (row === undefined) return null;
  const start = Number(row.start_ts);
  const range = { start, end: start + Math.max(SHORTEST_NS, Number(row.dur_ns)) };
  const held = await loadHeld(query, ORDINARY_SIGNALS);
  const things = await loadThings(tables);
  const tids = new Map(
    [...(await outline(threadsSql)).rows()].map(({ utid, tid }) => [Number(utid), Number(tid)]),
  );
  const runs = await summariseRuns(tables, things);
  const runCount = runs.reduce((sum, each) => sum + Number(each.runs), 0);
  const ready = await summariseReadyWaits(query, runCount, things, tids);
  const functions = held.has('samples') ? await hotFunctions(outline) : { rows: [], leftOut: 0 };
  const { findings, rules } = await findingRows(query, range);
  return {
    trace: [
      {
        ...traceRow(row, about),
        has_switches: held.has('switches'),
        has_ready: held.has('ready_threads'),
        chains_left_out: ready.chains_left_out,
        functions_left_out: functions.leftOut,
      },
    ],
    tag: [...about.tags].map(([name, value]) => ({ name, value })),
    ready_wait: ready.waits,
    run: runs,
    chain: ready.chains,
    release: held.has('switches') ? await releases(query, range) : [],
    hot_function: functions.rows,
    process: alikeTogether([...(await outline(processesSql)).rows()].map(processRow)),
    finding: findings,
    rule: rules,
    loss: [...(await outline(lossesSql)).rows()].map((loss) => ({
      kind: toText(loss.kind),
      gaps: toNumber(loss.gaps),
      events: toNumber(loss.events),
      dur_ns: toNumber(loss.dur_ns),
      first_ts: toNumber(loss.first_ts),
    })),
    recorded: ORDINARY_SIGNALS.map((signal) => ({ signal, is_recorded: held.has(signal) })),
  };
}

function traceRow(
  row: Row,
  { name, sourceBytes, outrankVersion, machineKey }: Summarised,
): Omit<LakeRow<'trace'>, 'has_switches' | 'has_ready' | 'chains_left_out' | 'functions_left_out'> {
  const count = (column: string) => toNumber(row[column]);
  const computer = toText(row.computer);
  const parts = [
    [count('cpu_count'), 'CPUs'],
    [count('cpu_mhz'), 'MHz'],
    [count('memory_mb'), 'MB'],
  ] as const;
  return {
    name,
    // As it is: a number would not hold its last digits.
    start_utc_ns: typeof row.start_utc_ns === 'bigint' ? row.start_utc_ns : count('start_utc_ns'),
    start_ts: count('start_ts'),
    dur_ns: count('dur_ns'),
    source_bytes: sourceBytes,
    cpu_count: count('cpu_count'),
    cpu_mhz: count('cpu_mhz'),
    memory_mb: count('memory_mb'),
    os_build: count('os_build'),
    os_version: toText(row.os_version),
    machine_key: computer === null ? null : machineKey(computer),
    machine_model: parts.flatMap(([value, unit]) => (value === null ? [] : [`${value} ${unit}`])).join(', '),
    redacted: toText(row.redacted),
    events_read: count('events_read'),
    events_lost: count('events_lost'),
    buffers_lost: count('buffers_lost'),
    is_lossy: (count('gaps') ?? 0) > 0,
    schema_version: LAKE_VERSION,
    outrank_version: outrankVersion,
  };
}

function processRow(row: Row): LakeRow<'process'> {
  const [pid, create_ts, exit_ts] = [toNumber(row.pid), toNumber(row.create_ts), toNumber(row.exit_ts)];
  const name = toText(row.name);
  const command = toText(row.command_line);
  return {
    // Only its id is known of it, which tells nothing in another recording.
    process: name === null || name === `pid ${pid ?? ''}` ? 'unknown process' : name,
    pid,
    parent: toText(row.parent),
    command: command === null || command === '' ? null : foldCommandLine(command),
    create_ts,
    exit_ts,
    lifetime_ns: create_ts === null || exit_ts === null ? null : exit_ts - create_ts,
    exit_code: toNumber(row.exit_code),
    processes: 1,
    longest_ns: create_ts === null || exit_ts === null ? null : exit_ts - create_ts,
  };
}

/** Processes that differ in their ids and times alone become one row, in the place of the first. */
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

async function hotFunctions(outline: Query) {
  const found = [...(await outline(hotFunctionsSql, { kept: PLACES })).rows()];
  const rows = found.map((row): LakeRow<'hot_function'> => ({
    process: toText(row.process),
    module: fileName(row.module),
    function: toText(row.function),
    offset: toNumber(row.rva),
    pdb: fileName(row.pdb),
    pdb_id: toText(row.pdb_id)?.replaceAll('-', '') ?? null,
    samples: toNumber(row.samples),
    cpu_ns: toNumber(row.cpu_ns),
  }));
  return { rows, leftOut: (toNumber(found[0]?.places) ?? 0) - rows.length };
}

function fileName(path: Cell | undefined): string | null {
  return toText(path)?.split(/[\\/]/).at(-1) ?? null;
}

async function findingRows(query: Query, range: { readonly start: number; readonly end: number }) {
  const { findings, checked, not_checked, failed } = await runRules(query, shippedRules, range);
  const rows = findings.map(({ rule, title, sentence, seconds_lost, where, proof }): LakeRow<'finding'> => ({
    rule,
    title,
    sentence,
    seconds_lost,
    ts: where.span.start,
    dur_ns: where.span.end - where.span.start,
    process: where.process,
    pid: where.pid,
    thread: where.thread,
    tid: where.tid,
    proof_view: proof.view,
    proof_params: JSON.stringify(proof.params, (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  }));
  const rules: LakeRow<'rule'>[] = [
    ...checked.map(({ id, found }) => ({ rule: id, state: 'checked', found, needs: null })),
    ...not_checked.map(({ id, needs }) => ({
      ...{ rule: id, state: 'not_checked', found: null },
      needs: needs.join('; '),
    })),
    ...failed.map(({ id, message }) => ({ rule: id, state: 'failed', found: null, needs: message })),
  ];
  return { findings: rows, rules };
}

async function releases(
  query: Query,
  range: { readonly start: number; readonly end: number },
): Promise<readonly LakeRow<'release'>[]> {
  const { greatest } = await loadMoments(query, { bucket_ns: 1e6, at_least_ns: null, limit: MOMENTS }, range);
  return greatest.map((moment) => ({
    ts: moment.ts,
    dur_ns: moment.dur,
    waited_ns: moment.waited_sum_ns,
    longest_ns: moment.waited_max_ns,
    threads: moment.threads,
    processes: moment.processes,
    released_by: withoutId(moment.released_by),
    begun_by: withoutId(moment.begun_by),
    tid: moment.run_tid,
  }));
}

/** Thread ids tell nothing in another recording. */
function withoutId(label: string): string {
  return label.replace(/ \(tid \d+\)$/, '');
}
