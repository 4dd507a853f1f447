import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import type { OpenSource } from '../columns/byte-source.ts';
import { openFileSource } from '../columns/file-source.ts';
import type { ColumnsFile } from '../engine/index.ts';
import { openArrowSet, type ArrowSet } from './arrow-set.ts';
import { lentFile } from './lent-file.ts';
import { TABLE_NAMES, type TableName } from './tables.ts';

/** The tables of a folder of Arrow files, open until {@link ArrowFolder.close}. Needs Node. */
export interface ArrowFolder extends ArrowSet {
  readonly folder: string;
  /** The files, as an engine is lent them. */
  readonly files: readonly ColumnsFile[];
  close(): void;
}

/** Opens the tables in `folder`, a file each. Throws a `ColumnsError` for a damaged file, and leaves none open then. */
export function openArrowFolder(folder: string): ArrowFolder {
  const files = new Set(readdirSync(folder));
  const sources = new Map<TableName, OpenSource>();
  const close = () => sources.forEach((source) => source.close());
  try {
    for (const name of TABLE_NAMES)
      if (files.has(`${name}.arrow`)) sources.set(name, openFileSource(join(folder, `${name}.arrow`)));
    return {
      ...openArrowSet(sources),
      folder,
      files: [...sources.keys()].map((name) => lentFile(name, join(folder, `${name}.arrow`))),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
