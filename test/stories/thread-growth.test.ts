import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { runRules, shippedRules } from '../../shared/findings/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { threads } from '../../views/threads/view.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

/** What `outrank-synth thread-growth --truth` says. */
interface GrowthTruth {
  readonly pid: number;
  readonly threads: number;
  readonly base_ns: number;
  readonly slope_ns: number;
}

const RANGE = { start: 1_000_000_000, end: 20_000_000_000 };

describeReal('a server whose threads take ever longer to make', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  async function looked(slope_ns: number) {
    const path = join(folder, `${slope_ns}.etl`);
    const truthPath = join(folder, `${slope_ns}.json`);
    writeTrace(path, 'thread-growth', '--slope-ns', String(slope_ns), '--truth', truthPath);
    const { id } = await host.open(path, {});
    const query = makeQuery((sql) => host.query(id, sql));
    const { thread_growth: truth } = JSON.parse(readFileSync(truthPath, 'utf8')) as {
      thread_growth: GrowthTruth;
    };
    const { growths, processes } = await threads.load(query, readParams(threads.params, {}), RANGE);
    const rule = shippedRules.filter(({ name }) => name === 'growing-cost.sql');
    const { findings } = await runRules(query, rule, RANGE);
    const [growth] = growths;
    if (growth === undefined) throw new Error('no growth was looked at');
    return { truth, growths, growth, processes, findings };
  }

  test('the order and the cost of each are found, and all live threads counted', async () => {
    const { truth, growths, growth, processes, findings } = await looked(200);
    const { what, pid, count, fit } = growth;
    expect(growths).toHaveLength(1);
    expect({ what, pid, count, order: fit.order }).toEqual({
      what: 'threads',
      pid: truth.pid,
      count: truth.threads,
      order: 'O(n)',
    });
    // The cost of the first adds to what grows: over the range the exponent is below 1.
    expect(fit.exponent.low).toBeGreaterThan(0.4);
    expect(fit.exponent.high).toBeLessThan(1);
    expect(Math.abs(fit.slope_ns / truth.slope_ns - 1)).toBeLessThan(0.02);
    expect(Math.abs(fit.base_ns / truth.base_ns - 1)).toBeLessThan(0.02);
    expect(processes[0]).toMatchObject({
      pid: truth.pid,
      created: 2000,
      at_start: 1,
      most: 2001,
      at_end: 2001,
    });
    expect(findings.map(({ sentence }) => sentence)).toEqual([
      '2,000 threads were made in server.exe (pid 4000): 65.0 µs each at first, 415 µs each at last.',
    ]);
  });

  test('a rise to a little less than the threefold is drawn, and not found', async () => {
    const { growth, findings } = await looked(50);
    expect([growth.fit.order, findings]).toEqual(['O(n)', []]);
  });

  test('an equal cost is told to be one', async () => {
    const { growth, findings } = await looked(0);
    expect([growth.fit.order, growth.beyond_ns, findings]).toEqual(['O(1)', 0, []]);
    expect(growth.fit.exponent).toMatchObject({
      low: expect.closeTo(0, 2) as number,
      high: expect.closeTo(0, 2) as number,
    });
  });
});
