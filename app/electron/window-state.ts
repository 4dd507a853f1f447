import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { screen, type BrowserWindow, type Rectangle } from 'electron';
import * as v from 'valibot';

const pixels = v.pipe(v.number(), v.integer());
const WindowState = v.object({
  bounds: v.object({ x: pixels, y: pixels, width: pixels, height: pixels }),
  maximized: v.boolean(),
});

/** Where the window was when it was last closed. */
export type WindowState = v.InferOutput<typeof WindowState>;

/** The state kept in a file; null if there is none that can be read, or no screen shows that place any more. */
export function readWindowState(file: string): WindowState | null {
  let state: WindowState;
  try {
    state = v.parse(WindowState, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
  return isVisible(state.bounds) ? state : null;
}

/** Keeps the window's state in a file when the window closes. */
export function keepWindowState(window: BrowserWindow, file: string): void {
  window.on('close', () => {
    const state: WindowState = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(state));
    } catch {
      // A place that cannot be kept is no reason to keep a window from closing.
    }
  });
}

function isVisible(bounds: Rectangle): boolean {
  const area = screen.getDisplayMatching(bounds).workArea;
  return (
    bounds.x < area.x + area.width &&
    bounds.x + bounds.width > area.x &&
    bounds.y >= area.y &&
    bounds.y < area.y + area.height
  );
}
