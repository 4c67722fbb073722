import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Problems } from '../../src/realtime/renderers/protocol.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { seriousFindings } from './support/axe.ts'
import { BLOCK, block } from './support/block.ts'
import { type Broadcast, painted } from './support/broadcast.ts'
import { COARSE, like, noChromium, openWindows, seen, type Windows } from './support/chromium.ts'
import { PageTime } from './support/page-time.ts'
import { type Stage, stageForEach } from './support/stage.ts'

const PATIENT = { timeout: 60_000 }

/** A graphic that does what `act` says with its values, and says what it painted. */
const page = (act: string) => `<!doctype html><script>
  const say = (payload) => parent.postMessage({ type: 'READY', payload }, '*')
  const cry = (message) => parent.postMessage({ type: 'ERROR', payload: { message } }, '*')
  addEventListener('message', ({ data: { type, payload } }) => {
    if (type === 'HELLO') return say({ reportsPaint: true })
    const text = payload.variableValues?.title
    ${act}
    say({ seq: payload.seq })
    document.title = payload.seq
  })
</script>`
/** One that leaves the paints to the page around it. */
const quiet = `<!doctype html><script>
  addEventListener('message', ({ data: { type } }) => {
    if (type === 'HELLO') parent.postMessage({ type: 'READY', payload: {} }, '*')
  })
</script>`
/** A page that a program may show or not: out of view it gets no frames. */
const VIEWED = `{
  const frame = requestAnimationFrame
  const held = []
  let hidden = location.hash === '#hidden'
  Object.defineProperty(document, 'hidden', { get: () => hidden })
  globalThis.requestAnimationFrame = (work) => (hidden ? held.push(work) : frame(work))
  globalThis.view = (shown) => {
    hidden = !shown
    document.dispatchEvent(new Event('visibilitychange'))
    if (shown) for (const work of held.splice(0)) frame(work)
  }
}`
const throws = page("if (text === 'throw') nothingOfThisName()")

