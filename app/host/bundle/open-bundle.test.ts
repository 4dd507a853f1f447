import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { NO_LINK, readState, type LinkState } from '../../../shared/link/index.ts';
import { connectHost } from '../connect-host.ts';
import { messagePort } from '../port.ts';
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
