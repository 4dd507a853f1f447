/** A web address; null if the text is none. */
export function readAddress(text: string): URL | null {
  if (!/^https?:\/\//i.test(text)) return null;
  try {
    // `URL.canParse` is newer than the oldest Electron that the page runs in.
    return new URL(text);
  } catch {
    return null;
  }
}

/** The longest address of a file that a link takes. */
const LONGEST_FILE_ADDRESS = 2_000;

/**
 * The address of a file that anybody may fetch; null if the text is none. The address is encrypted or of this machine. It has no
 * user name and no password. A page's content security policy can hold it as it is.
 */
export function readFileAddress(text: string): URL | null {
  const url = text.length <= LONGEST_FILE_ADDRESS ? readAddress(text.trim()) : null;
  if (url === null || isReadableOnTheWay(url)) return null;
  const { username, password, pathname } = url;
  if (username !== '' || password !== '' || pathname.endsWith('/')) return null;
  url.hash = '';
  // What separates parts of a policy is written as such addresses write it.
  url.pathname = pathname.replace(/[;,']/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  return url;
}

/** The origin of the team server whose page of a trace an address is; null if it is none. */
export function teamServerOf(address: string): string | null {
  const url = readAddress(address);
  return url !== null && /^\/t\/[0-9a-f]{64}\/?$/.test(url.pathname) ? url.origin : null;
}

/**
 * The server whose lake an address shows, and the token in it: that of `outrank lake show`, or of the page of a team server. Null if
 * the text is none.
 */
export function readLakeAddress(text: string): { readonly origin: string; readonly token: string } | null {
  const url = readAddress(text.trim());
  return url === null || !/^\/(lake(\.html)?)?$/.test(url.pathname)
    ? null
    : { origin: url.origin, token: url.searchParams.get('token') ?? '' };
}

/** Whether what goes to an address can be read on its way there: it is not encrypted, and leaves this machine. */
export function isReadableOnTheWay({ protocol, hostname }: URL): boolean {
  return protocol !== 'https:' && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
