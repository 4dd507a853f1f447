import { expect, test } from 'vitest';
import { NO_PRIORITY, NO_RANK, WaitCounts } from './wait-counts.ts';

/** The rows of counts, each as text. */
function rowsOf(counts: WaitCounts): string[] {
  const { size } = counts;
  const numbers = () => new Float64Array(size);
  const bins = {
    ...{ utid: numbers(), rank: numbers(), priority: numbers() },
    ...{ preempted: new Uint8Array(size), bin: new Uint16Array(size) },
    ...{ count: numbers(), sum_ns: numbers(), max_ns: numbers() },
  };
  counts.fill(bins, 0);
  return Array.from(
    { length: size },
    (_, row) =>
      `thread ${bins.utid[row]}, rank ${bins.rank[row]}, priority ${bins.priority[row]}, preempted ${bins.preempted[row]}, ` +
      `bin ${bins.bin[row]}: ${bins.count[row]}, ${bins.sum_ns[row]} ns, at most ${bins.max_ns[row]} ns`,
  );
}

test('waits are counted by thread, rank, priority, cause and bin of their length', () => {
  const counts = new WaitCounts();
  counts.add(2, 0, 8, 0, 1_000);
  counts.add(7, NO_RANK, NO_PRIORITY, 1, 50);
  counts.add(2, 0, 8, 0, 1_010);
  counts.add(2, 2, 8, 0, 1_000);
  expect(rowsOf(counts)).toEqual([
    'thread 2, rank 0, priority 8, preempted 0, bin 300: 2, 2010 ns, at most 1010 ns',
    'thread 2, rank 2, priority 8, preempted 0, bin 300: 1, 1000 ns, at most 1000 ns',
    'thread 7, rank NaN, priority NaN, preempted 1, bin 200: 1, 50 ns, at most 50 ns',
  ]);
  counts.add(7, NO_RANK, NO_PRIORITY, 1, 60);
  expect(rowsOf(counts).at(-1)).toBe(
    'thread 7, rank NaN, priority NaN, preempted 1, bin 200: 2, 110 ns, at most 60 ns',
  );
});

test('rows of a thread lie together, however many threads and lengths there are', () => {
  const counts = new WaitCounts();
  const expected = new Set<string>();
  for (let wait = 0; wait < 60_000; wait++) {
    const [utid, rank] = [(wait * 7919) % 3000, wait % 3];
    counts.add(utid, rank, 9, 0, 200);
    expected.add(`${utid} ${rank}`);
  }
  const threads = rowsOf(counts).map((row) => row.slice(0, row.indexOf(',')));
  expect(threads).toHaveLength(expected.size);
  expect(threads.filter((thread, at) => thread !== threads[at - 1])).toHaveLength(3000);
});

test('more waits than are put in order at a time are all counted', () => {
  const counts = new WaitCounts();
  const count = (1 << 21) + 5;
  for (let wait = 0; wait < count; wait++) counts.add(1, 0, 8, 0, 500);
  expect(rowsOf(counts)).toEqual([
    `thread 1, rank 0, priority 8, preempted 0, bin 269: ${count}, ${500 * count} ns, at most 500 ns`,
  ]);
});
