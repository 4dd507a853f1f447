import { parseArgs } from 'node:util';
import { launchElectron } from '../electron/launch.ts';
import type { Command } from './command.ts';
import { existing, serveTraces } from './serve.ts';
import { root } from './session.ts';
import { say } from './terminal.ts';

/** `outrank open`: the desktop window. */
export const open: Command = {
  name: 'open',
  usage: '[TRACE]',
  summary: 'show a trace in the Outrank window, or in the browser where no window can be had',
  async run(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const traces = await Promise.all(positionals.map(existing));
    const launch = await launchElectron(root, traces);
    if (launch.started) return 0;
    say(`no window can be shown (${launch.reason}): serving to the browser instead`);
    return serveTraces(traces);
  },
};
