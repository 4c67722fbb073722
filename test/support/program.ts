import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { openGuardedProxy } from '../../src/media/guarded-proxy.ts'
import type { ProgramEvent, ProgramSpec } from '../../src/media/ports.ts'
import { openProcesses } from '../../src/media/process.ts'
import { programs } from '../../src/media/program.ts'
import { shellPath } from './browsers.ts'
import { temporaryDirectory } from './directory.ts'
import { type LiveSource, liveSource, noFfmpeg } from './media.ts'
import { videoSink } from './video-sink.ts'

const quiet = { debug: () => {}, info: () => {}, warn: () => {} }
export const within = { timeout: 60_000, interval: 20 }

/** Why tests with burned-in graphics cannot run here; undefined when they can. */
export const noBurnIn = noFfmpeg ?? (shellPath ? undefined : 'no headless browser is installed')

/** The left half of the page is in the colour told last, nothing at first; at `/other` the right half is. */
const html = (left: string) => `<!doctype html><body style="margin:0">
<div id="block" style="position:absolute;left:${left};top:0;width:50%;height:100%"></div>
<script>
  const at = (share) => 'translateX(' + share * 10 + '%)'
  new EventSource('/orders').onmessage = ({ data }) => {
    if (data === 'hang') for (;;);
    if (data.startsWith('http')) return void fetch(data, { mode: 'no-cors', method: 'POST', body: '1' }).catch(() => {})
    if (data.startsWith('picture')) return void (new Image().src = data.slice(8))
    if (data === 'leave') return location.assign('http://127.0.0.1:1/')
    if (!data.startsWith('move')) return (block.style.background = data)
    // moves at every frame of the browser, and is green only from the last on
    const since = performance.now()
    const move = () => {
      const share = Math.min((performance.now() - since) / 600, 1)
      block.style.transform = at(share)
      block.style.background = share === 1 ? 'rgb(0,128,0)' : 'rgb(200,30,60)'
      if (share < 1) requestAnimationFrame(move)
    }
    move()
  }
</script>`

/** A page for tests that does what it is told. */
export async function obedientPage() {
  const open = new Set<ServerResponse>()
  const asked: string[] = []
  let last = 'transparent'
  /** How often the page has been opened and took orders. */
  const openings = () => asked.filter((url) => url === '/orders').length
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (url === '/orders') {
      open.add(response.writeHead(200, { 'content-type': 'text/event-stream' }))
      response.write(`data: ${last}\n\n`)
    } else if (url === '/' || url === '/other') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(url === '/' ? '0' : '50%'))
    } else response.writeHead(404, { 'content-type': 'text/html' }).end('<body style="background:red">')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    openings,
    /** Resolves when the page has been opened so often and takes orders. */
    opened: (times: number) => vi.waitFor(() => expect(openings()).toBeGreaterThanOrEqual(times), within),
    show(order: string) {
      if (order !== 'hang' && order !== 'leave') last = order
      for (const response of open) response.write(`data: ${order}\n\n`)
    },
  }
}

/** A program of a live source, as it is after its start; `permits` says which addresses its page may load from. */
export async function startedProgram(
  more: Partial<ProgramSpec> = {},
  source?: LiveSource,
  permits: (address: string) => boolean = () => false,
) {
  const { width, height } = { width: 640, height: 360, ...more }
  const [page, sink] = [await obedientPage(), await videoSink({ width, height })]
  const folder = temporaryDirectory()
  const processes = await openProcesses(folder, quiet)
  onTestFinished(() => processes.close())
  const spec: ProgramSpec = {
    ...{ streamId: 7, run: 1, hidden: false, fps: 25, videoBitrateKb: 800, inputVolume: 100 },
    ...{ readUrl: more.readUrl ?? (source ?? (await liveSource())).url, publishUrl: sink.url, pageUrl: page.url },
    ...{ width, height, ...more },
  }
  const events: ProgramEvent[] = []
  const start = programs(processes, async () => ({
    ...{ ffmpeg: 'ffmpeg', browser: shellPath ?? '', sandbox: true, pidFolder: folder },
    proxyUrl: await openGuardedProxy(permits),
    direct: [new URL(spec.pageUrl).host],
  }))
  const program = start(spec, (event) => events.push(event))
  const pids = (): Record<string, number> =>
    Object.fromEntries(
      readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name): { name: string; pid: number } => JSON.parse(readFileSync(join(folder, name), 'utf8')))
        .map(({ name, pid }) => [name, pid]),
    )
  onTestFinished(() => program.stop())
  // nothing is told before it returned
  expect(events).toEqual([])
  return {
    program,
    page,
    sink,
    events,
    /** What runs for it, by its name: `browser-7`, `encoder-7`, `program-7`; each is there a moment after its start. */
    pids,
    /** Resolves with the process of a name. */
    pidOf: (name: string) =>
      vi.waitFor(() => {
        const pid = pids()[name]
        if (!pid) throw new Error(`${name} does not run`)
        return pid
      }, within),
    /** Resolves when its picture is seen. */
    up: async () => {
      await vi.waitFor(() => expect(events).toContainEqual({ type: 'up' }), within)
      await vi.waitFor(() => expect(sink.frames()).toBeGreaterThan(0), within)
    },
  }
}
