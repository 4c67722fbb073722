import type { z } from 'zod'
import type { MotionAsset as FileAsset, MotionArtboard, MotionFile, MotionViewModel } from '../../motion/motion-file.ts'
import type { Asset as BundleFile } from '../code-graphics/working-copy.ts'
import type { Shelf } from './shelf.ts'
import { assetName } from './sources.ts'
import type { PropertySettings, StoredStateMachine } from './state-machine.schema.ts'

type Binding = StoredStateMachine['dataBindings'][number]
type Input = StoredStateMachine['stateMachineInputs'][number]
type Asset = StoredStateMachine['assets'][number]

/** The artboard and the state machine of a file that a graphic plays. */
export type Chosen = { artboard?: string | undefined; stateMachine?: string | undefined }

/** Bytes that stand in the bundle for an asset of the motion file. */
export type Uploaded = Pick<BundleFile, 'name' | 'size' | 'hash'> & {
  width?: number | undefined
  height?: number | undefined
}

const MAX_SHELVED = 1_000

type Fitted = { stateMachine: StoredStateMachine; shelf: Shelf }

/**
 * The state machine of a graphic with this motion file. Bindings, inputs and assets of the same name keep their settings by
 * people: expressions, values, exposure. Settings of parts that the file or the artboard does not have are put on the shelf; the
 * chosen artboard and state machine are kept where they still exist.
 */
export function fitted(
  { stateMachine: old, shelf }: Fitted,
  file: MotionFile,
  uploaded: readonly Uploaded[],
  { artboard: wanted = old.currentArtboard, stateMachine = old.currentStateMachine }: Chosen = {},
): Fitted {
  const artboard = byName(file.artboards, wanted) ?? file.artboards[0]
  const machine = byName(artboard?.stateMachines ?? [], stateMachine) ?? artboard?.stateMachines[0]
  const before = {
    dataBindings: [...old.dataBindings, ...shelf.dataBindings],
    stateMachineInputs: [...old.stateMachineInputs, ...shelf.stateMachineInputs],
  }
  const dataBindings = bindingsOf(file, artboard, before.dataBindings)
  const stateMachineInputs = inputsOf(machine?.inputs ?? [], before.stateMachineInputs)
  return {
    stateMachine: {
      ...old,
      currentArtboard: artboard?.name ?? '',
      currentStateMachine: machine?.name ?? '',
      dataBindings,
      stateMachineInputs,
      assets: file.assets.map((asset) => assetOf(asset, old.assets, uploaded)),
      artboardWidth: artboard?.width ?? 0,
      artboardHeight: artboard?.height ?? 0,
    },
    shelf: {
      dataBindings: before.dataBindings
        .filter((one) => isBound(one) && !byName(dataBindings, one.name))
        .slice(0, MAX_SHELVED),
      stateMachineInputs: before.stateMachineInputs
        .filter((one) => isSet(one) && !stateMachineInputs.some(isSame(one)))
        .slice(0, MAX_SHELVED),
    },
  }
}

const isBound = ({ expression, value, exposed, imageTransform, viewModelProperty }: Binding) =>
  expression !== '' ||
  [value, exposed, imageTransform, ...Object.values(settingsOf(viewModelProperty))].some((one) => one !== undefined)

type ViewModelProperty = Binding['viewModelProperty']
type Settings = z.output<typeof PropertySettings>

const settingsOf = ({ listModel, sourceArrayPath, imageDimensions }: ViewModelProperty): Settings => ({
  ...(listModel !== undefined && { listModel }),
  ...(sourceArrayPath !== undefined && { sourceArrayPath }),
  ...(imageDimensions && { imageDimensions }),
})

/** The property with these settings in place of those that it had. */
export function withSettings(property: ViewModelProperty, settings: Settings | null): ViewModelProperty {
  const { listModel: _, sourceArrayPath: __, imageDimensions: ___, ...said } = property
  return { ...said, ...settings }
}

const isSet = ({ expression = '', value, defaultValue }: Input) => expression !== '' || value !== defaultValue

const isSame =
  ({ name, type }: Pick<Input, 'name' | 'type'>) =>
  (other: Pick<Input, 'name' | 'type'>) =>
    other.name === name && other.type === type

export const byName = <T extends { name: string }>(all: readonly T[], name: string): T | undefined =>
  all.find((one) => one.name === name)

function bindingsOf(file: MotionFile, artboard: MotionArtboard | undefined, old: readonly Binding[]): Binding[] {
  const model = file.viewModels.find(({ name }) => name === artboard?.viewModel)
  return (model?.properties ?? []).map((property) => bindingOf(model, property, old))
}

type Property = MotionViewModel['properties'][number]

function bindingOf(model: MotionViewModel | undefined, property: Property, old: readonly Binding[]): Binding {
  const { path, type, enumValues, defaultValue } = property
  const { expression = '', value, exposed, imageTransform, viewModelProperty } = byName(old, path) ?? {}
  return {
    id: path,
    name: path,
    expression,
    ...(defaultValue !== undefined && { defaultValue }),
    ...(value !== undefined && { value }),
    viewModelProperty: {
      viewModelId: model?.id ?? '',
      viewModelName: model?.name ?? '',
      type,
      path,
      ...(enumValues && { enumValues }),
      ...(viewModelProperty && settingsOf(viewModelProperty)),
    },
    ...(exposed && { exposed }),
    ...(imageTransform && { imageTransform }),
  }
}

function inputsOf(inputs: readonly Pick<Input, 'name' | 'type' | 'defaultValue'>[], old: readonly Input[]): Input[] {
  return inputs.map(({ name, type, defaultValue }) => {
    const before = old.find(isSame({ name, type }))
    // an input that was never set follows the file
    const value = before && before.value !== before.defaultValue ? before.value : defaultValue
    const expression = before?.expression
    return { id: name, name, type, defaultValue, value, ...(expression !== undefined && { expression }) }
  })
}

function assetOf(asset: FileAsset, old: readonly Asset[], uploaded: readonly Uploaded[]): Asset {
  const { id, name, uniqueFileName, type, embedded, size } = asset
  const before = old.find((one) => one.uniqueFileName === uniqueFileName) ?? byName(old, name)
  const bytes = byName(uploaded, assetName(uniqueFileName))
  const { expression, exposed } = before ?? {}
  return {
    id,
    name,
    uniqueFileName,
    type,
    ...(expression !== undefined && { expression }),
    ...(!embedded && !bytes && { unresolved: true }),
    metadata: bytes
      ? {
          size: bytes.size,
          ...(bytes.width !== undefined && { width: bytes.width }),
          ...(bytes.height !== undefined && { height: bytes.height }),
          storageKey: bytes.name,
          sha256: bytes.hash,
        }
      : { size },
    ...(exposed && { exposed }),
  }
}
