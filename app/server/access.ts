import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** What a request may do. `exchange`: it brings the token, and is to be given the cookie. */
export type Verdict = 'allowed' | 'exchange' | 'refused';

/**
 * Who may talk to the server: those who were shown its address with the token, and of pages those of its own origin alone. Programs bring
 * the token in the header `authorization`.
 * The cookie's name holds the port, since cookies of one machine are shared by all its ports.
 */
export class Access {
  readonly token = randomBytes(32).toString('base64url');
  readonly #hostName: string;
  #cookieName = '';

  constructor(hostName: string) {
    this.#hostName = hostName;
  }

  /** Says on which port the server listens. */
  set port(port: number) {
    this.#cookieName = `outrank-${port}`;
  }

  /** Session cookie for a browser that brought the token. */
  get cookie(): string {
    return `${this.#cookieName}=${this.token}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** Judges a request. `fromPage`: only the page itself sends such requests, so that it must name its origin. */
  judge(request: IncomingMessage, url: URL, { fromPage }: { readonly fromPage: boolean }): Verdict {
    const { host, origin } = request.headers;
    if (host === undefined || !this.#isOurHost(host)) return 'refused';
    // A program names no origin; the token in its header is one that no foreign page knows.
    const fromProgram = this.#isToken(bearerOf(request));
    if (origin === undefined ? fromPage && !fromProgram : origin !== `http://${host}`) return 'refused';
    if (fromProgram) return 'allowed';
    if (this.#isToken(readCookie(request.headers.cookie ?? '', this.#cookieName))) return 'allowed';
    const brought = !fromPage && url.pathname === '/' && this.#isToken(url.searchParams.get('token'));
    return brought ? 'exchange' : 'refused';
  }

  /** A foreign name that resolves to this machine would let a foreign page in (DNS rebinding); an address cannot. */
  #isOurHost(host: string): boolean {
    const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    return name === 'localhost' || name === this.#hostName || isIP(name) !== 0;
  }

  #isToken(value: string | null): boolean {
    if (value === null) return false;
    const [given, wanted] = [Buffer.from(value), Buffer.from(this.token)];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

/** The token in the header `authorization`; null if there is none. */
function bearerOf({ headers }: IncomingMessage): string | null {
  return /^bearer (\S{1,200})$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** The value of a cookie in the header; null if it is not there. */
export function readCookie(header: string, name: string): string | null {
  const prefix = `${name}=`;
  const found = header.split('; ').find((part) => part.startsWith(prefix));
  return found === undefined ? null : found.slice(prefix.length);
}
