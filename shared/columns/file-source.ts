import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { OpenSource } from './byte-source.ts';

/** Opens the file at `path` to be read. Needs Node. Throws what Node throws. Its size is taken now: a file that grows shows no more. */
export function openFileSource(path: string): OpenSource {
  const file = openSync(path, 'r');
  return {
    name: path,
    sizeBytes: fstatSync(file).size,
    read(into, at) {
      let done = 0;
      while (done < into.length) {
        const count = readSync(file, into, done, into.length - done, at + done);
        if (count === 0) break;
        done += count;
      }
      return done;
    },
    close: () => closeSync(file),
  };
}
