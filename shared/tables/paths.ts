import { numberAt, textAt, type Tables, type Values } from './tables.ts';

/** The path of each file, by its key; empty where nothing names it. */
export async function readPaths(tables: Pick<Tables, 'batches'>): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { rowCount, columns } of tables.batches('etw_file', ['file', 'path']))
    for (let row = 0; row < rowCount; row++)
      paths[columns.file.values[row] ?? 0] = textAt(columns.path, row) ?? '';
  return Array.from(paths, (path: string | undefined) => path ?? '');
}

/** The paths of files, by the keys of these: each text is there once. */
export function asPaths(files: Values, paths: readonly string[]): Values {
  const present = new Uint8Array(files.values.length);
  for (let row = 0; row < present.length; row++) {
    const file = numberAt(files, row);
    if (file !== null && (paths[file] ?? '') !== '') present[row] = 1;
  }
  return { values: files.values, present, texts: paths };
}
