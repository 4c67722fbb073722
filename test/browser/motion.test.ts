import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { motionManifest } from '../../src/motion/manifest.ts'
import { motionCard } from '../support/motion-card.ts'
import { type Broadcast, painted, until } from './support/broadcast.ts'
import { like, noChromium, Shot, seen } from './support/chromium.ts'
import { PageTime } from './support/page-time.ts'
import { newGate, type Stage, stageForEach } from './support/stage.ts'

const RED = [228, 0, 43, 255] as const
const GREEN = [0, 128, 0, 255] as const
const BLUE = [0, 0, 255, 255] as const
const WHITE = [255, 255, 255, 255] as const
const NAVY = [11, 31, 58, 255] as const

const property = (path: string, type: string) => ({ viewModelId: 'Card', viewModelName: 'Card', path, type })
const STATE_MACHINE = {
  currentArtboard: 'Card',
  currentStateMachine: 'Machine',
  x: 120,
  y: 800,
  scale: 1,
  controlVariables: [],
  dataBindings: [
    {
      id: 'headline',
      name: 'headline',
      expression: 'variables.title',
      viewModelProperty: property('headline', 'string'),
    },
    { id: 'accent', name: 'accent', expression: 'theme.accent', viewModelProperty: property('accent', 'color') },
    { id: 'points', name: 'points', expression: 'score', viewModelProperty: property('points', 'number') },
    { id: 'badge', name: 'badge', expression: 'logo', viewModelProperty: property('badge', 'image') },
  ],
  stateMachineInputs: [],
  assets: [],
}

let broadcast: Broadcast
let page: Page
let open: Stage['open']

/** A square of this colour. */
const picture = async (background: string) =>
  sharp({ create: { width: 40, height: 20, channels: 4, background } })
    .png()
    .toBuffer()

/** A bundle under this name; `more` is changed of the state machine. */
function bundle(name: string, more: object = {}, files: Record<string, Uint8Array> = {}, riv = motionCard()) {
  broadcast.files.set(`${name}/graphic.riv`, riv)
  const names = new Set(Object.keys(files))
  broadcast.files.set(`${name}/graphic.json`, JSON.stringify(motionManifest({ ...STATE_MACHINE, ...more }, names)))
  for (const [path, bytes] of Object.entries(files)) broadcast.files.set(`${name}/${path}`, bytes)
}

const give = (values: object) => {
  broadcast.data = values
}

const isRed = (shot: Shot) => like(shot.at(150, 830), RED)
const isIn = (shot: Shot) => shot.box.right === 919
const isGone = (shot: Shot) => shot.painted === 0
/** Its left part is there and its right one is not: on its way, and not faded. */
const isOnItsWay = (shot: Shot) => like(shot.at(125, 830), RED) && !like(shot.at(910, 830), RED)

