import { address } from './address.ts'

const CACHE = 'match-desk'

/**
 * Makes the page an app that opens without a line: its manifest, its worker, and all that was loaded so far in the cache of that. On an
 * address that is not secure browsers offer none of it; the page works, but has to stay open.
 */
export async function install(): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = `${address}/manifest.webmanifest`
  document.head.append(link)
  if (!('serviceWorker' in navigator) || !('caches' in window)) return
  await navigator.serviceWorker.register(new URL('worker.js', location.href), { updateViaCache: 'none' })
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => new URL(name).pathname.includes('/assets/'))
  const cache = await caches.open(CACHE)
  const held = new Set((await cache.keys()).map(({ url }) => url))
  const page = `${location.origin}${address}`
  await Promise.all(
    [page, ...loaded.filter((url) => !held.has(url))].map((url) => cache.add(url).catch(() => undefined)),
  )
  await forgetOld(cache)
}

/** Files of pages of before that nobody opens any more. */
async function forgetOld(cache: Cache): Promise<void> {
  const files = (await cache.keys()).filter(({ url }) => url.includes('/assets/'))
  const MOST = 60
  await Promise.all(files.slice(0, Math.max(0, files.length - MOST)).map((request) => cache.delete(request)))
}
