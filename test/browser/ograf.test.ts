import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { resolved } from '../../src/ograf/archive.ts'
import { manifest, moduleText } from '../support/ograf.ts'
import { type Broadcast, painted, until } from './support/broadcast.ts'
import { like, noChromium, seen } from './support/chromium.ts'
import { PageTime } from './support/page-time.ts'
import { type Stage, stageForEach } from './support/stage.ts'

const GREEN = [0, 128, 0, 255] as const
const RED = [255, 0, 0, 255] as const
const INSIDE = [400, 900] as const

/** A block that comes in green and turns red, beside the calls that are noted. */
const BLOCK = `
    this.style.cssText = 'position:absolute;left:300px;top:800px;width:200px;height:200px;inset:auto;left:300px;top:800px;overflow:hidden;font-size:0'
    this.style.background = 'green'`

let broadcast: Broadcast
let page: Page
let open: Stage['open']

/** A graphic under this name. */
function graphic(name: string, more: object, methods: Readonly<Record<string, string>> = {}, before = '') {
  broadcast.files.set(`${name}/card.ograf.json`, JSON.stringify(manifest(more)))
  broadcast.files.set(`${name}/graphic.mjs`, before + moduleText({ playAction: BLOCK, ...methods }))
}

const frameOf = (name: string) => page.frames().find((frame) => frame.url().includes(`%2Fbundles%2F${name}`))
/** What a graphic was asked for. */
const callsOf = async (name: string): Promise<string[]> => {
  const calls = await frameOf(name)?.evaluate('document.querySelector("ograf-graphic")?.calls')
  return (calls ?? []) as string[]
}
const called = (name: string, ...calls: (string | RegExp)[]) =>
  until(`the calls of ${name}`, async () => {
    const now = await callsOf(name)
    return now.length >= calls.length && now
  }).then((now) =>
    expect(now).toEqual(calls.map((call) => (typeof call === 'string' ? call : expect.stringMatching(call)))),
  )
const told = (text: string) => until(text, () => broadcast.problems.find(({ message }) => message.includes(text)))
const shows = (colour: readonly [number, number, number, number]) =>
  seen(page, (shot) => like(shot.at(...INSIDE), colour))
const gone = () => seen(page, (shot) => shot.at(...INSIDE)[3] === 0)

const LOAD =
  /^load \{"data":\{"name":"one"\},"renderType":"realtime","renderCharacteristics":\{"resolution":\{"width":1920,"height":1080\}\}\}$/

