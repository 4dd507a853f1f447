import { KERNEL_FLAGS, matches, type KernelFlag as KnownFlag } from '../../shared/recording/index.ts';
import type { KernelFlag, KindCount } from './model.ts';

const FLAGS: readonly KnownFlag[] = KERNEL_FLAGS;

/** The masks of a trace, lowest group first; null where it has none: no kernel session has no flag at all. */
function readMasks(masks: string | null): readonly number[] | null {
  const words = masks?.split(' ').map((word) => Number.parseInt(word, 16)) ?? [];
  return words.some((word) => word !== 0) ? words : null;
}

/** `1:0x4`: the mask in which a flag stands, and its bits there. */
function place(mask: number, bit: number): string {
  return `${mask}:0x${bit.toString(16)}`;
}

/** Flags that are on and that no view says more about, and bits without a public name. */
function otherFlags(masks: readonly number[]): readonly KernelFlag[] {
  return masks.flatMap((word, mask) => {
    const here = FLAGS.filter((flag) => flag.mask === mask);
    const shown = here
      .filter(({ records }) => records !== undefined)
      .reduce((bits, { bit }) => bits | bit, 0);
    return Array.from({ length: 32 }, (_, index) => 2 ** index)
      .filter((bit) => (word & bit) !== 0 && (shown & bit) === 0)
      .map((bit) => ({
        ...{ flag: here.find((flag) => flag.bit === bit)?.flag ?? '', what: null, on: true, events: null },
        place: place(mask, bit),
      }));
  });
}

/** Which kernel events were switched on, by the group masks as hexadecimal words, and how many there are. */
export function kernelFlags(masks: string | null, kinds: readonly KindCount[]): readonly KernelFlag[] {
  const words = readMasks(masks);
  const shown = FLAGS.flatMap(({ flag, mask, bit, records }) => {
    if (records === undefined) return [];
    const { what, events } = records;
    return {
      flag,
      what,
      on: words === null ? null : ((words[mask] ?? 0) & bit) !== 0,
      events: kinds.filter((kind) => matches(events, kind)).reduce((sum, { count }) => sum + count, 0),
      place: place(mask, bit),
    };
  });
  return [...shown, ...otherFlags(words ?? [])];
}

/** The flags that were on in the form of xperf's `-on`, and how many bits have no name; null where the trace does not say. */
export function flagWords(flags: readonly KernelFlag[]): string | null {
  const on = flags.filter((flag) => flag.on === true);
  const named = on.filter(({ flag }) => flag !== '').map(({ flag }) => flag);
  const nameless = on.length - named.length;
  if (on.length === 0) return null;
  return [...named, ...(nameless > 0 ? [`${nameless} without a public name`] : [])].join(' + ');
}
