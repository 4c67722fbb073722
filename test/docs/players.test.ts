import { execFile } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startProduction } from '../resources/support.ts'
import { commandsOf, functions } from '../support/guides.ts'
import { obsDouble } from '../support/obs.ts'
import { root } from '../support/root.ts'

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

/** The HTTP API of vMix, as far as it is asked: what it was told. */
async function vmix() {
  const told: Record<string, string>[] = []
  const server = createHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://vmix')
    const asked = Object.fromEntries(searchParams)
    const isKnown = pathname.toLowerCase() === '/api/' && asked.Function !== undefined && asked.Input === 'Tally'
    if (isKnown) told.push(asked)
    response.writeHead(isKnown ? 200 : 500).end(isKnown ? 'Function completed successfully.' : 'Function not found.')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { told, port: portOf(server) }
}

/** AMCP of CasparCG: lines that end with CR LF, each answered by its code. */
async function caspar() {
  const lines: string[] = []
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        lines.push(line)
        const [, command] = /^(PLAY|CLEAR) \d+-\d+( |$)/.exec(line) ?? []
        socket.write(command ? `202 ${command} OK\r\n` : '400 ERROR\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { lines, port: portOf(server) }
}

test('[issue 20.8] vMix and CasparCG are told to load the overlay as the guide types it', async () => {
  const production = await startProduction()
  onTestFinished(() => production.close())
  const { server, apiKey, overlay } = production
  const [mixer, player] = await Promise.all([vmix(), caspar()])
  const commands = [functions(), commandsOf('docs/operate.md', 'vMix and CasparCG by command')]
    .join('\n')
    .replaceAll('localhost:8080', new URL(server.origin).host)
    .replaceAll('vmix.local:8088', `127.0.0.1:${mixer.port}`)
    .replaceAll('caspar.local/5250', `127.0.0.1/${player.port}`)
  const { stdout } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', commands], {
    cwd: root,
    env: { KEY: apiKey, PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
  const page = `${server.origin}/overlay/${overlay.key}`
  expect(mixer.told).toEqual([
    { Function: 'BrowserNavigate', Input: 'Tally', Value: `${page}?renderer=vmix` },
    { Function: 'OverlayInput1In', Input: 'Tally' },
  ])
  expect(player.lines).toEqual([`PLAY 1-20 [HTML] "${page}?renderer=caspar"`, 'CLEAR 1-20'])
  expect(stdout).toContain('202 PLAY OK')
  // the address is the overlay's page
  expect((await fetch(`${page}?renderer=caspar`)).status).toBe(200)
})

test('[issue 20.8] OBS is told to refresh its sources as the guide types it', async () => {
  const production = await startProduction('empty', undefined, { OUTBOUND_PRIVATE: 'on' })
  onTestFinished(() => production.close())
  const { server, apiKey, overlay } = production
  const inputSettings = { url: `${server.origin}/overlay/${overlay.key}` }
  const obs = await obsDouble({
    password: 'from Show Connect Info',
    inputs: [{ inputName: 'Tally', inputKind: 'browser_source', inputSettings }],
  })
  onTestFinished(obs.close)
  const commands = [functions(), commandsOf('docs/operate.md', 'A new theme version in OBS')]
    .join('\n')
    .replaceAll('localhost:8080', new URL(server.origin).host)
    .replaceAll('192.168.1.20:4455', new URL(obs.url).host)
  const { stdout } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', commands], {
    cwd: root,
    env: { KEY: apiKey, PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
  expect(stdout).toContain('obsPasswordSet')
  expect(stdout).not.toContain('from Show Connect Info')
  await vi.waitFor(() => expect(obs.refreshed()).toEqual(['Tally']), 5_000)
})
