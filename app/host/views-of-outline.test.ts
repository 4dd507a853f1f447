import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isDrawnFromOutline, readParams } from '../../shared/view/index.ts';
import { views } from '../../views/index.ts';
import { hostQuery } from './host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';
import { summariseTrace } from './trace-summary.ts';

const SCENARIOS = [
  ['attention'],
  ['exit-storm'],
  ['generic', '--count', '300'],
  ['thread-growth', '--threads', '200'],
];

describeReal('views whose tables an outline has', () => {
  const caches = temporaryFolder();
  const folder = temporaryFolder();
  const whole = startHost(join(caches, 'whole'));
  const outline = startHost(join(caches, 'outline'));
  const drawn = views.filter((view) => view.fromColumns !== true && isDrawnFromOutline(view));

  test.each(SCENARIOS.map(([name = '', ...options]) => [name, options] as const))(
    'load the same without the whole trace: %s',
    async (name, options) => {
      const path = writeTrace(join(folder, `${name}.etl`), name, ...options);
      const inWhole = hostQuery(whole, await whole.open(path, {}));
      const opened = await outline.open(path, { columns: true });
      const inOutline = hostQuery(outline, opened);
      const range = (await summariseTrace(inWhole))?.range;
      if (range === undefined) throw new Error('no Windows trace');
      expect(drawn.map(({ id }) => id)).toContain('system');
      for (const view of drawn) {
        const params = readParams(view.params, {});
        expect(await view.load(inOutline, params, range), view.id).toEqual(
          await view.load(inWhole, params, range),
        );
      }
      const entries = readdirSync(join(caches, 'outline', 'traces')).filter((entry) =>
        entry.startsWith(opened.id),
      );
      expect(entries.map((entry) => entry.endsWith('-outline'))).toEqual([true]);
    },
  );
});