describe.skipIf(noChromium)('what the overlay page tells the server to be wrong', () => {
  let broadcast: Broadcast
  let overlay: Page
  let open: Stage['open']
  stageForEach((stage) => {
    ;({ broadcast, page: overlay, open } = stage)
    broadcast.bundles.set('throws', throws)
    broadcast.bundles.set('block', block())
  })

  const told = () => broadcast.problems.map(({ graphicId, message }) => `${graphicId}: ${message}`)
  const tells = (...problems: unknown[]) => expect.poll(told, PATIENT).toEqual(problems)
  const thrown = expect.stringMatching(/^a: .*nothingOfThisName is not defined \(index\.html:\d+\)$/)

  test('what a graphic throws, until it paints what comes later', async () => {
    await open()
    await painted(broadcast, 'a', broadcast.show('a', 'throws', { title: 'throw' }))
    await tells(thrown)
    broadcast.update('a', { title: 'throw' })
    await painted(broadcast, 'a', broadcast.update('a', { title: 'throw' }))
    await tells(thrown)
    broadcast.update('a', { title: 'fine' })
    await tells()
  })

  test('and until it is hidden, with what it does on its way out', async () => {
    broadcast.bundles.set('throws', page("if (text === 'throw' || payload.onAir === false) nothingOfThisName()"))
    await open()
    broadcast.show('a', 'throws', { title: 'throw' })
    await tells(thrown)
    broadcast.hide('a')
    await tells()
    broadcast.show('b', 'throws', { title: 'throw' })
    await tells(expect.stringContaining('b: '))
  })

  test('what was given up, until another frame of it works; before it is shown, too', async () => {
    broadcast.bundles.set('mute', '<!doctype html>')
    broadcast.preload = [{ graphicId: 'later', url: broadcast.url('mute') }]
    const time = await PageTime.of(overlay, broadcast)
    await open()
    const silent = (graphicId: string) => new RegExp(`^${graphicId}: no READY in \\d+ s$`)
    const comesToTell = (...problems: RegExp[]) =>
      time.until(`${problems}`, () => {
        const now = told()
        return now.length === problems.length && problems.every((problem, index) => problem.test(now[index] ?? ''))
      })
    await comesToTell(silent('later'))
    broadcast.show('a', 'mute')
    await comesToTell(silent('a'), silent('later'))
    broadcast.hide('a')
    await comesToTell(silent('later'))
    broadcast.show('a', 'mute')
    await comesToTell(silent('a'), silent('later'))
    broadcast.bundles.set('mute', throws)
    await comesToTell(silent('later'))
    broadcast.show('later', 'mute')
    await comesToTell()
  })

  test('again on each new socket, as long as it holds', async () => {
    await open()
    broadcast.show('a', 'throws', { title: 'throw' })
    await tells(thrown)
    await broadcast.stop()
    broadcast.tellings.splice(0)
    await broadcast.start()
    await tells(thrown)
  })

  test('much and unfit text of one is the newest of it, as the server takes it', async () => {
    broadcast.bundles.set(
      'cries',
      page("for (let i = 0; i < 500; i++) cry(i + '\\n\\u0000\\ud83d' + '😀'.repeat(1e4))"),
    )
    await open()
    broadcast.show('a', 'throws', { title: 'throw' })
    broadcast.show('crier', 'cries')
    await tells(thrown, expect.stringMatching(/^crier: 499 😀+$/u))
    for (const problems of broadcast.tellings) Problems.parse({ type: 'PROBLEMS', payload: { problems } })
    expect(broadcast.tellings.length).toBeLessThan(20)
  })

  test('that its program does not show it: after READY, at once when that changes, and on each new socket', async () => {
    await overlay.addInitScript(VIEWED)
    await open('#hidden')
    const outOfView = (is: boolean) => expect.poll(() => broadcast.outOfView, PATIENT).toBe(is)
    await outOfView(true)
    await overlay.evaluate('view(true)')
    await outOfView(false)
    await overlay.evaluate('view(false)')
    await outOfView(true)
    await broadcast.stop()
    broadcast.outOfView = false
    await broadcast.start()
    await outOfView(true)
    for (const problems of broadcast.tellings) expect(problems).toEqual([])
    // as fast as a finger on a scene switcher never is
    const { length } = broadcast.tellings
    await overlay.evaluate('for (let i = 0; i < 101; i++) view(i % 2 === 0)')
    await outOfView(false)
    expect(broadcast.tellings.length - length).toBeLessThan(4)
  })

  test('and reports no paint meanwhile, whatever a graphic says; what it shows by then is reported when it is shown', async () => {
    const time = await PageTime.of(overlay, broadcast)
    await overlay.addInitScript(VIEWED)
    await open('#hidden')
    await expect.poll(() => broadcast.outOfView, PATIENT).toBe(true)
    broadcast.show('a', 'throws', { title: 'fine' })
    const newest = broadcast.update('a', { title: 'fine, too' })
    const inside = () => overlay.frames().find((frame) => frame.url().includes('/bundles/throws/'))
    await expect.poll(() => inside()?.title(), PATIENT).toBe(String(newest))
    // it has said so long before
    await time.pass(4_000)
    expect(broadcast.reports).toEqual([])
    await overlay.evaluate('view(true)')
    await painted(broadcast, 'a', newest)
  })

  test('a server that takes it for a mistake is told no more, and the picture goes on', async () => {
    broadcast.takesProblems = false
    const time = await PageTime.of(overlay, broadcast)
    await open()
    broadcast.show('a', 'throws', { title: 'throw' })
    await time.until('READY again', () => broadcast.readies.length > 1)
    broadcast.show('b', 'block', { colour: 'red' })
    await seen(overlay, (shot) => like(shot.at(BLOCK.x + 20, BLOCK.y + 20), [255, 0, 0, 255]))
    await painted(broadcast, 'a', broadcast.update('a', { title: 'throw' }))
    // in which it would have told
    await time.pass(4_000)
    expect([broadcast.tellings.length, broadcast.readies.length]).toEqual([1, 2])
  })
})

