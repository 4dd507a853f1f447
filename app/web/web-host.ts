import { comparedIds, readState } from '../../shared/link/index.ts';
import type { ReadBatch } from '../../shared/tables/index.ts';
import {
  OpenError,
  type BundlePlace,
  type Gift,
  type Host,
  type KeptLink,
  type OpenOptions,
  type OpenTrace,
  type RecentTrace,
  type SymbolCall,
  type TraceId,
} from '../host/api.ts';
import { isBundle } from '../host/bundle/format.ts';
import { exportArguments, reportOf } from '../host/export-arguments.ts';
import { exportName, type ExportReport, type ExportRequest } from '../host/export-request.ts';
import { WHOLE } from '../host/part.ts';
import { readKeptLinks } from '../host/protocol.ts';
import { partId, recordingId } from '../host/recording-id.ts';
import { TraceEngines } from '../host/trace-engines.ts';
import type { SaveTarget } from '../ui/door.ts';
import { fetchFile } from './fetch-file.ts';
import type { GivenFile, WrittenFile } from './job.ts';
import type { KeptTraces } from './kept-traces.ts';
import { LocalUserFiles } from './local-user-files.ts';
import type { SymbolReport } from '../host/symbols/report.ts';
import { PageSymbols } from './page-symbols.ts';
import { openBundle, writeBundle, type OpenedBundle } from './page-bundle.ts';
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
  readonly engines: TraceEngines;
  /** Lets go of what its files were unpacked to. */
  readonly release: () => void;
  /** How many have opened it and not closed it. */
  holders: number;
}

/** The host of a page that no server stands behind: converter and engine run in workers, and nothing leaves the page. */
export class WebHost implements Host {
  readonly userFiles = new LocalUserFiles(localStorage);
  readonly symbols = new PageSymbols();
  readonly #kept: KeptTraces;
  readonly #files = new Map<string, Blob>();
  /** What was written for the user to save, by path. */
  readonly #outputs = new Map<string, Blob>();
  readonly #opened = new Map<TraceId, Opened>();
  /** Recordings that came with a bundle, without its first one. They are held until the page is gone. */
  readonly #came = new Map<TraceId, RecentTrace>();

  constructor(kept: KeptTraces) {
    this.#kept = kept;
  }

  /** The path of a file that the user gave. */
  take(file: File): string {
    return this.#take(file.name, file);
  }

