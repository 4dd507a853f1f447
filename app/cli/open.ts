import { parseArgs } from 'node:util';
import { launchElectron } from '../electron/launch.ts';
import type { Command } from './command.ts';
import { partArguments } from '../host/part.ts';
import { OPEN_DETAILS, OPEN_USAGE, PART_OPTIONS, readPart } from './part.ts';
import { existing, serveTraces } from './serve.ts';
import { root } from './session.ts';
import { say } from './terminal.ts';

/** `outrank open`: the desktop window. */
export const open: Command = {
  name: 'open',
  usage: `[TRACE] ${OPEN_USAGE}`,
  summary: 'show a trace in the Outrank window, or in the browser where no window can be had',
  details: [
    ...OPEN_DETAILS,
    'A part chosen here, or several files, are shown in the browser; the window offers the choice of a part itself.',
  ],
  async run(args) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: PART_OPTIONS });
    const traces = await Promise.all(positionals.map(existing));
    const part = readPart(values);
    const others = await Promise.all(values.with.map(existing));
    if (partArguments(part).length > 0 || others.length > 0) return serveTraces(traces, { part, others });
    const launch = await launchElectron(root, traces);
    if (launch.started) return 0;
    say(`no window can be shown (${launch.reason}): serving to the browser instead`);
    return serveTraces(traces);
  },
};