describe.skipIf(noChromium)('[issue 4] a motion graphic on the overlay page', () => {
  stageForEach((stage) => {
    ;({ broadcast, page, open } = stage)
    bundle('card')
  })

  const shown = async (name = 'card') => {
    const seq = broadcast.show(name, name)
    await painted(broadcast, name, seq)
  }
  /** A change of live data as the server tells it. */
  const refresh = async (data: object, name = 'card') => {
    const seq = broadcast.next()
    broadcast.raw({ type: 'GRAPHIC_UPDATE', payload: { graphicId: name, onAir: true, sport: 'football', seq, data } })
    await painted(broadcast, name, seq)
  }
  const frameOf = () =>
    until('the frame of the graphic', () => page.frames().find((frame) => frame.url().includes('/motion?')))

  test.each(['canvas', 'webgl2'])(
    'on air when the page starts it stands in its place in its colours, by %s',
    async (renderer) => {
      bundle('card', { renderer })
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      give({ bindings: { headline: 'Ståhlberg', accent: null, points: 400 } })
      const seq = broadcast.show('card', 'card')
      await page.goto(broadcast.page())
      await painted(broadcast, 'card', seq)
      const shot = await Shot.of(page)
      expect(shot.box).toEqual({ left: 120, top: 800, right: 919, bottom: 999 })
      expect(like(shot.at(130, 810), RED)).toBe(true)
      expect(like(shot.at(310, 990), NAVY)).toBe(true)
      expect(like(shot.at(330, 990), RED)).toBe(true)
      expect(asked.filter((url) => !url.startsWith(broadcast.origin))).toEqual([])
      const frame = await frameOf()
      expect(await frame.evaluate('document.documentElement.dataset.renderer')).toBe(renderer)
    },
  )

  test('shown live it plays its way in; what was on air when the page starts does not', async () => {
    bundle('slow', {}, {}, motionCard(60))
    broadcast.show('card', 'card')
    const time = await PageTime.of(page, broadcast)
    await open()
    await painted(broadcast, 'card', 1)
    broadcast.hide('card')
    await seen(page, isGone)
    await time.stop()
    broadcast.show('slow', 'slow')
    const wayIn = await time.pictures(100, isIn)
    expect(wayIn.filter(isOnItsWay)).not.toEqual([])
    await page.reload()
    const first = await time.pictures(100, (shot) => shot.box.right > 0)
    expect(broadcast.readies.length).toBeGreaterThan(1)
    expect(first.at(-1)?.box.right).toBe(919)
  })

  test('shown, it slides in; an update changes it where it stands; hidden, it slides out and leaves nothing', async () => {
    bundle('card', {}, {}, motionCard(60))
    const time = await PageTime.of(page, broadcast)
    await open()
    give({ bindings: { headline: 'One' } })
    await shown()
    await seen(page, isRed)
    await refresh({ bindings: { headline: 'Two', accent: '#008000' } })
    await seen(page, (shot) => like(shot.at(150, 830), GREEN))
    // without a value the file's own is back
    await refresh({ bindings: { headline: null, accent: null } })
    await seen(page, isRed)
    await time.stop()
    broadcast.hide('card')
    const wayOut = await time.pictures(100, isGone)
    expect(wayOut.filter(isOnItsWay)).not.toEqual([])
    broadcast.show('card', 'card')
    await time.pictures(100, isRed)
  })

  test('shown and hidden again and again, it ends as it was asked last', async () => {
    await open()
    for (let turn = 0; turn < 12; turn++) {
      const on = broadcast.show('card', 'card')
      if (turn % 2 === 0) await painted(broadcast, 'card', on)
      const off = broadcast.hide('card')
      if (turn % 3 === 0) await painted(broadcast, 'card', off)
    }
    await shown()
    await seen(page, isRed)
    await painted(broadcast, 'card', broadcast.hide('card'))
    await seen(page, isGone)
  })

  test('a picture that a value names is fetched, placed as asked, and replaced', async () => {
    const blue = await picture('#0000ff')
    const green = await picture('#008000')
    broadcast.files.set('pictures/blue.png', blue)
    broadcast.files.set('pictures/green.png', green)
    const badge = {
      ...STATE_MACHINE.dataBindings[3],
      imageTransform: {
        outWidth: 160,
        outHeight: 160,
        fit: 'cover',
        background: { r: 255, g: 255, b: 255, a: 1 },
        padding: { top: 20, right: 20, bottom: 20, left: 20 },
      },
    }
    bundle('card', { dataBindings: [badge], deferInitialShow: true })
    await open('?debug')
    give({ bindings: { badge: `${broadcast.origin}/bundles/pictures/blue.png` } })
    await shown()
    // the plate is 160 by 160 about 820, 900
    await seen(
      page,
      (shot) =>
        like(shot.at(820, 900), BLUE) &&
        like(shot.at(745, 825), WHITE) &&
        like(shot.at(765, 845), BLUE) &&
        like(shot.at(735, 900), RED),
    )
    await refresh({ bindings: { badge: '/bundles/pictures/green.png' } })
    await seen(page, (shot) => like(shot.at(820, 900), GREEN))
    // one that cannot be had leaves what is there, and is told
    await refresh({ bindings: { badge: '/bundles/pictures/none.png' } })
    await until('told', async () =>
      (await page.locator('#debug').textContent())?.includes('/bundles/pictures/none.png'),
    )
    await refresh({ bindings: { badge: null } })
    await seen(page, (shot) => like(shot.at(820, 900), RED))
  })

  test('an asset is replaced by a file of the bundle, and by what a value names', async () => {
    const assets = [{ id: '22', name: 'mark', uniqueFileName: 'mark-22.png', type: 'image' }]
    bundle('card', { assets }, { 'assets/mark-22.png': await picture('#008000') })
    broadcast.files.set('pictures/blue.png', await picture('#0000ff'))
    await open()
    await shown()
    const shot = await seen(page, (now) => like(now.at(720, 970), GREEN))
    expect(like(shot.at(695, 970), RED)).toBe(true)
    await refresh({ assets: { 22: '/bundles/pictures/blue.png' } })
    await seen(page, (now) => like(now.at(720, 970), BLUE))
  })

  test('a picture that cannot be had for a while is there when it can be, also while other values change', async () => {
    const time = await PageTime.of(page, broadcast)
    await open()
    give({ bindings: { badge: '/bundles/pictures/blue.png' } })
    await shown()
    await seen(page, isRed)
    await refresh({ bindings: { badge: '/bundles/pictures/blue.png', headline: 'Two' } })
    const asked = () => broadcast.asked.filter((path) => path === 'pictures/blue.png').length
    await time.until('asked for again', () => asked() > 1)
    broadcast.files.set('pictures/blue.png', await picture('#0000ff'))
    await time.pictures(500, (shot) => like(shot.at(820, 900), BLUE))
    // nor is it asked for when nobody wants it any more
    broadcast.files.delete('pictures/blue.png')
    await refresh({ bindings: { badge: null } })
    await seen(page, (shot) => like(shot.at(820, 900), RED))
    await refresh({ bindings: { badge: '/bundles/pictures/none.png' } })
    await until('the other one', () => broadcast.asked.includes('pictures/none.png'))
    await refresh({ bindings: { badge: null } })
    const then = broadcast.asked.length
    await time.pass(2_500)
    expect(broadcast.asked.slice(then)).toEqual([])
  })

  test('an asset that cannot be had for a while is there when it can be: of the bundle, and of a value', async () => {
    const assets = [{ id: '22', name: 'mark', uniqueFileName: 'mark-22.png', type: 'image' }]
    bundle('card', { assets }, { 'assets/mark-22.png': new Uint8Array() })
    broadcast.files.delete('card/assets/mark-22.png')
    const time = await PageTime.of(page, broadcast)
    await open()
    await shown()
    await seen(page, isRed)
    broadcast.files.set('card/assets/mark-22.png', await picture('#008000'))
    await time.pictures(500, (now) => like(now.at(720, 970), GREEN))
    await refresh({ assets: { 22: '/bundles/pictures/blue.png' } })
    await until('asked for', () => broadcast.asked.includes('pictures/blue.png'))
    broadcast.files.set('pictures/blue.png', await picture('#0000ff'))
    await time.pictures(500, (now) => like(now.at(720, 970), BLUE))
    // without a value the bundle's own is back
    await refresh({ assets: { 22: null } })
    await seen(page, (now) => like(now.at(720, 970), GREEN))
  })

  test('of two pictures for one asset the one that was asked for last stays, whichever comes first', async () => {
    const assets = [{ id: '22', name: 'mark', uniqueFileName: 'mark-22.png', type: 'image' }]
    bundle('card', { assets }, { 'assets/mark-22.png': await picture('#008000') })
    broadcast.files.set('pictures/blue.png', await picture('#0000ff'))
    await open()
    await shown()
    const gate = newGate()
    let late = () => {}
    const done = new Promise<void>((resolve) => {
      late = resolve
    })
    await page.route(/slow\.png$/, async (route) => {
      await gate.opened
      await route.fulfill({
        body: Buffer.from(await picture('#ffffff')),
        headers: { 'Access-Control-Allow-Origin': '*' },
      })
      late()
    })
    await refresh({ assets: { 22: '/bundles/pictures/slow.png' } })
    await refresh({ assets: { 22: '/bundles/pictures/blue.png' } })
    await seen(page, (now) => like(now.at(720, 970), BLUE))
    gate.open()
    await done
    await refresh({ bindings: { headline: 'One' }, assets: { 22: '/bundles/pictures/blue.png' } })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(like((await Shot.of(page)).at(720, 970), BLUE)).toBe(true)
  })

  test('what nobody computes is what the file or a designer set, and does not hold up the way in', async () => {
    const fixed = {
      id: 'points',
      name: 'points',
      expression: '',
      value: '400',
      viewModelProperty: property('points', 'number'),
    }
    const onAir = { id: 'onAir', name: 'onAir', type: 'boolean', defaultValue: false, value: false }
    bundle('card', { dataBindings: [fixed], stateMachineInputs: [onAir] })
    await open()
    await shown()
    await seen(page, (shot) => like(shot.at(310, 990), NAVY) && isRed(shot))
    await refresh({ bindings: {} })
    expect(isRed(await Shot.of(page))).toBe(true)
    await painted(broadcast, 'card', broadcast.hide('card'))
    await seen(page, isGone)
  })

  test('a text bound to the clock of the match runs by itself', async () => {
    await open()
    const clock = { running: true, valueMs: 65_000, asOf: new Date().toISOString(), direction: 'up' }
    give({ bindings: { headline: clock } })
    await shown()
    const first = await seen(page, isRed)
    await seen(page, (shot) => isRed(shot) && !shot.equals(first))
  })

  test('values of control variables reach it through their expressions, an exit sets the immediate ones back', async () => {
    const onAir = { id: 'i', name: 'onAir', type: 'boolean', value: false, expression: 'variables.visible' }
    const visible = { id: 'v', name: 'visible', type: 'boolean', defaultValue: false }
    const more = { stateMachineInputs: [onAir], controlVariables: [{ ...visible, exitMode: 'immediate' }] }
    bundle('card', more, {}, motionCard(60))
    const time = await PageTime.of(page, broadcast)
    await open()
    give({ inputs: { i: true } })
    await shown()
    await seen(page, isRed)
    await refresh({ inputs: { i: false } })
    await time.pictures(500, isGone)
    await refresh({ inputs: { i: true } })
    await time.pictures(500, isIn)
    // set back, it slides out instead of being faded
    await time.stop()
    broadcast.hide('card')
    const wayOut = await time.pictures(100, isGone)
    expect(wayOut.filter(isOnItsWay)).not.toEqual([])
  })

  test('mounted before it is shown it is there at once, also after another version took its place', async () => {
    bundle('card-2', { dataBindings: [], x: 1000 })
    broadcast.preload = [{ graphicId: 'card', url: broadcast.url('card') }]
    await open()
    const frame = await frameOf()
    await until('the runtime', () => frame.evaluate('document.documentElement.dataset.renderer'))
    await shown()
    await seen(page, isRed)
    const seq = broadcast.show('card', 'card-2')
    await painted(broadcast, 'card', seq)
    await seen(page, (shot) => like(shot.at(1030, 830), RED) && shot.box.left === 1000)
  })

  test('[browser-source 2] a page that loses its drawing context goes on with the canvas, where it stood', async () => {
    bundle('card', { renderer: 'webgl2' })
    await open('?debug')
    give({ bindings: { accent: '#008000' } })
    await shown()
    await seen(page, (shot) => like(shot.at(150, 830), GREEN))
    const frame = await frameOf()
    await frame.evaluate(
      `document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()`,
    )
    await until('the canvas', () => frame.evaluate(`document.documentElement.dataset.renderer === 'canvas'`))
    await seen(page, (shot) => like(shot.at(150, 830), GREEN))
    await refresh({ bindings: { accent: '#0000ff' } })
    await seen(page, (shot) => like(shot.at(150, 830), BLUE))
    // the panel is drawn some times a second
    await expect.poll(() => page.locator('#debug').textContent()).toContain('the drawing context was lost')
  })

  test('[browser-source 2] what is said while the context is being replaced is not lost: a change, a hide', async () => {
    bundle('card', { renderer: 'webgl2' })
    await open()
    await shown()
    await seen(page, isRed)
    const losing = async () => {
      const gate = newGate()
      await page.route(/\.wasm$/, async (route) => {
        await gate.opened
        await route.continue()
      })
      const frame = await frameOf()
      const drawn = () => frame.evaluate('document.documentElement.dataset.renderer')
      await frame.evaluate(
        `document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()`,
      )
      await until('no canvas', () => frame.evaluate(`document.querySelector('canvas') === null`))
      return async () => {
        gate.open()
        await until('the canvas', async () => (await drawn()) === 'canvas')
        await page.unroute(/\.wasm$/)
      }
    }
    const replaced = await losing()
    const seq = broadcast.next()
    const data = { bindings: { accent: '#0000ff' } }
    broadcast.raw({ type: 'GRAPHIC_UPDATE', payload: { graphicId: 'card', onAir: true, sport: 'football', seq, data } })
    await replaced()
    await painted(broadcast, 'card', seq)
    await seen(page, (shot) => like(shot.at(150, 830), BLUE))
    await page.reload()
    await seen(page, isRed)
    const replacedAgain = await losing()
    const off = broadcast.hide('card')
    await replacedAgain()
    await painted(broadcast, 'card', off)
    expect(isGone(await Shot.of(page))).toBe(true)
    await shown()
    await seen(page, isRed)
  })

  test('one that waits for its pictures plays its way in when they are there, also when it is shown twice', async () => {
    bundle('slow', { renderer: 'canvas', deferInitialShow: true }, {}, motionCard(600))
    broadcast.files.set('pictures/blue.png', await picture('#0000ff'))
    // the two seconds that it waits are over too soon for a busy machine
    await page.addInitScript(`
      const timeout = window.setTimeout
      window.setTimeout = (run, ms) => timeout(run, ms === 2_000 ? 60_000 : ms)`)
    await open()
    const gate = newGate()
    let asked = false
    await page.route(/blue\.png$/, async (route) => {
      asked = true
      await gate.opened
      await route.continue()
    })
    give({ bindings: { badge: '/bundles/pictures/blue.png' } })
    broadcast.show('slow', 'slow')
    await until('the picture', () => asked)
    const frame = await frameOf()
    // how far it is in when it is first seen
    const first = frame.evaluate(`new Promise((tell) => {
      const look = () => {
        const canvas = document.querySelector('canvas')
        if (canvas?.className !== 'at-once') return requestAnimationFrame(look)
        requestAnimationFrame(() => {
          const { width, height } = canvas
          const { data } = canvas.getContext('2d').getImageData(0, height >> 1, width, 1)
          let right = width
          while (right > 0 && data[4 * right - 1] === 0) right--
          tell(right)
        })
      }
      look()
    })`)
    // when the test has failed by then
    first.catch(() => {})
    const waited = Date.now()
    const again = broadcast.show('slow', 'slow')
    await until('it would be far in', () => Date.now() > waited + 1_000)
    expect(isGone(await Shot.of(page))).toBe(true)
    gate.open()
    // the page around it reports what says nothing for too long
    await frame.waitForFunction(`document.querySelector('canvas').className === 'at-once'`)
    await painted(broadcast, 'slow', again)
    expect(await first).toBeLessThan(400)
  })

  test('[issue 4.5] it has no origin: neither cookies nor answers of the API reach it', async () => {
    await open()
    await shown()
    const frame = await frameOf()
    expect(await frame.evaluate('self.origin')).toBe('null')
    const cookies = await frame.evaluate(
      `(() => { try { return document.cookie } catch (error) { return error.name } })()`,
    )
    expect(cookies).toBe('SecurityError')
    const elsewhere = await frame.evaluate(
      `fetch('https://example.com/').then(() => 'answered', (error) => error.name)`,
    )
    expect(elsewhere).toBe('TypeError')
    const { headers } = await fetch(`${broadcast.origin}/motion`)
    expect(headers.get('Content-Security-Policy')).toMatch(/^sandbox allow-scripts;/)
  })

  test('a file that cannot be had or read is told, and is shown once it can be', async () => {
    const riv = broadcast.files.get('card/graphic.riv') ?? ''
    broadcast.files.set('card/graphic.riv', new TextEncoder().encode('not a motion file'))
    const time = await PageTime.of(page, broadcast)
    await open('?debug')
    broadcast.show('card', 'card')
    await until('told', async () => (await page.locator('#debug').textContent())?.includes('! card:'))
    broadcast.files.set('card/graphic.riv', riv)
    await time.pictures(500, isRed)
  })
})
