import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeQueryResult } from '../../shared/engine/index.ts';
import type { OpenOptions } from './api.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

const SEQUENCE_AT = 0x18;
const CPU_AT = 0x28;
const BUFFERS_WRITTEN_AT = 0x68 + 0x24;

/** The file that a session would have written that saw one CPU alone: the first buffer, then those of the CPU. */
function onlyCpu(trace: Buffer, cpu: number): Buffer {
  const bufferBytes = trace.readUInt32LE(0);
  const buffers = Array.from({ length: trace.length / bufferBytes }, (_, at) =>
    Buffer.from(trace.subarray(at * bufferBytes, (at + 1) * bufferBytes)),
  );
  const kept = buffers.filter((buffer, at) => at === 0 || buffer.readUInt16LE(CPU_AT) === cpu);
  kept[0]?.writeUInt32LE(kept.length, BUFFERS_WRITTEN_AT);
  kept.forEach((buffer, at) => buffer.writeBigInt64LE(BigInt(at), SEQUENCE_AT));
  return Buffer.concat(kept);
}

describeReal('a recording in several files', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const whole = writeTrace(join(folder, 'minimal.etl'), 'minimal');
  const [first = '', second = ''] = [0, 1].map((cpu) => {
    const path = join(folder, `cpu${cpu}.etl`);
    writeFileSync(path, onlyCpu(readFileSync(whole), cpu));
    return path;
  });

  async function rows(sql: string, path: string, options: OpenOptions): Promise<unknown[]> {
    const { id } = await host.open(path, options);
    const result = [...decodeQueryResult(await host.query(id, sql)).rows()];
    await host.close(id);
    return result;
  }

  test.each([
    `INCLUDE PERFETTO MODULE etw.sched;
     SELECT w.ts, w.te, t.tid, t.process_name, w.priority, w.rank, w.cpu FROM etw_ready_wait w JOIN etw_thread t USING (utid)
     ORDER BY w.ts`,
    'SELECT * FROM etw_context_switch ORDER BY ts',
  ])('has the rows of one file: %s', async (sql) => {
    const expected = await rows(sql, whole, {});
    expect(expected.length).toBeGreaterThan(3);
    expect(await rows(sql, first, { with: [second] })).toEqual(expected);
    expect(await rows(sql, first, { with: [second], columns: true })).toEqual(expected);
  });

  test('is found again among the recent ones', async () => {
    await host.open(first, { with: [second] });
    const [recent] = await host.recent();
    expect(recent).toMatchObject({ name: 'cpu0.etl + cpu1.etl', path: first, with: [second] });
    const { id, warnings } = await host.open(first, { with: [second] });
    expect([id === recent?.id, warnings]).toEqual([true, []]);
  });

  test('is refused by the names of both where they are of different recordings', async () => {
    const other = writeTrace(join(folder, 'other.etl'), 'many-processors');
    await expect(host.open(whole, { with: [other] })).rejects.toMatchObject({
      kind: 'not_a_trace',
      message: expect.stringMatching(
        /other\.etl: cannot be merged with .*minimal\.etl: one has 2 processors, the other 96/,
      ) as string,
    });
  });
});
