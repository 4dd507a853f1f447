import { OpenError } from './api.ts';
import type { Host } from './api.ts';

/** The same host, for a page that may export to the files alone that its user chose. */
export function allowExports(host: Host, chosen: ReadonlySet<string>): Host {
  const refuseOthers = (output: string): void => {
    if (!chosen.has(output))
      throw new OpenError('refused', `${output}: not a file that was chosen for an export`);
  };
  return {
    ...host,
    async export(id, request, output, options) {
      if (output !== null) refuseOthers(output);
      return host.export(id, request, output, options);
    },
    async bundle(id, gift, place, output, options) {
      refuseOthers(output);
      await host.bundle(id, gift, place, output, options);
    },
  };
}
