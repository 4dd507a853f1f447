/** By key: 1 for each of these, which are small whole numbers; a key beyond the largest has none. Of millions of rows this is asked faster than a set. */
export function keyFlags(keys: Iterable<number>): Uint8Array {
  const all = [...keys];
  let most = -1;
  for (const key of all) if (key > most) most = key;
  const flags = new Uint8Array(most + 1);
  for (const key of all) flags[key] = 1;
  return flags;
}
