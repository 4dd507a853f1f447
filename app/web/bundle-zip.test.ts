import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readState } from '../../shared/link/index.ts';
import { randomNumbers } from '../../shared/link/random.ts';
import { FULL_STATE, mutate } from '../../shared/link/testing.ts';
import { OpenError } from '../host/api.ts';
import { textEntries, traceEntries } from '../host/bundle/entries.ts';
import { Bundles } from '../host/bundle/unpack.ts';
import { zipOf } from '../host/bundle/testing.ts';
import { writeBundle as writeOnNode } from '../host/bundle/write.ts';
import { temporaryFolder } from '../host/testing/real.ts';
import { withBundle, writeBundle } from './bundle-zip.ts';

const folder = temporaryFolder();
const trace = Buffer.from('a trace '.repeat(500));

/** The bundle of the state and the trace, as the page writes it. */
async function written(): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const [name = ''] = traceEntries(['lock-screen.etl']);
  const files = [{ name, blob: new Blob([trace]) }];
  const into = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece) });
  await writeBundle({ texts: textEntries(FULL_STATE), files }, into, () => undefined);
  return Buffer.concat(pieces);
}

/** All that is in a bundle, as the page reads it. */
function unpacked(bytes: Buffer<ArrayBuffer>): Promise<{ state: unknown; files: Record<string, Buffer> }> {
  return withBundle('FILE', new Blob([bytes]), async ({ state, files }) => {
    const all: Record<string, Buffer> = {};
    for (const { name, entry } of files) {
      const parts: Uint8Array[] = [];
      for await (const part of entry.read()) parts.push(part);
      all[name] = Buffer.concat(parts);
    }
    return { state, files: all };
  });
}

/** What becomes of a file that is meant as a bundle. */
function outcome(bytes: Buffer<ArrayBuffer>): Promise<string> {
  return unpacked(bytes).then(
    () => 'unpacked',
    (error: unknown) => {
      if (error instanceof OpenError)
        return error.message.replace('FILE: not a bundle that can be opened: ', '');
      throw error;
    },
  );
}

test('the page reads what Node writes, and Node what the page writes, which is the same each time', async () => {
  const file = join(folder, 'lock-screen.etl');
  writeFileSync(file, trace);
  const byNode = join(folder, 'node.outrank');
  await writeOnNode(byNode, FULL_STATE, [file]);
  const { state, files } = await unpacked(readFileSync(byNode));
  expect(readState(state)).toEqual({ state: FULL_STATE, notes: [] });
  expect(files).toEqual({ 'lock-screen.etl': trace });

  const byPage = join(folder, 'page.outrank');
  writeFileSync(byPage, await written());
  const onNode = await new Bundles(join(folder, 'bundles')).unpack(byPage, {});
  expect(readState(onNode.state)).toEqual({ state: FULL_STATE, notes: [] });
  expect(readFileSync(onNode.path)).toEqual(trace);
  expect(await written()).toEqual(readFileSync(byPage));
});

test('what is no bundle is named as such', async () => {
  const data = Buffer.from('x');
  const state = { name: 'state.json', data: Buffer.from('{}') };
  const huge = { name: 'trace/a.etl', data: deflateRawSync(Buffer.alloc(1 << 20)), method: 8 };
  const many = Array.from({ length: 500 }, (_, n) => ({ name: `trace/${n}.etl`, data }));
  const refusals: string[] = [];
  for (const bytes of [
    Buffer.from('this is no zip'),
    zipOf([state]),
    zipOf([{ name: 'trace/a.etl', data }]),
    zipOf([state, { name: 'trace/../../evil.etl', data }]),
    zipOf([state, { name: 'trace/a.etl', data }, { name: 'trace/a.etl', data }]),
    zipOf([state, ...many]),
    zipOf([state, { ...huge, declared: 2 ** 31 }]),
    zipOf([state, { ...huge, declared: 1000 }]),
    zipOf([state, { name: 'trace/a.etl', data, declared: 500 }]),
  ])
    refusals.push(await outcome(bytes));
  expect(refusals).toMatchInlineSnapshot(`
    [
      "no zip that can be read: File format is not recognized",
      "there is no trace in it",
      "there is no state.json in it",
      "no zip that can be read: Unsafe filename",
      "“trace/a.etl” is in it twice",
      "401 entries, and 400 is the most",
      "it would fill the disk: 1033 bytes become 2147483648",
      "Invalid uncompressed size",
      "Invalid uncompressed size",
    ]
  `);
});

test('1 000 mutated bundles are unpacked or end in one kind of error', { timeout: 120_000 }, async () => {
  const bytes = await written();
  const random = randomNumbers(3);
  const seen = { unpacked: 0, refused: 0 };
  for (let at = 0; at < 1_000; at++) {
    const became = await outcome(Buffer.from(mutate(bytes, random)));
    seen[became === 'unpacked' ? 'unpacked' : 'refused'] += 1;
  }
  expect(seen.unpacked).toBeGreaterThan(0);
  expect(seen.refused).toBeGreaterThan(100);
});
