import { expect, it } from 'vitest'
import type { MotionBinding } from '../../src/motion/manifest.ts'
import { ranOutOfMemory, startRuntime } from '../../src/motion/runtime.ts'
import { writeRiv } from '../support/riv.ts'

type Instance = {
  number(path: string): { value: number }
  string(path: string): { value: string }
  list(path: string): { size: number; instanceAt(index: number): Instance }
}
type PageFile = { viewModelByName(name: string): { defaultInstance(): Instance } }
type Properties = { set(binding: MotionBinding, value: unknown, now: number): Promise<void>; delete(): void }
type PropertiesClass = new (parts: object) => Properties

// a part of a page, whose types only a browser has
const PAGE: string = '../../src/pages/motion/properties.ts'
const { Properties } = (await import(PAGE)) as { Properties: PropertiesClass }

const board = writeRiv([
  ['backboard'],
  ['viewModel', { viewModelName: 'Board' }],
  ['propertyList', { viewModelName: 'rows' }],
  ['propertyNumber', { viewModelName: 'points' }],
  ['viewModel', { viewModelName: 'Row' }],
  ['propertyString', { viewModelName: 'team' }],
  ['instance', { name: 'Default', viewModelIdOfInstance: 0 }],
  ['instanceList', { viewModelPropertyId: 0 }],
  ['instanceNumber', { viewModelPropertyId: 1, numberDefault: 7 }],
  ['instance', { name: 'Default', viewModelIdOfInstance: 1 }],
  ['instanceString', { viewModelPropertyId: 0, stringDefault: '' }],
  ['artboard', { name: 'Main', artboardWidth: 9, artboardHeight: 9, viewModelId: 0 }],
])
/** Less than what as many rows take that nobody lets go. */
const MEMORY_MB = 24
const ROWS = 60_000

const binding = (path: string, type: string, value: string | null = null): MotionBinding => ({
  id: path,
  value,
  computed: true,
  viewModel: 'Board',
  type,
  path,
})

async function opened() {
  const rive = await startRuntime(MEMORY_MB)
  const loader = new rive.CustomFileAssetLoader({ loadContents: () => true })
  const file = forPage(await rive.load(board, loader, false))
  const instance = file.viewModelByName('Board').defaultInstance()
  const properties = new Properties({ rive, file, instance, changed: () => {}, problem: () => {} })
  return { instance, properties }
}

/** The page takes more of the same runtime. */
const forPage = (file: unknown) => file as PageFile

it('[issue 4] a list that changes all evening takes no more memory than it has rows', async () => {
  const { instance, properties } = await opened()
  const rows = binding('rows', 'list')
  for (let turn = 0; turn < ROWS; turn++) await properties.set(rows, [{ team: `Team ${turn}` }], 0)
  expect(ranOutOfMemory()).toBe(false)
  await properties.set(rows, [{ team: 'Home' }, { team: 'Away' }], 0)
  const list = instance.list('rows')
  expect([0, 1].map((index) => list.instanceAt(index).string('team').value)).toEqual(['Home', 'Away'])
  await properties.set(rows, null, 0)
  expect(list.size).toBe(0)
  properties.delete()
})

it('[issue 4] a value that a property cannot take leaves it what the designer set, else what the file has', async () => {
  const { instance, properties } = await opened()
  const points = () => instance.number('points').value
  await properties.set(binding('points', 'number', '12'), 'many', 0)
  expect(points()).toBe(12)
  await properties.set(binding('points', 'number', '12'), 30, 0)
  expect(points()).toBe(30)
  await properties.set(binding('points', 'number'), 'many', 0)
  expect(points()).toBe(7)
})
