/** Measures the engine on a trace: `node scripts/bench.mjs engine TRACE.pftrace`. */
import { open } from 'node:fs/promises';
import { etwModules } from '../../sql/index.ts';
import { rowsOf, startProcessor } from './start.ts';

const CHUNK_BYTES = 1024 * 1024;

const QUERIES: readonly (readonly [string, string])[] = [
  ['longest 50 ready waits', 'SELECT * FROM etw_ready_wait ORDER BY dur DESC LIMIT 50'],
  [
    'longest 50, with history',
    `SELECT h.* FROM (SELECT ts FROM etw_ready_wait ORDER BY dur DESC LIMIT 50) AS w
     JOIN etw_ready_wait_history AS h USING (ts)`,
  ],
  ['ready waits by thread', 'SELECT utid, count(*), sum(dur), max(dur) FROM etw_ready_wait GROUP BY 1'],
  [
    'who ran in 20 ms',
    `SELECT rank, priority, sum(dur) FROM etw_ran_between(
       (SELECT (start_ts + end_ts) / 2 FROM etw_trace),
       (SELECT (start_ts + end_ts) / 2 + 20000000 FROM etw_trace)) GROUP BY 1, 2`,
  ],
  [
    'all of 100 ms of context switches',
    `SELECT * FROM etw_context_switch
     WHERE ts BETWEEN (SELECT (start_ts + end_ts) / 2 FROM etw_trace)
       AND (SELECT (start_ts + end_ts) / 2 + 100000000 FROM etw_trace)`,
  ],
  ['CPU time by rank and priority', 'SELECT rank, priority, sum(dur) FROM etw_run GROUP BY 1, 2'],
  ['runs of one thread', 'SELECT * FROM etw_run WHERE utid = (SELECT utid FROM etw_ready_wait LIMIT 1)'],
];

/** Prints the processor time of each step in ms, which a busy machine does not change much, and the memory after it. */
export async function bench(path: string): Promise<void> {
  const processor = await startProcessor();
  const measure = async (name: string, step: () => unknown) => {
    const before = process.cpuUsage();
    const rows = await step();
    const { user, system } = process.cpuUsage(before);
    const note = typeof rows === 'number' ? `${rows} rows` : '';
    const heapMib = (processor.heapBytes / 2 ** 20).toFixed(0);
    console.log(
      `${((user + system) / 1000).toFixed(1).padStart(9)} ms ${heapMib.padStart(6)} MiB  ${name} ${note}`,
    );
  };

  await measure('appends', async () => {
    const file = await open(path);
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      processor.append(chunk.subarray(0, bytesRead));
    }
    await file.close();
  });
  await measure('finalize', () => processor.finalize());
  processor.register('etw', etwModules);
  for (const { name } of etwModules) {
    await measure(name, () => processor.query(`INCLUDE PERFETTO MODULE ${name};`));
  }
  for (const [name, sql] of QUERIES) await measure(name, () => rowsOf(processor, sql).length);
  console.log(
    rowsOf(
      processor,
      'SELECT (SELECT count(*) FROM etw_run) AS runs, (SELECT count(*) FROM etw_ready_wait) AS ready_waits',
    )[0],
  );
  console.log(
    rowsOf(processor, "SELECT name, value FROM stats WHERE severity IN ('error', 'data_loss') AND value > 0"),
  );
}
