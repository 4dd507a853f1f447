import { OpenError } from './api.ts';
import { converterError, isDone, type ConverterEnd } from './converter-talk.ts';
import type { ExportReport, ExportRequest } from './export-request.ts';
import { readReport } from './export-request.ts';
import { partArguments } from './part.ts';
import { isConverted } from './is-converted.ts';

/** What an export can be: a Perfetto trace; its tables as columns, a file each; or its tables as one SQLite database. */
export const EXPORT_FORMATS = ['pftrace', 'arrow', 'parquet', 'sqlite'] as const;
/** One of {@link EXPORT_FORMATS}. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** One that the converter writes by itself. */
export type ConverterFormat = Exclude<ExportFormat, 'sqlite'>;

/** What is exported of what. */
export interface ExportWish {
  /** The files of one recording. */
  readonly inputs: readonly string[];
  /** The Perfetto trace to write; null only tells what would be in it. */
  readonly output: string | null;
  /** Absent: a Perfetto trace. Columns are of the whole trace: `part` and `processes` must be empty, and `output` is a folder. */
  readonly format?: ConverterFormat | undefined;
  readonly request: ExportRequest;
}

/** The arguments by which the converter exports. Throws an `OpenError` for what is converted already. */
export function exportArguments({ inputs, output, format = 'pftrace', request }: ExportWish): string[] {
  // What it tells is told in too many places to be taken out again.
  const converted = inputs.find(isConverted);
  if (converted !== undefined)
    throw new OpenError(
      'selection',
      `${converted}: is converted already: export the .etl that it was made of`,
    );
  return [
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
}

/** What an export told; throws an `OpenError` of one that failed. */
export function reportOf(end: ConverterEnd, inputs: readonly string[]): ExportReport {
  const report = isDone(end) ? readReport(parse(end.printed)) : null;
  if (report === null) throw converterError(inputs.join(' + '), end);
  return report;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
