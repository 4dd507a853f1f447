import { createHash, randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import * as v from 'valibot';
import { OpenError } from '../../host/api.ts';
import { writeDurably } from '../store/durable.ts';

/** What somebody may do: each role may do what those before it may. */
export const ROLES = ['view', 'upload', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Who asks. */
export interface Identity {
  readonly name: string;
  readonly role: Role;
}

/** Who asks, and from which address. */
export interface Caller extends Identity {
  readonly address: string;
}

const NAME = /^[\p{L}\p{N}._@+-]{1,100}$/u;
const entries = v.array(
  v.object({
    name: v.pipe(v.string(), v.regex(NAME)),
    role: v.picklist(ROLES),
    /** SHA-256 of the token, in hex: the file does not reveal the token. */
    hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  }),
);
type Entry = v.InferOutput<typeof entries>[number];

/** A file of tokens is looked at again after this time. */
const LOOK_AGAIN_MS = 1000;

/** A token that cannot be guessed. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** SHA-256, in hex. A token is random, so that its hash needs no salt. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Whether somebody of the role may do what `needed` may. */
export const mayAct = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** Who holds which token. */
export class Tokens {
  readonly #path: string | null;
  #byHash: ReadonlyMap<string, Identity>;
  #state = '';
  #lookedAtMs = 0;

  private constructor(path: string | null, byHash: ReadonlyMap<string, Identity>) {
    this.#path = path;
    this.#byHash = byHash;
  }

  /** The tokens of a file; a change of the file takes effect within a second. Rejects if it cannot be read. */
  static async open(path: string): Promise<Tokens> {
    // Looked at before it is read: what changes meanwhile is read again.
    const state = await stat(path).then(stateOf, () => '');
    const tokens = new Tokens(path, toMap(await readTokens(path)));
    tokens.#state = state;
    return tokens;
  }

  /** One token, of a server that was given no file. */
  static one(token: string, identity: Identity): Tokens {
    return new Tokens(null, new Map([[hashOf(token), identity]]));
  }

  /** No tokens: a reverse proxy alone says who asks. */
  static none(): Tokens {
    return new Tokens(null, new Map());
  }

  /** Who holds a token; null if it has no holder. */
  async holder(token: string): Promise<Identity | null> {
    await this.#refresh();
    // Looked up by hash: how long that takes says nothing of how near a guess is.
    return this.#byHash.get(hashOf(token)) ?? null;
  }

  async #refresh(): Promise<void> {
    const now = Date.now();
    if (this.#path === null || now - this.#lookedAtMs < LOOK_AGAIN_MS) return;
    this.#lookedAtMs = now;
    const stats = await stat(this.#path).catch(() => null);
    const state = stats === null ? '' : stateOf(stats);
    if (state === this.#state) return;
    // A file that is gone or cannot be read lets no user in. That is better than to accept tokens that were taken back.
    this.#byHash = stats === null ? new Map() : toMap(await readTokens(this.#path).catch(() => []));
    this.#state = state;
  }
}

/** What changes with a file. Its time alone does not tell two changes in quick succession apart. */
const stateOf = ({ mtimeMs, ino, size }: Stats): string => `${mtimeMs} ${ino} ${size}`;

/** Adds a token for a name to a file, which is made if it is not there; the token, which is written nowhere. */
export async function addToken(path: string, name: string, role: Role): Promise<string> {
  if (!NAME.test(name)) throw new Error(`"${name}" is no name: letters, digits and . _ @ + - are taken`);
  const token = makeToken();
  await writeTokens(path, [...(await existing(path)), { name, role, hash: hashOf(token) }]);
  return token;
}

/** Takes back all tokens of a name; how many there were. */
export async function revokeTokens(path: string, name: string): Promise<number> {
  const all = await readTokens(path);
  const kept = all.filter((entry) => entry.name !== name);
  if (kept.length < all.length) await writeTokens(path, kept);
  return all.length - kept.length;
}

/** Reads a file of tokens. Rejects with a message that names it. */
export async function readTokens(path: string): Promise<readonly Entry[]> {
  const text = await readFile(path, 'utf8');
  try {
    return v.parse(entries, JSON.parse(text));
  } catch {
    throw new OpenError('server', `${path}: not a file of tokens: expected [{ "name", "role", "hash" }, …]`);
  }
}

async function existing(path: string): Promise<readonly Entry[]> {
  const there = await stat(path).then(
    () => true,
    () => false,
  );
  return there ? readTokens(path) : [];
}

const writeTokens = (path: string, all: readonly Entry[]): Promise<void> =>
  writeDurably(path, `${JSON.stringify(all, null, 1)}\n`);

function toMap(all: readonly Entry[]): ReadonlyMap<string, Identity> {
  return new Map(all.map(({ hash, name, role }) => [hash, { name, role }]));
}
