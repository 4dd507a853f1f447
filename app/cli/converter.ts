import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { converterCommand } from '../host/run-converter.ts';
import { UsageError, type Command } from './command.ts';
import { PART_DETAILS, PART_USAGE } from './part.ts';
import { places } from './session.ts';
import { say } from './terminal.ts';
import { requireUnit } from './time.ts';

/** `outrank convert`: the converter itself. */
export const convert: Command = {
  name: 'convert',
  usage: `TRACE… [-o OUT.pftrace] [--progress bar|json|none] [--strict] ${PART_USAGE}`,
  details: [
    '-o OUT.pftrace       the file to write; by default the first TRACE with the extension .pftrace',
    '--progress HOW       what is shown on stderr: bar (the default, on a terminal), json (an object a line), none (errors alone)',
    '--strict             refuse a trace that lost anything, and write nothing',
    ...PART_DETAILS,
  ],
  summary:
    'convert an .etl, or the several of one recording, to a Perfetto trace, which also opens in ui.perfetto.dev',
  async run(args) {
    needsTrace(args);
    requireUnits(args);
    return runConverter(args);
  },
};

/** Throws a {@link UsageError} where a time among the converter's arguments lacks its unit. */
function requireUnits(args: readonly string[]): void {
  const options = { from: { type: 'string' }, to: { type: 'string' } } as const;
  const { from, to } = parseArgs({ args: [...args], strict: false, options }).values;
  if (typeof from === 'string') requireUnit('from', from);
  if (typeof to === 'string') requireUnit('to', to);
}

/** Throws a {@link UsageError} where no argument could be a file. The converter reports all else. */
export function needsTrace(args: readonly string[]): void {
  if (!args.includes('--') && args.every((arg) => arg.startsWith('-')))
    throw new UsageError('TRACE is missing');
}

/** Runs the converter in this terminal, or without what it prints; its exit code. */
export function runConverter(
  args: readonly string[],
  stdout: 'inherit' | 'ignore' = 'inherit',
): Promise<number> {
  return new Promise((resolve) => {
    const { program, first, env } = converterCommand(places.converter);
    const child = spawn(program, [...first, ...args], { env, stdio: ['inherit', stdout, 'inherit'] });
    // An interrupt reaches the whole terminal: the converter clears up, and its end is awaited.
    const wait = (): void => undefined;
    process.on('SIGINT', wait);
    child.once('error', (error) => {
      say(`${places.converter}: the converter cannot be started: ${error.message}`);
      resolve(1);
    });
    child.once('close', (code, signal) => {
      process.off('SIGINT', wait);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
