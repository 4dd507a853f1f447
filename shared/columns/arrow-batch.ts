/**
 * The metadata of a batch: how many rows it has, and where the buffers of each column are.
 * https://arrow.apache.org/docs/format/Columnar.html#recordbatch-message
 */
import { DictionaryBatch } from 'apache-arrow/fb/dictionary-batch';
import { Message } from 'apache-arrow/fb/message';
import { MessageHeader } from 'apache-arrow/fb/message-header';
import { RecordBatch } from 'apache-arrow/fb/record-batch';
import { ByteBuffer } from 'flatbuffers';
import type { ArrowColumn, Block } from './arrow-footer.ts';
import { readExactly } from './arrow-footer.ts';
import type { ByteSource } from './byte-source.ts';
import { ColumnsError } from './columns-error.ts';

/** A stretch of the file. */
export interface Region {
  readonly at: number;
  readonly bytes: number;
}

/** Where the values of a column in one batch are. */
export interface ColumnRegions {
  /** One bit a row, 0 for null; null where each row has a value. */
  readonly validity: Region | null;
  /** Values, codes, or where each text starts and the last one ends. */
  readonly values: Region;
  /** The texts of a column without a dictionary; else null. */
  readonly texts: Region | null;
}

export interface BatchLayout {
  readonly rowCount: number;
  readonly columns: readonly ColumnRegions[];
}

/** Most rows of a batch that is read here: buffers for it must fit into memory. */
const ROWS_MAX = 2 ** 28;
const CONTINUATION = 0xffff_ffff;

/** The layout of a batch of these columns. Throws a {@link ColumnsError}. */
export function readBatch(source: ByteSource, block: Block, columns: readonly ArrowColumn[]): BatchLayout {
  const header = readMessage(source, block).header;
  if (!(header instanceof RecordBatch)) throw new ColumnsError(source.name, block.at, 'a record batch');
  return layout(source, block, header, columns);
}

/** The layout of a dictionary of texts, and which it is; `isDelta` for one that goes on with an earlier one. */
export function readDictionaryBatch(source: ByteSource, block: Block) {
  const header = readMessage(source, block).header;
  const data = header instanceof DictionaryBatch ? header.data() : null;
  if (!(header instanceof DictionaryBatch) || data === null)
    throw new ColumnsError(source.name, block.at, 'a dictionary batch');
  const texts: ArrowColumn = { name: 'dictionary', type: { kind: 'text' }, codes: null };
  return { id: header.id(), isDelta: header.isDelta(), layout: layout(source, block, data, [texts]) };
}

function readMessage(source: ByteSource, { at, metadataBytes }: Block) {
  const bytes = readExactly(source, at, metadataBytes);
  const view = new DataView(bytes.buffer);
  const messageBytes = view.getInt32(4, true);
  if (view.getUint32(0, true) !== CONTINUATION || messageBytes < 8 || messageBytes > metadataBytes - 8)
    throw new ColumnsError(source.name, at, 'a message, which starts with FF FF FF FF and its length');
  const message = Message.getRootAsMessage(new ByteBuffer(bytes.subarray(8, 8 + messageBytes)));
  switch (message.headerType()) {
    case MessageHeader.RecordBatch:
      return { header: message.header(new RecordBatch()) as RecordBatch | null };
    case MessageHeader.DictionaryBatch:
      return { header: message.header(new DictionaryBatch()) as DictionaryBatch | null };
    default:
      return { header: null };
  }
}

function layout(
  source: ByteSource,
  block: Block,
  batch: RecordBatch,
  columns: readonly ArrowColumn[],
): BatchLayout {
  const wrong = (expected: string) => new ColumnsError(source.name, block.at, expected);
  const rowCount = Number(batch.length());
  if (!(rowCount >= 0 && rowCount <= ROWS_MAX))
    throw wrong(`a batch of at most ${ROWS_MAX} rows, not ${rowCount}`);
  if (batch.compression() !== null) throw wrong('a batch that is not compressed');
  if (batch.nodesLength() !== columns.length)
    throw wrong(`${columns.length} columns in a batch, not ${batch.nodesLength()}`);
  const bufferCount = columns.reduce((sum, column) => sum + buffersOf(column), 0);
  if (batch.buffersLength() !== bufferCount)
    throw wrong(`${bufferCount} buffers in a batch, not ${batch.buffersLength()}`);

  const bodyAt = block.at + block.metadataBytes;
  let next = 0;
  const region = (name: string, of: string, bytesMin: number): Region => {
    const buffer = batch.buffers(next++);
    const [offset, bytes] = [Number(buffer?.offset()), Number(buffer?.length())];
    if (!(offset >= 0 && bytes >= bytesMin && offset + bytes <= block.bodyBytes))
      throw wrong(
        `${of} of column "${name}" of at least ${bytesMin} bytes, in a body of ${block.bodyBytes}, ` +
          `not ${bytes} bytes at its offset ${offset}`,
      );
    return { at: bodyAt + offset, bytes };
  };
  return {
    rowCount,
    columns: columns.map((column, i) => {
      const { name } = column;
      const node = batch.nodes(i);
      if (Number(node?.length()) !== rowCount)
        throw wrong(`${rowCount} rows in column "${name}", not ${Number(node?.length())}`);
      const hasNulls = Number(node?.nullCount()) !== 0;
      const validity = region(name, 'validity', hasNulls ? Math.ceil(rowCount / 8) : 0);
      // A column of texts without rows may leave out where its first one starts.
      const values = region(name, 'values', valueBytes(column, rowCount));
      const texts = buffersOf(column) === 3 ? region(name, 'texts', 0) : null;
      return { validity: hasNulls ? validity : null, values, texts };
    }),
  };
}

const buffersOf = ({ type, codes }: ArrowColumn) => (type.kind === 'text' && codes === null ? 3 : 2);

function valueBytes({ type, codes }: ArrowColumn, rowCount: number): number {
  if (codes !== null) return codes.type.bytes * rowCount;
  switch (type.kind) {
    case 'int':
      return type.bytes * rowCount;
    case 'float':
      return 8 * rowCount;
    case 'bool':
      return Math.ceil(rowCount / 8);
    case 'text':
      return rowCount === 0 ? 0 : 4 * (rowCount + 1);
  }
}
