import type * as DuckDB from '@duckdb/node-api';
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cell } from '../../../shared/engine/index.ts';
import { LakeError } from './lake-error.ts';

/** What DuckDB may take. */
export interface DuckDBBounds {
  readonly memoryBytes: number;
  readonly threads: number;
}

/** A DuckDB in this process that holds no data of its own. */
export interface OpenDuckDB {
  readonly connection: DuckDBConnection;
  /** A folder of its own, gone at the end. */
  readonly work: string;
  end(): Promise<void>;
}

/** Starts DuckDB. Rejects with a {@link LakeError} where it is not installed. */
export async function startDuckDB({ memoryBytes, threads }: DuckDBBounds): Promise<OpenDuckDB> {
  const { DuckDBInstance } = loadDuckDB();
  const work = await mkdtemp(join(tmpdir(), 'outrank-lake-'));
  const options = {
    memory_limit: `${Math.max(64, Math.floor(memoryBytes / 2 ** 20))}MiB`,
    threads: String(threads),
    temp_directory: join(work, 'spilled'),
    // What is not in the binary would be fetched from the net.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'true',
  };
  let instance: DuckDBInstance | undefined;
  try {
    instance = await DuckDBInstance.create(':memory:', options);
    const connection = await instance.connect();
    const started = instance;
    return {
      connection,
      work,
      async end() {
        connection.closeSync();
        started.closeSync();
        await rm(work, { recursive: true, force: true });
      },
    };
  } catch (error) {
    instance?.closeSync();
    await rm(work, { recursive: true, force: true });
    throw error;
  }
}

/** Loaded for lakes alone: its binary is 68 MB. An `import` would first look through its text for what it exports. */
function loadDuckDB(): typeof DuckDB {
  try {
    return createRequire(import.meta.url)('@duckdb/node-api') as typeof DuckDB;
  } catch {
    throw new LakeError('a lake needs @duckdb/node-api: npm install it next to outrank');
  }
}

/** A text as a literal of SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Paths as a list of SQL. */
export function listLiteral(texts: readonly string[]): string {
  return `[${texts.map(literal).join(', ')}]`;
}

/** A value of DuckDB as a cell: whole numbers beyond 2^53 as `bigint`, what SQL of traces has not as text. */
export function cellOf(value: DuckDBValue): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  if (typeof value === 'object' && 'scale' in value && 'value' in value) return Number(value.toString());
  return value.toString();
}
