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
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

const STATES =
  'No thread states and wait reasons were recorded: waits of preempted threads are not known. Record with the kernel flag CSWITCH without COMPACT_CSWITCH (in WPR: the CPU profile).';
const noRanks = (without: string) =>
  `No thread ranks were recorded: ${without}. Record with context switches of Windows 7 or later (version 2), not compact ones.`;

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
      expect(notes).toEqual([STATES]);
      expect((await load(cpuUsage)).notes).toEqual([noRanks('ranks are not shown')]);
      expect((await load(rankHistory)).notes).toEqual([noRanks('there is nothing to show')]);
      expect((await load(releaseMoments)).notes).toEqual([STATES]);
      const chain = await load(wakeChain);
      expect(chain.notes).toEqual([STATES]);
      expect(chain.links.map(({ process }) => process)).toEqual(['LockApp.exe', 'System']);
      const { not_recorded } = await load(system);
      expect(not_recorded.map(({ what }) => what)).toContain(
        'Thread states and wait reasons: why threads stopped running',
      );
    },
  );
});
