/** While the range goes on changing, as in zooming, a load starts only when it has rested for so long. */
const RANGE_RESTS_MS = 120;

/** Waits until what is wanted has rested. */
export interface Resting {
  /**
   * Calls back at the end of this turn, in which more may change, where that is urgent or nothing has changed for a while; else once no
   * other change follows. Answers whether it waits for that.
   */
  start(isUrgent: boolean, then: () => void): boolean;
  /** Calls back no more. */
  stop(): void;
}

/** Nothing has changed yet. */
export function resting(): Resting {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: (() => void) | null = null;
  let hurry = false;
  let changed_ms = -Infinity;
  return {
    start(isUrgent, then) {
      const now_ms = performance.now();
      hurry ||= isUrgent || now_ms - changed_ms > RANGE_RESTS_MS;
      changed_ms = now_ms;
      clearTimeout(timer);
      last = then;
      const begin = () => {
        if (last !== then) return;
        [last, hurry] = [null, false];
        then();
      };
      // Not by a timer: the frame that draws what is there already would come first.
      if (hurry) queueMicrotask(begin);
      else timer = setTimeout(begin, RANGE_RESTS_MS);
      return !hurry;
    },
    stop() {
      clearTimeout(timer);
      last = null;
    },
  };
}
