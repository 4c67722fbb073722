import { z } from 'zod'
import { ApiError, type FieldErrors } from '../errors.ts'
import { fieldPath, readJson } from '../http/json.ts'
import { type Feed, type FeedKind, FeedPage, feedLists } from '../resources/providers/feed.schema.ts'
import type { Outbound } from '../store/outbound.ts'
import { type Page, type ProviderConnector, type Source, SyncError } from './connector.ts'
import { type Patience, patiently } from './patience.ts'
import { yieldOften } from './yield.ts'

export type FeedLimits = {
  /** Of one page, unpacked. */
  pageBytes: number
  pages: number
  /** Of all pages together, unpacked. */
  feedBytes: number
  /** For one page, each time it is tried. */
  pageMs: number
}

const LIMITS: FeedLimits = { pageBytes: 8_388_608, pages: 100, feedBytes: 67_108_864, pageMs: 20_000 }
const KINDS = Object.keys(feedLists) as FeedKind[]

/** Pulls the JSON feed that `GET /v2/schemas/providers/custom` describes. */
export function customConnector(outbound: Outbound, patience?: Patience, limits = LIMITS): ProviderConnector {
  const get = patiently(outbound, patience)

  const page = async (url: string, { token }: Source, known: Page | undefined, signal?: AbortSignal): Promise<Page> => {
    const answer = await get({
      url,
      headers: {
        accept: 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(known?.etag && { 'if-none-match': known.etag }),
        ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
      },
      maxBytes: limits.pageBytes,
      timeoutMs: limits.pageMs,
      accept: ['application/json'],
      ...(signal && { signal }),
    })
    if (answer.status === 200)
      return {
        url,
        etag: answer.headers.get('etag') ?? null,
        lastModified: answer.headers.get('last-modified') ?? null,
        body: answer.body,
      }
    if (!known) throw new SyncError('the provider answered 304 to a request without a condition')
    return known
  }

  return {
    name: 'custom',
    async fetch(source, known, signal) {
      const pages: Page[] = []
      let bytes = 0
      for (let url: string | undefined = source.url; url !== undefined; ) {
        const here: string = url
        if (pages.length === limits.pages) throw new SyncError(`the feed has more than ${limits.pages} pages`)
        if (pages.some((other) => other.url === here))
          throw new SyncError(`page ${pages.length + 1} of the feed repeats an earlier one`)
        const fetched = await page(
          here,
          source,
          known.find((one) => one.url === here),
          signal,
        )
        bytes += fetched.body.length
        if (bytes > limits.feedBytes) throw new SyncError(`the feed has more than ${limits.feedBytes} bytes`)
        pages.push(fetched)
        url = nextUrl(here, envelope(fetched.body, pages.length).next, pages.length)
      }
      return pages
    },
    async read(pages) {
      const feed: Feed = { competitions: [], venues: [], players: [], teams: [], officials: [], matches: [] }
      const details: string[] = []
      for (const [index, { body }] of pages.entries()) await readPage(body, index + 1, feed, details)
      if (details.length > 0) throw refused(details)
      return feed
    },
  }
}

const refused = (details: readonly string[]) =>
  new SyncError('the feed was refused: nothing of it was taken', { details })

const Envelope = FeedPage.extend(
  Object.fromEntries(KINDS.map((kind) => [kind, z.array(z.unknown()).max(50_000).default([])])) as Record<
    FeedKind,
    z.ZodDefault<z.ZodArray<z.ZodUnknown>>
  >,
)

/** The page with its records unchecked. */
function envelope(body: Buffer, number: number): z.output<typeof Envelope> {
  const broken: FieldErrors = {}
  let value: unknown
  try {
    value = readJson(body, broken)
  } catch (error) {
    if (error instanceof ApiError) throw refused([line(number, '', error.message)])
    throw error
  }
  const unstorable = Object.entries(broken).map(([path, { message }]) =>
    line(number, path.replace(/^body\.?/, ''), message),
  )
  if (unstorable.length > 0) throw refused(unstorable)
  const parsed = Envelope.safeParse(value)
  if (parsed.success) return parsed.data
  throw refused(parsed.error.issues.map(({ path, message }) => line(number, pathOf(path), message)))
}

/** Checks the records of a page one by one and adds them to the feed. */
async function readPage(body: Buffer, number: number, feed: Feed, details: string[]): Promise<void> {
  const given = envelope(body, number)
  const pause = yieldOften()
  for (const kind of KINDS)
    for (const [index, item] of given[kind].entries()) {
      await pause()
      const parsed = feedLists[kind].safeParse(item)
      if (parsed.success) add(feed, kind, parsed.data)
      else
        for (const { path, message } of parsed.error.issues)
          if (details.length < 50) details.push(line(number, pathOf([kind, index, ...path]), message))
    }
}

// the schema that checked a record is the one of its kind
const add = (feed: Feed, kind: FeedKind, record: unknown) => (feed[kind] as unknown[]).push(record)

const pathOf = (path: readonly PropertyKey[]) => fieldPath('', path).replace(/^\./, '')

const line = (number: number, path: string, message: string) =>
  [...(number > 1 ? [`page ${number}`] : []), ...(path === '' ? [] : [path]), message].join(': ')

function nextUrl(here: string, next: string | undefined, number: number): string | undefined {
  if (next === undefined) return undefined
  // the token goes with the request, so it stays with the origin it was made for
  if (!URL.canParse(next, here) || new URL(next, here).origin !== new URL(here).origin)
    throw refused([line(number, 'next', 'must be a URL on the same origin')])
  return new URL(next, here).href
}
