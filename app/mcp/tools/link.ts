import * as z from 'zod';
import { describeState, readLink } from '../../../shared/link/index.ts';
import { formatDuration } from '../../../shared/model/index.ts';
import { readParams } from '../../../shared/view/index.ts';
import { views } from '../../../views/index.ts';
import { QuestionError } from '../../questions/question-error.ts';
import { tableOf } from '../table.ts';
import { COMMON, makeTraceTool, PARAMS, STRETCH, stretchOf, TID } from '../tool.ts';

/** A place in a trace, for a human. */
export const link = makeTraceTool({
  name: 'link',
  title: 'Make or read a link',
  description:
    'Makes a link that opens a place of the trace in Outrank for a human: a view, its params, a range, a chosen thread. Or, with read, says what a link that a human gave shows. The trace itself is not in a link.',
  takes: {
    ...COMMON,
    view: z.string().max(64).optional().describe('the view that is shown'),
    params: PARAMS.default({}),
    ...STRETCH,
    tid: TID.optional().describe('the thread that is chosen'),
    title: z.string().max(120).default('').describe('what the link is called'),
    read: z.string().max(30_000).optional().describe('a link to read; nothing else is taken then'),
  },
  async answer({ opened, summary }, { view: id, params, from, to, tid, title, read }) {
    if (read !== undefined) {
      const { state, notes } = await readLink(read);
      const rows = describeState(state);
      const isOther = state.trace !== null && state.trace.id !== opened.id;
      return {
        says: [
          isOther
            ? 'The link is of another trace than the one that was asked.'
            : 'The link is of this trace.',
        ],
        tables: [tableOf('What the link says', { what: 'text', value: 'text' }, rows)],
        left_out: notes,
      };
    }
    const view = views.find((each) => each.id === id);
    if (view === undefined && id !== undefined)
      throw new QuestionError(`there is no such view: there are ${views.map((each) => each.id).join(', ')}`);
    readParams(view?.params ?? {}, params);
    const range = stretchOf(summary.range, { from, to });
    const given = from !== undefined || to !== undefined;
    const thread = tid === undefined ? null : { tid, ts: range.start };
    return {
      says: [
        `The link shows ${view?.title ?? 'the trace'}${given ? `, ${formatDuration(range.end - range.start)} of it` : ''}. Whoever opens it needs the same file.`,
      ],
      tables: [],
      title,
      place: {
        view: view?.id ?? null,
        params,
        range: given ? range : null,
        selection: { span: null, thread, pid: null },
      },
    };
  },
});
