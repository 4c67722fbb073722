import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { manifest, moduleText, onTheme, zipOf } from '../support/ograf.ts'
import { COARSE, noChromium, openWindows, seen, type Windows } from './support/chromium.ts'

const BLOCK = `
    this.style.cssText = 'position:absolute;left:300px;top:800px;width:300px;height:200px;inset:auto;left:300px;top:800px;overflow:hidden;font-size:0'
    this.style.background = 'green'`
const schema = { type: 'object', properties: { name: { type: 'string', default: 'Ann' } } }

type Known = Record<string, unknown> & { id: string }

/** A controller that knows nothing of this server: an address, a key, and what the draft says. It gives up after three seconds. */
class Controller {
  readonly #base: string
  readonly #key: string
  rendererId = ''
  target: unknown

  constructor(base: string, key: string) {
    this.#base = base
    this.#key = key
  }

  async ask(method: string, path: string, body?: unknown) {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${this.#key}` },
      signal: AbortSignal.timeout(3_000),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, content: (await response.json()) as Record<string, unknown> }
  }

  /** As the reference controller begins. */
  async connect() {
    await this.ask('GET', '/')
    const { content } = await this.ask('GET', '/renderers')
    this.rendererId = (content.renderers as Known[])[0]?.id ?? ''
    const { renderer } = (await this.ask('GET', `/renderers/${this.rendererId}`)).content as {
      renderer: { renderTargetSchema: { properties: Record<string, { default: unknown }> } }
    }
    const properties = Object.entries(renderer.renderTargetSchema.properties)
    this.target = Object.fromEntries(properties.map(([name, property]) => [name, property.default]))
  }

  instance(action: string, body: object) {
    return this.ask('POST', `/renderers/${this.rendererId}/target/graphicInstance/${action}`, {
      renderTarget: this.target,
      ...body,
    })
  }

  async load(graphicId: string, data?: object) {
    const { graphic } = (await this.ask('GET', `/graphics/${graphicId}`)).content as { graphic: Known }
    expect(graphic.id).toBe(graphicId)
    return this.instance('load', { graphicId, params: { data } })
  }

  on(action: string, graphicInstanceId: unknown, params: object = {}) {
    return this.instance(action, { graphicInstanceId, params })
  }

  clear(filters: object[]) {
    return this.ask('PUT', `/renderers/${this.rendererId}/target/graphicInstance/clear`, { filters })
  }

  async instances() {
    const target = encodeURIComponent(JSON.stringify(this.target))
    const { content } = await this.ask('GET', `/renderers/${this.rendererId}/target?renderTarget=${target}`)
    return content.graphicInstances as { graphicInstanceId: string }[]
  }
}

