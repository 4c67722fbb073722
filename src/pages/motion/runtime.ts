import type {
  Artboard,
  File,
  RiveCanvas,
  StateMachineInstance,
  ViewModelInstance,
  WrappedRenderer,
} from '@rive-app/canvas-advanced'
import canvasWasm from '@rive-app/canvas-advanced/rive.wasm?url'
import webglWasm from '@rive-app/webgl2-advanced/rive.wasm?url'

export type { Artboard, File, RiveCanvas, StateMachineInstance, ViewModelInstance, WrappedRenderer }
export type RendererKind = 'webgl2' | 'canvas'

/**
 * Which of the two runtimes draws: WebGL 2 where the machine has it in hardware, or in any way when the graphic asks for
 * it; else the canvas, which every host has.
 */
export function rendererFor(asked: RendererKind | undefined): RendererKind {
  if (asked === 'canvas') return 'canvas'
  const probe = document.createElement('canvas').getContext('webgl2', {
    failIfMajorPerformanceCaveat: asked === undefined,
  })
  if (!probe) return 'canvas'
  // an engine has few contexts for all graphics together
  probe.getExtension('WEBGL_lose_context')?.loseContext()
  return 'webgl2'
}

export type Started = { kind: RendererKind; rive: RiveCanvas }

/** Loads the runtime from this host. */
export async function startRuntime(kind: RendererKind): Promise<Started> {
  const webgl = kind === 'webgl2'
  const { default: start } = await (webgl ? import('@rive-app/webgl2-advanced') : import('@rive-app/canvas-advanced'))
  return { kind, rive: await start({ locateFile: () => (webgl ? webglWasm : canvasWasm) }) }
}
