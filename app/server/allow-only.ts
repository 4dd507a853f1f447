import { OpenError } from '../host/api.ts';
import type { Host } from '../host/api.ts';

/** The same host, for someone who may open the `allowed` paths alone, and what is fetched for them, and hears of no others. */
export function allowOnly(host: Host, allowed: Set<string>): Host {
  return {
    ...host,
    async open(path, options) {
      const refused = [path, ...(options.with ?? [])].find((each) => !allowed.has(each));
      if (refused === undefined) return host.open(path, options);
      throw new OpenError('refused', `${refused}: not among the traces that this server was given`);
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
