import { OpenError } from './api.ts';
import type { ExportReport, ExportRequest } from './export-request.ts';
import { readReport } from './export-request.ts';
import { partArguments } from './part.ts';
import { converterError, isDone } from './converter-talk.ts';
import { runConverter } from './run-converter.ts';

/** What an export can be: a Perfetto trace, or its tables as columns, a file each. */
export const EXPORT_FORMATS = ['pftrace', 'arrow', 'parquet'] as const;
/** One of {@link EXPORT_FORMATS}. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** One export of a recording. */
export interface Export {
  readonly converter: string;
  /** The files of one recording. */
  readonly inputs: readonly string[];
  /** The Perfetto trace to write; null only tells what would be in it. */
  readonly output: string | null;
  /** Absent: a Perfetto trace. Columns are of the whole trace: `part` and `processes` must be empty, and `output` is a folder. */
  readonly format?: ExportFormat;
  readonly request: ExportRequest;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** A trace that is converted: what it tells is told in too many places to be taken out again. */
const CONVERTED = /\.(pftrace|perfetto-trace)$/i;

/**
 * Writes a recording to be given away, in one pass of the converter over the original files; resolves with what was in it.
 * Rejects as `convert` does.
 */
export async function exportRecording({
  converter,
  inputs,
  output,
  format = 'pftrace',
  request,
  signal,
  onProgress,
}: Export): Promise<ExportReport> {
  const input = inputs.join(' + ');
  const converted = inputs.find((path) => CONVERTED.test(path));
  if (converted !== undefined)
    throw new OpenError(
      'selection',
      `${converted}: is converted already: export the .etl that it was made of`,
    );
  const args = [
    ...(format === 'pftrace'
      ? ['redact', ...partArguments(request.part)]
      : ['columns', `--format=${format}`]),
    ...request.processes.map((process) => `--process=${process}`),
    `--redact=${request.redact}`,
    '--json',
    '--progress',
    'json',
    ...(output === null ? [] : ['-o', output]),
    '--',
    ...inputs,
  ];
  const end = await runConverter({ converter, args, signal, onProgress });
  const report = isDone(end) ? readReport(parse(end.printed)) : null;
  if (report === null) throw converterError(input, end);
  return report;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
