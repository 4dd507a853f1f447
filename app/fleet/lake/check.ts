import { rm } from 'node:fs/promises';
import { messageOf } from '../../../shared/model/index.ts';
import { contentHash } from '../../host/content-hash.ts';
import { removeUnits } from './compact.ts';
import type { OpenDuckDB } from './duckdb.ts';
import type { Lake } from './lake.ts';
import { isKnownTable, type LakeFile, type Manifest } from './manifest.ts';
import { rowsOf } from './parquet.ts';

/** Unlisted files of this age are rubbish: a writer lists its files sooner. */
const ABANDONED_MS = 24 * 3_600_000;
/** A file by which the clock of the storage is read. */
const CLOCK = 'clock';

/** What a check found. */
export interface CheckReport {
  readonly traces: number;
  readonly files: number;
  readonly bytes: number;
  /** What is wrong, in words that name the file. */
  readonly problems: readonly string[];
  /** The units with a listed file that is missing or damaged. */
  readonly damaged: readonly Manifest[];
  /** Unlisted files: those of writers at work, and those that killed writers left. */
  readonly unlisted: readonly {
    readonly path: string;
    readonly bytes: number;
    readonly isAbandoned: boolean;
  }[];
  /** Days of recordings that lie ahead, since the clock of a machine was wrong. */
  readonly ahead: readonly string[];
}

/** Checks that all that is listed is there, whole, and what was written. */
export async function checkLake(lake: Lake, duckdb: OpenDuckDB): Promise<CheckReport> {
  const { storage } = lake;
  const listing = await lake.list();
  const stored = await storage.list('');
  const problems = [...listing.problems];
  const damaged = new Set<Manifest>();
  const seen = new Set<string>();
  for (const unit of listing.units.values())
    for (const file of unit.files) {
      if (seen.has(file.path)) continue;
      seen.add(file.path);
      const why = await faultOf(lake, duckdb, file, stored.get(file.path)?.bytes ?? null);
      if (why === null) continue;
      problems.push(`${storage.address}/${file.path}: ${why}`);
      damaged.add(unit);
    }
  const now = await storageClock(lake);
  const unlisted = [...stored].flatMap(([path, { bytes, atMs }]) =>
    isData(path) && !seen.has(path) ? [{ path, bytes, isAbandoned: now - atMs > ABANDONED_MS }] : [],
  );
  const today = new Date(now).toISOString().slice(0, 10);
  const days = new Set([...listing.traces.values()].map(({ date }) => date));
  return {
    traces: listing.traces.size,
    files: seen.size,
    bytes: [...seen].reduce((sum, path) => sum + (stored.get(path)?.bytes ?? 0), 0),
    problems,
    damaged: [...damaged],
    unlisted,
    ahead: [...days].filter((date) => date !== null).filter((date) => date > today),
  };
}

/** Takes damaged units off the list, and removes what is left of them: their traces are to be added again. Gives the ids of these. */
export async function removeDamaged(lake: Lake, { damaged }: CheckReport): Promise<readonly string[]> {
  await removeUnits(lake, damaged);
  const { traces } = await lake.list();
  return damaged.flatMap((unit) => unit.traces.flatMap(({ id }) => (traces.has(id) ? [] : [id])));
}

/** Removes what killed writers left. Gives the paths. */
export async function removeAbandoned(lake: Lake, { unlisted }: CheckReport): Promise<readonly string[]> {
  const paths = unlisted.filter(({ isAbandoned }) => isAbandoned).map(({ path }) => path);
  for (const path of paths) await lake.storage.remove(path);
  return paths;
}

async function faultOf(
  { storage }: Lake,
  duckdb: OpenDuckDB,
  { table, path, bytes, sha256, rows }: LakeFile,
  found: number | null,
): Promise<string | null> {
  if (found === null) return 'is listed and not there';
  if (found !== bytes) return `has ${found} bytes, and was written with ${bytes}`;
  if (!isKnownTable(table)) return null;
  const local = await storage.fetch(path, duckdb.work);
  if (local === null) return 'is listed and not there';
  try {
    if ((await contentHash(local)) !== sha256) return 'does not hold what was written';
    const has = await rowsOf(duckdb, local).catch((error: unknown) => messageOf(error));
    return has === rows ? null : `has ${has} rows, and was written with ${rows}`;
  } finally {
    if (local.startsWith(duckdb.work)) await rm(local, { force: true });
  }
}

/** What time it is where the lake lies, in ms since 1970: clocks of machines differ. */
async function storageClock({ storage }: Lake): Promise<number> {
  try {
    await storage.write(CLOCK, '');
    const found = (await storage.list(CLOCK)).get(CLOCK);
    await storage.remove(CLOCK);
    return found?.atMs ?? Date.now();
  } catch {
    // Who may only read checks all the same.
    return Date.now();
  }
}

/** Whether a path is that of rows, or of a file in the making. */
function isData(path: string): boolean {
  return path.endsWith('.parquet') || /(^|\/)partial-[0-9a-f]+$/.test(path);
}
