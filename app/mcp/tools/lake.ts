import * as z from 'zod';
import { lakePanels } from '../../../panels/lake/index.ts';
import { toNumber, toText } from '../../../shared/engine/index.ts';
import { formatCount } from '../../../shared/model/index.ts';
import { panelTables, readPanel, type Panel } from '../../../shared/panel/index.ts';
import { capital, SIGNALS } from '../../../shared/recording/index.ts';
import { readParams, type ParamSpec, type ViewTable } from '../../../shared/view/index.ts';
import type { LakeAnswer, LakeExample } from '../../../shared/lake/index.ts';
import { askLake, LakeError, type LakeReader } from '../../fleet/index.ts';
import { BoundError } from '../../questions/bounded-query.ts';
import { QuestionError } from '../../questions/question-error.ts';
import type { Answer, NextCall } from '../answer.ts';
import { lakeTableWords } from '../lake-schema.ts';
import { tableOf } from '../table.ts';
import { COMMON, makeTool, PARAMS, TOP } from '../tool.ts';
import aboutSql from './lake-about.sql';
import lackingSql from './lake-lacking.sql';
import tagsSql from './lake-tags.sql';
import { BOUNDS, resultTable, rowsWords } from './sql.ts';

/** The question that tells what of a lake cannot be compared. */
const LEFT_OUT = 'left-out';
/** The question that takes the id of a trace, and those whose examples it is asked of. */
const LIKE_THIS = 'traces-like-this';
const LEAD_TO_TRACES: ReadonlySet<string> = new Set([
  'slow-not-fast',
  'model-outliers',
  'machines-by-finding',
]);
/** So many digits of a trace's id tell it from all others. */
const ID_DIGITS = 16;

/** What many traces say together. */
export const lake = makeTool({
  name: 'lake',
  title: 'Ask a lake of traces',
  description:
    'What many traces say together: is a wait usual, since which build, on which machines, what slow traces have and fast ones have not. Takes a ready question by id, or one SELECT. Without both: the questions with their params, the tags, and how much the lake holds. Each row says of how many traces it is (n), with examples to look at.',
  takes: {
    ...COMMON,
    lake: z
      .string()
      .max(4096)
      .optional()
      .describe('name or address of the lake; may be left out where the server was started with one'),
    question: z.string().max(64).optional().describe('the question, such as trend-by-build'),
    params: PARAMS.default({}).describe('params of the question by name'),
    sql: z
      .string()
      .min(1)
      .max(100_000)
      .optional()
      .describe('one SELECT of DuckDB instead; the resource outrank://lake-schema has the tables'),
    top: TOP,
  },
  answer(sources, { lake, question, params, sql, top }, say) {
    if (question !== undefined && sql !== undefined)
      throw new QuestionError('question or sql is taken, not both');
    const panel = question === undefined ? null : questionOf(question);
    const values = panel === null ? {} : readParams(panel.params, params, 'question');
    return sources.lake(lake, async ({ name, reader }) => {
      say(`asking the lake ${name}`);
      const bounded = <T>(work: Promise<T>): Promise<T> =>
        work.catch((error: unknown) => {
          throw inWords(error, sql);
        });
      const holds = await bounded(holdsWords(reader));
      if (panel !== null) {
        const answer = await bounded(askLake(reader, panel, values, BOUNDS));
        return { of: name, ...told(panel, answer, holds, sources.names), top };
      }
      if (sql === undefined) return { of: name, ...(await bounded(listed(reader, holds))), top };
      const result = await bounded(reader.query(sql, BOUNDS));
      return {
        of: name,
        says: [`${rowsWords(result.rowCount)}.`],
        tables: [resultTable(result)],
        top,
        left_out: holds.left_out,
        evidence: [holds.sentence],
        not_concluded: [
          'The rows are what the SQL asks for: it counts traces that lost events, or did not record what is asked, unless it leaves them out.',
        ],
        not_recorded: holds.not_recorded,
      };
    });
  },
});

function questionOf(id: string): Panel {
  const panel = lakePanels.map(readPanel).find((each) => each.id === id);
  if (panel !== undefined) return panel;
  const ids = lakePanels.map((file) => readPanel(file).id);
  throw new QuestionError(`there is no such question: there are ${ids.join(', ')}`);
}

/** An error in words for who asked: with the way to keep a bound, or with the columns of the tables that the SQL names. */
function inWords(error: unknown, sql: string | undefined): unknown {
  if (error instanceof BoundError)
    return new QuestionError(
      `${error.message}: add a LIMIT or aggregate; ${formatCount(BOUNDS.rows)} rows and ${BOUNDS.seconds} s are the most`,
    );
  if (!(error instanceof LakeError) || sql === undefined) return error;
  return new QuestionError([error.message, ...lakeTableWords(sql)].join('; '));
}

/** What a lake holds, and what of it cannot be taken for more. */
interface Holds {
  readonly sentence: string;
  readonly lossy: number;
  readonly left_out: readonly string[];
  readonly not_recorded: readonly string[];
}

