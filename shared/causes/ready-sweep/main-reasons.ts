import type { Query } from '../../engine/index.ts';
import { WHYS } from '../../why-late/index.ts';
import type { WaitRows } from '../history.ts';
import { divideWaits } from './divide-waits.ts';
import { stretchReader } from './stretch-reader.ts';

const NOT_EXPLAINED = WHYS.indexOf('not_explained');
const NOT_RECORDED = WHYS.indexOf('not_recorded');

/** What is called with a ready wait, a row of some waits, and its main reason: the place in `WHYS`. */
export type TellReason = (waits: WaitRows, row: number, why: number) => void;

/** The main reason of each ready wait of a trace, in the order of their ends. `runCount` says how many runs the trace has, about. */
export async function eachMainReason(query: Query, runCount: number, tell: TellReason): Promise<void> {
  const { machine, judged, count, read } = await stretchReader(query, runCount);
  const { start_ts, end_ts } = machine;
  const step_ns = Math.max(1, Math.ceil((end_ts - start_ts) / count));
  const unended = new Map<string, Float64Array>();
  for (let stretch = 0; stretch < count; stretch++) {
    const ts = start_ts + stretch * step_ns;
    const isLast = stretch === count - 1;
    const within = { ts, te: Math.min(end_ts, ts + step_ns) };
    const isIn = (te: number) => (te > ts || stretch === 0) && (te <= within.te || isLast);
    const by = await read({ start: within.ts, end: within.te });
    const { waits } = by.history;
    const whys = new Uint8Array(waits.count).fill(NOT_EXPLAINED);
    const [starts, ends, utids] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
    divideWaits(by, judged, within, (row, ns) => {
      const from = starts[row] ?? 0;
      const to = ends[row] ?? 0;
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
