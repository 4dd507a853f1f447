import { readAddress, teamServerOf } from './address.ts';
import { readFragment, readFrom } from './place.ts';
import { NO_LINK, readState, writeState } from './state.ts';
import type { LinkState, ReadLink } from './state.ts';

/**
 * A link is an address and a fragment. The fragment is `VERSION.DATA`: DATA is the JSON of the state, compressed by raw
 * deflate, in base64url. Versions 1 and 2 are the readable fragments of the address bar: see `place.ts`.
 */
const VERSION = 3;

/** The scheme that opens links in the desktop app. */
export const LINK_SCHEME = 'outrank';
/** What a link of the desktop app begins with. */
export const LINK_ADDRESS = `${LINK_SCHEME}://open`;

/** The longest link in characters: with the program before it, it still fits a command line of Windows (32 767). */
export const LONGEST_LINK = 30_000;
/** The largest state, as JSON: what a short link may become when it is inflated. */
const LARGEST_STATE_BYTES = 1 << 20;

/** Why a link cannot be made or read; one line for the user. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}

/** A state as a fragment, without `#`. Rejects with {@link LinkError} if it does not fit. */
export async function packState(state: LinkState): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(writeState(state)));
  const bytes = await pass(json, new CompressionStream('deflate-raw'));
  return `${VERSION}.${toBase64url(bytes)}`;
}

/** The link of a state; `address` is a team server's page of the trace, or the desktop app's. */
export async function makeLink(state: LinkState, address = LINK_ADDRESS): Promise<string> {
  const link = `${address}#${await packState(state)}`;
  if (link.length <= LONGEST_LINK) return link;
  throw new LinkError(
    `the link would have ${link.length} characters, and ${LONGEST_LINK} is the most: send a bundle instead`,
  );
}

/** Whether a text is meant as a link of the desktop app. */
export function isLink(text: string): boolean {
  return text.trimStart().toLowerCase().startsWith(`${LINK_SCHEME}:`);
}

/** Whether a fragment is a packed state, rather than a readable place. */
export function isPacked(fragment: string): boolean {
  return /^#?\d{1,9}\.[\w-]*$/.test(fragment);
}

/** Reads a link of any version: with its address, or the fragment alone. Rejects with {@link LinkError} if it is none. */
export async function readLink(text: string): Promise<ReadLink> {
  const link = text.trim();
  if (link.length > LONGEST_LINK)
    throw new LinkError(`the link has ${link.length} characters, and ${LONGEST_LINK} is the most`);
  const { fragment, server } = splitLink(link);
  const read = isPacked(fragment) ? await readPacked(fragment) : readReadable(fragment);
  const { trace } = read.state;
  if (server === null || trace === null || trace.server !== undefined) return read;
  return { ...read, state: { ...read.state, trace: { ...trace, server } } };
}

/** The fragment, and the team server that the address names. */
function splitLink(link: string): { readonly fragment: string; readonly server: string | null } {
  const hash = link.indexOf('#');
  const address = hash < 0 ? '' : link.slice(0, hash);
  const fragment = link.slice(hash + 1);
  // Some systems put a slash after the name, and write the scheme as they like.
  if (address === '' || /^outrank:\/\/open\/?$/i.test(address)) return { fragment, server: null };
  if (readAddress(address) !== null) return { fragment, server: teamServerOf(address) };
  throw new LinkError('this is no link of Outrank: it begins with neither outrank://open# nor a web address');
}

async function readPacked(fragment: string): Promise<ReadLink> {
  const [version = '', data = ''] = fragment.split('.');
  if (Number(version) < VERSION) throw new LinkError(`links of version ${version} do not look like this`);
  const bytes = await pass(fromBase64url(data), new DecompressionStream('deflate-raw'));
  const read = readState(parse(bytes));
  if (Number(version) === VERSION) return read;
  const newer = `the link is of version ${version}, newer than this Outrank, which knows up to ${VERSION}`;
  return { ...read, notes: [newer, ...read.notes] };
}

function readReadable(fragment: string): ReadLink {
  const { trace: id, ...place } = readFragment(fragment);
  const trace = id === null ? null : { id, name: '', sizeBytes: null };
  const from = readFrom(fragment);
  if (from === null && trace === null && JSON.stringify(place) === JSON.stringify(NO_LINK.place))
    throw new LinkError('this is no link of Outrank, or its end is missing');
  return { state: { ...NO_LINK, trace, ...(from !== null && { from }), place }, notes: [] };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new LinkError('the link is damaged: what it holds is not readable');
  }
}

/** Sends bytes through a stream; no more than the largest state is ever held. */
async function pass(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const parts: Uint8Array[] = [];
  let size_bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new LinkError('the link is damaged, or its end is missing');
    });
    if (done) break;
    size_bytes += value.length;
    parts.push(value);
    if (size_bytes <= LARGEST_STATE_BYTES) continue;
    await reader.cancel().catch(() => undefined);
    throw new LinkError(`the link holds more than ${LARGEST_STATE_BYTES} bytes`);
  }
  const all = new Uint8Array(size_bytes);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toBase64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
  } catch {
    throw new LinkError('the link is damaged, or its end is missing');
  }
}
