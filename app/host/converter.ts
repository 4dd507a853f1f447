import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { OpenError } from './api.ts';

/** What `outrank-convert --progress json` writes to stderr, a line each. */
const line = v.union([
  v.object({ stage: v.picklist(['index', 'convert']), fraction: v.number() }),
  v.object({ warning: v.string() }),
  v.object({ error: v.string() }),
]);

/** Part of the whole that the index of buffer headers takes, for one progress over both of the converter's stages. */
const INDEX_SHARE = 0.1;
/** A damaged trace may have a warning for each of its buffers; nobody reads more than these. */
const MOST_WARNINGS = 100;

/** One run of the converter. */
export interface Conversion {
  readonly converter: string;
  readonly input: string;
  readonly output: string;
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
  input,
  output,
  signal,
  onProgress,
}: Conversion): Promise<string[]> {
  signal?.throwIfAborted();
  const child = spawn(converter, [input, '-o', output, '--progress', 'json'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = (): boolean => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  const ended = new Promise<string | number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, name) => resolve(code ?? name ?? 'unknown'));
  });

  const warnings: string[] = [];
  let unsaid = 0;
  let message = '';
  createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', (text) => {
    const said = readLine(text);
    if (said === null) message = text;
    else if ('error' in said) message = said.error;
    else if ('stage' in said) onProgress?.(overall(said.stage, said.fraction));
    else if (warnings.length < MOST_WARNINGS) warnings.push(said.warning);
    else unsaid += 1;
  });

  try {
    const status = await ended.catch((error: unknown) => {
      throw new OpenError('converter', `${converter}: the converter cannot be started: ${String(error)}`);
    });
    signal?.throwIfAborted();
    if (unsaid > 0) warnings.push(`and ${unsaid} more warnings of this kind`);
    if (status === 0 || status === 3) return warnings;
    if (status === 2) throw new OpenError('not_a_trace', message || `${input}: not readable as a trace`);
    throw new OpenError('converter', message || `${input}: the converter failed (${status})`);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

function readLine(text: string): v.InferOutput<typeof line> | null {
  try {
    const result = v.safeParse(line, JSON.parse(text));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}

function overall(stage: 'index' | 'convert', fraction: number): number {
  const within = Math.min(1, Math.max(0, fraction));
  return stage === 'index' ? INDEX_SHARE * within : INDEX_SHARE + (1 - INDEX_SHARE) * within;
}
