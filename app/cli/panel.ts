import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import { startEmpty } from '../../shared/engine/start-empty.ts';
import {
  askPanel,
  checkPanel,
  faultText,
  loadPanel,
  panelFault,
  panelTables,
  readPanel,
  type Panel,
  type PanelFile,
  type PanelScope,
} from '../../shared/panel/index.ts';
import { missingNeeds } from '../../shared/sql-file/index.ts';
import { markdown, readParams, type Selection } from '../../shared/view/index.ts';
import { drawStillPanel } from '../../views/drawing/index.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { choice, only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { PART_OPTIONS, KINDS_DETAILS, readPart, WITH_DETAILS } from './part.ts';
import { namedPanels, namingFaults, readPanelFile } from './panel-files.ts';
import { versionedJson } from './json.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { csvRows, jsonRows, tableRows } from './rows.ts';
import { places, summaryOf, withTrace } from './session.ts';
import { print, printData, say } from './terminal.ts';
import { readRange } from './time.ts';
import { printTable, splitParam } from './view.ts';

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
    'list [--format text|json] | check FILE… | render FILE TRACE [--param NAME=VALUE]… [--format table|json|csv|markdown|svg]',
  summary: 'list the panels that there are, check panels of yours, or print what one shows of a trace',
  details: [
    'FILE is a *.panel.sql (docs/panels.md says how to write one), or the name of one that list names: of those',
    'in your folder (~/.config/outrank/panels; %APPDATA%\\outrank\\panels on Windows) and those that come with Outrank.',
    'check                says what is wrong with a panel, at which line; exit code 1 if anything is',
    '--param NAME=VALUE   a parameter of the panel',
    '--thread TID         the thread that is chosen, for a panel that follows the selection',
    '--pid PID            the process that is chosen, for such a panel',
    '--from, --to TIME    the range in view: 30.3s, 500ms, 20us from the start, or ns on the trace clock',
    ...WITH_DETAILS,
    ...KINDS_DETAILS,
    '--format F           table (default), json (all that is drawn), csv (the rows), markdown, svg (the picture)',
    '',
    'outrank panel check my.panel.sql',
    'outrank panel render switch-pairs my.etl --param top=5 --format svg > pairs.svg',
  ],
  async run([what, ...args]) {
    switch (what) {
      case 'list':
        return list(args);
      case 'check':
        return check(args);
      case 'render':
        return render(args);
      default:
        throw new UsageError('panel takes list, check or render: outrank help panel');
    }
  },
};

async function list(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { format: { type: 'string', default: 'text' } } });
  const format = choice('format', values.format, ['text', 'json']);
  const files = await namedPanels();
  if (format === 'text') {
    await print(files.map(describe));
    return 0;
  }
  const panels = files.flatMap((file) => {
    try {
      const { id, title, description, params } = readPanel(file);
      return [{ id, title, description, params }];
    } catch (error) {
      const fault = panelFault(error, file.text);
      if (fault === null) throw error;
      say(faultText(file.name, fault));
      return [];
    }
  });
  await printData([versionedJson({ panels })]);
  return 0;
}

function describe(file: PanelFile): string {
  try {
    const { id, title, description, drawing, params } = readPanel(file);
    const named = Object.entries(params).map(([name, { help }]) => `      ${name}: ${help}\n`);
    return `${id}: ${title} (${drawing.kind})\n  ${description}\n${named.join('')}`;
  } catch (error) {
    const fault = panelFault(error, file.text);
    if (fault === null) throw error;
    return `${faultText(file.name, fault)}\n`;
  }
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
      const read = readPanel(file);
      if (read.over === 'lake') {
        await print([`${path}: its header is good; outrank lake ask LAKE runs it\n`]);
        continue;
      }
      const columns = await checkPanel(query, read);
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
    namingFaults(path, file, async () => {
      const chosen = readPanel(file);
      const { query, scope } = await openScope(host, opened, trace, values, values.from, values.to);
      const given = readParams(chosen.params, Object.fromEntries(values.param.map(splitParam)), 'panel');
      if (format === 'csv') {
        await refuseMissing(path, chosen, query);
        await printData(csvRows(await askPanel(query, chosen, given, scope)));
        return;
      }
      const model = await loadPanel(query, chosen, given, scope);
      if (model.missing.length > 0) say(`${path}: not recorded: it needs ${model.missing.join('; ')}`);
      const origin_ns = scope.trace.range.start;
      if (format === 'json') await printData([versionedJson(model)]);
      else if (format === 'markdown') await print([markdown(model.title, panelTables(model), origin_ns)]);
      else if (format === 'table')
        await print(panelTables(model).flatMap((table) => [...printTable(table, origin_ns)]));
      else {
        // Loaded here alone, since no other format needs a DOM.
        const { parseHTML } = await import('linkedom');
        const { body } = parseHTML('<!doctype html><html><body></body></html>').document;
        drawStillPanel(body, model);
        await printData([`${body.querySelector('svg')?.outerHTML ?? ''}\n`]);
      }
    });
  const whole = { ...part, from: null, to: null };
  return withTrace(trace, show, { part: whole, with: values.with, columns: true });
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
    namingFaults(path, file, async () => {
      const chosen = readPanel(file);
      const { query, scope } = await openScope(host, opened, trace, values);
      await refuseMissing(path, chosen, query);
      const given = readParams(chosen.params, Object.fromEntries(values.param.map(splitParam)), 'panel');
      await (format === 'table' ? print : printData)(
        printed[format](await askPanel(query, chosen, given, scope)),
      );
    });
  return withTrace(trace, run, { part: readPart(opening), with: opening.with, columns: true });
}

async function openScope(
  host: Host,
  opened: OpenTrace,
  path: string,
  options: PanelOptions,
  from?: string,
  to?: string,
) {
  const query = makeQuery((sql) => host.query(opened.id, sql));
  const trace = summaryOf(opened, path, 'no panel can show it');
  const selection = readSelection(options, trace.range.end);
  await refuseUnknown(query, selection);
  const scope: PanelScope = { trace, range: readRange(trace.range, from, to), selection };
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

async function refuseMissing(path: string, { needs }: Panel, query: Query): Promise<void> {
  const missing = await missingNeeds(query, needs);
  if (missing.length === 0) return;
  throw new UsageError(`${path}: not recorded: it needs ${missing.map(({ record }) => record).join('; ')}`);
}
