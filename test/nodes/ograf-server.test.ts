import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { rest } from '../../bench/production.ts'
import { nodeService } from '../support/node-service.ts'
import { manifest, moduleText, onTheme, zipOf } from '../support/ograf.ts'
import { redisIsInstalled } from '../support/redis.ts'

type Call = { id: string; delta?: number; goto?: number; skipAnimation?: boolean }
type Asked = { type: string; instance?: string; step?: number; onAir?: boolean; action?: string; call: Call }

const OBS_30 = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/103.0.5060.134 Safari/537.36 OBS/30.0.2'

/** A browser source on one node: it writes down what it is asked, and answers as `says`. */
async function source({ url }: { url: string }, key: string, name: string) {
  const path = `/overlay/${key}/socket?renderer=${name}&answers=1`
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers: { 'User-Agent': OBS_30 } })
  onTestFinished(() => socket.terminate())
  const asked: Asked[] = []
  const heard = { isReady: false, says: { statusCode: 200 } as object }
  socket.on('message', (text) => {
    const { type, payload } = JSON.parse(String(text))
    if (type === 'HELLO' && !heard.isReady) {
      heard.isReady = true
      socket.send(JSON.stringify({ type: 'READY', payload: { showing: [] } }))
    }
    if (!payload.call) return
    const { instance, step, onAir, customAction, call } = payload
    asked.push({ type, instance, step, onAir, action: customAction?.id, call })
    socket.send(JSON.stringify({ type: 'ANSWER', payload: { call: call.id, ...heard.says } }))
  })
  await vi.waitFor(() => expect(heard.isReady).toBe(true))
  return {
    asked,
    heard,
    words: () => asked.map(({ type, onAir, action }) => action ?? (onAir === false ? 'STOP' : type)),
  }
}

