let held = false;
let waiting: (() => void)[] = [];

addEventListener('pointerdown', ({ target }) => {
  held = target instanceof Element && target.closest('.plot') !== null;
});
for (const end of ['pointerup', 'pointercancel', 'blur']) {
  addEventListener(end, () => {
    held = false;
    const released = waiting;
    waiting = [];
    for (const resolve of released) resolve();
  });
}

/** Resolves when no pointer is held down on a plot: what it drags must not be replaced. */
export function plotReleased(): Promise<void> {
  return held ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
}
