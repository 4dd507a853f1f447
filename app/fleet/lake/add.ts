import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { OpenError, type OpenTrace } from '../../host/api.ts';
import { knownHashes, type LocalHost } from '../../host/create-host.ts';
import { isConverted } from '../../host/is-converted.ts';
import { exportRecording } from '../../host/export.ts';
import { hostQuery } from '../../host/host-query.ts';
import { identify } from '../../host/identify.ts';
import { WHOLE } from '../../host/part.ts';
import { summarise } from '../summary/summarise.ts';
import { FULL_TABLES, LAKE_VERSION, TABLE_ORDER, type LakeRows } from '../tables.ts';
import { writeParquet } from './parquet.ts';
import { putFile } from './put-file.ts';
import type { OpenDuckDB } from './duckdb.ts';
import { forgetTrace } from './forget.ts';
import { removeBefore, setAside } from './replace.ts';
import type { Lake, Listing } from './lake.ts';
import type { LakeFile } from './manifest.ts';

/** What adds traces to a lake. */
export interface Adding {
  readonly lake: Lake;
  readonly duckdb: OpenDuckDB;
  readonly host: LocalHost;
  /** The host's own cache. Nothing in it is kept. */
  readonly cache: string;
  /** A folder of the cache where conversions of the host write full tables as Parquet; made where it is wanted and missing. */
  readonly parquetDir: string;
  readonly converter: string;
  readonly outrankVersion: string;
  readonly signal?: AbortSignal | undefined;
}

/** What is added. */
export interface Added {
  readonly path: string;
  readonly tags: ReadonlyMap<string, string>;
  /** Whether the full tables are wanted too. */
  readonly full: boolean;
}

/** What became of a trace. */
export interface AddReport {
  readonly id: string;
  readonly name: string;
  /** `there`: it was in the lake already, as it is wanted. */
  readonly outcome: 'added' | 'there' | 'added_anew';
  /** What of the trace could not be read or was lost, in words. */
  readonly warnings: readonly string[];
  /** What was written, in bytes. */
  readonly bytes: number;
}

/**
 * Adds a trace, unless the lake has it as it is wanted. It is listed last, so that a kill leaves the lake as it was. Rejects with an
 * `OpenError` for what is no trace.
 */
export async function addTrace(adding: Adding, added: Added, listing: Listing): Promise<AddReport> {
  const { host, cache, signal } = adding;
  const hashes = knownHashes(cache);
  // The host finds there what was read here.
  const { id, name } = await identify(added.path, { ...(signal && { signal }) }, (...of) => hashes.of(...of));
  const known = listing.traces.get(id);
  if (known !== undefined && isAsWanted(known, added))
    return { id, name, outcome: 'there', warnings: [], bytes: 0 };
  try {
    const opened = await host.open(added.path, {
      columns: true,
      expected: id,
      ...(signal && { signal }),
    });
    try {
      return await addOpened(adding, added, opened, listing);
    } finally {
      await host.close(opened.id);
    }
  } finally {
    await removeFolders(cache);
  }
}

/** What was converted and unpacked has served once. The hashes of files stay: those of the programs serve the next trace. */
async function removeFolders(cache: string): Promise<void> {
  const entries = await readdir(cache, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory());
  await Promise.all(folders.map(({ name }) => rm(join(cache, name), { recursive: true, force: true })));
}

async function addOpened(
  adding: Adding,
  added: Added,
  opened: OpenTrace,
  listing: Listing,
): Promise<AddReport> {
  const { lake, host } = adding;
  // The file may be a bundle: only its trace is kept.
  const { id, name } = opened;
  const known = listing.traces.get(id);
  if (known !== undefined && isAsWanted(known, added))
    return { id, name, outcome: 'there', warnings: [], bytes: 0 };
  const wantsFull = added.full || known?.full === true;
  if (wantsFull && isConverted(name)) throw new OpenError('selection', onlyConverted(added.path, name));
  const tags = new Map([...Object.entries(known?.tags ?? {}), ...added.tags]);
  const rows = await summarise(hostQuery(host, opened), {
    name,
    sourceBytes: opened.sizeBytes,
    outrankVersion: adding.outrankVersion,
    tags: new Map([...tags].sort(([a], [b]) => (a < b ? -1 : 1))),
    machineKey: (computer) => lake.machineKey(computer),
  });
  if (rows === null)
    throw new OpenError('not_a_trace', `${added.path}: no Windows trace, so that a lake has no place for it`);
  const full = wantsFull ? await fullTables(adding, added.path) : new Map<string, string>();
  const about = { id, name, tags: Object.fromEntries(tags) };
  const bytes = await storeTrace(adding, { ...about, rows, full }, listing);
  const outcome = known === undefined ? 'added' : 'added_anew';
  return { id, name, outcome, warnings: warningsOf(opened), bytes };
}

