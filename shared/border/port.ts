import { decodeFrame, encodeFrame } from './frame.ts';

/** What can be handed over with a message: the sender has it no more. */
export type Handed = ArrayBuffer | MessagePort;

/** A two-way channel of structured-clonable messages that keeps their order. */
export interface Port {
  /** A channel that cannot hand over memory copies it. */
  send(message: object, handing?: readonly Handed[]): void;
  /** Takes a listener: one that asks and one that answers can share a port. Messages that came before are not lost. */
  onMessage(listener: (message: unknown) => void): void;
  /** Calls the listener once, with why in words, when no message can pass any more. */
  onClose(listener: (reason: string) => void): void;
  /** Closes the channel; a worker ends at once, and this resolves when it is gone. */
  close(): void | Promise<void>;
}

interface Poster {
  postMessage(message: unknown, handing: never[]): void;
}

interface MessageEventLike {
  readonly data: unknown;
}

/** What a DOM `MessagePort` and Node's `worker_threads` port have in common. */
interface DomPort extends Poster {
  addEventListener(type: 'message', listener: (event: MessageEventLike) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
  start(): void;
  close(): void;
}

/** What Electron's `MessagePortMain` offers. */
interface EmitterPort extends Poster {
  on(event: 'message', listener: (event: MessageEventLike) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

function sendBy(poster: Poster): Port['send'] {
  return (message, handing = []) => poster.postMessage(message, [...handing] as never[]);
}

/** A port over a `MessagePort` of the DOM, of Node or of Electron's main process. Not every browser tells when it has closed. */
export function messagePort(port: DomPort | EmitterPort): Port {
  const dom = 'addEventListener' in port;
  return {
    send: sendBy(port),
    onMessage(listener) {
      const take = ({ data }: MessageEventLike): void => listener(data);
      if (dom) port.addEventListener('message', take);
      else port.on('message', take);
      port.start();
    },
    onClose(listener) {
      const close = (): void => listener('the port was closed');
      if (dom) port.addEventListener('close', close);
      else port.on('close', close);
    },
    close: () => port.close(),
  };
}

/** A port of a page to a worker that it has started. */
export function workerPort(worker: Worker): Port {
  return {
    send: sendBy(worker),
    onMessage: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
    onClose: (listener) =>
      worker.addEventListener('error', ({ message }) => listener(message || 'it could not be started'), {
        once: true,
      }),
    close: () => worker.terminate(),
  };
}

/** The port of a page's worker to the page. The worker ends with the page. */
export function pagePort(): Port {
  return {
    send: sendBy(self as unknown as Poster),
    onMessage: (listener) => self.addEventListener('message', ({ data }) => listener(data)),
    onClose: () => undefined,
    close: () => self.close(),
  };
}

/** What `Worker` of Node's `worker_threads` offers. */
interface Thread extends Poster {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  terminate(): Promise<unknown>;
}

/** A port to a thread of Node that was started. */
export function threadPort(thread: Thread): Port {
  return {
    send: sendBy(thread),
    onMessage: (listener) => thread.on('message', listener),
    onClose: (listener) => {
      let isTold = false;
      const tell = (reason: string): void => {
        if (!isTold) listener(reason);
        isTold = true;
      };
      thread.once('error', (error) => tell(error.message));
      thread.once('exit', (code) => tell(`its thread ended with code ${code}`));
    },
    async close() {
      await thread.terminate();
    },
  };
}

/** What the browser's `WebSocket` and that of the package `ws` have in common. */
interface Socket {
  binaryType: string;
  readonly readyState: number;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'message', listener: (event: MessageEventLike) => void): void;
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
    onClose: (listener) => socket.addEventListener('close', () => listener('the connection was closed')),
    close: () => socket.close(),
  };
}
