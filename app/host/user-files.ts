import { createHash, randomBytes } from 'node:crypto';
import { watch, type FSWatcher } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpenError } from './api.ts';
import type { KeptName, UserFile, UserFileList } from './api.ts';
import { LONGEST_USER_FILE } from './api.ts';
import { InTurn } from './in-turn.ts';
import { readRuleFiles } from './user-rules.ts';

/** Panels and dashboards; their names lead nowhere else. */
const NAME = /^[a-z0-9][a-z0-9-]{0,55}\.(panel\.sql|dashboard\.json)$/;
const MOST_FILES = 500;
/** Folders on networks report no change: they are looked at as often as this, in ms. */
const LOOK_EVERY_MS = 2_000;

/**
 * Panels, dashboards and rules in the user's folder, and panels and dashboards in the folders of traces. Also what the user keeps
 * from session to session.
 */
export class UserFilesOnDisk {
  readonly #panels: string;
  readonly #rules: string;
  readonly #kept: string;
  readonly #confirmations = new InTurn();

  /** `configDir` is the user's folder for Outrank. */
  constructor(configDir: string) {
    this.#panels = join(configDir, 'panels');
    this.#rules = join(configDir, 'rules');
    this.#kept = join(configDir, 'kept');
  }

  /** The files; once they differ from those of `since`. `traceDir`: the folder of the trace. */
  async list(traceDir: string | null, since: string | null, signal?: AbortSignal): Promise<UserFileList> {
    for (;;) {
      const list = await this.#read(traceDir);
      if (list.stamp !== since || signal?.aborted === true) return list;
      await changed([this.#panels, this.#rules, ...(traceDir === null ? [] : [traceDir])], signal);
    }
  }

  /** Writes a file into the user's folder; what was written here needs no confirmation. */
  async save(name: string, text: string): Promise<void> {
    if (!NAME.test(name))
      throw new OpenError('file', `${name}: a panel is named NAME.panel.sql, of small letters, digits and -`);
    await this.confirm(text);
    await writeWhole(this.#panels, name, text);
  }

  /** Notes that the user has read a text and lets it run. */
  confirm(text: string): Promise<void> {
    return this.#confirmations.do(async () => {
      const confirmed = await this.#confirmed();
      await writeWhole(this.#kept, 'confirmed.json', JSON.stringify([...confirmed.add(hashOf(text))]));
    });
  }

  /** Whether the user has read a text, or written it here. */
  async isConfirmed(text: string): Promise<boolean> {
    return (await this.#confirmed()).has(hashOf(text));
  }

  /** What was kept under a name; null if nothing was. */
  kept(name: KeptName): Promise<string | null> {
    return readFile(join(this.#kept, `${name}.json`), 'utf8').catch(() => null);
  }

  /** Keeps a text under a name. */
  keep(name: KeptName, text: string): Promise<void> {
    return writeWhole(this.#kept, `${name}.json`, text);
  }

  async #confirmed(): Promise<Set<string>> {
    try {
      const hashes: unknown = JSON.parse(await readFile(join(this.#kept, 'confirmed.json'), 'utf8'));
      return new Set(Array.isArray(hashes) ? hashes.filter((each) => typeof each === 'string') : []);
    } catch {
      return new Set();
    }
  }

  async #read(traceDir: string | null): Promise<UserFileList> {
    const confirmed = await this.#confirmed();
    const own = await readFolder(this.#panels, 'user', confirmed);
    const beside = traceDir === null ? [] : await readFolder(traceDir, 'trace', confirmed);
    // Of two files of one name the user's own counts.
    const files = [...own, ...beside.filter(({ name }) => !own.some((each) => each.name === name))];
    const rules = await readRuleFiles(this.#rules, true);
    return { stamp: hashOf(JSON.stringify({ files, rules })), files, rules };
  }
}

async function readFolder(
  dir: string,
  from: UserFile['from'],
  confirmed: ReadonlySet<string>,
): Promise<UserFile[]> {
  const names = await readdir(dir).catch(() => []);
  const files: UserFile[] = [];
  for (const name of names
    .filter((each) => NAME.test(each))
    .sort()
    .slice(0, MOST_FILES)) {
    const path = join(dir, name);
    try {
      const stats = await stat(path);
      if (!stats.isFile() || stats.size > LONGEST_USER_FILE) continue;
      const text = await readFile(path, 'utf8');
      files.push({ name, text, from, confirmed: confirmed.has(hashOf(text)) });
    } catch {
      // It was removed meanwhile, or is not ours to read.
    }
  }
  return files;
}

/** Resolves when something may have changed in the folders, or when it is time to look again. */
function changed(dirs: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const watchers: FSWatcher[] = [];
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      for (const watcher of watchers) watcher.close();
      resolve();
    };
    const timer = setTimeout(done, LOOK_EVERY_MS);
    signal?.addEventListener('abort', done);
    for (const dir of dirs) {
      try {
        watchers.push(watch(dir, done).on('error', done));
      } catch {
        // There is no such folder yet.
      }
    }
  });
}

async function writeWhole(dir: string, name: string, text: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const partial = join(dir, `.${name}.${randomBytes(8).toString('hex')}`);
  await writeFile(partial, text);
  await rename(partial, join(dir, name));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
