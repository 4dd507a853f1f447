import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connectHost } from '../../host/connect-host.ts';
import { webSocketPort } from '../../../shared/border/index.ts';
import { freePort } from '../../host/testing/free-port.ts';
import { atEnd, describeReal, root, temporaryFolder, writeTrace } from '../../host/testing/real.ts';
import { readAddresses } from './access.ts';
import { startTestServer } from './testing.ts';
import type { TestServer } from './testing.ts';

/** The name of the server in the documented configurations. */
const NAME = 'traces.example.com';
/** Another address of this machine, to tell the asker from the proxy. */
const ASKER = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
const documented = readFileSync(join(root, 'docs', 'team-server.md'), 'utf8');

/** The documented configuration that begins with some text, for a server at another port. */
function configuration(beginning: string, port: number): string {
  const blocks = [...documented.matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.startsWith(beginning));
  if (found?.includes('127.0.0.1:7333') !== true) throw new Error(`docs/team-server.md has no ${beginning}`);
  return found.replace('127.0.0.1:7333', `127.0.0.1:${port}`);
}

/** A reverse proxy: its program, and its arguments with a configuration in `folder` that leads from one port to another. */
interface ProxyKind {
  readonly program: string;
  readonly secure: boolean;
  readonly configure: (folder: string, from: number, to: number) => readonly string[];
}

const nginx: ProxyKind = {
  program: join(root, 'vendor', 'proxies', 'usr', 'sbin', 'nginx'),
  // The documented block is that of a location: where HTTPS ends is the operator's own.
  secure: false,
  configure(folder, from, to) {
    const path = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    writeFileSync(
      path,
      `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
       events {}
       http {
         access_log off;
         ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join('\n')}
         server { listen 127.0.0.1:${from}; server_name ${NAME}; ${configuration('location / {', to)} }
       }`,
    );
    return ['-p', folder, '-c', path, '-e', join(folder, 'error.log')];
  },
};

const caddy: ProxyKind = {
  program: join(root, 'vendor', 'proxies', 'usr', 'bin', 'caddy'),
  secure: true,
  configure(folder, from, to) {
    const path = join(folder, 'Caddyfile');
    const site = configuration(`${NAME} {`, to).replace(NAME, `${NAME}:${from}`);
    // A certificate of its own making, and no other port than this.
    writeFileSync(
      path,
      `{
        local_certs
        skip_install_trust
        auto_https disable_redirects
        admin off
        storage file_system ${folder}/storage
      }
      ${site}`,
    );
    return ['run', '--config', path, '--adapter', 'caddyfile'];
  },
};

