import type { Query } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import {
  interruptsInWindows,
  laneSpans,
  loadMachine,
  runsInWindows,
  sumRan,
  type LaneSpan,
} from '../../shared/why-late/columns/index.ts';
import type { RecordedFacts } from './load-recorded.ts';
import { judgeEvidence, windowsFor } from './load-verdict.ts';
import { describeMeanwhile } from './meanwhile.ts';
import { LANE_STEPS, partInSight, type ChosenWait, type Meanwhile, type MeanwhileSpan } from './model.ts';
import { readWait } from './read-row.ts';
import { waitOfColumns } from './columns-longest-waits.ts';
import { loadThreadFacts, type ThreadFacts } from './columns-thread-facts.ts';

/** What ran during the chosen wait; null where it is not there. */
export async function meanwhileOfColumns(
  query: Query,
  { wait_ts, wait_tid }: ChosenWait,
  range: TimeRange,
  recorded: RecordedFacts,
): Promise<Meanwhile | null> {
  const chosen = await waitOfColumns(query, wait_tid, wait_ts);
  if (chosen === null) return null;
  const { row, wait } = chosen;
  const { outline, tables } = dataOf(query);
  const threads = await loadThreadFacts(query);
  const machine = await loadMachine(outline);
  const { sums, gaps } = await sumRan(tables, machine, wait);
  const waited = readWait(row, null);
  const windows = windowsFor(
    waited.dur,
    sums.reduce((total, { runs }) => total + runs, 0),
  );
  const evidence = {
    runs: await runsInWindows(tables, wait, windows),
    gaps,
    interrupts: await interruptsInWindows(tables, wait, windows),
    held: machine.holdsOf(wait),
    bound: machine.boundsOf(wait),
  };
  const verdict = judgeEvidence(row, waited, recorded, evidence, windows);
  const seen = partInSight(waited, range);
  const step_ns = Math.max(1, Math.ceil((seen.end - seen.start) / LANE_STEPS));
  const spans = await laneSpans(tables, wait, seen, { step_ns });
  return describeMeanwhile(
    { ...waited, why_late: verdict.main },
    recorded.cpu_count,
    sums.map((sum) => ({ ...sum, ...named(threads.get(sum.utid)) })),
    spans.map((span) => spanOf(span, threads)),
    verdict,
  );
}

function named(facts: ThreadFacts | undefined): Pick<ThreadFacts, 'tid' | 'thread' | 'pid' | 'process'> {
  const { tid = null, thread = null, pid = null, process = null } = facts ?? {};
  return { tid, thread, pid, process };
}

function spanOf({ run, ...span }: LaneSpan, threads: ReadonlyMap<number, ThreadFacts>): MeanwhileSpan {
  if (run === null) return { ...span, thread: null, rank: null, priority: null };
  const { process, tid } = named(threads.get(run.utid));
  const thread = span.standing === 'idle' ? 'idle' : threadLabel({ process, tid });
  return { ...span, thread, rank: run.rank, priority: run.priority };
}
