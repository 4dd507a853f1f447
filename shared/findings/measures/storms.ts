import { maxIndex, sum } from 'd3';
import { dataOf, type Tables } from '../../tables/index.ts';
import { loadMachine } from '../../why-late/columns/index.ts';
import type { Measure } from './index.ts';

const SECOND_NS = 1e9;
/** The rest of a second at the end counts as the part of a second that it is, if it is no shorter. */
const LEAST_NS = SECOND_NS / 10;

/** A second of the recording, or what is left of one at the end. */
interface Second {
  readonly ts: number;
  readonly te: number;
  readonly switches: number;
}

/** Seconds in a row. In each the machine switched between threads more often than the threshold a second. */
export const storms: Measure = {
  columns: ['ts', 'dur', 'utid', 'runs', 'switches', 'peak_per_s', 'peak_switches'],
  async rows({ query }, threshold, most) {
    const { tables } = dataOf(query);
    const seconds = await countedSeconds(tables);
    const perSecond = ({ ts, te, switches }: Second) => Math.floor((switches * SECOND_NS) / (te - ts));
    const found: Second[][] = [];
    for (const [number, second] of seconds.entries()) {
      if (second.te - second.ts < LEAST_NS || perSecond(second) <= threshold) continue;
      const storm = found.at(-1);
      if (storm !== undefined && storm.at(-1) === seconds[number - 1]) storm.push(second);
      else found.push([second]);
    }
    const longest = found.sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, most);
    const rows: number[][] = [];
    for (const storm of longest) {
      const peak = storm.reduce((most, second) => (perSecond(second) > perSecond(most) ? second : most));
      const [utid, runs] = await busiest(tables, peak);
      const switches = sum(storm, (second) => second.switches);
      rows.push([storm[0]?.ts ?? 0, lengthOf(storm), utid, runs, switches, perSecond(peak), peak.switches]);
    }
    return rows;
  },
};

function lengthOf(storm: readonly Second[]): number {
  return (storm.at(-1)?.te ?? 0) - (storm[0]?.ts ?? 0);
}

async function countedSeconds(tables: Tables): Promise<Second[]> {
  const { start_ts, end_ts } = await loadMachine(tables);
  const counts = new Uint32Array(Math.max(0, Math.ceil((end_ts - start_ts) / SECOND_NS)));
  for await (const { rowCount, columns } of tables.batches('etw_run', ['ts'])) {
    const { values } = columns.ts;
    for (let row = 0; row < rowCount; row++) {
      const ts = values[row] ?? 0;
      const second = Math.floor((ts - start_ts) / SECOND_NS);
      if (ts < end_ts) counts[second] = (counts[second] ?? 0) + 1;
    }
  }
  return Array.from(counts, (switches, number) => {
    const ts = start_ts + number * SECOND_NS;
    return { ts, te: Math.min(ts + SECOND_NS, end_ts), switches };
  });
}

/** The thread that was switched in most in a second, and how often; of equal ones that with the lowest key. */
async function busiest(tables: Tables, { ts, te }: Second): Promise<readonly [number, number]> {
  const switches: number[] = [];
  for await (const { rowCount, columns } of tables.batches('etw_run', ['ts', 'utid'], {
    start: ts,
    end: te,
  })) {
    for (let row = 0; row < rowCount; row++) {
      const run_ts = columns.ts.values[row] ?? 0;
      const utid = columns.utid.values[row] ?? 0;
      if (run_ts >= ts && run_ts < te && utid !== 0) switches[utid] = (switches[utid] ?? 0) + 1;
    }
  }
  const utid = maxIndex(switches);
  return utid < 0 ? [NaN, 0] : [utid, switches[utid] ?? 0];
}
