import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import type { Host } from '../../host/api.ts';
import { connectHost } from '../../host/connect-host.ts';
import { webSocketPort } from '../../../shared/border/index.ts';
import { atEnd, root } from '../../host/testing/real.ts';
import { S3_ACCESS, startS3Server } from '../store/testing.ts';
import { send } from './testing.ts';
import type { Answer } from './testing.ts';
import { addToken } from './tokens.ts';

/** A store, and what a process needs to find it. */
export interface StorePlace {
  /** What `--store` takes. */
  readonly store: string;
  readonly work: string;
  /** The file in which a trace's bytes lie. */
  readonly fileOf: (id: string, name: string) => string;
  readonly env: Readonly<Record<string, string>>;
}

/** An S3 server that can be stopped and started again. */
export interface S3Place extends StorePlace {
  /** Where it keeps what it was sent. */
  readonly objects: string;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

/** A store in a folder. */
export const folderPlace = (folder: string): StorePlace => ({
  store: folder,
  work: join(folder, 'work'),
  fileOf: (id, name) => join(folder, 'traces', id, 'file', name),
  env: {},
});

/** A store in an S3 server, which keeps its objects in `folder`; it ends after the tests of this file. */
export async function s3Place(folder: string): Promise<S3Place> {
  const objects = join(folder, 'objects');
  let server = await startS3Server(objects, 'bucket');
  const { port, endpoint } = server;
  const stop = () => kill(server.child);
  atEnd(stop);
  return {
    store: 's3://bucket/team',
    work: join(folder, 'work'),
    objects,
    fileOf: (id) => join(objects, 'bucket', 'team', id, 'trace'),
    env: { ...S3_ACCESS, AWS_ENDPOINT_URL_S3: endpoint },
    stop,
    start: async () => {
      server = await startS3Server(objects, 'bucket', port);
    },
  };
}

/** How {@link serveProcess} runs the server. */
export interface ProcessOptions {
  readonly port?: number;
  /** A limit of the size of its files, in KiB, as a full disk would have it. */
  readonly limitKib?: number;
  /** Runs it with a small disk of its own (Linux), of so many MiB, mounted at `--work`. */
  readonly diskMib?: number;
  readonly more?: readonly string[];
}

/** `outrank serve --store` in a process of its own; it ends after the tests of this file. */
export interface ServedProcess {
  readonly url: string;
  readonly child: ChildProcess;
  readonly kill: () => Promise<void>;
}

/** Runs `outrank serve --store` with a file of tokens. */
export async function serveProcess(
  place: StorePlace,
  tokensPath: string,
  { port = 0, limitKib = 0, diskMib = 0, more = [] }: ProcessOptions = {},
): Promise<ServedProcess> {
  const where = ['--store', place.store, '--work', place.work, '--lake', 'off'];
  const args = ['serve', ...where, '--tokens', tokensPath];
  const outrank = join(root, 'app', 'cli', 'outrank.mjs');
  const command = [process.execPath, outrank, ...args, '--port', String(port), ...more];
  mkdirSync(place.work, { recursive: true });
  const shell = [
    ...(limitKib === 0 ? [] : [`ulimit -f ${limitKib}`]),
    ...(diskMib === 0 ? [] : [`mount -t tmpfs -o size=${diskMib}m tmpfs '${place.work}'`]),
    'exec "$@"',
  ].join(' && ');
  const inShell = ['bash', '-c', shell, 'bash', ...command];
  const [program = '', ...rest] =
    diskMib === 0 ? inShell : ['unshare', '--map-root-user', '--mount', ...inShell];
  const env = { ...process.env, ...place.env };
  const child =
    process.platform === 'win32'
      ? spawn(process.execPath, command.slice(1), { env })
      : spawn(program, rest, { env });
  atEnd(() => kill(child));
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) return { url, child, kill: () => kill(child) };
  }
  throw new Error(`the server ended without printing an address: ${said}`);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Writes a file that no compression makes smaller; its SHA-256. */
export function writeRandom(path: string, sizeBytes: number): string {
  const bytes = randomBytes(sizeBytes);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return createHash('sha256').update(bytes).digest('hex');
}

/** The page of a trace. */
export interface ViewedTrace {
  readonly host: Host;
  /** What it opens. */
  readonly path: string;
  readonly close: () => Promise<unknown>;
}

/** Somebody who uploads and looks at traces. */
export class Person {
  readonly token: string;

  private constructor(token: string) {
    this.token = token;
  }

  static async withToken(tokensPath: string): Promise<Person> {
    return new Person(await addToken(tokensPath, 'ann', 'upload'));
  }

  ask(url: string, method: string, path: string, headers = {}, body?: string | Buffer): Promise<Answer> {
    const given = { authorization: `Bearer ${this.token}`, ...headers };
    return send(url, method, path, { headers: given, ...(body !== undefined && { body }) });
  }

  /** Announces an upload of so many bytes; where they go. */
  async begin(url: string, sizeBytes: number): Promise<string> {
    const answer = await this.ask(
      url,
      'POST',
      '/api/uploads',
      {},
      JSON.stringify({ name: 'a.etl', sizeBytes }),
    );
    return (JSON.parse(answer.body) as { url: string }).url;
  }

  patch(url: string, path: string, offset: number, body: Buffer): Promise<Answer> {
    return this.ask(url, 'PATCH', path, { 'upload-offset': offset }, body);
  }

  /** The ids of the traces that are listed. */
  async listed(url: string): Promise<readonly string[]> {
    const { body } = await this.ask(url, 'GET', '/api/traces');
    return (JSON.parse(body) as { traces: { id: string }[] }).traces.map(({ id }) => id);
  }

  /** The page of a trace, before it is opened. */
  async view(url: string, id: string): Promise<ViewedTrace> {
    const start = await this.ask(url, 'GET', `/t/${id}/start.json`);
    const headers = { authorization: `Bearer ${this.token}`, origin: new URL(url).origin };
    const socket = new WebSocket(`${url.replace('http', 'ws')}/t/${id}/socket`, { headers });
    await once(socket, 'open');
    const close = (): Promise<unknown> => {
      socket.close();
      return once(socket, 'close');
    };
    const { path } = JSON.parse(start.body) as { path: string };
    return { host: connectHost(webSocketPort(socket)), path, close };
  }
}
