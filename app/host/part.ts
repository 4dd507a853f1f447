import type { TracePart } from '../../shared/link/index.ts';

export { tracePart } from '../../shared/link/index.ts';

/** All of a trace. */
export const WHOLE: TracePart = { from: null, to: null, only: [], skip: [] };

/** The options that make the converter take this part. */
export function partArguments({ from, to, only, skip }: TracePart): string[] {
  return [
    ...(from === null ? [] : [`--from=${from}`]),
    ...(to === null ? [] : [`--to=${to}`]),
    ...(only.length === 0 ? [] : [`--only=${only.join(',')}`]),
    ...(skip.length === 0 ? [] : [`--skip=${skip.join(',')}`]),
  ];
}
