import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { formatBytes } from '../../shared/model/index.ts';
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

/** What Rust's runtime says before it ends the program; two threads that fail at once write into one another's line. */
const OUT_OF_MEMORY = /^memory allocation of |^outrank-convert: no threads can be started/;

/** What a converter says whose writes fail in place of ending it, as Node's do. */
const FILE_TOO_LARGE = ': cannot be written: File too large';
/** Memory that Node takes of its own, where it runs the converter. */
const NODE_BYTES = 512 * 1024 ** 2;

/** How a run of the converter ended. */
export interface ConverterEnd {
  /** Its exit code, or the name of the signal that ended it. */
  readonly status: string | number;
  readonly printed: string;
  readonly warnings: string[];
  /** Its last message of an error; empty if there was none. */
  readonly message: string;
}

/** What a run of the converter may take. Held by the system where it is POSIX; elsewhere see {@link assertConvertible}. */
export interface ConverterLimits {
  readonly memoryBytes: number;
  /** The largest file that it may write. */
  readonly fileBytes: number;
}

/** A run of the converter: a child process that tells its progress. */
export interface ConverterRun {
  readonly converter: string;
  /** Its arguments, without the choice of progress. */
  readonly args: readonly string[];
  /** Absent: no limits. */
  readonly limits?: ConverterLimits | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** How the converter is started. */
export interface ConverterCommand {
  readonly program: string;
  /** The arguments that come before those of the converter. */
  readonly first: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** What a converter is started by: a binary by itself, a WebAssembly module by the script beside it, which Node runs. */
export function converterCommand(converter: string): ConverterCommand {
  if (!isWasm(converter)) return { program: converter, first: [], env: process.env };
  const script = `${converter.slice(0, -WASM.length)}.mjs`;
  // Within Electron the running program is Electron, which is told to be the Node that it holds.
  return { program: process.execPath, first: [script], env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } };
}

const WASM = '.wasm';
const isWasm = (converter: string): boolean => converter.endsWith(WASM);

/** Runs the converter to its end. Rejects if it cannot be started, or with the signal's reason after it has ended. */
export async function runConverter({
  converter,
  args,
  limits,
  signal,
  onProgress,
}: ConverterRun): Promise<ConverterEnd> {
  signal?.throwIfAborted();
  const { program, first, env } = converterCommand(converter);
  const own = [program, ...first, ...args] as const;
  const [started, ...given] = limits === undefined ? own : limited(limits, own, isWasm(converter));
  const child = spawn(started, given, { env, stdio: ['ignore', 'pipe', 'pipe'] });
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
    if (said === null) message ||= text;
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
    return { status, printed, warnings, message };
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

/**
 * Rejects files that are larger together than the memory that their conversion may take, where the system has no limits of
 * its own (Windows): what a conversion takes grows with its files, and is less than these but for small ones.
 */
export async function assertConvertible(
  inputs: readonly string[],
  limits: ConverterLimits | undefined,
): Promise<void> {
  if (limits === undefined || process.platform !== 'win32') return;
  const sizes = await Promise.all(inputs.map((path) => stat(path).then(({ size }) => size)));
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
  if (sizeBytes <= limits.memoryBytes) return;
  const most = formatBytes(limits.memoryBytes);
  throw new OpenError(
    'converter',
    `${inputs.join(' + ')}: has ${formatBytes(sizeBytes)}: here no more than ${most} are converted, since Windows does not limit what a conversion takes`,
  );
}

/** The program and arguments that run a command within limits. */
function limited(
  { memoryBytes, fileBytes }: ConverterLimits,
  command: readonly [string, ...string[]],
  byNode: boolean,
): readonly [string, ...string[]] {
  if (process.platform === 'win32') return command;
  // The shell becomes the converter, so that a signal reaches it. POSIX counts files in blocks of 512 bytes.
  const blocks = Math.ceil(fileBytes / 512);
  const kibibytes = Math.ceil((memoryBytes + (byNode ? NODE_BYTES : 0)) / 1024);
  const shell = `ulimit -d ${kibibytes} && ulimit -f ${blocks} && exec "$0" "$@"`;
  return ['/bin/sh', '-c', shell, ...command];
}

/** The error that a run which did not do its work is to its caller. */
export function converterError(input: string, { status, message }: ConverterEnd): OpenError {
  if (OUT_OF_MEMORY.test(message))
    return new OpenError('converter', `${input}: the converter needs more memory than it may have here`);
  if (status === 'SIGXFSZ' || message.includes(FILE_TOO_LARGE))
    return new OpenError('converter', `${input}: takes more room when it is converted than it may have here`);
  if (status === 1 && message !== '') return new OpenError('selection', message);
  if (status === 2) return new OpenError('not_a_trace', message || `${input}: not readable as a trace`);
  return new OpenError('converter', message || `${input}: the converter failed (${status})`);
}

/** Whether the work was done; what was lost is among the warnings. */
export const isDone = ({ status }: ConverterEnd): boolean => status === 0 || status === 3;

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
