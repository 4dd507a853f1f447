import { basename, dirname, join, resolve } from 'node:path';
import { concat, makeQuery, type Engine, type Query } from '../../shared/engine/index.ts';
import { comparedIds, readState } from '../../shared/link/index.ts';
import { messageOf } from '../../shared/model/index.ts';
import { OpenError, TooLargeError } from './api.ts';
import type { Gift, Host, OpenOptions, OpenTrace, SymbolCall, TraceId } from './api.ts';
import { isBundle } from './bundle/format.ts';
import { Bundles, type UnpackedBundle } from './bundle/unpack.ts';
import { convertedTraces, type ConversionOptions, type Extent, type Opening } from './converted-traces.ts';
import { exportRecording } from './export.ts';
import { bundleRecording, sendRecording, type GiftOptions } from './give-away.ts';
import { identify } from './identify.ts';
import { isConverted } from './is-converted.ts';
import type { TraceFile } from './identify.ts';
import { JsonList } from './json-list.ts';
import { askingBeside } from './model-source/ask-beside.ts';
import { askHost, REASONING, type ModelSource } from './model-source/index.ts';
import { KnownHashes } from './known-hashes.ts';
import { WHOLE } from './part.ts';
import { readKeptLinks } from './protocol.ts';
import type { OutlineHelp } from './outline-engine.ts';
import { RecentTraces } from './recent-traces.ts';
import { lastingEngine, type LastingEngine } from './lasting-engine.ts';
import { FetchedTraces } from './remote/fetched-traces.ts';
import { TraceLoader, type Loaded } from './load-trace.ts';
import { loadSymbols } from './symbols/load.ts';
import { copySymbols } from './symbols/table.ts';
import type { SymbolReport } from './symbols/report.ts';
import { SqlRoute } from './sql-route.ts';
import { TraceCache } from './trace-cache.ts';
import { TraceModels, type ModelPrograms, type ModelsOfTrace } from './trace-models.ts';
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

interface Opened {
  readonly file: TraceFile;
  /** What was loaded first. */
  loaded: Promise<Loaded<LastingEngine>>;
  /** The whole, if the outline was loaded first and something has asked for more. */
  whole: Promise<Loaded<LastingEngine>> | null;
  readonly closed: AbortController;
  readonly route: SqlRoute;
  /** The tables in columns of what was loaded first; undefined where it has none. */
  tables: OpenTrace['tables'];
  /** The folder with their files; undefined where there is none. */
  folder: string | undefined;
  /** Null until models are wanted. */
  models: ModelsOfTrace | null;
  /** Where symbols were loaded from; null if they were not. */
  symbolPath: string | null;
  /** How many `open` have not been followed by `close`. */
  holders: number;
}

