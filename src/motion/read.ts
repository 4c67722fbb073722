import {
  type MotionArtboard,
  type MotionAsset,
  type MotionFile,
  type MotionInput,
  type MotionProperty,
  type MotionViewModel,
  PROPERTY_TYPES,
  UnusableMotionFile,
} from './motion-file.ts'
import {
  type Runtime,
  type RuntimeArtboard,
  type RuntimeAsset,
  type RuntimeFile,
  type RuntimeInput,
  type RuntimeInstance,
  type RuntimeProperty,
  type RuntimeViewModel,
  startRuntime,
} from './runtime.ts'

const SIGNATURE = 'RIVE'
const MAJOR = 7
/** A hostile file may name any number of things, or nest them in themselves. */
const MAX_PARTS = 5_000
const MAX_DEPTH = 8
/** Of all that is told of a file, as JSON: it is stored, and sent with every answer. */
const MAX_TOLD = 1_000_000
const UNSTORABLE = /[\0\p{Surrogate}]/u

/** Reads the contents of a motion file. Throws UnusableMotionFile, and errors of the runtime. */
export async function readMotionFile(bytes: Uint8Array, memoryMb: number): Promise<MotionFile> {
  const version = versionOf(bytes)
  const runtime = await startRuntime(memoryMb)
  const assets: MotionAsset[] = []
  const loader = new runtime.CustomFileAssetLoader({
    loadContents(asset, contents) {
      assets.push(assetOf(asset, contents.length))
      // said to be loaded, so that nothing is decoded here
      return true
    },
  })
  const file = await runtime.load(bytes, loader, false)
  if (!file) throw new UnusableMotionFile('damaged, or not a motion file')
  const artboards = listed(file.artboardCount(), (index) => artboardOf(runtime, file, index))
  if (artboards.length === 0) throw new UnusableMotionFile('has no artboard')
  const properties = { left: MAX_PARTS }
  const viewModels = listed(file.viewModelCount(), (index) => viewModelOf(file, index, properties))
  return sound({ version, artboards, viewModels, assets })
}

/** Refuses contents that no editor writes, a database cannot hold or are too much for readers: here, where no request waits. */
function sound(file: MotionFile): MotionFile {
  const told = JSON.stringify(file, (_, value) => {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new UnusableMotionFile('has a number that is none')
    if (typeof value === 'string' && UNSTORABLE.test(value)) throw new UnusableMotionFile('has a text that is none')
    return value
  })
  if (told.length > MAX_TOLD) throw new UnusableMotionFile('has too many parts, or names that are too long')
  return file
}

/** The runtime takes any bytes for an empty file when they begin well, so the beginning is looked at first. */
function versionOf(bytes: Uint8Array): MotionFile['version'] {
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== SIGNATURE)
    throw new UnusableMotionFile('not a motion file')
  const at = { index: 4 }
  const version = { major: varuint(bytes, at), minor: varuint(bytes, at) }
  if (version.major !== MAJOR)
    throw new UnusableMotionFile(`of format ${version.major}.${version.minor}, and only ${MAJOR} can be shown`)
  return version
}

function varuint(bytes: Uint8Array, at: { index: number }): number {
  let value = 0
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = bytes[at.index++] ?? 0
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return value
  }
  throw new UnusableMotionFile('not a motion file')
}

function listed<T>(count: number, one: (index: number) => T | undefined): T[] {
  if (count > MAX_PARTS) throw new UnusableMotionFile(`has more than ${MAX_PARTS} parts of one kind`)
  return Array.from({ length: count }, (_, index) => one(index)).filter((part) => part !== undefined)
}

function assetOf({ name, uniqueFilename, isImage, isFont }: RuntimeAsset, size: number): MotionAsset {
  const [, id = uniqueFilename] = /-(\d+)\.[^.]*$/.exec(uniqueFilename) ?? []
  const type = isImage ? 'image' : isFont ? 'font' : 'audio'
  return { id, name, type, uniqueFileName: uniqueFilename, embedded: size > 0, size }
}

