import type { Lake, Listing } from './lake.ts';
import { tracesFirst, type Manifest } from './manifest.ts';
import { writePack, type PackedPart, type Packing } from './pack.ts';

/** What became of a lake. */
export interface CompactReport {
  /** Units before and afterwards, and the files that they list. */
  readonly units: { readonly before: number; readonly after: number };
  readonly files: { readonly before: number; readonly after: number };
}

/**
 * Puts the traces of each day into one file a table, so that engines open few. A kill leaves the lake as it was, or with the day packed: the
 * pack is listed before what it replaces is removed, and each trace counts once all the while.
 */
export async function compactLake(
  packing: Packing,
  onDay: (date: string | null, traces: number) => void = () => undefined,
): Promise<CompactReport> {
  const { lake } = packing;
  const before = await lake.list();
  for (const [date, units] of byDay(before)) {
    const parts = units.map((unit): PackedPart => ({ unit, ids: counted(before, unit) }));
    const held = parts.filter(({ ids }) => ids.size > 0);
    const [first] = held;
    const isPacked =
      held.length === 1 &&
      first !== undefined &&
      first.unit.unit.startsWith('pack-') &&
      first.ids.size === first.unit.traces.length;
    if (held.length > 0 && !isPacked) {
      const pack = await writePack(packing, date, held);
      await removeUnits(
        lake,
        units.filter(({ unit }) => unit !== pack.unit),
      );
      onDay(date, pack.traces.length);
    }
  }
  await removeUncounted(lake);
  const after = await lake.list();
  return {
    units: { before: before.units.size, after: after.units.size },
    files: { before: filesOf(before), after: filesOf(after) },
  };
}

/** Removes units without a trace that counts. A kill left them, or another process that packed meanwhile. */
async function removeUncounted(lake: Lake): Promise<void> {
  const listing = await lake.list();
  await removeUnits(
    lake,
    [...listing.units.values()].filter((unit) => counted(listing, unit).size === 0),
  );
}

/** Removes units, but for files that other units list too. */
export async function removeUnits(lake: Lake, units: readonly Manifest[]): Promise<void> {
  if (units.length === 0) return;
  const unshared = new Set(await unsharedFiles(lake, units));
  for (const { unit, files } of units)
    await lake.removeUnit(
      unit,
      files.filter(({ path }) => unshared.has(path)),
    );
}

/** The paths of files that these units list and no others, those of the table `trace` first. */
export async function unsharedFiles(lake: Lake, units: readonly Manifest[]): Promise<readonly string[]> {
  const own = new Set(units.map(({ unit }) => unit));
  const others = [...(await lake.list()).units.values()].filter(({ unit }) => !own.has(unit));
  const shared = new Set(others.flatMap(({ files }) => files.map(({ path }) => path)));
  return tracesFirst(units.flatMap(({ files }) => files))
    .map(({ path }) => path)
    .filter((path) => !shared.has(path));
}

/** The traces of a unit that count as it tells them. */
export function counted({ traces }: Listing, unit: Manifest): ReadonlySet<string> {
  return new Set(unit.traces.flatMap(({ id }) => (traces.get(id)?.unit === unit.unit ? [id] : [])));
}

function byDay({ units }: Listing): ReadonlyMap<string | null, readonly Manifest[]> {
  const days = new Map<string | null, Manifest[]>();
  for (const unit of units.values()) {
    const of = days.get(unit.date) ?? [];
    days.set(unit.date, of);
    of.push(unit);
  }
  return days;
}

function filesOf({ units }: Listing): number {
  return [...units.values()].reduce((sum, { files }) => sum + files.length, 0);
}
