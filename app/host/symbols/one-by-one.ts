import { lines } from '../../../shared/wasi/lines.ts';
import { ABORTED, runProgram, type Program } from '../../../shared/wasi/run-program.ts';

/** How `outrank-symbols` is run as a module of WebAssembly. */
export interface SymbolProgram extends Pick<
  Program,
  'module' | 'args' | 'environment' | 'files' | 'fillRandom'
> {
  /** Fetches a file that the program asks for in this line, and gives the line that replies. Absent: no server is asked. */
  readonly fetch?: (line: string) => string;
}

/** A line by which it asks for a file of a server. */
const FETCH = /^\{"module":\d+,"fetch":/;

/**
 * Answers requests, a line each, one after another in the calling thread. Each has a run of its own, since a damaged PDB may end the
 * program: then the answer is that. Returns the status of the first run that failed otherwise, with what it said; null if none did.
 */
export function answerOneByOne(
  { fetch, ...program }: SymbolProgram,
  requests: readonly string[],
  onLine: (line: string) => void,
): { readonly status: number; readonly said: string } | null {
  for (const request of requests) {
    const input = new Input(request);
    const answered: string[] = [];
    const said: string[] = [];
    const status = runProgram({
      ...program,
      stdin: (into) => input.read(into),
      stdout: lines((line) => {
        if (!FETCH.test(line)) answered.push(line);
        else if (fetch !== undefined) input.add(fetch(line));
      }),
      stderr: lines((line) => said.push(line)),
      isTerminal: false,
    });
    if (status === ABORTED) {
      const { module } = JSON.parse(request) as { module: number };
      onLine(JSON.stringify({ module, missing: ['its PDB cannot be read: it is damaged'] }));
    } else if (status !== 0) return { status, said: said.join('\n') };
    else for (const line of answered) onLine(line);
  }
  return null;
}

/** Lines that a program reads. */
class Input {
  #rest: Uint8Array;

  constructor(line: string) {
    this.#rest = encoded(line);
  }

  /** Adds a line once those before are read. */
  add(line: string): void {
    this.#rest = encoded(line);
  }

  read(into: Uint8Array): number {
    const part = this.#rest.subarray(0, into.length);
    into.set(part);
    this.#rest = this.#rest.subarray(part.length);
    return part.length;
  }
}

const encoded = (line: string): Uint8Array => new TextEncoder().encode(`${line}\n`);
