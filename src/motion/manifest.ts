import { z } from 'zod'
import { sourceOf } from './source-of.ts'

const Anything = z.union([z.boolean(), z.number(), z.string(), z.null()]).optional()

const ImageTransform = z.looseObject({
  outWidth: z.number().optional(),
  outHeight: z.number().optional(),
  scaleX: z.number().optional(),
  scaleY: z.number().optional(),
  rotateDeg: z.number().optional(),
  skewXDeg: z.number().optional(),
  skewYDeg: z.number().optional(),
  translateX: z.number().optional(),
  translateY: z.number().optional(),
  fit: z.enum(['cover', 'contain', 'stretch']).optional(),
  padding: z.object({ top: z.number(), right: z.number(), bottom: z.number(), left: z.number() }).partial().optional(),
  background: z.object({ r: z.number(), g: z.number(), b: z.number(), a: z.number() }).partial().optional(),
  anchor: z
    .enum(['center', 'top-left', 'top', 'top-right', 'left', 'right', 'bottom-left', 'bottom', 'bottom-right'])
    .optional(),
})

const Exposed = z
  .looseObject({
    expression: z.string().optional(),
    entityType: z.string().optional(),
    width: z.number().optional(),
    height: z.number().optional(),
  })
  .optional()

/** The part of a motion graphic's state machine that the renderer takes. spec: Motion graphics state machine */
const Source = z.looseObject({
  currentArtboard: z.string().default(''),
  currentStateMachine: z.string().default(''),
  controlVariables: z
    .array(
      z.looseObject({
        name: z.string(),
        type: z.string().optional(),
        defaultValue: Anything,
        exitMode: z.string().optional(),
      }),
    )
    .default([]),
  dataBindings: z
    .array(
      z.looseObject({
        id: z.string(),
        expression: z.string().default(''),
        exposed: Exposed,
        defaultValue: z.string().optional(),
        value: z.string().optional(),
        viewModelProperty: z.looseObject({
          viewModelName: z.string().default(''),
          type: z.string().default(''),
          path: z.string().default(''),
          listModel: z.string().optional(),
          sourceArrayPath: z.string().optional(),
          imageDimensions: z.object({ width: z.number(), height: z.number() }).optional(),
        }),
        imageTransform: ImageTransform.optional(),
      }),
    )
    .default([]),
  stateMachineInputs: z
    .array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        type: z.string(),
        defaultValue: Anything,
        value: Anything,
        expression: z.string().optional(),
      }),
    )
    .default([]),
  assets: z
    .array(z.looseObject({ id: z.string(), name: z.string(), uniqueFileName: z.string(), type: z.string() }))
    .default([]),
  scale: z.number().default(1),
  x: z.number().default(0),
  y: z.number().default(0),
  renderer: z.enum(['webgl2', 'canvas']).optional(),
  deferInitialShow: z.boolean().default(false),
})

export type MotionImageTransform = z.output<typeof ImageTransform>

/** `graphic.json` in the bundle of a motion graphic: all that its page needs beside the motion file. */
export type MotionManifest = {
  /** Names; the first one of the file when empty. */
  artboard: string
  stateMachine: string
  /** Of the artboard on the picture, in pixels of 1920 by 1080. */
  scale: number
  x: number
  y: number
  /** Left out, the fastest one. */
  renderer?: 'webgl2' | 'canvas'
  /** The first show waits for its pictures. */
  deferInitialShow: boolean
  variables: { name: string; default: Scalar; exitMode: 'immediate' | 'deferred' }[]
  bindings: MotionBinding[]
  inputs: MotionInputBinding[]
  /** Those that came with the file itself have no `path`. */
  assets: { id: string; uniqueFileName: string; type: string; path?: string }[]
}

type Scalar = boolean | number | string | null
/**
 * `value` is used until an expression computes another, which `computed` says that one does; `variable` is the control variable
 * whose value is taken as it is.
 */
type Bound = { id: string; value: Scalar; computed: boolean; variable?: string }
export type MotionBinding = Bound & {
  viewModel: string
  type: string
  path: string
  /** Of a list, the view model of its items, and where in the data its items are when nobody computes them. */
  listModel?: string
  sourceArrayPath?: string
  image?: { width: number; height: number }
  transform?: MotionImageTransform
}
export type MotionInputBinding = Bound & { name: string; type: string }

const JUST_A_VARIABLE = /^\s*variables(?:\.([A-Za-z_]\w*)|\[(?:"([^"\\]*)"|'([^'\\]*)')\])\s*$/

const boundTo = (expression = '') => {
  const name = JUST_A_VARIABLE.exec(expression)?.slice(1).find(Boolean)
  return { computed: expression.trim() !== '', ...(name !== undefined && { variable: name }) }
}

/**
 * The manifest of a state machine. `files` are the names of the bundle's files: an asset is replaced by
 * `assets/<uniqueFileName>` when there is such a file.
 */
export function motionManifest(stateMachine: unknown, files: ReadonlySet<string>): MotionManifest {
  const { currentArtboard, currentStateMachine, scale, x, y, renderer, deferInitialShow, ...parts } =
    Source.parse(stateMachine)
  return {
    artboard: currentArtboard,
    stateMachine: currentStateMachine,
    scale,
    x,
    y,
    ...(renderer && { renderer }),
    deferInitialShow,
    variables: parts.controlVariables.map(({ name, defaultValue = null, exitMode }) => ({
      name,
      default: defaultValue,
      exitMode: exitMode === 'immediate' ? 'immediate' : 'deferred',
    })),
    bindings: parts.dataBindings.map((binding) => bindingOf(binding, parts.controlVariables)),
    inputs: parts.stateMachineInputs.map(({ id, name, type, value, defaultValue, expression }) => ({
      id,
      name,
      type,
      value: value ?? defaultValue ?? null,
      ...boundTo(expression),
    })),
    assets: parts.assets.map(({ id, uniqueFileName, type }) => {
      const path = `assets/${uniqueFileName}`
      return { id, uniqueFileName, type, ...(files.has(path) && { path }) }
    }),
  }
}

function bindingOf(
  binding: z.output<typeof Source>['dataBindings'][number],
  variables: z.output<typeof Source>['controlVariables'],
): MotionBinding {
  const { id, expression, exposed, value, defaultValue, viewModelProperty, imageTransform } = binding
  const { viewModelName, type, path, listModel, sourceArrayPath, imageDimensions } = viewModelProperty
  const { width, height } = exposed ?? {}
  const image = imageDimensions ?? (width && height ? { width, height } : undefined)
  return {
    id,
    value: value ?? defaultValue ?? null,
    ...boundTo(sourceOf({ expression, exposed, isPicture: type === 'image' }, variables)),
    viewModel: viewModelName,
    type,
    path,
    ...(listModel !== undefined && { listModel }),
    ...(sourceArrayPath !== undefined && { sourceArrayPath }),
    ...(image && { image }),
    ...(imageTransform && { transform: imageTransform }),
  }
}
