import { dirname, join, resolve } from 'node:path';
import { concat, type Engine, type Query } from '../../shared/engine/index.ts';
import { comparedIds, readState } from '../../shared/link/index.ts';
import { messageOf } from '../../shared/model/index.ts';
import { OpenError } from './api.ts';
import type { Gift, Host, OpenOptions, OpenTrace, SymbolCall, TraceId } from './api.ts';
import { isBundle } from './bundle/format.ts';
import { Bundles, type UnpackedBundle } from './bundle/unpack.ts';
import { convertedTraces, type ConversionOptions } from './converted-traces.ts';
import { exportRecording } from './export.ts';
import { bundleRecording, sendRecording, type GiftOptions } from './give-away.ts';
import { identify } from './identify.ts';
import type { TraceFile } from './identify.ts';
import { JsonList } from './json-list.ts';
import { askingBeside } from './model-source/ask-beside.ts';
import { askHost } from './ask-host.ts';
import { REASONING, type ModelSource } from './model-source/index.ts';
import { KnownHashes } from './known-hashes.ts';
import { WHOLE } from './part.ts';
import { readKeptLinks } from './protocol.ts';
import type { OutlineHelp } from './outline-engine.ts';
import { RecentTraces } from './recent-traces.ts';
import type { LastingEngine } from './lasting-engine.ts';
import { FetchedTraces } from './remote/fetched-traces.ts';
import { TraceLoader } from './load-trace.ts';
import { LongWork } from './long-work.ts';
import { OpenTraces } from './open-traces.ts';
import { loadSymbols } from './symbols/load.ts';
import type { SymbolReport } from './symbols/report.ts';
import { TraceCache } from './trace-cache.ts';
import { TraceModels, type ModelPrograms } from './trace-models.ts';
import { untilAborted } from './until-aborted.ts';
import { UserFilesOnDisk } from './user-files.ts';
import { configDir } from './user-rules.ts';

/** What a host needs. */
export interface HostOptions extends ConversionOptions {
  /** Where converted traces and the list of recent ones are kept. */
  readonly cacheDir: string;
  /** The binary `outrank-symbols`; absent where no symbols are loaded. */
  readonly symbolizerPath?: string;
  /** Starts an engine in a worker or process of its own. */
  readonly startEngine: () => Promise<Engine>;
  /** What makes models of traces; absent where only pages make them. */
  readonly models?: ModelPrograms;
  /** Whether traces are measured for comparisons once their first picture is there; absent: only when they are compared. */
  readonly measuresBehind?: boolean;
  /** How many bytes of converted traces may stay in the cache. */
  readonly cacheLimitBytes?: number;
  /** Where the user's panels are, and what the user keeps. */
  readonly configDir?: string;
}

/** A host in this process, to be ended with it. */
export interface LocalHost extends Host {
  /** Aborts what runs, and closes every trace. */
  end(): Promise<void>;
}

const DEFAULT_CACHE_LIMIT_BYTES = 16 * 1024 ** 3;
const FETCHED_LIMIT_BYTES = 16 * 1024 ** 3;
const MOST_LINKS = 50;

/** The SHA-256 of files that hosts with this cache have read. */
export function knownHashes(cacheDir: string): KnownHashes {
  return new KnownHashes(join(cacheDir, 'hashes.json'));
}

/** The traces that hosts with this cache have fetched from team servers. */
export function fetchedTraces(cacheDir: string): FetchedTraces {
  return new FetchedTraces(join(cacheDir, 'fetched'), FETCHED_LIMIT_BYTES);
}

