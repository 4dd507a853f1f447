import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell } from '../../../shared/engine/index.ts';
import { jsonValue, uniqueNames } from '../../../shared/model/index.ts';
import type { Turns } from '../result-table/order.ts';
import type { ResultCells } from '../result-table/result-table.ts';

/** Rows of one row group. It is encoded in one go, while the window waits. */
const GROUP_ROWS = 10_000;
/** Rows between looks at the clock. */
const STEP = 4096;

type ColumnType = 'INT64' | 'DOUBLE' | 'BYTE_ARRAY' | 'STRING';

/**
 * The rows of a result, or of a part of it in another order, as an Apache Parquet file: Snappy, one row group for each
 * 10,000 rows. A column of integers alone is INT64, of other numbers DOUBLE, of bytes BYTE_ARRAY; any other is text. All
 * may be null.
 */
export async function saveParquet(
  result: ResultCells,
  order: Uint32Array | null,
  turns: Turns,
): Promise<Blob> {
  const { columns } = result;
  const count = order?.length ?? result.rowCount;
  const cell = (at: number, column: number) => result.cell(order?.[at] ?? at, column);
  const names = uniqueNames(columns);
  const types: ColumnType[] = [];
  for (const column of columns.keys()) types.push(await typeOf(count, (at) => cell(at, column), turns));

  const writer = new PartsWriter();
  const file = new ParquetWriter({
    writer,
    createdBy: 'Outrank',
    schema: [
      { name: 'rows', num_children: columns.length },
      ...types.map((type, column) => schemaOf(names[column] ?? '', type)),
    ],
  });
  for (let first = 0; first < count; first += GROUP_ROWS) {
    await turns.take();
    const length = Math.min(count - first, GROUP_ROWS);
    const columnData = types.map((type, column) => ({
      name: names[column] ?? '',
      data: Array.from({ length }, (_, at) => valueOf(cell(first + at, column), type)),
    }));
    await file.write({ columnData, rowGroupSize: GROUP_ROWS });
  }
  await file.finish();
  return new Blob(writer.parts, { type: 'application/vnd.apache.parquet' });
}

/** Gives its bytes away after each row group, so that they are never all copied to grow. */
class PartsWriter extends ByteWriter {
  readonly parts: BlobPart[] = [];

  flush(): void {
    this.parts.push(this.getBytes().slice());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

async function typeOf(count: number, cell: (at: number) => Cell, turns: Turns): Promise<ColumnType> {
  let type: ColumnType | null = null;
  for (let at = 0; at < count; at++) {
    if (at % STEP === 0) await turns.take();
    const value = cell(at);
    if (value === null) continue;
    const own = typeOfCell(value);
    const isNumber = own === 'INT64' || own === 'DOUBLE';
    if (type === null || type === own) type = own;
    else if (isNumber && (type === 'INT64' || type === 'DOUBLE')) type = 'DOUBLE';
    else return 'STRING';
  }
  return type ?? 'STRING';
}

function typeOfCell(value: Exclude<Cell, null>): ColumnType {
  if (typeof value === 'string') return 'STRING';
  if (value instanceof Uint8Array) return 'BYTE_ARRAY';
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? 'INT64' : 'DOUBLE';
}

function valueOf(value: Cell, type: ColumnType): Cell {
  if (value === null) return null;
  switch (type) {
    case 'INT64':
      return value instanceof Uint8Array ? null : BigInt(value);
    case 'DOUBLE':
      return Number(value);
    case 'BYTE_ARRAY':
      return value;
    case 'STRING':
      return String(jsonValue(value));
  }
}

function schemaOf(name: string, type: ColumnType) {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  return type === 'STRING'
    ? ({ ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const)
    : ({ ...optional, type } as const);
}
