import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ColumnsFile, QueryResult } from '../../shared/engine/index.ts';
import { lentFile } from '../../shared/tables/lent-file.ts';
import type { QueryBounds } from '../questions/bounded-query.ts';
import { boundedQuery } from './bounded-query.ts';
import { UsageError } from './command.ts';
import { startEngine } from './session.ts';

const SUFFIX = '.arrow';

/** Whether `path` is a folder, and so one of tables. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/** Asks the tables that `outrank export --format arrow` wrote into a folder: they are read where they lie. */
export async function queryTables(folder: string, sql: string, bounds: QueryBounds): Promise<QueryResult> {
  const engine = startEngine();
  try {
    await engine.load(null, () => undefined, await filesIn(folder));
    const asked = {
      queryInParts: (_: string, text: string, onPart: (bytes: Uint8Array) => void) =>
        engine.queryInParts(text, onPart),
      close: () => engine.end(),
    };
    return await boundedQuery(asked, folder, sql, bounds);
  } finally {
    await engine.end();
  }
}

async function filesIn(folder: string): Promise<ColumnsFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX)).sort();
  if (names.length === 0)
    throw new UsageError(`${folder}: no table (*${SUFFIX}): outrank export --format arrow writes them`);
  return names.map((name) => lentFile(basename(name, SUFFIX), join(folder, name)));
}
