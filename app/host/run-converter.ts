import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { formatBytes } from '../../shared/model/index.ts';
import { OpenError } from './api.ts';
import { ConverterTalk, type ConverterEnd } from './converter-talk.ts';

/** Memory that Node takes of its own, where it runs the converter. */
const NODE_BYTES = 512 * 1024 ** 2;

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

/** What starts a converter: the binary itself. For a WebAssembly module, Node runs the script of the same name. */
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

  const talk = new ConverterTalk(onProgress);
  child.stdout.setEncoding('utf8').on('data', (piece: string) => talk.print(piece));
  createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', (text) => talk.hear(text));

  try {
    const status = await ended.catch((error: unknown) => {
      throw new OpenError('converter', `${converter}: the converter cannot be started: ${String(error)}`);
    });
    signal?.throwIfAborted();
    return talk.end(status);
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
