/** Everything that the page's address can say. */
export type Params = {
  socketUrl: string
  preloadUrl: string
  timeUrl: string
  renderer: string
  /** Box in which the stage is fitted; left out, the viewport. */
  width: number | undefined
  height: number | undefined
  /** Left out, the largest that fits. */
  scale: number | undefined
  /** How long the picture stays without the server, ms; left out, for ever. */
  holdMs: number | undefined
  debug: boolean
  background: string
  /** Lower-case names or ids of the graphics that this page shows; undefined shows all. */
  layers: ReadonlySet<string> | undefined
  /** Which picture this page shows: what is on air, or what will be after the take. */
  bus: 'program' | 'preview'
}

const positive = (text: string | null) => {
  const value = Number(text)
  return text && Number.isFinite(value) && value > 0 ? value : undefined
}

const randomId = () =>
  // randomUUID needs a secure context, and a browser source usually has none
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Reads the address once; the renderer id lives as long as the page, through every reconnect. */
export function readParams({ origin, pathname, search }: Location): Params {
  const query = new URLSearchParams(search)
  const holdSeconds = positive(query.get('hold'))
  const base = origin + pathname.replace(/\/+$/, '')
  const name = query
    .get('renderer')
    ?.replace(/[^\w.-]/g, '')
    .slice(0, 40)
  const renderer = name ? `${name}-${randomId().slice(0, 6)}` : randomId()
  const layers = query
    .get('layers')
    ?.toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter(Boolean)
  // so that nobody waits for graphics that this page will never paint
  const shown = layers?.length ? `&layers=${encodeURIComponent(layers.join())}` : ''
  const bus = query.get('bus')?.toLowerCase() === 'preview' ? 'preview' : 'program'
  const chosen = bus === 'preview' ? '&bus=preview' : ''
  return {
    socketUrl: `${base.replace(/^http/, 'ws')}/socket?heartbeat=2&caughtUp=1&problems=1&answers=1&renderer=${renderer}${shown}${chosen}`,
    preloadUrl: `${base}/preload`,
    timeUrl: `${origin}/time`,
    renderer,
    width: positive(query.get('width')),
    height: positive(query.get('height')),
    scale: positive(query.get('scale')),
    holdMs: holdSeconds && holdSeconds * 1_000,
    debug: query.has('debug'),
    background: query.get('bg') ?? '',
    layers: layers?.length ? new Set(layers) : undefined,
    bus,
  }
}
