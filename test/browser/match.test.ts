import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clockText, clockValue, type MatchClock } from '../../src/pages/shared/clock.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { until } from './support/broadcast.ts'
import { COARSE, noChromium, openWindows, type Windows } from './support/chromium.ts'

const MINUTE_MS = 60_000
/** A frame of the server may take this long on a busy machine. */
const PATIENCE = { timeout: 30_000 }

/** Notes what the clock shows each time it is painted anew, with the time of the page. */
const WATCH_CLOCK = `
  window.seen_ = []
  const clock = document.getElementById('clock')
  const note = () => window.seen_.push({ text: clock.textContent, at: performance.timeOrigin + performance.now() })
  new MutationObserver(note).observe(clock, { childList: true, characterData: true, subtree: true })
`

describe.skipIf(noChromium)('the demo graphics follow a match that is played over REST', () => {
  let browser: Windows
  let production: Production
  let page: Page
  let bug: Frame

  /** The frame in which the graphic of a preset is on air: one that was only preloaded may still go. */
  const frameOf = (presetName: string) => {
    const { graphicName } = production.preset(presetName)
    const onAir = `document.title === '${graphicName}' && document.documentElement.classList.contains('on')`
    return until(`${graphicName} on air`, async () => {
      for (const frame of page.frames()) if (await frame.evaluate(onAir).catch(() => false)) return frame
      return undefined
    })
  }

  beforeAll(async () => {
    production = await startProduction('built')
    browser = await openWindows()
    page = await browser.newPage(COARSE)
    await page.goto(production.overlay.url)
    await production.fire('show', 'Score bug')
    bug = await frameOf('Score bug')
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  const record = async (fact: object) => {
    const { status, body } = await production.call('POST', `/v2/matches/${production.matchId}/facts`, fact)
    expect([200, 201], JSON.stringify(body)).toContain(status)
    return body as { id: number }
  }
  const clockNow = async () => {
    const { body } = await production.call('GET', `/v2/matches/${production.matchId}`)
    return body.clock as MatchClock
  }
  const read = async (selector: string, frame = bug) => {
    // biome-ignore lint/performance/useDomNodeTextContent: what viewers can see is the question
    const text = await frame.locator(selector).innerText()
    return text.split(/\s+/).join(' ')
  }
  const shows = (text: string, selector = '.bar', frame = bug) =>
    expect.poll(() => read(selector, frame), PATIENCE).toBe(text)

  test('[contract: demo] before the match it shows the teams, no goals and a clock that has not begun', async () => {
    await shows('NOR 0 0 PSR 00:00')
  })

  test('its clock goes on by itself, second by second, as the server has it, and stands at clockStop', async () => {
    await record({ type: 'periodStart' })
    await expect.poll(() => read('#period'), PATIENCE).toBe('1ST HALF')
    await bug.evaluate(WATCH_CLOCK)
    await bug.waitForFunction('window.seen_.length >= 4')
    const running = await clockNow()
    const seen = (await bug.evaluate('window.seen_')) as { text: string; at: number }[]
    // server and browser share this machine's clock; a busy one paints late, but not always, and never early
    const lateMs = seen.map(
      ({ text, at }) => clockValue(running, at) - Number(text.slice(0, 2)) * MINUTE_MS - Number(text.slice(3)) * 1000,
    )
    expect(Math.min(...lateMs)).toBeGreaterThan(-50)
    expect(Math.min(...lateMs)).toBeLessThan(1_000)
    const texts = seen.map(({ text }) => text)
    expect(texts).toEqual([...new Set(texts)].sort())

    await record({ type: 'clockStop' })
    const stood = await clockNow()
    expect(stood.running).toBe(false)
    await record({
      type: 'goal',
      teamId: production.teamIds[0],
      playerId: production.playerIds[production.teamIds[0] ?? 0]?.[10],
    })
    // what came after the stop is there, so the stop is
    await expect.poll(() => read('#home-score'), PATIENCE).toBe('1')
    expect(await read('#clock')).toBe(clockText(stood.valueMs))
    await bug.evaluate('window.seen_ = []; window.from_ = performance.now()')
    await bug.waitForFunction('performance.now() - window.from_ > 1500')
    expect(await bug.evaluate('window.seen_')).toEqual([])
  })

  test('a set clock jumps there; beyond the length of the half it holds and counts the added time', async () => {
    await record({ type: 'clockSet', clockMs: 44 * MINUTE_MS + 59_000 })
    await record({ type: 'clockStart' })
    await expect.poll(() => read('#added-text'), PATIENCE).toMatch(/^\+0:\d\d$/)
    expect(await read('#clock')).toBe('45:00')
    await production.fire('update', 'Score bug', { addedTime: 3 })
    await expect.poll(() => read('.added'), PATIENCE).toMatch(/^\+3 0:\d\d$/)
  })

  test('half time, second half, a correction, full time', async () => {
    await production.fire('update', 'Score bug')
    await record({ type: 'periodEnd' })
    await shows('NOR 1 0 PSR HT')
    await record({ type: 'periodStart' })
    await expect.poll(() => read('.time'), PATIENCE).toMatch(/^45:\d\d 2ND HALF$/)
    const { id } = await record({ type: 'goal', teamId: production.teamIds[1] })
    await expect.poll(() => read('.scores'), PATIENCE).toBe('1 1')
    expect((await production.call('DELETE', `/v2/matches/${production.matchId}/facts/${id}`)).status).toBe(200)
    await expect.poll(() => read('.scores'), PATIENCE).toBe('1 0')
    await record({ type: 'matchEnd' })
    await shows('NOR 1 0 PSR FT')
  })

  test('what an operator sets wins, and gives way again', async () => {
    await production.fire('update', 'Score bug', { homeScore: 3, clock: '90:00', period: 'Abandoned' })
    await shows('NOR 3 0 PSR 90:00 ABANDONED')
    await production.fire('update', 'Score bug')
    await shows('NOR 1 0 PSR FT')
  })

  test('result card and lower third name who scored', async () => {
    await production.fire('show', 'Full-time result')
    const card = await frameOf('Full-time result')
    await shows('Ståhlberg 1’', '#home-scorers', card)
    await production.fire('hide', 'Full-time result')
    await production.fire('show', 'Goal scorer')
    const lowerThird = await frameOf('Goal scorer')
    await shows('STÅHLBERG', '#name', lowerThird)
    await shows('Goal 1’', '#title', lowerThird)
    const [playerId] = production.playerIds[production.teamIds[1] ?? 0] ?? []
    await production.fire('update', 'Goal scorer', { player: playerId ?? 0 })
    await shows('NIKOLA JOVANIĆ', '#name', lowerThird)
    await shows('1 · Port Selwyn Rovers', '#title', lowerThird)
    await production.fire('update', 'Goal scorer')
    await shows('STÅHLBERG', '#name', lowerThird)
    await production.fire('show', 'Head coach')
    await shows('ASTRID HOLMGREN', '#name', lowerThird)
    await shows('Head coach, Norrvik Athletic', '#title', lowerThird)
  })
})
