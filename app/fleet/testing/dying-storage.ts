import type { LakeStorage } from '../lake/storage.ts';

/** What a killed writer throws in place of going on. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** A storage whose writer is killed: it makes so many changes, and none after them. */
export class DyingStorage implements LakeStorage {
  readonly address: string;
  readonly #storage: LakeStorage;
  #left: number;

  constructor(storage: LakeStorage, changes: number) {
    this.address = storage.address;
    this.#storage = storage;
    this.#left = changes;
  }

  list(prefix: string) {
    return this.#storage.list(prefix);
  }

  read(path: string) {
    return this.#storage.read(path);
  }

  fetch(path: string, folder: string) {
    return this.#storage.fetch(path, folder);
  }

  localPath(path: string, folder: string) {
    return this.#storage.localPath(path, folder);
  }

  async write(path: string, text: string) {
    this.#change();
    await this.#storage.write(path, text);
  }

  async create(path: string, text: string) {
    this.#change();
    return this.#storage.create(path, text);
  }

  async put(path: string, from: string) {
    this.#change();
    await this.#storage.put(path, from);
  }

  async remove(path: string) {
    this.#change();
    await this.#storage.remove(path);
  }

  #change(): void {
    if (this.#left === 0) throw new Killed();
    this.#left -= 1;
  }
}
