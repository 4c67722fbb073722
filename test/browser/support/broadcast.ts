import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { WebSocket, WebSocketServer } from 'ws'
import { pages } from '../../../src/http/pages.ts'
import { framedDocument } from '../../../src/resources/code-graphics/framed-document.ts'

type Graphic = {
  graphicId: string
  url: string
  values: Record<string, unknown>
  loadSeq: number
  seq: number
  step?: number
}
type Report = { graphicId: string; seq: number; at: number }
type Problems = { graphicId: string; graphicName: string; message: string }[]
type Showing = { graphicId: string; seq: number }[]

const HELLO = JSON.stringify({ type: 'HELLO', payload: { width: 1920, height: 1080 } })

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  mjs: 'text/javascript',
  css: 'text/css',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
}

/**
 * The server as the overlay page meets it, by the contract alone: pages, bundles and the socket protocol, with the state
 * of one overlay in memory. The double of everything outside the page.
 */
export class Broadcast {
  readonly key = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  /** HTML of test bundles by name; a name of a demo graphic serves its built folder. */
  readonly bundles = new Map<string, string>()
  /** Files of motion graphics by path below `/bundles/`. */
  readonly files = new Map<string, Uint8Array | string>()
  readonly reports: Report[] = []
  /** What the page said that has played to its end. */
  readonly played: Showing = []
  readonly readies: { renderer: string | null; showing: Showing }[] = []
  /** Each time that the page said what is wrong. */
  readonly tellings: Problems[] = []
  /** By what the page said last. */
  outOfView = false
  /** False: as a server that knows nothing of that. */
  takesProblems = true
  /** Paths of bundles that were asked for. */
  readonly asked: string[] = []
  /** Heartbeats sent so far. */
  beats = 0
  readonly sockets = new Set<WebSocket>()
  preload: { graphicId: string; url: string }[] = []
  heartbeats = true
  /** By when the answer to READY has come its way, in one piece. */
  answersAfter: Promise<unknown> | undefined
  exists = true
  /** So many times the overlay page breaks off in its middle. */
  cuts = 0
  #data: unknown = {}
  #seq = 0
  #graphics = new Map<string, Graphic>()
  #server: Server | undefined
  #port = 0
  readonly #pages = pages({
    urlFor: () => this.origin,
    overlayExists: (key) => this.exists && key === this.key,
    monitorExists: (token) => token === 'monitor-token',
    controlExists: (token) => token === 'control-token',
    deskExists: () => false,
    previewExists: () => false,
    replayExists: () => false,
    preload: (_by, key) => (this.exists && key === this.key ? this.preload : undefined),
  })

  /** What is wrong by what the page said last. */
  get problems(): Problems {
    return this.tellings.at(-1) ?? []
  }

  get origin() {
    return `http://127.0.0.1:${this.#port}`
  }

  page(query = '') {
    return `${this.origin}/overlay/${this.key}${query}`
  }

  set data(data: unknown) {
    this.#data = data
  }

  get seq() {
    return this.#seq
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response))
    const upgrades = new WebSocketServer({ noServer: true })
    server.on('upgrade', (request, socket, head) => {
      if (!this.exists || !request.url?.startsWith(`/overlay/${this.key}/socket`)) {
        socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
        return
      }
      upgrades.handleUpgrade(request, socket, head, (webSocket) => this.#open(webSocket, request.url ?? ''))
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
  }

  /** Drops everything, as a process that dies. `start` comes back on the same port. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.terminate()
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  url(bundle: string) {
    const entry = ['graphic.riv', 'card.ograf.json'].find((name) => this.files.has(`${bundle}/${name}`))
    return `/bundles/${bundle}/${entry ?? 'index.html'}`
  }

  show(graphicId: string, bundle: string, values: Record<string, unknown> = {}): number {
    const seq = ++this.#seq
    const graphic = { graphicId, url: this.url(bundle), values, loadSeq: seq, seq }
    this.#graphics.set(graphicId, graphic)
    this.#send(this.#load(graphic))
    return seq
  }

  update(graphicId: string, values: Record<string, unknown>): number {
    const seq = ++this.#seq
    const graphic = this.#graphics.get(graphicId)
    if (graphic) Object.assign(graphic, { values, seq })
    const payload = { graphicId, onAir: true, sport: 'football', seq, variableValues: values }
    this.#send({ type: 'GRAPHIC_UPDATE', payload })
    return seq
  }

  /** Takes an OGraf graphic to a step, or has it do what `customAction` says. */
  step(graphicId: string, step: number, customAction?: { id: string; payload?: unknown }): number {
    const seq = ++this.#seq
    const graphic = this.#graphics.get(graphicId)
    if (graphic) Object.assign(graphic, { step, seq })
    const payload = { graphicId, onAir: true, sport: 'football', seq, step, ...(customAction && { customAction }) }
    this.#send({ type: 'GRAPHIC_UPDATE', payload })
    return seq
  }

  /** The seq of a frame that is sent as it is. */
  next(): number {
    return ++this.#seq
  }

  /** All of them with one seq, as one command. */
  hide(...graphicIds: string[]): number {
    const seq = ++this.#seq
    for (const graphicId of graphicIds) {
      this.#graphics.delete(graphicId)
      this.#send({ type: 'GRAPHIC_UPDATE', payload: { graphicId, onAir: false, sport: 'football', seq } })
    }
    return seq
  }

  hideAll(): number {
    return this.hide(...this.#graphics.keys())
  }

  /** Sends a frame as it is. */
  raw(frame: object | string) {
    this.#send(frame)
  }

  loadOf(graphicId: string, bundle: string, seq: number, values: Record<string, unknown> = {}) {
    return this.#load({ graphicId, url: this.url(bundle), values, loadSeq: seq, seq })
  }

  /** A heartbeat that is not waited for, on each socket that has said READY. */
  beat(): void {
    for (const socket of this.sockets) this.#beat(socket)
  }

  #beat(socket: WebSocket) {
    if (!this.heartbeats) return
    socket.send(HELLO)
    this.beats++
  }

  #load({ graphicId, url, values, seq, step }: Graphic) {
    const kind = url.endsWith('.riv') ? 'rive' : url.endsWith('.ograf.json') ? 'ograf' : 'code'
    const common = {
      kind,
      ...(kind === 'ograf' && { step: step ?? 0 }),
      version: 1,
      presetId: 1,
      sport: 'football',
      themeVariables: {},
      data: this.#data,
    }
    return {
      type: 'LOAD_GRAPHIC',
      payload: { graphicId, graphicName: graphicId, url, variableValues: values, seq, ...common },
    }
  }

  #send(frame: object | string) {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
    for (const socket of this.sockets) if (socket.readyState === WebSocket.OPEN) socket.send(text)
  }

  #open(socket: WebSocket, url: string) {
    const query = new URL(url, this.origin).searchParams
    const beat = setInterval(() => this.#beat(socket), 2_000)
    socket.on('close', () => {
      clearInterval(beat)
      this.sockets.delete(socket)
    })
    socket.on('message', (bytes) => {
      const { type, payload } = JSON.parse(String(bytes))
      if (type === 'PROBLEMS' && query.get('problems') === '1') {
        if (!this.sockets.has(socket)) throw new Error('the page sent PROBLEMS before READY')
        this.tellings.push(payload.problems)
        this.outOfView = payload.outOfView ?? false
        if (!this.takesProblems) socket.close(1008, 'not a message of this protocol')
        return
      }
      if (type === 'PLAYED') {
        this.played.push(payload)
        return
      }
      if (type !== 'READY') throw new Error(`the page sent ${type}`)
      if (!payload.showing) {
        this.reports.push({ ...payload, at: Date.now() })
        return
      }
      this.readies.push({ renderer: query.get('renderer'), showing: payload.showing })
      this.sockets.add(socket)
      const frames = this.#difference(payload.showing)
      const answer = () => {
        for (const frame of frames) socket.send(JSON.stringify(frame))
        if (query.get('caughtUp') === '1') socket.send(HELLO)
      }
      if (this.answersAfter) void this.answersAfter.then(answer)
      else answer()
    })
    socket.send(HELLO)
  }

  #difference(showing: Showing) {
    const shown = new Map(showing.map(({ graphicId, seq }) => [graphicId, seq]))
    const frames: object[] = []
    for (const graphic of this.#graphics.values()) {
      const { graphicId, values, loadSeq, seq } = graphic
      const has = shown.get(graphicId)
      shown.delete(graphicId)
      if (has === undefined || has < loadSeq) frames.push(this.#load(graphic))
      else if (has < seq) {
        const payload = { graphicId, onAir: true, sport: 'football', seq, variableValues: values }
        frames.push({ type: 'GRAPHIC_UPDATE', payload })
      }
    }
    for (const graphicId of shown.keys())
      frames.push({ type: 'GRAPHIC_UPDATE', payload: { graphicId, onAir: false, sport: 'football', seq: this.#seq } })
    return frames
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const [path = '/', query = ''] = (request.url ?? '/').split('?')
    const reply = this.#bundle(path, query === 'framed') ?? (await this.#page(request, path, query))
    if (path.startsWith('/overlay/') && !path.endsWith('/preload') && this.cuts-- > 0) {
      const body = Buffer.from(reply.body)
      response.writeHead(reply.status, { ...reply.headers, 'Content-Length': body.length })
      response.write(body.subarray(0, body.length / 2), () => response.destroy())
      return
    }
    response.writeHead(reply.status, reply.headers).end(reply.body)
  }

  #bundle(path: string, framed: boolean) {
    const [, folder, hash = '', ...rest] = path.split('/')
    const [name = ''] = hash.split('~')
    if (folder !== 'bundles') return undefined
    const file = rest.join('/')
    this.asked.push(`${name}/${file}`)
    const built = join(import.meta.dirname, '../../../dist/demo/theme/graphics', name, file)
    const body =
      this.files.get(`${name}/${file}`) ??
      this.bundles.get(name) ??
      (existsSync(built) ? readFileSync(built) : undefined)
    const headers = {
      'Content-Type': types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': 'sandbox allow-scripts',
    }
    if (body === undefined) return { status: 404, headers: {}, body: '' }
    return { status: 200, headers, body: framed ? framedDocument(Buffer.from(body)) : body }
  }

  async #page(request: IncomingMessage, path: string, query: string) {
    for (const { path: pattern, handle } of this.#pages) {
      const match = new RegExp(`^${pattern.replace('{file*}', '(.+)').replace(/\{\w+\}/, '([^/]+)')}$`).exec(path)
      if (!match) continue
      const name = /\{(\w+)/.exec(pattern)?.[1] ?? ''
      const asked = {
        method: 'GET',
        path,
        query,
        remoteAddress: '127.0.0.1',
        header: (header: string) => String(request.headers[header] ?? ''),
        has: (header: string) => header in request.headers,
        body: async () => undefined,
        chunks: async function* () {},
      }
      return handle(asked, { [name]: match[1] ?? '' }, 'request')
    }
    return { status: 404, headers: {}, body: '' }
  }
}

/** Waits for a condition that something else brings about. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = 30_000,
): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    const value = await condition()
    if (value !== undefined && value !== false) return value
    if (Date.now() > end) throw new Error(`${what}: not within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The report that says this seq of this graphic is on screen. */
export const painted = (broadcast: Broadcast, graphicId: string, seq: number) =>
  until(`${graphicId} painted at ${seq}`, () =>
    broadcast.reports.find((report) => report.graphicId === graphicId && report.seq >= seq),
  )
