import type { TeamServer, TraceId } from '../../host/api.ts';
import { isReadableOnTheWay } from '../../../shared/link/index.ts';

/** Tokens by the origins of their servers. They are gone with the page: nothing of them is written anywhere. */
const tokens = new Map<string, string>();
/** Where traces were fetched from or sent to, so that a link can say it. */
const origins = new Map<TraceId, string>();

/** The token that was given for a server last; empty if none was. */
export function tokenOf(origin: string): string {
  return tokens.get(origin) ?? '';
}

/** A server, as the user said who they are there; the token is kept as long as the page. */
export function asUser(origin: string, token: string, unencrypted: boolean): TeamServer {
  const given = token.trim();
  if (given === '') tokens.delete(origin);
  else tokens.set(origin, given);
  return { origin, token: given === '' ? null : given, unencrypted };
}

/** Notes that a server has a trace. */
export function noteServer(id: TraceId, origin: string): void {
  origins.set(id, origin);
}

/** The server that a trace was fetched from or sent to; absent if it is on none that is known. */
export function serverOf(id: TraceId): string | undefined {
  return origins.get(id);
}

/** Where the files of traces were fetched from that anybody may fetch. */
const addresses = new Map<TraceId, string>();

/** Notes the address that a trace's file was fetched from. */
export function noteAddress(id: TraceId, address: string): void {
  addresses.set(id, address);
}

/** The address that a trace's file was fetched from; absent if it was not. */
export function addressOfFile(id: TraceId): string | undefined {
  return addresses.get(id);
}

/** Whether what goes to a server can be read on its way. */
export function isReadable(origin: string): boolean {
  return isReadableOnTheWay(new URL(origin));
}
