import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { NO_LINK, readState, type LinkState } from '../../../shared/link/index.ts';
import { connectHost } from '../connect-host.ts';
import { messagePort } from '../../../shared/border/index.ts';
import { serveHost } from '../serve-host.ts';
import { atEnd, describeReal, startHost, temporaryFolder, writeTrace } from '../testing/real.ts';
import { writeBundle } from './write.ts';

describeReal('a host, from the other end of a channel', () => {
  const folder = temporaryFolder();
  const { port1, port2 } = new MessageChannel();
  atEnd(() => port1.close());
  serveHost(startHost(join(folder, 'cache')), messagePort(port1));
  const host = connectHost(messagePort(port2));
  const path = join(folder, 'minimal.etl');
  const part = { from: '0s', to: '1s', only: [], skip: [] };

  /** What a link to a trace, as it was opened, would say. */
  async function stateOf(): Promise<LinkState> {
    const { id, name, sizeBytes } = await host.open(writeTrace(path, 'minimal'), { part });
    await host.close(id);
    return { ...NO_LINK, title: 'A bundle', trace: { id, name, sizeBytes, part } };
  }

  test('opens a bundle as the part of the trace that it was made of, and says what it says', async () => {
    const state = await stateOf();
    const bundle = join(folder, 'minimal.outrank');
    await writeBundle(bundle, state, [path]);
    rmSync(path);
    const opened = await host.open(bundle, {});
    expect(opened).toMatchObject({ id: state.trace?.id, name: 'minimal.etl', part });
    expect(readState(opened.state)).toEqual({ state, notes: [] });
    await host.close(opened.id);
    const [recent] = await host.recent();
    expect(recent).toMatchObject({ id: state.trace?.id, path: bundle });
  });

  test('holds both sides of a comparison: both are known where it is opened, and nothing else is', async () => {
    const [before, after] = ['before.etl', 'after.etl'].map((name, seed) =>
      writeTrace(join(folder, name), 'routine', '--seconds', '1', '--seed', String(seed)),
    ) as [string, string];
    const a = await host.open(before, {});
    const b = await host.open(after, {});
    const bundle = join(folder, 'both.outrank');
    const compared = { view: 'compare', params: { other: b.id, other_name: 'after.etl' } };
    await host.bundle(a.id, null, compared, bundle, {});
    for (const { id } of [a, b]) await host.close(id);
    const there = startHost(join(folder, 'other-cache'));
    const opened = await there.open(bundle, {});
    expect(opened.id).toBe(a.id);
    const [known, other] = await there.recent();
    expect([known?.path, other]).toMatchObject([bundle, { id: b.id, name: 'after.etl' }]);
    expect((await there.open(other?.path ?? '', { expected: b.id })).id).toBe(b.id);

    // A stranger's bundle whose place compares nothing makes nothing known.
    const { id, name, sizeBytes } = a;
    const wrong = join(folder, 'wrong-both.outrank');
    const state = { ...NO_LINK, trace: { id, name, sizeBytes } };
    await writeBundle(wrong, state, [before], undefined, [[after]]);
    const elsewhere = startHost(join(folder, 'third-cache'));
    await elsewhere.open(wrong, {});
    expect(await elsewhere.recent()).toHaveLength(1);
  });

  test('refuses a bundle whose trace is another one than it says', async () => {
    const state = await stateOf();
    const bundle = join(folder, 'wrong.outrank');
    const other = join(folder, 'other.etl');
    writeTrace(other, 'lock-screen');
    await writeBundle(bundle, state, [other]);
    await expect(host.open(bundle, {})).rejects.toMatchObject({ kind: 'other_trace' });
  });

  test('refuses another file than a link expects, before it is converted', async () => {
    const state = await stateOf();
    const copy = join(folder, 'renamed.etl');
    copyFileSync(path, copy);
    const { id } = await host.open(copy, { part, expected: state.trace?.id });
    await host.close(id);
    await expect(host.open(copy, { part, expected: 'ab'.repeat(32) })).rejects.toMatchObject({
      kind: 'other_trace',
      message: `renamed.etl is another trace than the link's: the SHA-256 of its content is ${id}, not ${'ab'.repeat(32)}`,
    });
  });

  test('keeps links, the one used last first', async () => {
    const kept = (link: string, usedAtMs: number) => ({ link, title: '', name: 'minimal.etl', usedAtMs });
    for (const each of [kept('a', 1), kept('b', 2), kept('a', 3)]) await host.keepLink(each);
    expect(await host.links()).toEqual([kept('a', 3), kept('b', 2)]);
  });
});
