/**
 * Keeps the page's files, so that it works without a network, and gives each the page's policy: workers have no other way to it.
 * The build puts `VERSION`, `FILES`, `POLICY` and `FETCHER`, the script that fetches a file from elsewhere, before this text.
 */
/* global VERSION, FILES, POLICY, FETCHER, self, caches, fetch, Response, Headers */
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

/** An address without anything that ends a source or a part of a policy, and without wildcards. */
const SOURCE = /^https?:\/\/[\w.:[\]-]+\/[\w.~%!$&()+=@:/-]*[^/]$/;

/** The policy of the page; of the script that fetches a file, it connects to that file alone. */
function policyOf({ pathname, searchParams }) {
  if (!pathname.endsWith(`/${FETCHER}`)) return POLICY;
  const source = searchParams.get('connect') ?? '';
  const connect = SOURCE.test(source) ? source : "'none'";
  return POLICY.replace(/connect-src [^;]+/, `connect-src ${connect}`);
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  const response = kept ?? (await fetch(request));
  const headers = new Headers(response.headers);
  headers.set('content-security-policy', policyOf(new URL(request.url)));
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
