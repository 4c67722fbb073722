import type { Overlay, OverlayCommand, OverlayEvent } from './overlay.ts'

// replaced by the actor work: the list of machines with their versions and migrations
type Kinds = {
  overlay: { context: Overlay; command: OverlayCommand; event: OverlayEvent }
}
export type Kind = keyof Kinds
export type ContextOf<K extends Kind> = Kinds[K]['context']
export type CommandOf<K extends Kind> = Kinds[K]['command']
export type EventOf<K extends Kind> = Kinds[K]['event']
