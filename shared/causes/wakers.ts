/** What stands in for a thread that ended a block, by numbers that no thread has, and what it is called. */
export const BY_INTERRUPT = -1;
export const NO_READY_EVENT = -2;
export const NOT_ENDED = -3;
export const WAKERS: Readonly<Record<number, string>> = {
  [BY_INTERRUPT]: 'a DPC or an interrupt',
  [NO_READY_EVENT]: 'not recorded',
  [NOT_ENDED]: 'none: the recording ends',
};
