/**
 * Keeps the page's files, so that it works without a network, and gives each the page's policy: workers have no other way to it.
 * The build puts `VERSION`, `FILES` and `POLICY` before this text.
 */
/* global VERSION, FILES, POLICY, self, caches, fetch, Response, Headers */
const CACHE = `outrank-${VERSION}`;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const old = caches
    .keys()
    .then((names) =>
      Promise.all(
        names
          .filter((name) => name.startsWith('outrank-') && name !== CACHE)
          .map((name) => caches.delete(name)),
      ),
    );
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  const response = kept ?? (await fetch(request));
  const headers = new Headers(response.headers);
  headers.set('content-security-policy', POLICY);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
