/**
 * Reads the values of one column of an Arrow file.
 * https://arrow.apache.org/docs/format/Columnar.html#physical-memory-layout
 */
import type { BatchLayout, ColumnRegions, Region } from './arrow-batch.ts';
import { fillExactly, type ArrowColumn } from './arrow-footer.ts';
import type { ByteSource } from './byte-source.ts';
import type { ColumnReader, ColumnValues, Dictionary } from './column-table.ts';
import { ColumnsError } from './columns-error.ts';
import { Scratch } from './scratch.ts';

/** A reader of column `number` of the batches. `dictionary`: its texts, for a column of codes. */
export function arrowColumn(
  source: ByteSource,
  { name, type, codes: coding }: ArrowColumn,
  number: number,
  batches: readonly BatchLayout[],
  dictionary: Dictionary | null,
): ColumnReader {
  const bits = new Scratch();
  const presents = new Scratch();
  const raw = new Scratch();
  const starts = new Scratch();
  const lengths = new Scratch();
  const texts = new Scratch();

  const regions = (batch: number): ColumnRegions => {
    const found = batches[batch]?.columns[number];
    if (found === undefined) throw new RangeError(`no batch ${batch} of column "${name}"`);
    return found;
  };
  const fill = (into: Uint8Array, region: Region, at: number) => fillExactly(source, region.at + at, into);

  /** The bits of rows, each as a byte in `into`; gives how many are 0. */
  function expandBits(region: Region, from: number, to: number, into: Uint8Array): number {
    const firstByte = from >> 3;
    const packed = bits.bytes(((to + 7) >> 3) - firstByte);
    fill(packed, region, firstByte);
    let zeros = 0;
    for (let i = 0, bit = from & 7; i < into.length; i++, bit++) {
      const value = ((packed[bit >> 3] ?? 0) >> (bit & 7)) & 1;
      into[i] = value;
      zeros += value ^ 1;
    }
    return zeros;
  }

  function presentRows({ validity }: ColumnRegions, from: number, to: number): Uint8Array | null {
    if (validity === null) return null;
    const present = presents.bytes(to - from);
    return expandBits(validity, from, to, present) === 0 ? null : present;
  }

  function numbers(
    region: Region,
    bytes: 1 | 2 | 4 | 8,
    from: number,
    to: number,
  ): Uint8Array | Uint16Array | Uint32Array {
    const memory = raw.bytes(bytes * (to - from));
    fill(memory, region, bytes * from);
    if (bytes === 1) return memory;
    if (bytes === 2) return new Uint16Array(memory.buffer, 0, to - from);
    return new Uint32Array(memory.buffer, 0, (bytes / 4) * (to - from));
  }

  function loadTexts(found: ColumnRegions, region: Region, from: number, to: number): ColumnValues {
    const present = presentRows(found, from, to);
    const length = lengths.words(to - from);
    if (to === from)
      return { kind: 'text', present, bytes: texts.bytes(0), start: starts.words(0), length, codes: null };
    const start = starts.words(to - from + 1);
    fill(new Uint8Array(start.buffer, 0, start.byteLength), found.values, 4 * from);
    const first = start[0] ?? 0;
    const end = start[to - from] ?? 0;
    for (let i = 0; i < length.length; i++) length[i] = (start[i + 1] ?? 0) - (start[i] ?? 0);
    checkAscending(start, region, found.values.at + 4 * from);
    const bytes = texts.bytes(end - first);
    fill(bytes, region, first);
    for (let i = 0; i < length.length; i++) start[i] = (start[i] ?? 0) - first;
    return { kind: 'text', present, bytes, start, length, codes: null };
  }

  function checkAscending(start: Uint32Array, region: Region, at: number): void {
    for (let i = 1; i < start.length; i++) {
      const value = start[i] ?? 0;
      if (value < (start[i - 1] ?? 0) || value > region.bytes)
        throw new ColumnsError(
          source.name,
          at + 4 * i,
          `an end of a text of column "${name}", from ${start[i - 1] ?? 0} to ${region.bytes}, not ${value}`,
        );
    }
  }

  /** Puts the texts of codes in place; an entry that is null makes the row null. */
  function loadCodes(
    found: ColumnRegions,
    { size, bytes, start, length, present: known }: Dictionary,
    width: 1 | 2 | 4 | 8,
    from: number,
    to: number,
  ): Extract<ColumnValues, { kind: 'text' }> {
    let present = presentRows(found, from, to);
    if (known !== null && present === null) present = presents.bytes(to - from).fill(1);
    const codes = numbers(found.values, width, from, to);
    const rowStart = starts.words(to - from);
    const rowLength = lengths.words(to - from);
    for (let i = 0; i < codes.length; i++) {
      if (present?.[i] === 0) {
        rowLength[i] = 0;
        continue;
      }
      const entry = codes[i] ?? 0;
      // A negative code shows as a large one.
      if (entry >= size)
        throw new ColumnsError(
          source.name,
          found.values.at + width * (from + i),
          `a code of column "${name}" below ${size}, not ${entry}`,
        );
      rowStart[i] = start[entry] ?? 0;
      rowLength[i] = length[entry] ?? 0;
      if (known !== null && present !== null && known[entry] === 0) present[i] = 0;
    }
    return { kind: 'text', present, bytes, start: rowStart, length: rowLength, codes };
  }

  function loadFloats(found: ColumnRegions, from: number, to: number): ColumnValues {
    let present = presentRows(found, from, to);
    const values = numbers(found.values, 8, from, to);
    for (let i = 0; i < to - from; i++) {
      const high = (values[2 * i + 1] ?? 0) & 0x7fff_ffff;
      if (high < 0x7ff0_0000 || (high === 0x7ff0_0000 && values[2 * i] === 0)) continue;
      present ??= presents.bytes(to - from).fill(1);
      present[i] = 0;
    }
    return { kind: 'number', present, values };
  }

  return {
    load(batch, from, to) {
      const found = regions(batch);
      switch (type.kind) {
        case 'int': {
          const present = presentRows(found, from, to);
          return { kind: 'number', present, values: numbers(found.values, type.bytes, from, to) };
        }
        case 'float':
          return loadFloats(found, from, to);
        case 'bool': {
          const present = presentRows(found, from, to);
          const values = raw.bytes(to - from);
          expandBits(found.values, from, to, values);
          return { kind: 'bool', present, values };
        }
        case 'text':
          if (coding !== null && dictionary !== null)
            return loadCodes(found, dictionary, coding.type.bytes, from, to);
          if (found.texts === null) throw new RangeError(`column "${name}" has no texts`);
          return loadTexts(found, found.texts, from, to);
      }
    },

    addLengths(batch, sums) {
      const found = regions(batch);
      const rowCount = batches[batch]?.rowCount ?? 0;
      if (rowCount === 0) return;
      if (coding !== null && dictionary !== null) {
        const { length } = loadCodes(found, dictionary, coding.type.bytes, 0, rowCount);
        for (let i = 0; i < rowCount; i++) sums[i] = (sums[i] ?? 0) + (length[i] ?? 0);
      } else if (found.texts !== null) {
        const start = starts.words(rowCount + 1);
        fill(new Uint8Array(start.buffer, 0, start.byteLength), found.values, 0);
        checkAscending(start, found.texts, found.values.at);
        for (let i = 0; i < rowCount; i++) sums[i] = (sums[i] ?? 0) + (start[i + 1] ?? 0) - (start[i] ?? 0);
      }
    },
  };
}
