import { app, BrowserWindow, dialog, nativeTheme, shell, type Session } from 'electron';
import { teamServerOf } from '../../shared/link/index.ts';
import { ORIGIN, PAGE } from './scheme.ts';
import { keepWindowState, readWindowState } from './window-state.ts';

/** What is seen until the page has drawn: `--ground` of the page's styles. */
const BACKGROUND = { dark: '#0d0f13', light: '#f4f5f7' };

/** Makes the app's window and loads its page. */
export function createWindow(preload: string, stateFile: string): BrowserWindow {
  const state = readWindowState(stateFile);
  const window = new BrowserWindow({
    ...(state?.bounds ?? { width: 1440, height: 900 }),
    minWidth: 800,
    minHeight: 500,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  confine(window);
  offerTeamServers(window);
  offerReload(window);
  keepWindowState(window, stateFile);
  window.once('ready-to-show', () => {
    if (state?.maximized) window.maximize();
    window.show();
  });
  void window.loadURL(PAGE);
  return window;
}

/** Keeps the window on the app's page: no other address, no embedded page. */
function confine({ webContents }: BrowserWindow): void {
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  webContents.on('will-redirect', (event) => event.preventDefault());
  webContents.on('will-navigate', (event, address) => {
    if (!isOurs(address)) event.preventDefault();
  });
}

/** No second window is opened; a trace on a team server is shown in the browser, if the user agrees to go there. */
function offerTeamServers(window: BrowserWindow): void {
  window.webContents.setWindowOpenHandler(({ url }) => {
    const origin = teamServerOf(url);
    if (origin !== null) {
      const question = {
        type: 'question' as const,
        message: `Open ${origin} in the browser?`,
        detail: 'The link names this server as one that has its trace. It learns that you opened the link.',
        buttons: ['Open', 'Cancel'],
        defaultId: 1,
        cancelId: 1,
      };
      void dialog.showMessageBox(window, question).then(({ response }) => {
        if (response === 0) void shell.openExternal(url);
      });
    }
    return { action: 'deny' };
  });
}

/** Lets the user bring back a page that has crashed. */
function offerReload(window: BrowserWindow): void {
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const question = {
      type: 'error' as const,
      message: 'The page of Outrank has ended unexpectedly.',
      detail: `Reason: ${reason}. Loading it again opens the trace where you were.`,
      buttons: ['Load again', 'Quit'],
    };
    void dialog.showMessageBox(window, question).then(({ response }) => {
      if (response === 0) window.reload();
      else app.quit();
    });
  });
}

/** Denies pages every permission but that of copying text when the user asks for it. */
export function denyPermissions(session: Session): void {
  const granted = new Set(['clipboard-sanitized-write']);
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(granted.has(permission)));
  session.setPermissionCheckHandler((_contents, permission) => granted.has(permission));
  session.setDevicePermissionHandler(() => false);
}

/** Whether a message comes from the app's page itself, not from a frame in it or from any other page. */
export function isFromPage(event: {
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
}): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && isOurs(frame.url);
}

function isOurs(address: string): boolean {
  return address.startsWith(`${ORIGIN}/`);
}
