import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  divideWaits,
  eachMainReason,
  splitReady,
  stretchReader,
  waitAt,
} from '../../../shared/causes/index.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { mainOf, WHYS } from '../../../shared/why-late/index.ts';
import { hostQuery } from '../../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../../app/host/testing/real.ts';

/** Seeds of random machines: `OUTRANK_SEEDS=31-2000` tries others. */
const [first = 1, last = first] = (process.env.OUTRANK_SEEDS ?? '1-6').split('-').map(Number);
const machines = Array.from({ length: last - first + 1 }, (_, index) => `random --seed ${first + index}`);

const scenarios = [
  ...['lock-screen', 'wmi', 'verdicts', 'many-processors', 'hot-loop'],
  ...['random --seed 1 --lose-buffers', 'random --seed 2 --compact', 'random --seed 3 --disorder'],
  ...machines,
];

/** More than are held at a time, so that the waits are looked at stretch by stretch. */
const RUNS = 2_000_000;
/** Into so many stretches a trace is cut. */
const STRETCHES = 7;

describeReal('ready waits, divided together', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each(scenarios)(
    'give the sums and the main reason of each alone, in SQL too: %s',
    { timeout: 120_000 },
    async (scenario) => {
      const path = writeTrace(join(folder, `${scenario}.etl`), ...scenario.split(' '));
      const opened = await host.open(path, { columns: true });
      try {
        const query = hostQuery(host, opened);
        const { divided, alone } = await bothWays(query);
        expect(divided.length).toBeGreaterThan(0);
        expect(divided).toEqual(alone);
        const reasons = await mainReasons(query);
        expect(reasons.together).toEqual(reasons.alone);
        const asked = await query(
          "SELECT utid || ' ' || ts || ' ' || main_reason AS wait FROM etw_ready_wait_reason",
        );
        expect([...asked.rows()].map(({ wait }) => wait)).toEqual(reasons.alone);
      } finally {
        await host.close(opened.id);
        rmSync(path);
      }
    },
  );
});

/** The ready waits of a trace by stretch of time: row, and ns by reason. */
async function bothWays(query: Query) {
  const { machine, judged, read } = await stretchReader(query, RUNS);
  const [divided, alone]: [string[], string[]] = [[], []];
  const step = Math.ceil((machine.end_ts - machine.start_ts) / STRETCHES);
  for (let ts = machine.start_ts; ts < machine.end_ts; ts += step) {
    const within = { ts, te: Math.min(machine.end_ts, ts + step) };
    const by = await read({ start: ts, end: within.te });
    const told: [number, number[]][] = [];
    divideWaits(by, judged, within, (row, ns) => told.push([row, [...ns]]));
    told.sort(([a], [b]) => a - b);
    const line = (row: number, ns: readonly number[]) =>
      `${ts} ${row}: ${WHYS.map((why, index) => `${why} ${ns[index] ?? 0}`)
        .filter((_, index) => (ns[index] ?? 0) > 0)
        .join(', ')}`;
    divided.push(...told.map(([row, ns]) => line(row, ns)));
    for (let row = 0; row < by.history.waits.count; row++) {
      const wait = waitAt(by.history, row, judged);
      const piece = { ts: Math.max(wait.ts, within.ts), te: Math.min(wait.te, within.te) };
      if (piece.te <= piece.ts) continue;
      const ns = WHYS.map(() => 0);
      for (const part of splitReady(by, wait, piece)) {
        const why = WHYS.indexOf(part.why);
        ns[why] = (ns[why] ?? 0) + part.te - part.ts;
      }
      alone.push(line(row, ns));
    }
  }
  return { divided, alone };
}

/** The main reason of each ready wait of a trace. */
async function mainReasons(query: Query) {
  const { machine, judged, read } = await stretchReader(query, RUNS);
  const together: string[] = [];
  await eachMainReason(query, RUNS, (waits, rows, whys) => {
    const [utid, ts] = [waits.column('utid'), waits.column('ts')];
    for (const row of rows) together.push(`${utid[row] ?? 0} ${ts[row] ?? 0} ${WHYS[whys[row] ?? 0] ?? ''}`);
  });
  const by = await read({ start: machine.start_ts, end: machine.end_ts });
  const alone = Array.from({ length: by.history.waits.count }, (_, row) => {
    const wait = waitAt(by.history, row, judged);
    const sums = new Map(WHYS.map((why) => [why, 0]));
    for (const part of wait.te > wait.ts ? splitReady(by, wait, wait) : [])
      sums.set(part.why, (sums.get(part.why) ?? 0) + part.te - part.ts);
    const shares = [...sums].map(([why, ns]) => ({ why, ns })).filter(({ ns }) => ns > 0);
    const why = mainOf(shares.sort((a, b) => b.ns - a.ns));
    return `${wait.utid} ${wait.ts} ${why}`;
  });
  return { together, alone };
}
