// Makes the pictures of the guides anew, or those that are named: `node docs/pictures.mjs [NAME…]` after a build, with
// chromium and ffmpeg installed.
// It starts a demo of its own, plays a match into its second half, and looks at every page as a person would.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
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

/** Sends a request of the API, again while the machine is too busy for it. */
const caller =
  ({ origin, key }) =>
  async (method, path, body) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
    }
    for (;;) {
      const answer = await fetch(`${origin}/rest${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      if (answer.ok) return answer.json()
      if (answer.status !== 503) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      await pause(1_000)
    }
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

/** The overlay of the demo plays a plan of a few rules. */
async function runItself(call, preset) {
  const { competitionThemeSettingId } = await call('GET', '/v2/overlays/1')
  const rule = (name, trigger, graphic, end, more = {}) => ({
    name,
    trigger,
    presetId: preset(graphic).id,
    end,
    ...more,
  })
  const goal = { type: 'fact', factTypes: ['goal'] }
  const rules = [
    rule('Score while it is played', { type: 'state', state: 'live' }, 'Score bug', { until: 'state' }),
    rule('Who scored', goal, 'Lower third', { afterSeconds: 20 }),
    rule('A goal by', goal, 'Sponsor card', { afterSeconds: 8 }, { layer: 'Sponsor' }),
    rule(
      'A word from',
      { type: 'interval', everySeconds: 300, during: 'live' },
      'Sponsor card',
      { afterSeconds: 5 },
      { layer: 'Sponsor' },
    ),
    rule('Five minutes to go', { type: 'clock', seconds: 85 * 60 }, 'Result card', { afterSeconds: 10 }),
  ]
  await call('PUT', `/v2/competitions/1/theme-profiles/${competitionThemeSettingId}/game-plan`, { rules })
  await call('POST', '/v2/overlays/1/graphics/commands', { action: 'hideAll' })
  await call('PATCH', '/v1/overlays/1', { autoMode: true, adType: 'brands' })
  while ((await call('GET', '/v2/overlays/1/game-plan')).layers.length === 0) await pause(200)
  // the first word from the sponsor is over
  await pause(7_000)
}

/** Grass, seen from the side. */
const PITCH = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"><rect width="1280" height="720" fill="#2f7d3b"/>
${[0, 1, 2, 3, 4, 5].map((at) => `<path d="M${at * 244 - 130} 720 l122 -720 h122 l-122 720 z" fill="#358a41"/>`).join('')}</svg>`

/** Only these, when any are named. */
const named = process.argv.slice(2)
const isWanted = (name) => named.length === 0 || named.includes(name)

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
  const { presets } = await call('GET', '/v2/control-rooms/1')
  const preset = (graphic) => presets.find(({ graphicName }) => graphicName === graphic)
  const fire = (action, graphic) =>
    call('POST', '/v2/overlays/1/graphics/commands', { action, presetId: preset(graphic).id })
  await play(call)

  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  context.setDefaultTimeout(minutes(2))
  const open = async (url, viewport) => {
    const page = await context.newPage()
    if (viewport) await page.setViewportSize(viewport)
    await page.goto(url)
    return page
  }
  /** A picture of a page once what is asked for is there, and has come to rest. */
  const take = async (name, url, prepare, height = 900, width = 1440) => {
    if (!isWanted(name)) return
    const page = await open(url, { width, height })
    await prepare(page)
    await pause(2_000)
    await save(name, await page.screenshot())
    await page.close()
  }

  // two mixers, and a camera whose video is passed on as it comes
  const mixer = await open(`${demo.overlay}?renderer=Studio`, { width: 1280, height: 720 })
  await open(`${demo.overlay}?renderer=Backup`, { width: 1280, height: 720 })
  const camera = spawn('ffmpeg', [
    ...['-v', 'error', '-re', '-f', 'lavfi', '-i', 'smptehdbars=size=640x360:rate=25', '-f', 'lavfi', '-i', 'sine'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-c:a', 'aac', '-b:a', '128k'],
    ...['-x264-params', 'nal-hrd=cbr:force-cfr=1', '-b:v', '2500k', '-minrate', '2500k', '-maxrate', '2500k'],
    ...['-bufsize', '2500k', '-f', 'flv', demo.video],
  ])
  children.push(camera)
  if (['monitoring', 'stream'].some(isWanted)) {
    await call('POST', '/v1/streams/1/overlay/hide')
    await call('POST', '/v1/streams/1/start')
    const player = await call('POST', '/v1/streams/1/destinations', { name: 'Web player', type: 'pull' })
    while ((await call('GET', '/v1/streams/1')).state !== 'live') await pause(500)
    await call('POST', '/v1/streams/1/go-live', { destinationIds: [player.id] })
  }

  for (const graphic of ['Score bug', 'Lower third', 'Sponsor card']) await fire('show', graphic)
  await mixer.locator('iframe').nth(2).waitFor()
  await pause(4_000)
  if (isWanted('overlay')) {
    const graphics = await mixer.screenshot({ omitBackground: true })
    const picture = sharp(Buffer.from(PITCH))
      .composite([{ input: graphics }])
      .png({ palette: true })
    writeFileSync(join(pictures, 'overlay.png'), await picture.toBuffer())
  }
  await take('control-room', demo.control, async (page) => {
    await page.getByText('up to date').waitFor()
    await page.keyboard.press('3')
    await pause(2_000)
    await page.keyboard.press('2')
  })
  await take('monitoring', (await call('GET', '/v2/overlays/1')).monitoringUrl, (page) =>
    page.getByText('Painted by all').nth(2).waitFor(),
  )
  await take('automatic', demo.control, async (page) => {
    await runItself(call, preset)
    await page.getByText('up to date').waitFor()
    await page.keyboard.press('F2')
    await page.getByRole('button', { name: 'Hold Sponsor' }).click()
    await page.getByText('Held from a control room page').waitFor()
    await call('POST', '/v2/matches/1/facts', { type: 'goal', teamId: 1, playerId: 11 })
    await page.getByText('not shown: held').first().waitFor()
  })
  const drafts = `/v2/themes/1/code-graphics/${preset('Lower third').graphicId}/previews`
  await take('preview', (await call('POST', drafts, { scenarioId: 'football-goal' })).url, (page) =>
    page.getByLabel('about').selectOption('lastGoal'),
  )
  await take(
    'match-desk',
    (await call('GET', '/v2/matches/1')).deskUrl,
    (page) => page.getByRole('timer').waitFor(),
    740,
    360,
  )
  await fire('hide', 'Sponsor card')

  const desk = await open(`${demo.origin}/dashboard`)
  await desk.getByLabel('E-mail').fill('owner@tally.example')
  await desk.getByLabel('Password').fill(demo.password)
  await desk.getByRole('button', { name: 'Sign in' }).click()
  await desk.getByRole('heading', { level: 1, name: 'Matches' }).waitFor()
  const loaded = (page) => page.getByRole('heading', { level: 1 }).waitFor()
  await take('dashboard', `${demo.origin}/dashboard`, loaded, 640)
  await take('match', `${demo.origin}/dashboard/matches/1`, loaded)
  await take('proof-of-play', `${demo.origin}/dashboard/as-run?overlay=1&show=proof`, loaded)
  const plan = `${demo.origin}/dashboard/game-plans/1/1`
  await take('game-plan', plan, async (page) => {
    await page.locator('.plan-sentence').filter({ hasText: 'Goal scorer' }).first().click()
  })
  await take('game-plan-trial', plan, async (page) => {
    await page.getByRole('tab', { name: 'Try it out' }).click()
    await page
      .getByRole('button', { name: /Goal scorer.*On air/ })
      .first()
      .click()
    await page.evaluate(() => window.scrollTo(0, 0))
    await pause(8_000)
  })
  await take('theme', `${demo.origin}/dashboard/themes/1`, loaded, 640)
  await take('stream', `${demo.origin}/dashboard/streams/1`, async (page) => {
    await loaded(page)
    await pause(20_000)
  })
  await take('search', `${demo.origin}/docs/operate`, async (page) => {
    await page.keyboard.press('/')
    await page.keyboard.type('proof of play')
    await page.getByRole('dialog').getByRole('link').first().waitFor()
  })
  await browser.close()
} finally {
  for (const child of children.reverse()) {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
  rmSync(home, { recursive: true, force: true })
}
