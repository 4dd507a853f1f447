import type { Engine } from '../../shared/engine/index.ts';
import {
  OpenError,
  type Host,
  type KeptLink,
  type OpenOptions,
  type OpenTrace,
  type RecentTrace,
  type TraceId,
  type TracePart,
  type UserFiles,
} from '../host/api.ts';
import { conversionArguments, warningsOf } from '../host/conversion.ts';
import { exportArguments, reportOf } from '../host/export-arguments.ts';
import type { ExportReport, ExportRequest } from '../host/export-request.ts';
import { lastingEngine, type LastingEngine } from '../host/lasting-engine.ts';
import { engineBytes } from '../host/overview.ts';
import { WHOLE } from '../host/part.ts';
import { readKeptLinks } from '../host/protocol.ts';
import { partId, recordingId } from '../host/recording-id.ts';
import type { SaveTarget } from '../ui/door.ts';
import type { GivenFile } from './job.ts';
import type { KeptTraces, KeptTrace } from './kept-traces.ts';
import { LocalUserFiles } from './local-user-files.ts';
import { CONVERTER, hashFiles, runInPage, startPageEngine } from './workers.ts';

const LINKS = 'outrank.links';
const MOST_LINKS = 50;
/** Where files of the user are, for the converter and the page alike. */
const FILES = '/files';
/** Where traces are that the browser keeps, whose files are not at hand. */
const KEPT = '/kept';
/** Where the converter writes. */
const OUTPUT = '/out/trace.pftrace';
/** Files that the engine reads as they are. */
const PERFETTO_TRACE = /\.(pftrace|perfetto-trace)$/i;

/** A recording that is to be opened. */
interface Recording {
  readonly id: TraceId;
  readonly name: string;
  readonly sizeBytes: number;
  readonly part: TracePart;
  /** Its files; none if only what they became is kept. */
  readonly files: readonly GivenFile[];
}

/** What the engine loads, and what was lost on the way to it. */
interface Converted {
  readonly blob: Blob;
  readonly warnings: readonly string[];
}

interface Opened {
  readonly recording: Recording;
  readonly converted: Converted;
  readonly trace: OpenTrace;
  readonly engine: LastingEngine;
  /** How many `open` have not been followed by `close`. */
  holders: number;
}

/** The host of a page that no server stands behind: converter and engine run in workers, and nothing leaves the page. */
export class WebHost implements Host {
  readonly userFiles: UserFiles = new LocalUserFiles(localStorage);
  readonly #kept: KeptTraces;
  readonly #files = new Map<string, File>();
  /** What was written for the user to save, by path. */
  readonly #outputs = new Map<string, Blob>();
  readonly #opened = new Map<TraceId, Opened>();
  readonly #engineBytes = engineBytes();

  constructor(kept: KeptTraces) {
    this.#kept = kept;
  }

  /** The path of a file that the user gave. */
  take(file: File): string {
    const path = `${FILES}/${this.#files.size}/${file.name.replaceAll('/', '_')}`;
    this.#files.set(path, file);
    return path;
  }

  /** A place for a file that the user saves; it goes where the browser puts downloads. */
  saveAs(name: string): SaveTarget {
    const path = `/out/${name}`;
    return {
      path,
      done: () => {
        const blob = this.#outputs.get(path);
        if (blob === undefined) throw new OpenError('file', `${name}: was not written`);
        this.#outputs.delete(path);
        const link = document.createElement('a');
        link.href = URL.createObjectURL(blob);
        link.download = name;
        link.click();
        return Promise.resolve(`${name} is being downloaded.`);
      },
    };
  }

  async open(path: string, options: OpenOptions): Promise<OpenTrace> {
    try {
      return await this.#open(path, options);
    } catch (error) {
      if (error instanceof OpenError) error.message = plainNames(error.message);
      throw error;
    }
  }

