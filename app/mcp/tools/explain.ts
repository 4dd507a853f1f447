import { readHandle } from '../../../shared/causes/index.ts';
import { readParams } from '../../../shared/view/index.ts';
import { ownerTable, partTable } from '../../../views/explain/tables.ts';
import { explain as view } from '../../../views/explain/view.ts';
import { delayOfHandle, type DelayParams } from '../../questions/delay-of-handle.ts';
import { QuestionError } from '../../questions/question-error.ts';
import type { ExplainModel } from '../../../views/explain/model.ts';
import type { Answer, NextCall } from '../answer.ts';
import { showView } from '../show-view.ts';
import { COMMON, HANDLE, makeTraceTool, STRETCH, stretchOf, TID } from '../tool.ts';
import type { AskedTrace } from '../traces.ts';
import { WAITS_NOT_CONCLUDED, waitTable } from './waits.ts';

/** How many waits are listed where none is chosen. */
const LISTED = 20;

/** What names a delay, in the arguments of a tool. */
export const DELAY = {
  handle: HANDLE.optional().describe('w-1 is the longest ready wait, f-2 the second finding, t-4 a thread'),
  tid: TID.optional().describe('the id of the thread, instead of a handle'),
  ...STRETCH,
};

interface GivenDelay {
  readonly handle?: string | undefined;
  readonly tid?: number | undefined;
  readonly from?: number | string | undefined;
  readonly to?: number | string | undefined;
}

/** The delay that the arguments of a tool name; null where they name no thread. */
export async function delayOf(
  { query, summary: { range } }: AskedTrace,
  { handle, tid, from, to }: GivenDelay,
): Promise<DelayParams | null> {
  const { start: from_ns, end: to_ns } = stretchOf(range, { from, to });
  if (handle === undefined) return tid === undefined ? null : { tid, from_ns, to_ns };
  if (tid !== undefined) throw new QuestionError('handle or tid is taken, not both');
  const read = readHandle(handle);
  if (read === null) throw new QuestionError('this is no handle: w-1 is a wait, t-4 a thread, f-2 a finding');
  return delayOfHandle({ query, range }, read, { from_ns, to_ns });
}

/** Where the time of a delay went. */
export const explain = makeTraceTool({
  name: 'explain',
  title: 'Explain a delay',
  description:
    'Where the time of one thread went: every nanosecond has one owner (a thread that ran, a better rank, a disk, a lock holder at the end of a chain of wakes …) and the parts add up. Takes a handle, or tid with from and to. Without arguments: the longest ready waits with their handles.',
  takes: { ...COMMON, ...DELAY },
  async answer(trace, given, say) {
    const delay = await delayOf(trace, given);
    if (delay === null) return listed(trace);
    const { summary } = trace;
    const params = readParams(view.params, { ...delay });
    const { model } = await showView(trace, view, params, summary.range, say);
    return told(model as ExplainModel, delay);
  },
});

async function listed({ query }: AskedTrace): Promise<Answer> {
  const waits = await waitTable(query, LISTED);
  const none = waits.rows.length === 0;
  return {
    says: [
      none
        ? 'No thread was ready without running.'
        : 'No delay was named: these are the longest ready waits.',
    ],
    tables: [waits],
    left_out: none
      ? []
      : [`Shorter waits than the ${LISTED} longest: the view ready-latency lists those of a range.`],
    not_concluded: [WAITS_NOT_CONCLUDED],
    next: none
      ? []
      : [{ tool: 'explain', arguments: { handle: 'w-1' }, why: 'where the time of the longest one went' }],
    place: { view: 'ready-latency' },
  };
}

function told(model: ExplainModel, { tid, from_ns, to_ns }: DelayParams): Answer {
  const why = model.unrecorded ?? model.nothing;
  if (why !== null || model.delay === null) throw new QuestionError(why ?? 'there is no delay to explain');
  return {
    says: [model.delay.sentence],
    tables: [ownerTable(model), partTable(model)],
    evidence: ['Each nanosecond of the stretch has one owner: the times by owner add up to the whole.'],
    not_concluded: [
      'That a thread ended a wait does not prove that the wait was for what that thread did before.',
      'What would have been faster is not answered.',
    ],
    not_recorded: model.notes,
    next: nextOf(model, { tid, from_ns, to_ns }),
    place: {
      view: 'explain',
      params: { tid, from_ns, to_ns },
      selection: { span: { start: from_ns, end: to_ns }, thread: { tid, ts: from_ns }, pid: null },
    },
  };
}

function nextOf({ delay }: ExplainModel, { tid, from_ns, to_ns }: DelayParams): NextCall[] {
  const [owner] = delay?.owners ?? [];
  const ranked = owner !== undefined && (owner.owner === 'rank' || owner.owner === 'priority');
  return [
    {
      tool: 'chain',
      arguments: { tid, from: from_ns, to: to_ns },
      why: 'who woke the thread, and who woke that one',
    },
    ...(ranked
      ? [
          {
            tool: 'view',
            arguments: {
              id: 'ready-latency',
              params: { wait_tid: owner.thread.tid, wait_ts: owner.longest_ts },
              from: from_ns,
              to: to_ns,
            },
            why: 'which threads ran instead, by rank and priority',
          },
        ]
      : []),
    ...(owner?.owner === 'disk'
      ? [
          {
            tool: 'view',
            arguments: { id: 'io', from: from_ns, to: to_ns },
            why: 'what the disks did meanwhile, and for whom',
          },
        ]
      : []),
    ...(owner !== undefined && owner.thread.tid !== tid
      ? [
          {
            tool: 'explain',
            arguments: {
              tid: owner.thread.tid,
              from: owner.longest_ts,
              to: owner.longest_ts + owner.longest_ns,
            },
            why: 'what the thread did that owns most of the time',
          },
        ]
      : []),
  ];
}
