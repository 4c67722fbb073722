import type { HttpReply, HttpRequest } from './message.ts'

const LOCAL = /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/
const HOST = /^[\w.:[\]-]+$/

/**
 * A file for the video software's own machine, which waits until the server is there and shows the overlay page. `page` has a
 * place for the address; the query that the file was asked for with goes along.
 */
export function overlayFile(
  page: string,
  key: string,
  request: Pick<HttpRequest, 'query' | 'header'>,
  publicUrl: string,
): HttpReply {
  const { query } = request
  const host = request.header('host')
  // a server that was not told its public address says `localhost`
  const origin = LOCAL.test(publicUrl) && HOST.test(host) ? `http://${host}` : publicUrl
  const address = `${origin}/overlay/${key}${query && `?${new URLSearchParams(query)}`}`
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