function queryOf({ engine }: { readonly engine: Pick<Engine, 'query'> }): Query {
  return makeQuery((sql) => engine.query(sql));
}

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
  const recents = new RecentTraces(join(options.cacheDir, 'recent.json'));
  const hashes = knownHashes(options.cacheDir);
  const hashOf: KnownHashes['of'] = (path, hashOptions) => hashes.of(path, hashOptions);
  const links = new JsonList(join(options.cacheDir, 'links.json'), readKeptLinks, MOST_LINKS);
  const bundles = new Bundles(join(options.cacheDir, 'bundles'));
  const fetched = fetchedTraces(options.cacheDir);
  const symbolsDir = join(options.cacheDir, 'symbols');
  const traces = new Map<TraceId, Opened>();
  const running = new Set<AbortController>();
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

  /** What is done for an outline's engine where models are made. */
  function helpFor(id: TraceId): OutlineHelp {
    if (models === null) return {};
    const asking = askingBeside(() => modelsOf(id, models));
    const reasons = async () => (await asking(REASONING, {})) as Uint8Array;
    return { kept: models.ranksOf(id), reasons };
  }

  function modelsOf(id: TraceId, all: TraceModels): ModelSource<Uint8Array> {
    const opened = find(id);
    opened.models ??= all.of(opened, (wish, signal) => askHost(host, id, wish, signal));
    return opened.models.source();
  }

  /** Opens the outline of a file by its tables. An engine starts when something is asked of it. */
  async function openOutline(file: TraceFile, opening: Opening): Promise<Loaded<LastingEngine>> {
    const again = (signal: AbortSignal) => revive(file.id, 'outline', { signal });
    return { engine: lastingEngine(null, again), ...(await loader.openOutline(file, opening)) };
  }

  function find(id: TraceId): Opened {
    const opened = traces.get(id);
    if (!opened) throw new OpenError('not_open', `no open trace has the id ${id}`);
    return opened;
  }

  /** Loads a file that was open before, as it was identified then. */
  async function loadAgain({ file }: Opened, extent: Extent, openOptions: OpenOptions): Promise<Loaded> {
    const { id, path, others, part } = file;
    const found = await identify(path, { ...openOptions, part, with: others }, hashOf);
    if (found.id === id) return loader.load(found, extent, openOptions);
    throw new OpenError('file', `${found.path}: the file has changed since it was opened`);
  }

  /** Loads what a query has ended, with the symbols that it had. */
  async function revive(id: TraceId, extent: Extent, given: OpenOptions): Promise<Engine> {
    return abortable(given, async (openOptions) => {
      const opened = find(id);
      const { engine, columns } = await loadAgain(opened, extent, openOptions);
      const { symbolPath } = opened;
      const { signal } = openOptions;
      if (symbolPath !== null) await addSymbols(engine, symbolPath, { signal }).catch(() => undefined);
      if (columns === null) return engine;
      // The tables that were open before are read on; these are the engine's alone.
      const end = async () => {
        columns.close();
        await engine.end();
      };
      return { ...engine, end };
    });
  }

  async function addSymbols(
    engine: Pick<Engine, 'query'>,
    path: string,
    { signal, onProgress }: SymbolCall,
  ): Promise<SymbolReport> {
    const { symbolizerPath: symbolizer } = options;
    if (symbolizer === undefined) throw new OpenError('refused', 'this host loads no symbols');
    return loadSymbols(queryOf({ engine }), { symbolizer, path, cacheDir: symbolsDir, signal, onProgress });
  }

  async function lasting(
    id: TraceId,
    extent: Extent,
    loading: Promise<Loaded>,
  ): Promise<Loaded<LastingEngine>> {
    const { engine, ...loaded } = await loading;
    const again = (signal: AbortSignal) => revive(id, extent, { signal });
    return { ...loaded, engine: lastingEngine(Promise.resolve(engine), again) };
  }

  /** All of an open trace, which is loaded now if only its outline was. */
  async function wholeOf(opened: Opened, given: OpenOptions = {}): Promise<Loaded<LastingEngine>> {
    const first = await opened.loaded;
    if (first.columns === null) return first;
    const { file, closed } = opened;
    const load = () =>
      abortable({ ...given, signal: closed.signal }, async (all) => {
        const whole = await loadAgain(opened, 'whole', all);
        if (opened.symbolPath !== null) await copySymbols(queryOf(first), queryOf(whole));
        return whole;
      });
    const loading = (opened.whole ??= lasting(file.id, 'whole', load()));
    try {
      return await loading;
    } catch (error) {
      // What is too large stays so.
      if (opened.whole === loading && !(error instanceof TooLargeError)) opened.whole = null;
      throw error;
    }
  }

  /** Asks the engine that answers `sql`: that of the outline where it can and the whole trace would take longer. */
  async function askFor<T>(
    opened: Opened,
    sql: string,
    ask: (engine: LastingEngine) => Promise<T>,
  ): Promise<T> {
    const first = await opened.loaded;
    const { route } = opened;
    if (route.toOutline(sql, first.columns !== null)) return ask(first.engine);
    const { engine } = await wholeOf(opened);
    const answer = await ask(engine);
    route.ranInWhole(sql);
    return answer;
  }

  async function endEngines({ loaded, whole, closed, models }: Opened): Promise<void> {
    closed.abort();
    models?.end();
    const end = async (each: Opened['whole']): Promise<void> => {
      const { engine, columns } = (await each) ?? {};
      columns?.close();
      await engine?.end();
    };
    await Promise.allSettled([end(loaded), end(whole)]);
  }

  async function hold(opened: Opened, loaded: Opened['loaded']): Promise<OpenTrace> {
    opened.loaded = loaded;
    try {
      const { trace, columns } = await loaded;
      opened.tables = trace.tables;
      opened.folder = columns?.folder;
      return trace;
    } catch (error) {
      if (opened.loaded === loaded) {
        traces.delete(opened.file.id);
        await endEngines(opened);
      }
      throw error;
    }
  }

  /** Loads a file, or shares it with those who have it open; an opening that fails is no reason for another to fail. */
  async function openFile(file: TraceFile, opening: Opening): Promise<OpenTrace> {
    for (let other = traces.get(file.id); other; other = traces.get(file.id)) {
      const loaded = await other.loaded.catch(() => null);
      opening.signal?.throwIfAborted();
      if (!loaded || traces.get(file.id) !== other) continue;
      other.holders += 1;
      return other.symbolPath === null ? loaded.trace : { ...loaded.trace, hasSymbols: true };
    }
    const loaded =
      canBeOutlined(file) && opening.columns === true
        ? openOutline(file, opening)
        : lasting(file.id, 'whole', loader.load(file, 'whole', opening));
    const closed = new AbortController();
    const route = new SqlRoute();
    const opened: Opened = {
      file,
      loaded,
      whole: null,
      closed,
      route,
      tables: undefined,
      folder: undefined,
      models: null,
      symbolPath: null,
      holders: 1,
    };
    traces.set(file.id, opened);
    return hold(opened, loaded);
  }

  /** Does long work that the caller may abort, and that the end of the host aborts. */
  async function abortable<O extends { readonly signal?: AbortSignal }, T>(
    given: O,
    work: (options: O & { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    given.signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    given.signal?.addEventListener('abort', abort);
    running.add(controller);
    try {
      return await work({ ...given, signal: controller.signal });
    } finally {
      running.delete(controller);
      given.signal?.removeEventListener('abort', abort);
    }
  }

  function giving(id: TraceId, gift: Gift, openOptions: OpenOptions): GiftOptions {
    const { path, others } = find(id).file;
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
      const { id, name, sizeBytes } = await identify(path, asIs, hashOf);
      const several = more.length === 0 ? {} : { with: more };
      if (!wanted.includes(id)) continue;
      await recents.add({ id, name, sizeBytes, path, ...several, openedAtMs: Date.now() });
      known.push(path, ...more);
    }
    return known;
  }

  const host: LocalHost = {
    open: (path, given) =>
      abortable(given, async (openOptions) => {
        const bundle = isBundle(path) ? await bundles.unpack(path, openOptions) : null;
        const [place, wanted] = [bundle?.path ?? path, { ...openOptions, ...bundle?.options }];
        const ahead = await aheadOfHash(place, wanted);
        if (ahead !== null) models?.startSpare();
        let file: TraceFile;
        let trace: OpenTrace;
        try {
          file = await identify(place, wanted, hashOf);
          trace = await openFile(file, { ...openOptions, ahead });
        } finally {
          await ahead?.end();
        }
        // Without them the page asks for their files.
        const compared =
          bundle === null || bundle.others.length === 0
            ? undefined
            : await knowCompared(bundle, openOptions).catch(() => undefined);
        const { part, others, ...known } = file;
        const recent = {
          ...known,
          ...(bundle === null ? {} : { path: resolve(path) }),
          ...(others.length === 0 || bundle !== null ? {} : { with: others }),
          ...(part === WHOLE ? {} : { part }),
          openedAtMs: Date.now(),
        };
        const opened =
          bundle === null ? trace : { ...trace, state: bundle.state, ...(compared && { compared }) };
        try {
          await recents.add(recent);
          return opened;
        } catch (error) {
          return { ...opened, notes: [`not kept among the recent traces: ${messageOf(error)}`] };
        }
      }),

    loadWhole: async (id, given) => (await wholeOf(find(id), given)).trace,

    async readTable(id, table, ...which) {
      const { columns: folder } = await find(id).loaded;
      if (folder === null) throw new RangeError(`the open trace has no table ${table} in columns`);
      return folder.read(table, ...which);
    },

    ...(models !== null && { models: (id) => modelsOf(id, models) }),

    // An engine may load for long: who asks for something else meanwhile does not wait for it.
    queryOutline: async (id, sql, signal) => {
      const { engine } = await find(id).loaded;
      return untilAborted(queryUntil(engine, sql, signal), signal);
    },

    query: async (id, sql, signal) =>
      untilAborted(
        askFor(find(id), sql, (engine) => queryUntil(engine, sql, signal)),
        signal,
      ),

    queryInParts: async (id, sql, onPart) =>
      askFor(find(id), sql, (engine) => engine.queryInParts(sql, onPart)),

    async restart(id, given) {
      const opened = find(id);
      const first = await opened.loaded;
      opened.symbolPath = null;
      opened.route.restarted();
      const again = (before: Loaded<LastingEngine>, extent: Extent) =>
        lasting(
          id,
          extent,
          abortable(given, async (openOptions) => {
            await before.engine.end();
            return loadAgain(opened, extent, openOptions);
          }),
        );
      // Any of the engines may be the one that a query holds up.
      const whole = first.columns === null ? null : await opened.whole?.catch(() => null);
      try {
        const trace = await hold(opened, again(first, first.columns === null ? 'whole' : 'outline'));
        if (whole == null) return trace;
        opened.whole = again(whole, 'whole');
        await wholeOf(opened);
        return trace;
      } finally {
        first.columns?.close();
      }
    },

    async loadSymbols(id, path, given) {
      const opened = find(id);
      const first = await opened.loaded;
      const report = await abortable(given, (call) => addSymbols(first.engine, path, call));
      opened.symbolPath = path;
      const whole = await opened.whole?.catch(() => null);
      if (whole != null) await copySymbols(queryOf(first), queryOf(whole));
      return report;
    },

    symbolDefaults: () =>
      Promise.resolve({ path: process.env._NT_SYMBOL_PATH ?? null, cacheDir: symbolsDir }),

    async close(id) {
      const opened = find(id);
      opened.holders -= 1;
      if (opened.holders > 0) return;
      traces.delete(id);
      await endEngines(opened);
    },

    userFiles: {
      list: (id, since, signal) =>
        userFiles.list(id === null ? null : dirname(find(id).file.path), since, signal),
      save: (name, text) => userFiles.save(name, text),
      confirm: (text) => userFiles.confirm(text),
      isConfirmed: (text) => userFiles.isConfirmed(text),
      kept: (name) => userFiles.kept(name),
      keep: (name, text) => userFiles.keep(name, text),
    },

    async recent() {
      const opened = await recents.list();
      const others = (await fetched.list()).filter(({ path }) => !opened.some((each) => each.path === path));
      const unopened = others.map(({ usedAtMs, ...each }) => ({
        ...each,
        name: basename(each.path),
        openedAtMs: usedAtMs,
      }));
      return [...opened, ...unopened];
    },

    export: (id, request, output, given) =>
      abortable(given, ({ onProgress, signal }) => {
        const { path, others } = find(id).file;
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
      abortable(given, (openOptions) => fetched.fetch(from, wanted, openOptions)),

    send: (id, gift, to, given) =>
      abortable(given, (openOptions) => sendRecording(giving(id, gift, openOptions), to)),

    bundle: (id, gift, place, output, given) =>
      abortable(given, (openOptions) =>
        bundleRecording(giving(id, gift, openOptions), place, output, comparedFiles(place)),
      ),

    links: () => links.list(),

    keepLink: (kept) => links.add(kept, ({ link }) => link === kept.link),

    async end() {
      for (const controller of running) controller.abort();
      models?.end();
      const all = [...traces.values()];
      traces.clear();
      await Promise.all(all.map(endEngines));
    },
  };
  return host;
}

/** Columns have the whole of what an `.etl` tells. */
function canBeOutlined({ path, others, part }: TraceFile): boolean {
  return part === WHOLE && ![path, ...others].some(isConverted);
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
