import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { messagePort } from '../../shared/border/index.ts';
import { openArrowFolder } from '../../shared/tables/arrow-folder.ts';
import { traceQuery } from '../../shared/tables/index.ts';
import { readParams, type TimeRange } from '../../shared/view/index.ts';
import { readyLatency } from '../../views/ready-latency/view.ts';
import { askHost } from '../host/ask-host.ts';
import type { Wish } from '../host/model-source/index.ts';
import { writeColumns } from '../host/testing/columns.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { ModelLoader } from './loader.ts';
import { serveModels, type OpenTables } from './serve-models.ts';

describeReal('a worker that has the files of a trace', () => {
  const folder = temporaryFolder();

  test('gathers waits after the first picture, and reads none of them for another range', async () => {
    const trace = writeTrace(join(folder, 'wmi.etl'), 'wmi');
    const host = startHost(join(folder, 'cache'));
    const { id, tables, summary } = await host.open(trace, { columns: true });
    if (summary === null || tables === undefined) throw new Error('no Windows trace');
    const ask = (wish: Wish) => askHost(host, id, wish, undefined);
    const batchesRead: string[] = [];
    const openFolder = (of: string): OpenTables => {
      const files = openArrowFolder(of);
      return {
        read(table, batch, ...rest) {
          batchesRead.push(`${table} ${batch}`);
          return files.read(table, batch, ...rest);
        },
        close: () => files.close(),
      };
    };
    const loader = new ModelLoader(() => {
      const { port1, port2 } = new MessageChannel();
      serveModels(messagePort(port1), { write: (model) => model, handsOver: false, openFolder });
      return messagePort(port2);
    });
    const columns = join(folder, 'columns');
    writeColumns(trace, columns);
    const source = loader.connect(ask, { tables, folder: columns });
    const params = readParams(readyLatency.params, {});
    const { range } = summary;
    const load = (of: TimeRange) => source.load('load', { view: 'ready-latency', params, range: of }, {});
    await load(range);
    const last = (tables.find(({ name }) => name === 'etw_ready_wait')?.batches.length ?? 0) - 1;
    await expect.poll(() => batchesRead).toContain(`etw_ready_wait ${last}`);
    batchesRead.length = 0;
    const other = { start: range.start + 1, end: range.end };
    const found = await load(other);
    expect(batchesRead.filter((batch) => batch.startsWith('etw_ready_wait '))).toEqual([]);
    const fresh = traceQuery(
      {
        sql: (of, sql) => ask({ kind: 'sql', of, sql }),
        readTable: (...which) => ask({ kind: 'table', which }),
      },
      tables,
    );
    expect(found).toStrictEqual(await readyLatency.load(fresh, params, other));
    loader.end();
    await host.close(id);
  });
});