test.runIf(redisIsInstalled)(
  '[issue 20.2] of two nodes each drives a show by the OGraf Server API, and tells what failed in a renderer of the other one',
  async () => {
    const { start, ownerOf } = await nodeService()
    const one = await start()
    const demo = (await one.admin('demo', '--name', 'OGraf')) as {
      apiKey: string
      overlay: { id: number; key: string }
      themeId: number
    }
    const two = await start()
    const { apiKey, overlay, themeId } = demo
    const card = manifest({
      ...{ id: 'card', name: 'Card', stepCount: 2, customActions: [{ id: 'blink', name: 'Blink', schema: null }] },
      schema: { type: 'object', properties: { name: { type: 'string', default: 'Ann' } } },
      renderRequirements: [{ engine: [{ type: 'Chromium', version: { min: '120' } }] }],
    })
    const call = async (method: string, path: string, { body }: { body?: unknown } = {}) => {
      const { status, json } = await rest<Record<string, unknown>>(one.url, apiKey, method, path, body)
      return { status, body: json ?? {}, headers: new Headers() }
    }
    const zip = zipOf({ 'card.ograf.json': card, 'graphic.mjs': moduleText() })
    await onTheme({ server: { origin: one.url, call }, key: apiKey, themeId }, zip)

    const owner = await ownerOf(`overlay/${overlay.id}`)
    const nodes = (await one.admin('nodes', 'list')) as { id: string; url: string }[]
    const ownerUrl = nodes.find(({ id }) => id === owner)?.url
    const [owning, other] = one.nodeUrl === ownerUrl ? [one, two] : [two, one]
    expect(owning.nodeUrl).toBe(ownerUrl)
    const ask = async (at: { url: string }, method: string, path: string, body?: object) => {
      const answer = await fetch(`${at.url}/ograf/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    const renderer = `/renderers/${overlay.id}`
    const renderTarget = { target: 'picture' }
    const on = (at: { url: string }, method: string, body: object) =>
      ask(at, 'POST', `${renderer}/target/graphicInstance/${method}`, { renderTarget, ...body })
    const instances = async (at: { url: string }) =>
      (await ask(at, 'GET', `${renderer}/target?renderTarget=picture`)).body.graphicInstances

    // nobody is connected: what both nodes know without a renderer
    for (const at of [owning, other]) {
      expect((await ask(at, 'GET', '/renderers')).body.renderers).toContainEqual(
        expect.objectContaining({ id: String(overlay.id) }),
      )
      expect((await ask(at, 'GET', '/graphics')).body.graphics).toContainEqual(expect.objectContaining({ id: 'card' }))
    }

    // a browser source at each node
    const sources = [await source(owning, overlay.key, 'here'), await source(other, overlay.key, 'there')] as const
    for (const at of [owning, other])
      await vi.waitFor(async () =>
        expect((await ask(at, 'GET', renderer)).body).toMatchObject({
          renderer: { status: { status: 'OK', message: '2 browser sources connected' } },
        }),
      )

    const whole = async (at: { url: string }) => {
      for (const { asked } of sources) asked.length = 0
      const loaded = await on(at, 'load', { graphicId: 'card', params: { data: { name: 'Bea' } } })
      const graphicInstanceId = loaded.body.graphicInstanceId
      const by = (params: object = {}) => ({ graphicInstanceId, params })
      expect(loaded).toMatchObject({
        status: 200,
        body: {
          statusCode: 200,
          // of both nodes
          v_warnings: expect.arrayContaining([
            'renderer here does not fit: Chromium 120 is needed, it is Chromium 103',
            'renderer there does not fit: Chromium 120 is needed, it is Chromium 103',
          ]),
        },
      })
      expect(await on(at, 'playAction', by())).toMatchObject({ status: 200, body: { currentStep: 0 } })
      expect((await on(at, 'updateAction', by({ data: { name: 'Cid' } }))).status).toBe(200)
      expect((await on(at, 'customActions/blink', by({ payload: {} }))).status).toBe(200)
      expect(await on(at, 'playAction', by({ delta: 1 }))).toMatchObject({ body: { currentStep: 1 } })
      for (const asking of [owning, other])
        expect(await instances(asking)).toMatchObject([{ graphicInstanceId, graphic: { id: 'card' } }])
      expect((await on(at, 'stopAction', by())).status).toBe(200)
      return { graphicInstanceId, by }
    }
    const WORDS = ['PREPARE_GRAPHIC', 'LOAD_GRAPHIC', 'GRAPHIC_UPDATE', 'blink', 'GRAPHIC_UPDATE', 'STOP']
    for (const at of [owning, other]) {
      const { graphicInstanceId, by } = await whole(at)
      // each renderer was asked each thing once, whichever node was
      for (const { words } of sources) await vi.waitFor(() => expect(words()).toEqual(WORDS))

      // what throws in either renderer is known, whichever node is asked
      for (const { heard } of sources) {
        heard.says = { error: 'playAction: broken tween' }
        expect(await on(at, 'playAction', by())).toMatchObject({
          status: 550,
          body: { status: 550, detail: 'playAction: broken tween' },
        })
        expect((await on(at, 'updateAction', by({ data: { name: 'Dea' } }))).status).toBe(550)
        heard.says = { statusCode: 201, statusMessage: 'Stopped!' }
        expect((await on(at, 'stopAction', by())).status).toBe(200)
        heard.says = { statusCode: 200 }
      }
      const { body } = await ask(at, 'PUT', `${renderer}/target/graphicInstance/clear`, { filters: [] })
      expect(body.graphicInstances).toEqual([{ renderTarget, graphicInstanceId }])
      for (const asking of [owning, other]) expect(await instances(asking)).toEqual([])
      expect((await on(at, 'playAction', by())).status).toBe(404)
    }

    // the node of a renderer is killed: its answer is not waited for by those that are left
    await other.kill()
    const loaded = await on(owning, 'load', { graphicId: 'card' })
    expect(loaded.status).toBe(200)
  },
  180_000,
)
