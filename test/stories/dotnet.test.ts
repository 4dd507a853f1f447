import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { cpuSampled } from '../../views/cpu-sampled/view.ts';
import { loadWanted } from '../../app/host/symbols/wanted.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

const RANGE = { start: 0, end: 100_000_000_000 };

describeReal('two .NET programs whose methods lie at the same addresses', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  async function opened() {
    const { id } = await host.open(writeTrace(join(folder, 'dotnet.etl'), 'dotnet'), {});
    return makeQuery((sql) => host.query(id, sql));
  }

  async function hottest(frames: string) {
    const params = readParams(cpuSampled.params, { frames });
    const { functions } = await cpuSampled.load(await opened(), params, RANGE);
    const sampled = functions.filter(({ self }) => self > 0);
    return sampled.map(({ label, self }) => `${label} ${self}`).sort();
  }

  test('have the names of their own methods, one for all addresses of a method', async () => {
    expect(await hottest('function')).toEqual([
      '0x7ff840002010 50',
      '[.NET]!dynamicClass.Format 20',
      'bank.exe!Bank.Ledger.Post 100',
      'clr.dll+0x500 50',
      'mscorlib.ni.dll!System.String.Concat 50',
      'shop.exe!Shop.Cart.Add 150',
      'shop.exe!Shop.Cart.Total 50',
      'shop.exe!Shop.Report.Print 30',
    ]);
  });

  test('are told apart by address too', async () => {
    expect(await hottest('address')).toEqual([
      '0x7ff840000010 bank.exe!Bank.Ledger.Post 50',
      '0x7ff840000010 shop.exe!Shop.Cart.Add 50',
      '0x7ff840000020 shop.exe!Shop.Cart.Add 50',
      '0x7ff840000110 bank.exe!Bank.Ledger.Post 50',
      '0x7ff840000110 shop.exe!Shop.Cart.Total 50',
      '0x7ff840001010 shop.exe!Shop.Cart.Add 50',
      '0x7ff840002010 50',
      '0x7ff840008050 [.NET]!dynamicClass.Format 20',
      '0x7ff840008050 shop.exe!Shop.Report.Print 30',
      'clr.dll+0x500 50',
      'mscorlib.ni.dll+0x2010 System.String.Concat 50',
    ]);
  });

  test('belong to their modules', async () => {
    expect(await hottest('module')).toEqual([
      '[.NET] 20',
      'bank.exe 100',
      'clr.dll 50',
      'mscorlib.ni.dll 50',
      'shop.exe 230',
      'unknown code 50',
    ]);
  });

  test('are no images whose symbols are wanted', async () => {
    const wanted = await loadWanted(await opened());
    expect(wanted.map(({ path, samples, addresses }) => [path, samples, addresses.length])).toEqual([
      ['\\Device\\HarddiskVolume3\\Windows\\clr.dll', 50, 3],
    ]);
  });

  test('are in the tables of stacks', async () => {
    const query = await opened();
    const rows = await query(`
      SELECT DISTINCT module, function, rva, printf('%x', address) AS address
      FROM etw_stack_frame WHERE printf('%x', address) IN ('7ff840000010', '7ffe30002010') ORDER BY 4, 1`);
    expect([...rows.rows()]).toEqual([
      { module: 'C:\\Bank\\bank.exe', function: 'Bank.Ledger.Post', rva: null, address: '7ff840000010' },
      { module: 'C:\\Shop\\shop.exe', function: 'Shop.Cart.Add', rva: null, address: '7ff840000010' },
      {
        module: '\\Device\\HarddiskVolume3\\Windows\\mscorlib.ni.dll',
        function: 'System.String.Concat',
        rva: 0x2010,
        address: '7ffe30002010',
      },
    ]);
  });
});
