import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { formatBytes } from '../../shared/model/index.ts';
import { OpenError, TooLargeError } from './api.ts';
import type { TracePart } from './api.ts';
import type { TraceOverview } from './overview.ts';
import { limitArguments, readInfo } from './overview.ts';
import { partArguments } from './part.ts';

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
  /** The files of one recording. */
  readonly inputs: readonly string[];
  readonly output: string;
  readonly part: TracePart;
  /** The most that it may take of the engine's memory. */
  readonly engineBytes: number;
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
  part,
  engineBytes,
  signal,
  onProgress,
}: Conversion): Promise<string[]> {
  signal?.throwIfAborted();
  const args = [
    ...partArguments(part),
    ...limitArguments(engineBytes),
    '--progress',
    'json',
    '-o',
    output,
    '--',
    ...inputs,
  ];
  const input = inputs.join(' + ');
  const child = spawn(converter, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): boolean => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  const ended = new Promise<string | number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, name) => resolve(code ?? name ?? 'unknown'));
  });

  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
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
    const overview = status === 4 ? readInfo(printed, engineBytes) : null;
    if (overview !== null) throw new TooLargeError(tooLarge(input, overview), overview);
    if (status === 1 && message !== '') throw new OpenError('selection', message);
    if (status === 2) throw new OpenError('not_a_trace', message || `${input}: not readable as a trace`);
    throw new OpenError('converter', message || `${input}: the converter failed (${status})`);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

function tooLarge(input: string, { limit_bytes, choices }: TraceOverview): string {
  const needed = choices.reduce((sum, { engine_bytes }) => sum + engine_bytes, 0);
  return `${input}: takes about ${formatBytes(needed)} in the engine, which holds about ${formatBytes(limit_bytes)}: choose a part with --from, --to, --only or --skip`;
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
