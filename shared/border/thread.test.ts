import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, messagePort, serve, threadPort } from './index.ts';
import type { StoreCalls, ThreadCalls } from './testing/worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'outrank-border-'));
const program = join(folder, 'worker.cjs');
beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL('./testing/worker.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  }),
);
const threads: Worker[] = [];
afterAll(async () => {
  await Promise.all(threads.map((thread) => thread.terminate()));
  rmSync(folder, { recursive: true });
});

function start() {
  const thread = new Worker(program);
  threads.push(thread);
  return connect<ThreadCalls>(threadPort(thread));
}

test('a thread hands over the bytes of its answer', async () => {
  const bytes = await start().call('fill', { length: 3 << 20, value: 7 });
  expect(bytes.length).toBe(3 << 20);
  expect(bytes.every((byte) => byte === 7)).toBe(true);
});

test('a thread asks by a port of its own, whose bytes are handed over', async () => {
  const { port1, port2 } = new MessageChannel();
  const given: Uint8Array[] = [];
  serve<StoreCalls>(
    messagePort(port1),
    {
      read(name) {
        const bytes = new Uint8Array(name.length);
        given.push(bytes);
        return bytes;
      },
    },
    { handsOver: true },
  );
  const lengths = start().call('lengths', { port: port2, names: ['a', 'bcd', ''] }, { handing: [port2] });
  expect(await lengths).toEqual([1, 3, 0]);
  expect(given.map((bytes) => bytes.buffer.byteLength)).toEqual([0, 0, 0]);
});

test('a thread that ends fails what waits for it, with why', async () => {
  const thread = start();
  await expect(thread.call('end', 3)).rejects.toThrow('the other side is gone: its thread ended with code 3');
});
