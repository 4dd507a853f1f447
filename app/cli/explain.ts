import { parseArgs } from 'node:util';
import { longestWaits, readHandle, writeHandle, type Handle } from '../../shared/causes/index.ts';
import { TableBuilder, type Query } from '../../shared/engine/index.ts';
import { formatDuration, formatTime } from '../../shared/model/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, threadLabel } from '../../shared/threads/index.ts';
import { markdown, readParams, type TraceSummary } from '../../shared/view/index.ts';
import type { ExplainModel } from '../../views/explain/model.ts';
import { explainTables } from '../../views/explain/tables.ts';
import { explain as view } from '../../views/explain/view.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { hostQuery } from '../host/host-query.ts';
import { delayOfHandle, type DelayParams } from '../questions/delay-of-handle.ts';
import { choice, UsageError, type Command } from './command.ts';
import { versionedJson } from './json.ts';
import { alignedTable } from './rows.ts';
import { summaryOf, withTrace } from './session.ts';
import { shellWord } from './shell-word.ts';
import { drawStill } from './still.ts';
import { print, printData, progressLine } from './terminal.ts';
import { readRange } from './time.ts';
import { printTable } from './view.ts';

/** How many waits are listed where none is chosen. */
const LISTED = 20;
const FORMATS = ['text', 'markdown', 'json', 'svg'] as const;
type Format = (typeof FORMATS)[number];

/** What is to be explained, as the command line says it. */
interface Chosen {
  readonly handle: Handle | null;
  readonly thread: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** `outrank explain`: where the time of a delay went. */
export const explain: Command = {
  name: 'explain',
  usage: 'TRACE [HANDLE] [--thread TID] [--from TIME] [--to TIME] [--format text|markdown|json|svg]',
  summary: 'print where the time of a thread went: each ns has one owner',
  details: [
    'HANDLE               w-1 is the longest ready wait, f-2 the second finding, t-4 the thread with utid 4 (with --from,',
    '                     --to); without HANDLE and --thread the longest waits are listed with their handles',
    '--thread TID         the delayed thread, by its id',
    '--from, --to TIME    the delay: 30.3s, 500ms, 20us from the start, or ns on the trace clock',
    '--format F           text (default), markdown (for a report), json (docs/formats.md), svg (the picture)',
    'docs/explain.md says what each owner means.',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        thread: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        format: { type: 'string', default: 'text' },
      },
    });
    const [path, name, ...more] = positionals;
    if (path === undefined) throw new UsageError('TRACE is missing');
    if (more.length > 0) throw new UsageError(`one HANDLE is taken, not also ${more.join(' ')}`);
    const format = choice('format', values.format, FORMATS);
    const handle = name === undefined ? null : readHandle(name);
    if (name !== undefined && handle === null)
      throw new UsageError(`"${name}" is no handle: w-1 is a wait, t-4 a thread, f-2 a finding`);
    if (handle !== null && values.thread !== undefined)
      throw new UsageError('a HANDLE or --thread is taken, not both');
    const { thread, from, to } = values;
    const chosen = { handle, thread, from, to };
    return withTrace(path, (host, opened) => show(host, opened, path, chosen, format), { columns: true });
  },
};

async function show(
  host: Host,
  opened: OpenTrace,
  path: string,
  chosen: Chosen,
  format: Format,
): Promise<void> {
  const query = hostQuery(host, opened);
  const trace = summaryOf(opened, path, 'nothing can be explained');
  const line = progressLine();
  const modules = dataOf(query).hasColumns ? [] : view.modules;
  await new TableBuilder(query, line.showTables).need(modules).finally(line.clear);
  if (chosen.handle === null && chosen.thread === undefined) {
    await print(await waitList(query, path, trace));
    return;
  }
  const params = readParams(view.params, { ...(await delayOf(query, chosen, trace)) });
  const model = await view.load(query, params, trace.range);
  const why = model.unrecorded ?? model.nothing;
  if (why !== null) throw new UsageError(why);
  await printModel(model, params, trace, format);
}

async function printModel(
  model: ExplainModel,
  params: ReturnType<typeof readParams<typeof view.params>>,
  trace: TraceSummary,
  format: Format,
): Promise<void> {
  const origin_ns = trace.range.start;
  switch (format) {
    case 'json':
      await printData([versionedJson(model)]);
      return;
    case 'svg':
      await printData([await drawStill({ view, model, detail: null, trace, range: trace.range, params })]);
      return;
    case 'markdown':
      await print([markdown(view.title, explainTables(model), origin_ns)]);
      return;
    case 'text': {
      const [, ...tables] = explainTables(model);
      await print([...model.notes, model.delay?.sentence ?? ''].map((text) => `${text}\n\n`));
      await print(tables.flatMap((table) => [...printTable(table, origin_ns)]));
    }
  }
}

async function delayOf(
  query: Query,
  { handle, thread, from, to }: Chosen,
  { range }: TraceSummary,
): Promise<DelayParams> {
  const { start: from_ns, end: to_ns } = readRange(range, from, to);
  const stretch = { from_ns, to_ns };
  if (handle !== null) return delayOfHandle({ query, range }, handle, stretch);
  if (!/^\d+$/.test(thread ?? '')) throw new UsageError(`--thread takes a thread id, not "${thread ?? ''}"`);
  return { tid: Number(thread), ...stretch };
}

/** The longest waits with their handles. */
async function waitList(query: Query, path: string, { range }: TraceSummary): Promise<string[]> {
  const names = await loadThreadNames(dataOf(query).tables);
  const waits = await longestWaits(query, LISTED);
  const cells = waits.map(({ ts, te, utid }, index) => [
    writeHandle({ kind: 'wait', number: index + 1 }),
    formatTime(ts, range.start),
    formatDuration(te - ts),
    writeHandle({ kind: 'thread', number: utid }),
    threadLabel(names.get(utid)),
  ]);
  const header = ['wait', 'from', 'ready', 'thread', ''];
  return [
    'The longest ready waits\n',
    ...alignedTable(header, cells, (column) => column === 1 || column === 2),
    `\noutrank explain ${shellWord(path)} w-1 says where the time of the first one went.\n`,
  ];
}
