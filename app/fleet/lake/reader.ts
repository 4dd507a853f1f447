import type { DuckDBValue } from '@duckdb/node-api';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Cell, QueryResult, Row } from '../../../shared/engine/index.ts';
import { formatBytes, formatCount, messageOf } from '../../../shared/model/index.ts';
import { BoundError, type QueryBounds } from '../../questions/bounded-query.ts';
import {
  columnsOf,
  FULL_TABLES,
  LAKE_TABLES,
  LAKE_VERSION,
  SQL_TYPES,
  type LakeTableName,
} from '../tables.ts';
import { counted } from './compact.ts';
import { cellOf, listLiteral, literal, startDuckDB, type DuckDBBounds, type OpenDuckDB } from './duckdb.ts';
import type { Lake, Listing } from './lake.ts';
import { LakeError } from './lake-error.ts';
import type { LakeFile } from './manifest.ts';

/** What a reader of a lake may take, and where it puts copies of files that lie elsewhere. */
export interface ReaderOptions extends DuckDBBounds {
  /** A folder for copies, which are used again. */
  readonly copies: string;
  /** Ends what is asked, and refuses what would be asked after. */
  readonly signal?: AbortSignal | undefined;
}

/** The type of a SELECT. What explains is none: `EXPLAIN ANALYZE COPY` writes. */
const READING: ReadonlySet<number> = new Set([1]);

/** Asks the tables of a lake as it was listed: reads alone, and no file but those of the lake. */
export class LakeReader {
  readonly listing: Listing;
  readonly #lake: Lake;
  readonly #duckdb: OpenDuckDB;
  readonly #copies: string;
  readonly #signal: AbortSignal | undefined;
  readonly #made = new Set<string>();
  #isShut = false;

  private constructor(
    lake: Lake,
    listing: Listing,
    duckdb: OpenDuckDB,
    { copies, signal }: Pick<ReaderOptions, 'copies' | 'signal'>,
  ) {
    this.#lake = lake;
    this.listing = listing;
    this.#duckdb = duckdb;
    this.#copies = copies;
    this.#signal = signal;
  }

  /** Opens a lake to be read. The caller ends it. */
  static async open(lake: Lake, { copies, signal, ...bounds }: ReaderOptions): Promise<LakeReader> {
    const listing = await lake.list();
    const address = createHash('sha256').update(lake.storage.address).digest('hex').slice(0, 16);
    return new LakeReader(lake, listing, await startDuckDB(bounds), {
      copies: join(copies, address),
      signal,
    });
  }

  /**
   * The rows that one SELECT gives. Rejects with a {@link LakeError} for SQL that is wrong or does more than read, and with a
   * `BoundError` for what takes too long or gives too much.
   */
  async query(sql: string, bounds: QueryBounds): Promise<QueryResult> {
    await this.#prepare(sql);
    const { connection } = this.#duckdb;
    const { seconds } = bounds;
    this.#signal?.throwIfAborted();
    const late = new AbortController();
    const stop = () => connection.interrupt();
    late.signal.addEventListener('abort', stop);
    this.#signal?.addEventListener('abort', stop);
    const timer = seconds === Infinity ? undefined : setTimeout(() => late.abort(), seconds * 1000);
    try {
      const statements = await connection.extractStatements(sql);
      if (statements.count !== 1) throw new LakeError(`one statement is taken, not ${statements.count}`);
      const statement = await statements.prepare(0);
      if (!READING.has(statement.statementType))
        throw new LakeError('SQL on a lake is a SELECT: it reads, and changes nothing');
      const result = await statement.stream();
      const rows = new RowsOfLake(result.deduplicatedColumnNames());
      for await (const some of result.yieldRows()) rows.add(some, bounds);
      return rows;
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (late.signal.aborted)
        throw new BoundError('seconds', `the query ran for longer than ${seconds} s and was ended`);
      throw this.#failure(error);
    } finally {
      clearTimeout(timer);
      this.#signal?.removeEventListener('abort', stop);
    }
  }

  /**
   * Leaves traces out of what is asked from now on: those of `ids`, and those of whose row in `trace` a condition does not hold.
   * What an earlier call left out is there again.
   */
  async narrow(ids: Iterable<string>, condition: string): Promise<void> {
    await this.#prepare('trace tag');
    const { connection } = this.#duckdb;
    const rows = [...ids].map((id) => `(${literal(id)})`);
    await connection.run('DELETE FROM _left_out');
    if (rows.length > 0) await connection.run(`INSERT INTO _left_out VALUES ${rows.join(', ')}`);
    await connection.run(`INSERT INTO _left_out SELECT trace_id FROM trace WHERE (${condition}) IS NOT TRUE`);
  }

  end(): Promise<void> {
    return this.#duckdb.end();
  }

  /** Makes the tables that SQL names; a table costs opening its files. */
  async #prepare(sql: string): Promise<void> {
    const { connection } = this.#duckdb;
    const named = new Set(sql.toLowerCase().match(/[a-z_][a-z0-9_]*/g));
    if (!this.#isShut) {
      // What else a lake holds is not for SQL: lake.json has the key that hashes names of machines.
      const folders = [...Object.keys(LAKE_TABLES), ...FULL_TABLES].map((table) =>
        this.#lake.storage.localPath(table, this.#copies),
      );
      await connection.run(`SET allowed_directories = ${listLiteral(folders)}`);
      await connection.run('SET enable_external_access = false');
      await connection.run(hiddenTable(this.listing));
      await connection.run('CREATE TEMP TABLE _left_out (trace_id VARCHAR)');
      this.#isShut = true;
    }
    for (const table of [...Object.keys(LAKE_TABLES), ...FULL_TABLES]) {
      if (!named.has(table) || this.#made.has(table)) continue;
      const paths = await this.#paths(table);
      const sql = viewSql(table, paths, this.#areOfOneVersion());
      await connection.run(sql).catch((error: unknown) => {
        throw this.#failure(error);
      });
      this.#made.add(table);
    }
  }

  /** Where the files of a table lie on this machine. */
  async #paths(table: string): Promise<readonly string[]> {
    const paths: string[] = [];
    for (const { path } of filesOf(this.listing, table)) {
      const local = await this.#lake.storage.fetch(path, this.#copies);
      if (local === null)
        throw new LakeError(
          `${this.#lake.storage.address}/${path}: is listed and not there: outrank lake check`,
        );
      paths.push(local);
    }
    return paths;
  }

