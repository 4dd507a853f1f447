import { OpenError } from './api.ts';
import type { Host } from './api.ts';

/** The same host, for a page that may export to the files alone that its user chose. */
export function allowExports(host: Host, chosen: ReadonlySet<string>): Host {
  return {
    ...host,
    async export(id, request, output, options) {
      if (output === null || chosen.has(output)) return host.export(id, request, output, options);
      throw new OpenError('refused', `${output}: not a file that was chosen for an export`);
    },
  };
}
