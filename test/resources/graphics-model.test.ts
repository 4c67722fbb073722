import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoPresets } from '../support/demo-theme.ts'
import { type Production, startProduction } from './support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

type State = Record<string, { _service_presetId: number; variableValues: Record<string, unknown> }>

/** Numbers in [0, 1) that are the same for a seed. */
function random(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** The values of a preset as they are on air: which brand a sponsor slot gives is not for the rules of states to say. */
const stored = (name: string) => {
  const values = demoPresets.find((preset) => preset.name === name)?.variableValues ?? {}
  const onAir = (value: unknown) => (typeof value === 'object' && value !== null ? expect.any(Number) : value)
  return Object.fromEntries(Object.entries(values).map(([variable, value]) => [variable, onAir(value)]))
}

const overrides: Record<string, Record<string, unknown>[]> = {
  'Score bug': [{ homeScore: 3 }, { clock: '90:00', addedTime: 4 }, { showClock: false }],
  'Lower third': [{ title: 'Captain' }, { name: 'Ångström', team: 'away' }],
  'Line-up card': [{ team: 'away' }],
  'Result card': [{ headline: 'After extra time' }],
  'Sponsor card': [{ tagline: 'Today' }],
}

/** The rules of spec: States and transitions, written down a second time. */
function model(state: State, action: string, preset: Production['presets'][number], given: object): State | 400 {
  const { graphicName, id, name } = preset
  if (action === 'update' && !state[graphicName]) return 400
  if (action === 'hide') {
    const { [graphicName]: _, ...rest } = state
    return rest
  }
  return { ...state, [graphicName]: { _service_presetId: id, variableValues: { ...stored(name), ...given } } }
}

describe('random commands', () => {
  it.each(Array.from({ length: 50 }, (_, seed) => seed))(
    '[States] sequence %i leaves exactly the state that the rules give',
    async (seed) => {
      const next = random(seed + 1)
      const pick = <T>(from: readonly T[]) => from[Math.floor(next() * from.length)] as T
      const commands = `/v2/overlays/${production.overlay.id}/graphics/commands`
      let state: State = {}
      await production.call('POST', commands, { action: 'hideAll' })
      for (let step = 0; step < 20; step++) {
        if (next() < 0.05) {
          state = {}
          const answer = await production.call('POST', commands, { action: 'hideAll' })
          expect(answer.body.manualGraphicState).toEqual(state)
          continue
        }
        const preset = pick(production.presets)
        const action = pick(['show', 'show', 'update', 'hide'])
        const given = next() < 0.5 ? {} : pick(overrides[preset.graphicName] ?? [{}])
        const expected = model(state, action, preset, given)
        const answer = await production.fire(action, preset.name, given)
        if (expected === 400) expect(answer.status).toBe(400)
        else {
          state = expected
          expect(answer.body.manualGraphicState).toEqual(state)
        }
      }
      const read = await production.call('GET', `/v1/overlays/${production.overlay.id}`)
      expect(read.body.manualGraphicState).toEqual(state)
    },
  )
})
