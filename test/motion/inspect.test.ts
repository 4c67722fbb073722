import { describe, expect, it } from 'vitest'
import { inspectRiv } from '../../src/motion/inspect.ts'
import { UnusableMotionFile } from '../../src/motion/motion-file.ts'
import { CARD_INSTANCE, CARD_PROPERTIES } from '../support/motion-card.ts'
import { type RivObject, writeRiv } from '../support/riv.ts'

const MODEL: RivObject[] = [
  ...CARD_PROPERTIES,
  ['propertyViewModel', { viewModelName: 'scorer', viewModelReferenceId: 1 }],
  ['viewModel', { viewModelName: 'Person' }],
  ['propertyString', { viewModelName: 'name' }],
  ...CARD_INSTANCE,
  ['instanceViewModel', { viewModelPropertyId: 7, instanceOf: 0 }],
  ['instance', { name: 'Somebody', viewModelIdOfInstance: 1 }],
  ['instanceString', { viewModelPropertyId: 0, stringDefault: 'Nobody' }],
]
const ARTBOARD: RivObject = ['artboard', { name: 'Main', artboardWidth: 1280, artboardHeight: 200, viewModelId: 0 }]
const MACHINE: RivObject[] = [
  ['stateMachine', { animationName: 'Machine' }],
  ['stateMachineBool', { machineName: 'onAir', boolValue: 1 }],
  ['stateMachineNumber', { machineName: 'score', numberValue: 3 }],
  ['stateMachineTrigger', { machineName: 'goal' }],
]
const PICTURE = new TextEncoder().encode('not looked at')

const inspected = (...objects: RivObject[]) => inspectRiv(writeRiv([['backboard'], ...objects]))
const refused = async (bytes: Uint8Array, limits = {}) => {
  const error = await inspectRiv(bytes, limits).catch((thrown: unknown) => thrown)
  return error instanceof UnusableMotionFile ? error.reason : error
}

describe('[issue 4] a motion file is read by the runtime that draws it', () => {
  it('artboards, state machines and their inputs with defaults', async () => {
    const { version, artboards } = await inspected(...MODEL, ARTBOARD, ...MACHINE, [
      'artboard',
      { name: 'Other', artboardWidth: 10, artboardHeight: 20 },
    ])
    expect(version).toEqual({ major: 7, minor: 0 })
    expect(artboards[0]).toEqual({
      name: 'Main',
      width: 1280,
      height: 200,
      viewModel: 'Card',
      stateMachines: [
        {
          name: 'Machine',
          inputs: [
            { name: 'onAir', type: 'boolean', defaultValue: true },
            { name: 'score', type: 'number', defaultValue: 3 },
            { name: 'goal', type: 'trigger', defaultValue: null },
          ],
        },
      ],
    })
    expect(artboards[1]).toMatchObject({ name: 'Other', width: 10, height: 20, viewModel: null })
  })

  it('view models with every type of property, those of the ones inside by their path', async () => {
    const { viewModels } = await inspected(...MODEL, ARTBOARD)
    expect(viewModels.map(({ name }) => name)).toEqual(['Card', 'Person'])
    expect(viewModels[0]?.properties).toEqual([
      { path: 'headline', type: 'string', defaultValue: 'Headline' },
      { path: 'points', type: 'number', defaultValue: '100' },
      { path: 'live', type: 'boolean', defaultValue: 'true' },
      { path: 'accent', type: 'color', defaultValue: '#e4002bff' },
      { path: 'side', type: 'enum', enumValues: ['home', 'away'], defaultValue: 'away' },
      { path: 'flash', type: 'trigger' },
      { path: 'badge', type: 'image' },
      { path: 'scorer/name', type: 'string', defaultValue: 'Nobody' },
    ])
  })

  it('a list, and the view model of its items', async () => {
    const { viewModels } = await inspected(
      ['viewModel', { viewModelName: 'Board' }],
      ['propertyList', { viewModelName: 'rows' }],
      ['viewModel', { viewModelName: 'Row' }],
      ['propertyString', { viewModelName: 'name' }],
      ['instance', { name: 'Default', viewModelIdOfInstance: 0 }],
      ['instanceList', { viewModelPropertyId: 0 }],
      ['instance', { name: 'Default', viewModelIdOfInstance: 1 }],
      ['instanceString', { viewModelPropertyId: 0, stringDefault: 'Somebody' }],
      ARTBOARD,
    )
    expect(viewModels.map(({ name, properties }) => [name, properties])).toEqual([
      ['Board', [{ path: 'rows', type: 'list' }]],
      ['Row', [{ path: 'name', type: 'string', defaultValue: 'Somebody' }]],
    ])
  })

  it('assets, embedded or only named', async () => {
    const { assets } = await inspected(
      ['imageAsset', { assetName: 'badge', assetId: 11, assetWidth: 20, assetHeight: 20 }],
      ['assetContents', { bytes: PICTURE }],
      ['fontAsset', { assetName: 'Barlow', assetId: 12 }],
      ARTBOARD,
    )
    expect(assets).toEqual([
      {
        id: '11',
        name: 'badge',
        type: 'image',
        uniqueFileName: 'badge-11.png',
        embedded: true,
        size: PICTURE.length,
      },
      { id: '12', name: 'Barlow', type: 'font', uniqueFileName: 'Barlow-12.ttf', embedded: false, size: 0 },
    ])
  })
})

