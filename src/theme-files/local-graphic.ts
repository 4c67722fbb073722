import type { MotionParts } from './motion-parts.ts'

/** A file of a bundle; `name` is its path inside the bundle, `path` where it lies. */
export type BundleFile = { name: string; mime: string; size: number; hash: string; path: string }
export type LocalGraphic = { slug: string; name: string; sports: string[]; files: BundleFile[] } & (
  | { type: 'code'; stateMachine: Record<string, unknown> }
  | { type: 'rive'; stateMachine: MotionParts }
  | { type: 'ograf'; stateMachine: Record<string, unknown> }
)
export type LocalMotionGraphic = Extract<LocalGraphic, { type: 'rive' }>
export type LocalOgraf = Extract<LocalGraphic, { type: 'ograf' }>
