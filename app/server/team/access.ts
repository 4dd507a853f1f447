import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { readCookie } from '../access.ts';
import { RateLimit } from './rate-limit.ts';
import { TeamError } from './team-error.ts';
import { mayAct } from './tokens.ts';
import type { Caller, Identity, Role, Tokens } from './tokens.ts';

/** A reverse proxy, from which alone some headers count. */
export interface Proxy {
  /** The addresses that it comes from. */
  readonly addresses: BlockList;
  /** How it says who asks; null if tokens do. */
  readonly identity: {
    /** The header that holds the name, in lower case. */
    readonly header: string;
    /** What those whom it names may do. */
    readonly role: Role;
  } | null;
}

/** How the server knows who asks. */
export interface AccessOptions {
  readonly tokens: Tokens;
  readonly proxy: Proxy | null;
  /** The address that browsers use, if it is not the server's own: that of the reverse proxy. */
  readonly publicUrl: URL | null;
  /** The address that the server listens on. */
  readonly hostName: string;
}

const FAILURES_PER_MINUTE = 30;
const REQUESTS_PER_MINUTE = 3000;
const COOKIE_LIVES_S = 30 * 24 * 3600;
const LONGEST_NAME = 256;

/** Who may do what: tokens in a header (programs) or a cookie (browsers), or names that a trusted proxy gives. */
export class TeamAccess {
  readonly #options: AccessOptions;
  readonly #failures = new RateLimit(FAILURES_PER_MINUTE);
  readonly #requests = new RateLimit(REQUESTS_PER_MINUTE);
  #port = 0;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** Says on which port the server listens. */
  set port(port: number) {
    this.#port = port;
  }

  /** The address that asks: what a trusted proxy says that it is, else the connection's own. */
  addressOf(request: IncomingMessage): string {
    const own = request.socket.remoteAddress ?? '';
    const forwarded = headerOf(request, 'x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
    return this.#isFromProxy(own) && isIP(forwarded) !== 0 ? forwarded : own;
  }

  /** Rejects requests that came by a foreign name (DNS rebinding), from a page of elsewhere, or too often. */
  assertOurs(request: IncomingMessage): void {
    if (!this.#requests.take(this.addressOf(request)))
      throw new TeamError(429, 'too many requests: wait a minute', { 'retry-after': '60' });
    const { host, origin } = request.headers;
    if (host === undefined || !this.#isOurHost(host))
      throw new TeamError(403, 'this server is known by another name; its operator sets it by --public-url');
    if (origin !== undefined && origin !== this.#origin(host))
      throw new TeamError(403, 'pages of other sites may ask nothing of this server');
  }

  /**
   * Who asks, if they may do what `needed` may. `changes`: the request changes something or opens a socket, so that a
   * browser must say that our own page sent it. Throws a `TeamError`.
   */
  async identify(request: IncomingMessage, needed: Role, { changes = false } = {}): Promise<Caller> {
    const address = this.addressOf(request);
    if (this.#failures.isSpent(address))
      throw new TeamError(429, 'too many attempts: wait a minute', { 'retry-after': '60' });
    const { authorization } = request.headers;
    const bearer = /^bearer ([\w-]{1,200})$/i.exec(authorization ?? '')?.[1];
    const identity =
      authorization === undefined ? await this.#fromBrowser(request, changes) : await this.#holder(bearer);
    if (identity === null) {
      if (authorization !== undefined || this.#cookie(request) !== null) this.#failures.take(address);
      throw new TeamError(401, 'this server wants a token that it gave out', {
        'www-authenticate': 'Bearer',
      });
    }
    if (!mayAct(identity.role, needed))
      throw new TeamError(
        403,
        `${identity.name} has the role "${identity.role}" here, and this needs "${needed}"`,
      );
    return { ...identity, address };
  }

  /** Exchanges a token for a cookie: the identity, and the value of `set-cookie`. Throws a `TeamError`. */
  async signIn(
    request: IncomingMessage,
    token: string,
  ): Promise<{ readonly identity: Identity; readonly cookie: string }> {
    if (request.headers.origin === undefined) throw new TeamError(403, 'only our own page signs in');
    const address = this.addressOf(request);
    if (this.#failures.isSpent(address))
      throw new TeamError(429, 'too many attempts: wait a minute', { 'retry-after': '60' });
    const identity = await this.#holder(token);
    if (identity === null) {
      this.#failures.take(address);
      throw new TeamError(401, 'this server gave out no such token, or it was taken back');
    }
    return { identity, cookie: this.#setCookie(token, COOKIE_LIVES_S) };
  }

  /** The value of `set-cookie` that makes a browser forget its token. */
  get signOutCookie(): string {
    return this.#setCookie('', 0);
  }

  async #fromBrowser(request: IncomingMessage, changes: boolean): Promise<Identity | null> {
    const identity = this.#fromProxy(request) ?? (await this.#holder(this.#cookie(request) ?? undefined));
    if (identity !== null && changes && request.headers.origin === undefined)
      throw new TeamError(403, 'a browser must say which page sends this');
    return identity;
  }

  #fromProxy(request: IncomingMessage): Identity | null {
    const given = this.#options.proxy?.identity ?? null;
    if (given === null || !this.#isFromProxy(request.socket.remoteAddress ?? '')) return null;
    const name = headerOf(request, given.header)?.trim() ?? '';
    // eslint-disable-next-line no-control-regex
    return name === '' || name.length > LONGEST_NAME || /[\x00-\x1f\x7f]/.test(name)
      ? null
      : { name, role: given.role };
  }

  async #holder(token: string | undefined): Promise<Identity | null> {
    return token === undefined || token.length > 200 ? null : this.#options.tokens.holder(token);
  }

  #isFromProxy(address: string): boolean {
    const plain = address.replace(/^::ffff:/, '');
    const family = isIP(plain);
    const { proxy } = this.#options;
    return proxy !== null && family !== 0 && proxy.addresses.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  }

  #isOurHost(host: string): boolean {
    const { publicUrl, hostName } = this.#options;
    if (host === publicUrl?.host) return true;
    // A foreign name that resolves to this machine would let a foreign page in; an address cannot.
    const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    return name === 'localhost' || name === hostName || isIP(name) !== 0;
  }

  #origin(host: string): string {
    const { publicUrl } = this.#options;
    return host === publicUrl?.host ? publicUrl.origin : `http://${host}`;
  }

  #cookie(request: IncomingMessage): string | null {
    return readCookie(request.headers.cookie ?? '', this.#cookieName);
  }

  /** Cookies of one machine are shared by all its ports; the prefix keeps other hosts of a domain from setting it. */
  get #cookieName(): string {
    return this.#isSecure ? '__Host-outrank' : `outrank-team-${this.#port}`;
  }

  get #isSecure(): boolean {
    return this.#options.publicUrl?.protocol === 'https:';
  }

  /** Sent when a link elsewhere is followed, too: links to traces are followed from mail and chat. */
  #setCookie(token: string, lives_s: number): string {
    const secure = this.#isSecure ? '; Secure' : '';
    return `${this.#cookieName}=${token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${lives_s}${secure}`;
  }
}

/** Reads addresses and networks: `10.0.0.1`, `10.0.0.0/8`, `::1`. Throws if one is none. */
export function readAddresses(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix] = text.split('/');
    const family = isIP(address);
    const bits = Number(prefix ?? (family === 6 ? 128 : 32));
    if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 6 ? 128 : 32))
      throw new Error(`"${text}" is no address or network: expected one such as 10.0.0.1 or 10.0.0.0/8`);
    list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}
