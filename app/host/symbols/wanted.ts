import type { Query } from '../../../shared/engine/index.ts';
import framesSql from './frames.sql';
import imagesSql from './images.sql';
import samplesSql from './samples.sql';

/** An instruction of an image. */
export interface WantedAddress {
  /** Key of the frame in the engine. */
  readonly frame: number;
  readonly rva: number;
  /** Whether calls return to it: then the call before it is meant. */
  readonly isReturn: boolean;
}

/** An image whose functions are wanted. It may be in memory at several addresses. */
export interface WantedModule {
  readonly path: string;
  readonly pdb: string | null;
  readonly guid: string | null;
  readonly age: number;
  /** Length in memory. */
  readonly imageBytes: number;
  samples: number;
  readonly addresses: WantedAddress[];
}

/** PDBs know addresses of 32 bits. */
const RVA_MAX = 2 ** 32;

/** The images that stacks name, the most sampled first. */
export async function loadWanted(query: Query): Promise<WantedModule[]> {
  const modules = new Map<string, WantedModule>();
  const ofMapping = new Map<number, WantedModule>();
  for (const row of (await query(imagesSql)).rows()) {
    const path = String(row.path);
    const guid = row.guid === null ? null : String(row.guid);
    const key = `${path} ${guid ?? ''}`;
    const fresh: WantedModule = {
      path,
      pdb: row.pdb === null ? null : String(row.pdb),
      guid,
      age: Number(row.age),
      imageBytes: Number(row.image_bytes),
      samples: 0,
      addresses: [],
    };
    const module = modules.get(key) ?? fresh;
    modules.set(key, module);
    ofMapping.set(Number(row.mapping), module);
  }

  const samples = await query(samplesSql);
  const counts = samples.numbers('samples');
  samples.numbers('mapping').forEach((mapping, row) => {
    const module = ofMapping.get(mapping);
    if (module !== undefined) module.samples += counts[row] ?? 0;
  });

  const frames = await query(framesSql);
  const [ids, rvas, returns] = [frames.numbers('frame'), frames.numbers('rva'), frames.numbers('is_return')];
  frames.numbers('mapping').forEach((mapping, row) => {
    const rva = rvas[row] ?? 0;
    if (rva < 0 || rva >= RVA_MAX) return;
    ofMapping.get(mapping)?.addresses.push({ frame: ids[row] ?? 0, rva, isReturn: returns[row] === 1 });
  });
  return [...modules.values()]
    .filter(({ addresses }) => addresses.length > 0)
    .sort((a, b) => b.samples - a.samples || b.addresses.length - a.addresses.length);
}
