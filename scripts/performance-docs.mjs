// Writes docs/performance.md from docs/measurements.json. `--check` only says whether it is up to date. `--record` first takes rows from
// its standard input, a JSON array of { area, load, measure, value, command }, with today's date and commit; `--machine ID` says where
// they were measured.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/**
 * @typedef {{ area: string, load: string, measure: string, value: string, command: string }} Measured
 * @typedef {Measured & { target: string | null, machine: string, commit: string, date: string }} Row
 */

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const source = `${docs}measurements.json`;
const target = `${docs}performance.md`;
/** @type {{ machines: Record<string, string>, measurements: Row[] }} */
const all = JSON.parse(readFileSync(source, 'utf8'));

/** @param {string} problem @returns {never} */
function refuse(problem) {
  console.error(`scripts/performance-docs.mjs: ${problem}`);
  process.exit(1);
}

if (process.argv.includes('--record')) {
  const at = process.argv.indexOf('--machine');
  const machine = at < 0 ? 'two-cores' : (process.argv[at + 1] ?? '');
  if (!(machine in all.machines))
    refuse(`no machine "${machine}": docs/measurements.json has ${Object.keys(all.machines).join(', ')}`);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const date = new Date().toISOString().slice(0, 10);
  /** @type {Measured[]} */
  const measured = JSON.parse(readFileSync(0, 'utf8'));
  for (const { area, load, measure, value, command } of measured) {
    if ([area, load, measure, value, command].some((field) => typeof field !== 'string'))
      refuse('each row takes area, load, measure, value and command, as texts');
    const now = { area, load, measure, value, command, machine, commit, date };
    const index = all.measurements.findIndex(
      (row) => row.area === area && row.load === load && row.measure === measure,
    );
    const before = all.measurements[index];
    if (before === undefined) all.measurements.push({ ...now, target: null });
    else all.measurements[index] = { ...before, ...now };
  }
  const options = { ...(await resolveConfig(source)), parser: 'json' };
  writeFileSync(source, await format(JSON.stringify(all), options));
}

/** @param {readonly Row[]} rows */
function table(rows) {
  const lines = rows.map(({ load, measure, value, target, machine, commit, date }) =>
    [load, measure, value, target ?? '', machine, `${commit}, ${date}`].join(' | '),
  );
  const head = ['| load | measure | today | target | machine | commit |', '|---|---|---|---|---|---|'];
  return [...head, ...lines.map((line) => `| ${line} |`)].join('\n');
}

const areas = [...new Set(all.measurements.map(({ area }) => area))];
const text = await format(
  [
    '# Performance',
    '<!-- Made from measurements.json by `node scripts/performance-docs.mjs`: change that. -->',
    'What was measured last, and on which commit. [measuring.md](measuring.md) says how to measure again.',
    ...Object.entries(all.machines).map(([id, words]) => `Machine *${id}*: ${words}.`),
    ...areas.flatMap((area) => {
      const rows = all.measurements.filter((row) => row.area === area);
      const commands = [...new Set(rows.map(({ command }) => command))];
      return [`## ${area}`, `By ${commands.map((command) => `\`${command}\``).join(', ')}.`, table(rows)];
    }),
  ].join('\n\n'),
  { ...(await resolveConfig(target)), parser: 'markdown' },
);
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text)
  refuse(
    'docs/performance.md is not what docs/measurements.json says: run `node scripts/performance-docs.mjs`',
  );
