/**
 * Opens the desk of a match without a line: the page as it was last, and the files that it is made of. What the page asks for below
 * `/rest` is not of the worker; presses are kept by the page itself. show-control: Match desk
 */
const CACHE = 'match-desk'
/** Longer than a good line needs, and shorter than somebody at a pitch waits. */
const PATIENCE_MS = 2_500

type Extendable = Event & { waitUntil(work: Promise<unknown>): void }
type Fetching = Extendable & { request: Request; respondWith(answer: Promise<Response>): void }

const scope = self as unknown as {
  location: Location
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', hear: (event: Extendable) => void): void
  addEventListener(type: 'fetch', hear: (event: Fetching) => void): void
}

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== scope.location.origin) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (pathname.includes('/assets/')) event.respondWith(asset(request))
})

/** The newest page; the one that was kept while there is no line, or one that is too slow. */
async function page(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request, { ignoreSearch: true })
  const asked = fetch(request).then(async (answer) => {
    if (answer.ok) await cache.put(request.url.split('?')[0] ?? request.url, answer.clone())
    return answer
  })
  if (!kept) return asked
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE_MS))
  // an address that is closed opens the kept page, too: what it still has to send must not be shut away
  return Promise.race([asked.then((answer) => (answer.ok ? answer : kept)).catch(() => kept), late])
}

/** Files with a hash in their name never change. */
async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request.url)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request.url, answer.clone())
  return answer
}
