import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { hasS3Server, S3_ACCESS, startS3Server } from '../app/server/store/testing.ts';
import { readLink } from '../shared/link/index.ts';
import { copyLinkInBrowser, serve, startBrowser } from './support/browser.ts';
import { copyLink, startDesktop, watchNetwork } from './support/desktop.ts';
import { downloadTrace, sendTrace } from './support/give-away.ts';
import { watchErrors } from './support/page.ts';
import { demo, Scratch } from './support/places.ts';
import { expectSame, goSomewhere, pictures } from './support/same-place.ts';
import { startTeam, type Team } from './support/team.ts';

/** Two starts, a conversion on each side, and pictures of both. */
const LONG = { timeout: 400_000 };

let browser: Browser;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  browser = await startBrowser();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => browser.close());

function newProfile(): Scratch {
  const profile = new Scratch();
  ends.push(() => profile.remove());
  return profile;
}

/** Outrank on somebody's machine. */
interface Seat {
  readonly page: Page;
  readonly copyLink: () => Promise<string>;
  /** What was connected to beyond this machine's own parts since it was shown. */
  readonly network: () => Promise<readonly string[]>;
}

/** Opens a trace or a link with the settings and the cache of a profile. */
type Door = (profile: Scratch, what: string) => Promise<Seat>;

const window: Door = async (profile, what) => {
  const desktop = await startDesktop(profile, what);
  ends.push(() => desktop.app.close());
  const network = await watchNetwork(desktop.app);
  return { page: desktop.page, copyLink: () => copyLink(desktop), network };
};

const tab: Door = async (profile, what) => {
  const [, fragment] = what.split('#');
  const served = await serve(profile.path('cache'), ...(fragment === undefined ? [what] : []));
  ends.push(() => served.end());
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  ends.push(() => context.close());
  const page = await context.newPage();
  const hosts: string[] = [];
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http') && host !== new URL(served.url).host) hosts.push(host);
  });
  await page.goto(fragment === undefined ? served.url : `${served.url}#${fragment}`);
  return { page, copyLink: () => copyLinkInBrowser(page), network: () => Promise.resolve(hosts) };
};

/** Anna sends the demo from where she sees it and copies a link; Ben, who has nothing but the link, sees what she saw. */
async function exchange(open: Door, team: Team): Promise<Seat> {
  const [anna, ben] = [newProfile(), newProfile()];
  const theirs = await open(anna, demo.trace);
  await goSomewhere(theirs.page);
  await sendTrace(theirs.page, team, 'LockApp.exe');
  await theirs.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const link = await theirs.copyLink();
  const { state } = await readLink(link);
  expect(state.trace).toMatchObject({ name: 'lock-screen.etl', server: team.origin });
  const wanted = await pictures(theirs.page);

  const seat = await open(ben, link);
  const errors = watchErrors(seat.page);
  await seat.page.getByRole('button', { name: 'Download it…' }).waitFor();
  expect(await seat.network()).toEqual([]);
  await downloadTrace(seat.page, team);
  await expectSame(seat.page, wanted);
  expect(readdirSync(ben.path('cache/fetched'))).toEqual([state.trace?.id]);
  expect(errors).toEqual([]);
  return seat;
}

/** A team server on an object storage. */
async function startTeamOnS3(): Promise<Team> {
  const office = newProfile();
  const { child, endpoint } = await startS3Server(office.path('objects'), 'bucket');
  ends.push(() => child.kill('SIGKILL'));
  return startTeam(office, 's3://bucket/team', {
    ...S3_ACCESS,
    AWS_ENDPOINT_URL_S3: endpoint,
  });
}

describe.each([
  ['in the folder of a team server', () => startTeam(newProfile()), true],
  ['in an object storage', startTeamOnS3, hasS3Server],
] as const)('a link to a trace %s shows the same', (_, start, there) => {
  test.skipIf(!there)('between two windows, which connect to that server alone', LONG, async () => {
    const team = await start();
    ends.push(() => team.end());
    const { network } = await exchange(window, team);
    expect(new Set(await network())).toEqual(new Set([new URL(team.origin).host]));
  });

  test.skipIf(!there)(
    'between two browsers, whose pages connect to their own servers alone',
    LONG,
    async () => {
      const team = await start();
      ends.push(() => team.end());
      const { network } = await exchange(tab, team);
      expect(await network()).toEqual([]);
    },
  );
});
