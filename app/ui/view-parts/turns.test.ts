import { expect, test } from 'vitest';
import { Turns, type Turn } from './turns.ts';

/** Turns that say when they begin, and end when they are let go or broken off. */
function recorded() {
  const said: string[] = [];
  const ends = new Map<string, () => void>();
  const turns = new Turns<'list' | 'detail' | 'later'>(['list', 'detail', 'later'], () => undefined);
  const turn =
    (name: string): Turn =>
    (signal) =>
      new Promise((resolve) => {
        said.push(`${name} begins`);
        const end = (how: string) => () => {
          said.push(`${name} ${how}`);
          resolve();
        };
        signal.addEventListener('abort', end('is broken off'), { once: true });
        ends.set(name, end('ends'));
      });
  const settle = async (name?: string) => {
    if (name !== undefined) ends.get(name)?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { said, turns, turn, settle };
}

test('one turn runs at a time, in the order of the parts; the newest wish of a part wins', async () => {
  const { said, turns, turn, settle } = recorded();
  turns.want('list', turn('list 1'));
  turns.want('later', turn('later'));
  turns.want('detail', turn('detail 1'));
  turns.want('detail', turn('detail 2'));
  turns.want('list', turn('list 2'));
  await settle();
  await settle('list 2');
  await settle('detail 2');
  await settle('later');
  expect(said).toEqual([
    'list 1 begins',
    'list 1 is broken off',
    'list 2 begins',
    'list 2 ends',
    'detail 2 begins',
    'detail 2 ends',
    'later begins',
    'later ends',
  ]);
});

test('a choice breaks off what comes later, which then runs again; nothing wished for stops what runs', async () => {
  const { said, turns, turn, settle } = recorded();
  turns.want('later', turn('later'));
  turns.want('detail', turn('detail'));
  await settle();
  await settle('detail');
  turns.want('later', null);
  await settle();
  expect(said).toEqual([
    'later begins',
    'later is broken off',
    'detail begins',
    'detail ends',
    'later begins',
    'later is broken off',
  ]);
});

test('what is under way is told with each change', async () => {
  const seen: string[][] = [];
  const turns = new Turns<'list' | 'detail'>(['list', 'detail'], (underWay) =>
    seen.push([...underWay.keys()]),
  );
  turns.want('list', () => Promise.resolve());
  turns.want('detail', () => Promise.resolve());
  await new Promise((resolve) => setTimeout(resolve));
  expect(seen.at(-1)).toEqual([]);
  expect(seen).toContainEqual(['detail']);
});

test('what was given up is not taken up again by the list that is wished for next', async () => {
  const { said, turns, turn, settle } = recorded();
  turns.want('later', turn('later of one view'));
  await settle();
  turns.want('later', null);
  turns.want('list', turn('list of another'));
  await settle();
  await settle('list of another');
  expect(said).toEqual([
    'later of one view begins',
    'later of one view is broken off',
    'list of another begins',
    'list of another ends',
  ]);
});
