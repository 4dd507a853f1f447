import { keepLast } from '../../shared/engine/index.ts';
import type { GroupSummary, WaitSummary } from './model.ts';
import type { ReadyLatencyParams } from './params.ts';
import { mergeBins, summarise, summariseGroups, type Bin } from './summarise.ts';
import { filterBins, type BinRows, type CountedWaits } from './wait-bins.ts';

/** What is counted of the waits that the filters let through. */
export interface ShownWaits {
  readonly rows: BinRows;
  readonly rising: readonly Bin[];
  readonly total: WaitSummary;
}

/** Least lengths, wait reasons and limits choose among listed waits: these leave what is counted as it is. */
const keepShown = keepLast<ShownWaits, CountedWaits>();
const keepGroups = keepLast<readonly GroupSummary[], CountedWaits>();

/** Counts the waits that the filters let through. */
export function countShown(counted: CountedWaits, params: ReadyLatencyParams): Promise<ShownWaits> {
  return keepShown(counted, filtersOf(params), () => {
    const rows = filterBins(counted, params);
    const { bins } = counted;
    return Promise.resolve({ rows, rising: mergeBins(bins, rows), total: summarise(bins, rows) });
  });
}

/** The same, by group. */
export function groupShown(
  counted: CountedWaits,
  { rows }: ShownWaits,
  params: ReadyLatencyParams,
): Promise<readonly GroupSummary[]> {
  const { group_by } = params;
  return keepGroups(counted, `${group_by} ${filtersOf(params)}`, () =>
    Promise.resolve(summariseGroups(counted, rows, group_by)),
  );
}

/** The filters that choose among counts. */
function filtersOf({ process, thread, rank, ranked_only, priority, cause }: ReadyLatencyParams): string {
  return JSON.stringify([process, thread, rank, ranked_only, priority, cause]);
}
