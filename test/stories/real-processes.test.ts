import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { readParams } from '../../shared/view/index.ts';
import type { ProcessLife } from '../../views/processes/model.ts';
import { processes } from '../../views/processes/view.ts';
import { system } from '../../views/system/view.ts';
import { describeReal, root, startHost, temporaryFolder } from '../../app/host/testing/real.ts';

const FOLDER = join(root, '..', 'shared', 'etl');
if (!existsSync(FOLDER)) console.warn(`SKIPPED: processes of real traces, since ${FOLDER} is missing`);

const RANGE = { start: 0, end: 1e15 };

/** What each file tells, roots in the order of their creation. Files that are not listed here record no processes. */
const KNOWN = {
  'net.4.5.2.x64.etl.zip': {
    processes: 32,
    roots: 'System csrss.exe csrss.exe wininit.exe winlogon.exe explorer.exe PerfView.exe',
    command_lines: 31,
    hosts_of_services: 16,
    services: 67,
  },
  'ShutdownPerfDiagLogger.etl': {
    processes: 96,
    roots: 'System csrss.exe wininit.exe csrss.exe winlogon.exe SecurityHealthSystray.exe ' + 'explorer.exe',
    command_lines: 93,
    hosts_of_services: 0,
    services: 0,
  },
  'TraceLoggingTester.etl.gz': {
    processes: 360,
    roots:
      'System csrss.exe wininit.exe csrss.exe winlogon.exe explorer.exe firefox.exe ' +
      'CNMNSST2.exe OUTLOOK.EXE csrss.exe winlogon.exe explorer.exe lghub_system_tray.exe ' +
      'lghub_agent.exe Spotify.exe CNMNSST2.exe steam.exe AdobeCollabSync.exe OneDrive.exe ' +
      'OneDrive.exe Microsoft.SharePoint.exe Taskmgr.exe csrss.exe winlogon.exe',
    command_lines: 357,
    hosts_of_services: 136,
    services: 150,
  },
  'diaghub.kernel.1.etl.gz': {
    processes: 240,
    roots:
      'System csrss.exe wininit.exe csrss.exe winlogon.exe sethc.exe conhost.exe ' +
      'b65e20d4-9c08-4400-8682-55d5b6c89fe4.exe csrss.exe winlogon.exe explorer.exe ' +
      'MusNotifyIcon.exe',
    command_lines: 237,
    hosts_of_services: 113,
    services: 123,
  },
  'classic/process_data_64_v3.etl': {
    processes: 3,
    roots: 'System notepad.exe',
    command_lines: 2,
    hosts_of_services: 0,
    services: 0,
  },
};

describe.skipIf(!existsSync(FOLDER))('real traces', () => {
  describeReal('their processes and services', () => {
    test.each(Object.entries(KNOWN))('%s', async (file, known) => {
      const host = startHost(join(temporaryFolder(), 'cache'));
      const { id } = await host.open(join(FOLDER, file), {});
      const query = makeQuery((sql) => host.query(id, sql));
      const tree = await processes.load(query, readParams(processes.params, {}), RANGE);
      const machine = await system.load(query, readParams(system.params, {}), RANGE);
      const count = (has: (process: ProcessLife) => unknown) => tree.processes.filter(has).length;
      expect({
        roots: tree.processes
          .filter(({ depth }) => depth === 0)
          .map(({ name }) => name)
          .join(' '),
        processes: tree.processes.length,
        command_lines: count(({ command_line }) => command_line),
        hosts_of_services: count(({ services }) => services),
        services: machine.services.length,
      }).toEqual(known);
    });
  });
});
