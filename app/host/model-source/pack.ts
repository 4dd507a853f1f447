import { decode, encode } from '@msgpack/msgpack';
import type { ModelSource } from './source.ts';

/** How deep a model may be: a tree of calls takes two levels a frame, and Windows records stacks of a few hundred frames. */
const DEEPEST = 4096;

/** A model, or an answer of a view, as bytes of MessagePack. It is what JSON can carry, and byte arrays. */
export function packModel(model: unknown): Uint8Array<ArrayBuffer> {
  return encode(model, { maxDepth: DEEPEST });
}

/** The model that {@link packModel} packed. Throws an error for bytes that are none. */
export function unpackModel(bytes: Uint8Array): unknown {
  return decode(bytes);
}

/** Models that come packed, unpacked. */
export function unpacked(packed: ModelSource<Uint8Array>): ModelSource {
  const model = (bytes: Uint8Array | null) => (bytes === null ? null : unpackModel(bytes));
  return {
    load: async (...wanted) => model(await packed.load(...wanted)),
    ask: async (...wanted) => model(await packed.ask(...wanted)),
    end: () => packed.end(),
  };
}
