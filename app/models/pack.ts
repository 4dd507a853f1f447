import { decode, encode } from '@msgpack/msgpack';

/** A model, or an answer of a view, as bytes of MessagePack. It is what JSON can carry, and byte arrays. */
export function packModel(model: unknown): Uint8Array<ArrayBuffer> {
  return encode(model);
}

/** The model that {@link packModel} packed. Throws an error for bytes that are none. */
export function unpackModel(bytes: Uint8Array): unknown {
  return decode(bytes);
}
