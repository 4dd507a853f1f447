// Writes docs/architecture.svg from docs/architecture.dot. `--check` only says whether it is up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { instance } from '@viz-js/viz';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const viz = await instance();
const dot = await readFile(`${docs}architecture.dot`, 'utf8');
const svg = viz.renderString(dot, { format: 'svg' });

if (!process.argv.includes('--check')) await writeFile(`${docs}architecture.svg`, svg);
else if ((await readFile(`${docs}architecture.svg`, 'utf8').catch(() => '')) !== svg) {
  console.error('docs/architecture.svg is not what architecture.dot says: run `node scripts/diagrams.mjs`');
  process.exitCode = 1;
}
