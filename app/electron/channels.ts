/** The messages between the page's preload and the main process. */
export const CHANNELS = {
  /** To main: a port to the host is wanted. */
  connect: 'outrank:connect',
  /** To the preload: the port. */
  port: 'outrank:port',
  /** To main, answered: the trace to open first, or null. */
  initialPath: 'outrank:initial-path',
  /** To main, answered: the path that the user chose in the system's dialog, or null. */
  openDialog: 'outrank:open-dialog',
  /** To main with a name, answered: the path of a new file that the user chose in the system's dialog, or null. */
  saveDialog: 'outrank:save-dialog',
  /** To the preload: a trace was asked for from outside the page. */
  openRequest: 'outrank:open-request',
} as const;

/** What the app tells the process that launched it when its window is there. */
export const STARTED = 'outrank:started';
