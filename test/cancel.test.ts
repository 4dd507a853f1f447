import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startDesktop } from './support/desktop.ts';
import { run } from './support/outrank.ts';
import { Scratch, synth } from './support/places.ts';

const scratch = new Scratch();
const trace = scratch.path('long.etl');
beforeAll(async () => {
  const { code } = await run(synth, ['switches', '--count', '4000000', '--cpus', '16', '-o', trace]);
  expect(code).toBe(0);
});
afterAll(() => scratch.remove());

test('closing the window during a conversion leaves nothing', async () => {
  const { app, page } = await startDesktop(scratch, trace);
  await page.getByRole('status').getByText('Converting events').waitFor();
  const closed = app.waitForEvent('close');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await closed;
  expect(readdirSync(scratch.path('cache/traces'))).toEqual([]);
});

test('a conversion shows how far it is, and cancelling it leaves nothing', async () => {
  const { app, page } = await startDesktop(scratch, trace);
  try {
    const status = page.getByRole('status');
    await status.getByText('Converting events').waitFor();
    await status.getByText(/^[1-9]\d? %$/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
    await vi.waitFor(() => expect(readdirSync(scratch.path('cache/traces'))).toEqual([]), {
      timeout: 10_000,
    });
    const engines = await app.evaluate(({ app }) =>
      app.getAppMetrics().filter(({ name }) => name === 'Outrank engine'),
    );
    expect(engines).toEqual([]);
  } finally {
    await app.close();
  }
});
