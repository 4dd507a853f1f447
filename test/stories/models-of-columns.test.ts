import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import { MEASURE_NAMES, MeasuredTrace } from '../../shared/findings/measures/index.ts';
import { readParams, type ParamSpecs, type TimeRange, type View } from '../../shared/view/index.ts';
import { contextSwitches } from '../../views/context-switches/view.ts';
import { cpuUsage } from '../../views/cpu-usage/view.ts';
import { overview } from '../../views/overview/view.ts';
import { rankHistory } from '../../views/rank-history/view.ts';
import { loadWithMeanwhile } from '../../views/ready-latency/testing.ts';
import { readyLatency } from '../../views/ready-latency/view.ts';
import { releaseMoments } from '../../views/release-moments/view.ts';
import { wakeChain } from '../../views/wake-chain/view.ts';
import type { Host, TraceId } from '../../app/host/api.ts';
import { SCENARIOS } from '../../app/host/testing/columns.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { hostQuery } from '../../app/host/host-query.ts';
import { summariseTrace } from '../../app/host/trace-summary.ts';
import { dataOf } from '../../shared/tables/index.ts';

/** Asks a trace by SQL alone, and by its columns. */
async function openBoth(host: Host, path: string): Promise<{ id: TraceId; bySql: Query; byColumns: Query }> {
  const trace = await host.open(path, { columns: true });
  const { id } = trace;
  // What hardware counters counted is nowhere else.
  const whole = (of: TraceId, sql: string) =>
    sql.includes('counter')
      ? host.query(of, sql)
      : Promise.reject(new Error(`the whole trace is asked: ${sql}`));
  const byColumns = hostQuery({ ...host, query: whole }, trace);
  return { id, bySql: makeQuery((sql) => host.query(id, sql)), byColumns };
}

/** All that a view loads, and what it adds later. */
async function loadAll<P extends ParamSpecs, M>(
  view: View<P, M>,
  query: Query,
  given: object,
  range: TimeRange,
): Promise<M> {
  const params = readParams(view.params, given as Record<string, unknown>);
  const first = await view.load(query, params, range);
  return (await view.later?.load(query, params, range, first)) ?? first;
}

/** What measures of rules count from, so that many things count. */
const LEAST: Readonly<Record<string, number>> = { late: 1e5, outranked: 1e5, released: 2, storms: 100 };

type Listed = Awaited<ReturnType<typeof loadWithMeanwhile>>;

describeReal('what is drawn from columns is what SQL gives', () => {
  const host = startHost(join(temporaryFolder(), 'cache'));
  const folder = temporaryFolder();

  test.each(SCENARIOS.map((scenario) => [scenario.join(' '), scenario] as const))(
    'of %s',
    async (name, scenario) => {
      const path = writeTrace(join(folder, `${name}.etl`), ...scenario);
      const { id, bySql, byColumns } = await openBoth(host, path);
      const range = (await summariseTrace(dataOf(bySql).tables))?.range;
      if (range === undefined) throw new Error('no Windows trace');
      const half = { start: range.start, end: Math.floor((range.start + range.end) / 2) };
      const listed = async (query: Query, given: object, within: TimeRange): Promise<Listed> => {
        const params = readParams(readyLatency.params, given as Record<string, unknown>);
        const { meanwhile, ...model } = await loadWithMeanwhile(query, params, within);
        const judged = (await readyLatency.later?.load(query, params, within, model)) ?? model;
        return { ...judged, meanwhile };
      };
      const whole = await listed(bySql, {}, range);
      const longest = whole.waits[0];
      const chosen = longest && { wait_ts: longest.ts, wait_tid: longest.tid };
      for (const [given, within] of [
        [{}, range],
        [{ ...chosen }, range],
        [{ group_by: 'rank', ranked_only: true }, half],
        [{ group_by: 'thread', cause: 'preempted', at_least_ms: 1 }, range],
        [{ wait_reason: 'User', limit: 5 }, range],
      ] as const) {
        const [expected, found] = [
          await listed(bySql, given, within),
          await listed(byColumns, given, within),
        ];
        expect(inAnyOrder(found), JSON.stringify(given)).toEqual(inAnyOrder(expected));
      }
      const short = { start: half.end - (range.end - range.start) / 20, end: half.end };
      const chosenRuns = whole.waits
        .filter((_, at) => at % Math.ceil(whole.waits.length / 6) === 0)
        .map(({ ts, dur, tid }) => ({ ts: ts + dur, tid }));
      for (const [view, given, within] of [
        [cpuUsage, {}, range],
        [cpuUsage, { by: 'rank-priority' }, half],
        [cpuUsage, { by: 'thread', priority_min: 9 }, short],
        [contextSwitches, {}, range],
        [contextSwitches, { by: 'cpu' }, short],
        [contextSwitches, { by: 'thread', process: 'e' }, half],
        [rankHistory, {}, range],
        [rankHistory, { process: 'E', lanes: 3, limit: 20 }, half],
        [releaseMoments, {}, range],
        [releaseMoments, { at_least_ms: 0.1, bucket_ms: 5, limit: 50 }, half],
        [wakeChain, {}, range],
        [wakeChain, { past_dpc_ms: 50 }, half],
        [wakeChain, { depth: 3, limit: 5 }, short],
        ...chosenRuns.map((run) => [wakeChain, { past_dpc_ms: 5, ...run }, range] as const),
      ] as const) {
        const of = view as View<ParamSpecs, unknown>;
        const [expected, found] = [
          await loadAll(of, bySql, given, within),
          await loadAll(of, byColumns, given, within),
        ];
        expect(found, `${view.id} ${JSON.stringify(given)}`).toEqual(expected);
      }
      const measures = (query: Query) => {
        const measured = new MeasuredTrace(query, range);
        return Promise.all(MEASURE_NAMES.map((measure) => measured.asTable(measure, LEAST[measure] ?? 0)));
      };
      expect(await measures(byColumns)).toEqual(await measures(bySql));
      const first = await overview.load(byColumns, readParams(overview.params, {}), range);
      const exact = await overview.load(bySql, readParams(overview.params, {}), range);
      const later = await overview.later?.load(bySql, readParams(overview.params, {}), range, exact);
      expect(first.facts).toEqual(exact.facts);
      expect(first.recorded).toEqual(exact.recorded);
      expect(first.missing).toEqual(exact.missing);
      if (first.facts.context_switches > 0) {
        expect(first.processes.map(({ ran_ns }) => ran_ns)).toEqual(
          later?.processes.map(({ ran_ns }) => ran_ns),
        );
        const laterOfColumns = await overview.later?.load(
          byColumns,
          readParams(overview.params, {}),
          range,
          first,
        );
        expect(laterOfColumns?.waits).toEqual(later?.waits);
      }
      await host.close(id);
    },
  );
});

/** A model without the order of what is equal in all that it is sorted by. */
function inAnyOrder(model: Listed) {
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  const { waits, groups, meanwhile, by_why, ...rest } = model;
  return {
    ...rest,
    waits: sorted(waits),
    groups: sorted(groups),
    by_why: sorted(by_why),
    meanwhile: meanwhile && {
      ...meanwhile,
      by_thread: sorted(meanwhile.by_thread),
      spans: sorted(meanwhile.spans),
    },
  };
}
