import * as z from 'zod';
import { readParams } from '../../../shared/view/index.ts';
import { wakeChain as view } from '../../../views/wake-chain/view.ts';
import type { WakeChainModel } from '../../../views/wake-chain/model.ts';
import { wakeChainTables } from '../../../views/wake-chain/tables.ts';
import type { NextCall } from '../answer.ts';
import { sentencesOf } from '../sentences.ts';
import { showView } from '../show-view.ts';
import { COMMON, makeTraceTool } from '../tool.ts';
import { DELAY, delayOf } from './explain.ts';

/** Who woke whom. */
export const chain = makeTraceTool({
  name: 'chain',
  title: 'Follow a chain of wakes',
  description:
    'Who woke a thread, who woke that one, and so on back to where most time went by; or forward: all that a thread set free. Takes a handle, or tid with from; without them the longest ready wait.',
  takes: {
    ...COMMON,
    ...DELAY,
    direction: z
      .enum(['backward', 'forward'])
      .default('backward')
      .describe('who woke it, or what it set free'),
    depth: z.number().int().min(1).max(1000).default(50).describe('how many wakes are followed'),
    past_dpc_ms: z
      .number()
      .min(0)
      .max(1e6)
      .default(0)
      .describe('a wait of up to so many ms that a DPC ended, such as for a disk, ends no chain'),
  },
  async answer(trace, { direction, depth, past_dpc_ms, ...given }, say) {
    const { summary } = trace;
    const delay = await delayOf(trace, given);
    const chosen = delay === null ? {} : { tid: delay.tid, ts: delay.from_ns };
    const params = readParams(view.params, { direction, depth, past_dpc_ms, ...chosen });
    const range = delay === null ? summary.range : { start: delay.from_ns, end: delay.to_ns };
    const loaded = await showView(trace, view, params, range, say);
    const model = loaded.model as WakeChainModel;
    const [inShort, ...tables] = wakeChainTables(model);
    const [links, ...released] = tables;
    return {
      says:
        model.unrecorded === null
          ? sentencesOf(inShort).filter((text) => !model.notes.includes(text))
          : [model.unrecorded],
      // Of the other direction the sentences tell.
      tables: direction === 'backward' ? [links].filter((table) => table !== undefined) : released.reverse(),
      left_out: [
        direction === 'backward'
          ? 'What it set free: direction forward lists that.'
          : 'Who woke it: direction backward lists that.',
      ],
      evidence: ['Each link is a ready-thread event: the waker ran when it made the other thread ready.'],
      not_concluded: [
        'That a thread woke another one does not prove that the other one waited for its work.',
      ],
      not_recorded: model.unrecorded === null ? model.notes : [],
      next: nextOf(model, past_dpc_ms),
      place: {
        view: view.id,
        params: { direction, past_dpc_ms, ...chosen },
        ...(delay !== null && { range }),
      },
    };
  },
});

function nextOf({ links, longest, stop }: WakeChainModel, past_dpc_ms: number): NextCall[] {
  const link = longest === null ? undefined : links[longest.link];
  const [first] = links;
  // Of the chosen run the time counts until it was switched in.
  const until_ns = longest?.link === 0 ? link?.switch_in_ts : link?.until_ts;
  return [
    ...(link !== undefined && until_ns !== undefined && longest !== null && longest.took_ns > 0
      ? [
          {
            tool: 'explain',
            arguments: { tid: link.tid, from: until_ns - longest.took_ns, to: until_ns },
            why: 'what the thread did with which most time went by',
          },
        ]
      : []),
    ...(stop?.reason === 'dpc' && first !== undefined && past_dpc_ms === 0
      ? [
          {
            tool: 'chain',
            arguments: { tid: first.tid, from: first.switch_in_ts, past_dpc_ms: 100 },
            why: 'the chain beyond the DPC at which it ends',
          },
        ]
      : []),
  ];
}
