/**
 * Encodes a message for a byte channel: `[u32 length of the JSON, little endian][JSON][bytes]`, where the bytes are the
 * message's property `bytes`, if it has one, and the JSON is all the rest.
 */
export function encodeFrame(message: object): Uint8Array<ArrayBuffer> {
  const { bytes, ...rest } = message as { readonly bytes?: Uint8Array };
  const json = new TextEncoder().encode(JSON.stringify(rest));
  const frame = new Uint8Array(4 + json.length + (bytes?.length ?? 0));
  new DataView(frame.buffer).setUint32(0, json.length, true);
  frame.set(json, 4);
  if (bytes) frame.set(bytes, 4 + json.length);
  return frame;
}

/** Decodes a frame; the message has `bytes` only where bytes follow the JSON. Null if it is no frame. */
export function decodeFrame(frame: Uint8Array): object | null {
  if (frame.length < 4) return null;
  const jsonEnd = 4 + new DataView(frame.buffer, frame.byteOffset).getUint32(0, true);
  if (jsonEnd > frame.length) return null;
  try {
    const message: unknown = JSON.parse(new TextDecoder().decode(frame.subarray(4, jsonEnd)));
    if (typeof message !== 'object' || message === null) return null;
    return jsonEnd === frame.length ? message : { ...message, bytes: frame.subarray(jsonEnd) };
  } catch {
    return null;
  }
}
