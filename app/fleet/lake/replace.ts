import { unsharedFiles } from './compact.ts';
import { removeFrom } from './forget.ts';
import { writePack, type Packing } from './pack.ts';

/** A pack that was being made meanwhile may hold the trace again: then it is removed from that too. */
const MOST_LOOKS = 3;

/**
 * Frees the name of a trace, so that it can be written anew: what the lake has of it under that name moves into a pack of its own, which
 * counts before anything of its own name.
 */
export async function setAside(packing: Packing, id: string): Promise<void> {
  const { units, traces } = await packing.lake.list();
  const own = units.get(id);
  if (own === undefined) return;
  if (traces.get(id)?.unit === id) await writePack(packing, own.date, [{ unit: own, ids: new Set([id]) }]);
  // It does not count any more. Its list goes last: whoever comes after a kill still knows what is to be removed.
  const { storage } = packing.lake;
  for (const path of await unsharedFiles(packing.lake, [own])) await storage.remove(path);
  await packing.lake.removeUnit(id, []);
}

/** Removes what the lake had of a trace before it was written anew under its own name. */
export async function removeBefore(packing: Packing, id: string): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const listing = await packing.lake.list();
    const before = [...listing.units.values()].filter(
      ({ unit, traces }) => unit !== id && traces.some((each) => each.id === id),
    );
    if (before.length === 0) return;
    for (const unit of before) await removeFrom(packing, listing, unit, id);
  }
}
