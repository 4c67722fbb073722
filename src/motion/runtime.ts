import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as loaded from '@rive-app/canvas-advanced'

/** The parts of the runtime that reading a file takes. The objects live in its own memory, which ends with the thread. */
export type Runtime = {
  load(bytes: Uint8Array, loader: object, fromCdn: false): Promise<RuntimeFile | null>
  CustomFileAssetLoader: new (loads: { loadContents(asset: RuntimeAsset, bytes: Uint8Array): boolean }) => object
  SMIInput: { bool: number; number: number; trigger: number }
  StateMachineInstance: new (machine: RuntimeStateMachine, artboard: RuntimeArtboard) => RuntimeInputs
}
export type RuntimeAsset = {
  name: string
  uniqueFilename: string
  isImage: boolean
  isFont: boolean
  isAudio: boolean
}
export type RuntimeFile = {
  artboardCount(): number
  artboardByIndex(index: number): RuntimeArtboard | null
  viewModelCount(): number
  viewModelByIndex(index: number): RuntimeViewModel | null
  defaultArtboardViewModel(artboard: RuntimeArtboard): RuntimeViewModel | null
  enums(): { name: string; values: string[] }[]
}
export type RuntimeArtboard = {
  name: string
  bounds: { minX: number; minY: number; maxX: number; maxY: number }
  stateMachineCount(): number
  stateMachineByIndex(index: number): RuntimeStateMachine
}
export type RuntimeStateMachine = { name: string }
export type RuntimeInputs = {
  inputCount(): number
  input(index: number): RuntimeInput
}
export type RuntimeInput = {
  name: string
  type: number
  asBool(): { value: boolean }
  asNumber(): { value: number }
}
export type RuntimeViewModel = {
  name: string
  getProperties(): RuntimeProperty[]
  defaultInstance(): RuntimeInstance | null
  instance(): RuntimeInstance | null
}
export type RuntimeProperty = { name: string; type: string; enumName?: string }
type Value<T> = { value: T } | null
export type RuntimeInstance = {
  string(path: string): Value<string>
  number(path: string): Value<number>
  boolean(path: string): Value<boolean>
  color(path: string): Value<number>
  enum(path: string): { value: string; values: string[] } | null
  viewModel(path: string): RuntimeInstance | null
  getProperties(): RuntimeProperty[]
}

// only the browser's types know it
declare const WebAssembly: {
  Memory: { prototype: { readonly buffer: ArrayBuffer; grow(pages: number): number } }
}

const PAGE_BYTES = 64 * 1024

let exhausted = false
/** Whether the runtime was refused memory: its message is of no use then. */
export const ranOutOfMemory = () => exhausted

/**
 * Starts the official runtime without a browser: it draws nothing here, so it gets no canvas. Its memory does not count for the
 * limits of a thread, so growing beyond `memoryMb` is refused it.
 */
export async function startRuntime(memoryMb: number): Promise<Runtime> {
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function (pages) {
    exhausted ||= this.buffer.byteLength + pages * PAGE_BYTES > memoryMb * 1024 * 1024
    if (exhausted) throw new RangeError('too much memory')
    return grow.call(this, pages)
  }
  Object.assign(globalThis, { document: { createElement: () => ({ getContext: () => null }) } })
  if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { userAgent: '' } })
  const wasm = createRequire(import.meta.url).resolve('@rive-app/canvas-advanced/rive.wasm')
  return factoryOf(loaded)({ wasmBinary: readFileSync(wasm), locateFile: (name) => name })
}

type Factory = (options: { wasmBinary: Uint8Array; locateFile(name: string): string }) => Promise<Runtime>

/** Its declarations are written for bundlers and describe classes that only a browser has. */
const factoryOf = (module: object) => (module as { default: Factory }).default
