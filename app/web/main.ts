import { startPage } from '../ui/start-page.tsx';
import { openWebDoor } from './door-web.ts';

// Where there is no service worker, as without HTTPS, the page works all the same while its server is reached.
if ('serviceWorker' in navigator)
  navigator.serviceWorker.register('./service-worker.js').catch(() => undefined);

await startPage(() => Promise.resolve(openWebDoor()));
