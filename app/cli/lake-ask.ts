import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import { PANEL_ENDING, panelTables, readPanel, type PanelFile } from '../../shared/panel/index.ts';
import { SqlFileError } from '../../shared/sql-file/index.ts';
import { markdown, readParams } from '../../shared/view/index.ts';
import { lakePanels } from '../../panels/lake/index.ts';
import { drawStillPanel } from '../../views/drawing/index.ts';
import type { LakeAnswer, LakeExample } from '../../shared/lake/index.ts';
import { askLake, questionSql } from '../fleet/index.ts';
import { BOUND_OPTIONS, namingBound, readBounds } from './bounded-query.ts';
import { choice, only, UsageError } from './command.ts';
import { versionedJson } from './json.ts';
import { lakeFirst, withReader } from './lake-open.ts';
import { csvRows } from './rows.ts';
import { systemWords } from '../host/system-words.ts';
import { print, printData } from './terminal.ts';
import { printTable, splitParam } from './view.ts';

const FORMATS = ['table', 'json', 'csv', 'markdown', 'svg', 'sql'] as const;
/** Rows of a table whose examples are printed. */
const ROWS_WITH_EXAMPLES = 10;

/** `outrank lake questions`: what a lake can be asked. */
export async function listQuestions(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { format: { type: 'string', default: 'text' } } });
  if (choice('format', values.format, ['text', 'json']) === 'json') {
    const questions = lakePanels
      .map(readPanel)
      .map(({ id, title, description, params }) => ({ id, title, description, params }));
    await printData([versionedJson({ questions })]);
    return 0;
  }
  await print(
    lakePanels.map((file) => {
      const { id, title, description, params } = readPanel(file);
      const named = Object.entries(params).map(([name, { help }]) => `      ${name}: ${help}\n`);
      return `${id}: ${title}\n  ${description}\n${named.join('')}`;
    }),
  );
  return 0;
}

/** `outrank lake ask`: what a lake answers to a question. */
export async function askTheLake(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      param: { type: 'string', multiple: true, default: [] as string[] },
      format: { type: 'string', default: 'table' },
      memory: { type: 'string', default: '1GiB' },
      ...BOUND_OPTIONS,
    },
  });
  const [address, rest] = lakeFirst(positionals);
  const format = choice('format', values.format, FORMATS);
  const bounds = readBounds(values);
  const file = await questionFile(only(rest, 'QUESTION'));
  try {
    const panel = readPanel(file);
    const given = readParams(panel.params, Object.fromEntries(values.param.map(splitParam)), 'panel');
    if (format === 'sql') {
      await print([`${questionSql(panel, given)};\n`]);
      return 0;
    }
    return await withReader(address, values.memory, async (reader) => {
      if (format === 'csv') {
        const rows = await namingBound(() => reader.query(questionSql(panel, given), bounds));
        await printData(csvRows(rows));
        return 0;
      }
      const answer = await namingBound(() => askLake(reader, panel, given, bounds));
      await printAnswer(answer, format);
      return 0;
    });
  } catch (error) {
    throw error instanceof SqlFileError ? new UsageError(error.message) : error;
  }
}

async function printAnswer(
  { model, examples, traces, lossy }: LakeAnswer,
  format: Exclude<(typeof FORMATS)[number], 'csv' | 'sql'>,
): Promise<void> {
  switch (format) {
    case 'json':
      await printData([versionedJson(answerJson({ model, examples, traces, lossy }))]);
      return;
    case 'markdown':
      await print([markdown(model.title, panelTables(model), 0)]);
      return;
    case 'svg': {
      // Loaded here alone, since no other format needs a DOM.
      const { parseHTML } = await import('linkedom');
      const { body } = parseHTML('<!doctype html><html><body></body></html>').document;
      drawStillPanel(body, model);
      await printData([`${body.querySelector('svg')?.outerHTML ?? ''}\n`]);
      return;
    }
    case 'table':
      await print([
        `${traces === 1 ? '1 trace is' : `${formatCount(traces)} traces are`} in the lake; ${formatCount(lossy)} of them lost events\n\n`,
        ...panelTables(model).flatMap((table) => [...printTable(table, 0)]),
        ...(model.rows.length === 0 ? ['nothing fits\n'] : []),
        ...examples.slice(0, ROWS_WITH_EXAMPLES).flatMap((some, row) => exampleLines(some, row)),
      ]);
  }
}

function exampleLines(examples: readonly LakeExample[], row: number): readonly string[] {
  if (examples.length === 0) return [];
  return [
    `Examples of row ${row + 1}:\n`,
    ...examples.map(({ name, at_ns, link }) => {
      const place = at_ns === null ? '' : ` at ${formatDuration(at_ns)}`;
      return `  ${name}${place}: ${link}\n`;
    }),
  ];
}

/** An answer as JSON has it. */
function answerJson({ model, examples, traces, lossy }: LakeAnswer) {
  const { id, title, description, columns, rows, more } = model;
  return {
    question: id,
    ...{ title, description, traces, lossy_traces: lossy, more },
    columns: columns.map(({ name, kind, help }) => ({ name, kind, help })),
    rows: rows.map((cells, row) => ({
      ...Object.fromEntries(columns.map(({ name }, at) => [name, cells[at] ?? null])),
      examples: examples[row] ?? [],
    })),
  };
}

/** The question of a name, or a file of one. Throws a {@link UsageError} if it is neither. */
export async function questionFile(named: string): Promise<PanelFile> {
  const found = lakePanels.find(({ name }) => name === `${named}${PANEL_ENDING}`);
  if (found !== undefined) return found;
  const text = await readFile(named, 'utf8').catch((error: unknown) => {
    if (named.endsWith(PANEL_ENDING)) throw new UsageError(systemWords(error));
    const names = lakePanels.map(({ name }) => name.slice(0, -PANEL_ENDING.length));
    throw new UsageError(
      `no question is called "${named}": there are ${names.join(', ')}; a file is *${PANEL_ENDING}`,
    );
  });
  return { name: basename(named), text };
}
