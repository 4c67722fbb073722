import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { newKey } from '../support/app.ts'
import { cardZip, onTheme } from '../support/ograf.ts'
import { proxyTo } from '../support/proxy.ts'
import { Renderer } from '../support/renderer.ts'
import { root } from '../support/root.ts'
import { buildClient } from './built.ts'

const run = promisify(execFile)
const folder = join(root, 'clients/companion')
const node22 = join(folder, 'node_modules/.bin/node')
/** It has packages of its own: `npm ci` in its folder. */
const isInstalled = existsSync(node22)

type Lamp = { type: 'lamp'; id: string; value: unknown; at: number }
type Preset = { name: string; keywords: string[]; style: { text: string; bgcolor: number }; steps: { down: Press[] }[] }
type Press = { actionId: string; options: Record<string, unknown> }
type Section = { id: string; name: string; definitions: ({ id: string; name: string; presets: string[] } | string)[] }
type Told =
  | Lamp
  | { type: 'status'; status: string; message: string | null }
  | { type: 'presets'; sections: Section[]; presets: Record<string, Preset> }
  | { type: 'values'; values: Record<string, unknown> }
  | { type: 'log'; level: string; message: string }
  | { type: 'answer'; number: number; answer?: unknown; error?: string }

/** Companion as the module sees it: the built module in a Node of its own. */
class Host {
  readonly told: Told[] = []
  readonly #child: ChildProcess
  #number = 0

  constructor() {
    this.#child = spawn(node22, [join(folder, 'test/host.mjs'), join(folder, 'pkg/tally/main.js')], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: '' },
    })
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) =>
      this.told.push(JSON.parse(line)),
    )
    onTestFinished(async () => {
      this.#child.kill('SIGKILL')
      if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close')
    })
  }

  async ask<T = unknown>(what: string, asked: object = {}): Promise<T> {
    const number = ++this.#number
    this.#child.stdin?.write(`${JSON.stringify({ ...asked, number, what })}\n`)
    const answer = await vi.waitFor(
      () => {
        const found = this.told.find((one) => one.type === 'answer' && one.number === number)
        if (found?.type !== 'answer') throw new Error(`no answer to ${what}`)
        return found
      },
      { timeout: 30_000, interval: 5 },
    )
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.answer as T
  }

  press = (actionId: string, options: object = {}) => this.ask('press', { actionId, options })

  last<Type extends Told['type']>(type: Type) {
    const found = this.told.filter((one) => one.type === type).at(-1)
    if (!found) throw new Error(`nothing was told of ${type}`)
    return found as Extract<Told, { type: Type }>
  }

  /** The lamps that are lit. */
  lit(): string[] {
    const lamps = new Map(this.told.flatMap((one) => (one.type === 'lamp' ? [[one.id, one.value] as const] : [])))
    return [...lamps].flatMap(([id, value]) => (value === true ? [id] : [])).sort()
  }

  until = (look: () => void) => vi.waitFor(look, { timeout: 30_000, interval: 5 })
}

