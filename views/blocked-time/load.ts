import { loadBlockedSums, sumGroups, type BlockedGroup, type BlockedSum } from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording, type Known } from '../../shared/recording/index.ts';
import { loadEventStacks } from '../../shared/samples/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, utidsMatching, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { FlameNode } from '../kit/index.ts';
import { blockedFlame, loadStackFrames, sidesOf } from './frames.ts';
import { params as specs, recording as needs, STACKS, type BlockedTimeParams } from './params.ts';

/** Blocked time with something in common, and the thread of its longest block: that one as a whole, whatever the range. */
export type BlockedRow = BlockedSum<string> & { readonly thread: ThreadName | undefined };

/** The rows of one side, most time first. */
export interface BlockedList {
  readonly title: string;
  readonly rows: readonly BlockedRow[];
  /** How many there are in all. */
  readonly all: number;
}

/** All that the view draws. */
export interface BlockedTimeModel extends Known {
  /** What the picture tells apart; without stacks not what was asked for. */
  readonly by: BlockedTimeParams['by'];
  readonly ns: number;
  readonly count: number;
  /** Waits for work that were left out. */
  readonly work_ns: number;
  readonly root: FlameNode;
  readonly lists: readonly BlockedList[];
}

/** Asks for all that the view shows of `range`. */
export async function loadBlockedTime(
  query: Query,
  params: BlockedTimeParams,
  range: TimeRange,
): Promise<BlockedTimeModel> {
  const bounds = boundsOf(range);
  const asked = params.by === 'wait-stack' || params.by === 'ready-stack' ? STACKS[params.by] : null;
  const needed = asked === null ? needs : { ...needs, needs: [...needs.needs, asked.need] };
  const recording = await loadRecording(query, needed, bounds);
  const hasStacks = asked !== null && recording.has(asked.need.signal);
  const stacks = hasStacks ? { at: asked.at, stackAt: await loadEventStacks(query, asked.event) } : null;
  const by = asked === null || hasStacks ? params.by : asked.otherwise;
  const names = await loadThreadNames(dataOf(query).tables);
  const utids = utidsMatching(names, params);
  const filter = {
    range: { start: bounds.range_start, end: bounds.range_end },
    utids: utids && new Set(utids),
    withWork: params.work === 'counted',
  };
  const { groups, work_ns } = await loadBlockedSums(query, filter, stacks);
  const sides = sidesOf(names, hasStacks ? await loadStackFrames(query, params) : null);
  const limit = Math.round(params.limit ?? specs.limit.default);
  const list = (title: string, keyOf: (group: BlockedGroup) => string): BlockedList => {
    const sums = sumGroups(groups, keyOf);
    const rows = sums.slice(0, limit).map((sum) => ({ ...sum, thread: names.get(sum.utid) }));
    return { title, rows, all: sums.length };
  };
  const stackWords = (group: BlockedGroup) => sides.stack(group).map(({ label }) => label);
  return {
    ...knownOf(recording),
    by,
    work_ns,
    ns: groups.reduce((sum, { ns }) => sum + ns, 0),
    count: groups.reduce((sum, { count }) => sum + count, 0),
    root: blockedFlame(groups, by, sides),
    lists: [
      list('Blocked time by wait reason', (group) => sides.reason(group).label),
      list('Blocked time by waker', (group) => sides.waker(group).label),
      list('Blocked time by thread', (group) => sides.thread(group).label),
      ...(hasStacks ? [list(asked.title, (group) => stackWords(group).reverse().join(' ← '))] : []),
    ],
  };
}
