import { afterAll, afterEach, test } from 'vitest';
import { startDesktop } from './support/desktop.ts';
import { Scratch } from './support/places.ts';
import { storiesByScenario, tellViews, writeScenario } from './support/story-traces.ts';

const scratch = new Scratch();
afterAll(() => scratch.remove());
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

test.each(storiesByScenario)(
  'the views for $name are filtered and chosen from by keyboard, in Electron',
  async ({ stories }) => {
    const { app, page } = await startDesktop(scratch, await writeScenario(scratch, stories));
    ends.push(() => app.close());
    await tellViews(page, stories, 'desktop');
  },
);
