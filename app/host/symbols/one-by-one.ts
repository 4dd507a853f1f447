import { ABORTED, runProgram, type Program } from '../../../shared/wasi/run-program.ts';

/** How `outrank-symbols` is run as a module of WebAssembly. */
export type SymbolProgram = Pick<Program, 'module' | 'args' | 'environment' | 'files' | 'fillRandom'>;

/**
 * Answers requests, a line each, one after another in the calling thread. Each has a run of its own, since a damaged PDB may end the
 * program: then the answer is that. Returns the status of the first run that failed otherwise, with what it said; null if none did.
 */
export function answerOneByOne(
  program: SymbolProgram,
  requests: readonly string[],
  onLine: (line: string) => void,
): { readonly status: number; readonly said: string } | null {
  for (const request of requests) {
    const answered = new TextCollector();
    const said = new TextCollector();
    const status = runProgram({
      ...program,
      stdin: new TextEncoder().encode(`${request}\n`),
      stdout: (bytes) => answered.add(bytes),
      stderr: (bytes) => said.add(bytes),
      isTerminal: false,
    });
    if (status === ABORTED) {
      const { module } = JSON.parse(request) as { module: number };
      onLine(JSON.stringify({ module, missing: ['its PDB cannot be read: it is damaged'] }));
    } else if (status !== 0) return { status, said: said.text() };
    else for (const line of answered.text().split('\n')) if (line !== '') onLine(line);
  }
  return null;
}

class TextCollector {
  readonly #decoder = new TextDecoder();
  #text = '';

  add(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true });
  }

  text(): string {
    return this.#text;
  }
}
