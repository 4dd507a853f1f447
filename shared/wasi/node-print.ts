import { writeSync } from 'node:fs';

/** Writes bytes, or a text, to a descriptor of the process, and waits where whoever reads is slow. */
export function print(descriptor: number, what: Uint8Array | string): void {
  const bytes = typeof what === 'string' ? new TextEncoder().encode(what) : what;
  for (let done = 0; done < bytes.length;) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
