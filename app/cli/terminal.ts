import { once } from 'node:events';
import type { TablesProgress } from '../../shared/engine/index.ts';
import { formatBytes } from '../../shared/model/index.ts';
import type { OpenProgress } from '../host/api.ts';
import type { SymbolProgress } from '../host/symbols/report.ts';

const CHUNK_CHARACTERS = 1 << 16;

/** What a terminal obeys, but for tabs and ends of lines; and what turns the direction of text. */
const CONTROL = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** A text for a terminal: texts of a trace or a link may hold what moves its cursor, or writes its title. */
export function printable(text: string): string {
  return text.replace(CONTROL, '\uFFFD');
}

/** Writes text to stdout, no faster than the reader takes it. */
export function print(pieces: Iterable<string>): Promise<void> {
  return writeAll(pieces, true);
}

/** Writes what programs read to stdout, as it is unless stdout is a terminal. */
export function printData(pieces: Iterable<string>): Promise<void> {
  return writeAll(pieces, process.stdout.isTTY);
}

async function writeAll(pieces: Iterable<string>, isText: boolean): Promise<void> {
  const flush = (chunk: string): Promise<void> => write(isText ? printable(chunk) : chunk);
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    await flush(chunk);
    chunk = '';
  }
  await flush(chunk);
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Tells the user something on stderr. */
export function say(message: string): void {
  process.stderr.write(`outrank: ${printable(message)}\n`);
}

const STAGES: Readonly<Record<OpenProgress['stage'], string>> = {
  download: 'downloading',
  hash: 'reading',
  convert: 'converting',
  load: 'loading',
  upload: 'uploading',
};

/** One line on a terminal that follows the progress; nothing where stderr is no terminal. */
export function progressLine(): {
  readonly show: (progress: OpenProgress) => void;
  readonly showTables: (progress: TablesProgress) => void;
  readonly showSymbols: (progress: SymbolProgress) => void;
  readonly clear: () => void;
} {
  let shown = '';
  const set = (line: string): void => {
    if (!process.stderr.isTTY || line === shown) return;
    process.stderr.write(`\r\x1b[K${printable(line)}`);
    shown = line;
  };
  return {
    show: ({ stage, fraction }) =>
      set(fraction === null ? STAGES[stage] : `${STAGES[stage]} ${Math.floor(fraction * 100)} %`),
    showTables: ({ building }) => set(building === null ? '' : `building tables: ${building}`),
    showSymbols: ({ done, total, download }) => {
      const receiving = download === null ? '' : `, ${formatBytes(download.bytes)} of ${download.url}`;
      set(`symbols: ${done} of ${total} images${receiving}`);
    },
    clear: () => set(''),
  };
}

/** Resolves when the user, or the system, ends a command that goes on until then. */
export async function interrupted(): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}
