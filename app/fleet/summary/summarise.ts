import { loadThings } from '../../../shared/compare/things.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { runRules, shippedRules } from '../../../shared/findings/index.ts';
import { loadHeld, ORDINARY_SIGNALS } from '../../../shared/recording/index.ts';
import { loadMoments } from '../../../shared/releases/index.ts';
import { dataOf, type Tables } from '../../../shared/tables/index.ts';
import { LAKE_VERSION, type LakeRow, type LakeRows } from '../tables.ts';
import { readAboutTrace, type AboutTrace } from './about-trace.ts';
import { hotFunctions } from './hot-functions.ts';
import { summariseLosses } from './losses.ts';
import { summariseProcesses } from './processes.ts';
import { summariseReadyWaits } from './ready-waits.ts';
import { summariseRuns } from './runs.ts';

/** Release moments that are kept of a trace. */
const MOMENTS = 50;
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
  const { tables } = dataOf(query);
  const told = await readAboutTrace(tables);
  if (told === null) return null;
  const start = Number(told.trace.start_ts);
  const range = { start, end: start + Math.max(SHORTEST_NS, Number(told.trace.dur_ns)) };
  const held = await loadHeld(query, ORDINARY_SIGNALS);
  const things = await loadThings(tables);
  const tids = await readTids(tables);
  const runs = await summariseRuns(tables, things);
  const runCount = runs.reduce((sum, each) => sum + Number(each.runs), 0);
  const ready = await summariseReadyWaits(query, runCount, things, tids);
  const functions = held.has('samples') ? await hotFunctions(query) : { rows: [], leftOut: 0 };
  const { findings, rules } = await findingRows(query, range);
  const losses = await summariseLosses(tables);
  return {
    trace: [
      {
        ...traceRow(told, about),
        is_lossy: losses.length > 0,
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
    process: await summariseProcesses(tables),
    finding: findings,
    rule: rules,
    loss: losses,
    recorded: ORDINARY_SIGNALS.map((signal) => ({ signal, is_recorded: held.has(signal) })),
  };
}

type TraceRow = Omit<
  LakeRow<'trace'>,
  'has_switches' | 'has_ready' | 'is_lossy' | 'chains_left_out' | 'functions_left_out'
>;

function traceRow(
  { trace, start_utc_ns, computer, memory_mb }: AboutTrace,
  { name, sourceBytes, outrankVersion, machineKey }: Summarised,
): TraceRow {
  const { cpu_count, cpu_mhz: recorded_mhz, ...rest } = trace;
  const cpu_mhz = recorded_mhz === 0 ? null : recorded_mhz;
  const parts = [
    [cpu_count, 'CPUs'],
    [cpu_mhz, 'MHz'],
    [memory_mb, 'MB'],
  ] as const;
  return {
    ...rest,
    ...{ name, start_utc_ns, cpu_count, cpu_mhz, memory_mb },
    source_bytes: sourceBytes,
    machine_key: computer === null ? null : machineKey(computer),
    machine_model: parts.flatMap(([value, unit]) => (value === null ? [] : [`${value} ${unit}`])).join(', '),
    schema_version: LAKE_VERSION,
    outrank_version: outrankVersion,
  };
}

/** The ids of threads by key. */
async function readTids(tables: Tables): Promise<ReadonlyMap<number, number>> {
  const tids = new Map<number, number>();
  for await (const { rowCount, columns } of tables.batches('etw_thread', ['utid', 'tid']))
    for (let row = 0; row < rowCount; row++)
      tids.set(columns.utid.values[row] ?? 0, columns.tid.values[row] ?? 0);
  return tids;
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

/** Thread ids tell nothing in another recording: of a thread its program remains. */
function withoutId(label: string): string {
  return label.replace(/ \(tid \d+(?:, .*)?\)$/s, '');
}
