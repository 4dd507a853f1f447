import type { TracePart } from './api.ts';
import { conversionArguments, warningsOf } from './conversion.ts';
import { assertConvertible, runConverter } from './run-converter.ts';
import type { ConverterLimits } from './run-converter.ts';

/** One run of the converter. */
export interface Conversion {
  readonly converter: string;
  /** The files of one recording. */
  readonly inputs: readonly string[];
  readonly output: string;
  /** The folder for scheduling as columns, which is left out of the output then; null for all in the output. */
  readonly columns?: string | null;
  /** The folder for the same tables as Parquet; absent where only columns are wanted. */
  readonly parquet?: string | undefined;
  /** Providers whose events alone the columns have, and one event of the others; absent: all events. */
  readonly eventsOf?: readonly string[] | undefined;
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
  parquet,
  eventsOf,
  part,
  engineBytes,
  limits,
  signal,
  onProgress,
}: Conversion): Promise<string[]> {
  await assertConvertible(inputs, limits);
  const args = conversionArguments({ part, engineBytes, output, columns, parquet, eventsOf, inputs });
  const end = await runConverter({ converter, args, limits, signal, onProgress });
  return warningsOf(end, inputs, engineBytes);
}
