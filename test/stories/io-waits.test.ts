import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { io } from '../../views/io/view.ts';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

const READS = 60;
/** Of so many reads one has another thread wait for it, too. */
const SHARED_EVERY = 4;

describeReal('threads that wait for a disk', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const opened = Promise.resolve().then(() =>
    host.open(writeTrace(join(folder, 'slow.etl'), 'slow-disk', '--count', `${READS}`, '--cpus', '3'), {}),
  );

  test('each read tells how long its thread was blocked, and who was readied with it', async () => {
    const { id } = await opened;
    const range = { start: 1e9, end: 2e9 };
    const query = makeQuery((sql) => host.query(id, sql));
    const params = readParams(io.params, { source: 'disk' });
    const first = await io.load(query, params, range);
    const { ios, waits, others } = (await io.later?.load(query, params, range, first)) ?? first;
    // A thread blocks 3 us after it has asked, is readied by a DPC 2 us after the disk is done, and runs 9 us later, 10 us if
    // another thread is readied meanwhile.
    const told = ios.map(({ ts, dur }, row) => {
      const wait = waits?.[row];
      const end = ts + (dur ?? 0);
      return wait == null
        ? null
        : [wait.ts - ts, wait.ready_ts - end, (wait.run_ts ?? 0) - wait.ready_ts, wait.readied_by];
    });
    const shared = others?.map((each) => each?.count ?? 0) ?? [];
    expect(told).toEqual(shared.map((count) => [3000, 2000, count === 0 ? 9000 : 10_000, 'a DPC']));
    expect(shared.filter((count) => count === 1)).toHaveLength(READS / SHARED_EVERY);
    expect(shared.filter((count) => count > 1)).toEqual([]);
  });

  test('the wait of each read is found where thousands are listed, without the whole trace', async () => {
    const reads = 2000;
    const path = writeTrace(join(folder, 'many.etl'), 'slow-disk', '--count', `${reads}`);
    const query = hostQuery(host, await host.open(path, { columns: true }));
    const params = readParams(io.params, { source: 'disk', limit: reads });
    const range = { start: 0, end: 1e10 };
    const first = await io.load(query, params, range);
    const { ios, waits } = (await io.later?.load(query, params, range, first)) ?? first;
    const ready = ios.map(({ ts, dur }, row) => (waits?.[row]?.ready_ts ?? NaN) - ts - (dur ?? 0));
    expect(ready).toHaveLength(reads);
    // Of events of two CPUs at one time the second stands 1 ns later.
    expect(ready.filter((ns) => ns !== 2000 && ns !== 2001)).toEqual([]);
  });
});
