import * as z from 'zod';
import { readHandle } from '../../../shared/causes/index.ts';
import { readParams, type ParamSpec, type TimeRange, type ViewTable } from '../../../shared/view/index.ts';
import { views, type AnyView } from '../../../views/index.ts';
import { QuestionError } from '../../questions/question-error.ts';
import type { Answer, NextCall } from '../answer.ts';
import { holdsSentences, sentencesOf } from '../sentences.ts';
import { tableOf } from '../table.ts';
import { showView } from '../show-view.ts';
import { COMMON, HANDLE, makeTraceTool, PARAMS, STRETCH, stretchOf, TOP } from '../tool.ts';
import type { AskedTrace } from '../traces.ts';
import { causeCalls, findAll } from './findings.ts';

/** What a view is to show. */
interface Shown {
  readonly view: AnyView;
  readonly params: Readonly<Record<string, unknown>>;
  readonly range: TimeRange;
  /** What leads on. */
  readonly next: readonly NextCall[];
}

/** What a view shows. */
export const view = makeTraceTool({
  name: 'view',
  title: 'Ask a view',
  description:
    'The tables of any view in a time range, the first rows of each and what the rest sums to. Without id: the list of views, the question that each answers, and its params. With the handle of a finding (f-1): the view that proves it.',
  takes: {
    ...COMMON,
    id: z.string().max(64).optional().describe('the view, such as ready-latency'),
    params: PARAMS.default({}).describe('params of the view by name'),
    handle: HANDLE.optional().describe('a finding, such as f-1, instead of id, params and range'),
    ...STRETCH,
    top: TOP,
  },
  async answer(trace, given, say) {
    if (given.id === undefined && given.handle === undefined) return viewList();
    const { view, params, range, next } = await shown(trace, given);
    const left_out: string[] = [];
    const read = readParams(view.params, params);
    const { model, detail } = await showView(trace, view, read, range, say, (message) =>
      left_out.push(message),
    );
    const tables = view.tables(model, detail);
    const notes = notesOf(model);
    const says = tables.filter(holdsSentences).flatMap(sentencesOf);
    return {
      says: says.filter((text) => !notes.includes(text)),
      tables: tables.filter((table) => !holdsSentences(table) && table.rows.length > 0),
      top: given.top,
      left_out: [...left_out, ...emptyTables(tables)],
      evidence: [`${view.title}: ${view.question} docs/views.md says how to read it.`],
      not_concluded: ['A view shows one range: what lies outside of it is not looked at.'],
      not_recorded: notes,
      next,
      place: { view: view.id, params, range },
    };
  },
});

async function shown(
  trace: AskedTrace,
  given: {
    readonly id?: string | undefined;
    readonly params: Readonly<Record<string, unknown>>;
    readonly handle?: string | undefined;
    readonly from?: number | string | undefined;
    readonly to?: number | string | undefined;
  },
): Promise<Shown> {
  if (given.handle === undefined) {
    const view = views.find(({ id }) => id === given.id);
    if (view === undefined)
      throw new QuestionError(`there is no such view: there are ${views.map(({ id }) => id).join(', ')}`);
    return { view, params: given.params, range: stretchOf(trace.summary.range, given), next: [] };
  }
  const handle = readHandle(given.handle);
  if (handle?.kind !== 'finding' || given.id !== undefined)
    throw new QuestionError('handle takes a finding, such as f-1, in the place of id');
  const { findings } = await findAll(trace);
  const finding = findings[handle.number - 1];
  const view = views.find(({ id }) => id === finding?.proof.view);
  if (finding === undefined || view === undefined)
    throw new QuestionError(`there is no finding ${given.handle}: there are ${findings.length}`);
  const { params, range } = finding.proof;
  return { view, params, range, next: causeCalls(finding, given.handle) };
}

/** What a view says that its trace lacks. */
function notesOf(model: unknown): readonly string[] {
  if (typeof model !== 'object' || model === null) return [];
  const notes: readonly unknown[] = 'notes' in model && Array.isArray(model.notes) ? model.notes : [];
  const unrecorded: unknown = 'unrecorded' in model ? model.unrecorded : null;
  return [...new Set([unrecorded, ...notes].filter((each) => typeof each === 'string'))];
}

function emptyTables(tables: readonly ViewTable[]): string[] {
  const empty = tables.filter((table) => table.rows.length === 0).map(({ title }) => title);
  return empty.length === 0 ? [] : [`Tables without rows: ${empty.join(', ')}.`];
}

function viewList(): Answer {
  const rows = views.map(({ id, title, question, params }) => [
    id,
    title,
    question,
    Object.entries(params).map(paramWords).join(', '),
  ]);
  return {
    says: ['No view was named: these are all of them.'],
    tables: [tableOf('Views', { id: 'text', title: 'text', question: 'text', params: 'text' }, rows)],
  };
}

function paramWords([name, spec]: [string, ParamSpec]): string {
  const preset = spec.default === null ? '' : `=${String(spec.default)}`;
  return `${name}${preset}${spec.type === 'choice' ? ` (${spec.choices.join(', ')})` : ''}`;
}