describe('[issue 4] a file that nothing can be made of is refused with the reason', () => {
  const whole = writeRiv([['backboard'], ...MODEL, ARTBOARD, ...MACHINE])

  it('another kind of file, another format, nothing in it', async () => {
    expect(await refused(new TextEncoder().encode('PK\u0003\u0004 and so on'))).toBe('not a motion file')
    expect(await refused(new Uint8Array())).toBe('not a motion file')
    expect(await refused(Uint8Array.of(...new TextEncoder().encode('RIVE'), 6, 0, 1, 0))).toMatch(/format 6/)
    expect(await refused(writeRiv([['backboard']]))).toBe('has no artboard')
  })

  it('a file that ends too early, at any byte, is read or refused, never anything else', async () => {
    for (let length = 8; length < whole.length; length += 97) {
      const reason = await refused(whole.slice(0, length))
      expect(typeof reason === 'string' || 'artboards' in Object(reason), String(reason)).toBe(true)
    }
  })

  it('larger than allowed, slower than allowed, more memory than allowed', async () => {
    expect(await refused(whole, { maxBytes: whole.length - 1 })).toBe(`larger than ${whole.length - 1} bytes`)
    expect(await refused(whole, { withinMs: 1 })).toBe('takes more than 0.001 s to read')
    const large = writeRiv([
      ['backboard'],
      ['imageAsset', { assetName: 'large', assetId: 1 }],
      ['assetContents', { bytes: new Uint8Array(24_000_000) }],
      ARTBOARD,
    ])
    expect(await refused(large)).toMatchObject({ artboards: [{ name: 'Main' }] })
    expect(await refused(large, { memoryMb: 20 })).toBe('takes too much memory to read')
  })

  it('numbers and texts that nobody could store', async () => {
    const sized = (artboardWidth: number, name = 'Main'): RivObject => [
      'artboard',
      { name, artboardWidth, artboardHeight: 9 },
    ]
    for (const width of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(await refused(writeRiv([['backboard'], sized(width)]))).toBe('has a number that is none')
    expect(
      await refused(
        writeRiv([
          ['backboard'],
          sized(9),
          MACHINE[0] ?? sized(9),
          ['stateMachineNumber', { machineName: 'n', numberValue: Number.NaN }],
        ]),
      ),
    ).toBe('has a number that is none')
    expect(await refused(writeRiv([['backboard'], sized(9, 'a\u0000b')]))).toBe('has a text that is none')
  })

  it('more than anybody reads: many small parts, one long name', async () => {
    const inputs = Array.from(
      { length: 4_000 },
      (_, index): RivObject => ['stateMachineBool', { machineName: `in${index}` }],
    )
    const machines = Array.from({ length: 8 }, (_, index): RivObject[] => [
      ['stateMachine', { animationName: `m${index}` }],
      ...inputs,
    ]).flat()
    const reason = 'has too many parts, or names that are too long'
    expect(await refused(writeRiv([['backboard'], ARTBOARD, ...machines]))).toBe(reason)
    const name = 'x'.repeat(2_000_000)
    expect(await refused(writeRiv([['backboard'], ['artboard', { name, artboardWidth: 9, artboardHeight: 9 }]]))).toBe(
      reason,
    )
  })

  it('view models inside themselves end', async () => {
    const reason = await refused(
      writeRiv([
        ['backboard'],
        ['viewModel', { viewModelName: 'Endless' }],
        ['propertyViewModel', { viewModelName: 'again', viewModelReferenceId: 0 }],
        ['propertyString', { viewModelName: 'text' }],
        ['instance', { name: 'Default', viewModelIdOfInstance: 0 }],
        ['instanceViewModel', { viewModelPropertyId: 0, instanceOf: 0 }],
        ['instanceString', { viewModelPropertyId: 1, stringDefault: 'x' }],
        ARTBOARD,
      ]),
    )
    expect(typeof reason === 'string' || 'artboards' in Object(reason), String(reason)).toBe(true)
  })
})
