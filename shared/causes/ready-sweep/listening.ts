import type { CpuWatcher } from './cpu-timeline.ts';
import type { Presence } from './presence.ts';

/**
 * The presences that waits under way need: these alone hear what CPUs do. Threads may be kept to hundreds of sets of CPUs;
 * waits need few of these at a time.
 */
export class Listening implements CpuWatcher {
  readonly #presences: Presence[] = [];

  /** A wait begins that needs a presence. */
  begin(presence: Presence): void {
    presence.waits++;
    if (presence.isListening) return;
    presence.listen();
    this.#presences.push(presence);
  }

  /** A wait ends that needed it. */
  end(presence: Presence): void {
    presence.waits--;
  }

  change(cpu: number): void {
    // By number: an iterator would be made for each change.
    for (let at = 0; at < this.#presences.length; at++) this.#presences[at]?.change(cpu);
  }

  /** All changes of an instant are told. Who was not needed for a while listens no more. */
  settle(): void {
    const presences = this.#presences;
    for (let at = 0; at < presences.length; at++) {
      const presence = presences[at];
      if (presence === undefined || presence.settle()) continue;
      const last = presences.pop();
      if (last !== undefined && last !== presence) presences[at--] = last;
    }
  }
}
