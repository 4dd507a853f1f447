/** One `-- @key value` of a header. */
export interface HeaderEntry {
  readonly key: string;
  /** What follows the key, continued lines joined by blanks. */
  readonly value: string;
  /** The line of the file where it begins, from 1. */
  readonly line: number;
}

/** Why a file cannot be used: its message names the file and, where there is one, the line. */
export class SqlFileError extends Error {
  override readonly name = 'SqlFileError';
  constructor(
    file: string,
    /** Where it is in the file, from 1; null for all of it. */
    readonly line: number | null,
    /** The message without file and line. */
    readonly reason: string,
  ) {
    super(line === null ? `${file}: ${reason}` : `${file}, line ${line}: ${reason}`);
  }
}

/** The header of a file, asked by key. What is missing, repeated or unknown is a {@link SqlFileError}. */
export class Header {
  readonly #file: string;
  readonly #entries: readonly HeaderEntry[];

  constructor(file: string, entries: readonly HeaderEntry[]) {
    this.#file = file;
    this.#entries = entries;
  }

  /** The entries with a key, in the file's order. */
  all(key: string): readonly HeaderEntry[] {
    return this.#entries.filter((entry) => entry.key === key);
  }

  /** The entry with a key that may be there once. */
  optional(key: string): HeaderEntry | null {
    const [first, second] = this.all(key);
    if (second !== undefined) throw this.refusal(second, 'is there twice');
    return first ?? null;
  }

  /** The entry with a key that must be there once. */
  one(key: string): HeaderEntry {
    const entry = this.optional(key);
    if (entry === null) throw new SqlFileError(this.#file, null, `the header has no @${key}`);
    return entry;
  }

  /** Refuses entries with other keys than these. */
  only(keys: readonly string[]): void {
    const other = this.#entries.find(({ key }) => !keys.includes(key));
    if (other === undefined) return;
    const known = keys.map((key) => `@${key}`).join(', ');
    throw this.refusal(other, `is not known here: there are ${known}`);
  }

  /** What is wrong with an entry, as an error to throw. */
  refusal({ key, line }: HeaderEntry, what: string): SqlFileError {
    return new SqlFileError(this.#file, line, `@${key} ${what}`);
  }
}
