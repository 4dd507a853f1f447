import { once } from 'node:events';
import { utilityProcess } from 'electron';
import { connectEngine } from '../../shared/engine/client.ts';
import type { Engine } from '../../shared/engine/index.ts';

/**
 * An engine in a process of its own: whatever it does, the window lives on.
 * @param workerPath the bundle of `shared/engine/worker.ts`
 * @param wasmPath `trace_processor.wasm`
 */
export function startEngineProcess(workerPath: string, wasmPath: string): Engine {
  const child = utilityProcess.fork(workerPath, [], { serviceName: 'Outrank engine', stdio: 'ignore' });
  const exited = once(child, 'exit');
  return connectEngine(
    {
      send: (message) => child.postMessage(message),
      onMessage: (listener) => child.on('message', listener),
      onClose: (listener) => {
        child.once('exit', (code) => listener(`its process ended with code ${code}`));
      },
      async close() {
        // False where it has ended already.
        if (child.kill()) await exited;
      },
    },
    wasmPath,
  );
}
