// Writes the tables of docs/lake.md, between its marks, from app/fleet/tables.ts. `--check` only says whether they are up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}/docs/lake.md`;
const [BEGIN, END] = ['<!-- tables: made by `node scripts/lake-docs.mjs` -->', '<!-- end of tables -->'];

/** The tables are TypeScript, which Node 20 does not run as it is. */
const bundle = await build({
  entryPoints: [`${root}/app/fleet/tables.ts`],
  bundle: true,
  write: false,
  format: 'esm',
});
/** @type {typeof import('../app/fleet/tables.ts')} */
const { LAKE_TABLES, SQL_TYPES, UNITS } = await import(
  `data:text/javascript,${encodeURIComponent(bundle.outputFiles[0]?.text ?? '')}`
);

/** @param {[string, import('../app/fleet/tables.ts').LakeTable]} table */
function section([name, { meaning, columns }]) {
  const rows = Object.entries(columns).map(
    ([column, { kind, meaning: what }]) =>
      `| \`${column}\` | ${SQL_TYPES[kind].toLowerCase()} | ${UNITS[kind]} | ${what.replaceAll('|', '\\|')} |`,
  );
  return [
    `### ${name}`,
    meaning,
    ['| column | type | unit | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}

const present = await readFile(target, 'utf8');
const [from, to] = [present.indexOf(BEGIN), present.indexOf(END)];
if (from < 0 || to < from) throw new Error(`docs/lake.md has not the marks ${BEGIN} and ${END}`);
const tables = Object.entries(LAKE_TABLES).map(section).join('\n\n');
const text = await format(`${present.slice(0, from)}${BEGIN}\n\n${tables}\n\n${present.slice(to)}`, {
  ...(await resolveConfig(target)),
  parser: 'markdown',
});
if (!process.argv.includes('--check')) await writeFile(target, text);
else if (present !== text) {
  console.error('docs/lake.md is not what app/fleet/tables.ts says: run `node scripts/lake-docs.mjs`');
  process.exitCode = 1;
}
