import { formatBytes } from '../../shared/model/index.ts';
import { TooLargeError } from './api.ts';
import type { TracePart } from './api.ts';
import type { TraceOverview } from './overview.ts';
import { limitArguments, readInfo } from './overview.ts';
import { partArguments } from './part.ts';
import { assertConvertible, converterError, isDone, runConverter } from './run-converter.ts';
import type { ConverterLimits } from './run-converter.ts';

/** One run of the converter. */
export interface Conversion {
  readonly converter: string;
  /** The files of one recording. */
  readonly inputs: readonly string[];
  readonly output: string;
  /** The folder for scheduling as columns, which is left out of the output then; null for all in the output. */
  readonly columns?: string | null;
  readonly part: TracePart;
  /** The most that it may take of the engine's memory. */
  readonly engineBytes: number;
  readonly limits?: ConverterLimits | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Converts an `.etl` to a Perfetto trace in a child process; resolves with what was lost, in words, if anything was.
 * Rejects with an {@link OpenError} that carries the converter's own message, or with the signal's reason after the
 * converter has ended.
 */
export async function convert({
  converter,
  inputs,
  output,
  columns = null,
  part,
  engineBytes,
  limits,
  signal,
  onProgress,
}: Conversion): Promise<string[]> {
  await assertConvertible(inputs, limits);
  const args = [
    ...partArguments(part),
    ...limitArguments(engineBytes),
    ...(columns === null ? [] : ['--columns', columns]),
    '--progress',
    'json',
    '-o',
    output,
    '--',
    ...inputs,
  ];
  const end = await runConverter({ converter, args, limits, signal, onProgress });
  if (isDone(end)) return end.warnings;
  const input = inputs.join(' + ');
  const overview = end.status === 4 ? readInfo(end.printed, engineBytes) : null;
  if (overview !== null) throw new TooLargeError(tooLarge(input, overview), overview);
  throw converterError(input, end);
}

function tooLarge(input: string, { limit_bytes, choices }: TraceOverview): string {
  const needed = choices.reduce((sum, { engine_bytes }) => sum + engine_bytes, 0);
  return `${input}: takes about ${formatBytes(needed)} in the engine, which holds about ${formatBytes(limit_bytes)}: choose a part with --from, --to, --only or --skip`;
}