describeReal('behind the reverse proxy of the documents', () => {
  describe.each([
    ['nginx', nginx],
    ['Caddy', caddy],
  ] as const)('%s', (name, { program, secure, configure }) => {
    const there = spawnSync(program, [name === 'nginx' ? '-v' : 'version']).status === 0;
    if (!there)
      console.warn(`SKIPPED, the tests behind ${name}: run scripts/setup.sh --for-tests; no ${program}`);

    describe.skipIf(!there)('in front of the team server', () => {
      const folder = temporaryFolder();
      let server: TestServer;
      let port = 0;
      let host: string;
      let origin: string;
      beforeAll(async () => {
        const behind = await freePort();
        port = await freePort();
        host = `${NAME}:${port}`;
        origin = `https://${host}`;
        server = await startTestServer(folder, {
          publicUrl: new URL(origin),
          port: behind,
          proxy: { addresses: readAddresses(['127.0.0.1']), identity: null },
        });
        const place = join(folder, 'proxy');
        mkdirSync(place);
        const child = spawn(program, configure(place, port, behind), {
          stdio: 'ignore',
          env: { ...process.env, HOME: place, XDG_DATA_HOME: place, XDG_CONFIG_HOME: place },
        });
        atEnd(() => child.kill('SIGKILL'));
        // Caddy makes its certificate after it listens.
        await vi.waitFor(async () => expect((await ask('GET', '/health')).status).toBe(200), {
          timeout: 60_000,
        });
      });

      /** How the proxy is asked: as a browser does that finds the name at this machine. */
      const way = { family: 4, localAddress: ASKER, servername: NAME, rejectUnauthorized: false } as const;

      function begin(method: string, path: string, headers: object): ClientRequest {
        const start = secure ? secureRequest : plainRequest;
        const given = { host, ...headers };
        return start({ ...way, host: '127.0.0.1', port, method, path, headers: given, agent: false });
      }

      async function ask(method: string, path: string, headers: object = {}, body: string | Buffer = '') {
        const sent = begin(method, path, headers);
        sent.end(body);
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        return { status: response.statusCode, headers: response.headers, body: await text(response) };
      }

      async function signIn(headers: object = {}): Promise<{ status?: number | undefined; cookie: string }> {
        const answer = await ask('POST', '/sign-in', { origin, ...headers }, server.tokens.upload);
        return { status: answer.status, cookie: answer.headers['set-cookie']?.[0] ?? '' };
      }

      /** Announces bytes; where they go. */
      async function announce(bytes: Buffer, file: string): Promise<string> {
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        const body = JSON.stringify({ name: file, sizeBytes: bytes.length, sha256 });
        return (
          JSON.parse((await ask('POST', '/api/uploads', server.as.upload, body)).body) as { url: string }
        ).url;
      }

      test('the cookie of its own name and page is given, and to no other', async () => {
        const { status, cookie } = await signIn();
        expect(status).toBe(200);
        expect(cookie).toMatch(
          /^__Host-outrank=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=\d+; Secure$/,
        );
        expect(await signIn({ origin: 'https://elsewhere.example' })).toEqual({ status: 403, cookie: '' });
        expect((await signIn({ host: `elsewhere.example:${port}` })).cookie).toBe('');
      });

      test('the audit log says the address that asks, whatever it says of itself', async () => {
        await signIn({ 'x-forwarded-for': '203.0.113.9' });
        await ask('GET', '/api/traces', { authorization: 'Bearer wrong', 'x-forwarded-for': '203.0.113.9' });
        const last = () => readFileSync(join(folder, 'audit.jsonl'), 'utf8').trim().split('\n').slice(-2);
        await expect
          .poll(() => last().map((line) => (JSON.parse(line) as { action: string }).action))
          .toEqual(['signed_in', 'refused']);
        expect(last().map((line) => (JSON.parse(line) as { from: string }).from)).toEqual([ASKER, ASKER]);
      });

      test('an upload reaches the server while it is being sent, goes on, and is sent back in runs', async () => {
        const bytes = randomBytes(3 << 20);
        const url = await announce(bytes, 'random.etl');
        const half = bytes.length / 2;
        const headers = { ...server.as.upload, 'upload-offset': 0, 'content-length': bytes.length };
        const sending = begin('PATCH', url, headers);
        sending.on('error', () => undefined);
        sending.write(bytes.subarray(0, half));
        const uploads = join(folder, 'uploads');
        const arrived = () => statSync(join(uploads, readdirSync(uploads)[0] ?? '', 'data')).size;
        await expect.poll(arrived, { timeout: 30_000 }).toBe(half);
        sending.destroy();
        const { headers: known } = await ask('HEAD', url, server.as.upload);
        expect(known['upload-offset']).toBe(String(half));
        const rest = { ...server.as.upload, 'upload-offset': half };
        const { trace } = JSON.parse((await ask('PATCH', url, rest, bytes.subarray(half))).body) as {
          trace: string;
        };
        const run = await ask('GET', `/api/traces/${trace}/file`, { ...server.as.view, range: 'bytes=0-9' });
        expect([run.status, run.headers['content-range']]).toEqual([206, `bytes 0-9/${bytes.length}`]);
      });

      test('its own page opens a trace over a socket, and a page of elsewhere does not', async () => {
        const bytes = readFileSync(writeTrace(join(folder, 'minimal.etl'), 'minimal'));
        const url = await announce(bytes, 'minimal.etl');
        const sent = await ask('PATCH', url, { ...server.as.upload, 'upload-offset': 0 }, bytes);
        const { trace } = JSON.parse(sent.body) as { trace: string };
        const cookie = (await signIn()).cookie.split(';')[0] ?? '';
        const page = await ask('GET', `/t/${trace}/`, { cookie });
        expect([page.status, page.body]).toEqual([200, 'the page of a trace']);
        const open = (from: string): WebSocket =>
          new WebSocket(`${secure ? 'wss' : 'ws'}://127.0.0.1:${port}/t/${trace}/socket`, {
            ...way,
            port,
            headers: { host, cookie, origin: from },
          });

        const foreign = open('https://elsewhere.example');
        const [refused] = (await once(foreign, 'error')) as [Error];
        expect(refused.message).toBe('Unexpected server response: 403');

        const socket = open(origin);
        await once(socket, 'open');
        const viewer = connectHost(webSocketPort(socket));
        expect(await viewer.open(`/t/${trace}/minimal.etl`, {})).toMatchObject({ id: trace });
        expect((await viewer.query(trace, 'SELECT count(*) AS n FROM etw_thread')).length).toBeGreaterThan(0);
        socket.terminate();
      });
    });
  });
});
