import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeQuery } from '../../shared/engine/index.ts';
import { startEmpty } from '../../shared/engine/start-empty.ts';
import {
  askPanel,
  checkPanel,
  faultText,
  loadPanel,
  panelFault,
  panelTables,
  PANEL_ENDING,
  readPanel,
  type Panel,
  type PanelFile,
  type PanelScope,
} from '../../shared/panel/index.ts';
import { missingNeeds } from '../../shared/sql-file/index.ts';
import { markdown, readParams, type Selection } from '../../shared/view/index.ts';
import { shippedPanels } from '../../panels/index.ts';
import { drawStillPanel } from '../../views/drawing/index.ts';
import { OpenError } from '../host/api.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { summariseTrace } from '../host/trace-summary.ts';
import { choice, only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { PART_OPTIONS, KINDS_DETAILS, readPart, WITH_DETAILS } from './part.ts';
import { csvRows, jsonRows, tableRows } from './rows.ts';
import { places, withTrace } from './session.ts';
import { print, say } from './terminal.ts';
import { asJson, printTable, readRange, splitParam } from './view.ts';

/** Options that give a panel its parameters, for `parseArgs`. */
export const PANEL_OPTIONS = {
  param: { type: 'string', multiple: true, default: [] as string[] },
  thread: { type: 'string' },
  pid: { type: 'string' },
} as const;

interface PanelOptions {
  readonly param: readonly string[];
  readonly thread?: string | undefined;
  readonly pid?: string | undefined;
}

const FORMATS = ['table', 'json', 'csv', 'markdown', 'svg'] as const;

/** `outrank panel`: panels of a user, outside the window. */
export const panel: Command = {
  name: 'panel',
  usage:
    'list | check FILE… | render FILE TRACE [--param NAME=VALUE]… [--format table|json|csv|markdown|svg]',
  summary:
    'list the panels that come with Outrank, check panels of yours, or print what one shows of a trace',
  details: [
    'FILE is a *.panel.sql (docs/panels.md says how to write one), or the id of one that comes with Outrank.',
    'check              says what is wrong with a panel, at which line; exit code 1 if anything is',
    '--param NAME=VALUE   a parameter of the panel',
    '--thread TID, --pid PID   what is chosen, for a panel that follows the selection',
    '--from, --to TIME    the range in view: 30.3s, 500ms, 20us from the start, or ns on the trace clock',
    ...WITH_DETAILS,
    ...KINDS_DETAILS,
    '--format F           table (default), json (all that is drawn), csv (the rows), markdown, svg (the picture)',
  ],
  async run([what, ...args]) {
    switch (what) {
      case 'list':
        await print(shippedPanels.map((file) => describe(readPanel(file))));
        return 0;
      case 'check':
        return check(args);
      case 'render':
        return render(args);
      default:
        throw new UsageError('panel takes list, check FILE… or render FILE TRACE');
    }
  },
};

function describe({ id, title, description, drawing, params }: Panel): string {
  const named = Object.entries(params).map(([name, { help }]) => `      ${name}: ${help}\n`);
  return `${id}: ${title} (${drawing.kind})\n  ${description}\n${named.join('')}`;
}

async function check(args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  if (positionals.length === 0) throw new UsageError('FILE is missing');
  const wasm = await readFile(join(places.engine, 'trace_processor.wasm'));
  const query = await startEmpty(await WebAssembly.compile(wasm));
  let faulty = 0;
  for (const path of positionals) {
    const file = await readPanelFile(path);
    try {
      const columns = await checkPanel(query, readPanel(file));
      await print([`${path}: good; its rows have ${columns.join(', ')}\n`]);
    } catch (error) {
      const fault = panelFault(error, file.text);
      if (fault === null) throw error;
      faulty += 1;
      say(faultText(path, fault));
    }
  }
  return faulty === 0 ? 0 : 1;
}

async function render(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...PANEL_OPTIONS, format: { type: 'string', default: 'table' }, ...PART_OPTIONS },
  });
  const [path, ...rest] = positionals;
  if (path === undefined) throw new UsageError('FILE is missing');
  const trace = only(rest, 'TRACE');
  const format = choice('format', values.format, FORMATS);
  const file = await readPanelFile(path);
  const part = readPart(values);
  const show = async (host: Host, opened: OpenTrace): Promise<void> =>
    naming(path, file, async () => {
      const chosen = readPanel(file);
      const { query, scope } = await openScope(host, opened, trace, values, values.from, values.to);
      const given = readParams(chosen.params, Object.fromEntries(values.param.map(splitParam)));
      if (format === 'csv') {
        await refuseMissing(path, chosen, query);
        await print(csvRows(await askPanel(query, chosen, given, scope)));
        return;
      }
      const model = await loadPanel(query, chosen, given, scope);
      if (model.missing.length > 0) say(`${path}: not recorded: it needs ${model.missing.join('; ')}`);
      const origin_ns = scope.trace.range.start;
      if (format === 'json') await print([`${JSON.stringify(model, asJson, 2)}\n`]);
      else if (format === 'markdown') await print([markdown(model.title, panelTables(model), origin_ns)]);
      else if (format === 'table')
        await print(panelTables(model).flatMap((table) => [...printTable(table, origin_ns)]));
      else {
        // Loaded here alone, since no other format needs a DOM.
        const { parseHTML } = await import('linkedom');
        const { body } = parseHTML('<!doctype html><html><body></body></html>').document;
        drawStillPanel(body, model);
        await print([`${body.querySelector('svg')?.outerHTML ?? ''}\n`]);
      }
    });
  return withTrace(trace, show, { ...part, from: null, to: null }, values.with);
}

