import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { startProcessEngine } from '../../../shared/engine/process-engine.ts';
import type { ProcessEngine } from '../../../shared/engine/process-engine.ts';
import { atEnd, places } from '../../host/testing/real.ts';
import { FolderStore } from '../store/folder-store.ts';
import type { EngineSettings } from './shared-trace.ts';
import { startTeamServer } from './start-team-server.ts';
import type { RunningTeamServer, TeamServerOptions } from './start-team-server.ts';
import { addToken, Tokens } from './tokens.ts';
import type { Role } from './tokens.ts';

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks a server with whatever method and headers. The path is sent as it is. */
export function send(
  url: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A team server with a store and tokens in a folder, and the real engine. */
export interface TestServer extends RunningTeamServer {
  readonly store: FolderStore;
  /** Headers that bring the token of somebody who has the role; the name is the role's. */
  readonly as: Readonly<Record<Role, { readonly authorization: string }>>;
  readonly tokens: Readonly<Record<Role, string>>;
  /** Kills the processes of all engines. */
  readonly killEngines: () => void;
}

/** Starts a server in `folder`; it ends after the tests of this file. */
export async function startTestServer(
  folder: string,
  {
    engines: settings,
    ...given
  }: Partial<Omit<TeamServerOptions, 'engines'>> & { engines?: Partial<EngineSettings> } = {},
): Promise<TestServer> {
  const ui = join(folder, 'ui');
  mkdirSync(ui, { recursive: true });
  writeFileSync(join(ui, 'index.html'), 'the page of a trace');
  writeFileSync(join(ui, 'team.html'), 'the page of the team');
  const path = join(folder, 'tokens.json');
  const tokens = {
    view: await addToken(path, 'view', 'view'),
    upload: await addToken(path, 'upload', 'upload'),
    admin: await addToken(path, 'admin', 'admin'),
  };
  const engines: ProcessEngine[] = [];
  const store = await FolderStore.open(join(folder, 'traces'));
  const server = await startTeamServer({
    store,
    ui,
    web: join(folder, 'web'),
    tokens: await Tokens.open(path),
    proxy: null,
    publicUrl: null,
    hostName: '127.0.0.1',
    port: 0,
    uploadsDir: join(folder, 'uploads'),
    auditPath: join(folder, 'audit.jsonl'),
    engines: {
      workDir: join(folder, 'work'),
      converterPath: places.converter,
      engineBytes: 1e9,
      processBytes: 1e9,
      converterLimits: { memoryBytes: 1e9, fileBytes: 1e9 },
      openLimitMs: 60_000,
      queryLimitMs: 60_000,
      answerBytes: 1e7,
      answersBytes: 1 << 20,
      startEngine: () => {
        const engine = startProcessEngine({
          workerPath: join(places.dist, 'engine-worker.cjs'),
          wasmPath: join(places.engine, 'trace_processor.wasm'),
        });
        engines.push(engine);
        return engine;
      },
      ...settings,
    },
    openLimits: { engines: 2, idleMs: 60_000 },
    uploadLimits: { eachBytes: 1e9, underWay: 4, abandonedMs: 60_000, slowMs: 60_000 },
    quotas: { totalBytes: 1e10, eachBytes: 1e10 },
    keptMs: null,
    makeLake: null,
    say: () => undefined,
    ...given,
  });
  atEnd(() => server.close());
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const as = { view: bearer(tokens.view), upload: bearer(tokens.upload), admin: bearer(tokens.admin) };
  const killEngines = (): void => {
    for (const { pid, alive } of engines) if (alive && pid !== undefined) process.kill(pid, 'SIGKILL');
  };
  return { ...server, store, tokens, as, killEngines };
}