describe.skipIf(noChromium)('what is wrong on a renderer, at the monitoring page and in the control room', () => {
  let browser: Windows
  let production: Production
  let overlay: Page
  let monitor: Page
  let control: Page

  const listed = (where: string, list: string) =>
    monitor.getByRole('region', { name: where, exact: true }).getByRole('list', { name: list, exact: true })
  const atGraphic = () => listed('On air', 'Problems of renderers').getByRole('listitem')
  const atRenderer = () => listed('Renderers', 'Problems').getByRole('listitem')
  const reasons = () => atRenderer().filter({ hasText: 'nothingOfThisName' })
  const saysReason = async () => {
    await expect
      .poll(() => atGraphic().allInnerTexts(), PATIENT)
      .toEqual([expect.stringMatching(/^cam-1-\w+: .*nothingOfThisName is not defined \(index\.html:\d+\)$/)])
    await expect
      .poll(() => reasons().allInnerTexts(), PATIENT)
      .toEqual([expect.stringMatching(/^Lower third for .*: .*nothingOfThisName/)])
  }
  const saysNone = async () => {
    await expect.poll(() => atGraphic().count(), PATIENT).toBe(0)
    await expect.poll(() => reasons().count(), PATIENT).toBe(0)
  }

  beforeAll(async () => {
    browser = await openWindows()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    // the score bug says nothing
    const working = ['lower-third', 'line-up-card', 'result-card']
    const folders = Object.fromEntries(working.map((folder) => [folder, throws]))
    production = await startProduction({ ...folders, 'sponsor-card': quiet })
    overlay = await browser.newPage(COARSE)
    await overlay.addInitScript(VIEWED)
    await overlay.goto(`${production.overlay.url}?renderer=cam-1`)
    monitor = await browser.newPage(COARSE)
    await monitor.goto(production.overlay.monitoringUrl)
    control = await browser.newPage(COARSE)
    await control.goto(production.overlay.controlRoomUrl)
  })
  afterEach(async () => {
    await overlay?.close()
    await monitor?.close()
    await control?.close()
    await production?.close()
  })

  test('says why at the graphic and at the renderer, until an update paints or it is hidden', async () => {
    const { fire } = production
    const atChip = control.locator('.chip', { hasText: 'Head coach' }).locator('.chip-problem')
    await fire('show', 'Head coach', { title: 'throw' })
    await saysReason()
    await expect.poll(() => atChip.textContent(), PATIENT).toMatch(/^cam-1-\w+: .*nothingOfThisName is not defined/)
    expect(await seriousFindings(control)).toEqual([])
    await fire('update', 'Head coach', { title: 'fine' })
    await saysNone()
    await expect.poll(() => atChip.count(), PATIENT).toBe(0)
    await fire('update', 'Head coach', { title: 'throw' })
    await saysReason()
    expect(await seriousFindings(monitor)).toEqual([])
    await monitor.setViewportSize({ width: 1024, height: 768 })
    expect(await seriousFindings(monitor)).toEqual([])
    await fire('hide', 'Head coach')
    await saysNone()
  })

  test('a source that its program does not show is told from one that is late', async () => {
    const says = (where: Page, text: string) => expect.poll(() => where.textContent('main'), PATIENT).toContain(text)
    await says(control, '1 of 1 renderer up to date')
    await overlay.evaluate('view(false)')
    await says(control, '1 renderer out of view')
    await production.fire('show', 'Match partner')
    await says(control, 'Committed · out of view')
    const row = monitor.getByRole('row', { name: /cam-1/ })
    const graphic = monitor.getByRole('region', { name: 'On air', exact: true })
    await expect.poll(() => row.textContent(), PATIENT).toContain('Out of view')
    await expect.poll(() => graphic.textContent(), PATIENT).toContain('Out of view')
    expect([...(await seriousFindings(monitor)), ...(await seriousFindings(control))]).toEqual([])
    await overlay.evaluate('view(true)')
    await says(control, '1 of 1 renderer up to date')
    await expect.poll(() => row.textContent(), PATIENT).toContain('Current')
    await expect.poll(() => graphic.textContent(), PATIENT).toContain('Painted by the renderer')
    const path = `/v2/overlays/${production.overlay.id}/proof-of-play`
    const proof = async () => (await production.call('GET', path)).body.graphics
    await expect
      .poll(proof, PATIENT)
      .toMatchObject([{ gaps: { outOfViewSeconds: expect.toSatisfy((seconds: number) => seconds > 0.5) } }])
  })

  test('says before it is shown what cannot be, and goes with the renderer', async () => {
    const cannot = atRenderer().filter({ hasText: /^Score bug for .*: no READY in \d+ s$/ })
    await expect.poll(() => cannot.count(), PATIENT).toBe(1)
    const metrics = await fetch(`${production.server.origin}/metrics`)
    expect(await metrics.text()).toMatch(/^tally_renderer_problems_total [1-9]/m)
    await overlay.close()
    await expect.poll(() => cannot.count(), PATIENT).toBe(0)
  })
})
