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
/** A damaged trace may have a warning for each of its buffers. No user reads more than this number. */
const MOST_WARNINGS = 100;

/** What Rust's runtime says before it ends the program; two threads that fail at once write into one another's line. */
const OUT_OF_MEMORY = /^memory allocation of |^outrank-convert: no threads can be started/;

/** How the converter begins an error where it tells no progress. */
const SPOKEN = /^outrank-convert: error: /;

/** What a converter says whose writes fail in place of ending it, as Node's do. */
const FILE_TOO_LARGE = ': cannot be written: File too large';
/** How a run of the converter ended. */
export interface ConverterEnd {
  /** Its exit code, or the name of the signal that ended it. */
  readonly status: string | number;
  readonly printed: string;
  readonly warnings: string[];
  /** Its last message of an error; empty if there was none. */
  readonly message: string;
}

/** What a run of the converter says, as it says it. */
export class ConverterTalk {
  readonly #onProgress: ((fraction: number) => void) | undefined;
  readonly #warnings: string[] = [];
  #printed = '';
  #unsaid = 0;
  #message = '';

  constructor(onProgress: ((fraction: number) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  /** Takes what it prints to stdout. */
  print(piece: string): void {
    this.#printed += piece;
  }

  /** Takes a line that it writes to stderr. */
  hear(text: string): void {
    const said = readLine(text);
    if (said === null) this.#message ||= text.replace(SPOKEN, '');
    else if ('error' in said) this.#message = said.error;
    else if ('stage' in said) this.#onProgress?.(overall(said.stage, said.fraction));
    else if (this.#warnings.length < MOST_WARNINGS) this.#warnings.push(said.warning);
    else this.#unsaid += 1;
  }

  end(status: string | number): ConverterEnd {
    const more = this.#unsaid > 0 ? [`and ${this.#unsaid} more warnings of this kind`] : [];
    return { status, printed: this.#printed, warnings: [...this.#warnings, ...more], message: this.#message };
  }
}

/** What the converter says of a file that it cannot write. */
const NOT_WRITTEN = ': cannot be written: ';

/** The error that a run which did not do its work is to its caller. */
export function converterError(input: string, { status, message }: ConverterEnd): OpenError {
  if (OUT_OF_MEMORY.test(message))
    return new OpenError('converter', `${input}: the converter needs more memory than it may have here`);
  if (status === 'SIGXFSZ' || message.includes(FILE_TOO_LARGE))
    return new OpenError('converter', `${input}: takes more room when it is converted than it may have here`);
  // The trace may be as good as any.
  if (message.includes(NOT_WRITTEN)) return new OpenError('converter', message);
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
