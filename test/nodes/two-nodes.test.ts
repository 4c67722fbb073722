import { expect, onTestFinished, test, vi } from 'vitest'
import { produceOverlays, rest } from '../../bench/production.ts'
import { nodeService } from '../support/node-service.ts'
import { follow, open, type Page } from '../support/page.ts'
import { redisIsInstalled } from '../support/redis.ts'
import { Renderer } from '../support/renderer.ts'

/** A renderer on the overlay of this key, until the end of the test. */
function rendererOn({ url }: { url: string }, key: string, name: string): Renderer {
  const renderer = new Renderer({ url: `${url.replace('http', 'ws')}/overlay/${key}/socket?renderer=${name}` })
  onTestFinished(() => renderer.close())
  return renderer
}

test.runIf(redisIsInstalled)(
  '[cluster 5] two operators on two nodes see each other at once, and the renderers of both nodes',
  async () => {
    const { database, redis, start, ownerOf } = await nodeService()
    const one = await start()
    const { apiKey, overlays, triggers } = await produceOverlays(one, 1)
    const two = await start()
    const [{ id = 0, key = '' } = {}] = overlays
    const [trigger] = triggers
    const show = async (url: string, value: number) => {
      const variableValues = { [trigger?.variable ?? '']: trigger?.asText ? String(value) : value }
      const body = { action: 'show', presetId: trigger?.presetId, variableValues }
      const { status, text } = await rest(url, apiKey, 'POST', `/v2/overlays/${id}/control-room/graphics`, body)
      expect(status, text).toBe(200)
    }
    const renderers = [one, two].map((server, index) => rendererOn(server, key, `r${index}`))
    await vi.waitFor(() => expect(renderers.map(({ connected }) => connected)).toEqual([true, true]))
    const pages = await Promise.all([one, two].map(({ url }) => follow(url, id, apiKey)))
    await vi.waitFor(() => {
      for (const page of pages) expect(page.renderers()).toEqual(['r0', 'r1'])
    })
    const allPainted = (pages: readonly Page[]) =>
      vi.waitFor(() => expect(pages.map((page) => page.lamp())).toEqual(pages.map(() => '2 of 2')))
    const [here, there] = pages as [Page, Page]
    await show(one.url, 1)
    await allPainted(pages)
    await show(two.url, 2)
    await vi.waitFor(() => expect([here.changes().length, there.changes().length]).toEqual([2, 2]))
    expect(there.changes()).toEqual(here.changes())
    await allPainted(pages)

    // an operator at each node, and somebody who watches: each sees what the other pressed, with which values, and who it was
    const { json: addresses } = await rest<{ controlRoomUrl: string; monitoringUrl: string }>(
      one.url,
      apiKey,
      'GET',
      `/v2/overlays/${id}`,
    )
    const room = new URL(addresses?.controlRoomUrl ?? '').pathname
    const watched = new URL(addresses?.monitoringUrl ?? '').pathname
    const people = await Promise.all([open(one.url, room), open(two.url, room), open(two.url, watched)])
    const name = trigger?.variable ?? ''
    const press = async (url: string, action: string, value: number) => {
      const variableValues = { [name]: trigger?.asText ? String(value) : value }
      const response = await fetch(`${url}${room}/rest/graphics/commands`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ action, presetId: trigger?.presetId, ...(action !== 'hide' && { variableValues }) }),
      })
      expect(response.status, await response.text()).toBe(200)
      return response.headers.get('x-tally-node')
    }
    const owner = () => ownerOf(`overlay/${id}`)
    // whichever was asked, the answer names the one that did it
    expect(await press(one.url, 'update', 21)).toBe(await owner())
    expect(await press(two.url, 'update', 22)).toBe(await owner())
    await show(one.url, 23)
    const pressed = ({ of }: Page) =>
      of('CHANGE').map(({ payload: { action, by, shown } }) => [
        action,
        by.type,
        Number(shown.find(({ presetId }) => presetId === trigger?.presetId)?.variableValues[name]),
      ])
    for (const person of people)
      await vi.waitFor(() =>
        expect(pressed(person)).toEqual([
          ['update', 'link', 21],
          ['update', 'link', 22],
          ['show', 'key', 23],
        ]),
      )
    const [first, ...others] = people.map((person) => person.changes())
    for (const seqs of others) expect(seqs).toEqual(first)
    await allPainted(people)
    for (const person of people) expect(person.renderers()).toEqual(['r0', 'r1'])
    await vi.waitFor(() => expect([here.changes().length, there.changes().length]).toEqual([5, 5]))

    // what one says to the game plan is seen by all, whichever node has it
    const asked = async (url: string, path: string, method = 'GET', body?: object) => {
      const answer = await rest<Record<string, number>>(url, apiKey, method, path, body)
      expect(answer.status, answer.text).toBe(200)
      return answer.json ?? {}
    }
    const { matchId, competitionThemeSettingId } = await asked(one.url, `/v2/overlays/${id}`)
    const { competitionId } = await asked(one.url, `/v2/matches/${matchId}`)
    const profile = `/v2/competitions/${competitionId}/theme-profiles/${competitionThemeSettingId}`
    const rule = { id: 'goal', name: 'Goal', presetId: trigger?.presetId, layer: 'third', end: { afterSeconds: 8 } }
    await asked(one.url, `${profile}/game-plan`, 'PUT', {
      rules: [{ ...rule, trigger: { type: 'fact', factTypes: ['goal'] } }],
    })
    const say = async (url: string, word: string, body: object = {}) => {
      const headers = { 'Content-Type': 'application/json' }
      return (await fetch(`${url}${room}/rest/${word}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
    }
    const plans = () => people.map(({ of }) => of('PLAN').at(-1)?.payload)
    const allSee = (seen: object) => vi.waitFor(() => expect(plans()).toMatchObject(people.map(() => seen)))
    expect(await say(two.url, 'automatic', { autoMode: true })).toBe(200)
    await allSee({ autoMode: true })
    await vi.waitFor(async () => expect(await say(one.url, 'game-plan/pause')).toBe(200))
    await allSee({ paused: true })
    expect(await say(two.url, 'game-plan/hold', { layer: 'third' })).toBe(200)
    await allSee({ layers: [{ layer: 'third', heldBy: 'Control room' }] })
    expect(await say(one.url, 'game-plan/release')).toBe(200)
    await allSee({ paused: true, layers: [] })
    for (const { socket } of people) socket.terminate()

    // what one cues and schedules the other sees and takes, whichever node has it. show-control: Commands
    const command = async (url: string, body: object) => {
      const { status, text, json } = await rest<Record<string, object>>(
        url,
        apiKey,
        'POST',
        `/v2/overlays/${id}/graphics/commands`,
        body,
      )
      expect(status, text).toBe(200)
      return json ?? {}
    }
    const cue = await command(one.url, { action: 'cue', presetId: trigger?.presetId })
    const [cuedName = ''] = Object.keys(cue.previewState ?? {})
    const bothHear = (heard: object) =>
      vi.waitFor(() => {
        for (const page of [here, there]) expect(page.of('CHANGE').at(-1)?.payload).toMatchObject(heard)
      })
    await bothHear({ action: 'cue', cued: [{ presetId: trigger?.presetId }] })
    const taken = await command(two.url, { action: 'take' })
    expect(taken).toMatchObject({ previewState: {}, manualGraphicState: { [cuedName]: {} } })
    await bothHear({ action: 'take', uncued: [expect.anything()] })
    const plannedAt = new Date(Date.now() + 8_000).toISOString()
    await command(two.url, { action: 'show', presetId: trigger?.presetId, at: plannedAt })
    await bothHear({ action: 'schedule', scheduled: [{ at: plannedAt }] })

    // it goes on at the other node where it was
    const cursor = there.of('CHANGE').at(-1)?.payload.cursor
    there.socket.terminate()
    for (const value of [3, 4, 5]) await show(one.url, value)
    const known = there.seq()
    const since = () => here.changes().filter((seq) => seq > known)
    await vi.waitFor(() => expect(since()).toHaveLength(3))
    const back = await follow(one.url, id, apiKey, cursor)
    await vi.waitFor(() => expect(back.changes()).toHaveLength(3))
    expect(back.changes()).toEqual(since())
    expect(back.of('SNAPSHOT')).toEqual([])

    // a node that is drained owns nothing, serves its sockets, and sends on what it is asked
    const drained = await owner()
    await one.admin('nodes', 'drain', '--id', drained ?? '')
    await vi.waitFor(async () => expect(await owner()).not.toBe(drained), { timeout: 10_000 })
    // what was scheduled there comes at its time here, once
    const fired = () =>
      database.sql<{ at: Date }[]>`
        select at from journal where ref = ${`overlay/${id}`} and command ->> 'type' = 'show' and command ->> 'scheduled' is not null`
    await vi.waitFor(async () => expect(await fired()).toHaveLength(1), { timeout: 15_000 })
    const [at] = await fired()
    const lateMs = Number(at?.at) - Date.parse(plannedAt)
    expect(lateMs).toBeGreaterThanOrEqual(-1)
    expect(lateMs).toBeLessThan(500)
    await vi.waitFor(() => expect(here.of('CHANGE').at(-1)?.payload.unscheduled).toMatchObject([{ outcome: 'done' }]))
    const told = here.changes().length
    for (const { url } of [one, two]) expect(await press(url, 'update', 7)).toBe(await owner())
    await vi.waitFor(() => expect(here.changes()).toHaveLength(told + 2))
    await vi.waitFor(() => expect(here.lamp()).toBe('2 of 2'), { timeout: 5_000 })
    expect(renderers.map(({ connections }) => connections)).toEqual([1, 1])

    // nothing here waits for Redis but the commits of the other node
    await redis.die()
    const before = here.seq()
    await show(one.url, 6)
    // a CHANGE, or a SNAPSHOT: what was read just before Redis went away is read anew
    await vi.waitFor(() => expect(here.seq()).toBe(before + 1))
    await vi.waitFor(() => expect(here.lamp()).toBe('2 of 2'))
    renderers[1]?.close()
    await vi.waitFor(() => expect(here.lamp()).toBe('1 of 1'))
  },
  180_000,
)

test.runIf(redisIsInstalled)(
  '[issue 19.7] a rehearsal is one on both nodes, and at the one that is left when its owner is killed; nothing of it reaches a renderer',
  async () => {
    const { start, ownerOf } = await nodeService()
    const one = await start()
    const { apiKey, overlays, triggers } = await produceOverlays(one, 1)
    const two = await start()
    const [{ id = 0, key = '' } = {}] = overlays
    const [{ presetId = 0 } = {}, other] = triggers
    const path = `/v2/overlays/${id}`
    type Read = { rehearsal: boolean; manualGraphicState: object; previewState: object }
    const ask = async (url: string, method: string, below = '', body?: object) => {
      const { status, text, json } = await rest<Read>(url, apiKey, method, path + below, body)
      expect(status, text).toBe(200)
      return json
    }
    const command = (url: string, body: object) => ask(url, 'POST', '/graphics/commands', body)
    // they find them on air when they set up a target
    await command(one.url, { action: 'hideAll' })
    const renderers = [one, two].map((server, index) => rendererOn(server, key, `r${index}`))
    await Promise.all(renderers.map((renderer) => renderer.waitFor(({ connected }) => connected)))
    const pages = await Promise.all([one, two].map(({ url }) => follow(url, id, apiKey)))
    const bothHear = (heard: object) =>
      vi.waitFor(() => {
        for (const page of pages) expect(page.of('CHANGE').at(-1)?.payload).toMatchObject(heard)
      })
    expect(await ask(two.url, 'PATCH', '', { rehearsal: true })).toMatchObject({ rehearsal: true })
    await bothHear({ action: 'rehearse', rehearsal: true })
    await command(one.url, { action: 'show', presetId })
    await bothHear({ action: 'show', shown: [{ presetId }] })
    await command(two.url, { action: 'cue', presetId: other?.presetId ?? presetId })
    await bothHear({ action: 'cue' })
    const { rehearsal, manualGraphicState, previewState } = (await ask(one.url, 'GET')) ?? {}
    expect(await ask(two.url, 'GET')).toMatchObject({ rehearsal, manualGraphicState, previewState })

    const owner = await ownerOf(`overlay/${id}`)
    const nodes = (await one.admin('nodes', 'list')) as { id: string; url: string }[]
    const ownerUrl = nodes.find((node) => node.id === owner)?.url
    const [lost, left] = one.nodeUrl === ownerUrl ? [one, two] : [two, one]
    expect(lost.nodeUrl).toBe(ownerUrl)
    await lost.kill()
    await vi.waitFor(
      async () => {
        const { status, json } = await rest<Read>(left.url, apiKey, 'POST', `${path}/graphics/commands`, {
          ...{ action: 'hide', presetId },
        })
        expect([status, json?.rehearsal ?? json?.manualGraphicState]).toEqual([200, {}])
      },
      { timeout: 30_000, interval: 200 },
    )
    expect(await ask(left.url, 'GET')).toMatchObject({ rehearsal: true, manualGraphicState: {} })
    await command(left.url, { action: 'take' })
    for (const renderer of renderers) expect([...renderer.shows().keys()]).toEqual([])
    expect(await ask(left.url, 'PATCH', '', { rehearsal: false })).toMatchObject({
      ...{ rehearsal: false, manualGraphicState: {}, previewState: {} },
    })
    const renderer = renderers[left === one ? 0 : 1]
    await command(left.url, { action: 'show', presetId })
    await renderer?.waitFor((one) => one.shows().size === 1)
  },
  180_000,
)
