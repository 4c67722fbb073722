import { describe, expect, it } from 'vitest'
import { motionManifest } from '../../src/motion/manifest.ts'

describe('[issue 4] graphic.json of a motion graphic', () => {
  it('of an empty state machine has what a renderer takes for granted', () => {
    expect(motionManifest({}, new Set())).toEqual({
      artboard: '',
      stateMachine: '',
      scale: 1,
      x: 0,
      y: 0,
      deferInitialShow: false,
      variables: [],
      bindings: [],
      inputs: [],
      assets: [],
    })
  })

  it.each([
    ['variables.title', 'title'],
    [' variables["Main title"] ', 'Main title'],
    ["variables['a']", 'a'],
    ['variables.title + "!"', undefined],
    ['match.score.home', undefined],
  ])('an expression that is a control variable names it: %s', (expression, variable) => {
    const property = { viewModelId: 'M', viewModelName: 'M', type: 'string', path: 'headline' }
    const dataBindings = [{ id: 'b', name: 'b', expression, defaultValue: 'x', viewModelProperty: property }]
    const [binding] = motionManifest({ dataBindings }, new Set()).bindings
    expect(binding?.variable).toBe(variable)
    expect(binding?.value).toBe('x')
    expect(binding?.computed).toBe(true)
  })

  it('an asset is replaced by the file of its name', () => {
    const asset = { id: '1', name: 'badge', uniqueFileName: 'badge-1.png', type: 'image' }
    const other = { id: '2', name: 'font', uniqueFileName: 'font-2.ttf', type: 'font' }
    const { assets } = motionManifest({ assets: [asset, other] }, new Set(['graphic.riv', 'assets/badge-1.png']))
    expect(assets.map(({ path }) => path)).toEqual(['assets/badge-1.png', undefined])
  })
})
