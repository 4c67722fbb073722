import type { Card } from '../ports.ts'
import type { LiveCue, LiveGraphic, LiveMatch, LiveRenderer } from './live-protocol.ts'

/** An overlay as followers see it, at one moment. */
export type Told = {
  seq: number
  card: Card
  onAir: readonly LiveGraphic[]
  preview: readonly LiveCue[]
  rehearsal: boolean
  renderers: readonly LiveRenderer[]
  match: LiveMatch | null
}
