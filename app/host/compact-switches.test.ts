import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { readParams, type ParamSpecs, type View } from '../../shared/view/index.ts';
import { cpuUsage } from '../../views/cpu-usage/view.ts';
import { rankHistory } from '../../views/rank-history/view.ts';
import { readyLatency } from '../../views/ready-latency/view.ts';
import { releaseMoments } from '../../views/release-moments/view.ts';
import { system } from '../../views/system/view.ts';
import { wakeChain } from '../../views/wake-chain/view.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

const COMPACT =
  'Context switches were recorded in their compact form, without ranks, thread states and wait reasons. Record with the kernel flag CSWITCH and without COMPACT_CSWITCH.';
const NO_RANKS =
  'Thread ranks were not recorded: they come with context switches of version 2 or later, not with compact ones.';

describeReal('the lock screen story in compact context switches', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  async function opened() {
    const path = writeTrace(join(folder, 'lock-screen.etl'), 'lock-screen', '--compact');
    const { id } = await host.open(path, {});
    const query = makeQuery((sql) => host.query(id, sql));
    const [trace] = (await query('SELECT start_ts, end_ts FROM etw_trace')).rows();
    const range = { start: Number(trace?.start_ts), end: Number(trace?.end_ts) };
    return <P extends ParamSpecs, M>(view: View<P, M>) =>
      view.load(query, readParams(view.params, {}), range);
  }

  test(
    'it is told who ran, waited and woke, and what of it is not recorded',
    { timeout: 60_000 },
    async () => {
      const load = await opened();
      const { waits, notes } = await load(readyLatency);
      const [longest] = waits;
      expect({ process: longest?.process, dur: longest?.dur, rank: longest?.rank }).toEqual({
        process: 'LockApp.exe',
        dur: 19_493_000_000,
        rank: null,
      });
      expect(notes).toEqual([COMPACT, 'Waits of preempted threads are therefore not known.']);
      expect((await load(cpuUsage)).notes).toEqual([NO_RANKS]);
      expect((await load(rankHistory)).notes).toEqual([NO_RANKS]);
      expect((await load(releaseMoments)).notes).toEqual([COMPACT]);
      const chain = await load(wakeChain);
      expect(chain.notes).toEqual([COMPACT]);
      expect(chain.links.map(({ process }) => process)).toEqual(['LockApp.exe', 'System']);
      const { not_recorded } = await load(system);
      expect(not_recorded.map(({ what }) => what)).toContain(
        'Why threads stopped running: their states, wait reasons and ranks',
      );
    },
  );
});
