import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeLink, NO_LINK } from '../../shared/link/index.ts';
import { contentHash } from '../host/content-hash.ts';
import { atEnd, describeReal, places, root, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { hasTerminal, outrankAtTerminal, outrankIn } from './testing.ts';

const folder = temporaryFolder();
const trace = join(folder, 'minimal.etl');
const tokenFile = join(folder, 'token');
const asMe = ['--token-file', tokenFile];
const outrank = outrankIn(folder);

/** Runs a team server; its address, and the token that opens it. */
async function startServer(): Promise<{ origin: string; token: string }> {
  const launcher = join(root, 'app', 'cli', 'outrank.mjs');
  const where = ['--store', join(folder, 'store'), '--work', join(folder, 'work'), '--lake', 'off'];
  const args = ['serve', ...where, '--port', '0'];
  const env = { ...process.env, OUTRANK_CONVERTER: places.converter };
  const child = spawn(process.execPath, [launcher, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(() => child.kill('SIGINT'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const text = `${String((await lines.next()).value)} ${String((await lines.next()).value)}`;
  return { origin: /http:\/\/[^ ]+/.exec(text)?.[0] ?? '', token: text.split(' ').at(-1) ?? '' };
}

describeReal('a trace goes to a team server and comes back', () => {
  let origin: string;
  beforeAll(async () => {
    writeTrace(trace, 'minimal');
    const server = await startServer();
    origin = server.origin;
    writeFileSync(tokenFile, server.token);
  });

  test('nothing is sent without a terminal for the question, nor a yes', async () => {
    expect(await outrank('upload', trace, '--to', origin)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'outrank: there is no terminal for the question: see what is inside with outrank export minimal.etl --dry-run, then add --yes\n',
    });
  });

  describe.skipIf(!hasTerminal)('somebody at a terminal is shown what is inside, and asked', () => {
    const answer = (keys: string) =>
      outrankAtTerminal(folder, ['upload', trace, '--to', origin, ...asMe], { question: '[y/N] ', keys });
    const uploaded = () => readdirSync(join(folder, 'store', 'traces'));

    test.each([
      ['no', 'n\r'],
      ['nothing', '\r'],
      ['something else', 'maybe\r'],
      ['the end of the input', '\x04'],
      ['an interrupt', '\x03'],
    ])('%s sends nothing', async (_, keys) => {
      const { code, shown } = await answer(keys);
      expect(shown).toContain('minimal.etl, 24.6 kB, is given away as it is.');
      expect(shown).toContain(`Upload it to ${new URL(origin).host}? [y/N] `);
      expect(shown.trim().split('\n').at(-1)).toBe('outrank: nothing was sent');
      expect(code).toBe(1);
      expect(uploaded()).toEqual([]);
    });

    test('yes sends it', async () => {
      const { code, shown } = await answer('y\r');
      const id = await contentHash(trace);
      expect(shown.trim().split('\n').at(-1)).toBe(`${origin}/t/${id}`);
      expect(code).toBe(0);
      expect(uploaded()).toEqual([id]);
    });
  });

  test('whoever has the link fetches the same bytes, once', async () => {
    const { stdout } = await outrank('upload', trace, '--to', origin, '--yes', ...asMe);
    const id = await contentHash(trace);
    expect(stdout).toBe(`${origin}/t/${id}\n`);
    const state = { ...NO_LINK, trace: { id, name: 'minimal.etl', sizeBytes: 24_576, server: origin } };
    const link = await makeLink(state);
    const ben = outrankIn(folder, 'cache-of-ben');
    const path = join(folder, 'cache-of-ben', 'fetched', id, 'minimal.etl');
    for (let time = 0; time < 2; time++)
      expect(await ben('link', 'fetch', link, ...asMe)).toMatchObject({ code: 0, stdout: `${path}\n` });
    expect(readFileSync(path).equals(readFileSync(trace))).toBe(true);
    expect((await ben('link', 'fetched')).stdout).toBe(
      `${join(folder, 'cache-of-ben', 'fetched')}: 1 trace, 24.6 kB\n`,
    );
    expect((await ben('link', 'fetched', '--clear')).stdout).toContain('removed 1 trace');
    expect(readdirSync(join(folder, 'cache-of-ben'))).not.toContain('fetched');
    const nowhere = await makeLink({ ...state, trace: { ...state.trace, id: 'ab'.repeat(32) } });
    const { code, stderr } = await ben('link', 'fetch', nowhere, ...asMe);
    expect(code).toBe(1);
    expect(stderr).toContain(`this server has no trace ${'ab'.repeat(32)}`);
  });

  test('an export is sent in the place of the recording, and a bundle holds one', async () => {
    const attention = writeTrace(join(folder, 'attention.etl'), 'attention');
    const redacted = await outrank('upload', attention, '--to', origin, '--yes', '--redact', 'all', ...asMe);
    expect(redacted.stdout).toMatch(/\/t\/[0-9a-f]{64}\n$/);
    const id = redacted.stdout.trim().slice(-64);
    const kept = readFileSync(join(folder, 'store', 'traces', id, 'file', 'attention.redacted.pftrace'));
    expect(['editor.exe', 'svchost.exe'].filter((name) => kept.includes(name))).toEqual(['svchost.exe']);
    expect(readdirSync(join(folder, 'cache', 'outgoing'))).toEqual([]);

    const bundle = join(folder, 'give.outrank');
    const link = await makeLink({
      ...NO_LINK,
      place: { ...NO_LINK.place, view: 'ready-latency', params: { process: 'editor.exe' } },
    });
    expect(await outrank('bundle', attention, '-o', bundle, '--state', link, '--redact', 'all')).toEqual({
      code: 0,
      stdout: `${bundle}\n`,
      stderr: '',
    });
    const asked = ['--sql', "SELECT count(*) AS n FROM process WHERE name = 'editor.exe'", '--format', 'csv'];
    expect((await outrank('query', bundle, ...asked)).stdout).toMatch(/^n\r?\n0/);
    expect(readFileSync(bundle).includes('editor.exe')).toBe(false);
  });
});
