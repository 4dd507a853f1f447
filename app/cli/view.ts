import { parseArgs } from 'node:util';
import { didYouMean, formatCell } from '../../shared/model/index.ts';
import type { RecordingNotes } from '../../shared/recording/index.ts';
import { markdown, readParams } from '../../shared/view/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { views as allViews, type AnyView } from '../../views/index.ts';
import { sqlOf } from '../../views/view-sql.ts';
import { TooLargeError } from '../host/api.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { loadView } from '../questions/load-view.ts';
import { choice, only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { KINDS_DETAILS, PART_OPTIONS, readPart, WITH_DETAILS } from './part.ts';
import { tracksOfPanels } from './panel-tracks.ts';
import { alignedTable } from './rows.ts';
import { summaryOf, withTrace } from './session.ts';
import { SYMBOL_DETAILS, SYMBOL_OPTIONS } from './symbols.ts';
import { drawStill } from './still.ts';
import { versionedJson } from './json.ts';
import { print, printData, progressLine, say } from './terminal.ts';
import { readRange } from './time.ts';

/** `outrank views`: what views there are. */
export const views: Command = {
  name: 'views',
  usage: '[--format text|json]',
  summary: 'list the views, the question that each answers, and its parameters',
  details: ['--format F   text (default), json (docs/formats.md); --json gives the list alone'],
  async run(args) {
    const { values } = parseArgs({
      args,
      options: { json: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } },
    });
    const format = choice('format', values.format, ['text', 'json']);
    if (values.json || format === 'json') {
      const list = allViews.map(({ id, title, question, params }) => ({ id, title, question, params }));
      await printData([values.json ? `${JSON.stringify(list, null, 2)}\n` : versionedJson({ views: list })]);
    } else {
      await print(allViews.flatMap(describe));
    }
    return 0;
  },
};

function describe({ id, title, question, params }: (typeof allViews)[number]): string[] {
  const described = Object.entries(params).map(([name, spec]) => {
    const preset = spec.default === null ? '' : ` (${String(spec.default)})`;
    return `      ${name}${preset}: ${spec.help}\n`;
  });
  return [`${id}: ${title}\n  ${question}\n`, ...described];
}

/** `outrank view`: what a view draws, as data or as a picture. */
export const view: Command = {
  name: 'view',
  usage:
    'ID TRACE [--param NAME=VALUE]… [--with FILE]… [--from TIME] [--to TIME] [--only KINDS] [--skip KINDS] [--symbols PATH] [--panel NAME]… [--format table|json|markdown|svg|sql]',
  summary: 'print what a view shows of a trace',
  details: [
    '--param NAME=VALUE   a parameter of the view; outrank views lists them',
    '--from, --to TIME    the time range: 30.3s, 500ms, 20us from the start, or ns on the trace clock;',
    '                     of a trace that is too large for the engine, only this part is loaded',
    ...WITH_DETAILS,
    ...KINDS_DETAILS,
    ...SYMBOL_DETAILS,
    '--panel NAME         with svg, a panel as a track of the timeline: by its name, or a file; may be given more than once',
    '--format F           table (default), json (the model that the view draws), markdown (the tables), svg (the picture),',
    '                     sql (a SELECT of what it shows, for outrank query)',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        param: { type: 'string', multiple: true, default: [] },
        format: { type: 'string', default: 'table' },
        panel: { type: 'string', multiple: true, default: [] },
        ...PART_OPTIONS,
        ...SYMBOL_OPTIONS,
      },
    });
    const [id, ...rest] = positionals;
    if (id === undefined) throw new UsageError('ID is missing: outrank views lists the views');
    const chosen = viewOf(id);
    const path = only(rest, 'TRACE');
    const format = choice('format', values.format, ['table', 'json', 'markdown', 'svg', 'sql']);
    if (values.panel.length > 0 && (chosen.id !== 'timeline' || format !== 'svg'))
      throw new UsageError('--panel goes with the view timeline and --format svg');
    const params = readParams(chosen.params, Object.fromEntries(values.param.map(splitParam)));
    const show = async (host: Host, opened: OpenTrace): Promise<void> => {
      const trace = summaryOf(opened, path, 'no view can show it');
      const range = readRange(trace.range, values.from, values.to);
      if (format === 'sql') return print([sqlOf(chosen, range, params)]);
      const line = progressLine();
      const { model, detail } = await loadView(host, opened, chosen, params, range, {
        onTables: line.showTables,
        say: (message) => {
          line.clear();
          say(message);
        },
      }).finally(line.clear);
      const { unrecorded = null } = model as Partial<RecordingNotes>;
      // Tables without rows do not say why.
      const tables = unrecorded === null ? chosen.tables(model, detail) : [];
      if (unrecorded !== null && format !== 'json' && format !== 'svg') say(unrecorded);
      if (format === 'json') await printData([versionedJson(jsonOf(chosen, model, detail))]);
      else if (format === 'svg') {
        const tracks = await tracksOfPanels(values.panel, host, opened.id, trace, range);
        await printData([await drawStill({ view: chosen, model, detail, trace, range, params, tracks })]);
      } else if (format === 'markdown')
        await print([markdown(chosen.title, tables, trace.range.start, unrecorded)]);
      else await print(tables.flatMap((table) => [...printTable(table, trace.range.start)]));
    };
    const part = readPart(values);
    const whole = { ...part, from: null, to: null };
    const opening = { with: values.with, symbols: values.symbols };
    return withTrace(path, show, { ...opening, part: whole, columns: true }).catch((error: unknown) => {
      if (!(error instanceof TooLargeError) || (part.from ?? part.to) === null) throw error;
      return withTrace(path, show, { ...opening, part });
    });
  },
};

/** The view of an id; throws a {@link UsageError} where there is none. */
export function viewOf(id: string): AnyView {
  const found = allViews.find((each) => each.id === id);
  if (found !== undefined) return found;
  const known = allViews.map((each) => each.id);
  throw new UsageError(`no view "${id}": ${didYouMean(id, known)}there are ${known.join(', ')}`);
}

/** A model with its detail under its name. */
function jsonOf({ detail: of }: AnyView, model: unknown, detail: unknown): object {
  return of === undefined ? (model as object) : { ...(model as object), [of.name]: detail };
}

/** The two halves of a `NAME=VALUE`. */
export function splitParam(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--param takes NAME=VALUE, not "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** A table of a view in aligned columns. */
export function* printTable({ title, columns, rows }: ViewTable, origin_ns: number): Iterable<string> {
  if (rows.length === 0) {
    yield `${title}: none\n\n`;
    return;
  }
  yield `${title}\n`;
  const cells = rows.map((row) =>
    columns.map(({ kind }, column) => formatCell(row[column] ?? null, kind, origin_ns)),
  );
  const header = columns.map((column) => column.title);
  yield* alignedTable(header, cells, (column) => columns[column]?.kind !== 'text');
  yield '\n';
}
