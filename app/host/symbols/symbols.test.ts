import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeQuery } from '../../../shared/engine/index.ts';
import { readParams } from '../../../shared/view/index.ts';
import { cpuSampled } from '../../../views/cpu-sampled/view.ts';
import { atEnd, describeReal, places, startHost, temporaryFolder, writeTrace } from '../testing/real.ts';
import { coverage, type SymbolProgress } from './report.ts';

const hasSymbolizer = existsSync(places.symbolizer);
if (!hasSymbolizer) console.warn(`SKIPPED, run scripts/setup.sh first: there is no ${places.symbolizer}`);

const KEY = '0A1B2C3D4E5F60718293A4B5C6D7E8F92';
const INNERMOST = `
  SELECT f.function, s.line, COUNT(*) AS samples
  FROM etw_sample JOIN etw_stack_frame AS f USING (callsite) LEFT JOIN etw_symbol AS s USING (frame)
  GROUP BY 1, 2 ORDER BY 3 DESC, 2 LIMIT 3`;

describe.skipIf(!hasSymbolizer)('symbols', () => {
  describeReal('of a trace whose PDBs are known', () => {
    const folder = temporaryFolder();
    const store = join(folder, 'store');
    const trace = writeTrace(join(folder, 'trace.etl'), 'symbols', '--pdbs', store);
    const host = startHost(join(folder, 'cache'));

    async function opened() {
      const { id } = await host.open(trace, {});
      const query = makeQuery((sql) => host.query(id, sql));
      return { id, query };
    }

    test('name the functions of all stacks, and say what was found for each image', async () => {
      const { id, query } = await opened();
      const report = await host.loadSymbols(id, store, {});
      const path = (name: string, key: string) => join(store, name, key, name);
      expect(report.modules).toEqual([
        {
          path: '\\Device\\HarddiskVolume3\\Programs\\browser.exe',
          pdb: 'browser.pdb',
          samples: 200,
          addresses: 66,
          named: 66,
          found: path('browser.pdb', KEY),
          reasons: [],
        },
        {
          path: '\\SystemRoot\\system32\\ntoskrnl.exe',
          pdb: 'ntkrnlmp.pdb',
          samples: 100,
          addresses: 65,
          named: 65,
          found: path('ntkrnlmp.pdb', '3844DBB920174967BE7AA4A2C20430FA1'),
          reasons: [],
        },
        {
          path: '\\Device\\HarddiskVolume3\\Programs\\plugin.dll',
          pdb: null,
          samples: 100,
          addresses: 64,
          named: 0,
          found: null,
          reasons: [expect.stringContaining('the trace does not tell which build it is')],
        },
        {
          path: '\\Device\\HarddiskVolume3\\Windows\\System32\\ntdll.dll',
          pdb: 'ntdll.pdb',
          samples: 0,
          addresses: 1,
          named: 0,
          found: null,
          reasons: [`${store}: has no ntdll.pdb, nor ntdll.pdb/111122223333444455556666777788881`],
        },
      ]);
      expect(coverage(report)).toEqual({ samples: 400, covered: 0.75 });
      expect([...(await query(INNERMOST)).rows()]).toEqual([
        { function: 'KiPageFault', line: null, samples: 100 },
        { function: null, line: null, samples: 100 },
        { function: 'Page::layout', line: 40, samples: 4 },
      ]);
      // A call at the end of a function returns to the next one.
      const callers = `SELECT DISTINCT function, line FROM etw_symbol JOIN etw_stack_frame USING (frame, function)
        WHERE rva IN (0x1700, 0x1080) ORDER BY rva`;
      expect([...(await query(callers)).rows()]).toEqual([
        { function: 'main', line: 17 },
        { function: 'Page::paint', line: 135 },
      ]);
      await host.close(id);
    });

    test('are what views call frames by, and those of an earlier path are gone', async () => {
      const { id, query } = await opened();
      const range = { start: 0, end: 100_000_000_000 };
      const look = async () => {
        const ask = makeQuery((sql) => host.query(id, sql));
        const model = await cpuSampled.load(ask, readParams(cpuSampled.params, {}), range);
        return JSON.stringify(model).includes('browser.exe!Page::layout');
      };
      expect(await look()).toBe(false);
      await host.loadSymbols(id, store, {});
      expect(await look()).toBe(true);
      await host.loadSymbols(id, folder, {});
      expect(await look()).toBe(false);
      expect((await query('SELECT * FROM etw_symbol')).rowCount).toBe(0);
      await host.close(id);
    });

    test('are the same in the outline and in the whole trace, whichever was loaded first', async () => {
      const { id } = await host.open(trace, { columns: true });
      const query = makeQuery((sql) => host.query(id, sql));
      const named = async (sql: string) => [...(await query(sql)).rows()];
      // What reads a table of Perfetto's own is asked of the whole trace.
      const innermost = [
        INNERMOST,
        INNERMOST.replace('FROM', 'FROM (SELECT COUNT(*) FROM sched) CROSS JOIN'),
      ];
      const page = { function: 'Page::layout', line: 40, samples: 4 };
      await host.loadSymbols(id, store, {});
      for (const sql of innermost) expect(await named(sql)).toContainEqual(page);
      await host.loadSymbols(id, folder, {});
      for (const sql of innermost) expect(await named(sql)).not.toContainEqual(page);
      await host.loadSymbols(id, store, {});
      for (const sql of innermost) expect(await named(sql)).toContainEqual(page);
      await host.close(id);
    });

    test('come from a server that the path names, once', async () => {
      const asked: string[] = [];
      const server = createServer(({ url = '' }, response) => {
        asked.push(url);
        readFile(join(store, url)).then(
          (bytes) => response.end(bytes),
          () => response.writeHead(404).end(),
        );
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      atEnd(() => server.close());
      const { port } = server.address() as AddressInfo;
      const { id } = await opened();
      const told: SymbolProgress[] = [];
      const onProgress = (progress: SymbolProgress) => void told.push(progress);
      const path = `srv*http://127.0.0.1:${port}`;
      const { modules } = await host.loadSymbols(id, path, { onProgress });
      const { cacheDir } = await host.symbolDefaults();
      expect(modules[0]?.found).toBe(join(cacheDir, 'browser.pdb', KEY, 'browser.pdb'));
      expect(told.at(-1)).toEqual({ done: 3, total: 3, download: null });
      expect(asked.filter((url) => url.includes('browser'))).toEqual([`/browser.pdb/${KEY}/browser.pdb`]);
      await host.loadSymbols(id, path, {});
      expect(asked.filter((url) => url.includes('browser'))).toHaveLength(1);
      await host.close(id);
    });

    test('fail with the reason where the path cannot be meant, and end when that is asked', async () => {
      const { id } = await opened();
      await expect(host.loadSymbols(id, 'ftp*x', {})).rejects.toMatchObject({
        kind: 'symbols',
        message: expect.stringContaining('symbol path: "ftp*x"') as string,
      });
      const signal = AbortSignal.abort();
      await expect(host.loadSymbols(id, store, { signal })).rejects.toThrow('aborted');
      await host.close(id);
    });
  });
});
