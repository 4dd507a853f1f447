import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  AROUND_NS,
  divideWaits,
  loadHistory,
  splitReady,
  waitAt,
  type JudgedBy,
} from '../../../shared/causes/index.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { dataOf } from '../../../shared/tables/index.ts';
import { loadCpuRecord, loadJudgedRanks, loadMachine } from '../../../shared/why-late/columns/index.ts';
import { WHYS } from '../../../shared/why-late/index.ts';
import { hostQuery } from '../host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../testing/real.ts';

/** Seeds of random machines: `OUTRANK_SEEDS=31-2000` tries others. */
const [first = 1, last = first] = (process.env.OUTRANK_SEEDS ?? '1-6').split('-').map(Number);
const machines = Array.from({ length: last - first + 1 }, (_, index) => `random --seed ${first + index}`);

const scenarios = ['lock-screen', 'wmi', 'verdicts', 'many-processors', 'hot-loop', ...machines];

/** Into so many stretches a trace is cut. */
const STRETCHES = 7;

describeReal('ready waits, divided together', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each(scenarios)(
    'give the sums of what each gives alone: %s',
    { timeout: 120_000 },
    async (scenario) => {
      const path = writeTrace(join(folder, `${scenario}.etl`), ...scenario.split(' '));
      const opened = await host.open(path, { columns: true });
      try {
        const { divided, alone } = await bothWays(hostQuery(host, opened));
        expect(divided.length).toBeGreaterThan(0);
        expect(divided).toEqual(alone);
      } finally {
        await host.close(opened.id);
        rmSync(path);
      }
    },
  );
});

/** The ready waits of a trace by stretch of time: row, and ns by reason. */
async function bothWays(query: Query) {
  const { outline, tables } = dataOf(query);
  const machine = await loadMachine(outline);
  const record = await loadCpuRecord(tables, machine);
  const judged = await loadJudgedRanks(query);
  const [divided, alone]: [string[], string[]] = [[], []];
  const step = Math.ceil((machine.end_ts - machine.start_ts) / STRETCHES);
  for (let ts = machine.start_ts; ts < machine.end_ts; ts += step) {
    const within = { ts, te: Math.min(machine.end_ts, ts + step) };
    const history = await loadHistory(tables, { start: ts - AROUND_NS, end: within.te + AROUND_NS });
    const by: JudgedBy = { ...record, history, machine };
    const told: [number, number[]][] = [];
    divideWaits(by, judged, within, (row, ns) => told.push([row, [...ns]]));
    told.sort(([a], [b]) => a - b);
    const line = (row: number, ns: readonly number[]) =>
      `${ts} ${row}: ${WHYS.map((why, index) => `${why} ${ns[index] ?? 0}`)
        .filter((_, index) => (ns[index] ?? 0) > 0)
        .join(', ')}`;
    divided.push(...told.map(([row, ns]) => line(row, ns)));
    for (let row = 0; row < history.waits.count; row++) {
      const wait = waitAt(history, row, judged);
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
