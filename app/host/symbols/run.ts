import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { OpenError } from '../api.ts';
import type { WantedModule } from './wanted.ts';

const named = v.object({
  rva: v.number(),
  function: v.string(),
  file: v.optional(v.string()),
  line: v.optional(v.number()),
});

/** What `outrank-symbols` writes to stdout, a line each. */
const answer = v.intersect([
  v.object({ module: v.number() }),
  v.union([
    v.object({ symbols: v.array(named) }),
    v.object({ found: v.string() }),
    v.object({ missing: v.array(v.string()) }),
    v.object({
      download: v.object({ url: v.string(), bytes: v.number(), total_bytes: v.nullable(v.number()) }),
    }),
  ]),
]);

/** Something that `outrank-symbols` says of a module, by its index among those that were wanted. */
export type Answer = v.InferOutput<typeof answer>;

/** One run of `outrank-symbols`. */
export interface SymbolRun {
  /** The binary. */
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
  const child = spawn(symbolizer, ['--path', path, '--cache', cacheDir], { stdio: 'pipe' });
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
  child.stdin.end(modules.map((module, index) => `${JSON.stringify(request(module, index))}\n`).join(''));
  try {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
      yield v.parse(answer, JSON.parse(line));
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

function request({ pdb, guid, age, addresses }: WantedModule, module: number) {
  const rvas = (returns: boolean) => [
    ...new Set(addresses.filter(({ isReturn }) => isReturn === returns).map(({ rva }) => rva)),
  ];
  return { module, pdb, guid, age, rvas: rvas(false), returns: rvas(true) };
}
