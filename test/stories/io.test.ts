import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeQueryResult } from '../../shared/engine/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

/** Times are in µs after the first operation. */
const AFTER = (ts: string) => `(${ts} - (SELECT min(ts) FROM etw_file_io)) / 1000 AS ts`;

describeReal('file and disk I/O of a recording', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const opened = Promise.resolve().then(() =>
    host.open(writeTrace(join(folder, 'io.etl'), 'io', '--count', '8', '--cpus', '2'), {}),
  );

  async function ask(sql: string): Promise<unknown[][]> {
    const { id } = await opened;
    const result = decodeQueryResult(await host.query(id, `INCLUDE PERFETTO MODULE etw.io; ${sql}`));
    return [...result.rows()].map((row) => Object.values(row));
  }

  test('has every operation with its thread, file, place and end', async () => {
    const sql = `SELECT ${AFTER('i.ts')}, dur / 1000 AS dur, kind, cpu, process_name, tid, substr(path, -10) AS path,
      byte_offset, size_bytes, done, status, irp FROM etw_file_io AS i JOIN etw_thread AS t USING (utid) ORDER BY i.ts`;
    const browser = ['browser.exe', 1004, 'file00.bin'];
    const compiler = ['compiler.exe', 2004, 'file01.bin'];
    const [first, second] = ['0xffff900000000000', '0xffff900000000200'];
    expect(await ask(sql)).toEqual([
      [0, 5, 'create', 0, ...browser, null, null, 0, '0x0', first],
      [10, 210, 'read', 1, ...browser, 0, 4096, 4096, '0x0', first],
      [225, 5, 'write', 0, ...browser, 0, 4096, 4096, '0x0', first],
      [235, 5, 'close', 1, ...browser, null, null, 0, '0x0', first],
      [245, 5, 'create', 0, ...compiler, null, null, 0, '0x0', second],
      [255, 5, 'read', 1, ...compiler, 4096, 4096, 4096, '0x0', second],
      [265, 5, 'write', 0, ...compiler, 4096, 4096, 4096, '0x0', second],
      [275, 5, 'close', 1, ...compiler, null, null, 0, '0x0', second],
    ]);
  });

  test('has what the disk did for it', async () => {
    const sql = `SELECT ${AFTER('i.ts')}, dur / 1000 AS dur, kind, cpu, process_name, tid, substr(path, -10) AS path,
      byte_offset, size_bytes, priority, irp FROM etw_disk_io AS i JOIN etw_thread AS t USING (utid) ORDER BY i.ts`;
    const read = [
      15,
      200,
      'read',
      1,
      'browser.exe',
      1004,
      'file00.bin',
      0,
      4096,
      'Normal',
      '0xffff900000000100',
    ];
    expect(await ask(sql)).toEqual([read]);
  });
});