  /** The whole is what was opened: this host writes no columns. */
  loadWhole(id: TraceId): Promise<OpenTrace> {
    return Promise.resolve(this.#find(id).trace);
  }

  readTable(_id: TraceId, table: string): Promise<Uint8Array> {
    return Promise.reject(new RangeError(`the open trace has no table ${table} in columns`));
  }

  queryOutline(id: TraceId, sql: string): Promise<Uint8Array> {
    return this.query(id, sql);
  }

  query(id: TraceId, sql: string): Promise<Uint8Array> {
    return this.#find(id).engine.query(sql);
  }

  queryInParts(id: TraceId, sql: string, onPart: (bytes: Uint8Array) => void): Promise<void> {
    return this.#find(id).engine.queryInParts(sql, onPart);
  }

  async restart(id: TraceId, options: OpenOptions): Promise<OpenTrace> {
    const opened = this.#find(id);
    const { recording, converted } = opened;
    await opened.engine.end();
    const { engine, trace } = await load(recording, converted, options);
    const again = async (): Promise<Engine> => (await load(recording, converted, {})).engine;
    this.#opened.set(id, { ...opened, trace, engine: lastingEngine(engine, again) });
    return trace;
  }

  async close(id: TraceId): Promise<void> {
    const opened = this.#find(id);
    opened.holders -= 1;
    if (opened.holders > 0) return;
    this.#opened.delete(id);
    await opened.engine.end();
  }

  recent(): Promise<readonly RecentTrace[]> {
    const all = [...this.#kept.list()].sort((a, b) => b.usedAtMs - a.usedAtMs);
    return Promise.resolve(
      all.map(({ id, name, sizeBytes, part, usedAtMs }) => ({
        ...{ id, name, sizeBytes, path: `${KEPT}/${id}/${name}`, openedAtMs: usedAtMs },
        ...(part === undefined ? {} : { part }),
      })),
    );
  }

  async export(
    id: TraceId,
    request: ExportRequest,
    output: string | null,
    { onProgress, signal }: OpenOptions,
  ): Promise<ExportReport> {
    const { files, name } = this.#find(id).recording;
    if (files.length === 0)
      throw new OpenError('file', `${name}: is kept converted only: open the file itself to export it`);
    const inputs = files.map(({ path }) => path);
    const { end, written } = await runInPage(
      { files, args: exportArguments({ inputs, output, request }), folder: null },
      { signal, onProgress: (fraction) => onProgress?.({ stage: 'convert', fraction }) },
    );
    const report = reportOf(end, inputs);
    for (const { path, blob } of written) this.#outputs.set(path, blob);
    return report;
  }

  links(): Promise<readonly KeptLink[]> {
    try {
      return Promise.resolve(readKeptLinks(JSON.parse(localStorage.getItem(LINKS) ?? '[]')) ?? []);
    } catch {
      return Promise.resolve([]);
    }
  }

  async keepLink(link: KeptLink): Promise<void> {
    const others = (await this.links()).filter((each) => each.link !== link.link);
    localStorage.setItem(LINKS, JSON.stringify([link, ...others].slice(0, MOST_LINKS)));
  }

  symbolDefaults = () => Promise.resolve({ path: null, cacheDir: 'this browser, which reads no symbols' });
  loadSymbols = () => refuse('symbols are read');
  fetch = () => refuse('traces are fetched from a team server');
  send = () => refuse('traces are sent to a team server');
  bundle = () => refuse('bundles are written');

  async #open(path: string, options: OpenOptions): Promise<OpenTrace> {
    const recording = await this.#identify(path, options);
    const { id } = recording;
    const known = this.#opened.get(id);
    if (known !== undefined) {
      known.holders += 1;
      return known.trace;
    }
    const converted = await this.#convert(recording, options);
    const { engine, trace } = await load(recording, converted, options);
    const again = async (): Promise<Engine> => (await load(recording, converted, {})).engine;
    this.#opened.set(id, { recording, converted, trace, engine: lastingEngine(engine, again), holders: 1 });
    return trace;
  }

  #find(id: TraceId): Opened {
    const opened = this.#opened.get(id);
    if (opened === undefined) throw new OpenError('not_open', `no open trace has the id ${id}`);
    return opened;
  }