  #take(name: string, blob: Blob): string {
    const path = `${FILES}/${this.#files.size}/${name.replaceAll('/', '_')}`;
    this.#files.set(path, blob);
    return path;
  }

  /** The path of a file that the user agreed to fetch. It is held until the page is gone. */
  async fetchFile(
    {
      name,
      ...wanted
    }: { readonly address: string; readonly name: string; readonly sizeBytes: number | null },
    options: OpenOptions,
  ): Promise<string> {
    const folder = await this.#kept.folder();
    try {
      return this.#take(name, await fetchFile({ ...wanted, folder: folder?.name ?? null }, options));
    } catch (error) {
      folder?.release();
      await this.#kept.remove([]);
      throw error;
    }
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
    return this.#find(id).engines.whole(options);
  }

  readTable(id: TraceId, ...which: Parameters<ReadBatch>): Promise<Uint8Array> {
    return this.#find(id).engines.readTable(...which);
  }

  queryOutline(id: TraceId, sql: string): Promise<Uint8Array> {
    return this.#find(id).engines.askFirst((engine) => engine.query(sql));
  }

  query(id: TraceId, sql: string): Promise<Uint8Array> {
    return this.#find(id).engines.ask(sql, (engine) => engine.query(sql));
  }

  queryInParts(id: TraceId, sql: string, onPart: (bytes: Uint8Array) => void): Promise<void> {
    return this.#find(id).engines.ask(sql, (engine) => engine.queryInParts(sql, onPart));
  }

  restart(id: TraceId, options: OpenOptions): Promise<OpenTrace> {
    return this.#find(id).engines.restart(options);
  }

  async close(id: TraceId): Promise<void> {
    const opened = this.#opened.get(id);
    if (opened === undefined) return;
    opened.holders -= 1;
    if (opened.holders === 0) await this.#end(id, opened);
  }

  /** Removes what is kept, and closes what is open of it. */
  async empty(): Promise<void> {
    for (const [id, opened] of this.#opened) await this.#end(id, opened);
    await this.#kept.empty();
  }

  recent(): Promise<readonly RecentTrace[]> {
    const all = [...this.#kept.list()].sort((a, b) => b.usedAtMs - a.usedAtMs);
    const newest = all.filter(({ id }, at) => all.findIndex((each) => each.id === id) === at);
    const kept = newest.map(({ id, name, sizeBytes, part, usedAtMs }) => ({
      ...{ id, name, sizeBytes, path: `${KEPT}/${id}/${name}`, openedAtMs: usedAtMs },
      ...(part === undefined ? {} : { part }),
    }));
    // Of what came with a bundle the files are at hand, so that it can be given away again.
    return Promise.resolve([...this.#came.values(), ...kept.filter(({ id }) => !this.#came.has(id))]);
  }

  async export(
    id: TraceId,
    request: ExportRequest,
    output: string | null,
    options: OpenOptions,
  ): Promise<ExportReport> {
    const { report, written } = await this.#runExport(id, request, output, options);
    for (const { path, blob } of written) this.#outputs.set(path, blob);
    return report;
  }

  /** The export of an open trace, as a file of this path. */
  async #exportOf(
    id: TraceId,
    request: ExportRequest,
    path: string,
    options: OpenOptions,
  ): Promise<GivenFile> {
    const { written } = await this.#runExport(id, request, path, options);
    const file = written.find((each) => each.path === path);
    if (file === undefined) throw new OpenError('converter', `${path}: the converter wrote nothing`);
    return file;
  }

  async #runExport(
    id: TraceId,
    request: ExportRequest,
    output: string | null,
    { onProgress, signal }: OpenOptions,
  ): Promise<{ readonly report: ExportReport; readonly written: readonly WrittenFile[] }> {
    const { files } = this.#filesOf(id);
    const inputs = files.map(({ path }) => path);
    const { end, written } = await runInPage(
      { files, args: exportArguments({ inputs, output, request }), folder: null },
      { signal, onProgress: (fraction) => onProgress?.({ stage: 'convert', fraction }) },
    );
    return { report: reportOf(end, inputs), written };
  }

  /** The recording of an open trace, whose files are at hand. */
  #filesOf(id: TraceId): Recording {
    const { recording } = this.#find(id).source;
    if (recording.files.length === 0)
      throw new OpenError(
        'file',
        `${recording.name}: is kept converted only: open the file itself to give it away`,
      );
    return recording;
  }

  /** The files of the open traces that a place compares with its own; of a part, or where they are not at hand, none. */
  #comparedFiles(place: unknown): readonly (readonly GivenFile[])[] {
    return comparedIds(readState(place).state.place).flatMap((id) => {
      const recording = this.#opened.get(id)?.source.recording;
      const isThere = recording?.part === WHOLE && recording.files.length > 0;
      return isThere ? [recording.files] : [];
    });
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

  symbolDefaults = () => Promise.resolve({ path: null, cacheDir: 'no folder' });

  /** By the PDBs that the user chose; a path is of no use in a page. */
  loadSymbols(id: TraceId, _path: string, options: SymbolCall): Promise<SymbolReport> {
    const { engines } = this.#find(id);
    return engines.putSymbols((query, call) => this.symbols.load(query, call), options);
  }

  fetch = () => refuse('traces are fetched from a team server');
  send = () => refuse('traces are sent to a team server');

  async bundle(
    id: TraceId,
    gift: Gift,
    place: BundlePlace,
    output: string,
    options: OpenOptions,
  ): Promise<void> {
    const { files, name } = this.#filesOf(id);
    const given =
      gift === null ? files : [await this.#exportOf(id, gift, `/out/${exportName(name)}`, options)];
    const blob = await writeBundle(
      this.#kept,
      { files: given, others: this.#comparedFiles(place), place, isAsItIs: gift === null },
      options,
    );
    this.#outputs.set(output, blob);
  }

  async #open(path: string, options: OpenOptions): Promise<OpenTrace> {
    const blob = this.#files.get(path);
    if (blob === undefined || !isBundle(path)) return this.#openFiles(path, options, () => undefined);
    if (options.with !== undefined && options.with.length > 0)
      throw new OpenError('selection', `${path}: a bundle is opened by itself`);
    const bundle = await openBundle(this.#kept, { path, blob }, options);
    const [first = '', ...others] = bundle.files.map((file) => this.#take(file.name, file.blob));
    const opened = { ...options, ...bundle.options, with: others };
    const isHeld = bundle.others.length > 0;
    const trace = await this.#openFiles(first, opened, isHeld ? () => undefined : bundle.release).catch(
      (error: unknown) => {
        if (isHeld) bundle.release();
        throw error;
      },
    );
    // Without them the page asks for their files.
    await this.#knowCompared(bundle, options).catch(() => undefined);
    return { ...trace, state: bundle.state };
  }

  /** Makes the traces known that the place of a bundle compares with its own: those that are what it says. */
  async #knowCompared({ others, state }: OpenedBundle, options: OpenOptions): Promise<void> {
    const wanted = comparedIds(readState(state).state.place);
    for (const files of others) {
      const [path = '', ...more] = files.map((file) => this.#take(file.name, file.blob));
      const { id, name, sizeBytes } = await this.#identify(path, {
        ...options,
        ...{ with: more, part: undefined, expected: undefined },
      });
      if (!wanted.includes(id)) continue;
      const several = more.length === 0 ? {} : { with: more };
      this.#came.set(id, { id, name, sizeBytes, path, ...several, openedAtMs: Date.now() });
    }
  }

  /** Opens files of the user; `release` is called once they are not read any more. */
  async #openFiles(path: string, options: OpenOptions, release: () => void): Promise<OpenTrace> {
    const recording = await this.#identify(path, options).catch(async (error: unknown) => {
      release();
      await this.#kept.remove([]);
      throw error;
    });
    const { id } = recording;
    const known = this.#opened.get(id);
    if (known !== undefined) {
      release();
      known.holders += 1;
      return known.engines.trace();
    }
    const source = new PageRecording(this.#kept, recording);
    const first = source.load(source.firstExtent(options), options);
    const engines = new TraceEngines(
      { load: (...which) => source.load(...which), lost: () => this.#end(id, opened) },
      first,
    );
    const opened: Opened = { source, engines, release, holders: 1 };
    const trace = await engines.trace();
    this.#opened.set(id, opened);
    return trace;
  }

  async #end(id: TraceId, opened: Opened): Promise<void> {
    if (this.#opened.get(id) === opened) this.#opened.delete(id);
    await opened.engines.end();
    opened.source.release();
    opened.release();
    // Files that were written with it and are not kept go now.
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
    if (more.some(isBundle)) throw new OpenError('selection', `${name}: a bundle is opened by itself`);
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
