/** A larger array that begins with the values of another one. Gives `into`. */
export function grown<T extends Float64Array | Int32Array | Uint32Array | Uint16Array>(
  of: ArrayLike<number>,
  into: T,
): T {
  into.set(of);
  return into;
}