async function holdsWords(reader: LakeReader): Promise<Holds> {
  const [about = {}] = (await reader.query(aboutSql, BOUNDS)).rows();
  const [traces, lossy] = [toNumber(about.traces) ?? 0, toNumber(about.lossy) ?? 0];
  const lacking = [...(await reader.query(lackingSql, BOUNDS)).rows()].map(
    ({ signal, lacking: without }) =>
      `${SIGNALS.find(({ id }) => id === signal)?.name ?? toText(signal) ?? ''} (${toNumber(without) ?? 0})`,
  );
  return {
    sentence: `Traces in the lake: ${formatCount(traces)}; those that lost events: ${formatCount(lossy)}.`,
    lossy,
    left_out: [
      ...reader.listing.problems.map((problem) => `Not read: ${problem}`),
      ...(lossy > 0
        ? [
            `${formatCount(lossy)} of ${formatCount(traces)} traces lost events: the question ${LEFT_OUT} tells which.`,
          ]
        : []),
    ],
    not_recorded:
      lacking.length === 0
        ? []
        : [
            `${capital(`not recorded in so many of the ${formatCount(traces)} traces: ${lacking.join(', ')}`)}. outrank://recording says how to record these.`,
          ],
  };
}

async function listed(reader: LakeReader, holds: Holds): Promise<Answer> {
  const tags = [...(await reader.query(tagsSql, BOUNDS)).rows()].map(({ name, values, traces }) => [
    toText(name),
    toText(values),
    toNumber(traces),
  ]);
  const questions = lakePanels
    .map(readPanel)
    .map(({ id, description, params }) => [
      id,
      description,
      Object.entries(params).map(paramWords).join('; '),
    ]);
  const ask = (question: string, why: string): NextCall => ({ tool: 'lake', arguments: { question }, why });
  return {
    says: [holds.sentence, 'No question was named: these are all of them.'],
    tables: [
      tableOf('Questions', { question: 'text', answers: 'text', params: 'text' }, questions),
      ...(tags.length === 0
        ? []
        : [tableOf('Tags of the traces', { tag: 'text', values: 'text', traces: 'count' }, tags)]),
    ],
    left_out: holds.left_out,
    not_recorded: holds.not_recorded,
    next: [
      ask('machines-by-finding', 'what is wrong on which machines'),
      ...(holds.lossy > 0 ? [ask(LEFT_OUT, 'what must be left out')] : []),
    ],
  };
}

function paramWords([name, spec]: [string, ParamSpec]): string {
  const unit = spec.type === 'number' && spec.unit !== undefined ? ` ${spec.unit}` : '';
  const preset = spec.default === null ? '' : `=${String(spec.default)}${unit}`;
  return `${name}${preset}: ${spec.help}`;
}

function told(panel: Panel, { model, examples }: LakeAnswer, holds: Holds, names: readonly string[]): Answer {
  const nothing = model.rows.length === 0;
  const given = examples.flatMap((some, row) => some.map((example, at) => ({ row, at, example })));
  // First one of each row.
  given.sort((one, other) => one.at - other.at || one.row - other.row);
  return {
    says: [
      nothing
        ? 'Nothing fits: no row answers the question with these params.'
        : `${panel.title}: ${rowsWords(model.rows.length)}.`,
      holds.sentence,
    ],
    tables: nothing ? [] : [...panelTables(model), exampleTable(given)],
    left_out: [
      ...holds.left_out,
      ...(model.more ? [`More rows than ${formatCount(model.rows.length)}: they are not read.`] : []),
    ],
    evidence: [
      panel.description,
      `Columns: ${model.columns.map(({ name, help }) => `${name}: ${help}`).join(' ')}`,
      ...(given.length > 0
        ? [
            'The link of an example opens it for a human. Other tools take its name, where this server may open that file.',
          ]
        : []),
    ],
    not_concluded: [
      'A row of few traces (n) tells little. That groups of traces differ does not prove why: they may differ in more than what is asked.',
    ],
    not_recorded: holds.not_recorded,
    next: nextOf(
      panel,
      given.map(({ example }) => example),
      holds,
      names,
    ),
  };
}

function exampleTable(given: readonly { readonly row: number; readonly example: LakeExample }[]): ViewTable {
  const columns = {
    row: 'number',
    trace: 'text',
    id: 'text',
    at_ns: 'time_ns',
    tid: 'number',
    link: 'text',
  } as const;
  const rows = given.map(({ row, example: { name, trace, ts, tid, link } }) => [
    row + 1,
    name,
    trace.slice(0, ID_DIGITS),
    ts,
    tid,
    link,
  ]);
  return tableOf('Examples of the rows, one of each first', columns, rows);
}

function nextOf(
  { id }: Panel,
  examples: readonly LakeExample[],
  { lossy }: Holds,
  names: readonly string[],
): readonly NextCall[] {
  const [first] = examples;
  // A name of the lake is an argument only where the server was started with that very name.
  const opened = names.find((name) => examples.some((example) => example.name === name));
  return [
    ...(opened === undefined
      ? []
      : [{ tool: 'open', arguments: { trace: opened }, why: 'an example, looked at by itself' }]),
    ...(first !== undefined && LEAD_TO_TRACES.has(id)
      ? [
          {
            tool: 'lake',
            arguments: { question: LIKE_THIS, params: { trace: first.trace.slice(0, ID_DIGITS) } },
            why: 'which other traces have the same wake chains as the first example',
          },
        ]
      : []),
    ...(lossy > 0 && id !== LEFT_OUT
      ? [{ tool: 'lake', arguments: { question: LEFT_OUT }, why: 'what must be left out' }]
      : []),
  ];
}
