import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { readParams } from '../../shared/view/index.ts';
import { makeQuery } from '../../shared/engine/index.ts';
import { connectHost } from '../host/connect-host.ts';
import { messagePort } from '../../shared/border/index.ts';
import { serveHost } from '../host/serve-host.ts';
import {
  atEnd,
  describeReal,
  hostModels,
  startHost,
  temporaryFolder,
  writeTrace,
} from '../host/testing/real.ts';
import { summariseTrace } from '../host/trace-summary.ts';
import { readyLatency } from '../../views/ready-latency/view.ts';
import { timeline } from '../../views/timeline/view.ts';
import { sqlTables, traceQuery } from '../../shared/tables/index.ts';
import { askHost } from '../host/ask-host.ts';
import { inOneThread } from './node-models.ts';
import { unpackModel } from '../host/model-source/pack.ts';

describeReal('models that a host makes beside the files', () => {
  const folder = temporaryFolder();
  const local = startHost(join(folder, 'cache'));
  const { port1, port2 } = new MessageChannel();
  serveHost(local, messagePort(port1));
  const host = connectHost(messagePort(port2));
  atEnd(() => port2.close());

  async function open() {
    const path = writeTrace(join(folder, 'wmi.etl'), 'wmi');
    const opened = await host.open(path, { columns: true });
    const summary = await summariseTrace(sqlTables(makeQuery((sql) => host.queryOutline(opened.id, sql))));
    if (summary === null || host.models === undefined) throw new Error('no Windows trace');
    return { opened, summary, models: host.models(opened.id) };
  }

  test('are those that are made where they are shown, over a port', async () => {
    const { opened, summary, models } = await open();
    const { id } = opened;
    expect(opened.makesModels).toBe(true);
    const { range } = summary;
    const asker = {
      sql: (of: 'whole' | 'outline', sql: string) => askHost(local, id, { kind: 'sql', of, sql }, undefined),
      readTable: local.readTable.bind(null, id),
    };
    const query = traceQuery(asker, opened.tables);
    const given = async (made: Promise<Uint8Array | null>) => unpackModel((await made) ?? new Uint8Array());

    const params = readParams(readyLatency.params, {});
    const list = await given(models.load('load', { view: 'ready-latency', params, range }, {}));
    expect(list).toStrictEqual(await readyLatency.load(query, params, range));

    const whole = { view: 'timeline', params: readParams(timeline.params, {}), range };
    await models.load('load', whole, {});
    const zoom = { start: range.start, pixel_ns: (range.end - range.start) / 100, pixels: 100 };
    const question = { kind: 'pixels', zoom, tracks: ['c0'], judged: false, line: null };
    expect(await given(models.ask('timeline', question, {}))).toStrictEqual(
      await timeline.answer?.(query, question),
    );
    models.end();
    await host.close(id);
  });

  test('are made in one thread for traces that are opened one after the other', async () => {
    let threads = 0;
    const { start, programs } = hostModels();
    const shared = inOneThread({ start: () => (threads++, start()), programs });
    const path = writeTrace(join(folder, 'minimal.etl'), 'minimal');
    const wanted = { view: 'ready-latency', params: readParams(readyLatency.params, {}) };
    const made: unknown[] = [];
    for (const cache of ['first', 'second']) {
      const alone = startHost(join(folder, cache), { models: shared });
      const { id, summary } = await alone.open(path, { columns: true });
      if (summary === null || alone.models === undefined) throw new Error('no Windows trace');
      const source = alone.models(id);
      made.push(await source.load('load', { ...wanted, range: summary.range }, {}));
      const late = source.load('load', { ...wanted, range: summary.range }, {});
      await Promise.all([expect(late).rejects.toThrow('the trace was closed'), alone.close(id)]);
    }
    shared.end();
    expect(threads).toBe(1);
    expect(made[1]).toEqual(made[0]);
  });

  test('fail with the reason, and without end when the trace is closed', async () => {
    const { opened, summary, models } = await open();
    const { range } = summary;
    await expect(models.load('load', { view: 'no-view', params: {}, range }, {})).rejects.toThrow(
      'there is no view no-view',
    );
    const wrong = { view: 'ready-latency', params: { colour: 'red' }, range };
    await expect(models.load('load', wrong, {})).rejects.toThrow('unknown parameter "colour"');
    await expect(models.ask('ready-latency', {}, {})).rejects.toThrow(
      'the view ready-latency answers no questions',
    );
    const underWay = models.load('load', { view: 'ready-latency', params: {}, range }, {});
    await Promise.all([expect(underWay).rejects.toThrow('the trace was closed'), local.close(opened.id)]);
  });
});
