import { afterAll, beforeAll, expect, it } from 'vitest'
import { seeded } from '../support/random.ts'
import { type Production, produce, startProduction } from './support.ts'
import { graphicOf, type Own, publishGraphic, updatedAtOf, watch } from './themes-support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const PRESETS = ['Score bug', 'Full-time result', 'Match partner'] as const
type Preset = (typeof PRESETS)[number]
type Versions = Readonly<Record<Preset, number>>

/** The rules of a theme's versions, written down a second time. */
class Model {
  published: Versions = { 'Score bug': 1, 'Full-time result': 1, 'Match partner': 1 }
  versions: Versions[] = [{ ...this.published }]
  active: number | null = 1
  air: Partial<Record<Preset, number>> = {}

  publish(activate: boolean) {
    this.versions.push({ ...this.published })
    if (activate) this.active = this.versions.length
  }

  get shown() {
    return this.active === null ? undefined : this.versions[this.active - 1]
  }
}

async function steps(own: Own, seed: number) {
  const random = seeded(seed)
  const model = new Model()
  const seen = watch(own)
  const theme = `/v2/themes/${own.themeId}`
  const call = async (method: string, path: string, body: object, status = 200) => {
    const answer = await own.call(method, `${theme}${path}`, body)
    expect([answer.status, answer.body]).toEqual([status, expect.anything()])
    return answer.body
  }
  const onAir = () => Object.keys(model.air).length
  const ops: Record<string, (preset: Preset) => Promise<void>> = {
    async publishGraphic(preset) {
      const version = await publishGraphic(own, own.themeId, graphicOf(own, preset))
      model.published = { ...model.published, [preset]: version }
    },
    async publish() {
      const activate = random.chance(0.6)
      const ifUnchangedSince = await updatedAtOf(own, theme)
      const dry = await call('POST', '/versions', { activate, dryRun: true })
      model.publish(activate)
      const done = await call('POST', '/versions', { activate, ifUnchangedSince })
      expect({ ...dry, dryRun: false, updatedAt: done.updatedAt }).toEqual(done)
      expect([done.version, done.activeVersion]).toEqual([model.versions.length, model.active])
      if (activate) expect(done.graphicsOnAir).toHaveLength(onAir())
    },
    async activate() {
      const version = 1 + random.below(model.versions.length)
      const body = await call('POST', `/versions/${version}/activate`, {})
      expect([body.previousVersion, body.activeVersion]).toEqual([model.active, version])
      model.active = version
    },
    async update() {
      const activeVersion = random.chance(0.3) ? null : 1 + random.below(model.versions.length)
      model.active = activeVersion
      expect(await call('PATCH', '', { activeVersion })).toMatchObject({ activeVersion })
    },
    async show(preset) {
      const { status } = await own.fire('show', preset)
      expect(status).toBe(model.shown ? 200 : 400)
      if (model.shown) model.air = { ...model.air, [preset]: model.shown[preset] }
    },
    async updateOnAir(preset) {
      const { status } = await own.fire('update', preset)
      expect(status).toBe(model.air[preset] ? 200 : 400)
    },
    async hide(preset) {
      expect((await own.fire('hide', preset)).status).toBe(200)
      const { [preset]: _, ...rest } = model.air
      model.air = rest
    },
  }
  for (let step = 0; step < 60; step++) {
    const name = random.pick([
      'publishGraphic',
      'publish',
      'activate',
      'update',
      'show',
      'show',
      'show',
      'updateOnAir',
      'hide',
    ])
    await ops[name]?.(random.pick(PRESETS))
    for (const preset of PRESETS) await seen.until(preset, (graphic) => graphic?.version === model.air[preset])
  }
  const { body } = await own.call('GET', theme)
  expect([body.activeVersion, body.versions]).toEqual([model.active, model.versions.map((_, index) => index + 1)])
  const overlay = await own.call('GET', `/v2/overlays/${own.overlay.id}`)
  expect(overlay.body.activeThemeVersion).toBe(model.active)
  for (const [index, pinned] of model.versions.entries()) {
    const version = await own.call('GET', `${theme}/versions/${index + 1}`)
    for (const preset of PRESETS)
      expect(version.body.graphics).toContainEqual(
        expect.objectContaining({ graphicId: graphicOf(own, preset), version: pinned[preset] }),
      )
  }
}

it.each([1, 2, 3, 4, 5])(
  '[issue 4.1] sequence %i of publications, activations and shows: on screen is what was active at the last show',
  async (seed) => steps(await produce(production.server), seed),
)
