import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BLOCK, block, mute, thrower, tile, tileAt } from './support/block.ts'
import { type Broadcast, painted, until } from './support/broadcast.ts'
import { type Colour, like, noChromium, Shot, screencast, seen } from './support/chromium.ts'
import { PageTime } from './support/page-time.ts'
import { newGate, type Stage, stageForEach } from './support/stage.ts'

const RED: Colour = [255, 0, 0, 255]
const GREEN: Colour = [0, 128, 0, 255]
const WHITE: Colour = [255, 255, 255, 255]
const BLACK: Colour = [0, 0, 0, 255]
const INSIDE = [BLOCK.x + 20, BLOCK.y + 20] as const
const HOW = [BLOCK.x + 200, BLOCK.y + 150] as const

let broadcast: Broadcast
let page: Page
let open: Stage['open']

describe.skipIf(noChromium)('the overlay page', () => {
  stageForEach((stage) => {
    ;({ broadcast, page, open } = stage)
    broadcast.bundles.set('block', block())
  })

  const shown = (colour: Colour) => seen(page, (shot) => like(shot.at(...INSIDE), colour))
  const cleared = () => seen(page, (shot) => shot.painted === 0)

  test('[browser-source 2] its first paint is empty and transparent, and it asks for nothing but this host', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await open()
    expect((await Shot.of(page)).painted).toBe(0)
    expect(asked.filter((url) => !url.startsWith(broadcast.origin))).toEqual([])
    expect(await page.evaluate('getComputedStyle(document.body).cursor')).toBe('none')
  })

  test('a show puts the graphic in the picture, update changes it, hide takes it off', async () => {
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    broadcast.update('a', { colour: 'green' })
    await shown(GREEN)
    await painted(broadcast, 'a', broadcast.hide('a'))
    await cleared()
  })

  test('[live-path 17] hideAll is several frames with one seq, and clears the picture', async () => {
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    broadcast.show('b', 'block', { colour: 'green' })
    await shown(GREEN)
    const seq = broadcast.hideAll()
    await cleared()
    await painted(broadcast, 'a', seq)
    await painted(broadcast, 'b', seq)
  })

  test('[show-control: Commands] frames of one command are one picture, however far apart they come', async () => {
    const ids = ['0', '1', '2', '3', '4']
    for (const id of ids) broadcast.bundles.set(`tile-${id}`, tile(Number(id)))
    await open()
    for (const id of ids) await painted(broadcast, id, broadcast.show(id, `tile-${id}`))
    await painted(broadcast, '4', broadcast.hideAll())
    await cleared()
    const seq = broadcast.next()
    const part = (of: string[]) => {
      for (const id of of) {
        const load = broadcast.loadOf(id, `tile-${id}`, seq)
        broadcast.raw({ ...load, payload: { ...load.payload, together: ids.length } })
      }
    }
    const red = async () => {
      const shot = await Shot.of(page)
      return ids.filter((id) => like(shot.at(...tileAt(Number(id))), RED))
    }
    part(ids.slice(0, 3))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await red()).toEqual([])
    part(ids.slice(3))
    for (const id of ids) await painted(broadcast, id, seq)
    await expect.poll(red).toEqual(ids)
    expect(await page.locator('iframe.shown').count()).toBe(5)
  })

  test('[live-path 20] a double show of the same url updates in place and does not flicker', async () => {
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    const frames = await screencast(page, async () => {
      for (let press = 0; press < 4; press++) broadcast.show('a', 'block', { colour: 'red' })
      await painted(broadcast, 'a', broadcast.show('a', 'block', { colour: 'green' }))
      await shown(GREEN)
    })
    expect(frames.length).toBeGreaterThan(0)
    for (const frame of frames) expect([RED, GREEN].some((colour) => like(frame.at(...INSIDE), colour))).toBe(true)
    expect(await page.locator('iframe').count()).toBe(1)
  })

  test('[live-path 20] another url is mounted beside and swapped when it has painted', async () => {
    broadcast.bundles.set('block-2', block({ mark: 'version 2' }))
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    const frames = await screencast(page, async () => {
      await painted(broadcast, 'a', broadcast.show('a', 'block-2', { colour: 'green' }))
      await shown(GREEN)
    })
    expect(frames.length).toBeGreaterThan(0)
    for (const frame of frames) expect([RED, GREEN].some((colour) => like(frame.at(...INSIDE), colour))).toBe(true)
    await until('one iframe left', () => page.frames().length === 2)
  })

  test('[browser-source 2] a page that starts while graphics are on air goes straight to their settled frame', async () => {
    broadcast.show('a', 'block', { colour: 'red' })
    await open()
    await painted(broadcast, 'a', 1)
    const shot = await Shot.of(page)
    expect(shot.at(...INSIDE)).toEqual(RED)
    expect(shot.at(...HOW)).toEqual(WHITE)
  })

  test('[domain 5.9] a command that skips the animation comes settled, and takes off at once', async () => {
    await open()
    const { type, payload } = broadcast.loadOf('a', 'block', 1, { colour: 'red' })
    broadcast.raw({ type, payload: { ...payload, skipAnimation: true } })
    await painted(broadcast, 'a', 1)
    const shot = await Shot.of(page)
    expect([shot.at(...INSIDE), shot.at(...HOW)]).toEqual([RED, WHITE])
    const off = { graphicId: 'a', onAir: false, sport: 'football', seq: 2 }
    broadcast.raw({ type: 'GRAPHIC_UPDATE', payload: { ...off, skipAnimation: true } })
    await painted(broadcast, 'a', 2)
    // its way out would have two and a half seconds
    expect(await page.locator('iframe.shown').count()).toBe(0)
    const again = broadcast.loadOf('a', 'block', 3, { colour: 'green' })
    broadcast.raw(again)
    await painted(broadcast, 'a', 3)
    expect((await Shot.of(page)).at(...HOW)).not.toEqual(WHITE)
  })

  test('[browser-source 2] what was on air comes settled, however long its frames are on their way', async () => {
    const line = newGate()
    broadcast.answersAfter = line.opened
    broadcast.show('a', 'block', { colour: 'red' })
    const time = await PageTime.of(page, broadcast)
    await open()
    // as long as a heartbeat, which would say that all is there
    broadcast.heartbeats = false
    await time.pass(1_500)
    line.open()
    await painted(broadcast, 'a', 1)
    expect((await Shot.of(page)).at(...HOW)).toEqual(WHITE)
  })

  test('the graphic shown last lies on top, on a page that was reloaded after an update of another one too', async () => {
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await painted(broadcast, 'b', broadcast.show('b', 'block', { colour: 'green' }))
    await painted(broadcast, 'a', broadcast.update('a', { colour: 'red' }))
    await shown(GREEN)
    const reported = broadcast.reports.length
    await open()
    await until('both are reported anew', () => {
      const anew = broadcast.reports.slice(reported)
      return ['a', 'b'].every((graphicId) => anew.some((report) => report.graphicId === graphicId))
    })
    expect((await Shot.of(page)).at(...INSIDE)).toEqual(GREEN)
  })

  test('[browser-source 2] what is shown while the source is hidden does not play its way in when it is seen again', async () => {
    await page.addInitScript("Object.defineProperty(document, 'hidden', { get: () => window.name !== 'seen' })")
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    expect((await Shot.of(page)).at(...HOW)).toEqual(WHITE)
    expect(broadcast.reports).toEqual([])
    await page.evaluate("window.name = 'seen'")
    broadcast.hide('a')
    await painted(broadcast, 'a', 2)
    broadcast.show('a', 'block', { colour: 'green' })
    await seen(page, (shot) => like(shot.at(...HOW), BLACK))
  })

  test('a graphic shown live plays its in animation', async () => {
    await open()
    broadcast.show('a', 'block', { colour: 'green' })
    await seen(page, (shot) => like(shot.at(...INSIDE), GREEN) && like(shot.at(...HOW), BLACK))
  })

  test('[browser-source 2] with `?hold=` the picture goes when the server is away for longer, and comes back with it', async () => {
    const time = await PageTime.of(page, broadcast)
    await open('?hold=1')
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    // counted from what was heard last; a look in between could come too late on a busy machine
    const left = performance.now()
    await painted(broadcast, 'a', broadcast.update('a', { colour: 'red' }))
    await broadcast.stop()
    await cleared()
    expect(performance.now() - left).toBeGreaterThan(900)
    broadcast.update('a', { colour: 'green' })
    const connected = broadcast.readies.length
    await broadcast.start()
    await time.until('READY again', () => broadcast.readies.length > connected)
    await shown(GREEN)
    expect(broadcast.readies[connected]?.showing).toEqual([{ graphicId: 'a', seq: 2 }])
    await time.pass(1_500)
    expect((await Shot.of(page)).at(...INSIDE)).toEqual(GREEN)
  })

  test('[browser-source 2] what went off air while the picture was taken off is not seen again', async () => {
    await open('?hold=1')
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    await broadcast.stop()
    await cleared()
    const seq = broadcast.hide('a')
    const frames = await screencast(page, async () => {
      await broadcast.start()
      await painted(broadcast, 'a', seq)
      await page.waitForTimeout(300)
    })
    expect(frames.length).toBeGreaterThan(0)
    // they have no alpha: what fades away is reddish
    const reds = frames.map((frame) => frame.at(...INSIDE)).map(([red, green]) => Math.abs(red - green))
    expect(Math.max(0, ...reds)).toBeLessThan(8)
  })

  test('the last frame stays on air while the server is away, and the reconnect says what is showing', async () => {
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    broadcast.show('b', 'block', { colour: 'red' })
    // what READY is to name is what both are ready with
    await painted(broadcast, 'a', 1)
    await painted(broadcast, 'b', 2)
    await shown(RED)
    await broadcast.stop()
    const isRed = (colour: Colour) => like(colour, RED)
    expect((await Shot.of(page)).at(...INSIDE)).toSatisfy(isRed)
    broadcast.update('b', { colour: 'green' })
    broadcast.hide('a')
    expect((await Shot.of(page)).at(...INSIDE)).toSatisfy(isRed)
    await broadcast.start()
    await until('the second READY', () => broadcast.readies.length > 1)
    const [first, second] = broadcast.readies
    expect(second?.showing).toEqual([
      { graphicId: 'a', seq: 1 },
      { graphicId: 'b', seq: 2 },
    ])
    expect(second?.renderer).toBe(first?.renderer)
    await shown(GREEN)
  })

  test('[live-path 16] after a reconnect with nothing changed READY still names the seq of each graphic', async () => {
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await painted(broadcast, 'a', 1)
    for (let count = 1; count <= 2; count++) {
      for (const socket of broadcast.sockets) socket.terminate()
      await until('READY again', () => broadcast.readies.length > count)
    }
    expect(broadcast.readies.map(({ showing }) => showing)).toEqual([
      [],
      [{ graphicId: 'a', seq: 1 }],
      [{ graphicId: 'a', seq: 1 }],
    ])
  })

  test('[live-path 16] what was still loading when the connection broke, and is off air by now, does not appear', async () => {
    const answers = "if (type === 'HELLO') return"
    broadcast.bundles.set('slow', block().replace(answers, `${answers} performance.now() > 1500 &&`))
    await open()
    broadcast.show('a', 'slow', { colour: 'red' })
    await until('the bundle', () => broadcast.asked.includes('slow/index.html'))
    for (const socket of broadcast.sockets) socket.terminate()
    broadcast.hide('a')
    await until('READY again', () => broadcast.readies.length > 1)
    expect(broadcast.readies[1]?.showing).toEqual([])
    // as slow, and later
    await painted(broadcast, 'b', broadcast.show('b', 'slow', { colour: 'green' }))
    await painted(broadcast, 'b', broadcast.hide('b'))
    await cleared()
  })

  test('[live-path 19] five seconds of silence mean a dead server; heartbeats keep the socket and want no READY', async () => {
    const time = await PageTime.of(page, broadcast)
    await open()
    await time.pass(6_000)
    expect(broadcast.beats).toBeGreaterThanOrEqual(3)
    expect([time.sockets, broadcast.readies.length]).toEqual([1, 1])
    broadcast.heartbeats = false
    expect(await time.until('a new socket', () => time.sockets > 1)).toBeLessThan(9_000)
    await until('READY', () => broadcast.readies.length > 1)
  })

  test('[live-path 15] a deleted overlay clears the page, also when it was deleted while the page was away', async () => {
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    broadcast.exists = false
    for (const socket of broadcast.sockets) socket.close(1008, 'the overlay was deleted')
    await cleared()

    broadcast.exists = true
    await open()
    await shown(RED)
    broadcast.exists = false
    for (const socket of broadcast.sockets) socket.terminate()
    await cleared()
  })

  test('a mistake of the protocol closes with 1008 too, and must not clear the program', async () => {
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    for (const socket of broadcast.sockets) socket.close(1008, 'not a message of this protocol')
    await until('READY again', () => broadcast.readies.length > 1)
    expect(broadcast.readies[1]?.showing).toEqual([{ graphicId: 'a', seq: 1 }])
    expect((await Shot.of(page)).at(...INSIDE)).toEqual(RED)
  })

  test('[live-path 14] live data that follows late, with the seq that is already there, reaches the picture', async () => {
    await open()
    const seq = broadcast.show('a', 'block', { colour: 'red' })
    await painted(broadcast, 'a', seq)
    const payload = { graphicId: 'a', onAir: true, sport: 'football', seq, variableValues: { colour: 'green' } }
    broadcast.raw({ type: 'GRAPHIC_UPDATE', payload })
    await shown(GREEN)
    broadcast.raw({ type: 'GRAPHIC_UPDATE', payload: { ...payload, seq: seq - 1, variableValues: { colour: 'red' } } })
    await painted(broadcast, 'b', broadcast.show('b', 'block', { colour: 'red' }))
    await painted(broadcast, 'b', broadcast.hide('b'))
    await shown(GREEN)
  })

  test('[live-path 17] an older frame of a graphic and a load it has are ignored, and the rule starts anew at the next socket', async () => {
    await open()
    for (let count = 0; count < 5; count++) broadcast.show('a', 'block', { colour: 'red' })
    await painted(broadcast, 'a', 5)
    broadcast.raw(broadcast.loadOf('a', 'block', 4, { colour: 'green' }))
    broadcast.raw(broadcast.loadOf('a', 'block', 5, { colour: 'green' }))
    broadcast.show('b', 'block', { colour: 'red' })
    await painted(broadcast, 'b', 6)
    broadcast.hide('b')
    await seen(page, (shot) => like(shot.at(...INSIDE), RED))
    for (const socket of broadcast.sockets) socket.terminate()
    await until('READY again', () => broadcast.readies.length > 1)
    broadcast.raw(broadcast.loadOf('a', 'block', 2, { colour: 'green' }))
    await shown(GREEN)
  })

  test('frames that are no frames, and graphics that are broken, harm nothing else and are told under ?debug', async () => {
    broadcast.bundles.set('mute', mute)
    broadcast.bundles.set('thrower', thrower)
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    const time = await PageTime.of(page, broadcast)
    await open('?debug')
    for (const frame of ['nonsense', '{}', '{"type":"LOAD_GRAPHIC"}', '{"type":"SCHEMAS","payload":{}}'])
      broadcast.raw(frame)
    broadcast.show('mute', 'mute')
    broadcast.show('thrower', 'thrower')
    broadcast.show('missing', 'missing')
    broadcast.show('a', 'block', { colour: 'red' })
    await shown(RED)
    const silent = page.locator('#debug', { hasText: 'mute: no READY in 3 s' })
    await time.until('it was waited for', () => silent.isVisible())
    expect((await Shot.of(page)).at(5, 900)[3]).toBe(0)
    expect(errors.map(({ message }) => message)).toEqual(['broken graphic'])
  })

  test('a graphic that could not be loaded comes when it can be, still on air', async () => {
    const time = await PageTime.of(page, broadcast)
    await open()
    broadcast.show('a', 'late', { colour: 'red' })
    const asked = () => broadcast.asked.filter((path) => path === 'late/index.html').length
    await until('the first try', () => asked() > 0)
    broadcast.bundles.set('late', block())
    await time.until('another one', () => asked() > 1)
    await shown(RED)
  })

  test('[live-path 21] a graphic that does not answer is reported after two animation frames', async () => {
    broadcast.bundles.set('silent', block({ reports: false }))
    await open()
    const seq = broadcast.show('a', 'silent', { colour: 'red' })
    await painted(broadcast, 'a', seq)
    await shown(RED)
  })

  test('[live-path 21] paint reports come at most ten a second, and the newest seq always comes', async () => {
    // where they leave: on their way they may come closer together
    await page.addInitScript(`
      window.sent_ = []
      const send = WebSocket.prototype.send
      WebSocket.prototype.send = function (text) {
        if (JSON.parse(text).payload.seq !== undefined) window.sent_.push(performance.now())
        send.call(this, text)
      }`)
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await painted(broadcast, 'a', 1)
    for (let count = 0; count < 40; count++) {
      broadcast.update('a', { colour: count % 2 ? 'red' : 'green' })
      const next = Date.now() + 20
      await until('the next update is due', () => Date.now() >= next)
    }
    await painted(broadcast, 'a', 41)
    const times = await page.evaluate<number[]>('sent_')
    expect(times).toHaveLength(broadcast.reports.length)
    const busiest = Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 990).length))
    expect(busiest).toBeLessThanOrEqual(10)
    const seqs = broadcast.reports.map(({ seq }) => seq)
    expect(seqs).toEqual([...seqs].sort((one, other) => one - other))
  })

  test('the stage keeps 16:9 in the middle of any viewport, and obeys ?width&height and ?scale', async () => {
    broadcast.show('a', 'block', { colour: 'red' })
    await page.setViewportSize({ width: 800, height: 600 })
    await open()
    const scale = 800 / 1920
    const { left, top, right, bottom } = (await seen(page, ({ box }) => box.right > 0)).box
    const bar = (600 - 1080 * scale) / 2
    const near = (pixel: number, exact: number) => expect(Math.abs(pixel - exact)).toBeLessThanOrEqual(1)
    near(left, BLOCK.x * scale)
    near(top, bar + BLOCK.y * scale)
    near(right, (BLOCK.x + BLOCK.width) * scale - 1)
    near(bottom, bar + (BLOCK.y + BLOCK.height) * scale - 1)
    await open('?scale=0.5')
    const half = await seen(page, ({ box }) => box.right > 0)
    expect(half.box).toEqual({ left: 100, top: 100, right: 299, bottom: 249 })
    await open('?width=480&height=270')
    const small = await seen(page, ({ box }) => box.right > 0)
    expect(small.box).toEqual({ left: 50, top: 50, right: 149, bottom: 124 })
  })

  test('?bg paints a background, ?layers shows only the graphics it names', async () => {
    broadcast.show('a', 'block', { colour: 'red' })
    broadcast.show('b', 'block', { colour: 'green' })
    await open('?bg=green&layers=A')
    const shot = await shown(RED)
    expect(shot.at(5, 5)).toEqual(GREEN)
    expect(await page.locator('iframe').count()).toBe(1)
  })
})
