// Writes docs/recording.md and docs/outrank.wprp from shared/recording, and from what views, panels and rules need. `--check` only says
// whether both are up to date.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {import('../shared/recording/index.ts').Signal} Signal */
/** @typedef {import('../shared/recording/index.ts').RecordingNeeds} RecordingNeeds */

const views = (await readdir(`${root}/views`, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** The views that say what they need, and the file that says it. @type {string[]} */
const asking = [];
/** @type {string[]} */
const files = [];
for (const view of views) {
  for (const name of ['params.ts', 'recording.ts']) {
    const file = `./views/${view}/${name}`;
    const text = await readFile(`${root}/${file}`, 'utf8').catch(() => '');
    if (!text.includes('export const recording:')) continue;
    asking.push(view);
    files.push(file);
  }
}

/** The modules are TypeScript, which Node 20 does not run as it is. */
const bundle = await build({
  stdin: {
    contents: [
      `export * from './shared/recording/index.ts';`,
      ...files.map((file, at) => `export { recording as view${at} } from '${file}';`),
    ].join('\n'),
    resolveDir: root,
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  loader: { '.sql': 'text' },
});
/** @type {typeof import('../shared/recording/index.ts') & Record<`view${number}`, RecordingNeeds>} */
const recording = await import(
  `data:text/javascript,${encodeURIComponent(bundle.outputFiles[0]?.text ?? '')}`
);
const { SIGNALS, recordedBy, signalsOf, wprProfile, xperfCommands } = recording;

/** Who needs each signal, by its id. @type {Map<string, string[]>} */
const needed = new Map();
/** @param {readonly string[]} ids @param {string} who */
function note(ids, who) {
  for (const id of new Set(ids)) needed.set(id, [...(needed.get(id) ?? []), who]);
}
asking.forEach((view, at) => {
  const { needs, uses = [] } = recording[`view${at}`];
  note([...needs.flatMap(signalsOf), ...uses], `view ${view}`);
});
for (const [folder, kind, ending] of /** @type {const} */ ([
  ['panels', 'panel', '.panel.sql'],
  ['shared/findings/rules', 'rule', '.sql'],
])) {
  for (const name of (await readdir(`${root}/${folder}`)).sort()) {
    if (!name.endsWith(ending)) continue;
    const text = await readFile(`${root}/${folder}/${name}`, 'utf8');
    const ids = [...text.matchAll(/^-- @needs (\w+)$/gm)].map(([, id = '']) => id);
    note(ids, `${kind} ${name.slice(0, -ending.length)}`);
  }
}

/** @param {readonly (readonly string[])[]} rows */
function table(rows) {
  const [head = [], ...rest] = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  return [head, head.map(() => '---'), ...rest].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** @type {readonly Signal[]} */
const signals = SIGNALS;
const text = `# What a trace can tell, and how to record it

<!-- Made from \`shared/recording\` by \`node scripts/recording-docs.mjs\`: change that. -->

A trace tells only what was switched on when it was recorded. \`npx outrank info my-trace.etl\` and the view *System* name what is
missing. A name in the first column is what \`@needs\` of a panel or a rule takes.

## All at once

With WPR, which is part of Windows 10 and later, and the profile [outrank.wprp](outrank.wprp):

\`\`\`bat
wpr -start outrank.wprp!Outrank -filemode
rem … what is to be recorded happens …
wpr -stop trace.etl
\`\`\`

With xperf, of the Windows Performance Toolkit:

\`\`\`bat
${xperfCommands().join('\n')}
\`\`\`

UIforETW records most of it by its defaults. The column *UIforETW* below says what to add, in its settings. Each of the three needs the
rights of an administrator.

The profile and the commands are written by the public schema and documents of WPR and xperf. They were not run when they were
written: no Windows was at hand.

## What is recorded by what

${table([
  ['name', 'tells', 'recorded by', 'UIforETW', 'used by'],
  ...signals.map((signal) => [
    `\`${signal.id}\``,
    `${signal.name}: ${signal.tells}`,
    recordedBy(signal),
    signal.uiforetw ?? 'cannot',
    (needed.get(signal.id) ?? []).join(', '),
  ]),
])}

The commands above leave out what fills buffers fast: ${signals
  .filter(({ is_heavy }) => is_heavy)
  .map(({ id }) => `\`${id}\``)
  .join(', ')}.

## How to see that it is there

Rows of a table show it, in any trace that is converted. Events show it before that, in \`outrank info\`.

${table([
  ['name', 'rows', 'events'],
  ...signals.map(({ id, evidence: { table: rows, where }, events }) => [
    `\`${id}\``,
    `\`FROM ${rows}${where === undefined ? '' : ` WHERE ${where}`}\``,
    events === null
      ? ''
      : events
          .map(
            ({ provider, events: some }) =>
              `\`${provider}${some === undefined ? '' : `/${some.join(' ')}`}\``,
          )
          .join(', '),
  ]),
])}
`;

const targets = [
  {
    path: 'docs/recording.md',
    text: await format(text, { ...(await resolveConfig(`${root}/docs/recording.md`)), parser: 'markdown' }),
  },
  { path: 'docs/outrank.wprp', text: wprProfile() },
];
for (const { path, text } of targets) {
  if (!process.argv.includes('--check')) await writeFile(`${root}/${path}`, text);
  else if ((await readFile(`${root}/${path}`, 'utf8').catch(() => '')) !== text) {
    console.error(`${path} is not what shared/recording says: run \`node scripts/recording-docs.mjs\``);
    process.exitCode = 1;
  }
}
