import { SHADE_FIRST, SHADE_UNKNOWN, type Classes, type CpuShade } from '../../shared/timeline/index.ts';
import type { ClassOrder, TrackClass } from './classes.ts';

/** The numbers that share a colour, from the first on up to the next. */
const BANDS: Readonly<Record<CpuShade, readonly number[]>> = {
  rank: [0, 1, 2, 5, 10],
  priority: [0, 8, 9, 13, 16],
};

/** The colours of CPUs by the priority or rank of what they ran. */
export function shadeClasses(shade: CpuShade): readonly TrackClass[] {
  const bands = BANDS[shade];
  return [
    { state: 'idle', label: 'idle, or not recorded' },
    { state: 'running', label: `${shade} not recorded` },
    ...bands.map((from, series): TrackClass => {
      const last = (bands[series + 1] ?? Infinity) - 1;
      const numbers =
        last === from ? `${from}` : last === Infinity ? `${from} and more` : `${from} to ${last}`;
      return { state: 'running', label: `${shade} ${numbers}`, series: series === 0 ? 4 : series - 1 };
    }),
  ];
}

/** The class of each value of such a lane. */
export function shadeValues(shade: CpuShade): Classes {
  const bands = BANDS[shade];
  const ofValue = Uint8Array.from({ length: 512 }, (_, value) =>
    value < SHADE_FIRST ? value : SHADE_UNKNOWN + bands.filter((from) => from <= value - SHADE_FIRST).length,
  );
  return { ofValue, count: SHADE_FIRST + bands.length };
}

/** The highest number stands at the bottom. */
export function shadeOrder({ count }: Classes): ClassOrder {
  const order = Array.from({ length: count - 1 }, (_, place) => count - 1 - place);
  return { order, kept: new Set(order) };
}