describe.runIf(isInstalled)('[issue 20.6] the module for Companion', () => {
  let production: Production
  beforeAll(async () => {
    const environment = { ...Object.fromEntries([['PATH', `${join(folder, 'node_modules/.bin')}:/usr/bin:/bin`]]) }
    await buildClient()
    const said = await run('npm', ['run', '-s', 'check'], { cwd: folder, env: environment }).catch(
      ({ stdout, stderr }) => {
        throw new Error(`${stdout}${stderr}`)
      },
    )
    expect(said.stdout).toContain('Checking for')
    await run('npm', ['run', '-s', 'build'], { cwd: folder, env: environment })
    production = await startProduction()
  })
  afterAll(() => production?.close())

  const secrets = (key: string) => ({ secrets: { key } })
  async function connected(url = production.server.origin, overlayId = 0): Promise<Host> {
    const host = new Host()
    await host.ask('init', { config: { url, overlayId }, ...secrets(production.apiKey) })
    await host.until(() => expect(host.last('status').status).toBe('ok'))
    await host.until(() => expect(host.last('presets').sections.length).toBeGreaterThan(1))
    return host
  }
  /** Each lamp of a preset of the demo, and those of the show. */
  const buttons = (presetId: number) => [
    ...['onAir', 'committed', 'failing', 'cued', 'timeLeft'].map((feedbackId) => ({
      id: feedbackId,
      feedbackId,
      options: { presetId },
    })),
    ...['anyCued', 'undoable', 'rendererLost', 'planPaused', 'disconnected'].map((feedbackId) => ({
      id: feedbackId,
      feedbackId,
      options: {},
    })),
    { id: 'spareLost', feedbackId: 'rendererLost', options: { wanted: 2 } },
  ]

  test('is built to a package that Companion takes, with its help', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'pkg/tally/companion/manifest.json'), 'utf8'))
    expect(manifest).toMatchObject({
      id: 'tally',
      runtime: { type: 'node22', apiVersion: '2.0.4', entrypoint: '../main.js' },
    })
    const help = readFileSync(join(folder, 'pkg/tally/companion/HELP.md'), 'utf8')
    for (const word of ['API key', 'Presets', 'Lamps', 'Undo']) expect(help).toContain(word)
  })

  test('of one address and one key makes buttons of the control room, in its sections and colours', async () => {
    const host = await connected()
    const { sections, presets } = host.last('presets')
    const room = (await production.call('GET', `/v2/control-rooms/${production.controlRoomId}`)).body as unknown as {
      sections: { id: string; name: string; colorKey?: string }[]
      presets: { id: number; name: string; sectionId: string }[]
    }
    expect(sections.map(({ name }) => name)).toEqual([...room.sections.map(({ name }) => name), 'Show control'])
    for (const { id, name, sectionId } of room.presets) {
      const section = sections.find((one) => one.id === `section-${sectionId}`)
      expect(section?.definitions.flatMap((group) => (typeof group === 'string' ? [] : group.presets))).toEqual(
        expect.arrayContaining([`show-${id}`, `cue-${id}`]),
      )
      expect(presets[`show-${id}`]).toMatchObject({ name, keywords: expect.arrayContaining([name]) })
      expect(presets[`show-${id}`]?.steps[0]?.down).toEqual([
        { actionId: 'toggle', options: { presetId: id, durationSeconds: 0 } },
      ])
    }
    const colours = room.sections.map(({ id }) => {
      const preset = room.presets.find(({ sectionId }) => sectionId === id)
      return presets[`show-${preset?.id}`]?.style.bgcolor
    })
    expect(new Set(colours.filter((colour) => colour !== undefined)).size).toBeGreaterThan(1)
    // what changes in the room changes here
    const first = room.presets[0] as { id: number; name: string }
    await production.call('PATCH', `/v2/control-rooms/${production.controlRoomId}/presets/${first.id}`, {
      name: 'Renamed',
    })
    await host.until(() => expect(host.last('presets').presets[`show-${first.id}`]?.name).toBe('Renamed'))
    await production.call('PATCH', `/v2/control-rooms/${production.controlRoomId}/presets/${first.id}`, {
      name: first.name,
    })
    const actions = await host.ask<string[]>('actions')
    const contract = [
      'cue',
      'take',
      'show',
      'update',
      'hide',
      'hideAll',
      'step',
      'undo',
      'fact',
      'pausePlan',
      'resumePlan',
    ]
    expect(actions).toEqual(expect.arrayContaining(contract))
  })

  test('lights what is true: cued, committed, painted, timed, undoable, and without a renderer', async () => {
    const { overlay, server } = production
    const { id: presetId } = production.preset('Score bug')
    const host = await connected()
    await host.ask('place', { buttons: buttons(presetId) })
    await host.until(() => expect(host.lit()).toEqual(['rendererLost', 'spareLost']))
    await host.press('cue', { presetId })
    await host.until(() => expect(host.lit()).toEqual(['anyCued', 'cued', 'rendererLost', 'spareLost']))
    await host.press('take', { presetId: 0, durationSeconds: 0 })
    await host.until(() => expect(host.lit()).toEqual(['committed', 'rendererLost', 'spareLost', 'undoable']))
    await host.press('undo')
    await host.until(() => expect(host.lit()).not.toContain('committed'))

    // a renderer says at once that it painted what it was sent first
    let painted = Number.POSITIVE_INFINITY
    const renderer = new Renderer({
      url: `${server.origin.replace('http', 'ws')}/overlay/${overlay.key}/socket`,
      onFrame(text) {
        if (text.startsWith('{"type":"LOAD_GRAPHIC"')) painted = Math.min(painted, Date.now())
      },
    })
    onTestFinished(() => renderer.close())
    await host.until(() => expect(host.lit()).not.toContain('rendererLost'))
    // one of two is there
    expect(host.lit()).toContain('spareLost')
    const spare = new Renderer({ url: `${server.origin.replace('http', 'ws')}/overlay/${overlay.key}/socket` })
    onTestFinished(() => spare.close())
    await host.until(() => expect(host.lit()).not.toContain('spareLost'))
    spare.close()
    await host.until(() => expect(host.lit()).toContain('spareLost'))
    await host.press('toggle', { presetId, durationSeconds: 30 })
    await host.until(() => expect(host.lit()).toEqual(['onAir', 'spareLost', 'undoable']))
    const lit = host.told.find((one) => one.type === 'lamp' && one.id === 'onAir' && one.value === true) as Lamp
    expect(lit.at - painted, 'ms from the report to the lamp').toBeLessThan(100)
    await host.until(() => {
      const left = host.told.filter((one) => one.type === 'lamp' && one.id === 'timeLeft').at(-1) as Lamp
      expect((left.value as { text: string }).text).toMatch(/^Score bug\\n(30|29|28) s$/)
    })
    expect(host.last('values').values).toMatchObject({ on_air: 'Score bug', renderers: 1 })
    await host.press('update', { presetId, variable: 'showClock', kind: 'switch', value: 'no' })
    const state = (await production.call('GET', `/v2/overlays/${overlay.id}`)).body.manualGraphicState
    expect(JSON.stringify(state)).toContain('"showClock":false')
    await host.press('toggle', { presetId, durationSeconds: 0 })
    await host.until(() => expect(host.lit()).toEqual(['spareLost', 'undoable']))
    await host.press('hideAll', { scheduled: true })
    // one that paints nothing
    renderer.close()
    const mute = new Renderer({
      url: `${server.origin.replace('http', 'ws')}/overlay/${overlay.key}/socket`,
      reports: false,
    })
    onTestFinished(() => mute.close())
    await host.until(() => expect(host.last('values').values).toMatchObject({ renderers: 1 }))
    await host.press('show', { presetId, durationSeconds: 0 })
    await host.until(() => expect(host.lit()).toContain('failing'))
    await host.press('hideAll', { scheduled: true })
  })

  test('tells facts, and its variables are the match: names, score, period and a clock that runs', async () => {
    const { overlay, competitionId, themeProfileId, call } = production
    const rule = { id: 'bug', name: 'While it is played', trigger: { type: 'state', state: 'live' } }
    await call('PUT', `/v2/competitions/${competitionId}/theme-profiles/${themeProfileId}/game-plan`, {
      rules: [{ ...rule, presetId: production.preset('Score bug').id, end: { until: 'state' } }],
    })
    await call('PATCH', `/v1/overlays/${overlay.id}`, { autoMode: true })
    const host = await connected()
    // the teams of a match may be others after the module has connected
    const [home, away] = production.teamIds
    const sides = { homeTeamId: away, awayTeamId: home }
    expect((await call('POST', `/v2/matches/${production.matchId}`, sides)).status).toBe(200)
    await host.press('fact', { type: 'periodStart', team: 'none', playerId: 0 })
    await host.press('fact', { type: 'goal', team: 'home', playerId: 0 })
    await host.until(() => expect(host.last('values').values).toMatchObject({ home_score: '1', away_score: '0' }))
    await host.until(() => expect(host.last('values').values.clock).toMatch(/^00:0[2-9]$/))
    expect(host.last('values').values.home_name).toMatch(/\w/)
    const { facts } = (await call('GET', `/v2/matches/${production.matchId}/facts`)).body as {
      facts: { type: string; teamId: number }[]
    }
    expect(facts.find(({ type }) => type === 'goal')?.teamId).toBe(away)
    await host.press('pausePlan')
    await host.ask('place', { buttons: buttons(1) })
    await host.until(() => expect(host.lit()).toContain('planPaused'))
    await host.press('resumePlan')
    await host.until(() => expect(host.lit()).not.toContain('planPaused'))
  })

  test('steps an OGraf graphic on, and its button goes with it from air to off', async () => {
    const { server, apiKey: key, themeId, controlRoomId, sectionIds, call, overlay } = production
    const [graphicId] = await onTheme({ server, key, themeId }, cardZip({ stepCount: 3 }))
    const button = { sectionId: sectionIds[0], graphicId, name: 'Three steps' }
    const presetId = Number((await call('POST', `/v2/control-rooms/${controlRoomId}/presets`, button)).body.id)
    const host = await connected()
    await host.until(() => expect(host.last('presets').presets[`show-${presetId}`]?.name).toBe('Three steps'))
    await host.press('show', { presetId, durationSeconds: 0 })
    const stepNow = async () => {
      const { manualGraphicState } = (await call('GET', `/v2/overlays/${overlay.id}`)).body
      return (manualGraphicState as Record<string, { step?: number }>).Card?.step
    }
    expect(await stepNow()).toBe(0)
    await host.press('step', { presetId, delta: 1 })
    expect(await stepNow()).toBe(1)
    await host.press('step', { presetId, delta: -1 })
    expect(await stepNow()).toBe(0)
    await host.press('step', { presetId, delta: 3 })
    expect(await stepNow()).toBeUndefined()
  })

  test('lights nothing while the line is away, and is right again when it is back', async () => {
    const { id: presetId } = production.preset('Score bug')
    const line = await proxyTo(production.server.origin)
    const host = await connected(line.url.replace(/\/+$/, ''))
    await host.ask('place', { buttons: buttons(presetId) })
    await host.press('show', { presetId, durationSeconds: 0 })
    await host.until(() => expect(host.lit()).toContain('committed'))
    line.refuse()
    await host.until(() => expect(host.lit()).toEqual(['disconnected']))
    expect(host.last('status').status).toBe('disconnected')
    await production.fire('hide', 'Score bug')
    line.mend()
    await host.until(() => expect(host.lit()).not.toContain('disconnected'))
    await host.until(() => expect(host.lit()).not.toContain('committed'))
    expect(host.last('status').status).toBe('ok')
  })

  test('says what is wrong with its settings, and works once they are right', async () => {
    const { server } = production
    const host = new Host()
    await host.ask('init', { config: { url: 'tally.local', overlayId: 0 }, ...secrets('') })
    expect(host.last('status').status).toBe('bad_config')
    await host.ask('configure', { config: { url: server.origin, overlayId: 0 }, ...secrets('service_wrong') })
    await host.until(() => expect(host.last('status')).toMatchObject({ status: 'authentication_failure' }))
    const { key } = await newKey(server.database, production.organizationId, ['teams:read'])
    await host.ask('configure', { config: { url: server.origin, overlayId: 0 }, ...secrets(key) })
    await host.until(() => expect(host.last('status')).toMatchObject({ status: 'insufficient_permissions' }))
    await host.ask('configure', { config: { url: server.origin, overlayId: 999 }, ...secrets(production.apiKey) })
    await host.until(() =>
      expect(host.last('status')).toMatchObject({ status: 'bad_config', message: 'There is no overlay 999' }),
    )
    await host.ask('configure', {
      config: { url: server.origin, overlayId: production.overlay.id },
      ...secrets(production.apiKey),
    })
    await host.until(() => expect(host.last('status').status).toBe('ok'))
    const fields = await host.ask<{ id: string; choices?: { label: string }[] }[]>('fields')
    expect(fields.find(({ id }) => id === 'overlayId')?.choices?.map(({ label }) => label)).toContain(
      `Main output (${production.overlay.id})`,
    )
    // one that is not among the first hundred
    let last = 0
    for (let nth = 0; nth < 100; nth++) {
      const made = await production.call('POST', '/v1/overlays', { matchId: production.matchId, name: `Output ${nth}` })
      last = Number(made.body.id)
    }
    await host.ask('configure', { config: { url: server.origin, overlayId: last }, ...secrets(production.apiKey) })
    await host.until(() => expect(host.last('values').values).toMatchObject({ overlay: 'Output 99' }))
    await host.until(() => expect(host.last('status').status).toBe('ok'))
    // what is refused is told to whoever looks at the log
    await expect(host.press('show', { presetId: 999_999, durationSeconds: 0 })).rejects.toThrow()
    expect(host.last('log')).toMatchObject({ level: 'warn', message: expect.stringContaining('show: ') })
  })
})
