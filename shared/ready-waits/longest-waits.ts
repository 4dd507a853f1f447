import { keepLast, type Query, type Row } from '../engine/index.ts';
import {
  allLongFrom,
  dataOf,
  numberAt,
  textAt,
  visitRowsEnding,
  type Batch,
  type Bounds,
  type Stretch,
  type Tables,
} from '../tables/index.ts';
import { loadKnownThreads, loadThreadNames, threadLabel } from '../threads/index.ts';
import {
  beforeWaits,
  loadJudgedRanks,
  loadMachine,
  LongestWaits,
  toldReasons,
  WAIT_COLUMNS,
  waitAt,
  wasSwappedOut,
  type JudgedRanks,
  type Wait,
} from '../why-late/columns/index.ts';
import { threadsThatPass, type WaitFilters } from './pick-waits.ts';

/** Of so many of the longest waits the reason of the wait before is looked up. */
const REASON_WAITS = 10_000;

/** What filters look at. */
type FilterColumn = 'ts' | 'te' | 'utid' | 'rank' | 'priority' | 'cause';

/** Which rows pass. Without an object for each, since there can be millions. */
interface WaitFilter {
  /** All that it looks at. */
  readonly columns: readonly FilterColumn[];
  readonly passes: (batch: Batch<FilterColumn>, row: number) => boolean;
}

const COLUMNS = [
  ...WAIT_COLUMNS,
  ...(['cause', 'waker_utid', 'waker_in_dpc'] as const),
  ...(['rank_source', 'rank_before', 'rank_after', 'last_switch_out_ts'] as const),
] as const;
type Found = Batch<(typeof COLUMNS)[number]>;
type WaitTable = 'etw_ready_wait' | 'etw_ready_wait_long';

/** A wait, and what else its table tells. */
interface FoundWait extends Wait {
  readonly dur: number;
  readonly cause: string;
  readonly waker_utid: number | null;
  readonly waker_in_dpc: number | null;
  readonly rank_source: string | null;
  readonly rank_before: number | null;
  readonly rank_after: number | null;
  readonly before_explains_ns: number | null;
  readonly after_explains_ns: number | null;
  readonly last_switch_out_ts: number | null;
}

/** A wait of a table that is looked through. Of those that are not listed nothing else is read. */
interface Candidate extends Pick<FoundWait, 'ts' | 'te' | 'utid' | 'last_switch_out_ts'> {
  /** The number of its row in the table. */
  readonly row: number;
}

/** The longest waits, and how many pass the filters. */
export interface FoundWaits {
  /** Longest first, as {@link readWait} reads them. */
  readonly rows: readonly Row[];
  readonly passing: number;
}

/** How many of the longest waits are looked at, if so many of those after a wait reason are wanted. */
export function mostLooked(max_rows: number, wait_reason: string | null): number {
  return wait_reason === null ? max_rows : Math.max(max_rows, REASON_WAITS);
}

/** Which of the longest waits are wanted. */
interface Wanted {
  readonly at_least_ns: number;
  /** So long are at least as many of those that pass as are wanted. */
  readonly shortest_ns: number;
  readonly max_rows: number;
  /** Part of the reason for which the thread had left its CPU before; null for any. */
  readonly wait_reason: string | null;
  /** How many pass and are so long, if that was counted before; null otherwise. */
  readonly passing: number | null;
}

/** The longest waits of a range that pass the filters. */
export async function pickLongest(
  query: Query,
  params: WaitFilters,
  range: Bounds,
  wanted: Wanted,
): Promise<FoundWaits> {
  const { at_least_ns, max_rows, wait_reason: reason, passing: counted } = wanted;
  if (counted === 0) return { rows: [], passing: 0 };
  const { tables } = dataOf(query);
  const filter = await loadFilter(query, params);
  const stretch = { start: range.range_start, end: range.range_end };
  if (reason !== null) {
    const { process, thread, rank, ranked_only, priority, cause } = params;
    const filters = [process, thread, rank, ranked_only, priority, cause];
    const key = JSON.stringify([
      filters,
      stretch,
      at_least_ns,
      wanted.shortest_ns,
      mostLooked(max_rows, reason),
    ]);
    const told = await keepTold(query, key, async () => {
      const looked = await lookThrough(tables, filter, stretch, wanted);
      return { ...looked, reasons: await toldReasons(tables, looked.longest) };
    });
    // Who asks for a reason is told how many are listed, not how many pass.
    return { rows: await rowsAfter(query, told, reason, max_rows), passing: told.passing };
  }
  const { table, longest, passing, areAll } = await lookThrough(tables, filter, stretch, wanted);
  const rows = await rowsOfTable(query, table, longest);
  if (counted !== null) return { rows, passing: counted };
  if (areAll || table === 'etw_ready_wait') return { rows, passing };
  return { rows, passing: await countPassing(tables, stretch, at_least_ns, filter) };
}

/** The longest waits of the table that was looked through. */
interface Looked {
  readonly table: WaitTable;
  /** Longest first. */
  readonly longest: readonly Candidate[];
  /** How many of the table pass. */
  readonly passing: number;
  /** The table has all that are long enough. */
  readonly areAll: boolean;
}