  async #identify(path: string, options: OpenOptions): Promise<Recording> {
    const { part: asked = WHOLE, with: more = [], expected, signal, onProgress } = options;
    const [, from, keptId, keptName = ''] = path.split('/');
    if (from === KEPT.slice(1)) {
      const kept = this.#kept.list().find(({ id }) => id === keptId);
      if (kept === undefined)
        throw new OpenError(
          'file',
          `${keptName}: is not kept in this browser any more: open the file itself`,
        );
      return { ...kept, part: kept.part ?? WHOLE, files: [] };
    }
    const files = [path, ...more].map((each): GivenFile => {
      const blob = this.#files.get(each);
      if (blob === undefined) throw new OpenError('file', `${each}: no such file`);
      return { path: each, blob };
    });
    const name = files.map((each) => each.path.split('/').at(-1) ?? each.path).join(' + ');
    const bundle = files.find((each) => /\.outrank$/i.test(each.path));
    if (bundle !== undefined) return refuse('bundles are opened');
    const whole = recordingId(
      await hashFiles(files, { signal, onProgress: (fraction) => onProgress?.({ stage: 'hash', fraction }) }),
    );
    const id = partId(whole, asked);
    if (expected !== undefined && expected !== id)
      throw new OpenError(
        'other_trace',
        `${name} is another trace than the link's: the SHA-256 of its content is ${id}, not ${expected}`,
      );
    const sizeBytes = files.reduce((sum, { blob }) => sum + blob.size, 0);
    return { id, name, sizeBytes, part: id === whole ? WHOLE : asked, files };
  }

  async #convert({ id, name, sizeBytes, part, files }: Recording, options: OpenOptions): Promise<Converted> {
    const [first] = files;
    const inputs = files.map(({ path }) => path);
    if (first !== undefined && inputs.some((path) => PERFETTO_TRACE.test(path))) {
      if (files.length > 1 || part !== WHOLE)
        throw new OpenError('selection', `${name}: a converted trace is opened whole and by itself`);
      return { blob: first.blob, warnings: [] };
    }
    const key = `${id}-${CONVERTER}-${this.#engineBytes}`;
    const kept = this.#kept.list().find((each) => (first === undefined ? each.id === id : each.key === key));
    const ready = kept === undefined ? null : await this.#kept.open(kept);
    if (kept !== undefined && ready !== null) return { blob: ready, warnings: kept.warnings };
    if (first === undefined)
      throw new OpenError('file', `${name}: is not kept in this browser any more: open the file itself`);

    const folder = await this.#kept.folder();
    const { signal, onProgress } = options;
    const args = conversionArguments({
      columns: null,
      inputs,
      output: OUTPUT,
      part,
      engineBytes: this.#engineBytes,
    });
    const { end, written } = await runInPage(
      { files, args, folder },
      { signal, onProgress: (fraction) => onProgress?.({ stage: 'convert', fraction }) },
    );
    const warnings = warningsOf(end, inputs, this.#engineBytes).map(plainNames);
    const output = written.find(({ path }) => path === OUTPUT);
    if (output === undefined) throw new OpenError('converter', `${name}: the converter wrote nothing`);
    if (folder !== null && output.stored !== null) {
      const trace: KeptTrace = {
        ...{ key, id, name, sizeBytes, warnings, folder },
        ...(part === WHOLE ? {} : { part }),
        file: output.stored,
        keptBytes: output.blob.size,
        usedAtMs: Date.now(),
      };
      // What cannot be kept is shown all the same.
      await this.#kept.add(trace).catch(() => undefined);
    }
    return { blob: output.blob, warnings };
  }
}

/** A message that names files as the user knows them. */
function plainNames(message: string): string {
  return message.replaceAll(/\/files\/\d+\//g, '');
}

function refuse(what: string): Promise<never> {
  return Promise.reject(
    new OpenError('refused', `This page works alone: ${what} by an installed Outrank only.`),
  );
}

/** Loads what was converted into an engine of its own. */
async function load(
  { id, name, sizeBytes, part, files }: Recording,
  { blob, warnings }: Converted,
  { signal, onProgress }: Pick<OpenOptions, 'signal' | 'onProgress'>,
): Promise<{ readonly engine: Engine; readonly trace: OpenTrace }> {
  const engine = startPageEngine();
  const url = URL.createObjectURL(blob);
  const abort = (): void => void engine.end();
  signal?.addEventListener('abort', abort);
  try {
    const report = await engine.load(url, (fraction) => onProgress?.({ stage: 'load', fraction }));
    const cut = report.complete ? [] : [`${name}: the end of the Perfetto trace is missing`];
    const trace: OpenTrace = {
      ...{ id, name, sizeBytes, warnings: [...warnings, ...cut], issues: report.issues },
      ...(files.length > 1 ? { files: files.map(({ path }) => path.split('/').at(-1) ?? path) } : {}),
      ...(part === WHOLE ? {} : { part }),
    };
    return { engine, trace };
  } catch (error) {
    await engine.end();
    signal?.throwIfAborted();
    throw error;
  } finally {
    URL.revokeObjectURL(url);
    signal?.removeEventListener('abort', abort);
  }
}
