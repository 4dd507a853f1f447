import { createHmac, randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { readS3Address } from '../../server/store/s3-asker.ts';
import { LAKE_VERSION } from '../tables.ts';
import { FolderStorage } from './folder-storage.ts';
import { LakeError } from './lake-error.ts';
import { readManifest, tracesFirst, type LakeFile, type LakeMember, type Manifest } from './manifest.ts';
import type { LakeStorage } from './storage.ts';

const ABOUT = 'lake.json';
const MANIFESTS = 'manifests/';
const FORGOTTEN = 'forgotten/';
/** So many manifests are read at a time. */
const READS_AT_ONCE = 32;

const about = v.object({
  format: v.literal('outrank-lake'),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** The key by which names of machines are hashed, in hex. */
  key: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

/** A trace of the lake, and the unit whose rows of it count. */
export interface ListedTrace extends LakeMember {
  readonly unit: string;
  readonly date: string | null;
}

/** What a lake lists. */
export interface Listing {
  readonly units: ReadonlyMap<string, Manifest>;
  /** By id. */
  readonly traces: ReadonlyMap<string, ListedTrace>;
  /** Ids of traces that were forgotten. */
  readonly forgotten: ReadonlySet<string>;
  /** Manifests that cannot be read, in words. */
  readonly problems: readonly string[];
}

/** A lake, wherever it lies. */
export class Lake {
  readonly storage: LakeStorage;
  readonly #key: string;

  private constructor(storage: LakeStorage, key: string) {
    this.storage = storage;
    this.#key = key;
  }

  /** Opens a lake; with `create` makes one in a place that holds nothing. Rejects with a {@link LakeError} for what is none. */
  static async open(address: string, { create = false } = {}): Promise<Lake> {
    return Lake.in(await storageAt(address), { create });
  }

  /** The same in a storage. */
  static async in(storage: LakeStorage, { create }: { readonly create: boolean }): Promise<Lake> {
    let text = await storage.read(ABOUT);
    if (text === null) {
      const found = [...(await storage.list('')).keys()].find(
        (path) => path !== ABOUT && !path.startsWith('.partial/'),
      );
      if (found !== undefined && (await storage.read(ABOUT)) === null)
        throw new LakeError(
          `${storage.address}: is no lake of Outrank: it has no ${ABOUT}, but ${found}; a lake begins in an empty place`,
        );
      if (!create) throw new LakeError(`${storage.address}: there is no lake: outrank lake add makes one`);
      const key = randomBytes(32).toString('hex');
      const made = { format: 'outrank-lake', version: LAKE_VERSION, key } as const;
      await storage.create(ABOUT, `${JSON.stringify(made, null, 1)}\n`);
      // Another writer may have been first.
      text = (await storage.read(ABOUT)) ?? '';
    }
    return new Lake(storage, readAbout(storage.address, text).key);
  }

  /** The key of a machine by its name, in hex: the same in all traces of this lake, and in no other. */
  machineKey(computer: string): string {
    return createHmac('sha256', Buffer.from(this.#key, 'hex')).update(computer).digest('hex').slice(0, 32);
  }

  /** Reads what the lake lists. */
  async list(): Promise<Listing> {
    const paths = [...(await this.storage.list(MANIFESTS)).keys()]
      .filter((path) => path.endsWith('.json'))
      .sort();
    const notes = [...(await this.storage.list(FORGOTTEN)).keys()].filter((path) => path.endsWith('.json'));
    const forgotten = new Set(notes.map((path) => path.slice(FORGOTTEN.length, -'.json'.length)));
    const units = new Map<string, Manifest>();
    const problems: string[] = [];
    for (let at = 0; at < paths.length; at += READS_AT_ONCE) {
      const some = paths.slice(at, at + READS_AT_ONCE);
      const texts = await Promise.all(some.map((path) => this.storage.read(path)));
      some.forEach((path, index) => {
        const text = texts[index] ?? null;
        // One that was removed meanwhile is in another unit, or forgotten.
        if (text === null) return;
        const read = readManifest(text);
        if ('why' in read) problems.push(`${this.storage.address}/${path}: ${read.why}`);
        else if (path !== manifestPath(read.unit))
          problems.push(`${this.storage.address}/${path}: is the manifest of ${read.unit}`);
        else units.set(read.unit, read);
      });
    }
    return { units, traces: countedTraces(units.values(), forgotten), forgotten, problems };
  }

  /** Lists what was written; the last thing that is done of it. */
  async publish(manifest: Manifest): Promise<void> {
    await this.storage.write(manifestPath(manifest.unit), `${JSON.stringify(manifest)}\n`);
  }

  /** Removes a unit: first from the list, then what says to engines that it is there, then the rest, but for what others list. */
  async removeUnit(unit: string, files: readonly LakeFile[]): Promise<void> {
    await this.storage.remove(manifestPath(unit));
    for (const { path } of tracesFirst(files)) await this.storage.remove(path);
  }

  /** Notes that a trace is not to be shown, whatever lists it. */
  async noteForgotten(id: string): Promise<void> {
    await this.storage.write(`${FORGOTTEN}${id}.json`, '{}\n');
  }

  /** Takes that back. */
  async unforget(id: string): Promise<void> {
    await this.storage.remove(`${FORGOTTEN}${id}.json`);
  }
}

/** Where a unit is listed. */
export function manifestPath(unit: string): string {
  return `${MANIFESTS}${unit}.json`;
}

/**
 * Of a trace that several units hold, that with the greatest name counts: a pack before a trace by itself. Engines that read the
 * folders alone choose by the same rule (`outrank lake views`).
 */
function countedTraces(
  units: Iterable<Manifest>,
  forgotten: ReadonlySet<string>,
): ReadonlyMap<string, ListedTrace> {
  const traces = new Map<string, ListedTrace>();
  for (const { unit, date, traces: members } of units)
    for (const member of members) {
      const before = traces.get(member.id);
      if (forgotten.has(member.id) || (before !== undefined && before.unit > unit)) continue;
      traces.set(member.id, { ...member, unit, date });
    }
  return traces;
}

function readAbout(address: string, text: string): v.InferOutput<typeof about> {
  const refuse = (why: string) => new LakeError(`${address}/${ABOUT}: ${why}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('is no JSON: it is damaged, or no lake of Outrank');
  }
  const result = v.safeParse(about, value);
  if (!result.success) throw refuse('is no lake of Outrank');
  const { version } = result.output;
  if (version > LAKE_VERSION)
    throw refuse(`is of version ${version}, and this Outrank reads up to ${LAKE_VERSION}: update Outrank`);
  return result.output;
}

async function storageAt(address: string): Promise<LakeStorage> {
  if (!/^[a-z0-9]{2,}:\/\//i.test(address)) return new FolderStorage(resolve(address));
  const place = readS3Address(address);
  if (place === null) throw new LakeError(`LAKE is a folder, or s3://BUCKET/PREFIX, not "${address}"`);
  const { S3Storage } = await import('./s3-storage.ts');
  return S3Storage.open(place);
}
