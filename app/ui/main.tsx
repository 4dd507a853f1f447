import { connectHost } from '../host/connect-host.ts';
import { messagePort, webSocketPort } from '../../shared/border/index.ts';
import { openBrowserDoor } from './door-browser.ts';
import { openElectronDoor } from './door-electron.ts';
import { startPage } from './start-page.tsx';

await startPage(() =>
  window.outrank === undefined
    ? openBrowserDoor((socket) => connectHost(webSocketPort(socket)))
    : openElectronDoor(window.outrank, (port) => connectHost(messagePort(port))),
);
