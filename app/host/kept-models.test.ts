import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { apart, KeptModels, keeping, keptRanks } from './kept-models.ts';
import { MEASURING, MEASURING_FIRST, REASONING, type ModelSource } from './model-source/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'outrank-models-'));
afterAll(() => rmSync(folder, { recursive: true }));

const model = (...bytes: number[]) => ({ model: Uint8Array.from(bytes) });

test('a model comes back as it was kept, and not at all where its file is damaged', async () => {
  const dir = join(folder, 'damaged');
  const models = new KeptModels(dir, 1000);
  const kept = { model: Uint8Array.of(1, 2) };
  await models.put('key', kept);
  expect(await models.get('key')).toEqual(kept);
  expect(await models.get('other key')).toBeNull();

  const [name = ''] = readdirSync(dir);
  const bytes = readFileSync(join(dir, name));
  for (const at of bytes.keys()) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] ?? 0) ^ 1;
    writeFileSync(join(dir, name), altered);
    expect(await models.get('key'), `byte ${at}`).toBeNull();
  }
  writeFileSync(join(dir, name), bytes);
  truncateSync(join(dir, name), bytes.length - 1);
  expect(await models.get('key')).toBeNull();
});

test('the models that were used longest ago go first', async () => {
  const dir = join(folder, 'full');
  const models = new KeptModels(dir, 120);
  for (const key of ['a', 'b']) {
    await models.put(key, model(1));
    await setTimeout(20);
  }
  await models.get('a');
  await setTimeout(20);
  await models.put('c', model(1));
  expect([await models.get('a'), await models.get('b'), await models.get('c')]).toEqual([
    model(1),
    null,
    model(1),
  ]);
});

test('a list is made once, and made again for what comes later to another one', async () => {
  const made: string[] = [];
  const source: ModelSource<Uint8Array> = {
    load(step, { view }) {
      made.push(`${step} ${view}`);
      return Promise.resolve(step === 'later' ? null : Uint8Array.of(made.length));
    },
    ask(view) {
      made.push(`ask ${view}`);
      return Promise.resolve(Uint8Array.of(made.length));
    },
    end: () => undefined,
  };
  const models = new KeptModels(join(folder, 'source'), 1 << 20);
  const open = (trace: string) =>
    keeping(
      source,
      models,
      () => true,
      () => Promise.resolve(trace),
      0,
    );
  const wanted = (view: string) => ({ view, params: {}, range: { start: 0, end: 1 } });

  const first = open('trace');
  expect(await first.load('load', wanted('a'), {})).toEqual(Uint8Array.of(1));
  await setTimeout(50);
  const again = open('trace');
  expect(await again.load('load', wanted('a'), {})).toEqual(Uint8Array.of(1));
  expect(made).toEqual(['load a']);

  // What comes later goes on from a list that was kept: the source has none of it.
  expect(await again.load('later', wanted('a'), {})).toBeNull();
  expect(made).toEqual(['load a', 'load a', 'later a']);

  // Another trace, another view, and what is chosen, are made.
  await open('other').load('load', wanted('a'), {});
  await open('trace').load('load', wanted('b'), {});
  await open('trace').load('detail', wanted('a'), {});
  expect(made.slice(3)).toEqual(['load a', 'load b', 'detail a']);

  // What was measured for a comparison is kept likewise, what views answer is not.
  const [measured, zoom] = [{ kind: 'measure' }, { kind: 'pixels' }];
  const answer = await open('trace').ask(MEASURING, measured, {});
  await setTimeout(50);
  expect(await open('trace').ask(MEASURING, measured, {})).toEqual(answer);
  for (const at of [0, 1]) expect(await open('trace').ask('a', zoom, {})).toEqual(Uint8Array.of(8 + at));
  await open('other').ask(MEASURING, measured, {});
  expect(made.slice(6)).toEqual([`ask ${MEASURING}`, 'ask a', 'ask a', `ask ${MEASURING}`]);

  // Where all is kept, it is the answer to who asks for the first of it; that alone is not kept.
  expect(await open('trace').ask(MEASURING_FIRST, measured, {})).toEqual(answer);
  await open('third').ask(MEASURING_FIRST, measured, {});
  await open('third').ask(MEASURING_FIRST, measured, {});
  expect(made.slice(10)).toEqual([`ask ${MEASURING_FIRST}`, `ask ${MEASURING_FIRST}`]);
});

test('that one source had nothing to add to its list says nothing about the list of another', async () => {
  const models = new KeptModels(join(folder, 'later'), 1 << 20);
  const answering = (list: number, later: number | null) => {
    const source: ModelSource<Uint8Array> = {
      load: (step) => {
        if (step !== 'later') return Promise.resolve(Uint8Array.of(list));
        return Promise.resolve(later === null ? null : Uint8Array.of(later));
      },
      ask: () => Promise.resolve(null),
      end: () => undefined,
    };
    const isKept = () => true;
    return keeping(source, models, isKept, () => Promise.resolve('trace'), 0);
  };
  const wanted = { view: 'timeline', params: {}, range: { start: 0, end: 1 } };
  const judged = answering(1, null);
  await judged.load('load', wanted, {});
  expect(await judged.load('later', wanted, {})).toBeNull();
  await setTimeout(50);
  expect(await answering(2, 3).load('later', wanted, {})).toEqual(Uint8Array.of(3));
});

