import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longestWaits, partition, sumUp, threadWithId } from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

const START = 1_000_000_000;

interface Truth {
  readonly wait: { readonly tid: number; readonly ready_ns: number; readonly switch_in_ns: number };
  readonly release: {
    readonly holder: { readonly tid: number };
    readonly taken_ns: number;
    readonly released_ns: number;
    readonly held_ns: number;
    readonly chain: readonly { readonly tid: number }[];
  };
}

describeReal('where the delays of the stories went', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  async function open(...scenario: string[]): Promise<{ readonly query: Query; readonly truth: Truth }> {
    const truthPath = join(folder, 'truth.json');
    const trace = writeTrace(join(folder, `${scenario[0]}.etl`), ...scenario, '--truth', truthPath);
    const query = hostQuery(host, await host.open(trace, { columns: true }));
    return { query, truth: JSON.parse(readFileSync(truthPath, 'utf8')) as Truth };
  }

  /** The owners of a delay: thread id, owner and ns, most first. */
  async function ownersOf(query: Query, tid: number, start: number, end: number) {
    const utid = await threadWithId(query, tid, { start, end });
    const tids = new Map(
      [...(await query('SELECT utid, tid FROM thread')).rows()].map((row) => [
        Number(row.utid),
        Number(row.tid),
      ]),
    );
    const sums = sumUp(await partition(query, { utid: utid ?? -1, ts: start, te: end }));
    return sums.map(({ utid: of, owner, sum_ns }) => [tids.get(of), owner, sum_ns]);
  }

  test('lock screen: the thread was ready all the time, and rank is why', async () => {
    const { query, truth } = await open('lock-screen');
    const { tid, ready_ns, switch_in_ns } = truth.wait;
    const [longest] = await longestWaits(query, 1);
    expect(longest).toMatchObject({ ts: START + ready_ns, te: START + switch_in_ns });
    const owners = await ownersOf(query, tid, START + ready_ns, START + switch_in_ns);
    expect(owners).toEqual([[tid, 'rank', switch_in_ns - ready_ns]]);
  });

  test('WMI: the thread that waits for the lock owes all of its wait to the holder', async () => {
    const { query, truth } = await open('wmi');
    const { holder, taken_ns, released_ns, held_ns, chain } = truth.release;
    const tid = chain[0]?.tid ?? -1;
    const [first, ...rest] = await ownersOf(query, tid, START + released_ns - 10e9, START + released_ns);
    expect({ first, rest }).toEqual({ first: [holder.tid, 'ran', 10e9], rest: [] });
    expect(held_ns).toBe(released_ns - taken_ns);
  });

  test('slow disk: the time of a thread that reads is the time of its reads', async () => {
    const { query } = await open('slow-disk', '--count', '60', '--cpus', '3');
    const sql =
      'SELECT utid, MIN(ts) AS ts, MAX(ts + dur) AS te, SUM(dur) AS sum, COUNT(*) AS count FROM etw_disk_io GROUP BY utid LIMIT 1';
    const [io] = [...(await query(sql)).rows()];
    const [count, sum] = [Number(io?.count), Number(io?.sum)];
    const delay = { utid: Number(io?.utid), ts: Number(io?.ts), te: Number(io?.te) };
    const owners = sumUp(await partition(query, delay));
    // A thread blocks 3 us after it has asked, and is readied 2 us after the disk is done: the last time after the delay.
    const disk = owners.find(({ owner }) => owner === 'disk');
    const sum_ns = sum - 3000 * count + 2000 * (count - 1);
    expect(disk).toMatchObject({ utid: delay.utid, parts: count, sum_ns });
  });
});
