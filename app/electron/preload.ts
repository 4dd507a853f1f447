import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { OutrankBridge } from '../ui/door-electron.ts';
import { CHANNELS } from './channels.ts';

/** Before Electron 32 a dropped file told its path itself. */
type FileWithPath = File & { readonly path?: string };

const bridge: OutrankBridge = {
  connect: () => ipcRenderer.send(CHANNELS.connect),
  initialPath: () => ipcRenderer.invoke(CHANNELS.initialPath) as Promise<string | null>,
  openDialog: () => ipcRenderer.invoke(CHANNELS.openDialog) as Promise<string | null>,
  saveDialog: (name) => ipcRenderer.invoke(CHANNELS.saveDialog, name) as Promise<string | null>,
  pathOfFile: (file: FileWithPath) => file.path ?? webUtils.getPathForFile(file),
  onOpenRequest: (listener) => {
    ipcRenderer.on(CHANNELS.openRequest, (_event, path: string) => listener(path));
  },
};

// A port cannot cross the context bridge, but a window message carries it.
ipcRenderer.on(CHANNELS.port, (event) => {
  window.postMessage({ outrank: 'port' }, location.origin, [...event.ports]);
});

contextBridge.exposeInMainWorld('outrank', bridge);
