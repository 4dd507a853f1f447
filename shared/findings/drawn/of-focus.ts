import { dataOf, readRows } from '../../tables/index.ts';
import type { Draw, DrawnRow } from './draw.ts';
import { loadNames } from './names.ts';

export const freezeInFocus: Draw = async ({ query }, threshold) => {
  const { tables } = dataOf(query);
  const focus = await readRows(tables, 'etw_focus', ['ts', 'dur', 'pid', 'upid']);
  const freezes = await readRows(tables, 'etw_process_freeze', [
    'ts',
    'dur',
    'pid',
    'upid',
    'frozen_by_utid',
  ]);
  const { threads } = await loadNames(tables);
  return freezes.flatMap((freeze) =>
    focus.flatMap((of): DrawnRow[] => {
      if (freeze.pid === null || of.pid !== freeze.pid || of.upid !== freeze.upid) return [];
      const ts = Math.max(Number(freeze.ts), Number(of.ts));
      const te = Math.min(Number(freeze.ts) + Number(freeze.dur), Number(of.ts) + Number(of.dur));
      if (te <= ts || te - ts < threshold) return [];
      const by = freeze.frozen_by_utid === null ? undefined : threads.get(Number(freeze.frozen_by_utid));
      return [
        {
          ...{ ts, dur: te - ts, utid: null, upid: freeze.upid === null ? null : Number(freeze.upid) },
          ...{ seconds_lost: (te - ts) / 1e9, by: by?.process_name ?? null, by_tid: by?.tid ?? null },
        },
      ];
    }),
  );
};
