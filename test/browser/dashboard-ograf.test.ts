import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { manifest, moduleText, zipOf } from '../support/ograf.ts'
import { seriousFindings } from './support/axe.ts'
import { COARSE, like, noChromium, openWindows, seen, type Windows } from './support/chromium.ts'
import { windowOf } from './support/signed-in.ts'

const GREEN = [0, 128, 0, 255] as const

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Full name', default: 'Ann', order: 1 },
    note: { type: 'string', gddType: 'multi-line' },
    accent: { type: 'string', gddType: 'color-rrggbb', pattern: '^#[0-9a-f]{6}$', default: '#008000' },
    side: { type: 'string', gddType: 'select', enum: ['l', 'r'], gddOptions: { labels: { l: 'Left', r: 'Right' } } },
    fill: { type: 'number', gddType: 'percentage', default: 0.25 },
    hold: { type: 'integer', gddType: 'duration-ms' },
    shade: { type: 'string', gddType: 'color-rrggbbaa', pattern: '^#[0-9a-f]{8}$', default: '#00000080' },
    flags: {
      type: 'array',
      gddType: 'select-multiple',
      items: { type: 'string', enum: ['a', 'b'] },
      gddOptions: { labels: { a: 'Flag A', b: 'Flag B' } },
    },
    lines: { type: 'array', items: { type: 'object', properties: { text: { type: 'string', title: 'Text' } } } },
  },
}
const files = {
  'card.ograf.json': manifest({
    id: 'dropped',
    name: 'Dropped card',
    schema,
    stepCount: 2,
    customActions: [{ id: 'highlight', name: 'Highlight' }],
  }),
  'graphic.mjs': moduleText({
    playAction: `this.style.cssText = 'inset:auto;left:300px;top:800px;width:200px;height:200px;overflow:hidden;font-size:0;background:green'`,
  }),
}

