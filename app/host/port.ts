import { decodeFrame, encodeFrame } from './frame.ts';

/** A two-way channel of structured-clonable messages that keeps their order. */
export interface Port {
  send(message: object): void;
  /** Takes the one listener; messages that came before are not lost. */
  onMessage(listener: (message: unknown) => void): void;
  /** Calls the listener once, when no message can pass any more. */
  onClose(listener: () => void): void;
}

/** What a DOM `MessagePort` and Node's `worker_threads` port have in common. */
interface DomPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
  start(): void;
}

/** What Electron's `MessagePortMain` offers. */
interface EmitterPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
}

/** A port over a `MessagePort` of the DOM, of Node or of Electron's main process. */
export function messagePort(port: DomPort | EmitterPort): Port {
  const dom = 'addEventListener' in port;
  return {
    send: (message) => port.postMessage(message),
    onMessage(listener) {
      const take = (event: { readonly data: unknown }): void => listener(event.data);
      if (dom) port.addEventListener('message', take);
      else port.on('message', take);
      port.start();
    },
    onClose(listener) {
      if (dom) port.addEventListener('close', listener);
      else port.on('close', listener);
    },
  };
}

/** What the browser's `WebSocket` and that of the package `ws` have in common. */
interface Socket {
  binaryType: string;
  readonly readyState: number;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'open' | 'close', listener: () => void): void;
}

/** `readyState` of a WebSocket that is not open yet: it would refuse to send. */
const CONNECTING = 0;

/** A port over a WebSocket: each message is one binary frame. A frame that cannot be read closes the socket. */
export function webSocketPort(socket: Socket): Port {
  socket.binaryType = 'arraybuffer';
  const send = (message: object): void => socket.send(encodeFrame(message));
  return {
    send(message) {
      if (socket.readyState === CONNECTING) socket.addEventListener('open', () => send(message));
      else send(message);
    },
    onMessage(listener) {
      socket.addEventListener('message', ({ data }) => {
        const message = data instanceof ArrayBuffer ? decodeFrame(new Uint8Array(data)) : null;
        if (message === null) socket.close(1003, 'not a frame of this protocol');
        else listener(message);
      });
    },
    onClose: (listener) => socket.addEventListener('close', listener),
  };
}
