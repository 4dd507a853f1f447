import type { Host } from '../host/api.ts';
import type { Door, SaveTarget } from './door.ts';

/**
 * The door of a browser tab on `outrank serve`. The server's side, all on the page's own origin and under its cookie:
 * `GET start.json` gives `{ "path": string | null, "part": TracePart, "with": string[], "list"?: string }`; a WebSocket at `socket` carries the host;
 * `POST upload?name=NAME` takes a file's bytes as the body and gives `{ "path": string }`, or an error as plain text;
 * `GET table?…` gives a batch of a table; `POST export?name=NAME` gives `{ "path": string }`, a place for an export, which `GET export?path=PATH` downloads.
 */
export async function openBrowserDoor(connect: (socket: WebSocket) => Door['host']): Promise<Door> {
  const address = new URL('socket', location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  const [socket, { list, ...initial }] = await Promise.all([openSocket(address), fetchStart()]);
  const host = { ...connect(socket), readTable };
  // A team server takes files in its list of traces alone, and gives none out here.
  if (list !== undefined) return { host, initial, list };
  return { host, initial, upload, saveAs };
}

function openSocket(address: URL): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.addEventListener('open', () => resolve(socket));
    socket.addEventListener('error', () =>
      reject(new Error('The server does not answer. Is it still running?')),
    );
  });
}

async function fetchStart(): Promise<Door['initial'] & Pick<Door, 'list'>> {
  const response = await fetch('start.json');
  if (!response.ok)
    throw new Error(`The server refused this page (${response.status}). Open the link it printed.`);
  return (await response.json()) as Door['initial'] & Pick<Door, 'list'>;
}

const readTable: Host['readTable'] = async (id, table, batch, columns, within) => {
  const asked = new URLSearchParams({ id, table, batch: String(batch), columns: columns.join(',') });
  if (within !== undefined) {
    asked.set('start', within.map(({ start }) => start).join(','));
    asked.set('end', within.map(({ end }) => end).join(','));
  }
  const response = await fetch(`table?${asked.toString()}`);
  if (!response.ok) throw new Error((await response.text()).trim());
  return new Uint8Array(await response.arrayBuffer());
};

async function saveAs(name: string): Promise<SaveTarget> {
  const response = await fetch(`export?name=${encodeURIComponent(name)}`, { method: 'POST' });
  if (!response.ok) throw new Error(await response.text());
  const { path } = (await response.json()) as { readonly path: string };
  return {
    path,
    done() {
      const link = document.createElement('a');
      link.href = `export?path=${encodeURIComponent(path)}`;
      link.download = name;
      link.click();
      return Promise.resolve(`${name} is being downloaded.`);
    },
  };
}

/** `fetch` tells nothing of an upload's progress, `XMLHttpRequest` does. */
function upload(file: File, onProgress: (fraction: number) => void, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `upload?name=${encodeURIComponent(file.name)}`);
    request.responseType = 'text';
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      const text = request.responseText;
      if (request.status !== 200) reject(new Error(text || `The upload failed (${request.status}).`));
      else resolve((JSON.parse(text) as { readonly path: string }).path);
    };
    request.onerror = () => reject(new Error('The connection to the server was lost.'));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
