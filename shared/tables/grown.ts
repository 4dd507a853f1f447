/** A larger array that begins with the values of another one. Gives `into`. */
export function grown<
  T extends Float64Array | Int8Array | Int32Array | Uint8Array | Uint16Array | Uint32Array,
>(of: ArrayLike<number>, into: T): T {
  into.set(of);
  return into;
}
