import type { Door } from './door.ts';

/**
 * What the preload puts on `window.outrank`. The transport cannot cross the context bridge: `connect` asks for it, and
 * the preload posts it to the page by `window.postMessage({ outrank: 'port' }, origin, [port])`.
 */
export interface OutrankBridge {
  connect(): void;
  /** The trace, the link or the address of a lake named when the app was started, or null. */
  initialPath(): Promise<string | null>;
  /** The system's dialog; the chosen path, or null. */
  openDialog(): Promise<string | null>;
  /** The system's dialog for a new file of this name; the chosen path, or null. */
  saveDialog(name: string): Promise<string | null>;
  /** The path of a dropped file; empty if it has none. */
  pathOfFile(file: File): string;
  /** Traces, links and lakes asked for later: menu, second start of the app, the system's "open with". */
  onOpenRequest(listener: (path: string) => void): void;
}

declare global {
  interface Window {
    readonly outrank?: OutrankBridge;
  }
}

/** Waits for the transport that the preload posts. */
function receivePort(bridge: OutrankBridge): Promise<MessagePort> {
  return new Promise((resolve) => {
    const onMessage = (event: MessageEvent) => {
      const data: unknown = event.data;
      if (event.source !== window || typeof data !== 'object' || data === null) return;
      const [port] = event.ports;
      if (!('outrank' in data) || data.outrank !== 'port' || port === undefined) return;
      window.removeEventListener('message', onMessage);
      // The host learns at once that the page is gone. Electron 22 crashes if a reload leaves the port open.
      window.addEventListener('pagehide', () => port.close());
      resolve(port);
    };
    window.addEventListener('message', onMessage);
    bridge.connect();
  });
}

/** The door of the desktop window. */
export async function openElectronDoor(
  bridge: OutrankBridge,
  connect: (port: MessagePort) => Door['host'],
): Promise<Door> {
  const [port, path] = await Promise.all([receivePort(bridge), bridge.initialPath()]);
  const host = connect(port);
  return {
    host,
    lakes: host.lakes,
    initial: { path },
    openDialog: () => bridge.openDialog(),
    saveAs: async (name) => {
      const chosen = await bridge.saveDialog(name);
      return chosen === null ? null : { path: chosen, done: () => Promise.resolve(`Written to ${chosen}.`) };
    },
    pathOfFile: (file) => bridge.pathOfFile(file) || null,
    onOpenRequest: (listener) => bridge.onOpenRequest(listener),
  };
}
