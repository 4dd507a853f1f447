/** The program of a thread that answers calls of tests. */
import { parentPort } from 'node:worker_threads';
import { connect, messagePort, serve, type Call } from '../index.ts';

/** What the thread asks by a port of its own. */
export interface StoreCalls {
  read: Call<string, Uint8Array>;
}

/** What the thread answers. */
export interface ThreadCalls {
  /** So many bytes, all of one value; their memory is handed over. */
  fill: Call<{ readonly length: number; readonly value: number }, Uint8Array>;
  /** How many bytes `read` gives for each name, asked over the port. */
  lengths: Call<{ readonly port: MessagePort; readonly names: readonly string[] }, number[]>;
  end: Call<number>;
}

if (parentPort === null) throw new Error('this is the program of a worker thread');
serve<ThreadCalls>(
  messagePort(parentPort),
  {
    fill: ({ length, value }) => new Uint8Array(length).fill(value),
    async lengths({ port, names }) {
      const store = connect<StoreCalls>(messagePort(port));
      const read = await Promise.all(names.map((name) => store.call('read', name)));
      port.close();
      return read.map((bytes) => bytes.length);
    },
    end: (code) => process.exit(code),
  },
  { handsOver: true },
);
