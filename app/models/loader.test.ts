import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { threadPort } from '../../shared/border/index.ts';
import { ModelLoader } from './loader.ts';

const FAILING = `require('node:worker_threads').parentPort.on('message', () => { throw new Error('no memory is left'); });`;
const SILENT = `require('node:worker_threads').parentPort.on('message', () => undefined);`;

const WANTED = { view: 'io', params: {}, range: { start: 0, end: 1 } };
const unasked = () => Promise.reject(new Error('nothing is asked'));

test('what a worker was at fails with why it ended, and the next load starts another', async () => {
  let started = 0;
  const loader = new ModelLoader(() => {
    started += 1;
    return threadPort(new Worker(FAILING, { eval: true }));
  });
  const sources = [loader.connect(unasked, {}), loader.connect(unasked, {})];
  for (const count of [1, 2]) {
    const loads = sources.map((source) => source.load('load', WANTED, {}));
    for (const load of await Promise.allSettled(loads))
      expect(load).toEqual({
        status: 'rejected',
        reason: new Error('the worker that loads views ended: no memory is left'),
      });
    expect(started).toBe(count);
  }
});

test('a worker that was begun is the one that loads', async () => {
  let started = 0;
  const loader = new ModelLoader(() => {
    started += 1;
    return threadPort(new Worker(SILENT, { eval: true }));
  });
  loader.begin();
  loader.begin();
  expect(started).toBe(1);
  const load = loader.connect(unasked, {}).load('load', WANTED, {});
  expect(started).toBe(1);
  loader.end();
  await expect(load).rejects.toThrow('the trace was closed');
});

test('a source that ends fails what it was at, and the others go on until the loader ends', async () => {
  const loader = new ModelLoader(() => threadPort(new Worker(SILENT, { eval: true })));
  const [ended, other] = [loader.connect(unasked, {}), loader.connect(unasked, {})];
  const [load, otherLoad] = [ended.load('load', WANTED, {}), other.load('load', WANTED, {})];
  let isOver = false;
  otherLoad.catch(() => (isOver = true));
  ended.end();
  await expect(load).rejects.toThrow('the trace was closed');
  await expect(ended.ask('io', {}, {})).rejects.toThrow('the trace was closed');
  expect(isOver).toBe(false);
  loader.end();
  await expect(otherLoad).rejects.toThrow('the trace was closed');
});