describe.skipIf(noChromium)('[issue 20.1] an OGraf graphic in the picture', () => {
  stageForEach((stage) => {
    ;({ broadcast, page, open } = stage)
  })

  test('is loaded and played, updated, taken from step to step, and stopped', async () => {
    graphic(
      'card',
      { stepCount: 3, customActions: [{ id: 'red', name: 'Red' }] },
      { customAction: `this.style.background = 'red'` },
    )
    await open()
    await painted(broadcast, 'a', broadcast.show('a', 'card', { name: 'one' }))
    await shows(GREEN)
    await painted(broadcast, 'a', broadcast.update('a', { name: 'two' }))
    await painted(broadcast, 'a', broadcast.step('a', 2))
    await painted(broadcast, 'a', broadcast.step('a', 2, { id: 'red', payload: { a: [1] } }))
    await shows(RED)
    // a second show is no flicker: nothing is loaded anew
    await painted(broadcast, 'a', broadcast.show('a', 'card', { name: 'two' }))
    await called(
      'card',
      LOAD,
      'playAction {"goto":0}',
      'updateAction {"data":{"name":"two"}}',
      'playAction {"goto":2}',
      'customAction {"id":"red","payload":{"a":[1]}}',
      'playAction {"goto":0}',
    )
    await painted(broadcast, 'a', broadcast.hide('a'))
    await gone()
    await until('disposed', async () => (await frameOf('card')?.evaluate('document.body.childElementCount')) === 0)
    // the next one is another instance
    await painted(broadcast, 'a', broadcast.show('a', 'card', { name: 'one' }))
    await called('card', LOAD, 'playAction {"goto":0}')
  })

  test.each([
    ['is a path from the root', '/graphic.mjs', 'graphic.mjs'],
    ['looks like another host', '//other.example/graphic.mjs', 'other.example/graphic.mjs'],
    ['goes round', './lib/../graphic.mjs', 'graphic.mjs'],
    ['has spaces and letters', 'min grafik/grå.mjs', 'min grafik/grå.mjs'],
  ])('whose main %s is the file that the server has taken for it', async (_, main, file) => {
    broadcast.files.set('card/card.ograf.json', JSON.stringify(manifest({ main })))
    const at = file.split('/').map(encodeURIComponent).join('/')
    broadcast.files.set(`card/${at}`, moduleText({ playAction: BLOCK }))
    await open()
    await painted(broadcast, 'a', broadcast.show('a', 'card', { name: 'one' }))
    await shows(GREEN)
    expect(resolved('card.ograf.json', main)).toBe(file)
  })

  test.each(['of-its-own', 'ograf-graphic'])('that has named itself %s is shown all the same', async (name) => {
    graphic('card', {})
    const named = moduleText({ playAction: BLOCK }).replace('default class', 'default class Named')
    broadcast.files.set('card/graphic.mjs', `${named}\ncustomElements.define('${name}', Named)`)
    await open()
    await painted(broadcast, 'a', broadcast.show('a', 'card', { name: 'one' }))
    await shows(GREEN)
    await called('card', LOAD, 'playAction {"goto":0}')
  })

  test('is disposed of once it is out of the picture, however that ends', async () => {
    for (const [name, end] of [
      ['quiet', ''],
      ['loud', `throw new Error('stays')`],
      ['stuck', 'await new Promise(() => {})'],
    ] as const)
      graphic(name, {}, { dispose: `window.disposed = (window.disposed ?? 0) + 1\n${end}` })
    await open('?problems=1')
    for (const name of ['quiet', 'loud', 'stuck']) {
      for (const times of [1, 2]) {
        await painted(broadcast, name, broadcast.show(name, name, { name: 'one' }))
        await shows(GREEN)
        await painted(broadcast, name, broadcast.hide(name))
        await gone()
        await until('disposed', async () => (await frameOf(name)?.evaluate('window.disposed')) === times)
      }
      expect(await frameOf(name)?.evaluate('document.body.childElementCount')).toBe(0)
    }
    // off air it harms nobody
    expect(broadcast.problems).toEqual([])
  })

  test('that is on air when the page comes stands at its step without an animation', async () => {
    graphic('card', { stepCount: 3 })
    await open()
    await painted(broadcast, 'a', broadcast.show('a', 'card', { name: 'one' }))
    await painted(broadcast, 'a', broadcast.step('a', 1))
    await open()
    await called('card', LOAD, 'playAction {"goto":1,"skipAnimation":true}')
    await shows(GREEN)
  })

  test('goes when its way out is over, also one that says so at once', async () => {
    graphic('card', {}, { stopAction: `this.animate([{ opacity: 1 }, { opacity: 0 }], 600)` })
    graphic('quick', {})
    await open()
    await painted(broadcast, 'a', broadcast.show('a', 'card'))
    await shows(GREEN)
    broadcast.hide('a')
    await until('moving', () => frameOf('card')?.evaluate('document.getAnimations().length > 0').then(Boolean))
    await gone()
    await painted(broadcast, 'b', broadcast.show('b', 'quick'))
    await shows(GREEN)
    await painted(broadcast, 'b', broadcast.hide('b'))
    await gone()
  })

  test('without steps says when it has played, unless it does not wait for its end', async () => {
    graphic(
      'card',
      { stepCount: 0 },
      { playAction: `${BLOCK}\nawait new Promise((resolve) => setTimeout(resolve, 1_300))` },
    )
    graphic('hasty', { stepCount: 0 })
    graphic(
      'open',
      { stepCount: -1 },
      {
        playAction: `if (params.goto > 1) return { statusCode: 200 }\nreturn { statusCode: 200, currentStep: params.goto }`,
      },
    )
    await open()
    broadcast.show('b', 'hasty')
    broadcast.show('c', 'open')
    const seq = broadcast.show('a', 'card', { name: 'one' })
    await until('played', () => broadcast.played.length > 0)
    expect(broadcast.played).toEqual([{ graphicId: 'a', seq }])
    await called('card', LOAD, 'playAction {}')
    broadcast.step('c', 1)
    broadcast.step('c', 2)
    await until('played out', () => broadcast.played.length > 1)
    expect(broadcast.played[1]?.graphicId).toBe('c')
  })

  test.each([
    ['throws when it is loaded', {}, `throw new Error('no good')\n`, 'no good'],
    ['cannot be read', {}, 'export default class {{', 'Unexpected token'],
    ['is no element', {}, '', 'exports no class of an HTML element', 'export default class {}'],
    ['exports nothing', {}, '', 'exports no class of an HTML element', 'export const a = 1'],
    [
      'has a constructor that throws',
      {},
      '',
      'load: no canvas',
      `export default class extends HTMLElement { constructor() { super(); throw new Error('no canvas') } }`,
    ],
    ['needs a file that is not there', {}, `import './lib/gone.mjs'\n`, 'Failed to fetch dynamically imported module'],
  ] as const)('whose module %s is told, and holds up no other', async (_, more, before, text, whole?: string) => {
    graphic('bad', more, {}, before)
    if (whole !== undefined) broadcast.files.set('bad/graphic.mjs', whole)
    graphic('good', {})
    await open('?problems=1')
    broadcast.show('a', 'bad')
    await painted(broadcast, 'b', broadcast.show('b', 'good'))
    await shows(GREEN)
    await told(text)
    expect(broadcast.reports.some(({ graphicId }) => graphicId === 'a')).toBe(false)
    broadcast.hide('a')
    await painted(broadcast, 'b', broadcast.update('b', { name: 'two' }))
  })

  test.each([
    ['throws', 'playAction', `throw new Error('not today')`, 'playAction: not today'],
    ['is rejected', 'updateAction', `return Promise.reject(new Error('no data'))`, 'updateAction: no data'],
    [
      'answers a status',
      'updateAction',
      `return { statusCode: 404, statusMessage: 'no such field' }`,
      'updateAction: 404 no such field',
    ],
    ['throws in its action', 'customAction', `throw 'a text'`, 'customAction: a text'],
    ['throws on its way out', 'stopAction', `throw new Error('stays')`, 'stopAction: stays'],
  ])('that %s is told, and goes on', async (_, method, body, text) => {
    graphic('card', { stepCount: 2 }, { [method]: method === 'playAction' ? `${BLOCK}\n${body}` : body })
    await open('?problems=1')
    // what went wrong holds until something later is painted
    const next = async (name: string, seq: number) => {
      if (method === name) await told(text)
      await painted(broadcast, 'a', seq)
    }
    await next('playAction', broadcast.show('a', 'card', { name: 'one' }))
    await next('updateAction', broadcast.update('a', { name: 'two' }))
    await next('customAction', broadcast.step('a', 0, { id: 'x' }))
    await shows(GREEN)
    await painted(broadcast, 'a', broadcast.step('a', 1))
    // on its way out it harms nobody, and goes all the same
    await painted(broadcast, 'a', broadcast.hide('a'))
    await gone()
  })

  test('whose module never ends is told, and can be taken off', async () => {
    const time = await PageTime.of(page, broadcast)
    graphic('endless', {}, {}, 'await new Promise(() => {})\n')
    graphic('good', {})
    await open('?problems=1')
    broadcast.show('a', 'endless')
    await painted(broadcast, 'b', broadcast.show('b', 'good'))
    await shows(GREEN)
    await time.until('told', () => broadcast.problems.some(({ message }) => /^no (bundle|READY) in 20 s/.test(message)))
    expect(broadcast.reports.some(({ graphicId }) => graphicId === 'a')).toBe(false)
    await painted(broadcast, 'a', broadcast.hide('a'))
    await until('nothing is wrong any more', () => broadcast.problems.length === 0)
    await painted(broadcast, 'b', broadcast.update('b', { name: 'two' }))
  })

  test('whose load never comes back is told, is not said to be painted, and can be taken off', async () => {
    graphic('stuck', {}, { load: 'await new Promise(() => {})' })
    graphic('good', {})
    await open('?problems=1')
    broadcast.show('a', 'stuck')
    await painted(broadcast, 'b', broadcast.show('b', 'good'))
    await told('load: does not come back since 10 s')
    expect(broadcast.reports.some(({ graphicId }) => graphicId === 'a')).toBe(false)
    await painted(broadcast, 'a', broadcast.hide('a'))
    await painted(broadcast, 'b', broadcast.hide('b'))
    await gone()
  })

  test('whose calls never come back is told everything all the same', async () => {
    const never = 'await new Promise(() => {})'
    graphic('card', { stepCount: 3 }, { playAction: `${BLOCK}\n${never}`, updateAction: never, stopAction: never })
    await open()
    await painted(broadcast, 'a', broadcast.show('a', 'card', { name: 'one' }))
    await painted(broadcast, 'a', broadcast.update('a', { name: 'two' }))
    await painted(broadcast, 'a', broadcast.step('a', 1))
    await called('card', LOAD, 'playAction {"goto":0}', 'updateAction {"data":{"name":"two"}}', 'playAction {"goto":1}')
    await painted(broadcast, 'a', broadcast.hide('a'))
    await gone()
  })

  test('reaches nothing of the page around it, and nothing of another graphic', async () => {
    const look = `
      const reach = (what) => { try { what(); return 'open' } catch { return 'closed' } }
      this.note('reach', [reach(() => parent.document), reach(() => localStorage.length), reach(() => document.cookie), origin])`
    graphic('card', {}, { load: look })
    await open()
    await painted(broadcast, 'a', broadcast.show('a', 'card', { name: 'one' }))
    await called('card', LOAD, 'reach ["closed","closed","closed","null"]', 'playAction {"goto":0}')
  })
})

describe.skipIf(noChromium)(
  '[issue 20.1] an OGraf graphic that hangs, in an engine that has graphics beside the page',
  () => {
    stageForEach(
      (stage) => {
        ;({ broadcast, page, open } = stage)
      },
      { whole: true },
    )

    test('is told, is not said to be painted, and plays when it runs again', async () => {
      const hang = 'const end = Date.now() + 8_000\nwhile (Date.now() < end);'
      graphic('card', {}, { playAction: `${BLOCK}\n${hang}` })
      await open('?problems=1')
      const seq = broadcast.show('a', 'card', { name: 'one' })
      await told('does not run since')
      expect(broadcast.reports).toEqual([])
      await painted(broadcast, 'a', seq)
      await shows(GREEN)
      await until('nothing is wrong any more', () => broadcast.problems.length === 0)
    })
  },
)
