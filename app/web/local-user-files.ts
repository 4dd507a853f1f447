import { OpenError, type KeptName, type UserFile, type UserFileList, type UserFiles } from '../host/api.ts';
import { sha256OfText } from '../host/recording-id.ts';

const PANELS = 'outrank.panels';
const RULES = 'outrank.rules';
/** A rule longer than this is none, in bytes, as elsewhere. */
const RULE_BYTES_MAX = 1 << 20;
const CONFIRMED = 'outrank.confirmed';
const KEPT = 'outrank.kept.';

/** The user's panels, and what the user keeps, in the browser's store. */
export class LocalUserFiles implements UserFiles {
  readonly #store: Storage;
  #onChange = new Set<() => void>();

  constructor(store: Storage) {
    this.#store = store;
  }

  async list(_trace: string | null, since: string | null, signal?: AbortSignal): Promise<UserFileList> {
    for (;;) {
      const list = this.#list();
      if (list.stamp !== since || signal?.aborted === true) return list;
      await this.#changed(signal);
    }
  }

  save(name: string, text: string): Promise<void> {
    this.#write(PANELS, { ...this.#read(PANELS), [name]: text });
    this.#confirm(text);
    for (const change of this.#onChange) change();
    return Promise.resolve();
  }

  /** The names of the rules that the user added. */
  rules(): readonly string[] {
    return Object.keys(this.#read(RULES)).sort();
  }

  /** Adds rules, over those of the same names. */
  async addRules(files: readonly File[]): Promise<void> {
    for (const { name, size } of files) {
      if (!name.endsWith('.sql')) throw new OpenError('file', `${name}: is no rule: rules are files .sql`);
      if (size > RULE_BYTES_MAX)
        throw new OpenError('file', `${name}: ${size} bytes are too many for a rule`);
    }
    const added = await Promise.all(files.map(async (file) => [file.name, await file.text()] as const));
    this.#write(RULES, { ...this.#read(RULES), ...Object.fromEntries(added) });
    for (const change of this.#onChange) change();
  }

  removeRule(name: string): void {
    const others = Object.entries(this.#read(RULES)).filter(([each]) => each !== name);
    this.#write(RULES, Object.fromEntries(others));
    for (const change of this.#onChange) change();
  }

  confirm(text: string): Promise<void> {
    this.#confirm(text);
    return Promise.resolve();
  }

  isConfirmed(text: string): Promise<boolean> {
    return Promise.resolve(sha256OfText(text) in this.#read(CONFIRMED));
  }

  kept(name: KeptName): Promise<string | null> {
    return Promise.resolve(this.#store.getItem(KEPT + name));
  }

  keep(name: KeptName, text: string): Promise<void> {
    this.#set(KEPT + name, text);
    return Promise.resolve();
  }

  #list(): UserFileList {
    const files = Object.entries(this.#read(PANELS)).map(([name, text]): UserFile => ({
      name,
      text,
      from: 'user',
      confirmed: true,
    }));
    const texts = this.#read(RULES);
    const rules = this.rules().map((name) => ({ name, text: texts[name] ?? '' }));
    return {
      stamp: sha256OfText(JSON.stringify([files, rules])),
      files,
      rules: { files: rules, refused: [] },
    };
  }

  #changed(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#onChange.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#onChange.add(done);
      signal?.addEventListener('abort', done);
    });
  }

  #confirm(text: string): void {
    this.#write(CONFIRMED, { ...this.#read(CONFIRMED), [sha256OfText(text)]: '' });
  }

  #read(name: string): Record<string, string> {
    try {
      const value: unknown = JSON.parse(this.#store.getItem(name) ?? '{}');
      const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
      return Object.fromEntries(
        entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      );
    } catch {
      return {};
    }
  }

  #write(name: string, value: Readonly<Record<string, string>>): void {
    this.#set(name, JSON.stringify(value));
  }

  #set(name: string, text: string): void {
    try {
      this.#store.setItem(name, text);
    } catch {
      throw new OpenError('file', `${name}: this browser has no room for it`);
    }
  }
}
