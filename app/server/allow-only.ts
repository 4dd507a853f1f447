import { OpenError } from '../host/api.ts';
import type { Host } from '../host/api.ts';

/**
 * The same host, for someone who may open the `allowed` paths alone, what is fetched for them, and what came in
 * the same bundle, and hears of no others.
 */
export function allowOnly(host: Host, allowed: Set<string>): Host {
  return {
    ...host,
    async open(path, options) {
      const refused = [path, ...(options.with ?? [])].find((each) => !allowed.has(each));
      if (refused !== undefined)
        throw new OpenError('refused', `${refused}: not among the traces that this server was given`);
      const opened = await host.open(path, options);
      for (const each of opened.compared ?? []) allowed.add(each);
      return opened;
    },
    async fetch(from, wanted, options) {
      const path = await host.fetch(from, wanted, options);
      allowed.add(path);
      return path;
    },
    async recent() {
      const traces = await host.recent();
      return traces.filter((trace) => [trace.path, ...(trace.with ?? [])].every((path) => allowed.has(path)));
    },
  };
}
