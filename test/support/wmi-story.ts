import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { outrank } from './outrank.ts';
import { OPENED_LIMIT_MS, watchErrors } from './page.ts';
import { picture, wmiDemo } from './places.ts';

const Link = v.object({ tid: v.number(), process: v.string(), service: v.nullable(v.string()) });
const Truth = v.object({
  release: v.object({
    holder: Link,
    chain: v.array(Link),
    threads: v.number(),
    processes: v.number(),
  }),
});

/**
 * The WMI story in a page that was asked to open its demo: the moment, who began it, back past the DPC to who held the
 * lock for 41.57 s, and forward to all whom the release set free. The pictures are named after the door.
 */
export async function tellWmiStory(page: Page, cache: string, door: string): Promise<void> {
  const errors = watchErrors(page);
  const { release } = v.parse(Truth, JSON.parse(readFileSync(wmiDemo.truth, 'utf8')));
  const { holder, chain, threads, processes } = release;
  const finding = page.locator('.findings li button').first();
  await finding.waitFor({ timeout: OPENED_LIMIT_MS });
  expect(await finding.innerText()).toContain('set 136 threads of 136 processes free within 338 µs');

  await page.getByRole('button', { name: 'Release moments' }).click();
  const moments = page.getByRole('grid', { name: 'Release moments' });
  const first = moments.getByRole('row').nth(1);
  await first.waitFor({ timeout: OPENED_LIMIT_MS });
  const moment = (await first.innerText()).split(/[\n\t]+/);
  expect([moment[0], moment[1]]).toEqual(['43.685758 s', '≥']);
  expect(moment.at(-1)).toMatch(/^svchost\.exe EventLog /);
  await page.screenshot({ path: picture(`${door}-wmi-moments`) });
  await first.click();

  const answer = page.locator('.view-page .answer');
  await answer.getByText(`threads of ${processes} processes released, ending at least`).waitFor();
  await page.getByRole('button', { name: 'Who woke it' }).click();
  await answer.getByText('was woken from a DPC').waitFor();
  await answer.getByText('It had been blocked for 6.20 ms (Executive)').waitFor();
  await page.keyboard.press('[');
  const held = `Most time went by with svchost.exe Winmgmt (tid ${holder.tid}): 41.570 s until it woke svchost.exe Winmgmt`;
  await answer.getByText(held).waitFor();
  const links = page.getByRole('grid', { name: 'Who woke it' });
  const written = chain.findIndex(({ service }) => service === 'EventLog');
  const wanted = chain
    .slice(0, written + 1)
    .reverse()
    .map(labelOf);
  const names = links.getByRole('row').locator('[role=gridcell]:first-child');
  expect((await names.allInnerTexts()).slice(1, 1 + wanted.length)).toEqual(wanted);

  const toLongest = page.getByRole('button', { name: 'Where most time went by' });
  await toLongest.click();
  // Until the chosen link is drawn, the buttons belong to the link before it.
  await toLongest.waitFor({ state: 'detached' });
  await page.waitForFunction(() => /p\.link=\d/.test(location.hash));
  await page.screenshot({ path: picture(`${door}-wmi-held`) });
  await page.getByRole('button', { name: 'What it released' }).click();
  await answer.getByText(`${threads} threads of ${processes} processes released, ending at least`).waitFor();
  const totals = page.getByRole('grid', { name: 'Released by process' });
  expect(await totals.getByRole('row').nth(1).innerText()).toMatch(/^svchost\.exe Winmgmt\s/);
  await page.screenshot({ path: picture(`${door}-wmi-released`) });
  expect(errors).toEqual([]);

  await page.waitForFunction((tid) => location.hash.includes(`p.tid=${tid}`), holder.tid);
  const { hash } = new URL(page.url());
  const given = new URLSearchParams(hash.slice(1));
  const param = (name: string) => ['--param', `${name}=${given.get(`p.${name}`) ?? ''}`];
  const printed = await outrank(
    cache,
    ...['view', 'wake-chain', wmiDemo.trace, '--format', 'markdown'],
    ...['ts', 'tid', 'past_dpc_ms'].flatMap(param),
  );
  expect(printed.stdout).toContain(`\n| ${threads} threads of ${processes} processes released, `);
}

function labelOf({ process, service, tid }: v.InferOutput<typeof Link>): string {
  return `${service === null ? process : `${process} ${service}`} (tid ${tid})`;
}
