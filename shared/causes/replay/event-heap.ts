/** What happens at times, the earliest first; of equal times what was added first. */
export class EventHeap<T> {
  readonly #items: { readonly at: number; readonly order: number; readonly what: T }[] = [];
  #added = 0;

  add(at: number, what: T): void {
    const items = this.#items;
    const item = { at, order: this.#added++, what };
    let place = items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !isBefore(item, above)) break;
      items[place] = above;
      place = parent;
    }
    items[place] = item;
  }

  /** Takes the first; undefined if there is none. */
  take(): { readonly at: number; readonly what: T } | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const [left, right] = [items[child], items[child + 1]];
      if (left === undefined) break;
      const least = right !== undefined && isBefore(right, left) ? right : left;
      if (least === right) child++;
      if (!isBefore(least, last)) break;
      items[place] = least;
      place = child;
    }
    items[place] = last;
    return first;
  }
}

interface Timed {
  readonly at: number;
  readonly order: number;
}

function isBefore(a: Timed, b: Timed): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