async function lookThrough(
  tables: Tables,
  filter: WaitFilter,
  stretch: Stretch,
  { at_least_ns, shortest_ns, max_rows, wait_reason: reason, passing: counted }: Wanted,
): Promise<Looked> {
  const most = mostLooked(max_rows, reason);
  const isCounted = counted !== null && reason === null;
  const lookedFor = { ...filter, shortest_ns, most, isCounted, asksReason: reason !== null };
  // Most often the few that are the longest of the trace are enough.
  const all_ns = await allLongFrom(tables);
  const areAll = at_least_ns >= all_ns;
  const scan = async (table: WaitTable, from_ns: number) => ({
    table,
    areAll,
    ...(await longestIn(tables, table, stretch, { ...lookedFor, from_ns })),
  });
  const long = await scan('etw_ready_wait_long', Math.max(at_least_ns, all_ns));
  return areAll || long.longest.length >= most ? long : scan('etw_ready_wait', at_least_ns);
}

/** Waits, and of each the reasons that its thread may have left its CPU for. */
interface Told extends Looked {
  readonly reasons: readonly string[];
}

/** What was told last, by trace: another reason needs no more. */
const keepTold = keepLast<Told>();

/** The first of some waits whose threads had left their CPU for a reason, by a part of its name. */
async function rowsAfter(
  query: Query,
  { table, longest, reasons }: Told,
  reason: string,
  max_rows: number,
): Promise<readonly Row[]> {
  const part = reason.toLowerCase();
  const isAfter = (text: unknown) => typeof text === 'string' && text.toLowerCase().includes(part);
  const maybe = longest.filter((_, index) => isAfter(reasons[index]));
  const rows: Row[] = [];
  for (let from = 0; from < maybe.length && rows.length < max_rows;) {
    const some = maybe.slice(from, from + max_rows - rows.length);
    const told = await rowsOfTable(query, table, some);
    rows.push(...told.filter(({ wait_reason }) => isAfter(wait_reason)));
    from += some.length;
  }
  return rows;
}

/** How many waits of the table of all pass, and are so long. */
async function countPassing(
  tables: Tables,
  { start, end }: Stretch,
  from_ns: number,
  { columns, passes }: WaitFilter,
): Promise<number> {
  let passing = 0;
  const countIn = (batch: Batch<FilterColumn>) => {
    const begins = batch.columns.ts.values;
    const ends = batch.columns.te.values;
    for (let row = 0; row < batch.rowCount; row++) {
      const ts = begins[row] ?? 0;
      const te = ends[row] ?? 0;
      if (te - ts >= from_ns && ts < end && te > start && passes(batch, row)) passing++;
    }
  };
  for await (const batch of tables.batches('etw_ready_wait', columns, { start, end })) countIn(batch);
  return passing;
}

/** Which waits of a table are looked for. */
interface LookedFor extends WaitFilter {
  /** So long at least. */
  readonly from_ns: number;
  /** Shorter ones are not among the longest. */
  readonly shortest_ns: number;
  readonly most: number;
  /** How many pass is known: those are not looked at that are not among the longest. */
  readonly isCounted: boolean;
  /** When their threads last left a CPU is read too. */
  readonly asksReason: boolean;
}

/** The longest waits of a table that pass, longest first; and how many pass, where that is not counted already. */
async function longestIn(
  tables: Tables,
  table: WaitTable,
  stretch: Stretch,
  { columns, passes, from_ns, shortest_ns, most, isCounted, asksReason }: LookedFor,
): Promise<{ readonly longest: readonly Candidate[]; readonly passing: number }> {
  const longest = new LongestWaits<Candidate>(most, Math.max(from_ns, shortest_ns));
  let passing = 0;
  const lookAt = (batch: Batch<FilterColumn | 'last_switch_out_ts'>) => {
    const begins = batch.columns.ts.values;
    const ends = batch.columns.te.values;
    let least_ns = isCounted ? longest.least_ns : from_ns;
    for (let row = 0; row < batch.rowCount; row++) {
      const ts = begins[row] ?? 0;
      const te = ends[row] ?? 0;
      const length = te - ts;
      if (length < least_ns || ts >= stretch.end || te <= stretch.start) continue;
      if (!passes(batch, row)) continue;
      passing++;
      if (length < longest.least_ns) continue;
      const utid = batch.columns.utid.values[row] ?? 0;
      const last_switch_out_ts = asksReason ? numberAt(batch.columns.last_switch_out_ts, row) : null;
      longest.add({ ts, te, utid, last_switch_out_ts, row: batch.firstRow + row });
      if (isCounted) least_ns = longest.least_ns;
    }
  };
  const read = asksReason ? [...columns, 'last_switch_out_ts' as const] : columns;
  for await (const batch of tables.batches<FilterColumn | 'last_switch_out_ts'>(table, read, stretch))
    lookAt(batch);
  return { longest: longest.all(), passing };
}

