import { counted, removeUnits } from './compact.ts';
import type { Lake, Listing } from './lake.ts';
import { LakeError } from './lake-error.ts';
import type { Manifest } from './manifest.ts';
import { writePack, type Packing } from './pack.ts';

/** The shortest beginning of an id that names a trace. */
const SHORTEST = 8;

/** The id of a trace by its beginning. Rejects with a {@link LakeError} where it names none, or several. */
export async function findTrace(lake: Lake, given: string): Promise<string> {
  const { traces } = await lake.list();
  const { address } = lake.storage;
  if (!/^[0-9a-f]{8,64}$/.test(given))
    throw new LakeError(
      `TRACE is the id of a trace, or its first ${SHORTEST} characters and more, not "${given}"`,
    );
  const [found, ...more] = [...traces.keys()].filter((id) => id.startsWith(given));
  if (found === undefined) throw new LakeError(`${address}: has no trace ${given}`);
  if (more.length > 0)
    throw new LakeError(`${address}: ${given} begins ${more.length + 1} ids: give more of it`);
  return found;
}

/**
 * Removes a trace from a lake: from then on nothing shows it. It is noted first, so that a second run after a kill ends what was
 * begun, and no pack that is being made brings it back.
 */
export async function forgetTrace({ lake, duckdb }: Packing, id: string): Promise<void> {
  await lake.noteForgotten(id);
  const listing = await lake.list();
  for (const unit of listing.units.values())
    if (unit.traces.some((each) => each.id === id)) await removeFrom({ lake, duckdb }, listing, unit, id);
}

/** Removes a trace from a unit: what else counts of that goes into another pack first. */
export async function removeFrom(
  packing: Packing,
  listing: Listing,
  unit: Manifest,
  id: string,
): Promise<void> {
  const ids = new Set([...counted(listing, unit)].filter((each) => each !== id));
  if (ids.size > 0) await writePack(packing, unit.date, [{ unit, ids }]);
  await removeUnits(packing.lake, [unit]);
}
