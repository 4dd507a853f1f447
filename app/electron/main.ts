import { basename, extname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { app, dialog, ipcMain, MessageChannelMain, session } from 'electron';
import { isLink, LINK_SCHEME, LONGEST_LINK, readLakeAddress } from '../../shared/link/index.ts';
import { allowExports } from '../host/allow-exports.ts';
import { createHost } from '../host/create-host.ts';
import { cacheDir, locate, pathOf } from '../host/locate.ts';
import { engineBytes } from '../host/overview.ts';
import { nodeModels } from '../models/node-models.ts';
import { remoteLakes } from '../host/remote/lakes.ts';
import { messagePort } from '../../shared/border/index.ts';
import { serveHost } from '../host/serve-host.ts';
import { TracePlaces } from '../host/trace-places.ts';
import { CHANNELS, STARTED } from './channels.ts';
import { installMenu } from './menu.ts';
import { declareScheme, serveScheme } from './scheme.ts';
import { startEngineProcess } from './start-engine.ts';
import { createWindow, denyPermissions, isFromPage } from './window.ts';

/** How long a page that is gone keeps its traces: a reload takes less. */
const LINGER_MS = 5_000;

/** How long the host may take to end before the app quits without it. */
const QUIT_LIMIT_MS = 3_000;

const TRACE_FILES = [
  { name: 'Traces', extensions: ['etl', 'zip', 'gz', 'diagsession', 'cab', 'pftrace', 'outrank'] },
  { name: 'All files', extensions: ['*'] },
];

/** What the page may have the user save. */
const NEW_FILES = {
  '.pftrace': { name: 'Perfetto traces', extensions: ['pftrace'] },
  '.outrank': { name: 'Bundles of a trace and a place in it', extensions: ['outrank'] },
};

/** What one start of the app tells another that runs already. */
interface Start {
  /** What to open: a trace or a bundle, as an absolute path, a link, or the address of a lake. */
  readonly path: string | null;
}

function readArguments(): Start {
  const named = process.argv.slice(1).filter((argument) => !argument.startsWith('-'));
  // Unpackaged, the first is the app itself.
  const path = named[process.defaultApp ? 1 : 0];
  if (path === undefined) return { path: null };
  return {
    path:
      isLink(path) || readLakeAddress(path) !== null ? path.slice(0, LONGEST_LINK) : resolve(pathOf(path)),
  };
}

/** The app: one window, one host. */
function run(initialPath: string | null): void {
  const places = locate(resolve(__dirname, '..', '..'));
  const workerPath = join(places.dist, 'engine-worker.cjs');
  const wasmPath = join(places.engine, 'trace_processor.wasm');
  const startEngine = () => Promise.resolve(startEngineProcess(workerPath, wasmPath));
  const host = createHost({
    cacheDir: cacheDir(),
    converterPath: places.converter,
    symbolizerPath: places.symbolizer,
    engineBytes: engineBytes(process.env.OUTRANK_ENGINE_BYTES),
    startEngine,
    models: nodeModels(join(places.dist, 'models-worker.cjs'), join(places.engine, 'trace_processor.wasm')),
    measuresBehind: true,
  });
  const lakes = remoteLakes(new TracePlaces());
  serveScheme(places.ui);
  denyPermissions(session.defaultSession);
  const window = createWindow(join(__dirname, 'preload.cjs'), join(app.getPath('userData'), 'window.json'));
  window.once('show', () => process.send?.(STARTED));

  /** The page may write no others. */
  const chosenFiles = new Set<string>();
  // Until the page has asked for its first trace, it hears of no other.
  let first = initialPath;
  let pageListens = false;

  /** Brings the window to the front, with a trace or a link if one is given. */
  function openTrace(path: string | null): void {
    if (window.isDestroyed()) return;
    if (pageListens && path !== null) window.webContents.send(CHANNELS.openRequest, path);
    else first = path ?? first;
    if (window.isMinimized()) window.restore();
    window.focus();
  }

  async function chooseTrace(): Promise<string | null> {
    const { filePaths } = await dialog.showOpenDialog(window, {
      properties: ['openFile'],
      filters: TRACE_FILES,
    });
    return filePaths[0] ?? null;
  }

  async function chooseNewFile(name: unknown): Promise<string | null> {
    const { canceled, filePath } = await dialog.showSaveDialog(window, {
      defaultPath: basename(String(name)),
      filters: [extname(String(name)) === '.outrank' ? NEW_FILES['.outrank'] : NEW_FILES['.pftrace']],
    });
    if (canceled) return null;
    chosenFiles.add(filePath);
    return filePath;
  }

  ipcMain.on(CHANNELS.connect, (event) => {
    if (!isFromPage(event)) return;
    const { port1, port2 } = new MessageChannelMain();
    serveHost(allowExports({ ...host, lakes }, chosenFiles), messagePort(port1), { lingerMs: LINGER_MS });
    event.sender.postMessage(CHANNELS.port, null, [port2]);
  });
  ipcMain.handle(CHANNELS.initialPath, (event) => {
    if (!isFromPage(event)) return null;
    const path = first;
    // A page that is loaded again knows by its address what it showed.
    first = null;
    pageListens = true;
    return path;
  });
  ipcMain.handle(CHANNELS.openDialog, (event) => (isFromPage(event) ? chooseTrace() : null));

  ipcMain.handle(CHANNELS.saveDialog, (event, name: unknown) =>
    isFromPage(event) ? chooseNewFile(name) : null,
  );

  app.on('second-instance', (_event, _arguments, _folder, data) => openTrace((data as Start).path));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    openTrace(path);
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    openTrace(link.slice(0, LONGEST_LINK));
  });
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    // With the page gone its running calls are aborted: they remove what they have half made.
    event.preventDefault();
    void Promise.race([host.end(), setTimeout(QUIT_LIMIT_MS)]).finally(() => app.exit());
  });

  installMenu(
    { open: () => void chooseTrace().then((path) => path !== null && openTrace(path)) },
    { developer: !app.isPackaged },
  );
}

declareScheme();
const start = readArguments();
if (app.requestSingleInstanceLock(start)) {
  let path = start.path;
  // macOS names the file or link by these events, before the app is ready.
  app.once('will-finish-launching', () => {
    app.once('open-file', (_event, opened) => (path = opened));
    app.once('open-url', (_event, link) => (path = link.slice(0, LONGEST_LINK)));
  });
  // From a checkout it is `outrank link register` that asks the system for links.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  void app.whenReady().then(() => run(path));
} else {
  app.quit();
}
