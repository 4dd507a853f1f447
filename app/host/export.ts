import { exportArguments, reportOf, type ExportWish } from './export-arguments.ts';
import type { ExportReport } from './export-request.ts';
import { runConverter } from './run-converter.ts';

/** One export of a recording. */
export interface Export extends ExportWish {
  readonly converter: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/**
 * Writes a recording to be given away, in one pass of the converter over the original files; resolves with what was in it.
 * Rejects as `convert` does.
 */
export async function exportRecording({
  converter,
  inputs,
  output,
  format,
  request,
  signal,
  onProgress,
}: Export): Promise<ExportReport> {
  const args = exportArguments({ inputs, output, format, request });
  const end = await runConverter({ converter, args, signal, onProgress });
  return reportOf(end, inputs);
}
