import { dataOf, readFreezes } from '../../tables/index.ts';
import { loadFocus, loadKnownThreads, threadLabel } from '../../threads/index.ts';
import type { Draw, DrawnRow } from './draw.ts';

export const freezeInFocus: Draw = async ({ query }, threshold) => {
  const { tables } = dataOf(query);
  const focus = await loadFocus(tables);
  const threads = await loadKnownThreads(tables);
  return (await readFreezes(tables)).flatMap((freeze) =>
    focus.flatMap((of): DrawnRow[] => {
      if (of.pid !== freeze.pid || of.upid !== freeze.upid) return [];
      const ts = Math.max(freeze.ts, of.ts);
      const te = Math.min(freeze.te, of.te);
      if (te <= ts || te - ts < threshold) return [];
      const by = freeze.frozen_by_utid === null ? undefined : threads.of(freeze.frozen_by_utid);
      return [
        {
          ...{ ts, dur: te - ts, utid: null, upid: freeze.upid },
          ...{
            seconds_lost: (te - ts) / 1e9,
            by: by === undefined || by.tid === null ? null : threadLabel(by),
          },
        },
      ];
    }),
  );
};
