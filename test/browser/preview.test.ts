import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Designer, localFile, newDesigner } from '../resources/code-graphics-support.ts'
import { type Production, startProduction } from '../resources/support.ts'
import type { TestApp } from '../support/app.ts'
import { BLOCK, block, mute, thrower } from './support/block.ts'
import { type Colour, like, noChromium, openWindows, Shot, seen, type Windows } from './support/chromium.ts'

const SCENARIOS = ['football-pre-match', 'football-goal', 'football-full-time', 'tennis-tie-break']
const MIDDLE = { x: BLOCK.x + 20, y: BLOCK.y + 20 }
const RED: Colour = [255, 0, 0, 255]
const BLUE: Colour = [0, 0, 255, 255]

let browser: Windows
let app: TestApp
let demo: Production
let designer: Designer
let page: Page
/** What the browser complained of. */
let complaints: string[]
/** Hosts that were asked for anything. */
let hosts: Set<string>

describe.skipIf(noChromium)('the preview of a graphic', () => {
  beforeAll(async () => {
    demo = await startProduction('built')
    app = demo.server
    designer = await newDesigner(app)
    browser = await openWindows()
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.close()
  })
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1920, height: 1080 } })
    complaints = []
    hosts = new Set()
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('requestfailed', (request) => complaints.push(request.url()))
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
  })
  afterEach(() => page.close())

  async function addressOf(graphicId: string, body: object = {}, key = demo.apiKey, themeId = demo.themeId) {
    const path = `/v2/themes/${themeId}/code-graphics/${graphicId}/previews`
    const answer = await app.call('POST', path, { key, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return String(answer.body.url)
  }
  const graphicOf = (preset: string) => demo.presets.find(({ name }) => name === preset)?.graphicId ?? ''

  /** The address of a graphic whose page is this; published when it is to have a version. */
  async function made(html: string, published?: string, stateMachine?: object) {
    const name = createHash('sha256').update(`${html}${published}`).digest('hex').slice(0, 20)
    const { graphicId } = await designer.create(name, stateMachine ? { stateMachine } : {})
    if (published !== undefined) {
      await designer.upload(graphicId, [localFile('index.html', published)])
      await designer.publish(graphicId)
    }
    await designer.upload(graphicId, [localFile('index.html', html)])
    return addressOf(graphicId, {}, designer.key, designer.themeId)
  }

  const onAir = () => page.waitForSelector('#status.air')

  test.each([
    ['Score bug', {}, 4],
    ['Goal scorer', { about: 'lastGoal' }, 4],
    ['Home line-up', { team: 'away' }, 2],
    ['Full-time result', {}, 4],
    ['Match partner', { sponsor: 'Fjordline Coffee' }, 1],
  ])(
    '[issue 4.8] %s renders in every situation, and looks as the situation says',
    async (preset, variableValues, looks) => {
      const url = await addressOf(graphicOf(preset), { variableValues })
      const pictures: Shot[] = []
      for (const scenario of SCENARIOS) {
        await page.goto(`${url}?clean&scenario=${scenario}`)
        await page.waitForSelector(`body[data-painted="${scenario}"]`, { state: 'attached', timeout: 30_000 })
        const shot = await Shot.of(page)
        expect(shot.painted, scenario).toBeGreaterThan(5_000)
        // nothing but the graphic
        expect(shot.at(1, 1)[3]).toBe(0)
        if (!pictures.some((picture) => picture.equals(shot))) pictures.push(shot)
      }
      expect(pictures.length).toBeGreaterThanOrEqual(looks)
      expect(complaints).toEqual([])
      expect(hosts.size).toBe(1)
    },
  )

  test('[issue 4.8] shows scenarios, versions and values, and is worked with the keyboard alone', async () => {
    await page.goto(await addressOf(graphicOf('Score bug'), { scenarioId: 'football-live' }))
    await onAir()
    const bug = page.frameLocator('#stage iframe').first()
    await expect.poll(() => bug.locator('#home-score').textContent()).toBe('1')
    await expect.poll(() => bug.locator('#clock').textContent()).toMatch(/^34:\d\d$/)

    await page.keyboard.press(']')
    await expect.poll(() => bug.locator('#home-score').textContent()).toBe('2')
    await expect.poll(() => page.textContent('#status')).toContain('taken the lead again')

    await page.keyboard.press('o')
    await expect.poll(() => page.textContent('#status')).toBe('Off air')
    await expect.poll(() => page.evaluate('document.body.classList.contains("on-air")')).toBe(false)
    await page.keyboard.press('i')
    await onAir()

    await page.getByLabel('homeScore').fill('42')
    await expect.poll(() => bug.locator('#home-score').textContent()).toBe('42')
    await page.getByLabel('homeScore').fill('')
    await expect.poll(() => bug.locator('#home-score').textContent()).toBe('2')

    await page.getByLabel('accentColor', { exact: true }).fill('#ff00aa')
    const accent = () =>
      page
        .frames()
        .find((frame) => frame.url().includes('/bundles/'))
        ?.evaluate<string>('getComputedStyle(document.documentElement).getPropertyValue("--accentColor").trim()')
    await expect.poll(accent).toBe('#ff00aa')

    await page.getByLabel('Sport').selectOption('basketball')
    await expect.poll(() => bug.locator('#home-name').textContent()).toBe('LIE')
    expect(await page.locator('#scenarios input:checked').getAttribute('value')).toContain('basketball-')
    // every control is reached, and the focus is seen
    await page.keyboard.press('Tab')
    const outline = () => page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
    const reached = new Set<string>()
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab')
      const id = await page.evaluate<string>('document.activeElement.id')
      if (['in', 'update', 'out', 'background', 'guides', 'clean', 'version', 'reset', 'reset-theme'].includes(id)) {
        reached.add(id)
        expect(await outline(), id).toBe('solid')
      }
    }
    expect(reached.size).toBe(9)
    expect(complaints).toEqual([])
    expect(hosts.size).toBe(1)
  })

  test('[issue 4.5] the working copy is another picture than the version that is published', async () => {
    const solid = (colour: string) => block({ mark: colour }).replace('payload.variableValues.colour', `'${colour}'`)
    await page.goto(await made(solid('rgb(255,0,0)'), solid('rgb(0,0,255)')))
    await onAir()
    const at = async () => {
      const box = await page.locator('#picture').boundingBox()
      if (!box) throw new Error('there is no picture')
      return {
        x: Math.round(box.x + (MIDDLE.x * box.width) / 1920),
        y: Math.round(box.y + (MIDDLE.y * box.width) / 1920),
      }
    }
    const { x, y } = await at()
    await seen(page, (shot) => like(shot.at(x, y), RED))
    await page.getByLabel('Version').selectOption('1')
    await seen(page, (shot) => like(shot.at(x, y), BLUE))
    await page.getByLabel('Version').selectOption('working')
    await seen(page, (shot) => like(shot.at(x, y), RED))
  })

  test('a control variable of an entity type is chosen from what the scenario has', async () => {
    const tells = `<script>addEventListener('message', ({ data: { type, payload } }) => {
      if (type === 'HELLO') return parent.postMessage({ type: 'READY', payload: {} }, '*')
      if (payload.data) document.body.textContent = payload.data.selected?.scorer?.lastName ?? 'nobody'
    })</script><body></body>`
    const controlVariables = [{ id: 'scorer', name: 'scorer', type: 'player' }]
    await page.goto(await made(tells, undefined, { runtime: { entry: 'index.html' }, controlVariables }))
    await onAir()
    const body = page.frameLocator('#stage iframe').first().locator('body')
    await expect.poll(() => body.textContent()).toContain('nobody')
    const picker = page.getByLabel('scorer')
    expect(await picker.locator('optgroup').count()).toBe(2)
    await picker.selectOption({ label: '10  Dmytro Kravets' })
    await expect.poll(() => body.textContent()).toContain('Kravets')
    // who played there is nobody here, nor when the first sport is back
    await page.getByLabel('Sport').selectOption('tennis')
    await expect.poll(() => body.textContent()).toContain('nobody')
    await page.getByLabel('Sport').selectOption('football')
    await expect.poll(() => page.getByLabel('scorer').locator('optgroup').count()).toBe(2)
    await expect.poll(() => body.textContent()).toContain('nobody')
  })

  test('a graphic that breaks or never answers says so', async () => {
    await page.goto(await made(mute))
    await page.waitForSelector('#status.problem')
    await expect.poll(() => page.textContent('#status')).toContain('does not answer')
    const reports = thrower.replace(
      "throw new Error('broken graphic')",
      "parent.postMessage({ type: 'ERROR', payload: { message: 'broken graphic' } }, '*')",
    )
    await page.goto(await made(reports))
    await page.waitForSelector('#status.problem')
    await expect.poll(() => page.textContent('#status')).toContain('broken graphic')
  })

  test('an address that nobody was given opens nothing', async () => {
    const answer = await page.goto(`${app.origin}/preview/${'a'.repeat(43)}`)
    expect(answer?.status()).toBe(404)
  })
})
