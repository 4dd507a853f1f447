import { loadBlockedSides, loadBlockedSums, type BlockedGroups } from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording, type Known } from '../../shared/recording/index.ts';
import { loadEventStacks } from '../../shared/samples/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, utidsMatching } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadStackFrames, sidesOf } from './frames.ts';
import { params as specs, recording as needs, STACKS, type BlockedTimeParams } from './params.ts';
import { drawGroups, drawSides, type Drawing, type DrawnSums } from './sums.ts';

/** All that the view draws. */
export interface BlockedTimeModel extends Known, DrawnSums {
  /** What the picture tells apart; without stacks not what was asked for. */
  readonly by: BlockedTimeParams['by'];
  /** Waits for work that were left out. */
  readonly work_ns: number;
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
  const stackOf = hasStacks ? await loadStackFrames(query, params) : null;
  const drawingOf = ({ reasons }: BlockedGroups): Drawing => ({
    by,
    sides: sidesOf(names, reasons, stackOf),
    names,
    limit: Math.round(params.limit ?? specs.limit.default),
    stackTitle: hasStacks ? asked.title : null,
  });
  const load = async () => {
    const { groups, work_ns } = await loadBlockedSums(query, filter, stacks);
    return { work_ns, ...drawGroups(groups, drawingOf(groups)) };
  };
  const loadAtOnce = async () => {
    if (!filter.withWork || utids !== null || stacks !== null) return null;
    const sides = await loadBlockedSides(query, filter.range);
    const drawn = sides && drawSides(sides, drawingOf(sides.byThread));
    return drawn && { work_ns: 0, ...drawn };
  };
  return { ...knownOf(recording), by, ...((await loadAtOnce()) ?? (await load())) };
}