/** The rows about some waits of a table. */
async function rowsOfTable(query: Query, table: WaitTable, waits: readonly Candidate[]): Promise<Row[]> {
  const { tables } = dataOf(query);
  return rowsOf(query, await readWaits(tables, table, waits, await loadJudgedRanks(query)));
}

/** All that a table says about some of its waits. */
async function readWaits(
  tables: Tables,
  table: WaitTable,
  waits: readonly Candidate[],
  judged: JudgedRanks,
): Promise<readonly FoundWait[]> {
  const rows = new Set(waits.map(({ row }) => row));
  const found = new Map<number, FoundWait>();
  const ends = Float64Array.from(waits, ({ te }) => te).sort();
  await visitRowsEnding(tables, table, COLUMNS, ends, (batch, at) => {
    const row = batch.firstRow + at;
    if (rows.has(row)) found.set(row, foundAt(batch, at, judged));
  });
  return waits.flatMap(({ row }) => found.get(row) ?? []);
}

/** The wait of a thread id that began at a time; null where there is none. */
export async function findWait(query: Query, tid: number, ts: number): Promise<ChosenRow | null> {
  const { tables } = dataOf(query);
  const judged = await loadJudgedRanks(query);
  const threads = await loadKnownThreads(tables);
  for await (const batch of tables.batches('etw_ready_wait', COLUMNS, { start: ts, end: ts + 1 })) {
    for (let row = 0; row < batch.rowCount; row++) {
      if (batch.columns.ts.values[row] !== ts) continue;
      const wait = foundAt(batch, row, judged);
      if (threads.of(wait.utid).tid !== tid) continue;
      const [details] = await rowsOf(query, [wait]);
      return details === undefined ? null : { row: details, wait };
    }
  }
  return null;
}

/** A wait, and its row as {@link readWait} reads it. */
export interface ChosenRow {
  readonly row: Row;
  readonly wait: Wait;
}

async function loadFilter(query: Query, params: WaitFilters): Promise<WaitFilter> {
  const judged = await loadJudgedRanks(query);
  const threads = threadsThatPass(await loadThreadNames(dataOf(query).tables), params);
  const { rank, priority, ranked_only, cause } = params;
  const isAnyRank = !ranked_only && rank === null;
  const columns: FilterColumn[] = ['ts', 'te', 'utid'];
  if (priority !== null) columns.push('priority');
  if (cause !== 'any') columns.push('cause');
  if (!isAnyRank) columns.push('rank');
  const passes: WaitFilter['passes'] = ({ columns }, row) => {
    const utid = columns.utid.values[row] ?? 0;
    if (threads !== null && !threads.has(utid)) return false;
    if (priority !== null && numberAt(columns.priority, row) !== priority) return false;
    if (cause !== 'any' && textAt(columns.cause, row) !== cause) return false;
    if (isAnyRank) return true;
    const own = judged.of(utid, columns.ts.values[row] ?? 0)?.rank ?? numberAt(columns.rank, row);
    return (!ranked_only || (own ?? 0) > 0) && (rank === null || own === rank);
  };
  return { columns, passes };
}

function foundAt(batch: Found, row: number, judgedRanks: JudgedRanks): FoundWait {
  const { columns } = batch;
  const wait = waitAt(batch, row);
  const judged = judgedRanks.of(wait.utid, wait.ts);
  return {
    ...wait,
    dur: wait.te - wait.ts,
    cause: textAt(columns.cause, row) ?? '',
    waker_utid: numberAt(columns.waker_utid, row),
    waker_in_dpc: numberAt(columns.waker_in_dpc, row),
    rank: judged?.rank ?? wait.rank,
    rank_source: judged === undefined ? textAt(columns.rank_source, row) : 'judged',
    rank_before: numberAt(columns.rank_before, row),
    rank_after: numberAt(columns.rank_after, row),
    before_explains_ns: judged?.before_explains_ns ?? null,
    after_explains_ns: judged?.after_explains_ns ?? null,
    last_switch_out_ts: numberAt(columns.last_switch_out_ts, row),
  };
}

async function rowsOf(query: Query, waits: readonly FoundWait[]): Promise<Row[]> {
  if (waits.length === 0) return [];
  const { tables } = dataOf(query);
  const threads = await loadKnownThreads(tables);
  const { start_ts } = await loadMachine(tables);
  const before = await beforeWaits(
    tables,
    waits.map((wait) => ({ ...wait, is_wake: wait.cause === 'wake' })),
  );
  return waits.map((wait, index) => {
    const waker = wait.waker_utid === null ? null : threads.of(wait.waker_utid);
    const { took_idle_cpu = false, ...came } = before[index] ?? {};
    return {
      ...wait,
      ...threads.of(wait.utid),
      ...came,
      blocked_ns: wait.last_switch_out_ts === null ? null : wait.ts - wait.last_switch_out_ts,
      ended: Number(wait.cpu !== null),
      swapped_out: Number(wasSwappedOut(wait) && wait.last_ready_ts === null),
      took_idle_cpu: Number(took_idle_cpu),
      waker_tid: waker?.tid ?? null,
      waker: waker && threadLabel(waker),
      start_ts,
    };
  });
}
