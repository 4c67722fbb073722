import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BLOCK, block } from './support/block.ts'
import { type Broadcast, painted, until } from './support/broadcast.ts'
import { type Colour, like, noChromium, Shot, seen } from './support/chromium.ts'
import { type Stage, stageForEach } from './support/stage.ts'

const RED: Colour = [255, 0, 0, 255]
const GREEN: Colour = [0, 128, 0, 255]
const LIME: Colour = [0, 255, 0, 255]
const INSIDE = [BLOCK.x + 20, BLOCK.y + 20] as const
const BESIDE = [100, 900] as const

/** A graphic as the guide for designers has them: a lime square beside the block, and what it does with a value of `text`. */
const square = (head: string, act = '') => `<!doctype html>${head}
<div hidden style="position:fixed;left:0;top:800px;width:200px;height:200px;background:lime"></div>
<script>
  const square = document.querySelector('div')
  const say = (payload) => parent.postMessage({ type: 'READY', payload }, '*')
  addEventListener('message', ({ data: { type, payload } }) => {
    if (type === 'HELLO') return say({})
    square.hidden = payload.onAir === false
    const text = payload.variableValues?.text
    ${act}
    say({ seq: payload.seq })
  })
</script>`

let broadcast: Broadcast
let page: Page
let open: Stage['open']

const shows = (colour: Colour, at: readonly [number, number]) => seen(page, (shot) => like(shot.at(...at), colour))
const told = (text: string) => page.locator('#debug', { hasText: text }).waitFor()

