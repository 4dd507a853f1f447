import {
  explainInWords,
  longestWaits,
  partition,
  sumUp,
  threadWithId,
  writeHandle,
  type Delay,
  type Partition,
} from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { ExplainedDelay, ExplainModel, ExplainThread } from './model.ts';
import type { ExplainParams } from './params.ts';
import { recording as needs } from './params.ts';

/** Divides the chosen delay, or that of the longest ready wait in `range`. */
export async function loadExplain(
  query: Query,
  params: ExplainParams,
  range: TimeRange,
): Promise<ExplainModel> {
  const bounds = boundsOf(range);
  const about = knownOf(await loadRecording(query, needs, bounds));
  if (about.unrecorded !== null) return { ...about, delay: null, nothing: null };
  const delay = await findDelay(query, params, range);
  if (typeof delay === 'string') return { ...about, delay: null, nothing: delay };
  try {
    const names = await loadThreadNames(dataOf(query).tables);
    return { ...about, delay: explained(await partition(query, delay), names), nothing: null };
  } catch (error) {
    if (error instanceof RangeError) return { ...about, delay: null, nothing: error.message };
    throw error;
  }
}

/** The delay that is asked for, or why there is none. */
async function findDelay(query: Query, params: ExplainParams, range: TimeRange): Promise<Delay | string> {
  const { tid } = params;
  if (tid === null) {
    const [longest] = await longestWaits(query, 1, range);
    return longest ?? 'No thread was ready without running in this range.';
  }
  const [ts, te] = [Math.round(params.from_ns ?? range.start), Math.round(params.to_ns ?? range.end)];
  if (te <= ts) return 'The delay ends before it begins.';
  const utid = await threadWithId(query, tid, { start: ts, end: te });
  return utid === null ? `No thread had the id ${tid} in this time.` : { utid, ts, te };
}

function explained(divided: Partition, names: ReadonlyMap<number, ThreadName>): ExplainedDelay {
  const { delay, parts, blocks } = divided;
  const threads: ExplainThread[] = [];
  const places = new Map<number, number>();
  const placeOf = (utid: number): number => {
    const known = places.get(utid);
    if (known !== undefined) return known;
    places.set(utid, threads.length);
    return threads.push(threadOf(utid, names)) - 1;
  };
  placeOf(delay.utid);
  for (const { utid, waker_utid } of blocks) {
    placeOf(utid);
    placeOf(waker_utid);
  }
  const whole_ns = delay.te - delay.ts;
  const sums = sumUp(divided);
  return {
    thread: threadOf(delay.utid, names),
    ts: delay.ts,
    dur: whole_ns,
    sentence: explainInWords(delay, sums, (utid) => threadLabel(threadOf(utid, names))),
    owners: sums.map(({ utid, ...sum }) => ({
      thread: threadOf(utid, names),
      share: sum.sum_ns / whole_ns,
      ...sum,
    })),
    parts: parts.map(({ utid, ts, te, ...part }) => ({ ts, dur: te - ts, thread: placeOf(utid), ...part })),
    blocks: blocks.map(({ utid, waker_utid, ts, te, wake_ts, wait_reason }) => ({
      ts,
      dur: te - ts,
      thread: placeOf(utid),
      waker: placeOf(waker_utid),
      wake_ts,
      wait_reason,
    })),
    threads,
  };
}

function threadOf(utid: number, names: ReadonlyMap<number, ThreadName>): ExplainThread {
  const { tid = 0, thread = null, service = null, pid = null, process = null } = names.get(utid) ?? {};
  return { tid, thread, service, pid, process, handle: writeHandle({ kind: 'thread', number: utid }) };
}
