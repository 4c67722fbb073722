import type { z } from 'zod'
import type { OperatorChoices, OperatorRoom } from '../../resources/control-page/schema.ts'
import type * as rundowns from '../../resources/rundowns/schema.ts'

export type Room = z.output<typeof OperatorRoom>
export type Preset = Room['presets'][number]
export type Variable = Preset['variables'][number]
export type Rule = Room['rules'][number]
export type Rundown = z.output<typeof rundowns.Rundown>
export type RundownItem = Rundown['items'][number]
export type Section = Room['sections'][number]
export type Choices = z.output<typeof OperatorChoices>['choices']
/** A sponsor slot stands for the brand that is chosen at the show. */
export type Value = Nested | { slot: string }
/** Of an OGraf graphic also lists and objects. */
export type Nested = string | number | boolean | null | readonly Nested[] | { readonly [name: string]: Nested }
export type Values = Readonly<Record<string, Value>>