describe.skipIf(noChromium)('[issue 20.1] OGraf graphics in the dashboard', () => {
  let production: Production
  let browser: Windows
  let context: BrowserContext
  let page: Page
  const faults: string[] = []

  const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
  const url = (path: string) => `${production.server.origin}/dashboard${path}`
  const choose = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/zip', buffer })

  beforeAll(async () => {
    production = await startProduction()
    browser = await openWindows()
    context = await windowOf(browser, production, 'owner')
    page = await context.newPage()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => message.text().includes('Content Security Policy') && faults.push(message.text()))
    await page.goto(url('/themes/1?show=graphics'))
  })
  afterAll(async () => {
    await browser?.close()
    await production?.close()
  })

  test('an archive that is wrong says why, and where', async () => {
    await choose('bad.zip', zipOf({ ...files, 'card.ograf.json': manifest({ id: 'a/b', main: 'no.mjs' }) }))
    const alert = page.getByRole('alert')
    await alert.getByText('Nothing is imported').waitFor()
    await alert.getByText('card.ograf.json /id: 1 to 255 characters').waitFor()
    await choose('bad.zip', Buffer.from('no zip'))
    await alert.getByText('the archive is broken').waitFor()
    expect(await page.getByRole('row', { name: /OGraf/ }).count()).toBe(0)
  })

  test('a folder that is dropped is on air three clicks later', async () => {
    // what a drop brings: the entries of a folder, as the browser hands them over
    await page.evaluate(
      `(files) => {
        const entry = (name, text) => ({
          name, isFile: true, isDirectory: false,
          file: (resolve) => resolve(new File([text], name)),
        })
        const entries = Object.entries(files).map(([name, text]) => entry(name, text))
        let given = false
        const folder = {
          name: 'card', isFile: false, isDirectory: true,
          createReader: () => ({ readEntries: (resolve) => (resolve(given ? [] : entries), given = true) }),
        }
        const event = new Event('drop', { bubbles: true })
        event.dataTransfer = { items: [{ webkitGetAsEntry: () => folder }], files: [] }
        document.querySelector('.drop-box').dispatchEvent(event)
      }`
        .replace(/^/, '(')
        .concat(
          `)(${JSON.stringify(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? content : JSON.stringify(content)])))})`,
        ),
    )
    await page.getByText('Imported: Dropped card.').waitFor()
    await page.getByRole('row', { name: /Dropped card OGraf/ }).waitFor()
    expect(await seriousFindings(page)).toEqual([])

    const screen = await context.newPage()
    await screen.setViewportSize({ width: 1920, height: 1080 })
    await screen.goto(production.overlay.url)
    // one
    await press(/Publish, and add to the control room/)
    const link = page.getByRole('link', { name: /Open the control room of/ }).first()
    await link.waitFor()
    // two
    const [desk] = await Promise.all([context.waitForEvent('page'), link.click()])
    // three
    await desk
      .getByRole('button', { name: /Dropped card/ })
      .first()
      .click()
    await seen(screen, (shot) => like(shot.at(400, 900), GREEN))
    // the operator goes on
    await desk.getByText('Step 1 of 2').waitFor()
    await desk.getByRole('button', { name: 'Next step' }).click()
    await desk.getByText('Step 2 of 2').waitFor()
    await desk.getByRole('button', { name: 'Highlight' }).click()
    const calls = () =>
      screen
        .frames()
        .find((frame) => frame.url().includes('/ograf?manifest='))
        ?.evaluate('document.querySelector("ograf-graphic").calls.slice(-2)')
    await expect.poll(calls).toEqual(['playAction {"goto":1}', 'customAction {"id":"highlight"}'])
    await desk.getByRole('button', { name: 'Next: off air' }).click()
    await seen(screen, (shot) => shot.at(400, 900)[3] === 0)
    await desk.close()
    await screen.close()
  })

  test('its preset has an editor for each kind of value, and what is set is what is shown', async () => {
    const { body } = await production.call('GET', `/v2/control-rooms/${production.controlRoomId}`)
    const presets = body.presets as { id: number; name: string }[]
    const id = presets.find(({ name }) => name === 'Dropped card')?.id
    await page.goto(url(`/control-rooms/${production.controlRoomId}`))
    await press('Change Dropped card')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Full name', { exact: true }).fill('Bea')
    await dialog.getByLabel('Note', { exact: true }).fill('two\nlines')
    await dialog.getByLabel('Side', { exact: true }).selectOption({ label: 'Right' })
    await dialog.getByLabel('Accent', { exact: true }).fill('#ff0000')
    // a quarter is 25 %, and 83.5 seconds are 1:23.5
    const share = dialog.getByLabel('Fill', { exact: true })
    expect(await share.inputValue()).toBe('25 %')
    await dialog.getByRole('button', { name: 'Fill plus one' }).click()
    expect(await share.inputValue()).toBe('26 %')
    await dialog.getByLabel('Hold', { exact: true }).fill('1:23.5')
    await dialog.getByLabel('Shade, opacity').fill('64')
    await dialog.getByLabel('Flag B').check()
    await dialog.getByRole('button', { name: 'Add to Lines' }).click()
    await dialog.getByLabel('Text', { exact: true }).fill('first')
    await dialog.getByRole('button', { name: 'Add to Lines' }).click()
    await dialog.getByRole('button', { name: 'Remove Lines 2' }).click()
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const stored = await production.call('GET', `/v2/control-rooms/${production.controlRoomId}/presets`)
    const saved = (stored.body as unknown as { id: number; variableValues: object }[]).find((one) => one.id === id)
    expect(saved?.variableValues).toEqual({
      name: 'Bea',
      note: 'two\nlines',
      side: 'r',
      accent: '#ff0000',
      fill: 0.26,
      hold: 83_500,
      shade: '#00000040',
      flags: ['b'],
      lines: [{ text: 'first' }],
    })
    expect(faults).toEqual([])
  })

  test('its preview shows it, with the values that are tried', async () => {
    await page.goto(url('/themes/1?show=graphics'))
    await page
      .getByRole('row', { name: /Dropped card/ })
      .getByRole('button', { name: /Preview/ })
      .click()
    const address = await page.getByRole('dialog').getByRole('link').first().getAttribute('href')
    const looked = await (await browser.newContext(COARSE)).newPage()
    await looked.goto(address ?? '')
    const hosted = () => looked.frames().find((frame) => frame.url().includes('/ograf?manifest='))
    await expect
      .poll(() => hosted()?.evaluate('document.querySelector("ograf-graphic")?.calls?.length ?? 0'), {
        timeout: 20_000,
      })
      .toBeGreaterThanOrEqual(2)
    await looked.close()
  })

  test('[show-control: Records] a page of code is dropped, checked and put to use; dropped again it is the same graphic', async () => {
    await page.goto(url('/themes/1?show=graphics'))
    const alert = page.getByRole('alert')
    const graphics = async () => {
      const { body } = await production.call('GET', '/v2/themes/1')
      return (body.graphics as { graphicId: string; name: string }[])
        .filter(({ name }) => name === 'Dropped page')
        .map(({ graphicId }) => graphicId)
    }
    const bundleOf = async (graphicId = '') =>
      (await production.call('GET', `/v2/themes/1/code-graphics/${graphicId}`)).body
    const page_ = (text: string) => ({
      'graphic.json': { name: 'Dropped page', sports: ['football'] },
      'index.html': `<!doctype html><title>Card</title><link rel="stylesheet" href="card/card.css"><p>${text}</p>`,
      'card/card.css': 'p { color: green }',
      // what file systems leave
      '__MACOSX/index.html': 'x',
      '.DS_Store': 'x',
    })
    await choose('notes.zip', zipOf({ 'readme.txt': 'Nothing here' }))
    await alert.getByText('There is no graphic in it').waitFor()
    await choose('half.zip', zipOf({ 'graphic.json': { name: 'Dropped page' }, 'card.css': '' }))
    await alert.getByText('index.html: the entry is missing').waitFor()
    await choose('broken.zip', zipOf({ ...page_('x'), 'graphic.json': '{"name":' }))
    await alert.getByText('graphic.json is not JSON').waitFor()
    // nothing of them is left
    expect(await graphics()).toEqual([])

    await choose('page.zip', zipOf(page_('first')))
    await page.getByText('Imported: Dropped page.').waitFor()
    await page.getByRole('row', { name: /Dropped page Code/ }).waitFor()
    await press(/Publish, and add to the control room/)
    await page.getByText(/Dropped page.*: in use with version/).waitFor()
    const room = await production.call('GET', `/v2/control-rooms/${production.controlRoomId}`)
    expect((room.body.presets as { name: string }[]).filter(({ name }) => name === 'Dropped page').length).toBe(1)
    const [made] = await graphics()
    const before = await bundleOf(made)

    await choose('page.zip', zipOf(page_('second')))
    await page.getByText('Imported: Dropped page.').waitFor()
    expect(await graphics()).toEqual([made])
    expect(await bundleOf(made)).not.toEqual(before)
    expect(faults).toEqual([])
  })
})