/** The host that does the work: files, the converter, engines. */
export function createHost(options: HostOptions): LocalHost {
  const userFiles = new UserFilesOnDisk(options.configDir ?? configDir());
  const cache = new TraceCache(
    join(options.cacheDir, 'traces'),
    options.cacheLimitBytes ?? DEFAULT_CACHE_LIMIT_BYTES,
  );
  const hashes = knownHashes(options.cacheDir);
  const hashOf: KnownHashes['of'] = (path, hashOptions) => hashes.of(path, hashOptions);
  const links = new JsonList(join(options.cacheDir, 'links.json'), readKeptLinks, MOST_LINKS);
  const bundles = new Bundles(join(options.cacheDir, 'bundles'));
  const fetched = fetchedTraces(options.cacheDir);
  const recents = new RecentTraces(join(options.cacheDir, 'recent.json'), fetched);
  const symbolsDir = join(options.cacheDir, 'symbols');
  const work = new LongWork();
  const converted = convertedTraces(options, cache, hashes);
  const { cacheKey, aheadOfHash } = converted;

  const models =
    options.models === undefined
      ? null
      : new TraceModels({
          ...options.models,
          dir: join(options.cacheDir, 'models'),
          hashes,
          cacheKey: (id) => cacheKey(id, 'outline'),
          measuresBehind: options.measuresBehind === true,
        });

  const loader = new TraceLoader({ ...options, cache, converted, helpFor });
  const traces = new OpenTraces(loader, hashOf);

  /** What is done for an outline's engine where models are made. */
  function helpFor(id: TraceId): OutlineHelp {
    if (models === null) return {};
    const asking = askingBeside(() => modelsOf(id, models));
    const reasons = async () => (await asking(REASONING, {})) as Uint8Array;
    return { kept: models.ranksOf(id), reasons };
  }

  function modelsOf(id: TraceId, all: TraceModels): ModelSource<Uint8Array> {
    const opened = traces.find(id);
    opened.models ??= all.of(id, opened.engines, (wish, signal) => askHost(host, id, wish, signal));
    return opened.models.source();
  }

  /** Puts the symbols of a path into an engine. */
  function symbolsAt(path: string) {
    return async (query: Query, call: SymbolCall): Promise<SymbolReport> => {
      const { symbolizerPath: symbolizer } = options;
      if (symbolizer === undefined) throw new OpenError('refused', 'this host loads no symbols');
      return loadSymbols(query, { ...call, symbolizer, path, cacheDir: symbolsDir });
    };
  }

  function giving(id: TraceId, gift: Gift, openOptions: OpenOptions): GiftOptions {
    const { path, others } = traces.find(id).file;
    const dir = join(options.cacheDir, 'outgoing');
    return { converter: options.converterPath, dir, files: [path, ...others], gift, options: openOptions };
  }

  /** The files of the open traces that a place compares with its own; of a part there is no file. */
  function comparedFiles(place: unknown): readonly (readonly string[])[] {
    return comparedIds(readState(place).state.place).flatMap((id) => {
      const file = traces.get(id)?.file;
      return file?.part === WHOLE ? [[file.path, ...file.others]] : [];
    });
  }

  /** Makes the traces known that the place of a bundle compares with its own: those that are what it says. Tells their files. */
  async function knowCompared(
    { others, state }: UnpackedBundle,
    openOptions: OpenOptions,
  ): Promise<readonly string[]> {
    const known: string[] = [];
    const wanted = comparedIds(readState(state).state.place);
    for (const [path = '', ...more] of others) {
      const asIs = { ...openOptions, with: more, part: undefined, expected: undefined };
      const file = await identify(path, asIs, hashOf);
      if (!wanted.includes(file.id)) continue;
      await recents.add(file);
      known.push(path, ...more);
    }
    return known;
  }

  const host: LocalHost = {
    open: (path, given) =>
      work.run(given, async (openOptions) => {
        const bundle = isBundle(path) ? await bundles.unpack(path, openOptions) : null;
        const [place, wanted] = [bundle?.path ?? path, { ...openOptions, ...bundle?.options }];
        const ahead = await aheadOfHash(place, wanted);
        if (ahead !== null) models?.startSpare();
        let file: TraceFile;
        let trace: OpenTrace;
        try {
          file = await identify(place, wanted, hashOf);
          trace = await traces.open(file, { ...openOptions, ahead });
        } finally {
          await ahead?.end();
        }
        // Without them the page asks for their files.
        const compared =
          bundle === null || bundle.others.length === 0
            ? undefined
            : await knowCompared(bundle, openOptions).catch(() => undefined);
        const opened =
          bundle === null ? trace : { ...trace, state: bundle.state, ...(compared && { compared }) };
        try {
          await recents.add(bundle === null ? file : { ...file, path: resolve(path), others: [] });
          return opened;
        } catch (error) {
          return { ...opened, notes: [`not kept among the recent traces: ${messageOf(error)}`] };
        }
      }),

    loadWhole: async (id, given) => traces.find(id).engines.whole(given),

    readTable: async (id, ...which) => traces.find(id).engines.readTable(...which),

    ...(models !== null && { models: (id) => modelsOf(id, models) }),

    // An engine may load for long: who asks for something else meanwhile does not wait for it.
    queryOutline: async (id, sql, signal) =>
      untilAborted(
        traces.find(id).engines.askFirst((engine) => queryUntil(engine, sql, signal)),
        signal,
      ),

    query: async (id, sql, signal) =>
      untilAborted(
        traces.find(id).engines.ask(sql, (engine) => queryUntil(engine, sql, signal)),
        signal,
      ),

    queryInParts: async (id, sql, onPart) =>
      traces.find(id).engines.ask(sql, (engine) => engine.queryInParts(sql, onPart)),

    restart: (id, given) => work.run(given, (openOptions) => traces.find(id).engines.restart(openOptions)),

    loadSymbols: (id, path, given) =>
      work.run(given, (call) => traces.find(id).engines.putSymbols(symbolsAt(path), call)),

    symbolDefaults: () =>
      Promise.resolve({ path: process.env._NT_SYMBOL_PATH ?? null, cacheDir: symbolsDir }),

    close: (id) => traces.close(id),

    userFiles: {
      list: (id, since, signal) =>
        userFiles.list(id === null ? null : dirname(traces.find(id).file.path), since, signal),
      save: (name, text) => userFiles.save(name, text),
      confirm: (text) => userFiles.confirm(text),
      isConfirmed: (text) => userFiles.isConfirmed(text),
      kept: (name) => userFiles.kept(name),
      keep: (name, text) => userFiles.keep(name, text),
    },

    recent: () => recents.list(),

    export: (id, request, output, given) =>
      work.run(given, ({ onProgress, signal }) => {
        const { path, others } = traces.find(id).file;
        return exportRecording({
          converter: options.converterPath,
          inputs: [path, ...others],
          output,
          request,
          signal,
          onProgress: (fraction) => onProgress?.({ stage: 'convert', fraction }),
        });
      }),

    fetch: (from, wanted, given) =>
      work.run(given, (openOptions) => fetched.fetch(from, wanted, openOptions)),

    send: (id, gift, to, given) =>
      work.run(given, (openOptions) => sendRecording(giving(id, gift, openOptions), to)),

    bundle: (id, gift, place, output, given) =>
      work.run(given, (openOptions) =>
        bundleRecording(giving(id, gift, openOptions), place, output, comparedFiles(place)),
      ),

    links: () => links.list(),

    keepLink: (kept) => links.add(kept, ({ link }) => link === kept.link),

    async end() {
      work.abortAll();
      models?.end();
      await traces.end();
    },
  };
  return host;
}

/** Asks an engine. Stops when the caller no longer waits for the answer. */
async function queryUntil(
  engine: LastingEngine,
  sql: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (signal === undefined) return engine.query(sql);
  // In parts, so that nothing is held of an answer that is no longer wanted.
  const parts: Uint8Array[] = [];
  await engine.queryInParts(sql, (bytes) => {
    if (signal.aborted) parts.length = 0;
    else parts.push(bytes);
  });
  signal.throwIfAborted();
  return concat(parts);
}
