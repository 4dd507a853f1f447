import { longestWaits, writeHandle, type Handle } from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { NO_OWN_RULES, runAllRules } from '../../shared/findings/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { QuestionError } from './question-error.ts';

/** A stretch of a thread's time, as the params of *Explain a delay* name it. */
export interface DelayParams {
  readonly tid: number;
  readonly from_ns: number;
  readonly to_ns: number;
}

/** How a trace is asked for what a handle names. */
export interface HandleTrace {
  readonly query: Query;
  readonly range: TimeRange;
}

/** The delay that a handle names; that of a thread lasts for `stretch`. Rejects with a {@link QuestionError} where there is none. */
export async function delayOfHandle(
  { query, range }: HandleTrace,
  handle: Handle,
  stretch: Omit<DelayParams, 'tid'>,
): Promise<DelayParams> {
  switch (handle.kind) {
    case 'thread':
      return { tid: await tidOf(query, handle.number), ...stretch };
    case 'wait': {
      const waits = await longestWaits(query, handle.number);
      const wait = waits[handle.number - 1];
      if (wait === undefined)
        throw new QuestionError(`there is no wait ${writeHandle(handle)}: there are ${waits.length}`);
      return { tid: await tidOf(query, wait.utid), from_ns: wait.ts, to_ns: wait.te };
    }
    case 'finding': {
      const { findings } = await runAllRules(query, NO_OWN_RULES, range);
      const finding = findings[handle.number - 1];
      if (finding === undefined)
        throw new QuestionError(`there is no finding ${writeHandle(handle)}: there are ${findings.length}`);
      const { tid, span } = finding.where;
      if (tid === null || span.end <= span.start)
        throw new QuestionError(`${writeHandle(handle)} (${finding.title}) is no delay of one thread`);
      return { tid, from_ns: span.start, to_ns: span.end };
    }
  }
}

async function tidOf(query: Query, utid: number): Promise<number> {
  const name = (await loadThreadNames(dataOf(query).tables)).get(utid);
  if (name === undefined)
    throw new QuestionError(`there is no thread ${writeHandle({ kind: 'thread', number: utid })}`);
  return name.tid;
}
