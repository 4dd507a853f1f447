import { OpenError } from '../host/api.ts';
import type { Host } from '../host/api.ts';

/** The same host, for someone who may open the `allowed` paths alone, and hears of no others. */
export function allowOnly(host: Host, allowed: ReadonlySet<string>): Host {
  return {
    ...host,
    async open(path, options) {
      if (allowed.has(path)) return host.open(path, options);
      throw new OpenError('refused', `${path}: not among the traces that this server was given`);
    },
    recent: async () => (await host.recent()).filter(({ path }) => allowed.has(path)),
  };
}
