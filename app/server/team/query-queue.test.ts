import { expect, test } from 'vitest';
import { QueryQueue } from './query-queue.ts';

const answer = (sql: string): Uint8Array => new TextEncoder().encode(sql);

/** A queue whose queries end when they are told to, in the order in which they began. */
function makeQueue() {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  let givenUp = 0;
  const run = (sql: string) =>
    new Promise<Uint8Array>((resolve) => {
      began.push(sql);
      ends.push(() => resolve(answer(sql)));
    });
  const queue = new QueryQueue(run, () => (givenUp += 1), 1);
  const endNext = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { queue, began, endNext, givenUp: () => givenUp };
}

test('viewers are served in turn, however much one has asked', async () => {
  const { queue, began, endNext } = makeQueue();
  const [ann, ben, cem] = [{}, {}, {}];
  const all = [1, 2, 3, 4].map((n) => queue.ask(ann, `ann ${n}`));
  all.push(queue.ask(ben, 'ben 1'), queue.ask(ben, 'ben 2'), queue.ask(cem, 'cem 1'));
  while (began.length < all.length) await endNext();
  await endNext();
  expect(began).toEqual(['ann 1', 'ben 1', 'cem 1', 'ann 2', 'ben 2', 'ann 3', 'ann 4']);
  expect((await Promise.all(all)).length).toBe(7);
});

test('what a viewer waits for no more is not begun, and what others wait for too is', async () => {
  const { queue, began, endNext, givenUp } = makeQueue();
  const moved = new AbortController();
  const { signal } = moved;
  const running = queue.ask({}, 'running');
  const left = queue.ask({}, 'left', { signal });
  const shared = queue.ask({}, 'shared', { signal });
  const other = queue.ask({}, 'shared');
  moved.abort();
  await expect(left).rejects.toMatchObject({ name: 'AbortError' });
  await expect(shared).rejects.toMatchObject({ name: 'AbortError' });
  await expect(queue.ask({}, 'late', { signal })).rejects.toMatchObject({ name: 'AbortError' });
  await endNext();
  await endNext();
  expect(began).toEqual(['running', 'shared']);
  expect([await running, await other]).toEqual([answer('running'), answer('shared')]);
  expect(givenUp()).toBe(0);
});

test('a query that no user waits for is given up after a while, unless a user asks it again', async () => {
  const { queue, endNext, givenUp } = makeQueue();
  const ann = {};
  const first = queue.ask(ann, 'long');
  queue.forget(ann);
  await expect(first).rejects.toMatchObject({ kind: 'ended' });
  const again = queue.ask(ann, 'long');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(givenUp()).toBe(0);
  await endNext();
  expect(await again).toEqual(answer('long'));

  const moved = new AbortController();
  const second = queue.ask(ann, 'longer', { signal: moved.signal });
  moved.abort();
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(givenUp).toBe(1);
});
