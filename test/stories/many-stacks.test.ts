import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeQueryResult } from '../../shared/engine/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

/** Frames that the converter remembers before it writes all anew (`converter/convert/src/pass/frames.rs`). */
const FRAMES_REMEMBERED = 1 << 16;
const SAMPLES = 60_000;
/** The fewest frames that a user's half of a stack has in this scenario. */
const SHORTEST_STACK = 16;

/** `depth` counts from 0. */
const SQL = `INCLUDE PERFETTO MODULE etw.sample;
SELECT
  (SELECT count(*) FROM etw_sample),
  (SELECT min(c.depth) + 1 FROM etw_sample s JOIN etw_callsite c ON c.callsite = s.callsite),
  (SELECT count(*) > ${FRAMES_REMEMBERED} FROM etw_frame),
  (SELECT count(*) FROM stats WHERE severity IN ('error', 'data_loss') AND value > 0)`;

describeReal('more stacks than the converter remembers', () => {
  test('are whole', async () => {
    const folder = temporaryFolder();
    const host = startHost(join(folder, 'cache'));
    const path = writeTrace(join(folder, 'stacks.etl'), 'stacks', '--count', String(SAMPLES), '--cpus', '4');
    const { id } = await host.open(path, {});
    const [row] = [...decodeQueryResult(await host.query(id, SQL)).rows()];
    expect(Object.values(row ?? {})).toEqual([SAMPLES, SHORTEST_STACK, 1, 0]);
  }, 120_000);
});
