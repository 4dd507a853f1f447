import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readState } from '../../../shared/link/index.ts';
import { randomNumbers } from '../../../shared/link/random.ts';
import { FULL_STATE, mutate } from '../../../shared/link/testing.ts';
import { OpenError } from '../api.ts';
import { temporaryFolder } from '../testing/real.ts';
import { withBundle } from './read.ts';
import { zipOf } from './testing.ts';
import { Bundles } from './unpack.ts';
import { writeBundle } from './write.ts';

const folder = temporaryFolder();
const trace = join(folder, 'lock-screen.etl');
writeFileSync(trace, 'a trace '.repeat(500));
const bundle = join(folder, 'story.outrank');
await writeBundle(bundle, FULL_STATE, [trace]);

const state = { name: 'state.json', data: Buffer.from('{}') };

/** What becomes of a file that is meant as a bundle: unpacked, or a message. */
async function unpack(bytes: Buffer): Promise<string> {
  const path = join(folder, 'hostile.outrank');
  writeFileSync(path, bytes);
  return new Bundles(join(folder, 'bundles')).unpack(path, {}).then(
    ({ path: unpacked }) => `unpacked ${readFileSync(unpacked).length} bytes`,
    (error: unknown) => {
      if (error instanceof OpenError) return error.message.replace(path, 'FILE');
      throw error;
    },
  );
}

test('a bundle gives back the trace, the state and the panels, and the same input makes the same bytes', async () => {
  const { path, options, state: said } = await new Bundles(join(folder, 'bundles')).unpack(bundle, {});
  expect(readFileSync(path)).toEqual(readFileSync(trace));
  expect(options).toEqual({ with: [], part: FULL_STATE.trace?.part, expected: FULL_STATE.trace?.id });
  expect(readState(said)).toEqual({ state: FULL_STATE, notes: [] });
  const again = join(folder, 'again.outrank');
  await writeBundle(again, FULL_STATE, [trace]);
  expect(readFileSync(again)).toEqual(readFileSync(bundle));
});

test('a panel keeps its params', async () => {
  const path = join(folder, 'params.outrank');
  const panels = [
    { name: 'by-rank', sql: 'SELECT :top', params: { top: 3 } },
    { name: 'plain', sql: 'SELECT 1' },
  ];
  const given = { ...FULL_STATE, panels, dashboard: undefined };
  await writeBundle(path, given, [trace]);
  const { state } = await new Bundles(join(folder, 'bundles')).unpack(path, {});
  expect(readState(state)).toEqual({ state: given, notes: [] });
});

test('several files come in the order of the recording, which its id depends on', async () => {
  const files = ['b.user.etl', 'a.kernel.etl'].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, file);
  const path = join(folder, 'two.outrank');
  const several = { id: 'cd'.repeat(32), name: 'x', sizeBytes: 1, files: ['a.kernel.etl', 'b.user.etl'] };
  await writeBundle(path, { ...FULL_STATE, trace: several }, files);
  const unpacked = await new Bundles(join(folder, 'bundles')).unpack(path, {});
  expect([unpacked.path, ...(unpacked.options.with ?? [])].map((each) => each.split('/').at(-1))).toEqual(
    several.files,
  );
});

test.each([
  ['../../evil.etl'],
  ['trace/../../evil.etl'],
  ['trace/a/b.etl'],
  ['/etc/passwd'],
  ['trace\\..\\evil.etl'],
  ['trace/C:evil.etl'],
  ['trace/'],
  ['trace/..'],
  ['trace/nul.etl'],
])('the entry %s is unpacked nowhere', async (name) => {
  const before = readdirSync(folder);
  expect(await unpack(zipOf([state, { name, data: Buffer.from('x') }]))).toMatch(
    /^FILE: not a bundle that can be opened: /,
  );
  expect(readdirSync(folder).filter((each) => !before.includes(each) && each !== 'hostile.outrank')).toEqual(
    [],
  );
});

test('what is no bundle is named as such', async () => {
  const data = Buffer.from('x');
  const huge = { name: 'trace/a.etl', data: deflateRawSync(Buffer.alloc(1 << 20)), method: 8 };
  const many = Array.from({ length: 500 }, (_, n) => ({ name: `trace/${n}.etl`, data }));
  const refusals = [];
  for (const bytes of [
    Buffer.from('this is no zip'),
    zipOf([state]),
    zipOf([{ name: 'trace/a.etl', data }]),
    zipOf([
      { ...state, data: Buffer.from('{') },
      { name: 'trace/a.etl', data },
    ]),
    zipOf([state, { name: 'trace/a.etl', data }, { name: 'trace/a.etl', data }]),
    zipOf([state, ...many]),
    zipOf([state, { ...huge, declared: 2 ** 31 }]),
    zipOf([state, { ...huge, declared: 1000 }]),
    zipOf([state, { name: 'trace/a.etl', data, declared: 500 }]),
  ])
    refusals.push((await unpack(bytes)).replace('FILE: not a bundle that can be opened: ', ''));
  expect(refusals).toEqual([
    expect.stringMatching(/^no zip that can be read: /),
    'there is no trace in it',
    'there is no state.json in it',
    'state.json is not JSON',
    '“trace/a.etl” is in it twice',
    '501 entries, and 400 is the most',
    `it would fill the disk: ${huge.data.length} bytes become 2147483648`,
    expect.stringMatching(/too many bytes/),
    expect.stringMatching(/size mismatch/),
  ]);
});

test('10 000 mutated bundles are unpacked or end in one kind of error', { timeout: 240_000 }, async () => {
  const bytes = readFileSync(bundle);
  const path = join(folder, 'mutated.outrank');
  const random = randomNumbers(3);
  const seen = { unpacked: 0, refused: 0 };
  for (let at = 0; at < 10_000; at++) {
    writeFileSync(path, mutate(bytes, random));
    try {
      await withBundle(path, async (contents) => {
        readState(contents.state);
        await contents.unpack(join(folder, `mutated-${at}`), {});
      });
      seen.unpacked += 1;
    } catch (error) {
      if (!(error instanceof OpenError)) throw new Error(`mutation ${at}`, { cause: error });
      seen.refused += 1;
    }
  }
  expect(seen.unpacked).toBeGreaterThan(100);
  expect(seen.refused).toBeGreaterThan(1000);
});