/** Why a file that is a Perfetto trace, or a bundle of one, has no full tables. */
function onlyConverted(path: string, name: string): string {
  const holds = basename(path) === name ? 'is a Perfetto trace' : `holds ${name}, a Perfetto trace`;
  return `${path}: ${holds}: full tables are made of the .etl alone; without --full it can be added`;
}

function isAsWanted(
  known: { readonly tags: Readonly<Record<string, string>>; readonly full: boolean },
  { tags, full }: Added,
): boolean {
  return (known.full || !full) && [...tags].every(([name, value]) => known.tags[name] === value);
}

function warningsOf({ warnings, issues }: OpenTrace): readonly string[] {
  return [
    ...warnings,
    ...issues.map(({ name, value, description }) => `${name} = ${value} (${description})`),
  ];
}

/** The day of a time in UTC; null where there is none that a calendar has. */
function dayOf(utc_ns: number | bigint | null): string | null {
  if (utc_ns === null || utc_ns <= 0) return null;
  const time = new Date(Number(utc_ns) / 1e6);
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999
    ? null
    : time.toISOString().slice(0, 10);
}

/** What is put into a lake of a trace. */
export interface Stored {
  readonly id: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly rows: LakeRows;
  /** Parquet files of full tables by name; empty where they are not wanted. */
  readonly full: ReadonlyMap<string, string>;
}

/**
 * Puts a trace into a lake: first its files, then its manifest, then what the lake had of it before is removed. Whoever is stopped on the
 * way, by a kill or by a storage that is full, leaves what was there. Gives the bytes that were written.
 */
export async function storeTrace(
  on: Pick<Adding, 'lake' | 'duckdb' | 'outrankVersion'>,
  { id, name, tags, rows, full }: Stored,
  { traces, forgotten }: Pick<Listing, 'traces' | 'forgotten'>,
): Promise<number> {
  const { lake, duckdb } = on;
  const isForgotten = forgotten.has(id);
  // What may be left of it is not to be shown again.
  if (isForgotten) await forgetTrace(on, id);
  else if (traces.has(id)) await setAside(on, id);
  const date = dayOf(rows.trace[0]?.start_utc_ns ?? null);
  const files: LakeFile[] = [];
  for (const [table, path] of full) files.push(await putFile(on, { table, unit: id, date, path }));
  for (const table of TABLE_ORDER) {
    const path = await writeParquet(duckdb, table, id, rows[table]);
    files.push(await putFile(on, { table, unit: id, date, path, rows: rows[table].length }));
    await rm(path);
  }
  await lake.publish({
    format: 'outrank-lake-manifest',
    version: LAKE_VERSION,
    outrank: on.outrankVersion,
    unit: id,
    date,
    traces: [{ id, name, tags, full: full.size > 0 }],
    files,
  });
  if (isForgotten) await lake.unforget(id);
  else if (traces.has(id)) await removeBefore(on, id);
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The files of full tables, as `outrank export --format parquet` writes them. */
async function fullTables(
  { converter, parquetDir: output, signal }: Adding,
  path: string,
): Promise<ReadonlyMap<string, string>> {
  const converted = await readdir(output).catch(() => null);
  if (converted === null) {
    // Whether they are wanted was not known when it was converted: the lake had them before.
    const request = { part: WHOLE, processes: [], redact: 'none' };
    await exportRecording({ converter, inputs: [path], output, format: 'parquet', request, signal });
  }
  const there = converted ?? (await readdir(output));
  return new Map(
    FULL_TABLES.flatMap((table) => {
      const name = `${table}.parquet`;
      return there.includes(name) ? [[table, join(output, name)] as const] : [];
    }),
  );
}
