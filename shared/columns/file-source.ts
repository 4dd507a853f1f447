import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from './byte-source.ts';

/** A file that is open until {@link FileSource.close}. Needs Node. */
export interface FileSource extends ByteSource {
  close(): void;
}

/** Opens the file at `path` to be read. Throws what Node throws. Its size is taken now: a file that grows shows no more. */
export function openFileSource(path: string): FileSource {
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
