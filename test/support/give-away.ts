import type { Locator, Page } from 'playwright-core';
import { OPENED_LIMIT_MS } from './page.ts';
import { picture } from './places.ts';
import type { Team } from './team.ts';

/** Opens the dialog of exports, and waits until it has counted what is in the trace: `names` is among its examples. */
export async function openExport(page: Page, names: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Export…' }).click({ timeout: OPENED_LIMIT_MS });
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByText(names).first().waitFor({ timeout: OPENED_LIMIT_MS });
  return dialog;
}

/** Sends the shown recording as it is to a team's server; the link that it answers. The dialog stays open. */
export async function sendTrace(page: Page, team: Team, names: string): Promise<string> {
  const dialog = await openExport(page, names);
  await dialog.getByLabel('The recording as it is').check();
  await dialog.getByText('stays as it is').first().waitFor();
  await dialog.getByLabel('A team server').check();
  await dialog.getByRole('textbox', { name: 'Server' }).fill(team.origin);
  await dialog.getByRole('textbox', { name: 'Token' }).fill(team.token);
  await page.screenshot({ path: picture('send') });
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.getByText('It is on the server.').waitFor({ timeout: OPENED_LIMIT_MS });
  return dialog.getByRole('textbox', { name: 'Link' }).inputValue();
}

/** Agrees to download the trace of a link that is being opened from its server. */
export async function downloadTrace(page: Page, { token }: Team): Promise<void> {
  await page.getByRole('button', { name: 'Download it…' }).click();
  const asking = page.getByRole('dialog', { name: 'Download the trace' });
  await asking.getByRole('textbox', { name: 'Token' }).fill(token);
  await asking.getByRole('button', { name: 'Download', exact: true }).click();
}