test('nothing is kept of a trace with symbols, nor of what is soon made', async () => {
  const dir = join(folder, 'nothing');
  const source: ModelSource<Uint8Array> = {
    load: () => Promise.resolve(Uint8Array.of(1)),
    ask: () => Promise.resolve(null),
    end: () => undefined,
  };
  const wanted = { view: 'a', params: {}, range: { start: 0, end: 1 } };
  const key = () => Promise.resolve('trace');
  await keeping(source, new KeptModels(dir, 1000), () => false, key, 0).load('load', wanted, {});
  await keeping(source, new KeptModels(dir, 1000), () => true, key).load('load', wanted, {});
  await setTimeout(50);
  expect(() => readdirSync(dir)).toThrow('ENOENT');
});

test('an answer may be larger than a picture, such as the main reason of each ready wait', async () => {
  const large = new Uint8Array(9 << 20).fill(1);
  const made: string[] = [];
  const source: ModelSource<Uint8Array> = {
    load: () => Promise.resolve((made.push('load'), large.slice())),
    ask: () => Promise.resolve((made.push('ask'), large.slice())),
    end: () => undefined,
  };
  const models = new KeptModels(join(folder, 'large'), 64 << 20);
  const key = () => Promise.resolve('trace');
  const kept = keeping(source, models, () => true, key, 0);
  const wanted = { view: 'a', params: {}, range: { start: 0, end: 1 } };
  await kept.load('load', wanted, {});
  await kept.ask(REASONING, null, {});
  await vi.waitFor(async () => {
    const question = JSON.stringify(['trace', REASONING, null]);
    expect((await models.get(question))?.model).toHaveLength(large.length);
  });
  await kept.load('load', wanted, {});
  await kept.ask(REASONING, null, {});
  expect(made).toEqual(['load', 'ask', 'load']);
});

test('what comes later to a list is worth as much as both', async () => {
  const made: string[] = [];
  const source: ModelSource<Uint8Array> = {
    async load(step) {
      made.push(step);
      if (step === 'load') await setTimeout(60);
      return Uint8Array.of(made.length);
    },
    ask: () => Promise.resolve(null),
    end: () => undefined,
  };
  const dir = join(folder, 'both');
  const models = new KeptModels(dir, 1 << 20);
  const wanted = { view: 'a', params: {}, range: { start: 0, end: 1 } };
  const open = () =>
    keeping(
      source,
      models,
      () => true,
      () => Promise.resolve('trace'),
      50,
    );
  const first = open();
  await first.load('load', wanted, {});
  await first.load('later', wanted, {});
  const whole = () => readdirSync(dir).filter((name) => !name.startsWith('partial-'));
  await vi.waitFor(() => expect(whole()).toHaveLength(2));
  const again = open();
  expect(await again.load('load', wanted, {})).toEqual(Uint8Array.of(1));
  expect(await again.load('later', wanted, {})).toEqual(Uint8Array.of(2));
  expect(made).toEqual(['load', 'later']);
});

test('what takes long is asked of a source of its own, which is made for that and ends with the other', async () => {
  const told: string[] = [];
  const sourceOf = (name: string): ModelSource<Uint8Array> => ({
    load: (step) => Promise.resolve(told.push(`${name} loads ${step}`)).then(() => null),
    ask: (view) => Promise.resolve(told.push(`${name} answers ${view}`)).then(() => null),
    end: () => told.push(`${name} ends`),
  });
  const source = apart(sourceOf('one'), () => sourceOf('other'));
  await source.load('load', { view: 'timeline', params: {}, range: { start: 0, end: 1 } }, {});
  await source.ask('timeline', {}, {});
  await source.ask(MEASURING, {}, {});
  await source.ask(MEASURING, {}, {});
  source.end();
  const unasked = apart(sourceOf('third'), () => sourceOf('fourth'));
  unasked.end();
  expect(told).toEqual([
    'one loads load',
    'one answers timeline',
    `other answers ${MEASURING}`,
    `other answers ${MEASURING}`,
    'one ends',
    'other ends',
    'third ends',
  ]);
});

test('judged ranks come back for their trace alone', async () => {
  const models = new KeptModels(join(folder, 'ranks'), 1 << 20);
  const of = (trace: string) => keptRanks(models, () => Promise.resolve(trace));
  const rank = {
    ts: 5,
    dur: 7,
    utid: 1,
    rank_before: 2,
    rank_after: 3,
    rank: 2,
    before_explains_ns: 6,
    after_explains_ns: 0,
    put_aside_better: false,
  };
  of('trace').put([rank]);
  await vi.waitFor(async () => expect(await of('trace').get()).toEqual([rank]));
  expect(await of('other').get()).toBeNull();
});
