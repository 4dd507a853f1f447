import type { ReadBatch } from '../../shared/tables/index.ts';
import {
  OpenError,
  type Host,
  type KeptLink,
  type OpenOptions,
  type OpenTrace,
  type RecentTrace,
  type TraceId,
  type UserFiles,
} from '../host/api.ts';
import { exportArguments, reportOf } from '../host/export-arguments.ts';
import type { ExportReport, ExportRequest } from '../host/export-request.ts';
import { WHOLE } from '../host/part.ts';
import { readKeptLinks } from '../host/protocol.ts';
import { partId, recordingId } from '../host/recording-id.ts';
import type { SaveTarget } from '../ui/door.ts';
import type { GivenFile } from './job.ts';
import type { KeptTraces } from './kept-traces.ts';
import { LocalUserFiles } from './local-user-files.ts';
import { OpenedTrace } from './opened-trace.ts';
import { PageRecording, plainNames, type Recording } from './page-recording.ts';
import { hashFiles, runInPage } from './workers.ts';

const LINKS = 'outrank.links';
const MOST_LINKS = 50;
/** Where files of the user are, for the converter and the page alike. */
const FILES = '/files';
/** Where traces are that the browser keeps, whose files are not at hand. */
const KEPT = '/kept';

interface Opened {
  readonly source: PageRecording;
  readonly trace: OpenedTrace;
}

/** The host of a page that no server stands behind: converter and engine run in workers, and nothing leaves the page. */
export class WebHost implements Host {
  readonly userFiles: UserFiles = new LocalUserFiles(localStorage);
  readonly #kept: KeptTraces;
  readonly #files = new Map<string, File>();
  /** What was written for the user to save, by path. */
  readonly #outputs = new Map<string, Blob>();
  readonly #opened = new Map<TraceId, Opened>();

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

  loadWhole(id: TraceId, options: OpenOptions): Promise<OpenTrace> {
    return this.#find(id).trace.whole(options);
  }

  readTable(id: TraceId, ...which: Parameters<ReadBatch>): Promise<Uint8Array> {
    return this.#find(id).trace.readTable(...which);
  }

  queryOutline(id: TraceId, sql: string): Promise<Uint8Array> {
    return this.#find(id).trace.queryOutline(sql);
  }

  query(id: TraceId, sql: string): Promise<Uint8Array> {
    return this.#find(id).trace.ask(sql, (engine) => engine.query(sql));
  }

  queryInParts(id: TraceId, sql: string, onPart: (bytes: Uint8Array) => void): Promise<void> {
    return this.#find(id).trace.ask(sql, (engine) => engine.queryInParts(sql, onPart));
  }

  restart(id: TraceId, options: OpenOptions): Promise<OpenTrace> {
    return this.#find(id).trace.restart(options);
  }

  async close(id: TraceId): Promise<void> {
    const opened = this.#opened.get(id);
    if (opened === undefined) return;
    opened.trace.holders -= 1;
    if (opened.trace.holders === 0) await this.#end(id, opened);
  }

  /** Removes what is kept, and closes what is open of it. */
  async empty(): Promise<void> {
    for (const [id, opened] of this.#opened) await this.#end(id, opened);
    await this.#kept.empty();
  }

  recent(): Promise<readonly RecentTrace[]> {
    const all = [...this.#kept.list()].sort((a, b) => b.usedAtMs - a.usedAtMs);
    const newest = all.filter(({ id }, at) => all.findIndex((each) => each.id === id) === at);
    return Promise.resolve(
      newest.map(({ id, name, sizeBytes, part, usedAtMs }) => ({
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
    const { files, name } = this.#find(id).source.recording;
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
      known.trace.holders += 1;
      return known.trace.trace;
    }
    const source = new PageRecording(this.#kept, recording);
    try {
      const load = (...which: Parameters<PageRecording['load']>) => source.load(...which);
      const trace = await OpenedTrace.open(source.firstExtent(options), load, options);
      this.#opened.set(id, { source, trace });
      return trace.trace;
    } catch (error) {
      source.release();
      throw error;
    }
  }

  async #end(id: TraceId, { source, trace }: Opened): Promise<void> {
    this.#opened.delete(id);
    await trace.end();
    source.release();
    // What was written beside it and is not kept goes now.
    await this.#kept.remove([]);
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
}

function refuse(what: string): Promise<never> {
  return Promise.reject(
    new OpenError('refused', `This page works alone: ${what} by an installed Outrank only.`),
  );
}
