import { readDictionaryBatch } from './arrow-batch.ts';
import type { ArrowColumn, Block } from './arrow-footer.ts';
import { arrowColumn } from './arrow-column.ts';
import type { ByteSource } from './byte-source.ts';
import type { Dictionary } from './column-table.ts';
import { ColumnsError } from './columns-error.ts';

const TEXTS: ArrowColumn = { name: 'dictionary', type: { kind: 'text' }, codes: null };

/** The dictionaries of a file by their ids, each with what later batches add to it. Throws a {@link ColumnsError}. */
export function readDictionaries(
  source: ByteSource,
  blocks: readonly Block[],
): ReadonlyMap<bigint, Dictionary> {
  const found = new Map<bigint, Dictionary>();
  for (const block of blocks) {
    const { id, isDelta, layout } = readDictionaryBatch(source, block);
    const values = arrowColumn(source, TEXTS, 0, [layout], null).load(0, 0, layout.rowCount);
    if (values.kind !== 'text') throw new ColumnsError(source.name, block.at, 'a dictionary of texts');
    const { present, bytes, length } = values;
    // Of texts without gaps the last start is an end, which is no entry.
    const start = values.start.subarray(0, layout.rowCount);
    let longestBytes = 0;
    for (const bytes of length) longestBytes = Math.max(longestBytes, bytes);
    const part = { size: layout.rowCount, bytes, start, length, present, longestBytes };
    const before = found.get(id);
    if (before !== undefined && !isDelta)
      throw new ColumnsError(source.name, block.at, `one dictionary ${id}, or additions to it`);
    found.set(id, before === undefined ? part : joined(before, part));
  }
  return found;
}

function joined(a: Dictionary, b: Dictionary): Dictionary {
  const size = a.size + b.size;
  const bytes = new Uint8Array(a.bytes.length + b.bytes.length);
  bytes.set(a.bytes);
  bytes.set(b.bytes, a.bytes.length);
  const start = new Uint32Array(size);
  start.set(a.start);
  b.start.forEach((at, i) => (start[a.size + i] = a.bytes.length + at));
  const length = new Uint32Array(size);
  length.set(a.length);
  length.set(b.length, a.size);
  let present: Uint8Array | null = null;
  if (a.present !== null || b.present !== null) {
    present = new Uint8Array(size).fill(1);
    if (a.present !== null) present.set(a.present);
    if (b.present !== null) present.set(b.present, a.size);
  }
  return { size, bytes, start, length, present, longestBytes: Math.max(a.longestBytes, b.longestBytes) };
}
