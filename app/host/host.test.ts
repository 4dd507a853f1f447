import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { decodeQueryResult, type Engine } from '../../shared/engine/index.ts';
import { unpackBatch } from '../../shared/tables/packed-batch.ts';
import { TABLE_NAMES } from '../../shared/tables/index.ts';
import type { Host, OpenProgress } from './api.ts';
import { connectHost } from './connect-host.ts';
import { messagePort, webSocketPort } from '../../shared/border/index.ts';
import { serveHost } from './serve-host.ts';
import {
  atEnd,
  describeReal,
  startHost,
  startSmallEngine,
  temporaryFolder,
  writeTrace,
  places,
} from './testing/real.ts';

const LOCK_APP_WAIT = `
  SELECT w.ts, w.dur, t.tid, w.priority, w.rank, waker.tid AS waker_tid
  FROM etw_ready_wait w JOIN etw_thread t USING (utid) JOIN etw_thread waker ON waker.utid = w.waker_utid
  WHERE t.process_name = 'LockApp.exe' AND w.dur > 30000000`;

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** The same host behind each kind of channel. */
const doors: Readonly<Record<string, (host: Host) => Promise<Host>>> = {
  'in process': (host) => Promise.resolve(host),
  'over a MessageChannel'(host) {
    const { port1, port2 } = new MessageChannel();
    atEnd(() => port1.close());
    serveHost(host, messagePort(port1));
    return Promise.resolve(connectHost(messagePort(port2)));
  },
  async 'over a WebSocket'(host) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => serveHost(host, webSocketPort(socket)));
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    atEnd(() => {
      socket.terminate();
      server.close();
    });
    return connectHost(webSocketPort(socket));
  },
};

/** An element that is there. */
function at<T>(list: readonly T[] | undefined, index: number): T {
  const element = list?.[index];
  if (element === undefined) throw new Error(`there is no element ${index}`);
  return element;
}

