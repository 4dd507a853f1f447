import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { webSocketPort } from '../../../shared/border/index.ts';
import { LONGEST_REQUEST_BYTES } from '../../host/protocol.ts';
import { serveHost } from '../../host/serve-host.ts';
import type { TraceRecord } from '../store/trace-store.ts';
import type { OpenTraces } from './open-traces.ts';
import { TeamError } from './team-error.ts';
import type { Identity } from './tokens.ts';
import { viewerHost } from './viewer-host.ts';

/** The most connections, of all and of one identity. */
const MOST_VIEWERS = 1000;
const MOST_OF_ONE = 200;
/** A viewer that takes its answers so slowly that more than this waits in memory is cut off: more than the largest answer. */
const UNSENT_LIMIT_BYTES = 320 << 20;

interface Viewer {
  readonly identity: Identity;
  /** Whether who it is still holds. */
  readonly isValid: () => Promise<boolean>;
  answered: boolean;
}

/** The connections of pages that show a stored trace. */
export class Viewers {
  readonly #openTraces: OpenTraces;
  readonly #sockets: WebSocketServer;
  readonly #viewers = new Map<WebSocket, Viewer>();

  private constructor(openTraces: OpenTraces, sockets: WebSocketServer) {
    this.#openTraces = openTraces;
    this.#sockets = sockets;
  }

  /** No viewer is connected yet. */
  static async of(openTraces: OpenTraces): Promise<Viewers> {
    // Loaded only where something is served: most commands serve nothing.
    const { WebSocketServer } = await import('ws');
    const sockets = new WebSocketServer({ noServer: true, maxPayload: LONGEST_REQUEST_BYTES });
    return new Viewers(openTraces, sockets);
  }

  /** Rejects with a `TeamError` if there is no room for one more of somebody. */
  assertRoom({ name }: Identity): void {
    const own = [...this.#viewers.values()].filter(({ identity }) => identity.name === name).length;
    if (this.#viewers.size >= MOST_VIEWERS || own >= MOST_OF_ONE)
      throw new TeamError(429, 'too many pages are connected');
  }

  /** Makes a request the connection of a page that shows a trace. */
  add(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    record: TraceRecord,
    viewer: Pick<Viewer, 'identity' | 'isValid'>,
  ): void {
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#viewers.set(webSocket, { ...viewer, answered: true });
      // After an error (a message too long, a broken frame) the socket closes, which is all that matters here.
      webSocket.on('error', () => webSocket.terminate());
      webSocket.on('close', () => this.#viewers.delete(webSocket));
      webSocket.on('pong', () => this.#heard(webSocket));
      const port = webSocketPort(webSocket);
      const send = (message: object): void => {
        port.send(message);
        if (webSocket.bufferedAmount > UNSENT_LIMIT_BYTES) webSocket.terminate();
      };
      serveHost(viewerHost(record, this.#openTraces), { ...port, send });
    });
  }

  /** Cuts off those that are gone, or whose token was taken back. To be called now and then. */
  async check(): Promise<void> {
    for (const [webSocket, viewer] of [...this.#viewers]) {
      if (!viewer.answered || !(await viewer.isValid())) {
        webSocket.terminate();
        continue;
      }
      // A slow line delays the answer behind what is being sent.
      viewer.answered = webSocket.bufferedAmount > 0;
      webSocket.ping();
    }
  }

  end(): void {
    for (const webSocket of this.#viewers.keys()) webSocket.terminate();
  }

  #heard(webSocket: WebSocket): void {
    const viewer = this.#viewers.get(webSocket);
    if (viewer !== undefined) viewer.answered = true;
  }
}
