import { columnsOf, LAKE_TABLES, SQL_TYPES, type LakeTableName } from '../tables.ts';
import { literal } from './duckdb.ts';

/** Engines that read a lake by its folders. */
export const ENGINES = ['duckdb', 'spark', 'trino'] as const;
export type LakeEngine = (typeof ENGINES)[number];

/** Types by the names that an engine has for them. */
const TYPE_NAMES: Readonly<Record<LakeEngine, Readonly<Record<string, string>>>> = {
  duckdb: {},
  spark: { VARCHAR: 'STRING' },
  trino: {},
};

/**
 * Statements that make the tables of a lake known to an engine, under the names that they have here. Each trace counts once: by the
 * row of `trace` that says that it is whole, and of two by the greater partition, as in `outrank lake query`.
 */
export function viewsSql(address: string, engine: LakeEngine): readonly string[] {
  // `trace` comes first, since all others are counted by its files.
  return (Object.keys(LAKE_TABLES) as LakeTableName[]).flatMap((table) => tableSql(address, engine, table));
}

function tableSql(address: string, engine: LakeEngine, table: LakeTableName): readonly string[] {
  const folder = `${address}/${table}`;
  const columns = columnsOf(table).map(([name]) => `f."${name}"`);
  const counted = `(SELECT trace_id, max("trace") AS unit FROM _trace_files GROUP BY trace_id)`;
  const view = (quoted: string) =>
    `CREATE OR REPLACE VIEW ${quoted} AS\nSELECT ${columns.join(', ')}, f."date"\nFROM _${table}_files AS f\nJOIN ${counted} AS c ON c.trace_id = f.trace_id AND c.unit = f."trace"`;
  switch (engine) {
    case 'duckdb':
      return [
        `CREATE OR REPLACE VIEW _${table}_files AS\nSELECT * FROM read_parquet(${literal(`${folder}/*/*/*.parquet`)}, union_by_name = true, hive_partitioning = true, hive_types = {'date': DATE, 'trace': VARCHAR})`,
        view(`"${table}"`),
      ];
    case 'spark':
      return [
        `CREATE OR REPLACE TEMPORARY VIEW _${table}_files (${declaredFor(engine, table)}, \`date\` DATE, \`trace\` STRING)\nUSING parquet OPTIONS (path ${literal(folder)})`,
        view(table)
          .replaceAll('"', '`')
          .replace('CREATE OR REPLACE VIEW', 'CREATE OR REPLACE TEMPORARY VIEW'),
      ];
    case 'trino':
      return [
        `CREATE TABLE IF NOT EXISTS _${table}_files (${declaredFor(engine, table)}, "date" DATE, "trace" VARCHAR)\nWITH (format = 'PARQUET', external_location = ${literal(folder)}, partitioned_by = ARRAY['date', 'trace'])`,
        `CALL system.sync_partition_metadata(CURRENT_SCHEMA, '_${table}_files', 'FULL')`,
        view(`"${table}"`),
      ];
  }
}

function declaredFor(engine: LakeEngine, table: LakeTableName): string {
  const quote = engine === 'spark' ? '`' : '"';
  return columnsOf(table)
    .map(([name, { kind }]) => {
      const type = SQL_TYPES[kind];
      return `${quote}${name}${quote} ${TYPE_NAMES[engine][type] ?? type}`;
    })
    .join(', ');
}