/** Prints the rows of a panel as `outrank query` does those of any SQL. */
export async function queryPanel(
  path: string,
  trace: string,
  values: PanelOptions,
  format: 'table' | 'json' | 'csv',
  opening: Pick<Parameters<typeof readPart>[0], 'from' | 'to' | 'only' | 'skip'> & {
    readonly with: readonly string[];
  },
): Promise<number> {
  const file = await readPanelFile(path);
  const printed = { table: tableRows, json: jsonRows, csv: csvRows };
  const run = async (host: Host, opened: OpenTrace): Promise<void> =>
    naming(path, file, async () => {
      const chosen = readPanel(file);
      const { query, scope } = await openScope(host, opened, trace, values);
      await refuseMissing(path, chosen, query);
      const given = readParams(chosen.params, Object.fromEntries(values.param.map(splitParam)));
      await print(printed[format](await askPanel(query, chosen, given, scope)));
    });
  return withTrace(trace, run, readPart(opening), opening.with);
}

/** Whether a file's name is that of a panel. */
export function isPanelFile(path: string): boolean {
  return path.endsWith(PANEL_ENDING);
}

async function readPanelFile(path: string): Promise<PanelFile> {
  const shipped = shippedPanels.find(({ name }) => name === `${path}${PANEL_ENDING}`);
  if (shipped !== undefined) return shipped;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  });
  return { name: basename(path), text };
}

async function openScope(
  host: Host,
  { id }: OpenTrace,
  path: string,
  options: PanelOptions,
  from?: string,
  to?: string,
) {
  const query = makeQuery((sql) => host.query(id, sql));
  const trace = await summariseTrace(query);
  if (!trace) throw new OpenError('not_a_trace', `${path}: no Windows trace, so that no panel can show it`);
  const scope: PanelScope = {
    trace,
    range: readRange(trace.range, from, to),
    selection: readSelection(options, trace.range.end),
  };
  return { query, scope };
}

function readSelection({ thread, pid }: PanelOptions, end: number): Selection {
  const id = (option: string, text: string | undefined) => {
    if (text === undefined) return null;
    if (/^\d+$/.test(text)) return Number(text);
    throw new UsageError(`--${option} takes an id, not "${text}"`);
  };
  const tid = id('thread', thread);
  return { span: null, thread: tid === null ? null : { tid, ts: end }, pid: id('pid', pid) };
}

async function refuseMissing(
  path: string,
  { needs }: Panel,
  query: Parameters<typeof missingNeeds>[0],
): Promise<void> {
  const missing = await missingNeeds(query, needs);
  if (missing.length === 0) return;
  throw new UsageError(`${path}: not recorded: it needs ${missing.map(({ record }) => record).join('; ')}`);
}

/** Tells faults of a panel with its file and line. */
async function naming(path: string, file: PanelFile, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const fault = panelFault(error, file.text);
    throw fault === null ? error : new UsageError(faultText(path, fault));
  }
}