function artboardOf(runtime: Runtime, file: RuntimeFile, index: number): MotionArtboard | undefined {
  const artboard = file.artboardByIndex(index)
  if (!artboard) return undefined
  const { minX, minY, maxX, maxY } = artboard.bounds
  return {
    name: artboard.name,
    width: maxX - minX,
    height: maxY - minY,
    stateMachines: listed(artboard.stateMachineCount(), (machine) => stateMachineOf(runtime, artboard, machine)),
    viewModel: file.defaultArtboardViewModel(artboard)?.name ?? null,
  }
}

function stateMachineOf(runtime: Runtime, artboard: RuntimeArtboard, index: number) {
  const machine = artboard.stateMachineByIndex(index)
  const running = new runtime.StateMachineInstance(machine, artboard)
  return { name: machine.name, inputs: listed(running.inputCount(), (at) => inputOf(runtime, running.input(at))) }
}

function inputOf({ SMIInput }: Runtime, input: RuntimeInput): MotionInput | undefined {
  const { name, type } = input
  if (type === SMIInput.bool) return { name, type: 'boolean', defaultValue: input.asBool().value }
  if (type === SMIInput.number) return { name, type: 'number', defaultValue: input.asNumber().value }
  return type === SMIInput.trigger ? { name, type: 'trigger', defaultValue: null } : undefined
}

function viewModelOf(file: RuntimeFile, index: number, allowed: { left: number }): MotionViewModel | undefined {
  const model = file.viewModelByIndex(index)
  if (!model) return undefined
  const instance = model.defaultInstance() ?? model.instance()
  const enums = new Map(file.enums().map(({ name, values }) => [name, values]))
  return { id: model.name, name: model.name, properties: propertiesOf(model, { instance, enums, allowed }, '') }
}

type Walk = {
  instance: RuntimeInstance | null
  enums: ReadonlyMap<string, string[]>
  allowed: { left: number }
}

function propertiesOf(
  owner: Pick<RuntimeViewModel, 'getProperties'>,
  walk: Walk,
  prefix: string,
  depth = 0,
): MotionProperty[] {
  return owner.getProperties().flatMap((property) => {
    const path = prefix + property.name
    if (property.type === 'viewModel') {
      const nested = depth < MAX_DEPTH ? walk.instance?.viewModel(path) : undefined
      return nested ? propertiesOf(nested, walk, `${path}/`, depth + 1) : []
    }
    if (--walk.allowed.left < 0) throw new UnusableMotionFile(`has more than ${MAX_PARTS} properties`)
    return [propertyOf(property, path, walk)]
  })
}

function propertyOf(
  { type: told, enumName }: RuntimeProperty,
  path: string,
  { instance, enums }: Walk,
): MotionProperty {
  const type = propertyType(told)
  const values = type === 'enum' ? (enums.get(enumName ?? '') ?? instance?.enum(path)?.values) : undefined
  const defaultValue = instance ? textOf(instance, type, path) : undefined
  return {
    path,
    type,
    ...(values && { enumValues: [...values] }),
    ...(defaultValue !== undefined && { defaultValue }),
  }
}

const propertyType = (told: string): MotionProperty['type'] =>
  told === 'enumType' ? 'enum' : (PROPERTY_TYPES.find((type) => type === told) ?? 'other')

function textOf(instance: RuntimeInstance, type: MotionProperty['type'], path: string): string | undefined {
  switch (type) {
    case 'string':
      return instance.string(path)?.value
    case 'number':
      return instance.number(path)?.value.toString()
    case 'boolean':
      return instance.boolean(path)?.value.toString()
    case 'enum':
      return instance.enum(path)?.value
    case 'color': {
      const color = instance.color(path)
      return color ? cssColor(color.value) : undefined
    }
    default:
      return undefined
  }
}

/** The runtime counts 0xaarrggbb, as a signed number. */
function cssColor(argb: number): string {
  const hex = (argb >>> 0).toString(16).padStart(8, '0')
  return `#${hex.slice(2)}${hex.slice(0, 2)}`
}
