/** Writes motion files (.riv, format 7) of the objects that tests need. Keys are those of the format's own definitions. */

type Kind = 'uint' | 'string' | 'double' | 'color' | 'bytes'

const PROPERTIES = {
  name: [4, 'string'],
  parentId: [5, 'uint'],
  artboardWidth: [7, 'double'],
  artboardHeight: [8, 'double'],
  x: [13, 'double'],
  y: [14, 'double'],
  rotation: [15, 'double'],
  scaleX: [16, 'double'],
  scaleY: [17, 'double'],
  opacity: [18, 'double'],
  width: [20, 'double'],
  height: [21, 'double'],
  cornerRadius: [31, 'double'],
  color: [37, 'color'],
  stopColor: [38, 'color'],
  position: [39, 'double'],
  startX: [42, 'double'],
  startY: [33, 'double'],
  endX: [34, 'double'],
  endY: [35, 'double'],
  objectId: [51, 'uint'],
  propertyKey: [53, 'uint'],
  animationName: [55, 'string'],
  fps: [56, 'uint'],
  duration: [57, 'uint'],
  loop: [59, 'uint'],
  x1: [63, 'double'],
  y1: [64, 'double'],
  x2: [65, 'double'],
  y2: [66, 'double'],
  frame: [67, 'uint'],
  interpolation: [68, 'uint'],
  interpolatorId: [69, 'uint'],
  value: [70, 'double'],
  originX: [123, 'double'],
  originY: [124, 'double'],
  machineName: [138, 'string'],
  numberValue: [140, 'double'],
  boolValue: [141, 'uint'],
  animationId: [149, 'uint'],
  stateToId: [151, 'uint'],
  transitionDuration: [158, 'uint'],
  inputId: [155, 'uint'],
  op: [156, 'uint'],
  clip: [196, 'uint'],
  assetName: [203, 'string'],
  assetId: [204, 'uint'],
  imageAssetId: [206, 'uint'],
  assetHeight: [207, 'double'],
  assetWidth: [208, 'double'],
  bytes: [212, 'bytes'],
  defaultStateMachineId: [236, 'uint'],
  text: [268, 'string'],
  styleId: [272, 'uint'],
  fontSize: [274, 'double'],
  fontAssetId: [279, 'uint'],
  align: [281, 'uint'],
  sizing: [284, 'uint'],
  textWidth: [285, 'double'],
  textHeight: [286, 'double'],
  overflow: [287, 'uint'],
  viewModelIdOfInstance: [566, 'uint'],
  viewModelPropertyId: [554, 'uint'],
  viewModelName: [557, 'string'],
  viewModelReferenceId: [565, 'uint'],
  colorDefault: [555, 'color'],
  enumDefault: [560, 'uint'],
  stringDefault: [561, 'string'],
  enumName: [572, 'string'],
  enumId: [574, 'uint'],
  instanceOf: [577, 'uint'],
  numberDefault: [575, 'double'],
  enumKey: [578, 'string'],
  enumValue: [579, 'string'],
  viewModelId: [583, 'uint'],
  boundProperty: [586, 'uint'],
  boundFlags: [587, 'uint'],
  sourcePath: [588, 'bytes'],
  booleanDefault: [593, 'uint'],
  imageDefault: [824, 'uint'],
} as const satisfies Record<string, readonly [number, Kind]>

