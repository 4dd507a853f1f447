import type { Query } from '../../engine/index.ts';
import { dataOf } from '../../tables/index.ts';
import { loadCpuRecord, loadJudgedRanks, loadMachine } from '../../why-late/columns/index.ts';
import { WHYS } from '../../why-late/index.ts';
import { loadHistory, type WaitRows } from '../history.ts';
import { AROUND_NS } from '../ready-parts.ts';
import { divideWaits } from './divide-waits.ts';

/** So many runs are held at a time, about. */
const RUNS_HELD = 200_000;

const NOT_EXPLAINED = WHYS.indexOf('not_explained');
const NOT_RECORDED = WHYS.indexOf('not_recorded');

/** What is called with a ready wait, a row of some waits, and its main reason: the place in `WHYS`. */
export type TellReason = (waits: WaitRows, row: number, why: number) => void;

/** The main reason of each ready wait of a trace, in the order of their ends. `runCount` says how many runs the trace has, about. */
export async function eachMainReason(query: Query, runCount: number, tell: TellReason): Promise<void> {
  const { outline, tables, hasColumns } = dataOf(query);
  const machine = await loadMachine(outline);
  const record = await loadCpuRecord(tables, machine);
  const judged = await loadJudgedRanks(query);
  // By SQL each stretch costs a query of the whole.
  const stretches = hasColumns ? Math.max(1, Math.ceil(runCount / RUNS_HELD)) : 1;
  const { start_ts, end_ts } = machine;
  const step_ns = Math.max(1, Math.ceil((end_ts - start_ts) / stretches));
  const unended = new Map<string, Float64Array>();
  for (let stretch = 0; stretch < stretches; stretch++) {
    const ts = start_ts + stretch * step_ns;
    const isLast = stretch === stretches - 1;
    const within = { ts, te: Math.min(end_ts, ts + step_ns) };
    const isIn = (te: number) => (te > ts || stretch === 0) && (te <= within.te || isLast);
    const looked = { start: within.ts - AROUND_NS, end: within.te + AROUND_NS };
    const history = await loadHistory(tables, looked);
    const { waits } = history;
    const whys = new Uint8Array(waits.count).fill(NOT_EXPLAINED);
    const [starts, ends, utids] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
    divideWaits({ ...record, history, machine }, judged, within, (row, ns) => {
      const [from, to] = [starts[row] ?? 0, ends[row] ?? 0];
      if (from >= ts && isIn(to)) {
        whys[row] = mainReason(ns);
        return;
      }
      const key = `${utids[row] ?? 0} ${from}`;
      const all = add(unended.get(key), ns);
      unended.set(key, all);
      if (!isIn(to)) return;
      whys[row] = mainReason(all);
      unended.delete(key);
    });
    for (let row = 0; row < waits.count; row++)
      if (isIn(ends[row] ?? 0)) tell(waits, row, whys[row] ?? NOT_EXPLAINED);
  }
}

function add(before: Float64Array | undefined, ns: Float64Array): Float64Array {
  if (before === undefined) return ns.slice();
  for (let why = 0; why < ns.length; why++) before[why] = (before[why] ?? 0) + (ns[why] ?? 0);
  return before;
}

/** That of the longest time; of equal ones the first. What was not recorded explains nothing. */
function mainReason(ns: Float64Array): number {
  let main = NOT_EXPLAINED;
  let most_ns = 0;
  for (let why = 0; why < ns.length; why++) {
    const of_ns = ns[why] ?? 0;
    if (of_ns <= most_ns) continue;
    [main, most_ns] = [why, of_ns];
  }
  return main === NOT_RECORDED ? NOT_EXPLAINED : main;
}
