import type { Query } from '../../shared/engine/index.ts';
import { formatCount } from '../../shared/model/index.ts';
import {
  countFrom,
  countShown,
  countWaits,
  lengthOfLongest,
  mostLooked,
  pickLongest,
} from '../../shared/ready-waits/index.ts';
import { boundsOf, knownOf } from '../../shared/recording/index.ts';
import { coversTrace, dataOf, readTraceFacts } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { WHY_LABELS, type MainWhy } from '../../shared/why-late/index.ts';
import { histogramBars } from '../kit/duration-bins.ts';
import { JUDGED_WAITS, judgeList, splitByWhy } from './judge-list.ts';
import { loadRecorded } from './load-recorded.ts';
import type { ReadyLatencyModel } from './model.ts';
import type { ReadyLatencyParams } from './params.ts';

/** Asks for all that the view shows of `range`. */
export async function loadReadyLatency(
  query: Query,
  params: ReadyLatencyParams,
  range: TimeRange,
): Promise<ReadyLatencyModel> {
  const bounds = boundsOf(range);
  const at_least_ns = Math.round((params.at_least_ms ?? 0) * 1e6);
  const limit = Math.round(params.limit ?? 500);
  const why = params.why === 'any' ? null : params.why;
  const wait_reason = params.wait_reason === '' ? null : params.wait_reason;
  // SQL says what is recorded: waits are counted while its engine may still load.
  const recording = loadRecorded(query, bounds);
  recording.catch(() => undefined);
  const isWhole = coversTrace(bounds, (await readTraceFacts(dataOf(query).tables)) ?? (await recording));
  const counted = await countWaits(query, bounds, isWhole);
  const recorded = await recording;
  const shown = await countShown(counted, params, params.group_by);
  const { rising, total, groups } = shown;
  const max_rows = why === null ? limit : Math.max(limit, JUDGED_WAITS);
  const { rows: picked, passing } = await pickLongest(query, params, bounds, {
    at_least_ns,
    shortest_ns: lengthOfLongest(rising, mostLooked(max_rows, wait_reason)),
    max_rows,
    wait_reason,
    passing: countFrom(counted, shown, at_least_ns),
  });
  const { waits: listed, pending } = await judgeList(query, picked, why);
  const waits = listed.slice(0, limit);
  const among = picked.slice(0, JUDGED_WAITS);
  const looked = Math.min(passing, mostLooked(max_rows, wait_reason));
  const words = onlyWords({ wait_reason, looked }, { why, judged: among.length });
  const only = why === null ? null : { why, among, limit, words };
  return {
    ...knownOf(recorded),
    total,
    ...{ group_by: params.group_by, groups },
    histogram: histogramBars(rising),
    listed: why === null && wait_reason === null ? passing : listed.length,
    only:
      why === null || pending.length === 0
        ? words
        : `${words ?? ''}, ${formatCount(pending.length)} yet to be judged`,
    waits,
    by_why: pending.length > 0 ? [] : splitByWhy(waits),
    unjudged: pending.length === 0 ? null : { rows: pending, only },
  };
}

/** Which waits are listed, in words, where it is not all that pass the filters. */
function onlyWords(
  { wait_reason, looked }: { readonly wait_reason: string | null; readonly looked: number },
  { why, judged }: { readonly why: MainWhy | null; readonly judged: number },
): string | null {
  const before =
    wait_reason === null
      ? null
      : `of the ${formatCount(looked)} longest those of threads that had left their CPU for ${wait_reason}`;
  if (why === null) return before;
  const whose = `${before === null ? '' : 'of these '}those with the main reason ${WHY_LABELS[why]}`;
  const late = `of the ${formatCount(judged)} longest ${whose}`;
  return before === null ? late : `${before}, and ${late}`;
}
