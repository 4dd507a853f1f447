import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { formatBytes } from '../../shared/model/index.ts';
import type { Gift } from '../host/api.ts';
import { converterError, isDone } from '../host/converter-talk.ts';
import { exportRecording } from '../host/export.ts';
import { isConverted } from '../host/is-converted.ts';
import { WHOLE } from '../host/part.ts';
import { runConverter } from '../host/run-converter.ts';
import { exportTable } from './export-table.ts';
import { places } from './session.ts';
import { progressLine, say } from './terminal.ts';
import { requireUnit } from './time.ts';

/** The options that say what of a recording is given away, for `parseArgs`. */
export const GIFT_OPTIONS = {
  redact: { type: 'string' },
  process: { type: 'string', multiple: true, default: [] as string[] },
  from: { type: 'string' },
  until: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const;

/** How the help names them. */
export const GIFT_USAGE = '[--redact LIST] [--process P]… [--from TIME] [--until TIME] [--yes]';

/** What the help says of them. */
export const GIFT_DETAILS = [
  '--redact LIST        give away an export instead of the recording itself: what it leaves out, as outrank export takes it',
  '--process P          keep more than scheduling of this process only; may be given more than once; an export too',
  '--from, --until TIME',
  '                     give away this part only, as --from and --to of outrank export; an export too',
  '--yes                do not show what is inside, and do not ask',
];

/** What of a recording is given away, as options say it. */
export interface GiftValues {
  readonly redact?: string | undefined;
  readonly process: readonly string[];
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** An export, if any option asks for one; else the files as they are. */
export function readGift({ redact, process: processes, from, until }: GiftValues): Gift {
  if (redact === undefined && processes.length === 0 && from === undefined && until === undefined)
    return null;
  if (from !== undefined) requireUnit('from', from);
  if (until !== undefined) requireUnit('until', until);
  return { part: { ...WHOLE, from: from ?? null, to: until ?? null }, processes, redact: redact ?? 'all' };
}

/** Whether somebody is there to be asked. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Rejects files that hold no recording, and that nobody is shown before they are given away as they are. */
export async function assertRecordings(files: readonly string[]): Promise<void> {
  const inputs = files.filter((path) => !isConverted(path));
  if (inputs.length === 0) return;
  const line = progressLine();
  const end = await runConverter({
    converter: places.converter,
    args: ['info', '--', ...inputs],
    onProgress: (fraction) => line.show({ stage: 'convert', fraction }),
  }).finally(line.clear);
  if (!isDone(end)) throw converterError(inputs.join(' + '), end);
}

/** Shows what is inside what would be given away, and asks; whether the user agrees. */
export async function agrees(
  files: readonly string[],
  sizeBytes: number,
  gift: Gift,
  question: string,
): Promise<boolean> {
  const name = files.map((path) => basename(path)).join(' + ');
  if (files.some(isConverted)) {
    say(`${name}, ${formatBytes(sizeBytes)}: is converted: only its .etl says what its recording held`);
  } else {
    const line = progressLine();
    const report = await exportRecording({
      converter: places.converter,
      inputs: files,
      output: null,
      request: gift ?? { part: WHOLE, processes: [], redact: 'none' },
      onProgress: (fraction) => line.show({ stage: 'convert', fraction }),
    }).finally(line.clear);
    const [size = '', ...table] = exportTable(report, null);
    const head = gift === null ? `${name}, ${formatBytes(sizeBytes)}, is given away as it is.` : size;
    process.stderr.write(`${[head, ...table].join('\n')}\n`);
  }
  return isYes(`${question} [y/N] `);
}

/** Asks on the terminal; whether the answer is yes. The end of the input is none, and so is an interrupt. */
async function isYes(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // A question whose input ends is never answered, or rejected: that depends on how it ends.
  const ended = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)));
  const answer = await Promise.race([terminal.question(question).catch(() => null), ended]);
  terminal.close();
  if (answer === null) process.stderr.write('\n');
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
