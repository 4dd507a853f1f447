import { expect, test } from 'vitest';
import type { Query } from './engine.ts';
import { keepLast, oncePerTrace } from './keep-last.ts';

const newTrace = (): Query => () => Promise.reject(new Error('nothing is asked here'));

test('the last answer is kept by its key, for each trace', async () => {
  const keep = keepLast<number>();
  const [one, two] = [newTrace(), newTrace()];
  let asked = 0;
  const ask = () => Promise.resolve(++asked);
  expect(await keep(one, 'a', ask)).toBe(1);
  expect(await keep(one, 'a', ask)).toBe(1);
  expect(await keep(two, 'a', ask)).toBe(2);
  expect(await keep(one, 'b', ask)).toBe(3);
  expect(await keep(one, 'a', ask)).toBe(4);
});

test('who waits for an answer that its asker gave up asks again', async () => {
  let giveUp: (reason: Error) => void = () => undefined;
  const answers = [new Promise<string>((_, reject) => (giveUp = reject)), Promise.resolve('the answer')];
  const load = oncePerTrace(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
  const trace = newTrace();
  const [first, second] = [load(trace), load(trace)];
  giveUp(new Error('aborted'));
  await expect(first).rejects.toThrow('aborted');
  expect(await second).toBe('the answer');
  expect(await load(trace)).toBe('the answer');
});

test('an answer that is too large is given and not kept', async () => {
  const keep = keepLast<number>((value) => value < 2);
  const trace = newTrace();
  let asked = 0;
  const ask = () => Promise.resolve(++asked);
  expect(await keep(trace, 'a', ask)).toBe(1);
  expect(await keep(trace, 'a', ask)).toBe(1);
  expect(await keep(trace, 'b', ask)).toBe(2);
  expect(await keep(trace, 'b', ask)).toBe(3);
});
