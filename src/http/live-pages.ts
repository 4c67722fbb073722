import type { HttpReply, Page } from './message.ts'

type MaybePromise<T> = T | Promise<T>

/** Pull destinations as they are fetched over HLS. Undefined: there is no such thing. */
export interface LiveFiles {
  index(token: string): MaybePromise<string | undefined>
  /** `client` is the address of the player, as far as it is known. */
  playlist(token: string, client: string): Promise<string | undefined>
  segment(token: string, file: string): Promise<Buffer | undefined>
}

// any page may play it: everybody with the token may watch
const open = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' }
const PLAYLIST_HEADERS = { ...open, 'Content-Type': 'application/vnd.apple.mpegurl', 'Cache-Control': 'no-store' }
// a segment never changes, and is off the playlist after some seconds
const SEGMENT_HEADERS = { ...open, 'Content-Type': 'video/mp2t', 'Cache-Control': 'public, max-age=60, immutable' }

const notFound: HttpReply = {
  status: 404,
  headers: { ...open, 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: '{"message":"Not Found"}',
}

/** `/live/{token}/index.m3u8` is what people give their player; the playlist and the segments are beside it. */
export function livePages(live: LiveFiles): Page[] {
  const playlist = (text: string | undefined): HttpReply =>
    text === undefined ? notFound : { status: 200, headers: PLAYLIST_HEADERS, body: text }
  return [
    { path: '/live/{token}/index.m3u8', handle: async (_request, { token = '' }) => playlist(await live.index(token)) },
    {
      path: '/live/{token}/media.m3u8',
      async handle(request, { token = '' }) {
        const client = new URLSearchParams(request.query).get('sid') ?? request.remoteAddress
        return playlist(await live.playlist(token, client))
      },
    },
    {
      path: '/live/{token}/{file}',
      async handle(_request, { token = '', file = '' }) {
        const body = await live.segment(token, file)
        return body ? { status: 200, headers: SEGMENT_HEADERS, body } : notFound
      },
    },
  ]
}
