import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connectEngine } from './client.ts';
import type { Engine } from './engine.ts';
import type { NodeEngineOptions } from './node-engine.ts';

/** Where the parts of an engine lie, and how much it may take. */
export interface ProcessEngineOptions extends NodeEngineOptions {
  /** Most memory for its trace and tables; absent: all that WebAssembly can have, 4 GiB. */
  readonly memoryBytesMax?: number | undefined;
}

/** An engine in a process of its own, whose memory can be measured and which can die alone. */
export interface ProcessEngine extends Engine {
  /** The id of its process; undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Whether the process runs. */
  readonly alive: boolean;
}

/** An engine in a child process of this one; it ends with this one at the latest. */
export function startProcessEngine({
  workerPath,
  wasmPath,
  memoryBytesMax,
}: ProcessEngineOptions): ProcessEngine {
  const child = fork(workerPath, [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const isAlive = (): boolean =>
    child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`its process ended (${signal ?? code ?? 'unknown'})`));
  });
  const engine = connectEngine(
    {
      // A process that is gone takes no message; that it is gone is told by `onClose`.
      send: (message) => child.send(message, () => undefined),
      onMessage: (listener) => child.on('message', listener),
      onClose: (listener) => void exited.then(listener),
      async close() {
        if (isAlive() && child.kill('SIGKILL')) await once(child, 'exit');
      },
    },
    wasmPath,
    memoryBytesMax,
  );
  return {
    ...engine,
    pid: child.pid,
    get alive() {
      return isAlive();
    },
  };
}