  #areOfOneVersion(): boolean {
    return [...this.listing.units.values()].every(({ version }) => version === LAKE_VERSION);
  }

  #failure(error: unknown): unknown {
    if (error instanceof LakeError || error instanceof BoundError) return error;
    const message = messageOf(error).trim();
    const hint = message.includes('.parquet') ? ': outrank lake check says what is damaged' : '';
    return new LakeError(`SQL: ${message}${hint}`);
  }
}

/** The files of a table, in the units with a trace that counts. */
export function filesOf(listing: Listing, table: string): readonly LakeFile[] {
  const files = new Map<string, LakeFile>();
  for (const unit of listing.units.values()) {
    if (counted(listing, unit).size === 0) continue;
    for (const file of unit.files) if (file.table === table) files.set(file.path, file);
  }
  return [...files.values()];
}

/** The traces of units that do not count there: others count, or they were forgotten. */
function hiddenTable(listing: Listing): string {
  const hidden = [...listing.units.values()].flatMap((unit) => {
    const counts = counted(listing, unit);
    return unit.traces.flatMap(({ id }) =>
      counts.has(id) ? [] : [`(${literal(id)}, ${literal(unit.unit)})`],
    );
  });
  const rows = hidden.length === 0 ? `SELECT '', '' WHERE false` : `VALUES ${hidden.join(', ')}`;
  return `CREATE TEMP TABLE _hidden AS SELECT * FROM (${rows}) AS _(trace_id, trace)`;
}

function viewSql(table: string, paths: readonly string[], areOfOneVersion: boolean): string {
  const isSummary = Object.hasOwn(LAKE_TABLES, table);
  const declared = isSummary
    ? columnsOf(table as LakeTableName)
        .map(([name, { kind }]) => `NULL::${SQL_TYPES[kind]} AS "${name}"`)
        .concat('NULL::DATE AS "date"')
        .join(', ')
    : `NULL::VARCHAR AS trace_id, NULL::DATE AS "date"`;
  const none = `SELECT ${declared} WHERE false`;
  if (paths.length === 0) return `CREATE VIEW "${table}" AS ${none}`;
  const files = `read_parquet(${listLiteral(paths)}, union_by_name = ${!areOfOneVersion}, hive_partitioning = true, hive_types = {'date': DATE, 'trace': VARCHAR})`;
  const rows = isSummary ? files : `(SELECT trace AS trace_id, * FROM ${files})`;
  const counted = `SELECT * EXCLUDE (trace) FROM ${rows} ANTI JOIN _hidden USING (trace_id, trace) ANTI JOIN _left_out USING (trace_id)`;
  // What an older version wrote lacks columns.
  return `CREATE VIEW "${table}" AS ${areOfOneVersion ? counted : `${none} UNION ALL BY NAME ${counted}`}`;
}

/** Rows as they come. */
class RowsOfLake implements QueryResult {
  readonly columns: readonly string[];
  readonly #rows: Cell[][] = [];
  #bytes = 0;

  constructor(columns: readonly string[]) {
    this.columns = columns;
  }

  get rowCount(): number {
    return this.#rows.length;
  }

  /** Adds rows. Throws a {@link BoundError} where they become too many. */
  add(rows: readonly (readonly DuckDBValue[])[], { rows: most, bytes }: QueryBounds): void {
    for (const row of rows) {
      const cells = row.map(cellOf);
      for (const cell of cells) this.#bytes += typeof cell === 'string' ? 2 * cell.length : 8;
      this.#rows.push(cells);
    }
    if (this.#rows.length > most)
      throw new BoundError('rows', `the query gives more than ${formatCount(most)} rows and was ended`);
    if (this.#bytes > bytes)
      throw new BoundError(
        'bytes',
        `the answer is larger than ${formatBytes(bytes)}, and the query was ended`,
      );
  }

  cell(row: number, column: number): Cell {
    return this.#rows[row]?.[column] ?? null;
  }

  numbers(column: string): Float64Array {
    const at = this.#column(column);
    return Float64Array.from(this.#rows, (row) => {
      const cell = row[at] ?? null;
      if (typeof cell === 'string' || cell instanceof Uint8Array)
        throw new TypeError(`${column} holds no numbers`);
      return cell === null ? NaN : Number(cell);
    });
  }

  strings(column: string): readonly (string | null)[] {
    const at = this.#column(column);
    return this.#rows.map((row) => {
      const cell = row[at] ?? null;
      if (cell !== null && typeof cell !== 'string') throw new TypeError(`${column} holds no texts`);
      return cell;
    });
  }

  *rows(): IterableIterator<Row> {
    for (const row of this.#rows)
      yield Object.fromEntries(this.columns.map((name, at) => [name, row[at] ?? null]));
  }

  #column(name: string): number {
    const at = this.columns.indexOf(name);
    if (at < 0) throw new RangeError(`no column "${name}"`);
    return at;
  }
}
