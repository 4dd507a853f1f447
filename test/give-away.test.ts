import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { readLink } from '../shared/link/index.ts';
import { answerSaveDialog, startDesktop, watchNetwork, type Desktop } from './support/desktop.ts';
import { downloadTrace, openExport, sendTrace } from './support/give-away.ts';
import { run } from './support/outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './support/page.ts';
import { picture, Scratch, synth } from './support/places.ts';
import { startTeam, type Team } from './support/team.ts';

/** Two people with settings and a cache of their own, and a server of their team. */
const [anna, ben, office] = [new Scratch(), new Scratch(), new Scratch()];
const trace = anna.path('attention.etl');
/** The processes of the trace, as the export names them. */
const NAMES = 'browser.exe, editor.exe, game.exe';
let team: Team;
let desktop: Desktop | null = null;
beforeAll(async () => {
  expect((await run(synth, ['attention', '-o', trace])).code).toBe(0);
  team = await startTeam(office);
});
afterEach(async () => {
  await desktop?.app.close();
  desktop = null;
});
afterAll(async () => {
  await team.end();
  for (const scratch of [anna, ben, office]) scratch.remove();
});

const readyLatency = (page: Page): Locator => page.locator('.view-heading h2', { hasText: 'Ready latency' });

/** Waits until the page shows the trace, and goes to the view of ready latency. */
async function goToReadyLatency(page: Page): Promise<void> {
  await page.locator('.view-heading h2').waitFor({ timeout: OPENED_LIMIT_MS });
  await page.getByRole('button', { name: 'Ready latency' }).click();
  await readyLatency(page).waitFor();
}

test('in the window: an export and a bundle go to files of the system’s dialog, without what was taken out', async () => {
  desktop = await startDesktop(anna, trace);
  const { app, page } = desktop;
  const errors = watchErrors(page);
  const network = await watchNetwork(app);
  await goToReadyLatency(page);
  const dialog = await openExport(page, NAMES);
  for (const [kind, button, name] of [
    ['A trace file', 'Export…', 'given.pftrace'],
    ['A bundle', 'Bundle…', 'given.outrank'],
  ] as const) {
    await answerSaveDialog(app, anna.path(name));
    await dialog.getByLabel(kind).check();
    await dialog.getByRole('button', { name: button }).click();
    await dialog.getByText(`Written to ${anna.path(name)}.`).waitFor({ timeout: OPENED_LIMIT_MS });
    const bytes = readFileSync(anna.path(name));
    expect(bytes.length).toBeGreaterThan(1000);
    if (kind === 'A trace file') expect(bytes.includes('editor.exe')).toBe(false);
  }
  await dialog.getByRole('button', { name: 'Close' }).click();

  // The bundle opens as what it is; its trace holds pseudonyms.
  await page.locator('.home-button').click();
  await page.locator('.home input[type=file]').setInputFiles(anna.path('given.outrank'));
  await page.getByText('attention.redacted.pftrace').first().waitFor({ timeout: OPENED_LIMIT_MS });
  await readyLatency(page).waitFor({ timeout: OPENED_LIMIT_MS });
  expect(await network()).toEqual([]);
  expect(errors).toEqual([]);
});

test('a trace is sent to a server, and fetched from there once its reader has agreed', async () => {
  desktop = await startDesktop(anna, trace);
  await goToReadyLatency(desktop.page);
  const sent = await watchNetwork(desktop.app);
  const link = await sendTrace(desktop.page, team, NAMES);
  // To the one server, and to no other.
  expect(new Set(await sent())).toEqual(new Set([new URL(team.origin).host]));
  const { state } = await readLink(link);
  expect(state.trace).toMatchObject({ name: 'attention.etl', server: team.origin });
  expect(state.place.view).toBe('ready-latency');
  await desktop.app.close();

  desktop = await startDesktop(ben);
  const { app, page } = desktop;
  const errors = watchErrors(page);
  const network = await watchNetwork(app);
  await page.getByRole('button', { name: 'Open a trace…' }).waitFor();
  await page.keyboard.press('Control+Shift+O');
  const opening = page.getByRole('dialog', { name: 'Open a link' });
  await opening.getByRole('textbox', { name: 'Link' }).fill(link);
  await opening.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('button', { name: 'Download it…' }).click();
  const asking = page.getByRole('dialog', { name: 'Download the trace' });
  expect(await asking.locator('dd').allInnerTexts()).toEqual([
    team.origin,
    'attention.etl',
    expect.stringMatching(/^[\d.]+ \wB$/),
    state.trace?.id,
  ]);
  await page.screenshot({ path: picture('fetch') });
  // Before the answer the app asks no server and fetches nothing.
  expect(await network()).toEqual([]);
  await asking.getByRole('textbox', { name: 'Token' }).fill('wrong');
  await asking.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('alert').getByText('does not know this token').waitFor();
  expect(existsSync(ben.path('cache/fetched'))).toBe(false);

  await downloadTrace(page, team);
  await readyLatency(page).waitFor({ timeout: OPENED_LIMIT_MS });
  expect(readdirSync(ben.path('cache/fetched'))).toEqual([state.trace?.id]);
  expect(new Set(await network())).toEqual(new Set([new URL(team.origin).host]));

  // A link from here says where the trace may be had; named and looked over first.
  await page.keyboard.press('Shift+C');
  const naming = page.getByRole('dialog', { name: 'Link to this place' });
  await naming.getByRole('textbox', { name: 'Name' }).fill('Who had the attention');
  expect(await naming.locator('dd').allInnerTexts()).toContain(team.origin);
  await naming.getByRole('button', { name: 'Copy' }).click();
  await page.getByText(/^Link copied/).waitFor();
  await page.locator('.home-button').click();
  await page.getByRole('button', { name: /^Who had the attention/ }).click();
  await readyLatency(page).waitFor({ timeout: OPENED_LIMIT_MS });
  expect(errors).toEqual([]);
});
