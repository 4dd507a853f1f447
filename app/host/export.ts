import { OpenError } from './api.ts';
import {
  exportArguments,
  reportOf,
  type ConverterFormat,
  type ExportFormat,
  type ExportWish,
} from './export-arguments.ts';
import { exportDatabase } from './export-database.ts';
import type { ExportReport } from './export-request.ts';
import { runConverter } from './run-converter.ts';

/** One export of a recording. */
export interface Export extends Omit<ExportWish, 'format'> {
  /** Absent: a Perfetto trace. */
  readonly format?: ExportFormat | undefined;
  readonly converter: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/**
 * Writes a recording to be given away, in one pass of the converter over the original files; resolves with what was in it.
 * Rejects as `convert` does.
 */
export async function exportRecording(wish: Export): Promise<ExportReport> {
  const { output, format = 'pftrace', signal } = wish;
  if (format !== 'sqlite') return exportFiles(wish, output, format);
  if (output === null) throw new OpenError('selection', 'a database is written: name its file');
  return exportDatabase(output, (folder) => exportFiles(wish, folder, 'arrow'), signal);
}

/** What the converter writes by itself. */
async function exportFiles(
  { converter, inputs, request, signal, onProgress }: Export,
  output: string | null,
  format: ConverterFormat,
): Promise<ExportReport> {
  const args = exportArguments({ inputs, output, format, request });
  const end = await runConverter({ converter, args, signal, onProgress });
  return reportOf(end, inputs);
}
