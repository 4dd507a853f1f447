/**
 * The footer of an Arrow IPC file: its columns, and where its batches are.
 * https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format
 */
import { Endianness } from 'apache-arrow/fb/endianness';
import type { Field } from 'apache-arrow/fb/field';
import { FloatingPoint } from 'apache-arrow/fb/floating-point';
import { Footer } from 'apache-arrow/fb/footer';
import { Int } from 'apache-arrow/fb/int';
import { Precision } from 'apache-arrow/fb/precision';
import type { Schema } from 'apache-arrow/fb/schema';
import { Type } from 'apache-arrow/fb/type';
import { ByteBuffer } from 'flatbuffers';
import type { ByteSource } from './byte-source.ts';
import type { ColumnType } from './column-table.ts';
import { ColumnsError } from './columns-error.ts';

/** A column as the footer describes it. */
export interface ArrowColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** For a column of dictionary codes: which dictionary, and how codes are written. */
  readonly codes: { readonly dictionary: bigint; readonly type: ColumnType & { kind: 'int' } } | null;
}

/** Where a message of the file is: its metadata, and right after it its body. */
export interface Block {
  readonly at: number;
  readonly metadataBytes: number;
  readonly bodyBytes: number;
}

export interface ArrowFooter {
  /** Where it is in the file, in bytes. */
  readonly at: number;
  readonly columns: readonly ArrowColumn[];
  /** Custom metadata of the schema and of the footer. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly dictionaries: readonly Block[];
  readonly batches: readonly Block[];
}

const MAGIC = 'ARROW1';
/** The magic at the start is padded to 8 bytes; at the end it follows the footer and its length, an i32. */
const HEAD_BYTES = 8;
const TAIL_BYTES = 4 + MAGIC.length;
const BLOCK_BYTES = 24;

/** Reads the footer. Throws a {@link ColumnsError}. */
export function readFooter(source: ByteSource): ArrowFooter {
  const { name: file, sizeBytes } = source;
  if (sizeBytes < HEAD_BYTES + TAIL_BYTES)
    throw new ColumnsError(file, 0, `an Arrow file, but it has ${sizeBytes} bytes`);
  if (text(readExactly(source, 0, MAGIC.length)) !== MAGIC)
    throw new ColumnsError(file, 0, `an Arrow file, which starts with ${MAGIC}`);
  const tailAt = sizeBytes - TAIL_BYTES;
  const tail = readExactly(source, tailAt, TAIL_BYTES);
  if (text(tail.subarray(4)) !== MAGIC)
    throw new ColumnsError(file, tailAt + 4, `the end of an Arrow file, ${MAGIC}: it was cut`);
  const footerBytes = new DataView(tail.buffer).getInt32(0, true);
  if (footerBytes <= 0 || footerBytes > tailAt - HEAD_BYTES)
    throw new ColumnsError(file, tailAt, `the length of the footer, not ${footerBytes}`);
  const at = tailAt - footerBytes;
  const bytes = readExactly(source, at, footerBytes);
  const wrong = (expected: string) => new ColumnsError(file, at, expected);

  const footer = Footer.getRootAsFooter(new ByteBuffer(bytes));
  const schema = footer.schema();
  if (schema === null) throw wrong('a schema in the footer');
  if (schema.endianness() !== Endianness.Little) throw wrong('little-endian values');
  /** A count of the footer; each thing that is counted takes some of its bytes. */
  const count = (of: string, value: number, bytesEach: number) => {
    if (value * bytesEach > footerBytes) throw wrong(`a number of ${of}, not ${value}`);
    return value;
  };
  const block = (of: string, found: ReturnType<Footer['recordBatches']>): Block => {
    const [start, bodyBytes] = [Number(found?.offset()), Number(found?.bodyLength())];
    const metadataBytes = found?.metaDataLength() ?? 0;
    if (!(
      start >= HEAD_BYTES &&
      metadataBytes > 8 &&
      bodyBytes >= 0 &&
      start + metadataBytes + bodyBytes <= at
    ))
      throw wrong(`${of} before the footer, not at ${start} with ${metadataBytes} and ${bodyBytes} bytes`);
    return { at: start, metadataBytes, bodyBytes };
  };
  const all = <T>(length: number, one: (i: number) => T) => Array.from({ length }, (_, i) => one(i));
  // What is known only at the end of a file is the footer's own.
  const pairs = (of: Footer | typeof schema) =>
    all(count('keys', of.customMetadataLength(), 4), (i): [string, string] => {
      const pair = of.customMetadata(i);
      return [pair?.key() ?? '', pair?.value() ?? ''];
    });
  return {
    at,
    columns: all(count('columns', schema.fieldsLength(), 4), (i) => column(schema, i, wrong)),
    metadata: new Map([...pairs(schema), ...pairs(footer)]),
    dictionaries: all(count('dictionaries', footer.dictionariesLength(), BLOCK_BYTES), (i) =>
      block('a dictionary', footer.dictionaries(i)),
    ),
    batches: all(count('batches', footer.recordBatchesLength(), BLOCK_BYTES), (i) =>
      block('a batch', footer.recordBatches(i)),
    ),
  };
}

/** The `length` bytes at `at`. Throws a {@link ColumnsError} where the file ends before. */
export function readExactly(source: ByteSource, at: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  fillExactly(source, at, bytes);
  return bytes;
}

/** Fills `into` with the bytes at `at`. Throws a {@link ColumnsError} where the file ends before. */
export function fillExactly(source: ByteSource, at: number, into: Uint8Array): void {
  const got = source.read(into, at);
  if (got < into.length)
    throw new ColumnsError(source.name, at + got, `${into.length - got} more bytes: the file was cut`);
}

function column(schema: Schema, i: number, wrong: (expected: string) => ColumnsError): ArrowColumn {
  const field = schema.fields(i);
  const name = field?.name() ?? null;
  if (field === null || name === null) throw wrong(`a name for column ${i}`);
  const type = valueType(field);
  const encoding = field.dictionary();
  const codeType = encoding === null ? null : intType(encoding.indexType());
  const fits = encoding === null || (type?.kind === 'text' && codeType !== null && codeType.bytes < 8);
  if (type === null || !fits)
    throw wrong(
      `column "${name}" to be of Int, UInt, Float64, Utf8, Bool, or a dictionary of Utf8 with codes of at most 32 bits, ` +
        `not ${encoding === null ? '' : 'a dictionary of '}${Type[field.typeType()]}`,
    );
  return {
    name,
    type,
    codes: encoding === null || codeType === null ? null : { dictionary: encoding.id(), type: codeType },
  };
}

/** Null for a type that is not read here. */
function valueType(field: Field): ColumnType | null {
  switch (field.typeType()) {
    case Type.Int:
      return intType(field.type(new Int()) as Int | null);
    case Type.FloatingPoint: {
      const float = field.type(new FloatingPoint()) as FloatingPoint | null;
      return float?.precision() === Precision.DOUBLE ? { kind: 'float' } : null;
    }
    case Type.Utf8:
      return { kind: 'text' };
    case Type.Bool:
      return { kind: 'bool' };
    default:
      return null;
  }
}

/** The default of an encoding that names no type of its codes is a signed i32. */
function intType(int: Int | null): (ColumnType & { kind: 'int' }) | null {
  if (int === null) return { kind: 'int', bytes: 4, signed: true };
  const bytes = int.bitWidth() / 8;
  if (bytes !== 1 && bytes !== 2 && bytes !== 4 && bytes !== 8) return null;
  return { kind: 'int', bytes, signed: int.isSigned() };
}

const text = (bytes: Uint8Array) => String.fromCharCode(...bytes);
