import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { runRules, shippedRules } from '../../shared/findings/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { cpuSampled } from '../../views/cpu-sampled/view.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

/** What `outrank-synth hot-loop --truth` says of its loop. */
interface LoopTruth {
  readonly pid: number;
  readonly process: string;
  readonly module: string;
  readonly process_samples: number;
  readonly loop_samples: number;
  readonly addresses: readonly { readonly rva: number; readonly samples: number }[];
}

const RANGE = { start: 0, end: 100_000_000_000 };

describeReal('the loop of nine instructions under a lock', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  async function looked(loop_permille: number) {
    const path = join(folder, `${loop_permille}.etl`);
    const truthPath = join(folder, `${loop_permille}.json`);
    writeTrace(path, 'hot-loop', '--loop-permille', String(loop_permille), '--truth', truthPath);
    const { id } = await host.open(path, {});
    const query = makeQuery((sql) => host.query(id, sql));
    const { hot_loop } = JSON.parse(readFileSync(truthPath, 'utf8')) as { hot_loop: LoopTruth };
    const { hot_loops } = await cpuSampled.load(query, readParams(cpuSampled.params, {}), RANGE);
    const rule = shippedRules.filter(({ name }) => name === 'hot-loop.sql');
    return { truth: hot_loop, hot_loops, found: (await runRules(query, rule, RANGE)).findings };
  }

  test('is found to the sample, with the seven instructions that have any', async () => {
    const { truth, hot_loops, found } = await looked(953);
    const { process, pid, module, addresses, process_samples, loop_samples } = truth;
    const name = (rva: number) => `${module}+0x${rva.toString(16)}`;
    expect(addresses).toHaveLength(7);
    expect(hot_loops).toEqual([
      {
        process,
        services: null,
        pid,
        from: name(0x3_f2a0),
        to: name(0x3_f2be),
        bytes: 0x1e,
        addresses: 7,
        threads: 1,
        samples: loop_samples,
        share: loop_samples / process_samples,
        hottest: [...addresses]
          .sort((a, b) => b.samples - a.samples)
          .map(({ rva, samples }) => ({ label: name(rva), samples })),
      },
    ]);
    expect(found.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^95\.\d % of the samples of svchost\.exe \(pid 8000\) are within 128 bytes/),
    ]);
  });

  test('is not found where it has a little less than half of the samples', async () => {
    const { truth, hot_loops, found } = await looked(485);
    expect(truth.loop_samples / truth.process_samples).toBeGreaterThan(0.47);
    expect([hot_loops, found]).toEqual([[], []]);
  });
});
