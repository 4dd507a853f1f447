import { readdirSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { hasS3Server, S3_ACCESS, startS3Server } from '../app/server/store/testing.ts';
import { readLink } from '../shared/link/index.ts';
import { copyLink, startDesktop, watchNetwork } from './support/desktop.ts';
import { downloadTrace, sendTrace } from './support/give-away.ts';
import { watchErrors } from './support/page.ts';
import { demo, Scratch } from './support/places.ts';
import { expectSame, goSomewhere, pictures } from './support/same-place.ts';
import { startTeam, type Team } from './support/team.ts';

const S3_PORT = 18_124;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function newProfile(): Scratch {
  const profile = new Scratch();
  ends.push(() => profile.remove());
  return profile;
}

/** Anna sends the demo from her window and copies a link; Ben, who has nothing but the link, sees what she saw. */
async function exchange(team: Team): Promise<void> {
  const [anna, ben] = [newProfile(), newProfile()];
  const theirs = await startDesktop(anna, demo.trace);
  ends.push(() => theirs.app.close());
  await goSomewhere(theirs.page);
  await sendTrace(theirs.page, team, 'LockApp.exe');
  await theirs.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const link = await copyLink(theirs);
  const { state } = await readLink(link);
  expect(link).toMatch(/^outrank:\/\/open#3\.[\w-]+$/);
  expect(state.trace).toMatchObject({ name: 'lock-screen.etl', server: team.origin });
  const wanted = await pictures(theirs.page);

  const { app, page } = await startDesktop(ben, link);
  ends.push(() => app.close());
  const errors = watchErrors(page);
  const network = await watchNetwork(app);
  await page.getByRole('button', { name: 'Download it…' }).waitFor();
  expect(await network()).toEqual([]);
  await downloadTrace(page, team);
  await expectSame(page, wanted);
  expect(readdirSync(ben.path('cache/fetched'))).toEqual([state.trace?.id]);
  expect(new Set(await network())).toEqual(new Set([new URL(team.origin).host]));
  expect(errors).toEqual([]);
}

test('between two windows: a link to a trace in the folder of a team server shows the same', async () => {
  const team = await startTeam(newProfile());
  ends.push(() => team.end());
  await exchange(team);
});

test.skipIf(!hasS3Server)('so does a link to a trace in an object storage', async () => {
  const office = newProfile();
  const objects = await startS3Server(office.path('objects'), 'bucket', S3_PORT);
  ends.push(() => objects.kill('SIGKILL'));
  const team = await startTeam(office, 's3://bucket/team', {
    ...S3_ACCESS,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${S3_PORT}`,
  });
  ends.push(() => team.end());
  await exchange(team);
});
