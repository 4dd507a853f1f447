import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ConverterTalk, converterError, isDone } from '../host/converter-talk.ts';
import { partArguments } from '../host/part.ts';
import { converterCommand } from '../host/run-converter.ts';
import { choice, UsageError, type Command } from './command.ts';
import { OPEN_DETAILS, OPEN_USAGE, PART_OPTIONS, readPart } from './part.ts';
import { existing } from './serve.ts';
import { places } from './session.ts';
import { progressLine, say } from './terminal.ts';

/** `outrank convert`: the converter itself. */
export const convert: Command = {
  name: 'convert',
  usage: `TRACE… [-o OUT.pftrace] [--progress bar|json|none] [--strict] ${OPEN_USAGE}`,
  details: [
    '-o OUT.pftrace       the file to write; by default the first TRACE with the extension .pftrace',
    '--progress HOW       what is shown on stderr: bar (the default, on a terminal), json (an object a line), none (errors alone)',
    '--strict             refuse a trace that lost anything, and write nothing',
    ...OPEN_DETAILS,
  ],
  summary:
    'convert an .etl, or the several of one recording, to a Perfetto trace, which also opens in ui.perfetto.dev',
  async run(args) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...PART_OPTIONS,
        output: { type: 'string', short: 'o' },
        progress: { type: 'string', default: 'bar' },
        strict: { type: 'boolean', default: false },
      },
    });
    const progress = choice('progress', values.progress, ['bar', 'json', 'none']);
    const wish = [
      ...partArguments(readPart(values)),
      ...(values.strict ? ['--strict'] : []),
      ...(values.output === undefined ? [] : [`--output=${values.output}`]),
      '--progress=json',
    ];
    const inputs = await recordingFiles(positionals, values.with);
    if (progress === 'json')
      return runConverter([...wish, '--', ...inputs], (line) => process.stderr.write(`${line}\n`));
    const bar = progressLine();
    return tellEnd(wish, inputs, {
      onProgress: progress === 'bar' ? (fraction) => bar.show({ stage: 'convert', fraction }) : undefined,
      onEnd: bar.clear,
    });
  },
};

/** The files of one recording, as the user named them; throws where one is missing. */
export async function recordingFiles(
  traces: readonly string[],
  others: readonly string[],
): Promise<string[]> {
  if (traces.length === 0) throw new UsageError('TRACE is missing');
  const paths = [...traces, ...others];
  await Promise.all(paths.map(existing));
  return paths;
}

/** How a run of the converter is shown. */
interface Telling {
  readonly stdout?: 'inherit' | 'ignore';
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly onEnd?: () => void;
}

/** Runs the converter in this terminal, and tells what it warns of and what was wrong as every command does; its exit code. */
export async function tellEnd(
  wish: readonly string[],
  inputs: readonly string[],
  { stdout, onProgress, onEnd }: Telling,
): Promise<number> {
  const talk = new ConverterTalk(onProgress);
  const code = await runConverter([...wish, '--', ...inputs], (line) => talk.hear(line), stdout);
  onEnd?.();
  const end = talk.end(code);
  end.warnings.forEach(say);
  if (!isDone(end)) say(converterError(inputs.join(' + '), end).message);
  return code;
}

/** Runs the converter, whose lines on stderr are heard; its exit code. */
function runConverter(
  args: readonly string[],
  hear: (line: string) => void,
  stdout: 'inherit' | 'ignore' = 'inherit',
): Promise<number> {
  return new Promise((resolve) => {
    const { program, first, env } = converterCommand(places.converter);
    const child = spawn(program, [...first, ...args], { env, stdio: ['inherit', stdout, 'pipe'] });
    createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', hear);
    // An interrupt reaches the whole terminal: the converter clears up, and its end is awaited.
    const wait = (): void => undefined;
    process.on('SIGINT', wait);
    child.once('error', (error) => {
      hear(`${places.converter}: the converter cannot be started: ${error.message}`);
      resolve(1);
    });
    child.once('close', (code, signal) => {
      process.off('SIGINT', wait);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
