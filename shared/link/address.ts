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

/** The origin of the team server whose page of a trace an address is; null if it is none. */
export function teamServerOf(address: string): string | null {
  const url = readAddress(address);
  return url !== null && /^\/t\/[0-9a-f]{64}\/?$/.test(url.pathname) ? url.origin : null;
}

/** Whether what goes to an address can be read on its way there: it is not encrypted, and leaves this machine. */
export function isReadableOnTheWay({ protocol, hostname }: URL): boolean {
  return protocol !== 'https:' && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
