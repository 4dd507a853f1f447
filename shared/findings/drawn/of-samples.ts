import { greatest, sum } from 'd3';
import { dataOf, numberAt, readTraceFacts } from '../../tables/index.ts';
import { loadAllSamples, loadCalls } from '../../samples/index.ts';
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
  const blockOf = blocksOf(calls.image, calls.rva);
  const processes = new Map<number | null, { samples: number; readonly ofBlock: Map<number, number> }>();
  for (let row = 0; row < samples.count; row++) {
    const kind = samples.kinds[samples.kind[row] ?? -1];
    if (kind === undefined || kind.mode === 'dpc' || kind.mode === 'isr') continue;
    const upid = threads.of(kind.utid).upid;
    const of = processes.get(upid) ?? { samples: 0, ofBlock: new Map<number, number>() };
    processes.set(upid, of);
    of.samples++;
    const block = blockOf[calls.frame[samples.callsite[row] ?? -1] ?? -1] ?? -1;
    of.ofBlock.set(block, (of.ofBlock.get(block) ?? 0) + 1);
  }
  // The two blocks of a loop have together what it takes, so that the fuller one has half of that.
  const mayLoop = [...processes.values()].some(
    ({ samples: count, ofBlock }) =>
      count >= FEWEST_SAMPLES && [...ofBlock.values()].some((own) => 2 * own >= threshold * count),
  );
  return mayLoop ? null : [];
};

/** The block of code of each frame, by numbers. */
function blocksOf(image: Int32Array, rva: Float64Array): Int32Array {
  const numbers = new Map<string, number>();
  return image.map((of, frame) => {
    const key = `${of} ${Math.floor((rva[frame] ?? 0) / BLOCK_BYTES)}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}

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
