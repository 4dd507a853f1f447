import { WIRE, WireError, WireReader } from './wire.ts';

/** Fields of trace_processor's `ProtoBuilderResult` and of its `RepeatedBuilderResult`, whose values take 8 bytes each. */
const RESULT = { repeated: 3 } as const;
const REPEATED = { integers: 1, doubles: 2 } as const;

/** The reals that the SQL function `RepeatedField` gathered in a blob. Throws a {@link WireError} if it is none of reals. */
export function readReals(blob: Uint8Array): Float64Array {
  const bytes = readValues(blob, REPEATED.doubles);
  return new Float64Array(bytes.buffer, 0, bytes.length / 8);
}

/** The integers that `RepeatedField` gathered in a blob, as pairs: the lower half of each, then the upper one. */
export function readHalves(blob: Uint8Array): Int32Array {
  const bytes = readValues(blob, REPEATED.integers);
  return new Int32Array(bytes.buffer, 0, bytes.length / 4);
}

/** A copy of the values, since these must lie at a multiple of their size. */
function readValues(blob: Uint8Array, field: number): Uint8Array<ArrayBuffer> {
  const result = new WireReader(blob);
  while (!result.done) {
    const tag = result.tag();
    if (tag !== RESULT.repeated * 8 + WIRE.bytes) {
      result.skip(tag);
      continue;
    }
    const repeated = result.message();
    while (!repeated.done) {
      const tag = repeated.tag();
      if (tag !== field * 8 + WIRE.bytes)
        throw new WireError('a repeated field holds values of another type');
      const bytes = repeated.bytes();
      if (bytes.length % 8 !== 0) throw new WireError('a repeated field ends inside a value');
      return bytes.slice();
    }
  }
  return new Uint8Array(0);
}
