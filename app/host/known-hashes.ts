import type { BigIntStats } from 'node:fs';
import * as v from 'valibot';
import { contentHash, type HashOptions } from './content-hash.ts';
import { JsonList } from './json-list.ts';
import { statFileExactly } from './stat-file.ts';

/** More recordings than anybody has at hand. */
const MOST_FILES = 500;
/** A file that was changed so shortly before it was read may change again without another time. */
const RESTS_MS = 2_000;

const knownHash = v.object({ file: v.string(), sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) });
const readKnownHashes = (value: unknown) => {
  const read = v.safeParse(v.array(knownHash), value);
  return read.success ? read.output : null;
};

/**
 * The SHA-256 of files that were read before. A file counts as the same while its place on the disk, its size and its times of change are.
 */
export class KnownHashes {
  readonly #list: JsonList<v.InferOutput<typeof knownHash>>;

  /** @param path the JSON file that keeps them */
  constructor(path: string) {
    this.#list = new JsonList(path, readKnownHashes, MOST_FILES);
  }

  /** Whether a file was read before, and is the same. Rejects with an `OpenError` where there is no file. */
  async knows(path: string): Promise<boolean> {
    return (await this.#known(stateOf(await statFileExactly(path)))) !== undefined;
  }

  async #known(file: string): Promise<string | undefined> {
    return (await this.#list.list()).find((each) => each.file === file)?.sha256;
  }

  /** The SHA-256 of a file, in hex, which is read if it is not known. Rejects with an `OpenError` where there is no file. */
  async of(path: string, options: HashOptions = {}): Promise<string> {
    const before = await statFileExactly(path);
    const file = stateOf(before);
    const known = await this.#known(file);
    if (known !== undefined) {
      options.onRead?.(Number(before.size));
      return known;
    }
    const beganMs = Date.now();
    const sha256 = await contentHash(path, options);
    const isResting =
      Number(before.mtimeMs) < beganMs - RESTS_MS && Number(before.ctimeMs) < beganMs - RESTS_MS;
    if (isResting && stateOf(await statFileExactly(path)) === file) {
      // A list that cannot be written costs the next reading, no more.
      await this.#list
        .add({ file, sha256 }, (each) => placeIn(each.file) === placeIn(file))
        .catch(() => undefined);
    }
    return sha256;
  }
}

/** Another one as soon as the file has changed. */
function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** The place on the disk, of a state. */
function placeIn(state: string): string {
  return state.split(' ', 2).join(' ');
}