describeReal.each(Object.entries(doors))('a host %s', (_, openDoor) => {
  const folder = temporaryFolder();
  const cacheDir = join(folder, 'cache');
  const local = startHost(cacheDir);
  const entries = (): string[] => readdirSync(join(cacheDir, 'traces'));

  test('opens a trace, answers queries, and names what is wrong with a query', async () => {
    const host = await openDoor(local);
    const path = writeTrace(join(folder, 'minimal.etl'), 'minimal');
    const stages = new Set<OpenProgress['stage']>();
    const trace = await host.open(path, { onProgress: ({ stage }) => stages.add(stage) });
    const id = sha256(path);
    expect(trace).toEqual({
      id,
      name: 'minimal.etl',
      sizeBytes: 24_576,
      makesModels: true,
      warnings: [],
      issues: [],
      summary: { range: { start: 1_000_000_000, end: 1_100_000_000 }, cpuCount: 2 },
    });
    expect([...stages]).toEqual(['hash', 'convert', 'load']);

    const rows = [...decodeQueryResult(await host.query(id, LOCK_APP_WAIT)).rows()];
    expect(rows).toEqual([
      { ts: 1_030_000_000, dur: 40_000_000, tid: 3004, priority: 14, rank: 2, waker_tid: 100 },
    ]);
    await expect(host.query(id, 'SELECT\n  no_such FROM etw_trace')).rejects.toMatchObject({
      name: 'EngineError',
      kind: 'sql',
      message: 'no such column: no_such',
      place: { line: 2, column: 3 },
    });
    expect(await host.recent()).toMatchObject([{ id, name: 'minimal.etl', path, sizeBytes: 24_576 }]);

    await host.close(id);
    await expect(host.query(id, 'SELECT 1')).rejects.toMatchObject({
      name: 'OpenError',
      kind: 'not_open',
      message: `no open trace has the id ${id}`,
    });
  });

  test('opens the outline of a trace first: tables in columns at once, SQL on all of it when it is asked', async () => {
    const host = await openDoor(local);
    const path = writeTrace(join(folder, 'outline.etl'), 'verdicts');
    const { id, tables } = await host.open(path, { columns: true });
    const kept = () => entries().filter((name) => name.startsWith(id)).length;
    expect(tables?.map(({ name }) => name)).toEqual([...TABLE_NAMES]);
    const runs = tables?.find(({ name }) => name === 'etw_run');
    const cpu = runs?.columns.findIndex(({ name }) => name === 'cpu') ?? -1;
    const bytes = await host.readTable(id, 'etw_run', 0, [cpu]);
    const [cpus] = unpackBatch('etw_run', bytes, [at(runs?.columns, cpu)]).columns;
    await expect(host.readTable(id, 'etw_run', 99, [cpu])).rejects.toThrow('no batch 99');
    const [row] = decodeQueryResult(await host.queryOutline(id, 'SELECT cpu_count FROM etw_trace')).rows();
    expect(Math.max(...(cpus?.values ?? []))).toBe(Number(row?.cpu_count) - 1);
    expect(kept()).toBe(1);
    const count = [{ runs: runs?.batches.reduce((sum, { rowCount }) => sum + rowCount, 0) }];
    const counted = async (sql: string) => [...decodeQueryResult(await host.query(id, sql)).rows()];
    expect(await counted('SELECT COUNT(*) AS runs FROM etw_run')).toEqual(count);
    expect(kept()).toBe(1);
    expect(await counted('SELECT COUNT(*) AS runs FROM etw_run WHERE EXISTS (SELECT 1 FROM sched)')).toEqual(
      count,
    );
    expect(kept()).toBe(2);
    expect((await host.restart(id, {})).tables).toEqual(tables);
    await host.query(id, 'SELECT 1');
    await host.close(id);
  });

  test('converts a trace once, whatever its name', async () => {
    const host = await openDoor(local);
    const stages = new Set<OpenProgress['stage']>();
    const path = writeTrace(join(folder, 'again.etl'), 'minimal');
    const { id } = await host.open(path, { onProgress: ({ stage }) => stages.add(stage) });
    expect([...stages]).toEqual(['hash', 'load']);
    expect(entries().filter((name) => name.startsWith(id))).toHaveLength(1);
    await host.close(id);
  });

  test('a query that lists the ids of a million threads is answered, a longer one refused', async () => {
    const host = await openDoor(local);
    const { id } = await host.open(writeTrace(join(folder, 'ids.etl'), 'minimal'), {});
    const ids = `SELECT json_array_length('[${Array.from({ length: 1e6 }, (_, utid) => utid).join()}]') AS ids`;
    expect([...decodeQueryResult(await host.query(id, ids)).rows()]).toEqual([{ ids: 1e6 }]);
    if (host !== local)
      await expect(host.query(id, ' '.repeat((16 << 20) + 1))).rejects.toThrow(
        'this request cannot be read: sql: Invalid length: Expected <=16777216 but received 16777217',
      );
    await host.close(id);
  });

  test.each(['convert', 'load'] as const)('aborted while it is to %s, leaves nothing', async (at) => {
    const host = await openDoor(local);
    const path = writeTrace(
      join(folder, `${at}.etl`),
      'switches',
      '--count',
      '300000',
      '--seed',
      at === 'load' ? '2' : '3',
    );
    const abort = new AbortController();
    const opening = host.open(path, {
      signal: abort.signal,
      onProgress: ({ stage }) => stage === at && abort.abort(),
    });
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
    expect(entries().filter((name) => name.startsWith('partial-'))).toEqual([]);
    expect(entries().some((name) => name.startsWith(sha256(path)))).toBe(at === 'load');
    await expect(host.query(sha256(path), 'SELECT 1')).rejects.toMatchObject({ kind: 'not_open' });
  });

  test('ends a runaway query, and has the trace again', async () => {
    const host = await openDoor(local);
    const { id } = await host.open(join(folder, 'minimal.etl'), {});
    const runaway = host.query(
      id,
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
    );
    const ended = expect(runaway).rejects.toMatchObject({ name: 'EngineError', kind: 'ended' });
    expect((await host.restart(id, {})).id).toBe(id);
    await ended;
    expect(decodeQueryResult(await host.query(id, LOCK_APP_WAIT)).rowCount).toBe(1);
    await host.close(id);
  });

  test('gives up a query when no caller waits for its answer, and answers the next', async () => {
    const host = await openDoor(local);
    const { id } = await host.open(join(folder, 'minimal.etl'), {});
    const abort = new AbortController();
    const long =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT i, 'row ' || i FROM n";
    expect(decodeQueryResult(await host.query(id, long, abort.signal)).rowCount).toBe(300_000);
    const given = expect(host.query(id, long, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
    abort.abort();
    await given;
    expect(decodeQueryResult(await host.query(id, LOCK_APP_WAIT)).rowCount).toBe(1);
    await host.close(id);
  });

  test('says which query ended the engine, answers those that waited, and those that come', async () => {
    const host = await openDoor(startHost(cacheDir, { startEngine: startSmallEngine }));
    const { id } = await host.open(join(folder, 'minimal.etl'), {});
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
    const hoard = host.query(id, `CREATE PERFETTO TABLE hoard AS\n${endless} SELECT i, i * 7 AS j FROM n`);
    const ended = expect(hoard).rejects.toMatchObject({
      kind: 'crashed',
      message: `in the query \`CREATE PERFETTO TABLE hoard AS ${endless} SELECT i, i * 7 AS j FROM n\`: the trace needs more memory than trace_processor can have (it holds 0.1 GiB)`,
    });
    const waiting = host.query(id, LOCK_APP_WAIT);
    await ended;
    expect(decodeQueryResult(await waiting).rowCount).toBe(1);
    expect(decodeQueryResult(await host.query(id, LOCK_APP_WAIT)).rowCount).toBe(1);
    await host.close(id);
  });

  test('asks the tables in columns again after a query has ended the engine of the outline', async () => {
    const host = await openDoor(startHost(cacheDir, { startEngine: startSmallEngine }));
    const { id } = await host.open(join(folder, 'minimal.etl'), { columns: true });
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
    const hoard = `CREATE PERFETTO TABLE hoard AS ${endless} SELECT i, i * 7 AS j FROM n`;
    await expect(host.queryOutline(id, hoard)).rejects.toMatchObject({ kind: 'crashed' });
    const waits = decodeQueryResult(await host.query(id, 'SELECT rank FROM etw_ready_wait'));
    expect(waits.rowCount).toBeGreaterThan(0);
    await host.close(id);
  });

  test.each([
    ['a missing file', null, 'file', ': no such file'],
    ['an empty file', '', 'not_a_trace', ''],
    ['a text file', 'no trace at all, but some words\n'.repeat(100), 'not_a_trace', ''],
  ])('says in one line what is wrong with %s', async (name, text, kind, message) => {
    const host = await openDoor(local);
    const path = join(folder, `${name}.etl`);
    if (text !== null) writeFileSync(path, text);
    const error = await host.open(path, {}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'OpenError', kind });
    expect((error as Error).message).toContain(path + message);
    expect((error as Error).message).not.toContain('\n');
  });
});

describeReal('hosts', () => {
  const folder = temporaryFolder();

  test('open an outline without an engine, until something is asked of it', async () => {
    const cacheDir = join(folder, 'again');
    const path = writeTrace(join(folder, 'again.etl'), 'minimal');
    const open = async () => {
      let engines = 0;
      const startEngine = () => {
        engines += 1;
        return startSmallEngine();
      };
      const host = startHost(cacheDir, { startEngine });
      const trace = await host.open(path, { columns: true });
      const whenOpen = engines;
      const rows = [...decodeQueryResult(await host.query(trace.id, LOCK_APP_WAIT)).rows()];
      await host.end();
      return { trace, rows, engines: [whenOpen, engines] };
    };
    const first = await open();
    expect(first.engines).toEqual([0, 1]);
    expect(await open()).toEqual(first);

    // Where the outline is damaged, the engine finds that out, and has it made anew.
    const [key = ''] = readdirSync(join(cacheDir, 'traces'));
    const outline = join(cacheDir, 'traces', key, 'trace.pftrace');
    writeFileSync(outline, readFileSync(outline).fill(0));
    expect((await open()).rows).toEqual(first.rows);
  });

  test.each([
    ['one byte', (bytes: Buffer) => void (bytes[5000] = (bytes[5000] ?? 0) ^ 16)],
    ['zeros alone', (bytes: Buffer) => void bytes.fill(0)],
  ])('makes a cached trace anew where something changed: %s', async (name, change) => {
    const cacheDir = join(folder, `changed ${name}`);
    const path = writeTrace(join(folder, 'changed.etl'), 'minimal');
    const open = async () => {
      const host = startHost(cacheDir);
      const { id } = await host.open(path, {});
      const rows = [...decodeQueryResult(await host.query(id, LOCK_APP_WAIT)).rows()];
      await host.end();
      return rows;
    };
    const rows = await open();
    const [entry = ''] = readdirSync(join(cacheDir, 'traces'));
    const cached = join(cacheDir, 'traces', entry, 'trace.pftrace');
    const bytes = readFileSync(cached);
    const changed = Buffer.from(bytes);
    change(changed);
    writeFileSync(cached, changed);
    expect(await open()).toEqual(rows);
    expect(readFileSync(cached).equals(bytes)).toBe(true);
  });

  test('convert anew what another converter wrote, whatever tables that had', async () => {
    const cacheDir = join(folder, 'older');
    const path = writeTrace(join(folder, 'older.etl'), 'verdicts');
    const converterPath = join(folder, 'older-converter');
    const older = `"${places.converter}" "$@"; for each; do rm -f "$each/etw_run_before.arrow"; done`;
    writeFileSync(converterPath, `#!/bin/sh\n${older}\n`);
    chmodSync(converterPath, 0o755);
    const before = await startHost(cacheDir, { converterPath }).open(path, { columns: true });
    const host = startHost(cacheDir);
    const { id, tables } = await host.open(path, { columns: true });
    const switches = await host.query(
      id,
      'SELECT cpu, new_utid, old_utid FROM etw_context_switch ORDER BY ts LIMIT 2',
    );
    expect([...decodeQueryResult(switches).rows()]).toEqual([
      { cpu: 0, new_utid: 27, old_utid: 0 },
      { cpu: 0, new_utid: 0, old_utid: 27 },
    ]);
    const all = tables?.map(({ name }) => name);
    expect(all).toEqual([...TABLE_NAMES]);
    expect(before.tables?.map(({ name }) => name)).toEqual(all?.filter((name) => name !== 'etw_run_before'));
    const entries = readdirSync(join(cacheDir, 'traces'));
    expect(entries.map((name) => name.endsWith('-outline'))).toEqual([true, true]);
  });

  test('let go at once of who asks an engine that still loads', async () => {
    let fail: () => void = () => undefined;
    const failed = new Promise<void>((resolve) => (fail = resolve));
    const startEngine = () =>
      failed.then((): Engine => {
        throw new Error('no engine');
      });
    const host = startHost(join(folder, 'loading'), { startEngine });
    const path = writeTrace(join(folder, 'loading.etl'), 'minimal');
    const { id } = await host.open(path, { columns: true });
    const abort = new AbortController();
    const { signal } = abort;
    const asked = [
      host.queryOutline(id, 'SELECT 1', signal),
      host.query(id, 'SELECT * FROM etw_trace', signal),
    ];
    abort.abort();
    for (const each of asked) await expect(each).rejects.toMatchObject({ name: 'AbortError' });
    fail();
  });

  test('of two processes that open the same trace at once, one conversion stays', async () => {
    const cacheDir = join(folder, 'shared');
    const path = writeTrace(join(folder, 'a.etl'), 'minimal');
    const traces = await Promise.all(
      [startHost(cacheDir), startHost(cacheDir)].map((host) => host.open(path, {})),
    );
    expect(traces[0]).toEqual(traces[1]);
    expect(readdirSync(join(cacheDir, 'traces'))).toHaveLength(1);
  });

  test('a trace that is open is not loaded twice, and stays until all have closed it', async () => {
    const host = startHost(join(folder, 'twice'));
    const path = writeTrace(join(folder, 'b.etl'), 'minimal');
    const [first, second] = await Promise.all([host.open(path, {}), host.open(path, {})]);
    expect(first).toBe(second);
    await host.close(first.id);
    expect(decodeQueryResult(await host.query(first.id, LOCK_APP_WAIT)).rowCount).toBe(1);
    await host.close(first.id);
    await expect(host.query(first.id, 'SELECT 1')).rejects.toMatchObject({ kind: 'not_open' });
  });

  test('a Perfetto trace is loaded as it is', async () => {
    const cacheDir = join(folder, 'perfetto');
    const host = startHost(cacheDir);
    const made = await startHost(join(folder, 'source')).open(
      writeTrace(join(folder, 'c.etl'), 'minimal'),
      {},
    );
    const [entry] = readdirSync(join(folder, 'source', 'traces'));
    const path = join(folder, 'c.pftrace');
    writeFileSync(path, readFileSync(join(folder, 'source', 'traces', entry ?? '', 'trace.pftrace')));
    const trace = await host.open(path, {});
    expect(trace).toMatchObject({ name: 'c.pftrace', warnings: [], issues: [] });
    expect(trace.id).not.toBe(made.id);
    expect(decodeQueryResult(await host.query(trace.id, LOCK_APP_WAIT)).rowCount).toBe(1);
    expect(existsSync(join(cacheDir, 'traces'))).toBe(false);
  });

  test('warns of a copy of a damaged trace by the name of the copy', async () => {
    const host = startHost(join(folder, 'copies'));
    const whole = readFileSync(writeTrace(join(folder, 'to-cut.etl'), 'minimal'));
    const warnings: string[] = [];
    for (const name of ['cut.etl', 'copy-of-cut.etl']) {
      writeFileSync(join(folder, name), whole.subarray(0, 10_000));
      const trace = await host.open(join(folder, name), { columns: true });
      warnings.push(...trace.warnings.map((warning) => warning.split(': ')[0] ?? ''));
      await host.close(trace.id);
    }
    expect(new Set(warnings)).toEqual(new Set([join(folder, 'cut.etl'), join(folder, 'copy-of-cut.etl')]));
  });

  test('a trace that lost its end opens with a warning, also from the cache', async () => {
    const host = startHost(join(folder, 'cut'));
    const path = join(folder, 'cut.etl');
    writeFileSync(path, readFileSync(writeTrace(join(folder, 'whole.etl'), 'minimal')).subarray(0, 20_000));
    const trace = await host.open(path, {});
    expect(trace.warnings.length).toBeGreaterThan(0);
    await host.close(trace.id);
    expect(await host.open(path, {})).toEqual(trace);
  });

  test('a long answer comes in messages of 1 MiB at most', async () => {
    const { port1, port2 } = new MessageChannel();
    atEnd(() => port1.close());
    const server = messagePort(port1);
    const lengths: number[] = [];
    const send = (message: object) => {
      const { bytes } = message as { readonly bytes?: Uint8Array };
      if (bytes !== undefined) lengths.push(bytes.buffer.byteLength);
      server.send(message);
    };
    serveHost(startHost(join(folder, 'long')), { ...server, send });
    const host = connectHost(messagePort(port2));
    const { id } = await host.open(writeTrace(join(folder, 'long.etl'), 'minimal'), {});
    const ones = (bytes: number) => `SELECT replace(hex(zeroblob(${bytes / 2})), '0', '1') AS ones`;
    for (const bytes of [10, 3_000_000]) {
      const answer = decodeQueryResult(await host.query(id, ones(bytes)));
      expect(answer.cell(0, 0)).toBe('1'.repeat(bytes));
    }
    expect(lengths).toEqual([expect.any(Number), 1 << 20, 1 << 20, expect.any(Number)]);
    expect(Math.max(...lengths)).toBe(1 << 20);
  });

  test('an answer that is longer than it said cannot be read', async () => {
    const { port1, port2 } = new MessageChannel();
    atEnd(() => port1.close());
    const server = messagePort(port1);
    server.onMessage(() => server.send({ kind: 'piece', call: 0, bytes: new Uint8Array(8), of: 4 }));
    await expect(connectHost(messagePort(port2)).query('1', 'SELECT 1')).rejects.toThrow(
      'the answer of Outrank cannot be read',
    );
  });

  test('when a client is gone, its traces are closed', async () => {
    const host = startHost(join(folder, 'gone'));
    const { port1, port2 } = new MessageChannel();
    serveHost(host, messagePort(port1));
    const { id } = await connectHost(messagePort(port2)).open(
      writeTrace(join(folder, 'd.etl'), 'minimal'),
      {},
    );
    port2.close();
    await expect
      .poll(() => host.query(id, 'SELECT 1').catch((error: unknown) => error))
      .toMatchObject({ kind: 'not_open' });
  });

  test('a converter that is missing or fails is named', async () => {
    const path = writeTrace(join(folder, 'e.etl'), 'minimal');
    const absent = startHost(join(folder, 'absent'), { converterPath: join(folder, 'none') });
    await expect(absent.open(path, {})).rejects.toMatchObject({
      kind: 'converter',
      message: `${join(folder, 'none')}: no converter here: build it with \`cargo build --release\` in converter/, or set OUTRANK_CONVERTER`,
    });
    const failing = join(folder, 'failing');
    writeFileSync(failing, '#!/bin/sh\necho "out of luck" >&2\nexit 101\n');
    chmodSync(failing, 0o755);
    const broken = startHost(join(folder, 'broken'), { converterPath: failing });
    await expect(broken.open(path, {})).rejects.toMatchObject({ kind: 'converter', message: 'out of luck' });
    expect(readdirSync(join(folder, 'broken', 'traces'))).toEqual([]);
  });

  test('the recent traces are the last opened first, without those that are gone', async () => {
    const host = startHost(join(folder, 'recent'));
    const names = ['one.etl', 'two.etl', 'three.etl'];
    for (const name of names) await host.open(writeTrace(join(folder, name), 'minimal'), {});
    rmSync(join(folder, 'two.etl'));
    expect((await host.recent()).map(({ name }) => name)).toEqual(['three.etl', 'one.etl']);
  });
});
