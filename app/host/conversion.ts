import { formatBytes } from '../../shared/model/index.ts';
import { TooLargeError } from './api.ts';
import type { TracePart } from './api.ts';
import { converterError, isDone, type ConverterEnd } from './converter-talk.ts';
import { limitArguments, readInfo, type TraceOverview } from './overview.ts';
import { partArguments } from './part.ts';

/** What a run of the converter makes of what. */
export interface ConversionWish {
  /** The files of one recording. */
  readonly inputs: readonly string[];
  readonly output: string;
  /** The folder for scheduling as columns, which is left out of the output then; null for all in the output. */
  readonly columns: string | null;
  /** The folder for the same tables as Parquet; absent where only columns are wanted. */
  readonly parquet?: string | undefined;
  /** Providers whose events alone the columns have, and one event of the others; absent: all events. */
  readonly eventsOf?: readonly string[] | undefined;
  readonly part: TracePart;
  /** The most that it may take of the engine's memory, where it has no columns. */
  readonly engineBytes: number;
}

/** The arguments by which the converter writes a Perfetto trace. */
export function conversionArguments({
  part,
  engineBytes,
  output,
  columns,
  parquet,
  eventsOf,
  inputs,
}: ConversionWish): string[] {
  return [
    ...partArguments(part),
    ...(columns === null ? limitArguments(engineBytes) : ['--columns', columns]),
    ...(columns === null || parquet === undefined ? [] : ['--parquet', parquet]),
    ...(columns === null || eventsOf === undefined ? [] : [`--events-of=${eventsOf.join(',')}`]),
    '--progress',
    'json',
    '-o',
    output,
    '--',
    ...inputs,
  ];
}

/** What was lost, in words, of a run that wrote a trace; throws an `OpenError` with the converter's own message of another. */
export function warningsOf(end: ConverterEnd, inputs: readonly string[], engineBytes: number): string[] {
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
