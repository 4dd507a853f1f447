import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { OpenError } from '../api.ts';
import { converterCommand } from '../run-converter.ts';
import { readAnswer, requestLine, type Answer } from './talk.ts';
import type { WantedModule } from './wanted.ts';

/** Has Node's own client ask servers as the binary does: by the proxy of the environment, with the certificates that the system trusts. */
const AS_THE_SYSTEM = { NODE_USE_ENV_PROXY: '1', NODE_USE_SYSTEM_CA: '1' } as const;

/** One run of `outrank-symbols`. */
export interface SymbolRun {
  /** The binary, or its module of WebAssembly. */
  readonly symbolizer: string;
  /** Where to look, as `_NT_SYMBOL_PATH`. */
  readonly path: string;
  readonly cacheDir: string;
  /** Modules with an identity. */
  readonly modules: readonly WantedModule[];
  readonly signal?: AbortSignal | undefined;
}

/** Yields the answers in their order. Throws an {@link OpenError} if the path cannot be meant, or the signal's reason. */
export async function* runSymbolizer(run: SymbolRun): AsyncGenerator<Answer> {
  const { symbolizer, path, cacheDir, modules, signal } = run;
  signal?.throwIfAborted();
  const { program, first, env } = converterCommand(symbolizer);
  const child = spawn(program, [...first, '--path', path, '--cache', cacheDir], {
    env: { ...AS_THE_SYSTEM, ...env },
    stdio: 'pipe',
  });
  const kill = (): boolean => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  const ended = new Promise<{ readonly code: number | null; readonly error: Error | null }>((resolve) => {
    child.once('error', (error) => resolve({ code: null, error }));
    child.once('close', (code) => resolve({ code, error: null }));
  });
  let message = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (message += piece));
  // One that ends early does not read to the end: how it ended tells why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(modules.map((module, index) => `${requestLine(module, index)}\n`).join(''));
  try {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
      yield readAnswer(line);
    }
    const { code, error } = await ended;
    signal?.throwIfAborted();
    if (code === 0) return;
    if (error !== null)
      throw new OpenError('symbols', `${symbolizer}: outrank-symbols cannot be started: ${error.message}`);
    const said = message.trim().split('\n').at(-1) ?? '';
    throw new OpenError('symbols', said.replace(/^outrank-symbols: error: /, '') || 'outrank-symbols failed');
  } finally {
    signal?.removeEventListener('abort', kill);
    kill();
  }
}