describe.skipIf(noChromium)('graphics that do not behave', () => {
  stageForEach((stage) => {
    ;({ broadcast, page, open } = stage)
    broadcast.bundles.set('block', block())
  })

  test.each([
    ['names a dark scheme', '<meta name="color-scheme" content="dark">'],
    ['follows the scheme of the machine', '<style>:root { color-scheme: light dark }</style>'],
    [
      'insists on one in a page of its own',
      '<html lang="en"><head><style>html { color-scheme: only dark }</style></head>',
    ],
  ])('one that %s leaves the picture transparent', async (_, head) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    broadcast.bundles.set('dark', square(head))
    await open()
    broadcast.show('a', 'block', { colour: 'red' })
    await shows(RED, INSIDE)
    broadcast.show('b', 'dark')
    const shot = await shows(LIME, BESIDE)
    expect([shot.at(...INSIDE), shot.at(1000, 500)[3]]).toEqual([RED, 0])
  })

  test('content that is larger than the picture puts no bars into it', async () => {
    broadcast.bundles.set('large', square('<p style="height: 4000px; width: 5000px">'))
    await open()
    broadcast.show('a', 'large')
    await shows(LIME, BESIDE)
    expect(await page.locator('#stage iframe').getAttribute('scrolling')).toBe('no')
  })

  test.each([
    ['what it went to', ''],
    ['what it went to and is on its way', '<img src="/slow.png">'],
  ])('one that leaves its page is loaded anew, settled, and %s is never seen', async (_, more) => {
    broadcast.bundles.set('leaves', square('', "if (text === 'go') location.href = '/bundles/elsewhere/index.html'"))
    broadcast.bundles.set('elsewhere', `<!doctype html><body style="background:red">${more}`)
    await page.route('**/slow.png', () => {}) // so that it never fires its load event
    await open('?debug')
    broadcast.show('a', 'leaves')
    await shows(LIME, BESIDE)
    broadcast.update('a', { text: 'go' })
    await told('a: its page was left or loaded again')
    expect((await Shot.of(page)).at(1000, 500)[3]).toBe(0)
    broadcast.update('a', { text: 'stay' })
    await shows(LIME, BESIDE)
  })

  test('what fails in one is told by its name and place', async () => {
    const fails = square('<link rel="stylesheet" href="missing.css"><script src="/absolute.js"></script>')
    broadcast.bundles.set('fails', `${fails}<script>\n\nnothingOfThisName()</script>`)
    broadcast.bundles.set('rejects', square('', "Promise.reject(new Error('no table'))"))
    await open('?debug')
    broadcast.show('fails', 'fails')
    broadcast.show('rejects', 'rejects')
    await told('absolute.js did not load')
    await told('nothingOfThisName is not defined (index.html:')
    await told('rejects: Error: no table')
    const lines = `${fails}\n\n`.split('\n').length
    expect(await page.locator('#debug').textContent()).toContain(`(index.html:${lines})`)
  })

  test('nothing of ours is left in its document, and its handlers hear three messages only', async () => {
    const looks = `<!doctype html><html lang="en" style="margin: 1px"><head><title>x</title></head><body><script>
      const heard = new Set()
      addEventListener('message', ({ data }) => {
        heard.add(data.type)
        parent.postMessage({ type: 'READY', payload: {} }, '*')
      }, true)</script></body></html>`
    broadcast.bundles.set('looks', looks)
    await open()
    broadcast.show('a', 'looks')
    await painted(broadcast, 'a', 1)
    broadcast.update('a', {})
    const inside = await until('the frame of the graphic', () =>
      page.frames().find((one) => one.url().includes('/bundles/looks/')),
    )
    await inside.waitForFunction("heard.has('GRAPHIC_UPDATE')")
    expect(await inside.evaluate('[document.head.children.length, document.documentElement.style.margin]')).toEqual([
      1,
      '1px',
    ])
    expect(await inside.evaluate('[...heard].sort().join()')).toBe('GRAPHIC_UPDATE,HELLO,LOAD_GRAPHIC')
  })

  test('reports of what it was never told do not count', async () => {
    const lies = "for (const seq of [1e6, -1, 0.5, NaN, '3', null]) say({ seq })"
    broadcast.bundles.set('lies', square('', lies))
    await open()
    broadcast.show('a', 'lies')
    await painted(broadcast, 'a', 1)
    await painted(broadcast, 'a', broadcast.update('a', { text: 'x' }))
    expect(broadcast.reports.map(({ seq }) => seq)).toEqual([1, 2])
  })

  test('one that never stops talking is taken off and told, and the others go on', async () => {
    const talks = "if (text === 'talk') setInterval(() => { for (let i = 0; i < 500; i++) say({}) }, 5)"
    broadcast.bundles.set('talks', square('', talks))
    await open('?debug')
    broadcast.show('a', 'block', { colour: 'red' })
    broadcast.show('talker', 'talks')
    await shows(LIME, BESIDE)
    broadcast.update('talker', { text: 'talk' })
    await told('talker: more than 1000 messages in a second')
    broadcast.update('a', { colour: 'green' })
    await shows(GREEN, INSIDE)
  })

  test('much and long error texts leave room for what others say', async () => {
    const complains = `const cry = (message) => parent.postMessage({ type: 'ERROR', payload: { message } }, '*')
      for (let i = 0; i < 50; i++) cry(i + 'x'.repeat(1e5))`
    broadcast.bundles.set('complains', square('', complains))
    broadcast.bundles.set('rejects', square('', "Promise.reject(new Error('no table'))"))
    await open('?debug')
    broadcast.show('rejects', 'rejects')
    await told('no table')
    broadcast.show('complains', 'complains')
    await told('49xxx')
    const lines = String(await page.locator('#debug').textContent())
      .split('\n')
      .filter((line) => line.startsWith('!'))
    expect(lines.map((line) => line.slice(0, 16))).toEqual([
      '! rejects: Error',
      '! complains: 47x',
      '! complains: 48x',
      '! complains: 49x',
    ])
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(250)
  })
})

describe.skipIf(noChromium)('graphics that hang, in an engine that has them beside the page', () => {
  stageForEach(
    (stage) => {
      ;({ broadcast, page, open } = stage)
      broadcast.bundles.set('block', block())
    },
    { whole: true },
  )

  test('all that stand still are told, and none of them counts as painted', async () => {
    broadcast.bundles.set(
      'hangs',
      square('', "if (text === 'hang') { const end = Date.now() + 9_000; while (Date.now() < end); }"),
    )
    await open('?debug')
    broadcast.show('a', 'block', { colour: 'red' })
    broadcast.show('hanger', 'hangs')
    await shows(LIME, BESIDE)
    broadcast.update('hanger', { text: 'hang' })
    const late = broadcast.update('a', { colour: 'green' })
    await told('hanger: does not run since')
    await told('a: does not run since')
    expect(broadcast.reports.filter(({ graphicId, seq }) => graphicId === 'a' && seq >= late)).toEqual([])
    const both = () => broadcast.tellings.some((told) => told.length === 2)
    await expect.poll(both, { timeout: 60_000 }).toBe(true)
    await painted(broadcast, 'a', late)
    await shows(GREEN, INSIDE)
    await expect.poll(() => broadcast.problems, { timeout: 60_000 }).toEqual([])
  })
})
