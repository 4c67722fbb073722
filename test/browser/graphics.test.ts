import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { demoGraphics } from '../support/demo-theme.ts'
import { Broadcast, painted, until } from './support/broadcast.ts'
import { noChromium, openWindows, Shot, seen, type Windows } from './support/chromium.ts'
import { demoData } from './support/demo-data.ts'

/** 5 % of each side: what every viewer's screen shows. */
const SAFE = { left: 96, top: 54, right: 1920 - 96, bottom: 1080 - 54 }
const MISSING = 'Бартоломій Папастатопулос-Чемберлен де ла Крус Ґонсалес і ще трохи'

let browser: Windows
let broadcast: Broadcast
let page: Page

describe.skipIf(noChromium)('the designed graphics', () => {
  beforeAll(async () => {
    browser = await openWindows()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    broadcast = new Broadcast()
    broadcast.data = demoData
    await broadcast.start()
    page = await browser.newPage({ viewport: { width: 1920, height: 1080 } })
  })
  afterEach(async () => {
    await page.close()
    await broadcast.stop()
  })

  /** Opens the page with one graphic on air, so that it is settled. */
  const settled = async (folder: string, values: Record<string, unknown> = {}): Promise<Frame> => {
    const seq = broadcast.show(folder, folder, values)
    await page.goto(broadcast.page())
    await painted(broadcast, folder, seq)
    return until('its frame', () => page.frames().find((frame) => frame.url().includes(`/${folder}/`)))
  }
  const change = async (folder: string, values: Record<string, unknown>) =>
    painted(broadcast, folder, broadcast.update(folder, values))

  test.each(demoGraphics)(
    '$name is inside the safe area, asks only its own folder, and leaves nothing behind',
    async ({ folder }) => {
      const asked: string[] = []
      const failed: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      page.on('requestfailed', (request) => failed.push(request.url()))
      page.on('console', (message) => message.type() === 'error' && failed.push(message.text()))
      await settled(folder, {
        name: 'Sam Okafor',
        title: 'Commentary',
        sponsor: 'Meridian Bank',
        tagline: 'Proud partner',
      })
      const { box } = await Shot.of(page)
      expect(box.left).toBeGreaterThanOrEqual(SAFE.left)
      expect(box.top).toBeGreaterThanOrEqual(SAFE.top)
      expect(box.right).toBeLessThanOrEqual(SAFE.right)
      expect(box.bottom).toBeLessThanOrEqual(SAFE.bottom)
      expect(box.right - box.left).toBeGreaterThan(250)
      const elsewhere = () =>
        asked.filter((path) => !path.startsWith(`/bundles/${folder}/`) && !path.startsWith('/overlay/'))
      // one after the other, beside all else
      await until('the time, thrice', () => elsewhere().length >= 3)
      expect(elsewhere()).toEqual(['/time', '/time', '/time'])
      expect(failed).toEqual([])
      broadcast.hide(folder)
      await seen(page, (shot) => shot.painted === 0)
    },
  )

  test.each(demoGraphics)('$name survives missing data and names that are too long', async ({ folder }) => {
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    broadcast.data = {}
    const frame = await settled(folder)
    broadcast.data = demoData
    await painted(
      broadcast,
      folder,
      broadcast.show(folder, folder, {
        name: MISSING,
        title: MISSING,
        sponsor: MISSING,
        tagline: MISSING,
        headline: MISSING,
        team: 'away',
        period: MISSING,
        clock: '104:31',
        homeScore: 112,
        awayScore: 98,
        addedTime: 12,
      }),
    )
    expect((await Shot.of(page)).box.right).toBeLessThanOrEqual(SAFE.right)
    const cut = await frame.evaluate(
      `Array.from(document.querySelectorAll('.fit')).filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).textOverflow !== 'ellipsis').length`,
    )
    expect(cut).toBe(0)
    expect(errors).toEqual([])
  })

  test('the score bug reads the match, and a variable that is set wins over it', async () => {
    const frame = await settled('score-bug', {
      homeScore: null,
      awayScore: null,
      clock: null,
      period: null,
      showClock: true,
    })
    // biome-ignore lint/performance/useDomNodeTextContent: what viewers can see is the question
    const read = async () => (await frame.locator('.bar').innerText()).split(/\s+/).join(' ')
    expect(await read()).toBe('HAR 2 1 NGU 67:22 2ND HALF')
    await change('score-bug', { homeScore: 3, awayScore: 1, clock: '90:00', period: 'Full time', showClock: true })
    expect(await read()).toBe('HAR 3 1 NGU 90:00 FULL TIME')
    await change('score-bug', { showClock: false })
    expect(await read()).toBe('HAR 2 1 NGU')
  })

  test('the clock runs on the server time, cumulative past 45 minutes, and stands when the match clock stands', async () => {
    // of half a minute ago, so that one that begins with the value is not taken for it, however late one looks
    const asOf = new Date(Date.now() - 30_000).toISOString()
    const clock = { running: true, valueMs: 44 * 60_000 + 31_000, asOf, direction: 'up' as const }
    broadcast.data = { ...demoData, match: { ...demoData.match, clock } }
    const frame = await settled('score-bug')
    const text = () => frame.locator('#clock').textContent()
    const first = await text()
    expect(first).toMatch(/^45:[0-4]\d$/)
    await frame.waitForFunction(`document.getElementById('clock').textContent !== '${first}'`)
    expect(((await text()) ?? '') > (first ?? '')).toBe(true)
  })

  const match = demoData.match
  const half = { number: 1, type: 'half', name: '1st half', endMs: 2_700_000 }
  const stands = (valueMs: number, direction: 'up' | 'down' = 'up') => ({ ...match.clock, valueMs, direction })
  const untimed = { ...match.config, useClock: false }
  test.each([
    ['[domain 2] half time', { state: 'break', period: half }, 'HT'],
    [
      '[domain 2] added time beyond the half',
      { period: half, clock: stands(2_700_000 + 83_000) },
      '45:00 1ST HALF +1:23',
    ],
    [
      'no added time where the sport counts on',
      { period: half, clock: stands(2_783_000), config: { ...match.config, injuryTime: false } },
      '46:23 1ST HALF',
    ],
    [
      'a clock that stops at the length',
      { period: half, clock: stands(2_783_000), config: { ...match.config, endBehaviour: 'stopAtLength' as const } },
      '45:00 1ST HALF',
    ],
    ['a clock that counts down', { period: { ...half, endMs: 0 }, clock: stands(59_001, 'down') }, '01:00 1ST HALF'],
    ['full time', { state: 'finished' }, 'FT'],
    [
      'after extra time',
      { state: 'finished', period: { ...half, number: 4, type: 'overtime' } },
      'FT AFTER EXTRA TIME',
    ],
    [
      'after a shoot-out',
      {
        state: 'finished',
        period: { ...half, number: 5, type: 'shootout', name: 'Shoot-out' },
        situation: { shootout: { home: 4, away: 3 } },
      },
      'FT SHOOT-OUT 4–3',
    ],
    [
      'the break of extra time',
      { state: 'break', period: { ...half, number: 3, type: 'overtime', name: 'Extra time 1' } },
      'END OF EXTRA TIME 1',
    ],
    ['a match that is put off', { state: 'postponed', period: null }, 'POSTPONED'],
    [
      'a shoot-out',
      {
        period: { ...half, number: 5, type: 'shootout', name: 'Shoot-out' },
        situation: { shootout: { home: 4, away: 3 } },
      },
      '4–3 SHOOT-OUT',
    ],
    [
      'tennis',
      {
        sport: 'tennis',
        config: untimed,
        period: { ...half, number: 3, type: 'set', name: 'Set 3', endMs: null },
        situation: { points: { home: '40', away: 'Ad' }, games: { home: 4, away: 3 }, server: 'away', tieBreak: false },
      },
      '40–Ad SET 3 · 4–3',
    ],
    [
      'cricket',
      { sport: 'cricket', config: untimed, situation: { runs: 142, wickets: 6, overs: '17.3', target: 188 } },
      '142/6 17.3 OV · TARGET 188',
    ],
    [
      '[issue 18.6] cricket between its innings, of which there is no half time',
      { sport: 'cricket', config: untimed, state: 'break', period: { ...half, type: 'innings', name: '1st innings' } },
      'END OF 1ST INNINGS',
    ],
    ['[issue 18.6] the end of a tennis match', { sport: 'tennis', config: untimed, state: 'finished' }, 'Result'],
  ] satisfies [string, Partial<typeof match>, string][])(
    'the score bug tells the time: %s',
    async (_, changes, text) => {
      broadcast.data = { ...demoData, match: { ...match, ...changes } }
      const frame = await settled('score-bug', { showClock: true })
      const shown = await Promise.all(['.time', '.added.given'].map((one) => frame.locator(one).allInnerTexts()))
      expect(shown.flat().join(' ').split(/\s+/).join(' ')).toBe(text)
      expect(await frame.locator('.in-play').count()).toBe(text.startsWith('40') ? 1 : 0)
    },
  )

  test('the line-up card lists eleven starters with the captain and the bench of the side it is asked for', async () => {
    const frame = await settled('line-up-card', { team: 'away' })
    expect(await frame.locator('#starters li').count()).toBe(11)
    expect(await frame.locator('#substitutes li').count()).toBe(7)
    expect(await frame.locator('.captain').count()).toBe(1)
    expect(await frame.locator('#team-name').textContent()).toBe('Northgate United')
  })

  test('the result card gives each goal to the side it counts for', async () => {
    const frame = await settled('result-card', { headline: 'Full time' })
    expect(await frame.locator('#home-scorers li').allInnerTexts()).toEqual(['Højberg 23’', 'O’Rourke 61’ (og)'])
    expect(await frame.locator('#away-scorers li').allInnerTexts()).toEqual(['Pavlović 45+2’ (pen)'])
  })

  test('the result card puts a goal that was entered late at its minute, and keeps players of one surname apart', async () => {
    const [goal] = demoData.facts
    if (!goal) throw new Error('the demo has no goal')
    const late = { ...goal, id: 4, playerId: 110, minute: 12 }
    const twice = { ...goal, id: 5, period: 2, minute: 45, addedMinute: null }
    broadcast.data = { ...demoData, facts: [twice, ...demoData.facts, late] }
    const frame = await settled('result-card', { headline: 'Full time' })
    expect(await frame.locator('#home-scorers li').allInnerTexts()).toEqual([
      'Højberg 12’',
      'Højberg 23’, 45’',
      'O’Rourke 61’ (og)',
    ])
  })

  test('the result card tells the kicks of a shoot-out, which are no goals', async () => {
    const [goal] = demoData.facts
    if (!goal) throw new Error('the demo has no goal')
    const kick = { ...goal, id: 6, period: 5, periodType: 'shootout', minute: 121, playerName: 'Kicker', playerId: 111 }
    const period = { number: 5, type: 'shootout', name: 'Shoot-out', endMs: null }
    const situation = { shootout: { home: 4, away: 3 } }
    broadcast.data = {
      ...demoData,
      match: { ...match, state: 'finished', period, situation },
      facts: [...demoData.facts, kick],
    }
    const frame = await settled('result-card')
    expect(await frame.locator('#home-scorers li').allInnerTexts()).toEqual(['Højberg 23’', 'O’Rourke 61’ (og)'])
    expect(await frame.locator('#competition').textContent()).toBe('Premier Division · Round 12 · Shoot-out 4–3')
  })

  test('the result card has room for eight scorers of a side, in any direction of writing', async () => {
    const [goal] = demoData.facts
    if (!goal) throw new Error('the demo has no goal')
    const eight = Array.from({ length: 8 }, (_, index) => ({
      ...goal,
      id: index,
      playerId: index,
      playerName: 'الفاسي',
      minute: 10 + index,
    }))
    broadcast.data = { ...demoData, facts: eight }
    const frame = await settled('result-card')
    expect(await frame.locator('#home-scorers li').count()).toBe(8)
    expect((await Shot.of(page)).box.top).toBeGreaterThanOrEqual(SAFE.top)
    const name = await frame.locator('#home-scorers li bdi').first().boundingBox()
    const minute = await frame.locator('#home-scorers li b').first().boundingBox()
    expect(minute?.x).toBeGreaterThanOrEqual((name?.x ?? 1920) + (name?.width ?? 0))
  })

  test.each([15, 18])(
    '[issue 18.6] the line-up card shows all %i of a side that starts with more than eleven',
    async (count) => {
      const { away } = demoData.lineups
      const players = demoData.lineups.home.players.map((player, index) => ({ ...player, starting: index < count }))
      broadcast.data = { ...demoData, lineups: { away, home: { players } } }
      const frame = await settled('line-up-card', { team: 'home' })
      expect(await frame.locator('#starters li').count()).toBe(count)
      const card = await frame.locator('main').boundingBox()
      const last = await frame.locator('#starters li').last().boundingBox()
      expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((card?.y ?? 0) + (card?.height ?? 0))
    },
  )

  const quarter = { number: 2, type: 'quarter', name: '2nd quarter', endMs: 0 }
  const basketball = { ...match, sport: 'basketball', period: quarter, config: { ...match.config, periodCount: 4 } }
  const three = {
    ...demoData.scoringFacts[0],
    type: 'threePointer',
    minute: 8,
  } as (typeof demoData.scoringFacts)[number]
  test.each([
    [{ about: 'lastGoal', scores: 'threePointer' }, ['Højberg', 'Three-pointer 8’']],
    [{ about: 'lastGoal', scores: 'dunk' }, ['Harbour City 2–1 Northgate United', 'No dunk yet']],
    [{ about: 'teamFouls', player: 1 }, ['Harbour City 4–3 Northgate United', 'Team fouls']],
    [{ about: 'match' }, ['Harbour City 2–1 Northgate United', '2nd quarter']],
    [{ title: 'Time-out', team: 'away' }, ['Northgate United', 'Time-out']],
  ])('[issue 18.6] the lower third is about what a sport asks for: %j', async (values, words) => {
    broadcast.data = {
      ...demoData,
      match: { ...basketball, situation: { teamFouls: { home: 4, away: 3 } } },
      scoringFacts: [three, { ...three, id: 9, type: 'freeThrow', playerName: 'Fraser', minute: 11 }],
    }
    const frame = await settled('lower-third', values)
    expect(await Promise.all(['#name', '#title'].map((one) => frame.locator(one).textContent()))).toEqual(words)
  })

  test.each([
    [{ state: 'break' }, 'Half time'],
    [{ state: 'break', period: { ...quarter, number: 3, name: '3rd quarter' } }, 'End of 3rd quarter'],
    [{ state: 'finished' }, 'Final score'],
    [{ period: null }, ''],
  ])('[issue 18.6] what stands above a result follows the match: %j', async (changes, headline) => {
    broadcast.data = { ...demoData, match: { ...basketball, ...changes } }
    const frame = await settled('result-card')
    expect(await frame.locator('#headline').textContent()).toBe(headline)
  })

  test('[issue 18.6] the result card of a rugby match has its tries, and the statistics of cricket no percent that is none', async () => {
    const [goal] = demoData.facts
    if (!goal) throw new Error('the demo has no goal')
    broadcast.data = {
      ...demoData,
      facts: [
        { ...goal, type: 'try' },
        { ...goal, type: 'conversion', minute: 24 },
      ],
      statistics: { home: { runRate: 8.4, possession: 52 }, away: { runRate: 7.9, possession: 48 } },
    }
    const result = await settled('result-card')
    expect(await result.locator('#home-scorers li').allInnerTexts()).toEqual(['Højberg 23’ (try)'])
    const card = await settled('statistics-card', { rows: 'runRate, possession' })
    expect(await card.locator('.value').allTextContents()).toEqual(['8.4', '7.9', '52%', '48%'])
  })

  test('the line-up card marks a player who has no number', async () => {
    const [player] = demoData.lineups.home.players
    if (!player) throw new Error('the demo has no line-up')
    const { away } = demoData.lineups
    broadcast.data = { ...demoData, lineups: { away, home: { players: [{ ...player, number: '' }] } } }
    const frame = await settled('line-up-card', { team: 'home' })
    expect(await frame.locator('#starters .number').allInnerTexts()).toEqual(['–'])
  })

  test('the line-up card leaves the score bug its place, and breaks a name that is one word too long', async () => {
    const bug = await (await settled('score-bug', { showClock: true })).locator('main').boundingBox()
    const word = 'Llanfairpwllgwyngyllgogerychwyrndro'
    const { home, away } = demoData.teams
    broadcast.data = { ...demoData, teams: { away, home: home && { ...home, gfxFullName: word } } }
    const frame = await settled('line-up-card', { team: 'home' })
    const card = await frame.locator('main').boundingBox()
    expect(card?.y).toBeGreaterThan((bug?.y ?? 1080) + (bug?.height ?? 0))
    expect(await frame.locator('#team-name').textContent()).toBe(word)
    expect(
      await frame.evaluate(
        `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.getElementById('team-name'))`,
      ),
    ).toBe(0)
  })

  test('[versioning.7] theme variables colour every graphic: hex or ARGB; any other value changes nothing', async () => {
    const frame = await settled('lower-third', { name: 'Sam Okafor' })
    const wear = async (seq: number, themeVariables: object) => {
      broadcast.raw({
        type: 'GRAPHIC_UPDATE',
        payload: { graphicId: 'lower-third', onAir: true, sport: 'football', seq, themeVariables },
      })
      await painted(broadcast, 'lower-third', seq)
      const colour = (part: string) =>
        frame.evaluate(`getComputedStyle(document.querySelector('${part}')).backgroundColor`)
      return [await colour('.edge'), await colour('.name')]
    }
    expect(await wear(9, { accentColor: '#ff0080', primaryColor: 'url(https://x.test/)' })).toEqual([
      'rgb(255, 0, 128)',
      'rgb(11, 16, 32)',
    ])
    expect(await wear(10, { accentColor: 0xff00ff00, primaryColor: 'red' })).toEqual([
      'rgb(0, 255, 0)',
      'rgb(11, 16, 32)',
    ])
    expect(await wear(11, { accentColor: '16711680', primaryColor: '4294901760' })).toEqual([
      'rgb(0, 255, 0)',
      'rgb(11, 16, 32)',
    ])
  })

  test('[browser-source 2] a hidden source jumps to the settled state, and misses no state', async () => {
    await page.addInitScript(`Object.defineProperty(document, 'hidden', { get: () => window.hidden_ === true })`)
    const frame = await settled('score-bug', { homeScore: 0 })
    await frame.evaluate('hidden_ = true')
    broadcast.update('score-bug', { homeScore: 1 })
    broadcast.update('score-bug', { homeScore: 2, addedTime: 4 })
    await frame.locator('#home-score', { hasText: '2' }).waitFor()
    expect(await frame.evaluate('document.getAnimations().length')).toBe(0)
    await frame.evaluate(`hidden_ = false; document.dispatchEvent(new Event('visibilitychange'))`)
    expect(await frame.evaluate('document.getAnimations().length')).toBe(0)
    await change('score-bug', { homeScore: 3 })
    expect(await frame.locator('#home-score').textContent()).toBe('3')
  })

  test('without an overlay page around it CasparCG and SPX fire the same bundle by their globals', async () => {
    await page.goto(`${broadcast.origin}${broadcast.url('lower-third')}`)
    await page.evaluate(`update(JSON.stringify({ name: 'Sam Okafor', title: 'Commentary' })); play()`)
    await seen(page, (shot) => shot.painted > 1_000)
    expect(await page.locator('#name').textContent()).toBe('Sam Okafor')
    await page.evaluate(
      `update('<templateData><componentData id="title"><data id="text" value="Summariser"/></componentData></templateData>')`,
    )
    expect(await page.locator('#title').textContent()).toBe('Summariser')
    await page.evaluate('stop()')
    await seen(page, (shot) => shot.painted === 0)
  })
})