const TYPES = {
  backboard: 23,
  artboard: 1,
  node: 2,
  shape: 3,
  rectangle: 7,
  ellipse: 4,
  solidColor: 18,
  gradientStop: 19,
  fill: 20,
  linearGradient: 22,
  keyedObject: 25,
  keyedProperty: 26,
  cubicInterpolator: 28,
  keyFrameDouble: 30,
  linearAnimation: 31,
  stateMachine: 53,
  stateMachineNumber: 56,
  stateMachineLayer: 57,
  stateMachineTrigger: 58,
  stateMachineBool: 59,
  animationState: 61,
  anyState: 62,
  entryState: 63,
  exitState: 64,
  stateTransition: 65,
  triggerCondition: 68,
  boolCondition: 71,
  image: 100,
  imageAsset: 105,
  assetContents: 106,
  text: 134,
  textRun: 135,
  textStyle: 137,
  fontAsset: 141,
  instanceColor: 426,
  propertyNumber: 431,
  instanceEnum: 432,
  instanceString: 433,
  propertyList: 434,
  viewModel: 435,
  propertyViewModel: 436,
  instance: 437,
  enum: 438,
  propertyEnum: 439,
  propertyColor: 440,
  instanceList: 441,
  instanceNumber: 442,
  propertyString: 443,
  instanceViewModel: 444,
  enumValue: 445,
  bind: 447,
  propertyBoolean: 448,
  instanceBoolean: 449,
  instanceTrigger: 501,
  propertyTrigger: 502,
  propertyImage: 585,
  instanceImage: 587,
} as const

type Values = {
  [Name in keyof typeof PROPERTIES]?: (typeof PROPERTIES)[Name][1] extends 'string' ? string : number | Uint8Array
}
export type RivObject = readonly [keyof typeof TYPES, Values?]

/** The key that animations and bindings name a property by. */
export const keyOf = (property: keyof typeof PROPERTIES): number => PROPERTIES[property][0]

/** The bytes of a file with these objects, in their order. */
export function writeRiv(objects: readonly RivObject[]): Uint8Array {
  const used = new Map<number, Kind>()
  const body = new Bytes()
  for (const [type, values = {}] of objects) {
    body.varuint(TYPES[type])
    for (const [name, value] of Object.entries(values)) {
      const [key, kind] = PROPERTIES[nameOf(name)]
      used.set(key, kind)
      body.varuint(key)
      body.field(kind, value)
    }
    body.varuint(0)
  }
  const file = new Bytes()
  file.raw(new TextEncoder().encode('RIVE'))
  for (const number of [7, 0, 1]) file.varuint(number)
  tableOfContents(file, used)
  file.raw(body.taken())
  return file.taken()
}

/** The keys of `Values` are names of properties. */
const nameOf = (name: string) => name as keyof typeof PROPERTIES

const FIELD_TYPES: Record<Kind, number> = { uint: 0, string: 1, bytes: 1, double: 2, color: 3 }

/** Tells readers that know fewer properties how to skip the others: the keys, then two bits for each, sixteen to a word. */
function tableOfContents(file: Bytes, used: ReadonlyMap<number, Kind>) {
  for (const key of used.keys()) file.varuint(key)
  file.varuint(0)
  const kinds = [...used.values()]
  for (let at = 0; at < kinds.length; at += 4) {
    const word = kinds.slice(at, at + 4).reduce((bits, kind, index) => bits | (FIELD_TYPES[kind] << (index * 2)), 0)
    file.uint32(word)
  }
}

class Bytes {
  readonly #parts: Uint8Array[] = []

  raw(bytes: Uint8Array) {
    this.#parts.push(bytes)
  }

  varuint(value: number) {
    const bytes: number[] = []
    let rest = value >>> 0
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
    this.raw(Uint8Array.of(...bytes, rest))
  }

  uint32(value: number) {
    this.raw(new Uint8Array(Uint32Array.of(value).buffer))
  }

  field(kind: Kind, value: string | number | Uint8Array) {
    if (kind === 'uint') return this.varuint(Number(value))
    if (kind === 'color') return this.uint32(Number(value))
    if (kind === 'double') return this.raw(new Uint8Array(Float32Array.of(Number(value)).buffer))
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
    if (!(bytes instanceof Uint8Array)) throw new Error(`no bytes: ${value}`)
    this.varuint(bytes.length)
    this.raw(bytes)
  }

  taken(): Uint8Array {
    return Buffer.concat(this.#parts)
  }
}
