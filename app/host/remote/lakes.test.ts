import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectHost } from '../connect-host.ts';
import { messagePort } from '../../../shared/border/index.ts';
import { serveHost } from '../serve-host.ts';
import { atEnd, startHost, temporaryFolder } from '../testing/real.ts';
import { TracePlaces } from '../trace-places.ts';
import { remoteLakes } from './lakes.ts';

const folder = temporaryFolder();
const id = 'a'.repeat(64);
const about = {
  ...{
    traces: 1,
    lossy: 0,
    problems: [],
    machines: [],
    models: [],
    os_builds: [{ value: 26100, traces: 1 }],
  },
  ...{ tags: { build: [{ value: '7', traces: 1 }] }, from: '2026-01-02', to: null, trace_address: '/t/{id}' },
  questions: [
    {
      ...{ id: 'trend', title: 'Trend', description: 'By build.' },
      params: {
        quantile: {
          type: 'number',
          default: 99,
          min: 0,
          max: 100,
          unit: '%',
          label: 'Quantile',
          help: 'Which.',
        },
        tag: { type: 'text', default: 'build', label: 'Tag', help: 'By which.' },
      },
    },
  ],
};
const answer = {
  model: {
    ...{ id: 'trend', title: 'Trend', description: 'By build.', origin_ns: 0, range: { start: 0, end: 0 } },
    drawing: { kind: 'bars', roles: { name: 'build', value: 'n' }, warn: null, bad: null, line: 3 },
    columns: [
      { name: 'build', title: 'Build', help: 'Of the tag.', kind: 'text' },
      { name: 'n', title: 'Traces', help: 'How many.', kind: 'count' },
    ],
    rows: [['7', 1]],
    ...{ labels: [null, null], more: false, missing: [], click: null },
  },
  examples: [[{ trace: id, name: 'boot.etl', at_ns: 5, ts: 105, tid: null, link: 'outrank://open#1.x' }]],
  traces: 1,
  lossy: 0,
};
const asked = { question: 'trend', params: { quantile: 99 }, filter: { os_build: 26100 } };

/** A server with a lake that says this; what it was asked, and its origin. */
async function startLake(told: unknown, answered: unknown = answer) {
  const heard: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('end', () => {
      heard.push([request.method, request.url, request.headers.authorization, body]);
      response.end(JSON.stringify(request.method === 'POST' ? answered : told));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  return { heard, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The lakes as the page of a window reaches them. */
function fromPage() {
  const { port1, port2 } = new MessageChannel();
  const places = new TracePlaces(join(folder, 'places'));
  const host = startHost(join(folder, 'cache'));
  serveHost({ ...host, lakes: remoteLakes(places) }, messagePort(port1));
  atEnd(() => port1.close());
  const { lakes } = connectHost(messagePort(port2));
  if (lakes === undefined) throw new Error('no lakes');
  return { lakes, places };
}

test('a page learns by its host what the lake of a server is, and what it answers to a token', async () => {
  const { heard, origin } = await startLake(about);
  const { lakes } = fromPage();
  const server = { origin, token: 't0ken' };
  expect(await lakes.about(server)).toEqual(about);
  expect(await lakes.ask(server, asked)).toEqual(answer);
  expect(heard).toEqual([
    ['GET', '/api/lake', 'Bearer t0ken', ''],
    ['POST', '/api/lake/ask', 'Bearer t0ken', JSON.stringify(asked)],
  ]);
});

test.each([
  ['no JSON at all', 'hello', answer],
  ['a trace for a lake', { ...about, questions: [{ id: 'trend' }] }, answer],
  ['rows that have not the columns', about, { ...answer, model: { ...answer.model, rows: [['7']] } }],
  [
    'a drawing that there is not',
    about,
    { ...answer, model: { ...answer.model, drawing: { kind: 'page' } } },
  ],
])('a server that tells %s is refused in words', async (_, told, answered) => {
  const { origin } = await startLake(told, answered);
  const { lakes } = fromPage();
  const server = { origin, token: null };
  const all = lakes.about(server).then(() => lakes.ask(server, asked));
  await expect(all).rejects.toThrow(`${origin}: what answers there is no lake of Outrank`);
});

test('a trace that was added on this machine is found by its id, one that is gone is not', async () => {
  const { lakes, places } = fromPage();
  const [path, gone] = [join(folder, 'boot.etl'), join(folder, 'gone.etl')];
  writeFileSync(path, 'a trace');
  await places.note(id, path);
  await places.note('b'.repeat(64), gone);
  expect(await Promise.all([id, 'b'.repeat(64), 'c'.repeat(64)].map((each) => lakes.placeOf(each)))).toEqual([
    path,
    null,
    null,
  ]);
});
