import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import { atEnd, temporaryFolder } from '../testing/real.ts';
import { fetchFile, type FetchedFile } from './fetched-file.ts';

const folder = temporaryFolder();
const file = join(folder, 'file');

async function listening(server: TcpServer): Promise<AddressInfo> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  return server.address() as AddressInfo;
}

async function started(server: Server): Promise<string> {
  const { port } = await listening(server);
  atEnd(() => server.closeAllConnections());
  return `${server instanceof https.Server ? 'https' : 'http'}://127.0.0.1:${port}`;
}
const serve = (reply: RequestListener): Promise<string> => started(createServer(reply));

async function fetched(url: string, bounds: Partial<FetchedFile> = {}) {
  writeFileSync(file, '');
  const told: (readonly [number, number | null])[] = [];
  const wanted: FetchedFile = {
    server: url,
    url,
    file,
    user_agent: 'me/1',
    bytes_max: 100,
    redirects_max: 2,
    connecting_max_ms: 5000,
    answering_max_ms: 5000,
    silence_max_ms: 5000,
    downloading_max_ms: 5000,
    interval_ms: 0,
    ...bounds,
  };
  const end = await fetchFile(wanted, (...progress) => told.push(progress));
  return { ...end, told, content: readFileSync(file, 'utf8') };
}

describe('a file of a server', () => {
  test('is written, and told how much of it is there', async () => {
    const asked: unknown[] = [];
    const url = await serve(({ url: path, headers }, response) => {
      asked.push([path, headers['user-agent']]);
      response.setHeader('content-length', 6).write('abc');
      setTimeout(() => response.end('def'), 50);
    });
    expect(await fetched(`${url}/a%20b`)).toEqual({
      failure: null,
      reached: true,
      told: [
        [0, 6],
        [3, 6],
        [6, 6],
      ],
      content: 'abcdef',
    });
    expect(asked).toEqual([['/a%20b', 'me/1']]);
  });

  test('may lie elsewhere, but not for ever', async () => {
    const asked: unknown[] = [];
    const url = await serve(({ url: path }, response) => {
      asked.push(path);
      if (path === '/there') response.end('it');
      else response.writeHead(302, { location: path === '/round' ? '/round' : '/there' }).end();
    });
    expect(await fetched(`${url}/a`)).toMatchObject({ failure: null, content: 'it' });
    expect(asked.splice(0)).toEqual(['/a', '/there']);
    expect(await fetched(`${url}/round`)).toMatchObject({ failure: 'too_many_redirects', reached: false });
    expect(asked).toEqual(['/round', '/round', '/round']);
  });

  test.each([
    [404, { not_there: 404 }],
    [410, { not_there: 410 }],
    [403, { status: 403 }],
    [304, { status: 304 }],
  ])('is not there where a server says %i', async (status, failure) => {
    const url = await serve((_request, response) => response.writeHead(status).end());
    expect(await fetched(url)).toEqual({ failure, reached: true, told: [], content: '' });
  });

  test('may be no larger than is wanted, whatever the server says of it', async () => {
    const told = await serve((_request, response) =>
      response.writeHead(200, { 'content-length': 101 }).end('x'.repeat(101)),
    );
    expect(await fetched(told)).toEqual({ failure: 'too_large', reached: true, told: [], content: '' });
    const untold = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(60)), 20);
      response.once('close', () => clearInterval(timer));
    });
    expect(await fetched(untold)).toMatchObject({ failure: 'too_large', content: 'x'.repeat(60) });
  });

  test('that breaks off is told so', async () => {
    for (const headers of [{ 'content-length': 10 }, {}]) {
      const url = await serve((_request, response) => {
        response.writeHead(200, headers).write('abc');
        setTimeout(() => response.destroy(), 50);
      });
      expect(await fetched(url)).toMatchObject({ failure: 'broken_off', reached: true, content: 'abc' });
    }
    const url = await serve((_request, response) => response.destroy());
    expect(await fetched(url)).toMatchObject({ failure: 'broken_off', reached: false });
  });

  test('is not waited for without end', async () => {
    const silent = await serve(() => undefined);
    const slow = { failure: 'too_slow', told: [], content: '' };
    expect(await fetched(silent, { answering_max_ms: 100 })).toEqual({ ...slow, reached: false });
    expect(await fetched(silent, { downloading_max_ms: 100 })).toEqual({ ...slow, reached: false });
    const sayingNothing = createTcpServer();
    const { port } = await listening(sayingNothing);
    const handshake = await fetched(`https://127.0.0.1:${port}`, { connecting_max_ms: 100 });
    expect(handshake).toEqual({ ...slow, reached: false });
    const stopping = await serve((_request, response) => response.write('abc'));
    const stopped = { failure: 'too_slow', reached: true, content: 'abc' };
    expect(await fetched(stopping, { silence_max_ms: 100 })).toMatchObject(stopped);
    const dripping = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(timer));
    });
    expect(await fetched(dripping, { silence_max_ms: 100, downloading_max_ms: 300 })).toMatchObject({
      failure: 'too_slow',
      reached: true,
      content: expect.stringMatching(/^x+$/) as string,
    });
  });

  test('is not there where no server is, or nothing that can be asked', async () => {
    const refused = await fetched(`http://127.0.0.1:${await freePort()}`);
    expect(refused).toEqual({ failure: 'refused', reached: false, told: [], content: '' });
    expect(await fetched('http://a b')).toMatchObject({ failure: { other: 'Invalid URL' } });
  });

  test('is not kept where it cannot be written', async () => {
    const url = await serve((_request, response) => response.end('abc'));
    const none = join(folder, 'none', 'file');
    const message = `ENOENT: no such file or directory, open '${none}'`;
    expect(await fetched(url, { file: none })).toMatchObject({ failure: { other: message }, reached: true });
  });

  const noOpenssl = spawnSync('openssl', ['version']).status !== 0;
  test.skipIf(noOpenssl)('behind HTTPS may not lie elsewhere without', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request = 'req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2';
    const where = ['-subj', '/CN=localhost', '-keyout', key, '-out', cert];
    execFileSync('openssl', [...request.split(' '), ...where], { stdio: 'pipe' });
    const asked: unknown[] = [];
    const unsafe = await serve(({ url: path }, response) => response.end(asked.push(path)));
    const pair = { key: readFileSync(key), cert: readFileSync(cert) };
    const safe = await started(
      https.createServer(pair, (_request, response) =>
        response.writeHead(302, { location: `${unsafe}/a` }).end(),
      ),
    );
    expect(await fetched(safe)).toMatchObject({ failure: { other: 'self-signed certificate' } });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    atEnd(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
    expect(await fetched(safe)).toMatchObject({ failure: 'unsafe', reached: false });
    expect(asked).toEqual([]);
  });
});
