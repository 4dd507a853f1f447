import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inOneLine, linksOf, readDocument } from './support/document.ts';
import { outrank, run, type Finished } from './support/outrank.ts';
import { root, Scratch, synth } from './support/places.ts';

const scratch = new Scratch();
const cache = scratch.path('cache');
afterAll(() => scratch.remove());

/** Commands that open a window, go on until they are stopped, or send to a server: other tests drive these. */
const NOT_RUN = new Set(['open', 'serve', 'upload']);

const walks = readdirSync(join(root, 'docs'))
  .map((name) => join('docs', name))
  .filter((path) => path.endsWith('.md') && readDocument(path).title.endsWith(': from opening to answer'));

test.each(walks)('%s: its commands succeed, and print what it quotes', { timeout: 900_000 }, async (path) => {
  const { commands, quotes } = readDocument(path);
  let printed = '';
  for (const words of commands) {
    const { code, stdout, stderr } = await ran(words);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code ?? 'a signal'}: ${stderr}`);
    printed += inOneLine(stdout);
  }
  expect(quotes.filter((quote) => !printed.includes(quote))).toEqual([]);
});

test('links and pictures of all documents lead to files, and every picture is shown by one', () => {
  const names = readdirSync(join(root, 'docs'));
  const documents = [
    ...[
      'README.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'docs/reference/README.md',
      'docs/reference/etl.md',
      'docs/reference/engine.md',
    ],
    ...names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name)),
  ];
  const links = documents.flatMap((path) =>
    linksOf(path).map((link) => ({ path, link, file: join(dirname(path), link) })),
  );
  expect(links.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  const shown = new Set(links.map(({ file }) => file));
  expect(names.filter((name) => name.endsWith('.png') && !shown.has(join('docs', name)))).toEqual([]);
});

test('each § of a comment of the converter is a section, or a row, of the reference', () => {
  const reference = readFileSync(join(root, 'docs/reference/etl.md'), 'utf8');
  const sections = new Set([...reference.matchAll(/^#+ ([\d.]+?)\.? /gm)].map(([, number]) => number));
  const listed = (number: string) =>
    sections.has(number) || new RegExp(`^- ${number.replaceAll('.', '\\.')} `, 'm').test(reference);
  const sources = readdirSync(join(root, 'converter'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.rs') && !path.startsWith('target'))
    .map((path) => ({ path, text: readFileSync(join(root, 'converter', path), 'utf8') }));
  const cited = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/§([\d.]*\d)/g)].map(([, number = '']) => ({ path, number })),
  );
  expect(cited.length).toBeGreaterThan(40);
  expect(cited.filter(({ number }) => !listed(number))).toEqual([]);
  const rows = sources.flatMap(({ text }) => text.match(/§7 rows? \d+(?:(?:, | to )\d+)?/g) ?? []);
  const numbers = rows.flatMap((row) => row.replace('§7', '').match(/\d+/g) ?? []);
  expect(numbers.filter((number) => !reference.includes(`\n| ${number} `))).toEqual([]);
});

test.each(['diagrams', 'performance-docs'])('what %s.mjs makes is up to date', async (script) => {
  const { code, stderr } = await run(process.execPath, [join(root, `scripts/${script}.mjs`), '--check']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** Runs a command of a document; a file that it names without a folder is in the scratch folder. */
async function ran(words: readonly string[]): Promise<Finished> {
  const placed = words.map((word) =>
    /^[\w-]+\.(etl|pftrace|outrank|json)$/.test(word) ? scratch.path(word) : word,
  );
  const [program, name, command = '', ...rest] = placed;
  if (program === 'outrank-synth') return run(synth, placed.slice(1));
  if (program === 'npx' && name === 'outrank' && !NOT_RUN.has(command))
    return outrank(cache, command, ...rest);
  return { code: 0, stdout: '', stderr: '' };
}
