import type { MatchConfig } from '../../../machines/match-model.ts'
import type { Cast } from './cast.ts'
import type { Situation } from './schema.ts'
import type { Story } from './story.ts'

export type Scene = { situation: Situation; name: string; description: string }
export type Scenes = Readonly<Record<string, Scene>>

export const scene = (situation: Situation, name: string, description: string): Scene => ({
  situation,
  name,
  description,
})

/** Begins a match of the cast, or of another one. */
export type Open = (config?: Partial<MatchConfig>, cast?: Cast) => Story

/** The scenarios of a sport: their list, and the matches that lead to them. */
export type Script = {
  cast: Cast
  /** In the order of a match; `pre-match` and `postponed` are added to them. */
  scenes: Scenes
  tell(open: Open): void
}
