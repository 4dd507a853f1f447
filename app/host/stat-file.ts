import type { BigIntStats, Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { messageOf } from '../../shared/model/index.ts';
import { OpenError } from './api.ts';
import { systemReason } from './system-words.ts';

/** What the system knows of a file; rejects with an `OpenError` where there is none, or something else. */
export async function statFile(path: string): Promise<Stats> {
  return ofFile(path, await stat(path).catch((error: unknown) => refuseFile(path, error)));
}

/** As {@link statFile}, with times in ns. */
export async function statFileExactly(path: string): Promise<BigIntStats> {
  return ofFile(path, await stat(path, { bigint: true }).catch((error: unknown) => refuseFile(path, error)));
}

/** Says in plain words why the system does not give a file: throws an `OpenError` that names the file. */
export function refuseFile(path: string, error: unknown): never {
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  const reason = missing ? missingFile(path) : systemReason(error);
  throw new OpenError('file', `${path}: ${reason ?? `cannot be read: ${messageOf(error)}`}`);
}

function ofFile<S extends Stats | BigIntStats>(path: string, stats: S): S {
  if (stats.isFile()) return stats;
  throw new OpenError(
    'file',
    `${path}: not a file but ${stats.isDirectory() ? 'a folder' : 'a pipe or a device'}`,
  );
}

/** Node gives names as text, with this mark for bytes that are none. */
function missingFile(path: string): string {
  const isText = !path.includes('\uFFFD');
  return isText
    ? 'no such file'
    : 'no such file; a name that is not UTF-8 cannot be opened here: rename the file, or make a link to it (ln -s)';
}
