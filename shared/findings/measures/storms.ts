import { dataOf } from '../../tables/index.ts';
import { loadMachine } from '../../why-late/columns/index.ts';
import type { Measure, Recording } from './index.ts';

const SECOND_NS = 1e9;
/** The rest of a second at the end counts as the part of a second that it is, if it is no shorter. */
const LEAST_NS = SECOND_NS / 10;

/** A second of the recording, or what is left of one at the end. */
interface Second {
  readonly ts: number;
  readonly te: number;
  /** Switch-ins of each thread; the idle thread has key 0. */
  readonly switches: Map<number, number>;
  count: number;
}

/** Seconds after one another, in each of which the machine switched between threads more often than the threshold a second. */
export const storms: Measure = {
  columns: ['ts', 'dur', 'utid', 'runs', 'switches', 'peak_per_s', 'peak_switches'],
  async rows(recording, threshold) {
    const seconds = await countedSeconds(recording);
    const perSecond = ({ ts, te, count }: Second) => Math.floor((count * SECOND_NS) / (te - ts));
    const found: Second[][] = [];
    for (const [number, second] of seconds.entries()) {
      if (second.te - second.ts < LEAST_NS || perSecond(second) <= threshold) continue;
      const storm = found.at(-1);
      if (storm !== undefined && storm.at(-1) === seconds[number - 1]) storm.push(second);
      else found.push([second]);
    }
    return found
      .map((storm) => {
        const [from = 0, to = 0] = [storm[0]?.ts, storm.at(-1)?.te];
        const peak = storm.reduce((most, second) => (perSecond(second) > perSecond(most) ? second : most));
        const [utid, runs] = busiest(peak);
        const switches = storm.reduce((sum, { count }) => sum + count, 0);
        return [from, to - from, utid, runs, switches, perSecond(peak), peak.count];
      })
      .sort((a, b) => (b[1] ?? 0) - (a[1] ?? 0));
  },
};

async function countedSeconds({ query }: Recording): Promise<Second[]> {
  const { tables } = dataOf(query);
  const { start_ts, end_ts } = await loadMachine(tables);
  const seconds: Second[] = [];
  for (let ts = start_ts; ts < end_ts; ts += SECOND_NS)
    seconds.push({ ts, te: Math.min(ts + SECOND_NS, end_ts), switches: new Map(), count: 0 });
  for await (const { rowCount, columns } of tables.batches('etw_run', ['ts', 'utid'])) {
    for (let row = 0; row < rowCount; row++) {
      const ts = columns.ts.values[row] ?? 0;
      const second = seconds[Math.floor((ts - start_ts) / SECOND_NS)];
      if (second === undefined || ts >= second.te) continue;
      const utid = columns.utid.values[row] ?? 0;
      second.count++;
      second.switches.set(utid, (second.switches.get(utid) ?? 0) + 1);
    }
  }
  return seconds;
}

/** The thread that was switched in most, and how often; of equal ones that with the lowest key. */
function busiest({ switches }: Second): readonly [number, number] {
  const threads = [...switches].filter(([utid]) => utid !== 0).sort(([a], [b]) => a - b);
  return threads.reduce((most, thread) => (thread[1] > most[1] ? thread : most), [NaN, 0]);
}
