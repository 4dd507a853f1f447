/** The messages of `trace_processor.proto` by another implementation: protobufjs. */
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import type { Cell } from '../result.ts';

const { root } = protobuf.parse(readFileSync(new URL('./trace_processor.proto', import.meta.url), 'utf8'));

/** Bytes of a message that is given as a plain object. */
export function encode(type: string, object: Record<string, unknown>): Uint8Array {
  const found = root.lookupType(type);
  return found.encode(found.fromObject(object)).finish();
}

/** A message as a plain object, integers as numbers. */
export function decode(type: string, bytes: Uint8Array): Record<string, unknown> {
  const found = root.lookupType(type);
  return found.toObject(found.decode(bytes), { longs: Number, bytes: Array });
}

/** Rows as `QueryResult` objects, cut into batches of `batchCells` cells. */
export function queryResults(
  columns: readonly string[],
  cells: readonly Cell[],
  batchCells: number,
): Record<string, unknown>[] {
  const results: Record<string, unknown>[] = [{ columnNames: columns }];
  for (let start = 0; start < cells.length; start += batchCells) {
    results.push({ batch: [batch(cells.slice(start, start + batchCells))] });
  }
  return results;
}

function batch(cells: readonly Cell[]): Record<string, unknown> {
  const [integers, doubles, texts, blobs]: [string[], number[], string[], Uint8Array[]] = [[], [], [], []];
  const types = cells.map((cell) => {
    if (cell === null) return 'CELL_NULL';
    if (typeof cell === 'bigint' || Number.isInteger(cell)) {
      integers.push(String(cell));
      return 'CELL_VARINT';
    }
    if (typeof cell === 'number') {
      doubles.push(cell);
      return 'CELL_FLOAT64';
    }
    if (typeof cell === 'string') {
      texts.push(`${cell}\0`);
      return 'CELL_STRING';
    }
    blobs.push(cell);
    return 'CELL_BLOB';
  });
  return {
    cells: types,
    varintCells: integers,
    float64Cells: doubles,
    stringCells: texts.join(''),
    blobCells: blobs,
  };
}

/** Numbers from 0 to 1 that are the same in every run (a linear congruence: `Numerical Recipes`). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
