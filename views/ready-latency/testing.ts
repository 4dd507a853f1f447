import type { Query } from '../../shared/engine/index.ts';
import type { Meanwhile } from '../../shared/ready-waits/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadChosen } from './load-recorded.ts';
import { loadReadyLatency } from './load.ts';
import type { ReadyLatencyModel } from './model.ts';
import type { ReadyLatencyParams } from './params.ts';

/** For tests: the list, and what ran during the wait that the params name. */
export async function loadWithMeanwhile(
  query: Query,
  params: ReadyLatencyParams,
  range: TimeRange,
): Promise<ReadyLatencyModel & { readonly meanwhile: Meanwhile | null }> {
  const model = await loadReadyLatency(query, params, range);
  const { wait_ts, wait_tid } = params;
  const isNamed = wait_ts !== null && wait_tid !== null;
  return { ...model, meanwhile: isNamed ? await loadChosen(query, { wait_ts, wait_tid }, range) : null };
}