describe.skipIf(noChromium)('[issue 20.2] a controller of the OGraf Server API and a browser source', () => {
  let windows: Windows
  let demo: Production
  let page: Page
  let controller: Controller
  /** What the browser source has told the server of calls. */
  const answers: { call: string; statusCode?: number; error?: string }[] = []

  beforeAll(async () => {
    demo = await startProduction()
    const { server, apiKey: key, themeId } = demo
    const one = (id: string, more: object = {}) => manifest({ id, name: id, main: `${id}.mjs`, schema, ...more })
    await onTheme(
      { server, key, themeId },
      zipOf({
        'show.ograf.json': one('show', { stepCount: 2, customActions: [{ id: 'red', name: 'Red', schema: null }] }),
        'show.mjs': moduleText({ playAction: BLOCK, customAction: `this.style.background = 'red'` }),
        'noload.ograf.json': one('noload'),
        'noload.mjs': moduleText({ load: `throw new Error('no font')` }),
        'fails.ograf.json': one('fails'),
        'fails.mjs': moduleText({
          playAction: `await new Promise((resolve) => setTimeout(resolve, 100)); throw new Error('broken tween')`,
          updateAction: `return { statusCode: 422, statusMessage: 'not so' }`,
        }),
        'hangs.ograf.json': one('hangs'),
        'hangs.mjs': moduleText({ playAction: `return new Promise(() => {})` }),
        'stuck.ograf.json': one('stuck'),
        'stuck.mjs': moduleText({ load: `return new Promise(() => {})` }),
        'unmade.ograf.json': one('unmade'),
        'unmade.mjs': `export default class extends HTMLElement { constructor() { super(); throw new Error('no canvas') } }`,
        'once.ograf.json': one('once', { stepCount: 0 }),
        'once.mjs': moduleText({ playAction: BLOCK }),
        'open.ograf.json': one('open', { stepCount: -1 }),
        // it has three steps, and goes round from its second one to its first
        'open.mjs': moduleText({
          load: `this.step = -1`,
          playAction: `
            this.step = params.goto ?? this.step + (params.delta ?? 1)
            if (this.step > 2) return { statusCode: 200 }
            return { statusCode: 200, currentStep: this.step * 10 }`,
        }),
        'liar.ograf.json': one('liar'),
        // it answers calls that it was never asked, and others more than once
        'liar.mjs': moduleText({
          playAction: `
            for (let i = 0; i < 20; i++) parent.postMessage({ type: 'ANSWER', payload: { call: 'c' + i, error: 'a lie' } }, '*')
            const heard = ({ data }) => data?.payload?.call && (this.call = data.payload.call.id)
            window.addEventListener('message', heard)`,
          updateAction: `
            await new Promise((resolve) => setTimeout(resolve))
            for (let i = 0; i < 3; i++) parent.postMessage({ type: 'ANSWER', payload: { call: this.call, statusCode: 201 + i } }, '*')
            return { statusCode: 299 }`,
        }),
        'says.ograf.json': one('says'),
        'says.mjs': moduleText({ playAction: `return { statusCode: 201, statusMessage: 'Playing!' }` }),
      }),
    )
    windows = await openWindows()
    page = await windows.newPage(COARSE)
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        const { type, payload: answer } = JSON.parse(String(payload))
        if (type === 'ANSWER') answers.push(answer)
      }),
    )
    await page.goto(demo.overlay.url)
    controller = new Controller(`${server.origin}/ograf/v1`, key)
    await controller.connect()
    // its graphics are mounted out of sight
    await vi.waitFor(async () => {
      expect(page.frames().filter((frame) => frame.url().includes('/ograf?')).length).toBe(10)
      for (const frame of page.frames().filter((one) => one.url().includes('/ograf?')))
        expect(await frame.evaluate('customElements.get("ograf-graphic") !== undefined')).toBe(true)
    }, PATIENCE)
  })
  afterAll(async () => {
    await windows?.close()
    await demo?.close()
  })

  const PATIENCE = { timeout: 15_000, interval: 50 }
  const frameOf = (id: string) => page.frames().find((frame) => frame.url().includes(`${id}.ograf.json`))
  /** What all elements of a graphic were asked for. */
  const calls = (id: string) =>
    frameOf(id)?.evaluate(
      '[...document.querySelectorAll("ograf-graphic")].flatMap(({ calls }) => calls.map((call) => call.replace(/ \\{"data":\\{"name":"(\\w+)"\\}.*/, " $1")))',
    ) as Promise<string[]>
  const shows = (colour: readonly number[]) =>
    seen(page, (shot) => {
      const [red, green, , alpha] = shot.at(400, 900)
      return alpha > 250 && Math.abs(red - (colour[0] ?? 0)) < 8 && Math.abs(green - (colour[1] ?? 0)) < 8
    })
  const gone = () => seen(page, (shot) => shot.at(400, 900)[3] === 0)

  test('drives a show: load, play, update, action, steps, stop, play again and clear', async () => {
    const { status, content } = await controller.load('show', { name: 'Bea' })
    expect([status, content.statusCode]).toEqual([200, 200])
    const id = content.graphicInstanceId
    // loaded, and not in the picture
    await expect.poll(() => calls('show'), PATIENCE).toEqual(['load Bea'])
    await gone()
    expect((await controller.on('playAction', id)).content).toMatchObject({ statusCode: 200, currentStep: 0 })
    await shows([0, 128])
    expect((await controller.on('updateAction', id, { data: { name: 'Cid' } })).status).toBe(200)
    expect((await controller.on('customActions/red', id, { payload: {} })).status).toBe(200)
    await shows([255, 0])
    expect((await controller.on('playAction', id, { skipAnimation: true })).content).toMatchObject({ currentStep: 1 })
    expect(await calls('show')).toEqual([
      'load Bea',
      'playAction {"delta":1}',
      'updateAction Cid',
      'customAction {"id":"red","payload":{}}',
      'playAction {"delta":1,"skipAnimation":true}',
    ])
    expect((await controller.on('playAction', id)).content).not.toHaveProperty('currentStep')
    await gone()
    expect((await controller.on('playAction', id)).content).toMatchObject({ currentStep: 0 })
    await shows([0, 128])
    expect((await controller.on('stopAction', id)).status).toBe(200)
    await gone()
    await controller.on('playAction', id)
    await shows([0, 128])
    expect((await controller.clear([{ renderTarget: controller.target, graphicInstanceId: id }])).content).toEqual({
      graphicInstances: [{ renderTarget: controller.target, graphicInstanceId: id }],
    })
    await gone()
    expect(await controller.instances()).toEqual([])
  })

  test('[OGraf 1.0: playAction] what a controller asks for reaches the graphic as it was said', async () => {
    const id = (await controller.load('show')).content.graphicInstanceId
    const play = async (params: object) => (await controller.on('playAction', id, params)).content
    expect(await play({ delta: 2 })).toMatchObject({ currentStep: 1 })
    expect(await play({ delta: -1, skipAnimation: true })).toMatchObject({ currentStep: 0 })
    // where both are said, goto counts
    expect(await play({ goto: 1, delta: 7 })).toMatchObject({ currentStep: 1 })
    const data = { name: 'Cid' }
    expect((await controller.on('updateAction', id, { data, skipAnimation: true })).status).toBe(200)
    expect((await controller.on('customActions/red', id, { payload: 1, skipAnimation: true })).status).toBe(200)
    const calls = () =>
      frameOf('show')?.evaluate('document.querySelector("ograf-graphic")?.calls.slice(1)') as Promise<string[]>
    expect(await calls()).toEqual([
      'playAction {"delta":2}',
      'playAction {"delta":-1,"skipAnimation":true}',
      'playAction {"goto":1}',
      'updateAction {"data":{"name":"Cid"},"skipAnimation":true}',
      'customAction {"id":"red","payload":1,"skipAnimation":true}',
    ])
    // the element is there until stopAction has come back, and out of sight at once
    await frameOf('show')?.evaluate(
      `window.stopped = undefined; Object.assign(document.querySelector("ograf-graphic"), {
        stopAction: (params) => new Promise((resolve) => { window.stopped = params; window.release = resolve }) })`,
    )
    const stopping = controller.on('stopAction', id, { skipAnimation: true })
    await expect.poll(() => frameOf('show')?.evaluate('window.stopped'), PATIENCE).toEqual({ skipAnimation: true })
    await gone()
    await frameOf('show')?.evaluate('window.release({ statusCode: 201 })')
    expect((await stopping).content).toMatchObject({ statusCode: 201 })
    await expect.poll(() => frameOf('show')?.evaluate('document.querySelector("ograf-graphic")'), PATIENCE).toBe(null)
    // and so does the action of the renderer
    await play({ skipAnimation: true })
    await shows([0, 128])
    await frameOf('show')?.evaluate(
      `Object.assign(document.querySelector("ograf-graphic"), { stopAction: (params) => { window.stopped = { hideAll: params } } })`,
    )
    const path = `/renderers/${controller.rendererId}/customActions/hideAll`
    expect((await controller.ask('POST', path, { payload: {}, skipAnimation: true })).content).toEqual({ result: null })
    await gone()
    expect(await frameOf('show')?.evaluate('window.stopped')).toEqual({ hideAll: { skipAnimation: true } })
    await controller.clear([])
  })

  test('a graphic without steps plays each time that it is asked, and of one whose number nobody knows it says itself where it is', async () => {
    const once = (await controller.load('once')).content.graphicInstanceId
    for (let i = 0; i < 2; i++)
      expect((await controller.on('playAction', once)).content).not.toHaveProperty('currentStep')
    expect(await calls('once')).toEqual(['load Ann', 'playAction {"delta":1}', 'playAction {"delta":1}'])
    const open = (await controller.load('open')).content.graphicInstanceId
    const steps: unknown[] = []
    for (const params of [{}, { delta: 2 }, { goto: 1 }, { delta: 5 }])
      steps.push((await controller.on('playAction', open, params)).content.currentStep)
    expect(steps).toEqual([0, 20, 10, undefined])
    await expect.poll(async () => (await controller.instances()).length, PATIENCE).toBe(2)
    await controller.clear([])
  })

  test('what a graphic says about calls that it was not asked, or says again, is heard of by nobody', async () => {
    const liar = (await controller.load('liar')).content.graphicInstanceId
    expect((await controller.on('playAction', liar)).content).toMatchObject({ statusCode: 200 })
    expect((await controller.on('updateAction', liar, { data: { name: 'x' } })).content).toMatchObject({
      statusCode: 201,
    })
    // its own last word comes after all of its lies
    expect((await controller.on('playAction', liar, { goto: 0 })).status).toBe(200)
    expect((await controller.on('stopAction', liar)).status).toBe(200)
    const last = () => answers.slice(-3).map(({ statusCode, error }) => error ?? statusCode)
    await expect.poll(last, PATIENCE).toEqual([undefined, 201, undefined])
    expect(new Set(answers.map(({ call }) => call)).size).toBe(answers.length)
    await controller.clear([])
  })

  test('is told with 550 what a graphic threw, and what it answered', async () => {
    const threw = (detail: string) => ({ status: 550, content: { status: 550, detail, title: 'Error of the graphic' } })
    expect(await controller.load('noload')).toMatchObject(threw('load: no font'))
    expect(await controller.load('unmade')).toMatchObject(threw('load: no canvas'))
    const fails = (await controller.load('fails')).content.graphicInstanceId
    expect(await controller.on('updateAction', fails, { data: { name: 'x' } })).toMatchObject(
      threw('updateAction: 422 not so'),
    )
    expect(await controller.on('playAction', fails)).toMatchObject(threw('playAction: broken tween'))
    const says = (await controller.load('says')).content.graphicInstanceId
    expect(await controller.on('playAction', says)).toMatchObject({
      status: 200,
      content: { statusCode: 201, statusMessage: 'Playing!', currentStep: 0 },
    })
    // what never comes back is waited for no longer than three seconds
    const hangs = (await controller.load('hangs')).content.graphicInstanceId
    expect(await controller.on('playAction', hangs)).toMatchObject({ status: 200, content: { currentStep: 0 } })
    await controller.clear([])
  })

  test('each call of a graphic whose load never comes back is answered in time, and it can be cleared', async () => {
    const { status, content } = await controller.load('stuck')
    expect([status, content.statusCode]).toEqual([200, 200])
    const id = content.graphicInstanceId
    for (const [action, params] of [
      ['updateAction', { data: { name: 'Bea' } }],
      ['playAction', {}],
      ['stopAction', {}],
    ] as const)
      expect((await controller.on(action, id, params)).status).toBe(200)
    expect(await controller.instances()).toMatchObject([{ graphicInstanceId: id, status: 'loaded' }])
    expect((await controller.clear([{ graphicInstanceId: id }])).status).toBe(200)
    expect(await controller.instances()).toEqual([])
    // and it holds up no other
    const next = (await controller.load('show', { name: 'Dea' })).content.graphicInstanceId
    expect((await controller.on('playAction', next)).content).toMatchObject({ currentStep: 0 })
    await shows([0, 128])
    await controller.clear([])
    await gone()
  })
})
