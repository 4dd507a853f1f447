import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDesktop, type Desktop } from './support/desktop.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, untilShown, watchErrors } from './support/page.ts';
import { Scratch, synth } from './support/places.ts';

const scratch = new Scratch();
const before = scratch.path('before.etl');
/** As people call their folders. */
const after = scratch.path('späte Läufe/after 2.etl');
let desktop: Desktop;
beforeAll(async () => {
  mkdirSync(scratch.path('späte Läufe'));
  const made = scratch.path('after.etl');
  const change = ['--change', 'rank', '--seed', '2', '--first-id', '400'];
  for (const [path, ...more] of [[before], [made, ...change]] as const)
    expect((await run(synth, ['routine', '--seconds', '8', ...more, '-o', path])).code).toBe(0);
  copyFileSync(made, after);
  writeFileSync(scratch.path('empty.etl'), '');
});
afterEach(() => desktop.app.close());
afterAll(() => scratch.remove());

test('the other trace is named by its path, as it was typed or pasted', async () => {
  desktop = await startDesktop(scratch, before);
  const { page } = desktop;
  const errors = watchErrors(page);
  await untilShown(page);
  await page.keyboard.press('b');
  const path = page.getByLabel('The trace to compare with, by its path');
  for (const [wrong, said] of [
    [scratch.path('nowhere.etl'), 'nowhere.etl'],
    [scratch.path('empty.etl'), 'file is empty'],
  ] as const) {
    await path.fill(wrong);
    await path.press('Enter');
    await page.getByRole('alert').getByText(said).waitFor({ timeout: OPENED_LIMIT_MS });
  }
  // Windows copies a path within quotes.
  await path.fill(` "${after}" `);
  await path.press('Enter');
  const proof = page.locator('.compare-proof > header h2');
  await proof.getByText('Proof: app.exe: ready: rank', { exact: true }).waitFor({ timeout: OPENED_LIMIT_MS });
  expect(await page.locator('.compare-page').innerText()).toContain('after 2.etl');

  // One more trace of B, and none where it is there already.
  await page.getByRole('button', { name: 'Add traces to B…' }).click();
  const more = page.getByLabel('Further traces of B, by its path');
  await more.fill(after);
  await more.press('Enter');
  await page.getByRole('alert').getByText('after 2.etl is compared already.').waitFor();
  expect(errors).toEqual([]);
});
