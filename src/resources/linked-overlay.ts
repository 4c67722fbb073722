import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'

/** The overlay whose page asks: the one that its address opens. Throws notFound for whoever came another way. */
export function linkedOverlay({ actor }: Pick<Context, 'actor'>): number {
  if (actor.type !== 'link') throw notFound()
  return actor.overlayId
}
