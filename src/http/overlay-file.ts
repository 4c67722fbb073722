import type { HttpReply } from './message.ts'

/**
 * A file for the video software's own machine, which waits until the server is there and shows the overlay page. `page` has a
 * place for the address; the query that the file was asked for with goes along.
 */
export function overlayFile(page: string, overlayUrl: string, query: string): HttpReply {
  const address = overlayUrl + (query && `?${new URLSearchParams(query)}`)
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Disposition': 'attachment; filename="tally-overlay.html"',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': 'sandbox',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    },
    body: page.replace('%ADDRESS%', () => address),
  }
}
