import { greatest, sum } from 'd3';
import { dataOf, numberAt, readTraceFacts } from '../../tables/index.ts';
import { loadAllSamples, loadCalls, PlaceNumbers, sumByPlace } from '../../samples/index.ts';
import { loadKnownThreads } from '../../threads/index.ts';
import type { Draw } from './draw.ts';

/** A process of fewer samples says nothing of its loops. */
const FEWEST_SAMPLES = 200;
/** Code is looked at in blocks of so many bytes. A loop may touch two blocks. */
const BLOCK_BYTES = 64;

/** What no samples of a process can be is found here; where a loop may be, SQL tells its place. */
export const hotLoop: Draw = async ({ query }, threshold) => {
  const [samples, calls] = await Promise.all([loadAllSamples(query), loadCalls(query)]);
  const threads = await loadKnownThreads(dataOf(query).tables);
  // The process by its key, 0 where it is not known.
  const ownerOf = Int32Array.from(samples.kinds, ({ mode, utid }) =>
    mode === 'dpc' || mode === 'isr' ? -1 : (threads.of(utid).upid ?? -1) + 1,
  );
  const blocks = new PlaceNumbers();
  const { image, rva } = calls;
  const blockOf = (frame: number) =>
    blocks.of(image[frame] ?? -1, Math.floor((rva[frame] ?? 0) / BLOCK_BYTES));
  const sums = sumByPlace(samples, calls, ownerOf, blockOf);
  const all: number[] = [];
  const fullest: number[] = [];
  for (let at = 0; at < sums.count; at++) {
    const owner = sums.owner[at] ?? 0;
    const own = sums.samples[at] ?? 0;
    all[owner] = (all[owner] ?? 0) + own;
    fullest[owner] = Math.max(fullest[owner] ?? 0, own);
  }
  // The two blocks of a loop have together what it takes, so that the fuller one has half of that.
  const mayLoop = all.some(
    (count, owner) => count >= FEWEST_SAMPLES && 2 * (fullest[owner] ?? 0) >= threshold * count,
  );
  return mayLoop ? null : [];
};

export const kernelShare: Draw = async ({ query }, threshold) => {
  const { tables } = dataOf(query);
  let [first_ts, last_ts] = [Infinity, -Infinity];
  const ofThread: number[] = [];
  const columns = ['ts', 'utid', 'is_kernel', 'weight_ns'] as const;
  for await (const batch of tables.batches('etw_sample', columns)) {
    const { ts, utid, is_kernel, weight_ns } = batch.columns;
    for (let row = 0; row < batch.rowCount; row++) {
      const at = ts.values[row] ?? 0;
      first_ts = Math.min(first_ts, at);
      last_ts = Math.max(last_ts, at);
      const thread = utid.values[row] ?? 0;
      if (is_kernel.values[row] !== 1 || thread === 0) continue;
      ofThread[thread] = (ofThread[thread] ?? 0) + (numberAt(weight_ns, row) ?? 0);
    }
  }
  const threads = await loadKnownThreads(tables);
  const ofProcess = new Map<number | null, number>();
  ofThread.forEach((ran_ns, utid) => {
    const upid = threads.of(utid).upid;
    ofProcess.set(upid, (ofProcess.get(upid) ?? 0) + ran_ns);
  });
  const facts = await readTraceFacts(tables);
  if (facts === null || ofProcess.size === 0) return [];
  const dur = last_ts - first_ts;
  const all_ns = dur * facts.cpu_count;
  const kernel_ns = sum(ofProcess.values());
  if (kernel_ns <= threshold * all_ns) return [];
  const [upid, part_ns] = greatest(ofProcess, ([, ran_ns]) => ran_ns) ?? [null, 0];
  const seconds_lost = (kernel_ns - threshold * dur * facts.cpu_count) / facts.cpu_count / 1e9;
  const place = { ts: first_ts, dur, utid: null, upid };
  return [{ ...place, seconds_lost, share: kernel_ns / all_ns, kernel_ns, part_ns }];
};
