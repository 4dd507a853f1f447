import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';

/** What may be opened. */
export interface Allowed {
  /** Paths of traces. */
  readonly traces: readonly string[];
  /** Traces and lakes that lie in these. */
  readonly folders: readonly string[];
  /** Lakes: folders, or `s3://BUCKET/PREFIX`. To ask one of the latter opens a connection. */
  readonly lakes: readonly string[];
}

/** The same with whole paths. */
export function resolved({ traces, folders, lakes }: Allowed): Allowed {
  const whole = (path: string) => resolve(path);
  return {
    traces: traces.map(whole),
    folders: folders.map(whole),
    lakes: lakes.map((lake) => (/^[a-z0-9]{2,}:\/\//i.test(lake) ? lake : resolve(lake))),
  };
}

/** What a name means in the folders, with all links followed; null where there is nothing. Nothing is looked at outside of them. */
export async function findIn(folders: readonly string[], name: string): Promise<string | null> {
  const candidates = isAbsolute(name) ? [resolve(name)] : folders.map((folder) => join(folder, name));
  for (const path of candidates) {
    if (!folders.some((folder) => isIn(folder, path))) continue;
    const real = await realpath(path).catch(() => null);
    if (real === null) continue;
    const realFolders = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
    if (realFolders.some((folder) => isIn(folder, real))) return real;
  }
  return null;
}

function isIn(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

/** What may be asked for, in words: `named`, and all in the folders. */
export function offer(named: readonly string[], folders: readonly string[], nothing: string): string {
  const inFolders = folders.length === 0 ? [] : [`what lies in ${folders.join(', ')}`];
  return `outrank mcp was started with ${[...named, ...inFolders].join(', ') || nothing}`;
}
