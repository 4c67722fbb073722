// Makes the pictures of the guides anew: `node docs/pictures.mjs` after a build, with chromium and ffmpeg installed.
// It starts a demo of its own, plays a match into its second half, and looks at every page as a person would.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sharp from 'sharp'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const pictures = join(root, 'docs/pictures')
const minutes = (count) => count * 60_000

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

/** A server with a new demo; what its start printed. */
async function startDemo(home) {
  const [port, rtmp] = [await freePort(), await freePort()]
  // biome-ignore lint/style/noProcessEnv: a child process inherits it
  const env = { ...process.env, NODE_ENV: '', DATABASE_URL: '', REDIS_URL: '', SECRETS_KEY: '', RATE_LIMIT: 'off' }
  const settings = { PORT: port, HOST: '127.0.0.1', RTMP_PORT: rtmp, SRT_PORT: 0, DATA_DIR: join(home, 'data') }
  const server = spawn(process.execPath, [join(root, 'dist/src/main.js')], {
    env: { ...env, ...settings, LOG_LEVEL: 'warn', OUTBOUND_PRIVATE: 'on' },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let told = ''
  server.stderr.on('data', (text) => {
    told += text
  })
  while (!/service_\S+/.test(told)) await pause(200)
  const printed = (pattern) => pattern.exec(told)?.[1] ?? ''
  return {
    server,
    origin: `http://localhost:${port}`,
    key: printed(/(service_\S+)/),
    password: printed(/password +(\S+)/),
    overlay: printed(/overlay +(\S+)/),
    control: printed(/control room +(\S+)/),
    video: printed(/(rtmp:\S+)/),
  }
}

/** Sends a request of the API. */
const caller =
  ({ origin, key }) =>
  async (method, path, body) => {
    const answer = await fetch(`${origin}/rest${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? undefined : answer.json()
  }

/** 2–1 in the 67th minute. */
async function play(call) {
  const start = Date.now() - minutes(45 + 15 + 22) - 24_000
  const fact = (type, minute, more = {}) =>
    call('POST', '/v2/matches/1/facts', { type, timestamp: new Date(start + minutes(minute)).toISOString(), ...more })
  await fact('periodStart', 0)
  await fact('goal', 23, { teamId: 1, playerId: 11 })
  await fact('yellowCard', 31, { teamId: 2, playerId: 22 })
  await fact('goal', 38, { teamId: 2, playerId: 28 })
  await fact('periodEnd', 45)
  await fact('periodStart', 60)
  await fact('goal', 76, { teamId: 1, playerId: 9 })
}

/** Grass, seen from the side. */
const PITCH = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"><rect width="1280" height="720" fill="#2f7d3b"/>
${[0, 1, 2, 3, 4, 5].map((at) => `<path d="M${at * 244 - 130} 720 l122 -720 h122 l-122 720 z" fill="#358a41"/>`).join('')}</svg>`

const save = async (name, bytes) => {
  const { data, info } = await sharp(bytes).webp({ quality: 82, effort: 6 }).toBuffer({ resolveWithObject: true })
  writeFileSync(join(pictures, `${name}.webp`), data)
  process.stdout.write(`${name}: ${info.width}×${info.height}, ${Math.round(data.length / 1024)} KB\n`)
}

const home = mkdtempSync(join(tmpdir(), 'tally-pictures-'))
const children = []
try {
  const demo = await startDemo(home)
  children.push(demo.server)
  const call = caller(demo)
  const { presets } = await call('GET', '/v2/control-rooms/1/presets')
  const preset = (graphic) => presets.find(({ graphicName }) => graphicName === graphic)?.id
  const fire = (action, graphic, variableValues) =>
    call('POST', '/v2/overlays/1/graphics/commands', { action, presetId: preset(graphic), variableValues })
  await play(call)

  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
    locale: 'en-GB',
  })
  const open = async (url, viewport) => {
    const page = await context.newPage()
    if (viewport) await page.setViewportSize(viewport)
    await page.goto(url)
    return page
  }

  // two mixers, and a camera
  const mixer = await open(`${demo.overlay}?renderer=Studio`, { width: 1280, height: 720 })
  await open(`${demo.overlay}?renderer=Backup`, { width: 1280, height: 720 })
  const camera = spawn('ffmpeg', [
    ...['-v', 'error', '-re', '-f', 'lavfi', '-i', 'smptehdbars=size=1280x720:rate=25', '-f', 'lavfi', '-i', 'sine'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-b:v', '2500k', '-c:a', 'aac'],
    ...['-f', 'flv', demo.video],
  ])
  children.push(camera)
  await call('POST', '/v1/streams/1/start')
  const player = await call('POST', '/v1/streams/1/destinations', { name: 'Web player', type: 'pull' })

  const control = await open(demo.control)
  await pause(2_000)
  await fire('show', 'Score bug')
  await fire('show', 'Lower third')
  await fire('show', 'Sponsor card')
  await pause(3_000)
  const graphics = await mixer.screenshot({ omitBackground: true })
  writeFileSync(
    join(pictures, 'overlay.png'),
    await sharp(Buffer.from(PITCH))
      .composite([{ input: graphics }])
      .png({ palette: true })
      .toBuffer(),
  )

  await save('control-room', await control.screenshot())
  await control.close()

  const { monitoringUrl } = await call('GET', '/v2/overlays/1')
  const monitor = await open(monitoringUrl)
  await pause(3_000)
  await save('monitoring', await monitor.screenshot())
  await monitor.close()

  const [{ graphicId }] = presets.filter(({ graphicName }) => graphicName === 'Lower third')
  const { url } = await call('POST', `/v2/themes/1/code-graphics/${graphicId}/previews`, {
    scenarioId: 'football-goal',
  })
  const preview = await open(url)
  await preview.getByLabel('about').selectOption('lastGoal')
  await pause(3_000)
  await save('preview', await preview.screenshot())
  await preview.close()
  await fire('hide', 'Sponsor card')

  await call('POST', '/v1/streams/1/go-live', { destinationIds: [player.id] })
  await pause(12_000)
  const desk = await open(`${demo.origin}/dashboard`)
  await desk.getByLabel('E-mail').fill('owner@tally.example')
  await desk.getByLabel('Password').fill(demo.password)
  await desk.getByRole('button', { name: 'Sign in' }).click()
  await desk.getByRole('heading', { level: 1, name: 'Matches' }).waitFor()
  for (const [name, path] of [
    ['dashboard', ''],
    ['match', '/matches/1'],
    ['stream', '/streams/1'],
    ['proof-of-play', '/as-run?overlay=1&show=proof'],
    ['theme', '/themes/1'],
  ]) {
    await desk.goto(`${demo.origin}/dashboard${path}`)
    await pause(2_500)
    await save(name, await desk.screenshot())
  }
  const docs = await open(`${demo.origin}/docs/operate`)
  await docs.keyboard.press('/')
  await docs.keyboard.type('proof of play')
  await pause(1_500)
  await save('search', await docs.screenshot())
  await browser.close()
} finally {
  for (const child of children.reverse()) {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
  rmSync(home, { recursive: true, force: true })
}
