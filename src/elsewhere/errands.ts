import type { Errand } from '../context.ts'
import { effectErrand, shownErrand } from '../game-plan/effects.ts'
import { correctFactErrand, eraseFactErrand, recordFactErrand } from '../providers/facts.ts'
import { updateMatchErrand } from '../providers/matches.ts'
import { refreshErrand } from '../reactions.ts'
import { lockErrand } from '../resources/code-graphics/lock.ts'
import { advanceErrand } from '../resources/game-plans/advance.ts'
import { clearPlanErrand } from '../resources/game-plans/clear.ts'
import { tellUploadErrand } from '../resources/motion-graphics/imports.commands.ts'
import { clearGraphicErrand } from '../resources/ograf-server/removal.ts'
import { playedErrand } from '../resources/overlays/played.ts'
import { hideEverythingErrand } from '../resources/overlays/removal.ts'
import { hiddenAtStartErrand } from '../resources/streams/commands.ts'
import { observeErrand } from '../resources/streams/observe.commands.ts'
import { rescheduleErrand } from '../resources/streams/schedule.ts'
import { settleErrand } from '../resources/streams/settle.ts'

// biome-ignore lint/suspicious/noExplicitAny: each errand knows its arguments, and the node that sends it runs the same code
type AnyErrand = Errand<any, unknown>

/** Every errand by its name, for the node that another one asks to run it. */
export const errands: ReadonlyMap<string, AnyErrand> = new Map(
  [
    hideEverythingErrand,
    lockErrand,
    refreshErrand,
    tellUploadErrand,
    hiddenAtStartErrand,
    observeErrand,
    rescheduleErrand,
    settleErrand,
    updateMatchErrand,
    recordFactErrand,
    correctFactErrand,
    eraseFactErrand,
    advanceErrand,
    clearPlanErrand,
    effectErrand,
    shownErrand,
    playedErrand,
    clearGraphicErrand,
  ].map((errand: AnyErrand) => [errand.name, errand]),
)
