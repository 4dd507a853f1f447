import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BY_INTERRUPT, eachBlock, type Block } from '../../../shared/causes/index.ts';
import { makeQuery, toNumber, type Query, type Cell } from '../../../shared/engine/index.ts';
import { loadCalls, loadEventStacks } from '../../../shared/samples/index.ts';
import { dataOf } from '../../../shared/tables/index.ts';
import { loadThreadNames } from '../../../shared/threads/index.ts';
import { hostQuery } from '../../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../../app/host/testing/real.ts';
import { ticksOf } from './expected.ts';
import { readTruth } from './truth.ts';

const NO_CALL = -1;

describeReal('who was blocked, on a machine that does random things', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each([3, 5, 8, 12])('blocks and their stacks: seed %i', { timeout: 120_000 }, async (seed) => {
    const truthPath = join(folder, `${seed}.json`);
    const path = join(folder, `${seed}.etl`);
    writeTrace(path, 'random', '--seed', `${seed}`, '--stacks', '--truth', truthPath);
    const opened = await host.open(path, { columns: true });
    const whole = await host.open(path, {});
    const columns = hostQuery(host, opened);
    const sql = makeQuery((text) => host.query(whole.id, text));
    const rows = await blocksOf(columns);
    expect(await blocksOf(sql)).toEqual(rows);

    const truth = readTruth(truthPath);
    const toTicks = ticksOf(truth);
    const names = await loadThreadNames(dataOf(columns).tables);
    const tidOf = (utid: number) => names.get(utid)?.tid ?? 0;
    // A block that ends in the tick in which it begins is none: the converter moves events within a tick to keep them in order.
    const inOrder = (
      list: readonly (readonly [tid: number, ts: number, te: number, waker: number | null])[],
    ) =>
      list
        .map(([tid, ts, te, waker]) => [tid, toTicks(ts), toTicks(te), waker] as const)
        .filter(([, ts, te]) => ts < te)
        .map((row) => row.join(' '))
        .sort();
    const woken = rows
      .filter(({ waker }) => waker > 0 || waker === BY_INTERRUPT)
      .map(({ ts, te, utid, waker }) => [tidOf(utid), ts, te, waker > 0 ? tidOf(waker) : null] as const);
    const known = truth.waits
      .filter(({ preempted, last_out_ns }) => !preempted && last_out_ns !== null)
      .map(
        ({ tid, last_out_ns, ready_ns, waker_tid }) => [tid, last_out_ns ?? 0, ready_ns, waker_tid] as const,
      );
    expect(known.length).toBeGreaterThan(20);
    expect(inOrder(woken)).toEqual(inOrder(known));

    const stackAt = await loadEventStacks(columns, 'context_switch');
    const readyStackAt = await loadEventStacks(columns, 'ready_thread');
    const [inColumns, inSql] = [await stackNames(columns), await stackNames(sql)];
    const stackOf = (callsite: Cell | undefined) => inSql(toNumber(callsite ?? null) ?? NO_CALL);
    const switches = await sql(
      'SELECT ts, ready_ts, new_utid, new_callsite, ready_callsite FROM etw_context_switch',
    );
    const byTime = new Map([...switches.rows()].map((row) => [Number(row.ts), row]));
    let stacks = 0;
    for (const { te, in_ts, utid } of rows) {
      const row = byTime.get(in_ts);
      if (row === undefined) continue;
      expect(row.new_utid).toBe(utid);
      expect(inColumns(stackAt(in_ts))).toBe(stackOf(row.new_callsite));
      if (Number(row.ready_ts) === te) expect(inColumns(readyStackAt(te))).toBe(stackOf(row.ready_callsite));
      if (row.new_callsite !== null) stacks++;
    }
    expect(stacks).toBeGreaterThan(10);
  });
});

/** The image and place of each call of a stack, the innermost first: keys of calls are not the same in columns and in SQL. */
async function stackNames(query: Query): Promise<(callsite: number) => string> {
  const { caller, frame, image, images, rva } = await loadCalls(query);
  return (callsite) => {
    const places: string[] = [];
    for (let call = callsite; call !== NO_CALL; call = caller[call] ?? NO_CALL) {
      const of = frame[call] ?? 0;
      places.push(`${images[image[of] ?? 0]}+${rva[of]}`);
    }
    return places.join(' ');
  };
}

/** All blocks of a trace. */
async function blocksOf(query: Query) {
  const rows: (Omit<Block, 'reason'> & { readonly reason: string | null })[] = [];
  await eachBlock(dataOf(query).tables, (block, reasons) =>
    rows.push({ ...block, reason: reasons[block.reason] ?? null }),
  );
  return rows;
}
