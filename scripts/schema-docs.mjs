// Writes docs/schema.md from the comments in shared/sql/etw/*.sql. `--check` only says whether it is up to date.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}/shared/sql/etw`;
const target = `${root}/docs/schema.md`;

const INTRODUCTION = `# The tables of the package \`etw\`

<!-- Made from the comments in \`shared/sql/etw\` by \`node scripts/schema-docs.mjs\`: change those. -->

\`INCLUDE PERFETTO MODULE etw.sched;\` makes all scheduling tables known in plain Perfetto; in Outrank every table is there
from the start. Names that begin with \`_etw_\` are internal.

- \`ts\`, \`te\` and \`*_ts\` are ns on the trace clock, \`dur\` and \`*_ns\` are ns. The log file header's event stands at
  1 000 000 000.
- \`utid\` and \`upid\` are Perfetto's keys of one incarnation of a thread or process; \`utid\` 0 is the idle thread. They
  differ from load to load: keep \`tid\` and a time in anything that is stored.
- Null is "not recorded" or "does not apply", as each column says. No number stands for either.

## How rank is derived

Windows runs a ready thread of rank 0 before any of rank 1, and so on, whatever their priorities. It records a thread's
rank in one place: the context switch that ends the thread's run (\`OldThreadRank\`).

| wanted | what the tables give | strength |
| --- | --- | --- |
| rank when a run ended | \`etw_run.rank\`, \`etw_context_switch.old_rank\` | recorded |
| rank during a run | the same value, \`etw_run.rank\`; at its beginning, if nothing changed since, \`etw_run.rank_before\` | certain where both are equal; else it changed at an unknown time between |
| rank of the thread switched in | \`etw_context_switch.new_rank\`: the same value, looked up at the run's end | inferred |
| rank while ready, the same one recorded before and after the wait | \`etw_ready_wait.rank\`; \`rank_source\` = \`recorded\` | certain, but for a change there and back |
| rank while ready, another one recorded after than before | the one that fits what ran meanwhile; \`rank_source\` = \`judged\`, its evidence in \`etw_ready_wait_rank\` | inferred |
| rank while ready, one of the two not recorded | the other one; \`rank_source\` = \`before\` or \`after\` | inferred |
| rank of the idle thread, of runs open at the end, in recordings without the field, in compact context switches | null | not recorded |

Other inferred values: \`etw_ready_wait.priority\` is that of the switch-in after the wait, which may include a boost given
meanwhile. A thread counts as ready from its *first* ready event even if Windows had to swap in its stack first (bits 2
and 4 of \`flags\`, which are those of any of its ready events); \`etw_ready_wait.last_ready_ts\` tells from when on it could
run. Which of the two WPA shows is not documented.

Compact context switches (hook 0x0525, xperf's \`COMPACT_CSWITCH\`) tell who left a CPU, when, and at which priority. Ranks, states,
wait reasons and C-states are null, so that no wait of a preempted thread is known, and \`etw_run.priority\` is that of the switch-out. Who
came with the last of a CPU is not recorded: it has no run from there on, and a ready wait that it ended looks open.
`;

/** @typedef {import('../shared/sql/read-module.ts').SchemaItem} Item */

/** The reader is TypeScript, which Node 20 does not run as it is. */
const bundle = await build({
  entryPoints: [`${root}/shared/sql/read-module.ts`],
  bundle: true,
  write: false,
  format: 'esm',
});
/** @type {typeof import('../shared/sql/read-module.ts')} */
const { readModule } = await import(
  `data:text/javascript,${encodeURIComponent(bundle.outputFiles[0]?.text ?? '')}`
);

/** @param {Item['columns']} columns */
function columnTable(columns) {
  const rows = columns.map(
    ({ name, type, comment }) =>
      `| \`${name}\` | ${type.toLowerCase()} | ${comment.replaceAll('|', '\\|')} |`,
  );
  return ['| column | type | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** @param {Item} item */
function itemText(item) {
  const given = item.arguments.map((argument) => argument.name).join(', ');
  const parts = [`### ${item.name}${item.kind === 'FUNCTION' ? `(${given})` : ''}`, item.comment];
  if (item.arguments.length > 0) {
    parts.push(columnTable(item.arguments).replace('| column |', '| argument |'));
  }
  if (item.columns.length > 0) parts.push(columnTable(item.columns));
  return parts.join('\n\n');
}

const sections = [];
for (const file of (await readdir(folder)).sort()) {
  const { title, items } = readModule(file, await readFile(`${folder}/${file}`, 'utf8'));
  if (items.length === 0) continue;
  sections.push([`## etw.${file.replace('.sql', '')}`, title, ...items.map(itemText)].join('\n\n'));
}
const text = await format([INTRODUCTION, ...sections].join('\n\n'), {
  ...(await resolveConfig(target)),
  parser: 'markdown',
});

if (process.argv.includes('--check')) {
  const present = await readFile(target, 'utf8').catch(() => '');
  if (present !== text) {
    console.error('docs/schema.md is not what the comments say: run `node scripts/schema-docs.mjs`');
    process.exitCode = 1;
  }
} else {
  await writeFile(target, text);
}
