/** What a thread does, as the value of its lane: a state, and what there is to say of it. 0 is that it does not exist. */
export const STATES = ['nothing', 'running', 'ready', 'blocked', 'lost'] as const;
export type ThreadState = (typeof STATES)[number];

const DETAIL_BITS = 12;
const DETAILS = 1 << DETAIL_BITS;

/** So many values of thread lanes there are at most. */
export const VALUE_COUNT = STATES.length * DETAILS;

/** A value: of a running thread `detail` is its CPU, of a ready or blocked one a number that the lanes name. */
export function valueOf(state: ThreadState, detail = 0): number {
  return STATES.indexOf(state) * DETAILS + Math.min(detail, DETAILS - 1);
}

export function stateOf(value: number): ThreadState {
  return STATES[value >> DETAIL_BITS] ?? 'nothing';
}

export function detailOf(value: number): number {
  return value & (DETAILS - 1);
}
